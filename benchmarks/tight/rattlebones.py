"""Rattlebones in tight Python: a number of players and a seed in, points, decisions and winners out.

The same rules as `games/rattlebones`. A side of a die is the number of its symbol, a die six places in one list of all sides.
"""

from __future__ import annotations

from random import Random

# Symbols 1 to 5 are the numbers 2 to 6, and 6 to 10 are +1 to +5.
BONES, PLUS, GOLD, STAR, THIEF, ARROW, RANKING, DOUBLE, GAMBLE, NINE, AGAIN, STOCK, TRAIN = 0, 6, *range(11, 22)
PRINTED = (-1, GOLD, PLUS, STAR, PLUS, TRAIN, PLUS)
TILES = (NINE, THIEF, ARROW, RANKING, STOCK, GOLD, AGAIN, STAR, TRAIN, PLUS, DOUBLE, GAMBLE)
SUPPLY = [0] * 6 + [5, 4, 3, 2, 1] + [15] * 11
DOUBLED = [PLUS <= symbol < THIEF or symbol in (RANKING, TRAIN) for symbol in range(22)]
SELECTIONS = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
SO_MANY = (0, 3, 6, 7)
"""How many selections there are of up to one, two or three dice."""
STAR_PRICES = (0, 3, 7, 11, 15)
GAMBLED = (2, 3, 4, 5, 0, 0)


def play(players: int, seed: int) -> tuple[list[int], int, list[int]]:
    """Play one match at random: points by seat, the number of decisions, who has won."""
    random = Random(seed).random
    everybody = range(players)
    decisions = 0
    tiles = [*TILES]
    for i in range(11, 0, -1):
        j = int(random() * (i + 1))
        tiles[i], tiles[j] = tiles[j], tiles[i]
    track = [0] * 14
    track[::2], track[1::2] = PRINTED, tiles[:7]
    sides = [0, 1, 2, 3, 4, 5] * (3 * players)  # six places for each die
    aim = [-1] * (18 * players)  # the place in `sides` at which an arrow points
    supply = SUPPLY[:]
    ringmaster = 45 + 5 * players
    train = 0
    score = [0] * players
    gold, stars, tickets = [0] * players, [0] * players, [0] * players
    gold_left, stars_left, tickets_left = 20, 20, 5
    monkeys = [0] * (3 * players)
    up, factor = [-1, -1, -1], [1, 1, 1]
    me = int(random() * players)
    over = False
    while not over:
        # Roll
        decisions += 1
        first = 18 * me
        dice = SELECTIONS[int(random() * SO_MANY[min(3, 1 + gold[me])])]
        gold[me] -= len(dice) - 1
        gold_left += len(dice) - 1
        up[0] = up[1] = up[2] = -1
        factor[0] = factor[1] = factor[2] = 1
        chain = []
        for d in dice:
            side = first + 6 * d + int(random() * 6)
            up[d] = side
            for _ in range(5):
                if aim[side] < 0:
                    break
                side = aim[side]
            if sides[side] == AGAIN:
                chain.append(d)
        spare = [d for d in (0, 1, 2) if up[d] < 0] if chain else []
        while spare:
            decisions += 1
            extra = spare.pop(int(random() * len(spare)))
            chain.append(extra)
            again = False
            for d in chain:
                side = first + 6 * d + int(random() * 6)
                up[d] = side
                for _ in range(5):
                    if aim[side] < 0:
                        break
                    side = aim[side]
                if sides[side] == AGAIN:
                    again = True
            if not again:
                break
        # Resolve the dice one after another
        waiting = [d for d in (0, 1, 2) if up[d] >= 0]
        while waiting:
            if len(waiting) > 1:
                decisions += 1
                d = waiting.pop(int(random() * len(waiting)))
            else:
                d = waiting.pop()
            side = up[d]
            for _ in range(5):
                if aim[side] < 0:
                    break
                side = aim[side]
            symbol = sides[side]
            steps = gained = 0
            if symbol < PLUS:
                steps = symbol + 1
                if symbol == BONES:
                    ringmaster -= 1
                    if max(score) >= ringmaster:
                        over = True
                        break
            elif symbol < GOLD:
                gained = (symbol - 5) * factor[d]
            elif symbol == GOLD:
                amount = min(factor[d], gold_left)
                gold[me] += amount
                gold_left -= amount
            elif symbol == STAR:
                amount = min(factor[d], stars_left)
                stars[me] += amount
                stars_left -= amount
            elif symbol == THIEF:
                for n in range(1, players):
                    p = (me + n) % players
                    held = [goods for goods in (gold, stars, tickets) if goods[p]]
                    if held:
                        decisions += 1
                        goods = held[int(random() * len(held))]
                        goods[p] -= 1
                        goods[me] += 1
            elif symbol == RANKING:
                mine = score[me]
                gained = factor[d]
                for other in score:
                    if other > mine:
                        gained += factor[d]
            elif symbol == DOUBLE:
                options = []
                for x in waiting:
                    side = up[x]
                    for _ in range(5):
                        if aim[side] < 0:
                            break
                        side = aim[side]
                    if DOUBLED[sides[side]]:
                        options.append(x)
                if options:
                    decisions += 1
                    factor[options[int(random() * len(options))]] *= 2
            elif symbol == GAMBLE:
                gained = GAMBLED[int(random() * 6)]
                if not gained:
                    ringmaster -= 1
                    if max(score) >= ringmaster:
                        over = True
                        break
            elif symbol == NINE:
                decisions += 1
                steps = 1 + int(random() * 9)
            elif symbol == STOCK:
                if tickets_left:
                    tickets[me] += 1
                    tickets_left -= 1
                if not tickets_left:
                    most = max(tickets)
                    leaders = [p for p in everybody if tickets[p] == most]
                    next_most = max((n for n in tickets if n < most), default=0)
                    seconds = [p for p in everybody if next_most and tickets[p] == next_most]
                    if not seconds:
                        score[leaders[0]] += 15
                    elif len(leaders) == 1:
                        score[leaders[0]] += 10
                        for p in seconds:
                            score[p] += 5 // len(seconds)
                    else:
                        for p in leaders:
                            score[p] += 7
                        score[seconds[0]] += 2
                    tickets = [0] * players
                    tickets_left = 5
                    if max(score) >= ringmaster:
                        over = True
                        break
            elif symbol == TRAIN:
                gained = train * factor[d]
                train = (train + 1) % 6
            if gained:
                score[me] += gained
                if score[me] >= ringmaster:
                    over = True
                    break
            if not steps:
                continue
            # A monkey runs, and the space it reaches may be used
            decisions += 1
            a, b, c = monkeys[3 * me : 3 * me + 3]
            places = [0, 1, 2]
            if b == a:
                places.remove(1)
            if c in (a, b):
                places.remove(2)
            runner = 3 * me + places[int(random() * len(places))]
            goal = (monkeys[runner] + steps) % 14
            monkeys[runner] = goal
            wanted = track[goal]
            if wanted < 0:
                amount = min(4, stars[me])
                if amount:
                    decisions += 1
                    sold = 1 + int(random() * (amount + 1))
                    if sold <= amount:
                        stars[me] -= sold
                        stars_left += sold
                        score[me] += STAR_PRICES[sold]
                        if score[me] >= ringmaster:
                            over = True
                            break
                continue
            at = first + 6 * d
            old = -1
            if wanted == PLUS:
                options = [x for x in range(at, at + 6) if PLUS <= sides[x] < GOLD - 1 and supply[sides[x] + 1]]
                if options:
                    decisions += 1
                    number = int(random() * (len(options) + 1))
                    if number < len(options):
                        old = options[number]
                        wanted = sides[old] + 1
            if old < 0 and supply[wanted]:
                options = [x for x in range(at, at + 6) if sides[x]]
                decisions += 1
                number = int(random() * (len(options) + 1))
                if number < len(options):
                    old = options[number]
            if old >= 0:
                if sides[old] >= PLUS:
                    supply[sides[old]] += 1
                supply[wanted] -= 1
                sides[old] = wanted
                aim[old] = -1
                if wanted == ARROW:
                    decisions += 1
                    mirrored = 2 * at + 5 - old
                    options = [x for x in range(at, at + 6) if x not in (old, mirrored)]
                    aim[old] = options[int(random() * 4)]
        me = (me + 1) % players
    keys = [(score[p], gold[p] + stars[p] + tickets[p]) for p in everybody]
    best = max(keys)
    return score, decisions, [p for p in everybody if keys[p] == best]
