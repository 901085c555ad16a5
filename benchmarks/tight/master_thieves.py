"""Master Thieves in tight Python: a number of players and a seed in, points, decisions and winners out.

The same rules as `games/master_thieves`. Stones are counted, not moved: a compartment holds so many diamonds and so many
sapphires. A drawer has a number, even for a long one, and twice that number plus the side is one of its compartments.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from random import Random

SMUGGLER, JEWELER, GEMOLOGIST, THIEF, MASTER_THIEF, DETECTIVE = range(6)


def tumbled(ring: list[int], levels: int, clockwise: bool, over: bool) -> list[int]:
    """The places of the drawers after upper levels have turned, and then the whole box over."""
    for base in range(0, 4 * levels, 4):
        a, b, c, d = ring[base : base + 4]
        ring[base : base + 4] = (d, a, b, c) if clockwise else (b, c, d, a)
    if over:
        ring = ring[8:] + ring[4:8] + ring[:4]
        for base in (1, 5, 9):
            ring[base], ring[base + 2] = ring[base + 2], ring[base]
    return ring


def share_out(
    red_diamonds: int,
    red_sapphires: int,
    sharers: list[int],
    diamonds: list[int],
    sapphires: list[int],
    random: Callable[[], float],
) -> int:
    """Give the stones of the red cushion to the sharers by turns, as they choose; how many choices that took."""
    count = red_diamonds + red_sapphires
    for n in range(count):
        p = sharers[n % len(sharers)]
        if red_diamonds and (not red_sapphires or random() < 0.5):
            red_diamonds -= 1
            diamonds[p] += 1
        else:
            red_sapphires -= 1
            sapphires[p] += 1
    return count


def play(players: int, seed: int) -> tuple[list[int], int, list[int]]:
    """Play one match at random: points by seat, the number of decisions, who has won."""
    random = Random(seed).random
    everybody = range(players)
    decisions = 0
    ring = list(range(12))  # the drawer at each place: three levels from the top, four faces clockwise
    up = 0
    diamonds, sapphires = [0] * 24, [0] * 24  # in the front compartments
    alarm = [-1] * 24
    rear = [0] * 24  # rubies in the rear compartments
    for d in (0, 4, 8):
        rear[2 * d] = 1
    ring, up = tumbled(ring, 0, False, True), 1
    for d in (2, 6, 10):
        rear[2 * d + 1] = 1
    white_diamonds, white_sapphires = [8] * players, [2] * players
    black_diamonds, black_sapphires, rubies = [0] * players, [0] * players, [0] * players
    red_diamonds = red_sapphires = 0
    has_alarm = [True] * players
    hand: list[list[int]] = [[] for _ in everybody]  # a card is eight times its role and its number
    used: list[list[int]] = [[] for _ in everybody]
    for role in range(6):
        cards = list(range(8 * role, 8 * role + players))
        for i in range(players - 1, 0, -1):
            j = int(random() * (i + 1))
            cards[i], cards[j] = cards[j], cards[i]
        for p in everybody:
            hand[p].append(cards[p])
    # Diamonds are hidden
    random()  # who begins: all hide in the same way, so nothing comes of it
    for n in everybody:
        opened = set()
        for _ in range(n, 12, players):
            d = ring[int(random() * 12)]
            if d not in opened:
                opened.add(d)
                red_diamonds += diamonds[2 * d + 1 - up]
                diamonds[2 * d + 1 - up] = 0
            diamonds[2 * d + up] += 1
            decisions += 1
        if n < 12:
            levels = int(random() * 3)
            decisions += 3 if levels else 2
            clockwise = levels > 0 and random() < 0.5
            if random() < 0.5:
                ring, up = tumbled(ring, levels, clockwise, True), 1 - up
            else:
                ring = tumbled(ring, levels, clockwise, False)
    over = False
    while not over:
        # Each chooses a card
        chosen = [hand[p][int(random() * len(hand[p]))] for p in everybody]
        decisions += players
        acting = sorted((chosen[p], p) for p in everybody)
        smugglers = [p for card, p in acting if card < 8 * JEWELER]
        detectives = [p for card, p in acting if card >= 8 * DETECTIVE]
        failed = [False] * players
        shared = len(smugglers) < len(detectives)  # whether smugglers have had, or have no, share
        for card, me in acting:
            role = card >> 3
            if role > SMUGGLER and not shared:
                shared = True
                sharers = [p for p in smugglers if not failed[p]]
                if sharers and (red_diamonds or red_sapphires):
                    decisions += share_out(
                        red_diamonds, red_sapphires, sharers, black_diamonds, black_sapphires, random
                    )
                    red_diamonds = red_sapphires = 0
            if role == DETECTIVE:
                if red_diamonds or red_sapphires:
                    decisions += share_out(
                        red_diamonds, red_sapphires, detectives, black_diamonds, black_sapphires, random
                    )
                    red_diamonds = red_sapphires = 0
                break
            # Open a drawer: what lies below falls out
            decisions += 1
            d = ring[int(random() * 12)]
            upper, lower = 2 * d + up, 2 * d + 1 - up
            fell = diamonds[lower] + sapphires[lower] > 0
            owner = alarm[lower]
            if owner >= 0:
                alarm[lower] = -1
                has_alarm[owner] = True
            if fell:
                failed[me] = role != GEMOLOGIST
                if owner >= 0 and owner != me:
                    black_diamonds[owner] += diamonds[lower]
                    black_sapphires[owner] += sapphires[lower]
                else:
                    red_diamonds += diamonds[lower]
                    red_sapphires += sapphires[lower]
                diamonds[lower] = sapphires[lower] = 0
            if not failed[me]:
                if role <= GEMOLOGIST:
                    if role == SMUGGLER:
                        red_diamonds += diamonds[upper]
                        red_sapphires += sapphires[upper]
                        diamonds[upper] = sapphires[upper] = 0
                    kinds = (white_diamonds[me] > 0) + (white_sapphires[me] > 0)
                    decisions += 1
                    number = int(random() * (kinds + (role == SMUGGLER)))
                    if number < kinds:
                        if number or not white_diamonds[me]:
                            white_sapphires[me] -= 1
                            sapphires[upper] += 1
                        else:
                            white_diamonds[me] -= 1
                            diamonds[upper] += 1
                        if not (white_diamonds[me] or white_sapphires[me]):
                            over = True
                            break
                    if role == JEWELER:
                        if alarm[upper] < 0 and has_alarm[me]:
                            decisions += 1
                            if random() < 0.5:
                                alarm[upper] = me
                                has_alarm[me] = False
                    elif role == GEMOLOGIST and detectives:
                        # Any selection of up to so many of the stones that are left, each as likely
                        decisions += 1
                        left = white_diamonds[me] + white_sapphires[me]
                        sizes = range(min(len(detectives), left) + 1)
                        rank = int(random() * sum(comb(left, size) for size in sizes))
                        for size in sizes:
                            rank -= comb(left, size)
                            if rank < 0:
                                break
                        for _ in range(size):
                            if random() * (white_diamonds[me] + white_sapphires[me]) < white_diamonds[me]:
                                white_diamonds[me] -= 1
                                diamonds[upper] += 1
                            else:
                                white_sapphires[me] -= 1
                                sapphires[upper] += 1
                        if size == left:
                            over = True
                            break
                else:
                    if role == MASTER_THIEF and not d & 1:
                        decisions += 1
                        if random() < 0.5:
                            if rear[lower]:
                                rear[upper] += rear[lower]
                                rear[lower] = 0
                                failed[me] = True
                            else:
                                rubies[me] += rear[upper]
                                rear[upper] = 0
                    if not failed[me]:
                        black_diamonds[me] += diamonds[upper]
                        black_sapphires[me] += sapphires[upper]
                        diamonds[upper] = sapphires[upper] = 0
            # Turn the box
            levels = int(random() * 3)
            decisions += 3 if levels else 2
            clockwise = levels > 0 and random() < 0.5
            if random() < 0.5:
                ring, up = tumbled(ring, levels, clockwise, True), 1 - up
            else:
                ring = tumbled(ring, levels, clockwise, False)
        if over:
            break
        if not shared:
            sharers = [p for p in smugglers if not failed[p]]
            if sharers and (red_diamonds or red_sapphires):
                decisions += share_out(red_diamonds, red_sapphires, sharers, black_diamonds, black_sapphires, random)
                red_diamonds = red_sapphires = 0
        for p in everybody:
            hand[p].remove(chosen[p])
            used[p].append(chosen[p])
        if not hand[0]:
            hand = [used[p - 1] for p in everybody]
            used = [[] for _ in everybody]
    worth = [
        4 * rubies[p] + 2 * (black_sapphires[p] - white_sapphires[p]) + black_diamonds[p] - white_diamonds[p]
        for p in everybody
    ]
    keys = [(worth[p], rubies[p], black_sapphires[p]) for p in everybody]
    best = max(keys)
    return worth, decisions, [p for p in everybody if keys[p] == best]
