"""Scenes: what they promise of every game, and that they tell nobody what they may not see."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from random import Random
from typing import Any
from weakref import ref

import pytest

from houserule import SPECTATOR, Game, Match, games
from houserule.rulebook import chronicle, markdown, rulebook
from houserule.table.compose import looks_of, scene
from houserule.table.scene import Scene
from tests.bundled import LARGE, load
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden"


def written(seen: Scene) -> str:
    """A scene in a few lines: what lies where, and how it looks."""
    lines = [f"{seen.title}: {seen.step}; to act: {seen.turn}; table: {seen.table}"]
    for region in seen.regions:
        size = f"{region.width:g}x{region.height:g}"
        lines.append(f"{region.id} {region.arrangement} {size} amount={region.amount}{' *' * region.is_changed}")
        for thing in (thing for thing in seen.things if thing.region == region.id):
            where = f"{thing.x:g},{thing.y:g},{thing.layer}"
            look = " ".join(filter(None, [thing.shape, thing.fill, thing.pattern, thing.symbol]))
            notes = [f"x{thing.count}"] * (thing.count > 1) + ["covered"] * thing.is_covered + ["up"] * thing.is_up
            notes += [*thing.marks] + [f"options {[*thing.options]}"] * bool(thing.options) + ["*"] * thing.is_changed
            notes += ["upon"] * (thing.on is not None)
            lines.append(f"  {thing.id} {where} [{look}] {thing.words} {' '.join(notes)}".rstrip())
    lines += [f"{value.id} {value.show} {value.words}{' *' * value.is_changed}" for value in seen.variables]
    if seen.question is not None:
        lines.append(f"? {seen.question.prompt}: {[(option.label, option.at) for option in seen.question.options]}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("game", LARGE)
def test_the_scene_is_as_it_was_accepted(game: str) -> None:
    match = load(game).start(2, seed=7)
    for _ in play_on(match, Random(7), 24):
        pass
    found = written(scene(match, match.pending[0].player))
    assert_golden(GOLDEN / f"{game}.txt", found)


def three_of(game: str) -> int:
    """Three players, or as few or many as a game is for."""
    return min(load(game).players, key=lambda players: abs(players - 3))


def play_on(match: Match, random: Random, most: int) -> Any:
    """A match at each of so many questions, answered at random."""
    for _ in range(most):
        if match.is_over:
            return
        yield match
        choice = match.pending[0]
        match.answer(choice.player, choice.drawn(random))


def see_is_sound(seen: Scene) -> None:
    """What holds of every scene."""
    json.dumps(seen.as_dict())
    ids = [thing.id for thing in seen.things] + [region.id for region in seen.regions]
    ids += [place.id for region in seen.regions for place in region.places] + [value.id for value in seen.variables]
    assert len(set(ids)) == len(ids)
    for thing in seen.things:
        region = seen.region(thing.region)
        assert 0 <= thing.x <= region.width - 1 + 1e-9, thing
        assert 0 <= thing.y <= region.height - 1 + 1e-9, thing
        assert thing.is_face_up or not (thing.text or thing.marks), thing
    shown = [id for row in seen.table for id in row] + [id for seat in seen.seats for id in seat.lies_here]
    assert sorted(shown) == sorted([r.id for r in seen.regions] + [v.id for v in seen.variables])
    if seen.question is None:
        assert not any(thing.options for thing in seen.things)
        return
    for number, option in enumerate(seen.question.options):
        here = [thing for thing in seen.things if number in thing.options]
        assert bool(here) == (option.at == "thing")


@pytest.mark.parametrize("game", games())
def test_every_viewer_has_a_scene_at_every_question(game: str) -> None:
    match = load(game).start(three_of(game), seed=5)
    for at, played in enumerate(play_on(match, Random(5), 90)):
        viewers = (*range(len(match.players)), None)
        viewer = viewers[at % len(viewers)]
        see_is_sound(scene(played, viewer))
        asked = scene(played, played.pending[0].player)
        assert asked.question is not None
        assert [option.key for option in asked.question.options] == [o.key for o in played.pending[0].single]
        assert played.pending[0].seat in asked.turn
    see_is_sound(scene(match, SPECTATOR))


def test_a_pile_that_nobody_sees_is_a_pile_of_backs_to_whoever_sees_everything() -> None:
    match = load("aladdin").start(3, seed=2)
    piles = [thing for thing in scene(match).things if thing.count > 10]
    assert len(piles) == 4  # the lamp and three chests
    assert not any(pile.is_face_up for pile in piles)


def test_an_option_of_parts_lies_at_each_of_them() -> None:
    match = load("checkers").start(2, seed=1)
    seen = scene(match, match.pending[0].player)
    assert seen.question is not None and seen.question.parts == 2
    things = [number for thing in seen.things for number in thing.options]
    places = [number for region in seen.regions for place in region.places for number in place.options]
    assert set(things) | set(places) == set(range(len(seen.question.options)))
    assert sorted(places) == sorted(range(len(seen.question.options)))  # each leads to one square


def things(match: Match, seat: int | None, region: str) -> list[tuple[str, str]]:
    """Ids and words of what lies in a region."""
    return [(thing.id, thing.words) for thing in scene(match, seat).things if thing.region == region]


def test_a_piece_keeps_its_id_while_it_is_seen_and_gets_another_when_it_was_not(parlour: Game) -> None:
    match = parlour.start(["Ann", "Bob", "Cid"], seed=1)
    hand = things(match, 0, "hand:0")
    assert hand == things(match, 0, "hand:0")
    assert len({id for id, _ in hand}) == 3
    unseen = things(match, 1, "hand:0")
    assert not {id for id, _ in hand} & {id for id, _ in unseen}
    assert len({words for _, words in unseen}) == 1


def test_a_spectator_sees_what_all_see(parlour: Game) -> None:
    match = parlour.start(["Ann", "Bob", "Cid"], seed=1)
    watched = scene(match, SPECTATOR)
    assert watched.question is None
    assert not any(thing.is_face_up for thing in watched.things if thing.region.startswith("hand"))
    assert any(thing.is_face_up for thing in scene(match).things if thing.region.startswith("hand"))
    with pytest.raises(LookupError):
        scene(match, "Dot")


def test_the_scene_of_a_match_that_is_over_has_the_score_sheet(parlour: Game) -> None:
    match = parlour.start(["Ann", "Bob", "Cid"], seed=1)
    for _ in play_on(match, Random(1), 1000):
        assert not scene(match, 0).sheet
        break
    list(play_on(match, Random(1), 1000))
    over = scene(match, 0)
    assert over.is_over and not over.turn and over.question is None
    assert [match.players[seat] for seat in over.winners] == match.winners
    assert over.sheet


def test_a_match_that_was_shown_and_told_is_freed(parlour: Game) -> None:
    match = parlour.start(parlour.players[0], seed=1)
    assert scene(match, 0).things and markdown(rulebook(parlour))
    assert all(chronicle(match).text(event) for event in match.events)
    kept = [ref(match), ref(match.labels), ref(looks_of(match)), ref(chronicle(match))]
    del match
    gc.collect()
    assert [one for one in kept if one() is not None] == []
