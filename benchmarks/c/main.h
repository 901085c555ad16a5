/* The command: `game PLAYERS FIRST MATCHES` plays so many matches from a seed on and prints how long that took as JSON;
   with one word more, it prints decisions, winners and points of each match instead. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **words) {
    if (count < 4) return 2;
    int players = atoi(words[1]), first = atoi(words[2]), matches = atoi(words[3]);
    long decisions = 0, sum = 0;
    struct timespec begun, ended;
    prepare();
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (int n = 0; n < matches; n++) {
        int points[8];
        unsigned winners;
        seed_chance((uint32_t)(first + n));
        int made = play(players, points, &winners);
        decisions += made;
        for (int p = 0; p < players; p++) sum += points[p];
        if (count > 4) {
            printf("%d %u", made, winners);
            for (int p = 0; p < players; p++) printf(" %d", points[p]);
            printf("\n");
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (double)(ended.tv_sec - begun.tv_sec) + (double)(ended.tv_nsec - begun.tv_nsec) * 1e-9;
    if (count == 4)
        printf("{\"seconds\": %.9f, \"games\": %d, \"decisions\": %ld, \"points\": %ld}\n", seconds, matches, decisions, sum);
    return 0;
}
