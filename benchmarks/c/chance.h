/* Chance: two generators for each match, one for what the rules draw and one for the answers, as Houserule has them.

   Mersenne Twister (Matsumoto and Nishimura 1998, MT19937), seeded by an array of words, and numbers from 0 to 1 made of
   53 bits, as Python's random.Random draws them. With -DSPLIT both are one splitmix64 (Steele, Lea and Flood 2014), which
   is seeded in no time; a number below n is then taken by one multiplication. */
#include <stdint.h>
#include <string.h>

#ifdef SPLIT

static uint64_t state;

static inline uint64_t mixed(void) {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void seed_chance(uint32_t seed) { state = seed * 0xD1342543DE82EF95u; }
static inline int deal(int n) { return (int)((mixed() >> 32) * (uint64_t)n >> 32); }
static inline int draw(int n) { return (int)((mixed() >> 32) * (uint64_t)n >> 32); }

#else

enum { WORDS = 624, SHIFT = 397 };

struct twister {
    uint32_t word[WORDS];
    int next;
};

static struct twister dealer, chooser;
static uint32_t unseeded[WORDS]; /* what seeding begins with, the same each time */

static void seed_twister(struct twister *t, const uint32_t *key, int length) {
    uint32_t *w = t->word;
    if (!unseeded[0]) {
        unseeded[0] = 19650218u;
        for (int i = 1; i < WORDS; i++) unseeded[i] = 1812433253u * (unseeded[i - 1] ^ unseeded[i - 1] >> 30) + (uint32_t)i;
    }
    memcpy(w, unseeded, sizeof unseeded);
    int i = 1, j = 0;
    for (int k = WORDS > length ? WORDS : length; k; k--) {
        w[i] = (w[i] ^ (w[i - 1] ^ w[i - 1] >> 30) * 1664525u) + key[j] + (uint32_t)j;
        if (++i == WORDS) w[0] = w[WORDS - 1], i = 1;
        if (++j == length) j = 0;
    }
    for (int k = WORDS - 1; k; k--) {
        w[i] = (w[i] ^ (w[i - 1] ^ w[i - 1] >> 30) * 1566083941u) - (uint32_t)i;
        if (++i == WORDS) w[0] = w[WORDS - 1], i = 1;
    }
    w[0] = 0x80000000u;
    t->next = WORDS;
}

static inline uint32_t twisted(uint32_t high, uint32_t low) {
    uint32_t both = (high & 0x80000000u) | (low & 0x7FFFFFFFu);
    return both >> 1 ^ (-(low & 1u) & 0x9908B0DFu);
}

static void twist(struct twister *t) {
    uint32_t *w = t->word;
    int i = 0;
    for (; i < WORDS - SHIFT; i++) w[i] = w[i + SHIFT] ^ twisted(w[i], w[i + 1]);
    for (; i < WORDS - 1; i++) w[i] = w[i + SHIFT - WORDS] ^ twisted(w[i], w[i + 1]);
    w[i] = w[SHIFT - 1] ^ twisted(w[i], w[0]);
    t->next = 0;
}

static inline uint32_t word_of(struct twister *t) {
    if (t->next == WORDS) twist(t);
    uint32_t y = t->word[t->next++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9D2C5680u;
    y ^= y << 15 & 0xEFC60000u;
    return y ^ y >> 18;
}

static inline double uniform(struct twister *t) {
    uint32_t high = word_of(t) >> 5, low = word_of(t) >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

/* Seeding takes as long for a key of one word as for the long one that Houserule makes of a text with SHA-512. */
static void seed_chance(uint32_t seed) {
    uint32_t answers[] = {seed, 0x616E7377u};
    seed_twister(&dealer, &seed, 1);
    seed_twister(&chooser, answers, 2);
}

static inline int deal(int n) { return (int)(uniform(&dealer) * n); }
static inline int draw(int n) { return (int)(uniform(&chooser) * n); }

#endif

static void shuffle(uint8_t *pile, int count) {
    for (int i = count - 1; i > 0; i--) {
        int j = deal(i + 1);
        uint8_t kept = pile[i];
        pile[i] = pile[j], pile[j] = kept;
    }
}

/* One of the bits that are set, each as likely: its number. */
static inline int one_of(uint64_t bits) {
    for (int n = draw(__builtin_popcountll(bits)); n; n--) bits &= bits - 1;
    return __builtin_ctzll(bits);
}
