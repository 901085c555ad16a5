/* Rattlebones in tight C, by the rules of `games/rattlebones`: a side of a die is the number of its symbol.

   Symbols 0 to 5 are Rattlebones and the numbers 2 to 6, and 6 to 10 are +1 to +5. The sides of a player's dice are 18
   places in a row; an arrow knows the place at which it points. */
#include <string.h>

#include "chance.h"

enum { BONES, PLUS = 6, GOLD = 11, STAR, THIEF, ARROW, RANKING, DOUBLE, GAMBLE, NINE, AGAIN, STOCK, TRAIN, SYMBOLS, START };
enum { NOWHERE = 255, SPACES = 14, GOODS = 3 };

static const uint8_t TILES[12] = {NINE, THIEF, ARROW, RANKING, STOCK, GOLD, AGAIN, STAR, TRAIN, PLUS, DOUBLE, GAMBLE};
static const uint8_t PRINTED[7] = {START, GOLD, PLUS, STAR, PLUS, TRAIN, PLUS};
static const uint8_t SUPPLY[SYMBOLS] = {0, 0, 0, 0, 0, 0, 5, 4, 3, 2, 1, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
static const uint8_t SELECTIONS[7] = {1, 2, 4, 3, 5, 6, 7}; /* of dice, as masks: single ones, pairs, all three */
static const int SO_MANY[4] = {0, 3, 6, 7};
static const int PRICES[5] = {0, 3, 7, 11, 15};
static const unsigned DOUBLED = 31u << PLUS | 1u << GOLD | 1u << STAR | 1u << RANKING | 1u << TRAIN;

struct player {
    uint8_t side[18], aim[18], monkey[3];
    int score, goods[GOODS]; /* gold, stars, tickets */
};

static struct player table[4];
static int left_over[GOODS];

static void prepare(void) {}

/* The symbol that a place counts as: arrows are followed, and a ring of them counts as an arrow. */
static inline int shows(const struct player *p, int place) {
    for (int n = 0; n < 5 && p->aim[place] != NOWHERE; n++) place = p->aim[place];
    return p->side[place];
}

static inline int is_over(int players, int ringmaster) {
    for (int p = 0; p < players; p++)
        if (table[p].score >= ringmaster) return 1;
    return 0;
}

static inline void take(struct player *p, int goods, int amount) {
    if (amount > left_over[goods]) amount = left_over[goods];
    p->goods[goods] += amount, left_over[goods] -= amount;
}

static void pay_tickets(int players) {
    int most = 0, next = 0, leaders = 0, seconds = 0;
    for (int p = 0; p < players; p++)
        if (table[p].goods[2] > most) most = table[p].goods[2];
    for (int p = 0; p < players; p++) {
        int n = table[p].goods[2];
        leaders += n == most;
        if (n < most && n > next) next = n;
    }
    for (int p = 0; p < players; p++) seconds += next && table[p].goods[2] == next;
    for (int p = 0; p < players; p++) {
        int n = table[p].goods[2];
        if (n == most) table[p].score += leaders > 1 ? 7 : seconds ? 10 : 15;
        else if (next && n == next) table[p].score += leaders > 1 ? 2 : 5 / seconds;
        table[p].goods[2] = 0;
    }
    left_over[2] = 5;
}

static int play(int players, int *points, unsigned *winners) {
    uint8_t tiles[12], track[SPACES], supply[SYMBOLS];
    int ringmaster = 45 + 5 * players, train = 0, decisions = 0;
    memcpy(tiles, TILES, sizeof tiles), memcpy(supply, SUPPLY, sizeof supply);
    shuffle(tiles, 12);
    for (int n = 0; n < 7; n++) track[2 * n] = PRINTED[n], track[2 * n + 1] = tiles[n];
    memset(table, 0, sizeof table);
    for (int p = 0; p < players; p++) {
        for (int n = 0; n < 18; n++) table[p].side[n] = (uint8_t)(n % 6);
        memset(table[p].aim, NOWHERE, 18);
    }
    left_over[0] = left_over[1] = 20, left_over[2] = 5;
    for (int turn = deal(players);; turn = turn + 1 < players ? turn + 1 : 0) {
        struct player *me = &table[turn];
        int up[3], factor[3] = {1, 1, 1}, most = me->goods[0] < 2 ? 1 + me->goods[0] : 3;
        /* Roll; each Roll again brings in a die that was not rolled */
        unsigned rolled = SELECTIONS[draw(SO_MANY[most])], chain = 0;
        decisions++;
        int paid = __builtin_popcount(rolled) - 1;
        me->goods[0] -= paid, left_over[0] += paid;
        for (int d = 0; d < 3; d++)
            if (rolled >> d & 1) {
                up[d] = 6 * d + deal(6);
                if (shows(me, up[d]) == AGAIN) chain |= 1u << d;
            }
        for (int again = chain != 0; again && rolled != 7;) {
            int extra = one_of(7 & ~rolled);
            decisions++, again = 0, rolled |= 1u << extra, chain |= 1u << extra;
            for (int d = 0; d < 3; d++)
                if (chain >> d & 1) up[d] = 6 * d + deal(6), again |= shows(me, up[d]) == AGAIN;
        }
        /* Resolve the dice one after another */
        for (unsigned waiting = rolled; waiting;) {
            int d = waiting & (waiting - 1) ? (decisions++, one_of(waiting)) : __builtin_ctz(waiting);
            int symbol = shows(me, up[d]), steps = 0, gained = 0;
            waiting &= ~(1u << d);
            switch (symbol) {
            case BONES:
                ringmaster--, steps = 1;
                if (is_over(players, ringmaster)) goto ended;
                break;
            case 1: case 2: case 3: case 4: case 5: steps = symbol + 1; break;
            case 6: case 7: case 8: case 9: case 10: gained = (symbol - 5) * factor[d]; break;
            case GOLD: take(me, 0, factor[d]); break;
            case STAR: take(me, 1, factor[d]); break;
            case THIEF:
                for (int n = 1; n < players; n++) {
                    struct player *p = &table[turn + n < players ? turn + n : turn + n - players];
                    unsigned held = (p->goods[0] > 0) | (p->goods[1] > 0) << 1 | (p->goods[2] > 0) << 2;
                    if (!held) continue;
                    int goods = one_of(held);
                    decisions++, p->goods[goods]--, me->goods[goods]++;
                }
                break;
            case RANKING:
                gained = factor[d];
                for (int p = 0; p < players; p++)
                    if (table[p].score > me->score) gained += factor[d];
                break;
            case DOUBLE: {
                unsigned options = 0;
                for (int x = 0; x < 3; x++)
                    if (waiting >> x & 1 && DOUBLED >> shows(me, up[x]) & 1) options |= 1u << x;
                if (options) decisions++, factor[one_of(options)] *= 2;
                break;
            }
            case GAMBLE:
                gained = deal(6) + 2;
                if (gained > 5) {
                    gained = 0, ringmaster--;
                    if (is_over(players, ringmaster)) goto ended;
                }
                break;
            case NINE: decisions++, steps = 1 + draw(9); break;
            case STOCK:
                take(me, 2, 1);
                if (!left_over[2]) {
                    pay_tickets(players);
                    if (is_over(players, ringmaster)) goto ended;
                }
                break;
            case TRAIN: gained = train * factor[d], train = train == 5 ? 0 : train + 1; break;
            default: break;
            }
            if (gained && (me->score += gained) >= ringmaster) goto ended;
            if (!steps) continue;
            /* A monkey runs, and the space it reaches may be used */
            unsigned runners = 1 | (me->monkey[1] != me->monkey[0]) << 1;
            runners |= (unsigned)(me->monkey[2] != me->monkey[0] && me->monkey[2] != me->monkey[1]) << 2;
            int runner = one_of(runners), goal = me->monkey[runner] + steps;
            if (goal >= SPACES) goal -= SPACES;
            decisions++, me->monkey[runner] = (uint8_t)goal;
            int wanted = track[goal], first = 6 * d, old = -1;
            if (wanted == START) {
                int amount = me->goods[1] < 4 ? me->goods[1] : 4, sold;
                if (!amount) continue;
                sold = 1 + draw(amount + 1), decisions++;
                if (sold > amount) continue;
                me->goods[1] -= sold, left_over[1] += sold, me->score += PRICES[sold];
                if (me->score >= ringmaster) goto ended;
                continue;
            }
            if (wanted == PLUS) {
                int options[6], count = 0;
                for (int x = first; x < first + 6; x++)
                    if (me->side[x] >= PLUS && me->side[x] < PLUS + 4 && supply[me->side[x] + 1]) options[count++] = x;
                if (count) {
                    int n = draw(count + 1);
                    decisions++;
                    if (n < count) old = options[n], wanted = me->side[old] + 1;
                }
            }
            if (old < 0 && supply[wanted]) {
                int options[6], count = 0;
                for (int x = first; x < first + 6; x++)
                    if (me->side[x] != BONES) options[count++] = x;
                int n = draw(count + 1);
                decisions++;
                if (n < count) old = options[n];
            }
            if (old < 0) continue;
            if (me->side[old] >= PLUS) supply[me->side[old]]++;
            supply[wanted]--, me->side[old] = (uint8_t)wanted, me->aim[old] = NOWHERE;
            if (wanted == ARROW) {
                int at = old - first, opposite = 5 - at;
                decisions++, me->aim[old] = (uint8_t)(first + one_of(63u & ~(1u << at) & ~(1u << opposite)));
            }
        }
    }
ended:;
    int best = -1;
    *winners = 0;
    for (int p = 0; p < players; p++) {
        points[p] = table[p].score;
        int key = 64 * points[p] + table[p].goods[0] + table[p].goods[1] + table[p].goods[2];
        if (key > best) best = key, *winners = 0;
        if (key == best) *winners |= 1u << p;
    }
    return decisions;
}

#include "main.h"
