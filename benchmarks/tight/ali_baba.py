"""Ali Baba in tight Python: a number of players and a seed in, points, decisions and winners out.

The same rules as `games/ali_baba`. A place is a number from 0 to 53 from the bottom up, a tile ten treasures by six colours.
"""

from __future__ import annotations

from random import Random

SQUARES = [(layer, x, y) for layer in range(4) for x in range(5 - layer) for y in range(5 - layer)]
NUMBER = {square: place for place, square in enumerate(SQUARES)}
BELOW = [
    [NUMBER[layer - 1, x + dx, y + dy] for dx in (0, 1) for dy in (0, 1)] if layer else [] for layer, x, y in SQUARES
]
ABOVE = [[above for above in range(54) if place in BELOW[above]] for place in range(54)]
BESIDE = [
    [
        NUMBER[layer, x + dx, y + dy]
        for dx, dy in ((-1, 0), (0, -1), (0, 1), (1, 0))
        if (layer, x + dx, y + dy) in NUMBER
    ]
    for layer, x, y in SQUARES
]
BOTTOM = 25
PINK, BLUE, BROWN, GREEN, YELLOW, WHITE = range(6)
GROUPS = (0, 1, 3, 6, 10, 15, 21)


def play(players: int, seed: int) -> tuple[list[int], int, list[int]]:
    """Play one match at random: points by seat, the number of decisions, who has won."""
    random = Random(seed).random
    everybody = range(players)
    decisions = 0
    tile = list(range(60))
    for i in range(59, 0, -1):
        j = int(random() * (i + 1))
        tile[i], tile[j] = tile[j], tile[i]
    lies = [True] * 54
    left = 54
    higher = 54 - BOTTOM  # tiles above the bottom
    opened = [50, 51, 52, 53]  # places whose tile lies face up
    starter = int(random() * players)
    order = [(starter + n) % players for n in everybody]
    score = [0] * players
    stash: list[list[int]] = [[] for _ in everybody]
    group = [0] * (10 * players)  # tiles by player and treasure
    bans = [-1] * players  # treasures are 0 to 9, colours 10 to 15
    last = False
    while left:
        if not higher:
            if last:
                break
            last = True
        for me in order:
            bans[me] = -1
            banned = [ban for ban in bans if ban >= 0]
            options = opened
            if banned:
                allowed = [s for s in opened if tile[s] // 6 not in banned and 10 + tile[s] % 6 not in banned]
                options = allowed or opened
            decisions += 1
            place = options[int(random() * len(options))]
            opened.remove(place)
            lies[place] = False
            left -= 1
            treasure, colour = divmod(tile[place], 6)
            stash[me].append(tile[place])
            group[10 * me + treasure] += 1
            turned = 0
            if place >= BOTTOM:
                higher -= 1
                for s in BELOW[place]:
                    for above in ABOVE[s]:
                        if lies[above]:
                            break
                    else:
                        opened.append(s)
                        turned += 1
            if colour <= BROWN:
                points = (
                    5
                    if colour == PINK
                    else 2 * group[10 * me + treasure]
                    if colour == BROWN
                    else 2 * (turned if place >= BOTTOM else 1)
                )
                if points:
                    decisions += 1
                    if random() < 0.5:
                        score[me] += points
            elif colour == GREEN:
                options = [
                    s
                    for s in BESIDE[place]
                    if s in opened and tile[s] // 6 not in banned and 10 + tile[s] % 6 not in banned
                ]
                if options:
                    decisions += 1
                    number = int(random() * (len(options) + 1))
                    if number < len(options):
                        extra = options[number]
                        opened.remove(extra)
                        lies[extra] = False
                        left -= 1
                        stash[me].append(tile[extra])
                        group[10 * me + tile[extra] // 6] += 1
                        if extra >= BOTTOM:
                            higher -= 1
                            for s in BELOW[extra]:
                                for above in ABOVE[s]:
                                    if lies[above]:
                                        break
                                else:
                                    opened.append(s)
            elif colour == YELLOW:
                victims = [q for q in everybody if q != me and stash[q]]
                if victims:
                    decisions += 1
                    if random() < 0.5:
                        shown = [stash[q][int(random() * len(stash[q]))] for q in victims]
                        number = int(random() * len(shown))
                        decisions += len(shown) + 1
                        prize, victim = shown[number], victims[number]
                        stash[victim].remove(prize)
                        stash[me].append(prize)
                        group[10 * victim + prize // 6] -= 1
                        group[10 * me + prize // 6] += 1
            else:
                decisions += 1
                number = int(random() * 3)
                if number < 2:
                    decisions += 1
                    bans[me] = int(random() * 10) if number == 0 else 10 + int(random() * 6)
            if not left:
                break
    points_of = [score[p] + sum(GROUPS[n] for n in group[10 * p : 10 * p + 10]) for p in everybody]
    keys = [(points_of[p], -len(stash[p])) for p in everybody]
    most = max(keys)
    return points_of, decisions, [p for p in everybody if keys[p] == most]
