/* Aladdin & the Magic Lamp in tight C, by the rules of `games/aladdin`: cards are kinds, and a player has a count of each.

   Kinds: gems 0 to 31, ornaments 32 to 49 (metal, jewel, scorpions), talismans 50 to 52, the Sorcerer 53. Copies that are
   printed alike are one option, so options are the bits of a mask of kinds. */
#include <string.h>

#include "chance.h"

enum { ORNAMENT = 32, TALISMAN = 50, SORCERER = 53, KINDS = 54, METALS = 3, STONES = 4 };
enum { TOP = 2, STEAL_GEM, STEAL_ORNAMENT, SWAP_GEM, SWAP_ORNAMENT, SALVAGE, DIE_UP, DIE_DOWN, DIE_MOVE, WARD, PEEK, GIVE, TOLL };

static const uint64_t GEMS = 0xFFFFFFFFu;
static const uint8_t LAMP[25] = {
    0, 0, 1, 1, 2, 2, STEAL_GEM, STEAL_GEM, STEAL_GEM, STEAL_ORNAMENT, STEAL_ORNAMENT, SWAP_GEM, SWAP_GEM, SWAP_ORNAMENT,
    SWAP_ORNAMENT, SALVAGE, SALVAGE, DIE_UP, DIE_DOWN, DIE_MOVE, WARD, WARD, PEEK, GIVE, TOLL};
static const int BONUS[METALS] = {6, 8, 10};

static uint8_t stone_of[KINDS], scorpions_of[KINDS], CHEST[METALS][25], START[8];

struct player {
    uint64_t has; /* kinds of which the count is not 0 */
    uint8_t count[KINDS], stones[STONES], laid[STONES], jewels[METALS * 3];
    uint8_t cards, fresh, ward, die[METALS];
};

static struct player table[5];
static uint8_t discarded[KINDS];
static uint64_t discard;

static void prepare(void) {
    static const uint8_t marks[METALS][4] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 1, 2}};
    int kind = 0;
    for (int m = 0; m < METALS; m++) {
        int card = 0;
        for (int s = 0; s < STONES; s++)
            for (int n = 0; n < 4; n++) {
                int is_new = n == 0 || marks[m][n] != marks[m][n - 1];
                kind += is_new;
                stone_of[kind - 1] = (uint8_t)s, scorpions_of[kind - 1] = marks[m][n], CHEST[m][card++] = (uint8_t)(kind - 1);
            }
        for (int n = 0; n < 6; n++) CHEST[m][card++] = (uint8_t)(ORNAMENT + 6 * m + n), scorpions_of[ORNAMENT + 6 * m + n] = n & 1 ? 2 : 0;
        for (int n = 0; n < 3; n++) CHEST[m][card++] = (uint8_t)(TALISMAN + m);
        scorpions_of[TALISMAN + m] = 2;
    }
    for (int s = 0; s < STONES; s++, kind++) stone_of[kind] = (uint8_t)s, START[2 * s] = START[2 * s + 1] = (uint8_t)kind;
}

static inline void gain(struct player *p, int kind) {
    p->has |= 1ull << kind, p->count[kind]++, p->cards++;
    if (kind < ORNAMENT) p->stones[stone_of[kind]]++;
    else p->jewels[(kind - ORNAMENT) >> 1]++;
}

static inline void lose(struct player *p, int kind) {
    if (!--p->count[kind]) p->has &= ~(1ull << kind);
    p->cards--;
    if (kind < ORNAMENT) p->stones[stone_of[kind]]--;
    else p->jewels[(kind - ORNAMENT) >> 1]--;
}

/* When the last gem of a kind has gone, the talismans on it lie alone. */
static inline void bereave(struct player *p, int kind) {
    if (kind < ORNAMENT && !p->stones[stone_of[kind]]) p->laid[stone_of[kind]] = 0;
}

static inline int sets(const struct player *p, int m) {
    const uint8_t *j = p->jewels + 3 * m;
    int least = j[0] < j[1] ? j[0] : j[1];
    return least < j[2] ? least : j[2];
}

static inline uint64_t loose(const struct player *p) {
    uint64_t found = 0;
    for (int m = 0; m < METALS; m++) {
        int complete = sets(p, m);
        for (int j = 3 * m; j < 3 * m + 3; j++)
            if (p->jewels[j] > complete) found |= 3ull << (ORNAMENT + 2 * j);
    }
    return found & p->has;
}

static inline uint64_t takeable(const struct player *p, int gems) { return gems ? p->has & GEMS : loose(p); }

static inline int place_talismans(struct player *p) {
    int decisions = 0;
    if (p->fresh) {
        uint64_t options = 0;
        for (int s = 0; s < STONES; s++)
            if (p->stones[s]) options |= 1u << s;
        for (; p->fresh; p->fresh--)
            if (options) decisions++, p->laid[one_of(options)]++;
    }
    return decisions;
}

static int searcher(int players, int m) {
    int seen[7] = {0}, by[7];
    for (int p = 0; p < players; p++) seen[table[p].die[m]]++, by[table[p].die[m]] = p;
    for (int value = 1; value < 7; value++)
        if (seen[value] == 1) return by[value];
    return -1;
}

static int play(int players, int *points, unsigned *winners) {
    uint8_t lamp[25], chest[METALS][26], start[8];
    int height[METALS], at = 0, decisions = 0, closed = 0, left = 8;
    memcpy(lamp, LAMP, sizeof lamp), memcpy(start, START, sizeof start);
    memset(table, 0, sizeof table), memset(discarded, 0, sizeof discarded), discard = 0;
    shuffle(lamp, 25);
    for (int m = 0; m < METALS; m++) {
        uint8_t *pile = chest[m];
        memcpy(pile, CHEST[m], 25), shuffle(pile, 25);
        memmove(pile + 6, pile + 5, 20), pile[5] = SORCERER, height[m] = 26;
    }
    shuffle(start, 8);
    for (int p = 0; p < players; p++)
        for (int n = players == 2 ? 2 : 1; n; n--) gain(&table[p], start[--left]);
    while (left) left--, discarded[start[left]]++, discard |= 1ull << start[left];

    while (!closed) {
        /* Choose a chest */
        unsigned showing[7] = {0}, touching = 0, called = 0;
        int callers[6], calls = 0;
        for (int p = 0; p < players; p++) {
            uint8_t *die = table[p].die;
            int slot = draw(3), pips = 1 + draw(6);
            die[0] = die[1] = die[2] = 0, table[p].ward = 0, decisions += 2;
            die[slot] = (uint8_t)pips, showing[pips] |= 1u << p;
            if (players == 2) {
                int second = (slot + 1 + draw(2)) % 3;
                pips = 1 + draw(6), decisions += 2;
                die[second] = (uint8_t)pips, showing[pips] |= 1u << p;
            }
        }
        /* Call the Genie: each player who must touch the lamp is a decision */
        for (int value = 1; value < 7; value++)
            if (showing[value] & (showing[value] - 1)) {
                int p = one_of(showing[value] & ~called);
                touching |= showing[value], called |= 1u << p, callers[calls++] = p;
            }
        decisions += __builtin_popcount(touching);
        for (int c = 0; c < calls; c++) {
            struct player *me = &table[callers[c]], *other = 0;
            int wish = 0, kind, given;
            uint64_t options = 0, mine;
            for (int attempt = 1; attempt <= 3; attempt++) {
                wish = lamp[at], at = at == 24 ? 0 : at + 1;
                if (attempt == 3) break;
                decisions++;
                if (draw(2)) break;
            }
            switch (wish) {
            case 0: case 1: case TOP:
                if (!height[wish]) break;
                kind = chest[wish][--height[wish]];
                if (kind == SORCERER) { closed = 1; goto ended; }
                if (kind < TALISMAN) gain(me, kind);
                else me->cards++, me->fresh++, decisions += place_talismans(me);
                break;
            case STEAL_GEM: case STEAL_ORNAMENT: case SWAP_GEM: case SWAP_ORNAMENT: {
                int gems = wish == STEAL_GEM || wish == SWAP_GEM, swapping = wish >= SWAP_GEM;
                mine = swapping ? takeable(me, gems) : 1;
                if (!mine) break;
                for (int q = 0; q < players; q++)
                    if (&table[q] != me && takeable(&table[q], gems)) options |= 1u << q;
                if (!options) break;
                other = &table[one_of(options)], kind = one_of(takeable(other, gems)), decisions += 2;
                if (swapping) {
                    given = one_of(mine), decisions++;
                    lose(other, kind), lose(me, given), gain(me, kind), gain(other, given);
                    bereave(me, given), bereave(other, kind);
                } else lose(other, kind), bereave(other, kind), gain(me, kind);
                break;
            }
            case SALVAGE:
                if (!discard) break;
                kind = one_of(discard), decisions++, gain(me, kind);
                if (!--discarded[kind]) discard &= ~(1ull << kind);
                break;
            case DIE_UP: case DIE_DOWN: {
                int step = wish == DIE_UP ? 1 : -1, barred = wish == DIE_UP ? 6 : 1;
                for (int m = 0; m < METALS; m++)
                    if (me->die[m] && me->die[m] != barred) options |= 1u << m;
                if (options) me->die[one_of(options)] += (uint8_t)step, decisions++;
                break;
            }
            case DIE_MOVE: {
                for (int m = 0; m < METALS; m++)
                    if (me->die[m]) options |= 1u << m;
                int from = one_of(options), to = one_of(~options & 7);
                me->die[to] = me->die[from], me->die[from] = 0, decisions += 2;
                break;
            }
            case WARD: me->ward = 2; break;
            case PEEK: {
                int m = draw(3), taken = height[m] < 3 ? height[m] : 3;
                uint8_t cards[3], *bottom = chest[m] + height[m] - taken;
                memcpy(cards, bottom, (size_t)taken), decisions++;
                while (taken > 1) {
                    uint64_t kinds = 0;
                    for (int n = 0; n < taken; n++) kinds |= 1ull << cards[n];
                    kind = one_of(kinds), decisions++;
                    int n = 0;
                    while (cards[n] != kind) n++;
                    cards[n] = cards[--taken], *bottom++ = (uint8_t)kind;
                }
                if (taken) *bottom = cards[0];
                break;
            }
            default: /* GIVE and TOLL */
                options = (me->has & GEMS) | loose(me);
                if (!options) break;
                kind = one_of(options), decisions++, lose(me, kind), bereave(me, kind);
                if (wish == GIVE) gain(&table[(callers[c] + 1 + draw(players - 1)) % players], kind), decisions++;
                else discarded[kind]++, discard |= 1ull << kind;
            }
        }
        /* Search the chests */
        int seekers[METALS];
        for (int m = 0; m < METALS; m++) seekers[m] = searcher(players, m);
        for (int m = 0; m < METALS; m++) {
            if (seekers[m] < 0) continue;
            struct player *me = &table[seekers[m]];
            uint8_t *pile = chest[m];
            int limit = me->die[m], drawn = 0, scorpions = 0, driven = 0;
            while (drawn < limit && height[m] && draw(2)) {
                int kind = pile[--height[m]];
                decisions++, drawn++, closed |= kind == SORCERER, scorpions += scorpions_of[kind];
                if (scorpions >= limit + me->ward) { driven = 1; break; }
            }
            /* Whoever stops has decided so as well. */
            decisions += !driven && drawn < limit && height[m];
            for (int n = 0; n < drawn; n++) {
                int kind = pile[height[m] + n];
                if (kind == SORCERER) continue;
                if (driven) {
                    if (kind < TALISMAN) discarded[kind]++, discard |= 1ull << kind;
                } else if (kind < TALISMAN) gain(me, kind);
                else me->cards++, me->fresh++;
            }
            int later = 0;
            for (int n = m + 1; n < METALS; n++) later |= seekers[n] == seekers[m];
            if (!later) decisions += place_talismans(me);
        }
    }
ended:;
    int best = 0;
    for (int p = 0; p < players; p++) {
        points[p] = table[p].cards;
        for (int m = 0; m < METALS; m++) points[p] += BONUS[m] * sets(&table[p], m);
    }
    for (int s = 0; s < STONES; s++) {
        int most = -1, leader = -1;
        for (int p = 0; p < players; p++) {
            int owned = table[p].stones[s] + table[p].laid[s];
            if (owned > most) most = owned, leader = p;
            else if (owned == most) leader = -1;
        }
        if (leader >= 0) points[leader] += 5;
    }
    for (int p = 0; p < players; p++) best = points[p] > best ? points[p] : best;
    *winners = 0;
    for (int p = 0; p < players; p++) *winners |= (unsigned)(points[p] == best) << p;
    return decisions;
}

#include "main.h"
