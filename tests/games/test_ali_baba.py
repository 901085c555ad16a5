"""Who knows what in Ali Baba: face-down tiles nobody, what lies behind a screen its owner, what all saw happen everybody."""

from __future__ import annotations

from random import Random

import pytest

from houserule import Match
from houserule.trial.unseen import an_answer
from tests.games.every_game import load

GAME = "ali_baba"
OPEN_AT_THE_START = 4


def played(players: int, seed: int) -> Match:
    match, random = load(GAME).start(players, seed), Random(seed)
    while not match.is_over:
        choice, option = an_answer(match, random)
        match.answer(choice.player, option)
    return match


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_everybody_is_told_by_name_which_tile_goes_behind_which_screen(players: int, seed: int) -> None:
    match = played(players, seed)
    taken = [event.text for event in match.events if event.kind == "move" and "screen" in event.text]
    assert len(taken) > 20
    for player in match.players:
        told = [event.text for event in match.events_for(player)]
        assert [text for text in told if "→" in text and "screen" in text] == taken
        assert not any("face-down" in text for text in taken)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_everybody_is_told_what_is_turned_face_up_and_nobody_before(players: int, seed: int) -> None:
    match = played(players, seed)
    tiles = [match.labels.pieces[tile] for tile in match.program.symbols.kinds["tile"].numbers]
    revealed = [event.text for event in match.events_for(0) if event.kind == "light"]
    for player in match.players:
        events = match.events_for(player)
        assert [event.text for event in events if event.kind == "light"] == revealed
        known: set[str] = set()
        for event in events:
            named = {tile for tile in tiles if tile in event.text}
            dealt = event.text.startswith(tuple(named)) and "Box →" in event.text
            if event.kind == "light" or dealt:
                assert not named & known, "a tile comes to light once"
                known |= named
            else:
                assert named <= known, f"{player} was told of a tile that nobody had seen: {event.text}"
        assert len(known) == OPEN_AT_THE_START + len(revealed)


@pytest.mark.parametrize("seed", range(5))
def test_whoever_scores_with_brown_proves_it_to_everybody_else(seed: int) -> None:
    match, random = load(GAME).start(3, seed), Random(seed)
    proved = 0
    while not match.is_over:
        before = len(match.events)
        choice, option = an_answer(match, random)
        match.answer(choice.player, option)
        for number, event in enumerate(match.events[before:], before):
            if event.kind != "show":
                continue
            proved += 1
            tiles = event.text.partition(": ")[2].split(", ")
            taken = next(e.text for e in reversed(match.events[:number]) if e.text.startswith("Brown"))
            treasure = taken.partition(":")[0].removeprefix("Brown ")
            mine = next(z for z in match.view(choice.player).zones if z.name == "stash" and z.owner == choice.player)
            assert sorted(tiles) == sorted(p.label for p in mine.pieces if p.label.split(" ", 1)[1] == treasure)
            assert all(event.text in [told.text for told in match.events_for(p)] for p in match.players)
    assert proved


@pytest.mark.parametrize("seed", range(5))
def test_who_looks_at_the_table_sees_open_tiles_and_their_own(seed: int) -> None:
    match, random = load(GAME).start(3, seed), Random(seed)
    while not match.is_over:
        free = match.view(match.players[0])
        open_to_all = {zone.title for zone in free.zones if any(piece.face_up for piece in zone.pieces)}
        for player in match.players:
            view = match.view(player)
            for zone in view.zones:
                seen = [piece.face_up for piece in zone.pieces]
                match zone.name:
                    case "cell":
                        assert seen in ([], [zone.title in open_to_all])
                    case "box":
                        assert not any(seen)
                    case "stash":
                        assert all(seen) if zone.owner == player else not any(seen)
                        assert zone.amount == len(seen), "how many lie behind a screen is no secret"
        choice, option = an_answer(match, random)
        match.answer(choice.player, option)


def test_the_deal_names_the_open_tiles_and_counts_the_others() -> None:
    match = load(GAME).start(3, 1)
    for player in match.players:
        dealt = [event.text for event in match.events_for(player) if "Box →" in event.text]
        assert len(dealt) == OPEN_AT_THE_START + 1
        assert dealt[-1] == "50 × face-down tile: Box → Cave"
        assert "face-down" not in "".join(dealt[:-1])
