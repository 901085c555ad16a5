/* Master Thieves in tight C, by the rules of `games/master_thieves`: stones are counted, not moved.

   A drawer has a number from 0 to 11, even for a long one; twice that number plus the side is one of its compartments. The
   places of the box are three levels from the top, each with four faces clockwise from the north. */
#include <string.h>

#include "chance.h"

enum { SMUGGLER, JEWELER, GEMOLOGIST, THIEF, MASTER_THIEF, DETECTIVE, ROLES, MOST = 8, NOBODY = 255 };

/* Stones on a cushion or in a compartment: diamonds and sapphires, which are all that lies in front. */
struct stones {
    int diamonds, sapphires;
};

static uint8_t ring[12], up;

static void prepare(void) {}

static inline void pour(struct stones *from, struct stones *onto) {
    onto->diamonds += from->diamonds, onto->sapphires += from->sapphires;
    from->diamonds = from->sapphires = 0;
}

static void turn_over(void) {
    uint8_t top[4];
    memcpy(top, ring, 4), memcpy(ring, ring + 8, 4), memcpy(ring + 8, top, 4);
    for (int level = 0; level < 12; level += 4) {
        uint8_t east = ring[level + 1];
        ring[level + 1] = ring[level + 3], ring[level + 3] = east;
    }
    up ^= 1;
}

static int turn_box(void) {
    int levels = draw(3), decisions = 2;
    if (levels) {
        int clockwise = draw(2);
        decisions++;
        for (uint8_t *level = ring; level < ring + 4 * levels; level += 4) {
            uint8_t kept = clockwise ? level[3] : level[0];
            if (clockwise) memmove(level + 1, level, 3), level[0] = kept;
            else memmove(level, level + 1, 3), level[3] = kept;
        }
    }
    if (draw(2)) turn_over();
    return decisions;
}

/* One stone each and round again until the red cushion is empty; how many choices that is. */
static int share_out(struct stones *red, struct stones *black, const uint8_t *sharers, int count) {
    int decisions = 0;
    if (!count) return 0;
    for (int n = 0; red->diamonds || red->sapphires; n = n + 1 < count ? n + 1 : 0, decisions++) {
        int kinds = (red->diamonds > 0) + (red->sapphires > 0), chosen = draw(kinds);
        if (chosen == 0 && red->diamonds) red->diamonds--, black[sharers[n]].diamonds++;
        else red->sapphires--, black[sharers[n]].sapphires++;
    }
    return decisions;
}

static int play(int players, int *points, unsigned *winners) {
    struct stones front[24], white[MOST], black[MOST], red = {0, 0};
    uint8_t alarm[24], rear[24] = {0}, hand[MOST][ROLES], used[MOST][ROLES], rubies[MOST] = {0};
    int held = ROLES, decisions = 0;
    unsigned has_alarm = (1u << players) - 1;
    memset(front, 0, sizeof front), memset(alarm, NOBODY, sizeof alarm), memset(black, 0, sizeof black);
    for (int n = 0; n < 12; n++) ring[n] = (uint8_t)n;
    up = 0, rear[0] = rear[8] = rear[16] = 1;
    turn_over(), rear[5] = rear[13] = rear[21] = 1;
    for (int p = 0; p < players; p++) white[p].diamonds = 8, white[p].sapphires = 2;
    for (int role = 0; role < ROLES; role++) {
        uint8_t cards[MOST];
        for (int p = 0; p < players; p++) cards[p] = (uint8_t)(8 * role + p);
        shuffle(cards, players);
        for (int p = 0; p < players; p++) hand[p][role] = cards[p];
    }
    /* Diamonds are hidden */
    deal(players);
    for (int n = 0; n < players; n++) {
        unsigned opened = 0;
        for (int hidden = n; hidden < 12; hidden += players) {
            int d = ring[draw(12)];
            if (!(opened >> d & 1)) opened |= 1u << d, pour(&front[2 * d + !up], &red);
            front[2 * d + up].diamonds++, decisions++;
        }
        if (n < 12) decisions += turn_box();
    }
    for (;;) {
        /* Each chooses a card; roles act in their order, and within a role in the order of their numbers */
        uint8_t actor[8 * ROLES], place[MOST], sharers[MOST];
        uint64_t chosen = 0;
        unsigned failed = 0;
        for (int p = 0; p < players; p++) {
            place[p] = (uint8_t)draw(held);
            int card = hand[p][place[p]];
            chosen |= 1ull << card, actor[card] = (uint8_t)p;
        }
        decisions += players;
        int smugglers = __builtin_popcountll(chosen & 255), detectives = __builtin_popcountll(chosen >> 8 * DETECTIVE);
        int shared = smugglers < detectives, stopped = 0;
        uint64_t of_smugglers = chosen & 255;
        for (uint64_t rest = chosen; !stopped; rest &= rest - 1) {
            int role = rest ? __builtin_ctzll(rest) >> 3 : DETECTIVE;
            if (role != SMUGGLER && !shared) {
                int count = 0;
                shared = 1;
                for (uint64_t s = of_smugglers; s; s &= s - 1) {
                    int p = actor[__builtin_ctzll(s)];
                    if (!(failed >> p & 1)) sharers[count++] = (uint8_t)p;
                }
                decisions += share_out(&red, black, sharers, count);
            }
            if (!rest) break;
            if (role == DETECTIVE) {
                int count = 0;
                for (; rest; rest &= rest - 1) sharers[count++] = actor[__builtin_ctzll(rest)];
                decisions += share_out(&red, black, sharers, count);
                break;
            }
            /* Open a drawer: what lies below falls out */
            int me = actor[__builtin_ctzll(rest)], d = ring[draw(12)], owner = alarm[2 * d + !up];
            struct stones *upper = &front[2 * d + up], *lower = &front[2 * d + !up];
            int failing = 0;
            decisions++;
            if (owner != NOBODY) alarm[2 * d + !up] = NOBODY, has_alarm |= 1u << owner;
            if (lower->diamonds || lower->sapphires) {
                failing = role != GEMOLOGIST;
                pour(lower, owner != NOBODY && owner != me ? &black[owner] : &red);
            }
            if (!failing && role <= GEMOLOGIST) {
                struct stones *mine = &white[me];
                if (role == SMUGGLER) pour(upper, &red);
                int kinds = (mine->diamonds > 0) + (mine->sapphires > 0), n = draw(kinds + (role == SMUGGLER));
                decisions++;
                if (n < kinds) {
                    if (n == 0 && mine->diamonds) mine->diamonds--, upper->diamonds++;
                    else mine->sapphires--, upper->sapphires++;
                }
                int left = mine->diamonds + mine->sapphires;
                stopped = !left;
                if (role == JEWELER && left && alarm[2 * d + up] == NOBODY && has_alarm >> me & 1) {
                    decisions++;
                    if (draw(2)) alarm[2 * d + up] = (uint8_t)me, has_alarm &= ~(1u << me);
                } else if (role == GEMOLOGIST && left && detectives) {
                    /* Any selection of up to so many of the stones that are left, each as likely */
                    int most = detectives < left ? detectives : left, size = 0, ways = 0, of_size = 1, sums[MOST + 1];
                    for (int k = 0; k <= most; of_size = of_size * (left - k) / (k + 1), k++) sums[k] = ways += of_size;
                    int rank = draw(ways);
                    while (rank >= sums[size]) size++;
                    decisions++, stopped = size == left;
                    for (int k = 0; k < size; k++)
                        if (draw(left - k) < mine->diamonds) mine->diamonds--, upper->diamonds++;
                        else mine->sapphires--, upper->sapphires++;
                }
                if (stopped) break;
            } else if (!failing) {
                if (role == MASTER_THIEF && !(d & 1)) {
                    decisions++;
                    if (draw(2)) {
                        uint8_t *high = &rear[2 * d + up], *low = &rear[2 * d + !up];
                        if (*low) *high += *low, *low = 0, failing = 1;
                        else rubies[me] += *high, *high = 0;
                    }
                }
                if (!failing) pour(upper, &black[me]);
            }
            failed |= (unsigned)failing << me;
            decisions += turn_box();
        }
        if (stopped) break;
        held--;
        for (int p = 0; p < players; p++) {
            used[p][held] = hand[p][place[p]];
            hand[p][place[p]] = hand[p][held];
        }
        if (!held) {
            for (int p = 0; p < players; p++) memcpy(hand[(p + 1) % players], used[p], ROLES);
            held = ROLES;
        }
    }
    int best = INT32_MIN;
    *winners = 0;
    for (int p = 0; p < players; p++) {
        points[p] = 4 * rubies[p] + 2 * (black[p].sapphires - white[p].sapphires) + black[p].diamonds - white[p].diamonds;
        int key = 4096 * points[p] + 64 * rubies[p] + black[p].sapphires;
        if (key > best) best = key, *winners = 0;
        if (key == best) *winners |= 1u << p;
    }
    return decisions;
}

#include "main.h"
