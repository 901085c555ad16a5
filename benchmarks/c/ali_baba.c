/* Ali Baba in tight C, by the rules of `games/ali_baba`: the 54 places of the cave are the bits of a mask, from the bottom up.

   A tile is a number, six times its treasure and its colour; what a player has is a mask of the sixty tiles. */
#include "chance.h"

enum { PLACES = 54, BOTTOM = 25, TREASURES = 10, COLOURS = 6, PINK = 0, BLUE, BROWN, GREEN, YELLOW, WHITE };

static const int GROUPS[] = {0, 1, 3, 6, 10, 15, 21};
static uint64_t below[PLACES], above[PLACES], beside[PLACES];

static void prepare(void) {
    int number[4][5][5], n = 0;
    for (int l = 0; l < 4; l++)
        for (int x = 0; x < 5 - l; x++)
            for (int y = 0; y < 5 - l; y++) number[l][x][y] = n++;
    for (int l = 0; l < 4; l++)
        for (int x = 0; x < 5 - l; x++)
            for (int y = 0; y < 5 - l; y++) {
                int here = number[l][x][y];
                if (x) beside[here] |= 1ull << number[l][x - 1][y];
                if (y) beside[here] |= 1ull << number[l][x][y - 1];
                if (x < 4 - l) beside[here] |= 1ull << number[l][x + 1][y];
                if (y < 4 - l) beside[here] |= 1ull << number[l][x][y + 1];
                for (int k = 0; l && k < 4; k++) {
                    int under = number[l - 1][x + k / 2][y + k % 2];
                    below[here] |= 1ull << under, above[under] |= 1ull << here;
                }
            }
}

/* Turn the tiles under a place face up on which nothing lies any more; how many these are. */
static inline int uncover(uint64_t lies, uint64_t *opened, int place) {
    int turned = 0;
    for (uint64_t rest = below[place]; rest; rest &= rest - 1) {
        int under = __builtin_ctzll(rest);
        if (!(lies & above[under])) *opened |= 1ull << under, turned++;
    }
    return turned;
}

static int play(int players, int *points, unsigned *winners) {
    uint8_t tile[60], group[4][TREASURES] = {{0}};
    uint64_t of_treasure[TREASURES] = {0}, of_colour[COLOURS] = {0}, banned[4] = {0}, stash[4] = {0};
    uint64_t lies = (1ull << PLACES) - 1, opened = 0xFull << 50, higher = lies & ~((1ull << BOTTOM) - 1);
    int score[4] = {0}, decisions = 0, last = 0;
    for (int n = 0; n < 60; n++) tile[n] = (uint8_t)n;
    shuffle(tile, 60);
    for (int s = 0; s < PLACES; s++) of_treasure[tile[s] / 6] |= 1ull << s, of_colour[tile[s] % 6] |= 1ull << s;
    int starter = deal(players);
    while (lies) {
        if (!(lies & higher)) {
            if (last) break;
            last = 1;
        }
        for (int turn = 0; turn < players && lies; turn++) {
            int me = starter + turn < players ? starter + turn : starter + turn - players;
            uint64_t bans = 0;
            banned[me] = 0;
            for (int p = 0; p < players; p++) bans |= banned[p];
            int place = one_of(opened & ~bans ? opened & ~bans : opened);
            int treasure = tile[place] / 6, colour = tile[place] % 6;
            decisions++, lies &= ~(1ull << place), opened &= ~(1ull << place);
            stash[me] |= 1ull << tile[place], group[me][treasure]++;
            int turned = uncover(lies, &opened, place);
            if (colour <= BROWN) {
                int worth = colour == PINK ? 5 : colour == BROWN ? 2 * group[me][treasure] : place < BOTTOM ? 2 : 2 * turned;
                if (worth) {
                    decisions++;
                    if (draw(2)) score[me] += worth;
                }
            } else if (colour == GREEN) {
                uint64_t options = beside[place] & opened & ~bans;
                if (options) {
                    int count = __builtin_popcountll(options), n = draw(count + 1);
                    decisions++;
                    if (n < count) {
                        while (n--) options &= options - 1;
                        int extra = __builtin_ctzll(options);
                        lies &= ~(1ull << extra), opened &= ~(1ull << extra);
                        stash[me] |= 1ull << tile[extra], group[me][tile[extra] / 6]++;
                        uncover(lies, &opened, extra);
                    }
                }
            } else if (colour == YELLOW) {
                int victims[3], count = 0;
                for (int p = 0; p < players; p++)
                    if (p != me && stash[p]) victims[count++] = p;
                if (!count) continue;
                decisions++;
                if (draw(2)) {
                    int shown[3];
                    for (int n = 0; n < count; n++) shown[n] = one_of(stash[victims[n]]);
                    int n = draw(count), prize = shown[n], victim = victims[n];
                    decisions += count + 1;
                    stash[victim] &= ~(1ull << prize), stash[me] |= 1ull << prize;
                    group[victim][prize / 6]--, group[me][prize / 6]++;
                }
            } else {
                int n = draw(3);
                decisions += n < 2 ? 2 : 1;
                if (n < 2) banned[me] = n ? of_colour[draw(COLOURS)] : of_treasure[draw(TREASURES)];
            }
        }
    }
    int best = -1;
    *winners = 0;
    for (int p = 0; p < players; p++) {
        points[p] = score[p];
        for (int t = 0; t < TREASURES; t++) points[p] += GROUPS[group[p][t]];
        /* Among those who are even, whoever has fewest tiles wins. */
        int key = 64 * points[p] + 63 - __builtin_popcountll(stash[p]);
        if (key > best) best = key, *winners = 0;
        if (key == best) *winners |= 1u << p;
    }
    return decisions;
}

#include "main.h"
