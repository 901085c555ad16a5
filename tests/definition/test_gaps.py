"""Gaps: what lacks something that all others like it have. What lacks it on purpose is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule

GAME = """\
edition: 2026
game: stall
title: {en: Stall, de: Stand}
players: 2..3
enums:
  ware:
    attributes: {rare: bool}
    members:
      silk: {title: {en: Silk, de: Seide}}
      salt: {title: {en: Salt, de: Salz}}
      amber: {rare: true, title: {en: Amber, de: Bernstein}}
      jade: {rare: true, title: {en: Jade, de: Jade}}
      myrrh: {rare: true, title: {en: Myrrh, de: Myrrhe}}
components:
  crate:
    attributes: {ware: ware, second: ware or none}
    effects: [opened]
    starts_in: stock
    pieces:
      small: {ware: silk, opened: me.gain += 1, title: {en: Small, de: Klein}}
      large: {ware: salt, opened: me.gain += 2, title: {en: Large, de: Groß}}
      fine: {ware: amber, second: jade, opened: me.gain += 3, title: {en: Fine, de: Fein}}
      odd: {ware: myrrh, opened: me.gain += 3, title: {en: Odd, de: Sonderbar}}
zones:
  stock: {holds: crate, visible: all, title: {en: Stock, de: Lager}}
  yard(player): {holds: crate, visible: all, title: {en: Yard, de: Hof}}
variables:
  gain(player): {type: int, title: {en: Gain, de: Gewinn}}
flow:
  round:
    turns: players
    repeat: 2
    do: |
      choose c from stock:
        perform c.opened
        move c to me.yard
winner: {most: me.gain + count(c in me.yard where c.ware.rare)}
layout:
  enums: {ware: {silk: {fill: white}, salt: {fill: grey}, amber: {fill: orange}, jade: {fill: green}, myrrh: {fill: brown}}}
  pieces:
    crate:
      fill: it.second
      pieces: {small: {letter: S}, large: {letter: L}, odd: {letter: O}}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    assert houserule.validate(tmp_path) == []
    return tmp_path


def said(game: Path, text: str) -> list[str]:
    """What is said of a house rule, at the lines of its own file."""
    file = game / "variants" / "more.yaml"
    file.write_text(f"variant: more\nof: stall\n{text}", encoding="utf-8")
    found = houserule.validate(file)
    assert {(one.severity, one.span.file[-9:]) for one in found} <= {("warning", "more.yaml")}
    return [f"{one.code} {one.message}" for one in found]


PILE = """\
  components: {omen: {starts_in: sky, pieces: {storm: {}, calm: {}}}}
  zones: {sky: {holds: omen, visible: none, title: {en: Sky, de: Himmel}}}
"""
WARE = "enums: {ware: {members: {glass: {title: {en: Glass, de: Glas}}}}}\n"
LOOK = "  layout: {enums: {ware: {glass: {fill: cyan}}}}\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            f"add:\n  {WARE}",
            [
                "HR575 the layout has no look for 'glass', and one for the other members of 'ware'",
                "HR577 no piece and no rule has 'glass', though others of 'ware' are on pieces",
            ],
        ),
        (
            f"add:\n  {WARE}{LOOK}change:\n  components: {{crate: {{pieces: {{odd: {{ware: glass}}}}}}}}\n",
            [],  # what a house rule leaves unused in the game, it need not tidy
        ),
        (f"add:\n  {WARE}{LOOK}change:\n  winner: {{most: count(c in me.yard where c.ware == glass)}}\n", []),
        (
            "add:\n  components: {crate: {pieces: {plain: {ware: silk}}}}\n",
            [
                "HR575 the layout has no look for 'plain', and one for the other members of 'crate'",
                "HR576 'plain' has no title, and the other members of 'crate' do",
                "HR577 'plain' has no 'opened', and all others of 'crate' do",
            ],
        ),
        (
            "add:\n  components: {crate: {pieces: {plain: {ware: silk, second: salt, opened: nothing, title: Plain}}}}\n",
            [],
        ),
        (f"add:\n{PILE}", ["HR577 no rule names 'sky', where every 'omen' starts"]),
        (f"add:\n{PILE}  triggers: {{storm: {{whenever: c enters yard, do: draw 1 from sky to sky}}}}\n", []),
        (
            "title: {en: More}\nadd:\n  components: {crate: {pieces: {spare: {count: 0, ware: silk, second: salt, opened: nothing, title: Spare}}}}\n",
            ["HR590 the title of the house rule is missing in 'de'", "HR577 there are no copies of 'spare'"],
        ),
        (
            'title: "To {goal}"\ntext: {en: "From {{ to {goal} and {more}", de: "Bis {goal}"}\nplayers: 2\n',
            [
                "HR585 no value is shown in the title of a house rule",
                "HR585 no value is shown in the text of a house rule",
            ],
        ),
    ],
)
def test_what_a_house_rule_forgets_is_told_at_the_house_rule(game: Path, text: str, found: list[str]) -> None:
    assert said(game, text) == found


def test_what_lacks_a_look_on_purpose_is_left_alone_when_others_are_removed(game: Path) -> None:
    looks = ", amber: {fill: orange}, jade: {fill: green}, myrrh: {fill: brown}"
    (game / "game.yaml").write_text(GAME.replace(looks, ""), encoding="utf-8")
    assert houserule.validate(game) == []
    gone = (
        "enums.ware.members.myrrh, enums.ware.members.jade, components.crate.pieces.odd, layout.pieces.crate.pieces.odd"
    )
    fewer = "change: {components: {crate: {pieces: {fine: {second: none}}}}}"
    assert said(game, f"remove: [{gone}]\n{fewer}\n") == []


def test_of_two_house_rules_the_one_that_makes_something_an_exception_is_told(game: Path) -> None:
    text = GAME.replace(
        "  yard(player): {holds: crate, visible: all, title: {en: Yard, de: Hof}}",
        "  yard(player): {holds: crate, visible: all}",
    )
    (game / "game.yaml").write_text(text, encoding="utf-8")
    cellar = "cellar: {holds: crate, visible: all, title: {en: Cellar, de: Keller}}"
    first = f"variant: first\nof: stall\nadd: {{zones: {{{cellar}}}}}\nchange: {{flow: {{round: {{do: draw 1 from stock to cellar}}}}}}\n"
    (game / "variants" / "first.yaml").write_text(first, encoding="utf-8")
    (game / "variants" / "later.yaml").write_text("variant: later\nof: stall\nplayers: 2\n", encoding="utf-8")
    found = houserule.validate(game, ["first", "later"])
    assert [(one.code, Path(one.span.file).name) for one in found if one.code == "HR576"] == [("HR576", "first.yaml")]


def test_what_nothing_has_is_on_purpose(game: Path) -> None:
    for looks in ("{}", "{silk: {fill: white}}", "{silk: {fill: white}, salt: {fill: grey}}"):
        text = GAME.replace(
            GAME[GAME.index("{silk: {fill: white}, ") : GAME.index("}}\n  pieces:\n    crate") + 1], looks
        )
        (game / "game.yaml").write_text(text, encoding="utf-8")
        assert houserule.validate(game) == []


MIXED = """\
edition: 2026
game: mixed
players: 2
components:
  card: {{{card}starts_in: deck, pieces: {{ace: {{}}, two: {{}}}}}}
  joker: {{{joker}starts_in: box, pieces: {{red: {{}}, black: {{}}}}}}
zones:
  deck: {{holds: piece, visible: none{deck}}}
  box: {{holds: joker, visible: all}}
  pile: {{holds: piece, visible: all}}
  spare: {{holds: piece, visible: all}}
flow:
  setup: {{do: "{move}; shuffle deck"}}
  round:
    do: |
      draw 1 from deck to pile
"""


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({}, ["HR584"]),
        ({"move": "draw 1 from box to pile; move pile to deck"}, ["HR584"]),
        ({"joker": "back_title: card, "}, []),  # the card is called so anyway
        ({"card": "back_title: card, ", "joker": "back_title: joker, "}, []),  # as in the box
        ({"joker": "back_title: joker, "}, ["HR584"]),
        ({"deck": ", amount: none"}, []),
        ({"move": "move box to pile"}, []),
        ({"move": "for j in box: move j to spare; move spare to deck"}, ["HR584"]),
        ({"move": "for c in pile where c is card: move c to spare; move box to pile; move spare to deck"}, []),
    ],
)
def test_backs_that_tell_kinds_apart_in_a_face_down_pile_are_told(
    tmp_path: Path, changes: dict[str, str], codes: list[str]
) -> None:
    values = {"card": "", "joker": "", "deck": "", "move": "move box to deck", **changes}
    (tmp_path / "game.yaml").write_text(MIXED.format(**values), encoding="utf-8")
    assert [one.code for one in houserule.validate(tmp_path) if one.code == "HR584"] == codes
