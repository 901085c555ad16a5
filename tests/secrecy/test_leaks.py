"""Each way in which something hidden can come out is told at its place; the same rule with what all may know is not.

A file in `leaks/` is a list of chunks. One begins with a line `--- what leaks`, and holds an effect, or declarations closed by a
line `do:` before it, with `### deck` beside each line at which the hidden content of `deck` is to be told. After a line `sound:`
stands the same with what all may know, of which nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import indent
from typing import NamedTuple

import pytest

import houserule
from houserule import Diagnostic
from houserule.trial import worlds
from houserule.trial.check import Table, Walk, Wanted, check
from houserule.trial.unseen import Broken
from houserule.trial.worlds import MOST_TRIALS, History, SideBySide, compare_worlds
from tests.taking_long import but_later

GAME = """\
edition: 2026
game: hiding
players: 2..3
enums:
  suit: [red, blue]
components:
  card:
    attributes: {{no: 1..9, suit: suit}}
    variables: {{worn: 0..3, open: bool}}
    back: [suit]
    starts_in: deck
    each: {{no: 1..9, suit: suit}}
  man: {{attributes: {{seat: player, no: 1..3}}, back: [seat], starts_in: camp, each: {{seat: player, no: 1..3}}}}
  coin: {{attributes: {{no: 1..9}}, each: {{no: 1..9}}, starts_in: "purse[first(players)]"}}
zones:
  purse(player): {{holds: coin, visible: owner, order: none}}
  sleeve(player): {{holds: card, visible: viewer == player or player.bare}}
  camp: {{holds: man, visible: viewer == it.seat}}
  deck: {{holds: card, visible: none}}
  hand(player): {{holds: card, visible: owner, order: none}}
  pocket(player): {{holds: card, visible: owner, amount: owner}}
  row(player): {{holds: card, visible: it.open}}
  drawer(suit): {{holds: card, visible: suit == opened}}
  tray(player): {{holds: card, visible: all}}
  cellar: {{holds: card, visible: none, amount: none, refill: pile}}
  fan(player): {{holds: card, visible: viewer != player, order: none}}
  slot(player): {{holds: card, visible: none, capacity: 1}}
  pile: {{holds: card, visible: all}}
variables:
  secret(player): {{type: 0..9, visible: none}}
  wish(player): {{type: 0..9, visible: owner}}
  marked: {{type: player = first(players), visible: none}}
  opened: {{type: suit = red}}
  bare(player): bool
  score(player): 0..9999
{declarations}
flow:
  setup:
    do: |
      shuffle deck
      for s in suit: draw 1 from deck to drawer[s]
      for p in players:
        draw 3 from deck to p.hand
        draw 1 from deck to p.row
        roll p.secret from 1..9
        roll p.wish from 1..9
      roll marked from players
  round:
    repeat: 3
    turns: players
    do: |
{effect}
scoring: {{points: me.score}}
"""


class Rule(NamedTuple):
    """What a turn does, with `### family` where something comes out, and the declarations that it needs."""

    effect: str
    declarations: str = ""


def rules_of(chunk: str) -> tuple[Rule, Rule]:
    """A rule that leaks, and its sound twin."""
    both = [
        part.partition("do:\n") if re.search(r"^do:$", part, re.M) else ("", "", part)
        for part in chunk.split("sound:\n")
    ]
    leak, sound = (Rule(effect.strip("\n"), declarations) for declarations, _, effect in both)
    return leak, sound


CHUNKS = [
    chunk.partition("\n")
    for file in sorted((Path(__file__).parent / "leaks").glob("*.leaks"))
    for chunk in re.split(r"^--- ", file.read_text(encoding="utf-8"), flags=re.M)[1:]
]
PAIRS = {name: rules_of(chunk) for name, _, chunk in CHUNKS}
every_pair = pytest.mark.parametrize(("leak", "sound"), PAIRS.values(), ids=PAIRS)
MARK = re.compile(r"  ### (\w+)$", re.M)


def said(path: Path) -> list[Diagnostic]:
    """What comes out, as far as the game says it."""
    found = houserule.validate(path)
    assert not [d for d in found if d.severity == "error"], found
    return [d for d in found if d.code in ("HR580", "HR582", "HR583")]


def written(folder: Path, rule: Rule) -> tuple[Path, list[tuple[int, str]]]:
    """The game with a rule, and the lines at which something comes out, with what it is."""
    text = GAME.format(declarations=rule.declarations, effect=indent(rule.effect, " " * 6))
    marked = [(number, mark[1]) for number, line in enumerate(text.split("\n"), 1) if (mark := MARK.search(line))]
    path = folder / "game.yaml"
    path.write_text(MARK.sub("", text), encoding="utf-8")
    return path, marked


def test_each_chunk_has_a_name_of_its_own() -> None:
    assert len(PAIRS) == len(CHUNKS)


@every_pair
def test_what_leaks_is_told_at_its_place(tmp_path: Path, leak: Rule, sound: Rule) -> None:
    path, marked = written(tmp_path, leak)
    found = said(path)
    assert marked
    assert {d.span.line for d in found} == {line for line, _ in marked}
    for d in found:
        assert f"'{dict(marked)[d.span.line]}'" in d.message, d.message


@every_pair
def test_the_same_rule_with_what_all_may_know_is_not_told(tmp_path: Path, leak: Rule, sound: Rule) -> None:
    path, marked = written(tmp_path, sound)
    assert (said(path), marked) == ([], [])


@pytest.mark.parametrize(("zone", "is_told"), [("deck", True), ("pile", False)])
def test_functions_of_members_and_answers_of_effects_tell_what_they_read(
    tmp_path: Path, zone: str, is_told: bool
) -> None:
    guesses = f"""
  guess:
    functions: {{odds: 0}}
    effects: [wins]
    members:
      low: {{odds: count(c in {zone} where c.no > 4)}}
      high: {{wins: finish with any(c in {zone} where c.no > 8)}}
"""
    effect = "if low.odds > 2: me.score += 1\nok = perform high.wins\nif ok: me.score += 1"
    text = GAME.format(declarations="", effect=indent(effect, " " * 6))
    path = tmp_path / "game.yaml"
    path.write_text(text.replace("  suit: [red, blue]\n", "  suit: [red, blue]" + guesses), encoding="utf-8")
    assert len({d.span.line for d in said(path) if f"'{zone}'" in d.message}) == 2 * is_told


# --- what comes to light on purpose ---------------------------------------------------------------------------------------

HIGH = "if next(me).wish > 4: perform gain(2)"


OPENED = """\
edition: 2026
game: opened
players: 4
components: {{card: {{attributes: {{no: 1..9}}, each: {{no: 1..9}}, starts_in: deck}}}}
zones:
  deck: {{holds: card, visible: none}}
  hand(player p): {{holds: card, visible: viewer == p or (opened and p == dummy)}}
  pile: {{holds: card, visible: all}}
variables: {{opened: bool, best: 0..9}}
functions:
  dummy: next(first(players), 2)
  may_follow(player p, card c): c.no > best or not any(x in p.hand where x.no > best)
flow:
  setup:
    do: |
      shuffle deck
      for p in players: draw 2 from deck to p.hand
  round:
    repeat: 2
    turns: players
    do: |
      if {condition}:
        previous(me) chooses c from me.hand where may_follow(me, it):
          move c to pile
          best = c.no
      else:
        choose c from me.hand where may_follow(me, it):
          move c to pile
          best = c.no
      opened = true
winner: {{most: count(me.hand)}}
"""


@pytest.mark.parametrize(
    ("condition", "codes"),
    [("opened and me == dummy", []), ("me == dummy", ["HR580"]), ("opened and next(me) == dummy", ["HR580"])],
)
def test_who_may_be_asked_about_an_opened_hand_depends_on_what_is_known(
    tmp_path: Path, condition: str, codes: list[str]
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(OPENED.format(condition=condition), encoding="utf-8")
    assert [d.code for d in said(path)] == codes


@pytest.mark.parametrize(
    ("rule", "helps"),
    [
        ('if next(me).wish > 4:\n  choose "Really?":\n    "Yes": me.score += 1\n    "No": nothing', True),
        ('marked chooses n from 1..2 "Which?":\n  me.score += n', False),
    ],
)
def test_who_asks_only_at_times_may_ask_in_any_case(tmp_path: Path, rule: str, helps: bool) -> None:
    path, _ = written(tmp_path, Rule(rule))
    (told,) = (d for d in said(path) if "whether this is asked" in d.message)
    assert ("ask in any case" in str(told.help)) == helps


@pytest.mark.parametrize(("condition", "codes"), [("opened and me == dummy", []), ("me == dummy", ["HR580"])])
def test_a_function_says_who_sees_something(tmp_path: Path, condition: str, codes: list[str]) -> None:
    path = tmp_path / "game.yaml"
    text = OPENED.format(condition=condition).replace("(opened and p == dummy)", "lies_open(p)")
    path.write_text(
        text.replace("functions:\n", "functions:\n  lies_open(player p): opened and p == dummy\n"), encoding="utf-8"
    )
    assert [d.code for d in said(path)] == codes


@pytest.mark.parametrize(
    ("chooser", "codes"),
    [
        ("previous(me) if opened and me == dummy else me", []),
        ("me if not opened or me != dummy else previous(me)", []),
        ("previous(me) if me == dummy else me", ["HR580"]),
        ("me if opened and me == dummy else next(me)", ["HR580"]),
    ],
)
def test_a_name_for_one_of_two_choosers_is_followed_to_both(tmp_path: Path, chooser: str, codes: list[str]) -> None:
    path = tmp_path / "game.yaml"
    do, rest = OPENED.index("      if {condition}"), OPENED.index("      opened = true")
    ask = f"      who = {chooser}\n      who chooses c from me.hand where may_follow(me, it):\n        move c to pile\n"
    path.write_text((OPENED[:do] + ask + "        best = c.no\n" + OPENED[rest:]).format(), encoding="utf-8")
    assert [d.code for d in said(path)] == codes


@pytest.mark.parametrize(
    "declarations",
    [
        "actions:\n  gain: {reveals: All see who gains., do: me.score += 1}\n",
        """actions:
  gain: me.score += 1
triggers:
  noise:
    whenever: after gain
    reveals: All hear it.
    do: say "Ah!"
""",
    ],
)
def test_what_is_revealed_where_it_comes_out_is_not_told(tmp_path: Path, declarations: str) -> None:
    rule = Rule(HIGH.replace("(2)", ""), declarations)
    path, _ = written(tmp_path, rule)
    assert {d.message.split(" depends")[0] for d in said(path)} <= {"what is set here, 'score',"}
    assert not [d for d in said(path) if d.code == "HR583"]


def test_a_step_reveals_all_that_it_does_and_performs(tmp_path: Path) -> None:
    rule = Rule(HIGH, "actions:\n  gain(int n): me.score += n\n")
    path, _ = written(tmp_path, rule)
    assert [d.code for d in said(path)] == ["HR582"]
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("    repeat: 3\n", "    repeat: 3\n    reveals: All say what they wish.\n"), encoding="utf-8"
    )
    assert said(path) == []
    game = houserule.load(path)
    assert [reason for _, reason in game.revelations] == ["All say what they wish."]


def test_a_function_reveals_its_result(tmp_path: Path) -> None:
    high = "functions:\n  high(player p): {reveals: All say so., do: any(c in p.hand where c.no > 4)}\n"
    rule = Rule("if high(next(me)): me.score += 1", high)
    path, _ = written(tmp_path, rule)
    assert said(path) == []


def test_a_variable_reveals_itself_wherever_it_comes_out(tmp_path: Path) -> None:
    rule = Rule("if next(me).wish > 4: me.score += 1")
    path, _ = written(tmp_path, rule)
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("{type: 0..9, visible: owner}", "{type: 0..9, visible: owner, reveals: It is guessed.}"),
        encoding="utf-8",
    )
    assert said(path) == []


@pytest.mark.parametrize(("players", "codes"), [("2", []), ("3", ["HR582"])])
def test_what_all_but_one_player_see_is_seen_by_others_than_the_next(
    tmp_path: Path, players: str, codes: list[str]
) -> None:
    rule = Rule(
        "me.hint = next(me).wish\nif me.hint > 3: me.hint = 2",
        "  hint(player): {type: 0..9, visible: viewer != player}\n",
    )
    path, _ = written(tmp_path, rule)
    path.write_text(path.read_text(encoding="utf-8").replace("players: 2..3", f"players: {players}"), encoding="utf-8")
    assert [d.code for d in said(path)] == codes


def test_a_variable_reveals_what_it_keeps(tmp_path: Path) -> None:
    kept = "choose hit from me.hand: aim = hit\nif aim: me.score += aim.no"
    path, _ = written(tmp_path, Rule(kept, "  aim: card or none\n"))
    (found,) = said(path)
    assert found.message.endswith("of 'hand', through 'aim', set at line 53, which may hold a piece from there")
    assert [(one.message, one.span.line) for one in found.related][1:] == [("'aim' is set here", 53)]
    path, _ = written(tmp_path, Rule(kept, "  aim: {type: card or none, reveals: All see it.}\n"))
    assert said(path) == []


def test_a_reason_where_nothing_comes_to_light_is_told(tmp_path: Path) -> None:
    rule = Rule("perform gain(1)", "actions:\n  gain(int n): {reveals: All see it., do: me.score += n}\n")
    path, _ = written(tmp_path, rule)
    (found,) = said(path)
    assert (found.code, found.span.line) == ("HR583", 37)
    open_to_all = re.sub(r"(visible|amount): [^,}]+", r"\1: all", path.read_text(encoding="utf-8"))
    path.write_text(open_to_all, encoding="utf-8")
    (found,) = said(path)
    assert (found.code, found.span.line) == ("HR583", 37)


def test_who_plays_a_game_does_not_wait_for_what_comes_to_light(tmp_path: Path) -> None:
    path, _ = written(tmp_path, PAIRS["a local name"][0])
    assert said(path) and not set(said(path)) & set(houserule.load(path).diagnostics)


ENVELOPE = """\
edition: 2026
game: envelope
players: 2
components: {{card: {{attributes: {{no: 1..9}}, each: {{no: 1..9}}, starts_in: deck}}}}
zones:
  deck: {{holds: card, visible: none}}
  envelope: {{holds: card, visible: none}}
  hand(player): {{holds: card, visible: owner}}
variables: {{ready: bool}}
triggers: {{deal: {{whenever: ready changes, do: "draw 1 from deck to hand[first(players)]"}}}}
actions: {{bring: "draw 1 from deck to hand[first(players)]"}}
flow:
  setup:
    do: |
      {before}
      roll culprit from every card
      move culprit to envelope
      shuffle deck
      for p in players: draw 2 from deck to p.hand
  play:
    turns: players
    do: |
      choose c from me.hand: move c to deck
scoring: {{left: count(me.hand)}}
"""


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        ("nothing", []),
        ("shuffle deck", []),
        ("draw 1 from deck to hand[first(players)]", ["HR582"]),
        ("perform bring", ["HR582"]),
        ("ready = true", ["HR582"]),
    ],
)
def test_from_where_a_named_piece_goes_tells_nothing_while_all_know_what_lies_where(
    tmp_path: Path, before: str, codes: list[str]
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(ENVELOPE.format(before=before), encoding="utf-8")
    assert [d.code for d in said(path)] == codes


# --- bounds ---------------------------------------------------------------------------------------------------------------


def test_chains_of_functions_and_nested_loops_are_looked_at_once_each(tmp_path: Path) -> None:
    chain = "functions:\n  f0(player p): count(c in p.hand where c.no > 4)\n"
    chain += "".join(f"  f{n}(player p): f{n - 1}(p) + f{n - 1}(next(p))\n" for n in range(1, 40))
    loops = "".join("  " * n + f"for p{n} in players:\n" for n in range(8)) + "  " * 8 + "me.score += f39(p0)"
    rule = Rule(loops, chain)
    path, _ = written(tmp_path, rule)
    assert [d.code for d in said(path)] == ["HR582"]


def test_what_calls_itself_settles(tmp_path: Path) -> None:
    deep = "functions:\n  deep(player p, int n): deep(next(p), n - 1) if n > 0 else p.wish\n"
    deep += "actions:\n  dig(player p, int n): |\n    if n > 0:\n      perform dig(next(p), n - 1)\n    me.score += 1\n"
    rule = Rule("me.score += deep(me, 3)\nperform dig(me, next(me).wish)", deep)
    path, _ = written(tmp_path, rule)
    assert {d.span.line for d in said(path)} == {42, 59}


# --- two matches that differ in what a player may not know ------------------------------------------------------------------

PLAYED = [
    *("a local name", "a named piece", "a loop in a function", "a prompt", "a menu line", "how many questions come"),
    *("who is asked", "the order of asking", "what is said to all", "what an action is given", "the end of the game"),
]


def found_by_playing(path: Path, matches: int = 3) -> Iterator[str]:
    """What does not hold in a few matches that are looked at closely; the next one is played when it is asked for."""
    table = Table(houserule.load(path), 2)
    for seed in range(1, 2 * matches, 2):
        try:
            Walk(table, seed).run()
        except Broken as broken:
            yield str(broken)


@pytest.mark.parametrize("name", but_later(PLAYED, PLAYED[::2]))
def test_what_leaks_is_found_by_playing(tmp_path: Path, name: str) -> None:
    leak, sound = PAIRS[name]
    leaking, _ = written(tmp_path, leak)
    assert any("may not see: the rules give it away" in message for message in found_by_playing(leaking))
    path, _ = written(tmp_path, sound)
    assert not list(found_by_playing(path, 1))


def revealing(tmp_path: Path, after: str = "nothing") -> Path:
    """A game in which an action reveals something at each turn, and then something else is done."""
    leak, _ = PAIRS["what an action is given"]
    path, _ = written(tmp_path, leak._replace(effect='choose x from 1..3 "How many?"\n' + leak.effect))
    text = path.read_text(encoding="utf-8")
    told = "gain(int n): {reveals: All see it., do: me.score += n}"
    then = f"  then:\n    repeat: 3\n    turns: players\n    do: |\n{indent(after, '      ')}\nscoring:"
    text = text.replace("gain(int n): me.score += min(n, 3)", told).replace("scoring:", then)
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_revealed_on_purpose_is_no_fault(tmp_path: Path) -> None:
    assert not list(found_by_playing(revealing(tmp_path)))


HINTS = """\
edition: 2026
game: hints
players: 2
components: {card: {attributes: {rank: 1..2}, each: {rank: 1..2}, count: 12, starts_in: deck}}
zones:
  deck: {holds: card, visible: none}
  hand(player): {holds: card, visible: viewer != player}
actions:
  hint:
    reveals: A hint says how many cards have a number.
    do: |
      choose n from 1..2
      say "{count(x in next(me).hand where x.rank == n)} of {n}"
flow:
  setup:
    do: |
      shuffle deck
      for p in players: draw 5 from deck to p.hand
  play:
    repeat: 6
    turns: players
    do: |
      choose "What?":
        "Hint": perform hint
        "Rest": nothing
"""


def test_what_is_revealed_on_purpose_after_an_answer_that_ends_the_turn_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(HINTS, encoding="utf-8")
    assert not list(found_by_playing(tmp_path))


def test_a_leak_that_is_found_by_playing_is_told_with_its_answer_and_its_place(tmp_path: Path) -> None:
    rules = "".join(line for line in HINTS.splitlines(keepends=True) if "reveals" not in line)
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    found = next(found_by_playing(tmp_path))
    words = r"the rules give it away: after answer \d+ \(Player \d: '\d' at .*game\.yaml:11\), "
    assert re.search(words + r"they are told '\d of \d', and '\d of \d' where other things are hidden$", found), found


def test_what_comes_to_light_after_that_is_found_by_playing(tmp_path: Path) -> None:
    path = revealing(tmp_path, 'choose x from 1..3 "How many?"\nsay "{next(me).secret}"')
    assert any("the rules give it away" in one for one in found_by_playing(path))


def test_after_something_came_to_light_another_pair_of_worlds_goes_on(tmp_path: Path) -> None:
    table = Table(houserule.load(revealing(tmp_path)), 2)
    walk = Walk(table, 1)
    history, random = History(walk.run(), table.revealing, (0,)), Random(1)
    agreed = 0
    went_on = []
    for _ in range(MOST_TRIALS):
        before = history.compared
        trial = SideBySide(history, 0, random, agreed, 1000)
        trial.run()
        went_on.append((agreed, history.compared - before))
        agreed = trial.parted
    assert any(agreed > 0 and compared > 0 for agreed, compared in went_on)


def test_large_tables_are_compared_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(houserule.load(revealing(tmp_path)), 2)
    played = Walk(table, 1).run()
    size = 1 + len(played.state.w) + len(played.state.v)
    often, seldom = (History(played, table.revealing, (0, 1)) for _ in range(2))
    compare_worlds(often, Random(1))
    assert often.compared > 3
    monkeypatch.setattr(worlds, "MOST_SHOWN", 3 * size)
    compare_worlds(seldom, Random(1))
    assert seldom.compared == 3


HIDDEN_DICE = """\
edition: 2026
game: cups
players: 2
components:
  die:
    attributes: {{seat: player}}
    each: {{seat: player}}
    variables: {{pips: 1..6 = 1}}
    starts_in: cup[it.seat]
zones:
  cup(player): {{holds: die, visible: owner}}
variables:
  score(player): int
flow:
  round:
    repeat: 6
    turns: players
    do: |
      for d in me.cup: roll d.pips from 1..6
      for d in me.cup where d.pips < 4: roll d.pips from 1..6
      choose n from 1..6 "How many?"
      {effect}
scoring: {{points: me.score}}
"""


def test_dice_under_a_cup_have_other_pips_in_another_match(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(HIDDEN_DICE.format(effect="if any(d in me.cup where d.pips == n): me.score += 1"), encoding="utf-8")
    assert any("the rules give it away" in one for one in found_by_playing(path))
    path.write_text(HIDDEN_DICE.format(effect="me.score += n"), encoding="utf-8")
    assert not list(found_by_playing(path))
    assert check(path, Wanted(matches=1)).comparisons > 50


HIDDEN_WISHES = """\
edition: 2026
game: wishes
players: 2
variables:
  wish(player): {{type: 0..9, visible: owner}}
  told(player): 0..9
  score(player): int
flow:
  round:
    repeat: 3
    turns: players
    do: |
      choose n from 1..9 "What do you wish?": me.wish = n
      choose n from 1..9 "What do you say?": me.told = n
      {effect}
scoring: {{points: me.score}}
"""


@pytest.mark.parametrize(
    ("leak", "sound"),
    [
        ("if me.wish == me.told: me.score += 1", "if me.told > 4: me.score += 1"),
        ('if next(me).wish > 4: say "Somebody wishes for much."', 'if me.wish > 4: say to me "You wish for much."'),
    ],
)
def test_what_others_have_secretly_chosen_is_something_else_in_another_match(
    tmp_path: Path, leak: str, sound: str
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(HIDDEN_WISHES.format(effect=leak), encoding="utf-8")
    assert any("the rules give it away" in one for one in found_by_playing(path))
    path.write_text(HIDDEN_WISHES.format(effect=sound), encoding="utf-8")
    assert not list(found_by_playing(path))


HIDDEN_CODES = """\
edition: 2026
game: codes
players: 2
components:
  slip: {{attributes: {{seat: player}}, each: {{seat: player}}, variables: {{sign: {{type: 0..9, visible: viewer == it.seat}}}}}}
variables:
  maker: {{type: player = first(players)}}
  shown: bool
  code: {{type: 0..9, visible: viewer == maker or shown or code == 9}}
  score(player): int
flow:
  hide: {{turns: p in players where p == maker, do: 'choose n from 1..9 "Which code?": {code} = n'}}
  guess:
    repeat: 3
    turns: p in players where p != maker
    do: |
      choose g from 1..9 "Which code is it?":
        {effect}
scoring: {{points: me.score}}
"""


@pytest.mark.parametrize("code", ["code", "slip[maker].sign"])
def test_what_is_chosen_for_a_variable_without_an_owner_is_something_else_in_another_match(
    tmp_path: Path, code: str
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(HIDDEN_CODES.format(code=code, effect=f"if {code} == g: me.score += 1"), encoding="utf-8")
    assert any("the rules give it away" in one for one in found_by_playing(path))
    path.write_text(HIDDEN_CODES.format(code=code, effect="me.score += g"), encoding="utf-8")
    assert not list(found_by_playing(path))
    assert check(path, Wanted(matches=1)).comparisons > 4


@pytest.mark.parametrize("how", ['choose n from 1..9 "Which code?": code = n', "roll code from 1..9"])
def test_a_variable_that_comes_to_light_is_no_leak_unless_its_value_decides_in_the_rules(
    tmp_path: Path, how: str
) -> None:
    path = tmp_path / "game.yaml"
    text = HIDDEN_CODES.format(code="code", effect="EFFECT").replace('choose n from 1..9 "Which code?": code = n', how)
    path.write_text(text.replace("EFFECT", "shown = shown or g == 5"), encoding="utf-8")
    assert not list(found_by_playing(path))
    path.write_text(text.replace("EFFECT", "shown = shown or code == g"), encoding="utf-8")
    assert any("the rules give it away" in one for one in found_by_playing(path))


def test_a_check_says_how_often_it_compared(tmp_path: Path) -> None:
    path, _ = written(tmp_path, PAIRS["a local name"][1])
    assert check(path, Wanted(matches=1)).comparisons > 50


NO_CHANCE = """\
edition: 2026
game: no_chance
players: 2
components:
  card:
    attributes: {{no: 1..6, of: player}}
    starts_in: hand[it.of]
    each: {{no: 1..6, of: players}}
zones:
  hand(player): {{holds: card, visible: owner, order: none}}
  kept(player): {{holds: card, visible: owner}}
  pile: {{holds: card, visible: all}}
variables:
  score(player): 0..9999
flow:
  round:
    repeat: 2
    {turns}
    do: |
{effect}
scoring: {{points: me.score}}
"""
"""Everybody knows all hands: only what somebody chooses is hidden."""
ONE = "choose c from me.hand: move c to me.kept\n"
ALL = "together players:\n  choose c from me.hand: move c to me.kept\nfor p in players:\n  "
TWO = "choose 2 cs from me.hand: move cs to me.kept\n"


@pytest.mark.parametrize(
    ("effect", "leak", "sound"),
    [
        (ONE, "if any(c in me.kept where c.no > 4): me.score += 1", "if count(me.kept) > 1: me.score += 1"),
        (ONE, "choose d from 1..2\nme.score += sum(c.no for c in me.kept) + d", "choose d from 1..2\nme.score += d"),
        (ONE, 'choose "Show?":\n  "Yes": me.score += sum(c.no for c in me.kept)\n  "No": move me.kept to pile', 'choose "Show?":\n  "Yes": move me.kept to pile\n  "No": me.score += 1'),
        (ALL, "if any(c in p.kept where c.no > 4): p.score += 1", "if count(p.kept) > 1: p.score += 1"),
        (TWO, "if any(c in me.kept where c.no > 4): me.score += 1", "if count(me.kept) > 1: me.score += 1"),
    ],
)  # fmt: skip
def test_hidden_pieces_that_others_have_chosen_are_others_in_another_match(
    effect: str, leak: str, sound: str, tmp_path: Path
) -> None:
    turns = "text: All at once." if effect == ALL else "turns: players"
    for what, leaks in ((leak, True), (sound, False)):
        text = NO_CHANCE.format(turns=turns, effect=indent(effect + what, " " * 6))
        folder = tmp_path / f"{leaks}"
        folder.mkdir()
        (folder / "game.yaml").write_text(text, encoding="utf-8")
        assert any(found.code == "HR582" for found in houserule.validate(folder)) == leaks
        found = check(folder, Wanted(matches=1, close=8 if leaks else 2))
        assert any("shown what they may not see" in one.message for one in found.violations) == leaks, found
        assert found.comparisons > 0
