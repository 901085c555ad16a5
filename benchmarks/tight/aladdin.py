"""Aladdin & the Magic Lamp in tight Python: a number of players and a seed in, points, decisions and winners out.

The same rules as `games/aladdin`. A card is a number that says what is printed on it; copies that are printed alike are the
same number, as they are one option in the rule files.
"""

from __future__ import annotations

from random import Random

FIRST_ORNAMENT, FIRST_TALISMAN, SORCERER = 32, 50, 53

STONE: list[int] = []
"""The stone of each gem, by its number."""
SCORPIONS: list[int] = []
CHESTS: list[list[int]] = [[], [], []]
"""What lies in each chest, the Sorcerer not among it."""
START: list[int] = []

for metal, marks in enumerate(((0, 0, 0, 1), (0, 0, 1, 1), (0, 0, 1, 2))):
    for stone in range(4):
        for mark in sorted(set(marks)):
            CHESTS[metal] += [len(STONE)] * marks.count(mark)
            STONE.append(stone)
            SCORPIONS.append(mark)
for stone in range(4):
    START += [len(STONE)] * 2
    STONE.append(stone)
    SCORPIONS.append(0)
for metal in range(3):
    CHESTS[metal] += [FIRST_ORNAMENT + 6 * metal + kind for kind in range(6)]
    SCORPIONS += [0, 2] * 3
for metal in range(3):
    CHESTS[metal] += [FIRST_TALISMAN + metal] * 3
SCORPIONS += [2, 2, 2, 0]

(TOP, STEAL_GEM, STEAL_ORNAMENT, SWAP_GEM, SWAP_ORNAMENT, SALVAGE, DIE_UP, DIE_DOWN, DIE_MOVE, WARD, PEEK, GIVE, TOLL) = range(2, 15)  # fmt: skip
LAMP = [0, 0, 1, 1, TOP, TOP] + [STEAL_GEM] * 3 + [STEAL_ORNAMENT, SWAP_GEM, SWAP_ORNAMENT, SALVAGE, WARD] * 2 + [
    DIE_UP, DIE_DOWN, DIE_MOVE, PEEK, GIVE, TOLL,
]  # fmt: skip
"""The lamp cards; up to `TOP` they draw from the chest of that number."""


def loose(ornaments: list[int], jewels: list[int], base: int) -> list[int]:
    """The ornaments outside complete sets: as many complete sets as possible are protected."""
    found = []
    for card in set(ornaments):
        jewel = (card - FIRST_ORNAMENT) // 2
        row = base + jewel // 3 * 3
        if jewels[base + jewel] > min(jewels[row], jewels[row + 1], jewels[row + 2]):
            found.append(card)
    return found


def play(players: int, seed: int) -> tuple[list[int], int, list[int]]:
    """Play one match at random: points by seat, the number of decisions, who has won."""
    random = Random(seed).random
    everybody = range(players)
    decisions = 0
    lamp, lamp_at, start = LAMP[:], 0, START[:]
    chests = [cards[:] for cards in CHESTS]
    for pile in (lamp, *chests, start):
        for i in range(len(pile) - 1, 0, -1):
            j = int(random() * (i + 1))
            pile[i], pile[j] = pile[j], pile[i]
    for chest in chests:
        chest.insert(5, SORCERER)
    gems: list[list[int]] = [[] for _ in everybody]
    ornaments: list[list[int]] = [[] for _ in everybody]
    stones = [0] * (4 * players)  # gems by player and stone
    laid = [0] * (4 * players)  # talismans that lie on them
    lone = [0] * players  # talismans that lie alone
    fresh = [0] * players  # talismans that are to be placed
    jewels = [0] * (9 * players)  # ornaments by player, metal and jewel
    for p in everybody:
        for _ in range(2 if players == 2 else 1):
            card = start.pop()
            gems[p].append(card)
            stones[4 * p + STONE[card]] += 1
    discard = start  # gems and ornaments alone: nothing asks for the others
    closed = False
    while not closed:
        # Choose a chest
        die = [0] * (3 * players)
        ward = [0] * players
        shown: list[list[int]] = [[], [], [], [], [], [], []]
        for p in everybody:
            slot = int(random() * 3)
            pips = 1 + int(random() * 6)
            die[3 * p + slot] = pips
            shown[pips].append(p)
            decisions += 2
            if players == 2:
                second = (slot + 1 + int(random() * 2)) % 3
                other = 1 + int(random() * 6)
                die[3 * p + second] = other
                if other != pips:
                    shown[other].append(p)
                decisions += 2
        # Call the Genie: each player who must touch the lamp is a decision
        callers: list[int] = []
        entitled: set[int] = set()
        for showing in shown:
            if len(showing) > 1:
                entitled.update(showing)
                first = [p for p in showing if p not in callers]
                callers.append(first[int(random() * len(first))])
        decisions += len(entitled)
        for p in callers:
            for attempt in (1, 2, 3):
                wish = lamp[lamp_at]
                lamp_at = (lamp_at + 1) % 25
                if attempt < 3:
                    decisions += 1
                    if random() >= 0.5:
                        continue
                break
            if wish <= TOP:
                if chests[wish]:
                    card = chests[wish].pop()
                    if card < FIRST_ORNAMENT:
                        gems[p].append(card)
                        stones[4 * p + STONE[card]] += 1
                    elif card < FIRST_TALISMAN:
                        ornaments[p].append(card)
                        jewels[9 * p + (card - FIRST_ORNAMENT) // 2] += 1
                    elif card == SORCERER:
                        closed = True
                        break
                    else:
                        options = [s for s in range(4) if stones[4 * p + s]]
                        if options:
                            decisions += 1
                            laid[4 * p + options[int(random() * len(options))]] += 1
                        else:
                            lone[p] += 1
            elif wish == STEAL_GEM:
                options = [q for q in everybody if q != p and gems[q]]
                if options:
                    decisions += 2
                    q = options[int(random() * len(options))]
                    options = list(set(gems[q]))
                    card = options[int(random() * len(options))]
                    gems[q].remove(card)
                    gems[p].append(card)
                    stone = STONE[card]
                    stones[4 * p + stone] += 1
                    stones[4 * q + stone] -= 1
                    if not stones[4 * q + stone]:
                        lone[q] += laid[4 * q + stone]
                        laid[4 * q + stone] = 0
            elif wish == STEAL_ORNAMENT:
                choices = [(q, cards) for q in everybody if q != p and (cards := loose(ornaments[q], jewels, 9 * q))]
                if choices:
                    decisions += 2
                    q, options = choices[int(random() * len(choices))]
                    card = options[int(random() * len(options))]
                    ornaments[q].remove(card)
                    ornaments[p].append(card)
                    jewels[9 * q + (card - FIRST_ORNAMENT) // 2] -= 1
                    jewels[9 * p + (card - FIRST_ORNAMENT) // 2] += 1
            elif wish == SWAP_GEM:
                options = [q for q in everybody if q != p and gems[q]] if gems[p] else []
                if options:
                    decisions += 3
                    q = options[int(random() * len(options))]
                    options = list(set(gems[q]))
                    wanted = options[int(random() * len(options))]
                    options = list(set(gems[p]))
                    offered = options[int(random() * len(options))]
                    gems[q].remove(wanted)
                    gems[p].remove(offered)
                    gems[q].append(offered)
                    gems[p].append(wanted)
                    for r, gone, come in ((p, STONE[offered], STONE[wanted]), (q, STONE[wanted], STONE[offered])):
                        stones[4 * r + come] += 1
                        stones[4 * r + gone] -= 1
                        if not stones[4 * r + gone]:
                            lone[r] += laid[4 * r + gone]
                            laid[4 * r + gone] = 0
            elif wish == SWAP_ORNAMENT:
                mine = loose(ornaments[p], jewels, 9 * p)
                if mine:
                    choices = [
                        (q, cards) for q in everybody if q != p and (cards := loose(ornaments[q], jewels, 9 * q))
                    ]
                    if choices:
                        decisions += 3
                        q, options = choices[int(random() * len(choices))]
                        wanted = options[int(random() * len(options))]
                        offered = mine[int(random() * len(mine))]
                        ornaments[q].remove(wanted)
                        ornaments[p].remove(offered)
                        ornaments[q].append(offered)
                        ornaments[p].append(wanted)
                        jewels[9 * q + (wanted - FIRST_ORNAMENT) // 2] -= 1
                        jewels[9 * p + (wanted - FIRST_ORNAMENT) // 2] += 1
                        jewels[9 * p + (offered - FIRST_ORNAMENT) // 2] -= 1
                        jewels[9 * q + (offered - FIRST_ORNAMENT) // 2] += 1
            elif wish == SALVAGE:
                if discard:
                    decisions += 1
                    options = list(set(discard))
                    card = options[int(random() * len(options))]
                    discard.remove(card)
                    if card < FIRST_ORNAMENT:
                        gems[p].append(card)
                        stones[4 * p + STONE[card]] += 1
                    else:
                        ornaments[p].append(card)
                        jewels[9 * p + (card - FIRST_ORNAMENT) // 2] += 1
            elif wish == WARD:
                ward[p] = 2
            elif wish <= DIE_DOWN:
                step = 1 if wish == DIE_UP else -1
                options = [m for m in (3 * p, 3 * p + 1, 3 * p + 2) if die[m] and 1 <= die[m] + step <= 6]
                if options:
                    decisions += 1
                    die[options[int(random() * len(options))]] += step
            elif wish == DIE_MOVE:
                decisions += 2
                options = [m for m in (3 * p, 3 * p + 1, 3 * p + 2) if die[m]]
                source = options[int(random() * len(options))]
                options = [m for m in (3 * p, 3 * p + 1, 3 * p + 2) if not die[m]]
                die[options[int(random() * len(options))]] = die[source]
                die[source] = 0
            elif wish == PEEK:
                decisions += 1
                chest = chests[int(random() * 3)]
                cards = chest[-3:]
                del chest[-3:]
                while len(cards) > 1:
                    decisions += 1
                    options = list(set(cards))
                    card = options[int(random() * len(options))]
                    cards.remove(card)
                    chest.append(card)
                chest += cards
            else:
                options = list(set(gems[p])) + loose(ornaments[p], jewels, 9 * p)
                if options:
                    decisions += 1
                    card = options[int(random() * len(options))]
                    q = -1
                    if wish == GIVE:
                        decisions += 1
                        q = (p + 1 + int(random() * (players - 1))) % players
                    else:
                        discard.append(card)
                    if card < FIRST_ORNAMENT:
                        stone = STONE[card]
                        gems[p].remove(card)
                        stones[4 * p + stone] -= 1
                        if not stones[4 * p + stone]:
                            lone[p] += laid[4 * p + stone]
                            laid[4 * p + stone] = 0
                        if q >= 0:
                            gems[q].append(card)
                            stones[4 * q + stone] += 1
                    else:
                        ornaments[p].remove(card)
                        jewels[9 * p + (card - FIRST_ORNAMENT) // 2] -= 1
                        if q >= 0:
                            ornaments[q].append(card)
                            jewels[9 * q + (card - FIRST_ORNAMENT) // 2] += 1
        if closed:
            break
        # Search the chests: the lowest value that only one player has put on a chest
        searchers = []
        for metal in range(3):
            pledged = die[metal::3]
            alone = [value for value in pledged if value and pledged.count(value) == 1]
            searchers.append(pledged.index(min(alone)) if alone else -1)
        for metal, p in enumerate(searchers):
            if p < 0:
                continue
            chest = chests[metal]
            limit = die[3 * p + metal]
            bearable = limit + ward[p]
            haul: list[int] = []
            scorpions = 0
            while len(haul) < limit and chest:
                decisions += 1
                if random() >= 0.5:
                    break
                card = chest.pop()
                haul.append(card)
                if card == SORCERER:
                    closed = True
                scorpions += SCORPIONS[card]
                if scorpions >= bearable:
                    discard += [card for card in haul if card < FIRST_TALISMAN]
                    haul = []
                    break
            for card in haul:
                if card < FIRST_ORNAMENT:
                    gems[p].append(card)
                    stones[4 * p + STONE[card]] += 1
                elif card < FIRST_TALISMAN:
                    ornaments[p].append(card)
                    jewels[9 * p + (card - FIRST_ORNAMENT) // 2] += 1
                elif card != SORCERER:
                    fresh[p] += 1
            if fresh[p] and p not in searchers[metal + 1 :]:
                options = [s for s in range(4) if stones[4 * p + s]]
                while fresh[p]:
                    fresh[p] -= 1
                    if options:
                        decisions += 1
                        laid[4 * p + options[int(random() * len(options))]] += 1
                    else:
                        lone[p] += 1
    # The score sheet
    points = []
    for p in everybody:
        score = len(gems[p]) + len(ornaments[p]) + lone[p] + fresh[p] + sum(laid[4 * p : 4 * p + 4])
        for metal, bonus in enumerate((6, 8, 10)):
            row = 9 * p + 3 * metal
            score += bonus * min(jewels[row], jewels[row + 1], jewels[row + 2])
        points.append(score)
    for stone in range(4):
        owned = [stones[4 * p + stone] + laid[4 * p + stone] for p in everybody]
        most = max(owned)
        if owned.count(most) == 1:
            points[owned.index(most)] += 5
    most = max(points)
    return points, decisions, [p for p in everybody if points[p] == most]
