"""What happens is told in sentences, in each language of the phrase books, and to nobody more than they may know."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.bots.playing import answer, bot_of
from houserule.rulebook import LANGUAGES, chronicle, markdown, rulebook
from houserule.telling.events import Event
from tests.bundled import load

GAME = """\
edition: 2026
game: gathering
players: 2
enums:
  metal: {title: {de: Metall}, members: {gold: {title: {en: Gold, de: Gold, zh-Hant: 黃金, ja: 金}}, tin: {title: {en: Tin, de: Zinn, zh-Hant: 錫, ja: 錫}}}}
components:
  gem:
    title: {en: gem, de: Stein, zh-Hant: 寶石, ja: 宝石}
    grammar: {de: {gender: m, acc: Stein}}
    starts_in: chest[gold]
    pieces:
      ruby: {title: {en: Ruby, de: Rubin, zh-Hant: 紅寶石, ja: ルビー}, grammar: {de: {gender: m}}}
      opal: { title: {en: Opal, de: Opal, zh-Hant: 蛋白石, ja: オパール}}
zones:
  chest(metal): {holds: gem, visible: all, order: none, title: {en: chest, de: Truhe, zh-Hant: 寶箱, ja: 箱}, grammar: {de: {gender: f}}}
  hand(player): {holds: gem, visible: owner, order: none, title: {en: hand, de: Hand, zh-Hant: 手牌, ja: 手札}, grammar: {de: {gender: f}}}
  loot(player): {holds: gem, visible: all, order: none, title: {en: loot, de: rote Beute, zh-Hant: 寶藏, ja: 宝}, grammar: {de: {gender: f}}}
flow:
  go:
    turns: players
    do: |
      choose w from metal "Which?"
      move ruby to loot[first(players)]
      move ruby to loot[last(players)]
      move ruby to chest[tin]
      move ruby to chest[gold]
      move ruby to hand[last(players)]
      move ruby to loot[last(players)]
      choose more from metal "Again?"
winner: {most: 1}

"""
TOLD = {
    "en": [
        "Ann takes the ruby from the gold chest to the loot.", "Bob gets the ruby from Ann, into the loot.", "Bob puts the ruby into the tin chest.",
        "The ruby goes from the tin chest to the gold chest.", "Bob takes the ruby from the gold chest to the hand.",
        "Bob moves the ruby from the hand to the loot.",
    ],
    "de": [
        "Ann nimmt den Rubin aus der Truhe (Gold) in die rote Beute.", "Bob bekommt den Rubin von Ann in die rote Beute.", "Bob legt den Rubin in die Truhe (Zinn).",
        "Der Rubin kommt aus der Truhe (Zinn) in die Truhe (Gold).", "Bob nimmt den Rubin aus der Truhe (Gold) in die Hand.",
        "Bob legt den Rubin aus der Hand in die rote Beute.",
    ],
    "zh-Hant": [
        "Ann 把「紅寶石」從寶箱（黃金）拿到寶藏。", "Bob 從 Ann 那裡收到「紅寶石」，放到寶藏。", "Bob 把「紅寶石」放到寶箱（錫）。", "「紅寶石」從寶箱（錫）移到寶箱（黃金）。",
        "Bob 把「紅寶石」從寶箱（黃金）拿到手牌。", "Bob 把「紅寶石」從手牌移到寶藏。",
    ],
    "ja": [
        "Annは箱（金）から「ルビー」を取り、宝に置きます。", "BobはAnnから「ルビー」を受け取り、宝に置きます。", "Bobは「ルビー」を箱（錫）に置きます。", "「ルビー」が箱（錫）から箱（金）へ移ります。",
        "Bobは箱（金）から「ルビー」を取り、手札に置きます。", "Bobは「ルビー」を手札から宝へ移します。",
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> houserule.Game:
    file = tmp_path_factory.mktemp("gathering") / "game.yaml"
    file.write_text(GAME, "utf-8")
    return houserule.load(file)


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_are_sentences_in_each_language(language: str, game: houserule.Game) -> None:
    match = game.start(["Ann", "Bob"], seed=1, language=language)
    match.answer("Ann", "gold")
    told = chronicle(match)
    assert [told.text(event) for event in match.told(1).tables[1] if event.kind == "move"] == TOLD[language]
    others = [told.text(event) for event in match.told(0).tables[0] if event.kind == "move"]
    assert others[:4] == TOLD[language][:4]


def test_other_events_and_other_languages_are_told_as_they_are(game: houserule.Game) -> None:
    match = game.start(["Ann", "Bob"], seed=1, language="fr")
    match.answer("Ann", "gold")
    told = chronicle(match)
    assert all(told.text(event) == event.text for event in match.told(1).tables[1])
    assert told.to_json(Event("say", "Hello", "go")) == {"kind": "say", "text": "Hello", "step": "go"}


CHANGES = """\
edition: 2026
game: fair
players: 2
components:
  die: {title: {en: die, de: Würfel}, grammar: {de: {gender: m, plural: Würfel}}, starts_in: cup, pieces: {one: {}, two: {title: {en: tower, de: Turm}, grammar: {de: {gender: m}}}}}
  step: {attributes: {row: 1..3}, each: {row: 1..3}, title: "{it.row}"}
zones:
  cup: {holds: die, visible: all, order: none, title: {en: cup, de: Becher}, grammar: {de: {gender: m}}}
  box: {holds: die, visible: none, title: {en: box, de: Kiste}, grammar: {de: {gender: f}}}
  bag: {holds: die, visible: none, title: {en: bags, de: viele Beutel}}
  board(step): {holds: die, visible: all, order: none, title: {en: board, de: Brett}}
variables:
  score(player): {type: int, title: {en: score, de: Punkte}}
  pips(die): {type: 1..6, start: 1, title: {en: number, de: Zahl}}
  luck(player): {type: 1..6, start: 1, title: {en: luck, de: Glück}}
  first: {type: player or none, title: {en: first player, de: Erster}, grammar: {de: {gender: m}}}
  open: {type: bool, title: {en: doors are open, de: offen}}
  level: {type: 1..6, start: 1, title: {en: level, de: Höhe}, grammar: {de: {gender: f}}}
flow:
  go:
    turns: players
    do: |
      choose "Ready?":
        "Yes": me.score += 3
        "No": finish
      me.score -= 1
      open = true
      open = false
      first = me
      roll one.pips from 1..6
      roll me.luck from 1..6
      roll level from 1..6
      level = 6
      move one to board[step_1]
      move one to board[step_2]
      move cup to box
      move board[step_2] to box
      shuffle box
      show box to players
      roll lot from 1..6
      roll who from players
      choose "Again?":
        "Yes": me.score += 1
        "No": finish
winner: {most: me.score}

"""
SAID = {
    "en": [
        "Ann’s score goes up by 3 to 3.", "Ann’s score goes down by 1 to 2.", "Doors are open.",
        "Doors are not open.", "The first player is now Ann.", "The one shows 6.", "Ann rolls 6.",
        "The roll gives 1 for the level.", "The level is now 6.", "The one goes from the cup to the board (1).",
        "The one goes from the board (1) to the board (2).", "The tower goes from the cup to the box.", "The one goes from the board (2) to the box.",
        "The box is shuffled.", "The one and the tower are revealed in the box.", "The roll is 6.", "The lot falls on Bob.",
    ],
    "de": [
        "„Punkte“ von Ann steigt um 3 auf 3.", "„Punkte“ von Ann sinkt um 1 auf 2.", "„Offen“ gilt ab jetzt.",
        "„Offen“ gilt nicht mehr.", "Der Erster ist jetzt Ann.", "Der one zeigt 6.", "Ann würfelt 6.",
        "Der Wurf ergibt 1 für die Höhe.", "Die Höhe ist jetzt 6.", "Der one kommt aus dem Becher in „Brett“ (1).",
        "Der one kommt aus „Brett“ (1) in „Brett“ (2).", "Der Turm kommt aus dem Becher in die Kiste.", "Der one kommt aus „Brett“ (2) in die Kiste.",
        "Die Kiste wird gemischt.", "Der one und der Turm werden in der Kiste aufgedeckt.", "Der Wurf ergibt 6.", "Das Los fällt auf Bob.",
    ],
}  # fmt: skip


def test_changes_rolls_and_all_other_events_are_sentences_too(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(CHANGES, "utf-8")
    fair = houserule.load(file)
    for language in LANGUAGES:
        match = fair.start(["Ann", "Bob"], seed=2, language=language)
        match.answer("Ann", match.pending[0].options[0])
        told = chronicle(match)
        said = [told.text(event) for event in match.events if event.kind != "turn"]
        assert said == SAID.get(language, said)
        assert all(sentence.endswith((".", "。")) for sentence in said)


@pytest.mark.parametrize("game", ["master_thieves", "rattlebones", "hearts", "liars_dice"])
def test_no_event_of_a_match_is_told_by_an_arrow_or_a_colon(game: str) -> None:
    for language in ("en", "de"):
        match = load(game).start(4, seed=5, language=language)
        bot = bot_of("random", 3)
        while not match.is_over and len(match.answers) < 60:
            answer(match, match.pending[0], bot)
        told = chronicle(match)
        kinds = {"move", "set", "roll", "shuffle", "show", "light", "exchange", "answer"}
        said = [told.text(event) for event in match.events if event.kind in kinds]
        assert len(said) > 10
        assert [
            sentence for sentence in said if "→" in sentence or not sentence.endswith((".", "?", "!", "”", "“"))
        ] == []


def test_the_number_of_a_player_makes_no_name_of_a_title(tmp_path: Path) -> None:
    text = 'edition: 2026\ngame: pawns\nplayers: 2\ncomponents:\n  pawn:\n    title: "pawn of {it.seat}"\n    attributes: {seat: player}\n'
    text += "    each: {seat: player}\n    starts_in: box\nzones: {box: {holds: pawn, visible: all}, road: {holds: pawn, visible: all}}\n"
    text += "flow: {go: {turns: players, do: 'for p in pawn where p in box and p.seat == me: move p to road'}}\nwinner: {when: true}\n"
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    match = houserule.load(tmp_path).start(2, seed=1)
    told = [chronicle(match).text(event) for event in match.events if event.kind == "move"]
    assert told == [f"The pawn of Player {seat} goes from the box to the road." for seat in (1, 2)]


def test_one_piece_whose_title_is_a_plural_takes_a_verb_in_the_plural(tmp_path: Path) -> None:
    text = "edition: 2026\ngame: magic\nplayers: 2\ncomponents:\n  spell:\n    starts_in: box\n    pieces:\n"
    text += "      hands: {title: {en: Quick hands, de: Flinke Hände}, grammar: {en: {gender: pl}, de: {gender: pl}}}\n"
    text += "zones: {box: {holds: spell, visible: all, title: {de: Turm}, grammar: {de: {gender: m}}}, road: {holds: spell, visible: all}}\n"
    text += "flow: {go: {do: move box to road}}\nwinner: {when: true}\n"
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    for language, said in ("en", "The quick hands go from"), ("de", "Die flinken Hände kommen aus dem Turm"):
        match = houserule.load(tmp_path).start(2, seed=1, language=language)
        told = [chronicle(match).text(event) for event in match.events if event.kind == "move"]
        assert told[0].startswith(said)


WAYS = """\
edition: 2026
game: hollow
title: {en: Hollow, de: Höhle, ja: くぼみ, zh-Hant: 窪地}
players: 2
components:
  cap:
    title: {en: cap (brown), de: brauner Hut, ja: 帽子, zh-Hant: 帽子}
    grammar: {de: {gender: m, plural: braune Hüte}, ja: {counter: 本}, zh-Hant: {counter: 頂}}
    starts_in: tree
    attributes: {number: 1..3}
    each: {number: 1..3}
    variables:
      bent:
        type: bool
        title: {en: Bent, de: Krumm, ja: 曲がり, zh-Hant: 彎曲}
        grammar:
          en: {clause: is bent, not_clause: is straight}
          de: {clause: ist krumm}
          ja: {clause: 曲がっている, not_clause: 曲がっていない}
          zh-Hant: {clause: 已彎曲, not_clause: 未彎曲}
zones:
  tree: {holds: cap, visible: all, order: none, title: {en: Behind the tree, de: Baum, ja: 木, zh-Hant: 樹}, grammar: {en: {out: from behind the tree, into: behind the tree, inside: behind the tree}, de: {gender: m, out: hinter dem Baum hervor, into: hinter den Baum}}}
  nest: {holds: cap, visible: all, order: none, title: {en: nest, de: grünes Nest, ja: 巣, zh-Hant: 巢}, grammar: {de: {gender: n}}}
flow:
  go:
    turns: "[first(players)]"
    do: |
      choose found from tree "Which?"
      c = found!
      c.bent = true
      move c to nest
      c.bent = false
      move c to tree
      move tree to nest
      if any(x in nest where x.bent): c.bent = true
winner: {most: 1}

"""
MOVED = {
    "en": ["The cap (brown) is bent.", "The cap (brown) goes from behind the tree to the nest.", "The cap (brown) is straight.",
           "The cap (brown) goes from the nest behind the tree.", "3 caps (brown) go from behind the tree to the nest."],
    "de": ["Der braune Hut ist krumm.", "Der braune Hut kommt hinter dem Baum hervor in das grüne Nest.", "Der braune Hut ist nicht krumm.",
           "Der braune Hut kommt aus dem grünen Nest hinter den Baum.", "3 braune Hüte kommen hinter dem Baum hervor in das grüne Nest."],
    "ja": ["帽子が曲がっている状態になります。", "帽子が木から巣へ移ります。", "帽子が曲がっていない状態になります。", "帽子が巣から木へ移ります。", "帽子3本が木から巣へ移ります。"],
    "zh-Hant": ["帽子已彎曲。", "帽子從樹移到巢。", "帽子未彎曲。", "帽子從巢移到樹。", "3 頂帽子從樹移到巢。"],
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_grammar_key_gives_clauses_ways_and_counters(language: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(WAYS, encoding="utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1, language=language)
    choice = match.pending[0]
    match.answer(choice.player, choice.options[0])
    told = chronicle(match)
    assert [told.text(one) for one in match.events if one.kind in ("set", "move")] == MOVED[language]


def test_a_condition_uses_the_clause_of_a_grammar_key(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(WAYS, encoding="utf-8")
    shown = {language: markdown(rulebook(houserule.load(tmp_path), language=language)) for language in LANGUAGES}
    assert "If there is a cap (brown) x in the nest that is bent:" in shown["en"]
    assert "Choose a cap (brown) (the found) from behind the tree." in shown["en"]
    assert "Wenn es einen braunen Hut x aus dem grünen Nest gibt, der krumm ist:" in shown["de"]
    assert "巣の中に曲がっている帽子xがあるなら：" in shown["ja"]
    assert "如果巢中有已彎曲的帽子 x：" in shown["zh-Hant"]


@pytest.mark.parametrize(
    "grammar, said",
    [("", "「高帽子」3本が木から巣へ移ります。"), ("ja: {counter: 頭}", "「高帽子」3頭が木から巣へ移ります。")],
)
def test_pieces_are_counted_as_their_kind_is_unless_they_say_otherwise(grammar: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: hats\ntitle: {en: Hats, ja: 帽子}\nplayers: 1\n"
        "components:\n  cap:\n    title: {en: cap, ja: 帽子}\n    grammar: {ja: {counter: 本}}\n    starts_in: tree\n"
        f"    pieces: {{tall: {{count: 3, title: {{en: tall cap, ja: 高帽子}}, grammar: {{{grammar}}}}}}}\n"
        "zones:\n  tree: {holds: cap, visible: all, title: {en: tree, ja: 木}}\n"
        "  nest: {holds: cap, visible: all, title: {en: nest, ja: 巣}}\n"
        'flow: {go: {do: "move tree to nest"}}\nwinner: {most: 1}\n',
        encoding="utf-8",
    )
    match = houserule.load(tmp_path).start(1, seed=1, language="ja")
    assert said in [chronicle(match).text(one) for one in match.events]


def test_what_begins_and_ends_and_what_is_cleared_is_told_as_the_language_says_it(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: crate\ntitle: {en: Crate, ja: 木箱}\nplayers: 1\n"
        "variables:\n  mouldy:\n    type: bool\n    title: {en: The crate is mouldy, ja: 木箱がかびた}\n"
        "    grammar: {ja: {clause: 木箱がかびている, not_clause: 木箱がかびていない, begins: 木箱がかびます, ends: 木箱のかびが取れます}}\n"
        "  owner: {type: player or none, title: {en: Owner, ja: 持ち主}}\n"
        'flow: {go: {do: "owner = first(players)\\nmouldy = true\\nmouldy = false\\nowner = none"}}\nwinner: {most: 1}\n',
        encoding="utf-8",
    )
    for language, said in (
        ("ja", ["持ち主：Ann。", "木箱がかびます。", "木箱のかびが取れます。", "持ち主はなくなります。"]),
        ("en", ["The owner is now Ann.", "The crate is mouldy.", "The crate is not mouldy.", "The owner is cleared."]),
    ):
        match = houserule.load(tmp_path).start(["Ann"], seed=1, language=language)
        assert [chronicle(match).text(one) for one in match.events if one.kind == "set"] == said
    text = markdown(rulebook(houserule.load(tmp_path), "ja"))
    assert "木箱がかびます。" in text and "木箱のかびが取れます。" in text


def test_a_title_that_begins_with_a_member_is_inflected_like_it(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: stall\ntitle: {en: Stall, de: Stand}\nplayers: 1\n"
        "enums:\n  ware: {members: {rug: {title: {en: rug, de: roter Teppich}, grammar: {de: {gender: m}}}, jug: {title: {en: jug, de: Kanne}, grammar: {de: {gender: f}}}}}\n"
        "  size: {members: [small, large]}\n"
        'components:\n  lot:\n    title: {en: "{it.ware} ({it.size})", de: "{it.ware} ({it.size})"}\n    attributes: {ware: ware, size: size}\n'
        "    each: {ware: ware, size: size}\n    starts_in: stall\n"
        "zones:\n  stall: {holds: lot, visible: all, title: {en: stall, de: Stand}, grammar: {de: {gender: m}}}\n"
        "  hand(player): {holds: lot, visible: all}\n"
        'flow: {go: {turns: players, do: "for x in lot where x.size == small: move x to me.hand"}}\nwinner: {most: 1}\n',
        encoding="utf-8",
    )
    for language, said in (
        ("de", "Ann nimmt den roten Teppich (small) und die Kanne (small) aus dem Stand."),
        ("en", "Ann takes the rug (small) and the jug (small) from the stall."),
    ):
        match = houserule.load(tmp_path).start(["Ann"], seed=1, language=language)
        assert [chronicle(match).text(one) for one in match.events if one.kind == "move"] == [said]


def test_a_title_that_begins_with_the_noun_of_its_kind_is_inflected_like_it(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        """edition: 2026
game: apes
title: {de: Affen}
players: 2
components:
  ape:
    attributes: {seat: player}
    each: {seat: player}
    title: {de: "Affe von {it.seat}"}
    back_title: {de: Affe}
    grammar: {de: {gender: m, acc: Affen, dat: Affen, gen: Affen, plural: Affen}}
    starts_in: tree
zones:
  tree: {holds: ape, visible: all, title: {de: Baum}, grammar: {de: {gender: m}}}
  den(player): {holds: ape, visible: all, title: {de: Höhle}, grammar: {de: {gender: f}}}
flow:
  go: {turns: players, do: "move ape[me] to next(me).den; finish"}
winner: {most: 1}
""",
        "utf-8",
    )
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1, language="de")
    told = [chronicle(match).text(one) for one in match.events if one.kind == "move"]
    assert told[0] == "Bob nimmt den Affen von Ann aus dem Baum."


def test_a_title_that_is_a_name_takes_no_article_and_gives_it_to_what_is_called_after_it(tmp_path: Path) -> None:
    rules = """\
edition: 2026
game: towns
players: 2
components:
  town:
    attributes: {twin: town or none}
    title: "{it.twin}"
    pieces:
      bree: {title: Bree, grammar: {en: {proper: true}}}
      mill: {twin: hill}
      hill: {twin: mill}
    variables: {lit: bool}
  card: {title: "{it.town}", attributes: {town: town}, each: {town: town}, where: it.town == bree, starts_in: pile}
zones: {pile: {holds: card, visible: all}, gone: {holds: card, visible: all}}
flow:
  go:
    do: |
      bree.lit = true
      draw 1 from pile to gone
winner: {most: 1}
"""
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], 1)
    told = chronicle(match)
    assert [told.text(event) for event in match.events if event.kind in ("set", "move")] == [
        "“Lit” holds for Bree from now on.",
        "Bree goes from the pile to the gone.",
    ]
    assert "Bree" in markdown(rulebook(houserule.load(tmp_path)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_with_a_single_place_takes_without_naming_it(language: str, tmp_path: Path) -> None:
    """What lies in a place for bookkeeping is not counted: nobody is told of it."""
    text = GAME.replace("loot(player): {", "loot(player): {quiet: true, ")
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1, language=language)
    match.answer("Ann", "gold")
    told = [chronicle(match).text(event) for event in match.told(1).tables[1] if event.kind == "move"]
    said = {
        "en": "Bob takes the ruby from the gold chest.",
        "de": "Bob nimmt den Rubin aus der Truhe (Gold).",
        "zh-Hant": "Bob 從寶箱（黃金）拿走「紅寶石」。",
        "ja": "Bobは箱（金）から「ルビー」を取ります。",
    }
    assert said[language] in told


DICE = """\
edition: 2026
game: dice
players: 2
components:
  die: {title: {en: die, de: Würfel}, starts_in: cup, pieces: {red: {title: {en: red die, de: roter Würfel, zh-Hant: 紅骰子, ja: 赤いダイス}, grammar: {de: {gender: m}}}}}
zones: {cup: {holds: die, visible: all, title: {en: cup, de: Becher}, grammar: {de: {gender: m}}}}
variables: {pot: 0..9}
flow:
  go:
    turns: players
    do: |
      roll d from cup
      choose "More?" or pass:
        "Yes": pot += 1
winner: {most: 1}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["The lot falls on the red die.", "Ann passes."]),
        ("de", ["Das Los fällt auf den roten Würfel.", "Ann passt."]),
        ("zh-Hant", ["Ann 跳過。"]),
        ("ja", ["Annはパスします。"]),
    ],
)
def test_lots_have_articles_and_whoever_passes_passes(language: str, said: list[str], tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(DICE, "utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1, language=language)
    match.answer("Ann", "pass")
    told = [chronicle(match).text(event) for event in match.events]
    assert [one for one in said if one not in told] == [], told


SHOPS = """\
edition: 2026
game: shops
players: 2
components:
  tile: {title: {en: tile, de: Plättchen}, grammar: {de: {gender: n, plural: Plättchen}}, attributes: {n: 1..1}, each: {n: 1..1}, count: 4, starts_in: "display[shop[1]]"}
  shop: {title: "{it.number}", attributes: {number: 0..2}, each: {number: 0..2}}
  gate: {pieces: {low: {title: "1"}, high: {title: "23"}}}
  line: {title: {en: "line {it.row}", de: "Reihe {it.row}"}, attributes: {seat: player, row: 1..2}, each: {seat: player, row: 1..2}}
zones:
  display(shop): {holds: tile, visible: all, order: none, title: {en: shop, de: Laden}, grammar: {de: {gender: m, acc: Laden}}}
  way(gate): {holds: tile, visible: all, title: {en: gate, de: Tor}, grammar: {de: {gender: n}}}
  shelf(1..2): {holds: tile, visible: all, title: {en: shelf, de: Regal}, grammar: {de: {gender: n}}}
  pattern(line): {holds: tile, visible: all, order: none, title: {en: pattern, de: Muster}, grammar: {de: {gender: n}}}
  floor(player): {holds: tile, visible: all, title: {en: floor, de: Boden}, grammar: {de: {gender: m}}}
flow:
  go:
    do: |
      move (t in display[shop[1]]) to display[shop[0]]
      p = first(players)
      move first(display[shop[0]]) to pattern[line[p, 1]]
      move first(display[shop[0]]) to p.floor
      move first(display[shop[0]]) to shelf[1]
      move shelf[1] to shelf[2]
      move shelf[2] to way[low]
      move way[low] to way[high]
winner: {most: 1}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "4 tiles go from the shop (1) to the shop (0).",
                "Ann takes the tile from the shop (0) to the pattern (line 1).",
                "Ann takes the tile from the shop (0) to the floor.",
                "The tile goes from the shop (0) to the shelf (1).",
                "The tile goes from the shelf (1) to the shelf (2).",
                "The tile goes from the shelf (2) to the gate (1).",
                "The tile moves from 1 to 23.",
            ],
        ),
        (
            "de",
            [
                "4 × Plättchen kommen aus dem Laden (1) in den Laden (0).",
                "Ann nimmt das Plättchen aus dem Laden (0) in das Muster (Reihe 1).",
                "Ann nimmt das Plättchen aus dem Laden (0) in den Boden.",
                "Das Plättchen kommt aus dem Laden (0) in das Regal (1).",
                "Das Plättchen kommt aus dem Regal (1) in das Regal (2).",
                "Das Plättchen kommt aus dem Regal (2) in das Tor (1).",
                "Das Plättchen zieht von 1 nach 23.",
            ],
        ),
    ],
)
def test_places_that_are_mere_numbers_and_those_of_a_seat_are_named(
    language: str, said: list[str], tmp_path: Path
) -> None:
    (tmp_path / "game.yaml").write_text(SHOPS, "utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1, language=language)
    assert [chronicle(match).text(one) for one in match.events if one.kind == "move"] == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Ann puts Ann’s follower into the town.", "Bob puts 2 × Bob’s follower into the town."]),
        ("de", ["Ann legt Anns Mann in die Stadt.", "Bob legt 2 × Bobs Mann in die Stadt."]),
        ("zh-Hant", ["Ann 把「Ann 的米寶」放到城。", "Bob 把 2 個「Bob 的米寶」放到城。"]),
        ("ja", ["Annは「Annの手下」を町に置きます。"]),
    ],
)
def test_a_title_that_begins_with_a_player_takes_no_article_and_keeps_its_capital(
    language: str, said: list[str], tmp_path: Path
) -> None:
    (tmp_path / "game.yaml").write_text(
        """\
edition: 2026
game: town
players: 2
components:
  follower:
    title: {en: "{it.seat}’s follower", de: "{it.seat}s Mann", zh-Hant: "{it.seat} 的米寶", ja: "{it.seat}の手下"}
    attributes: {seat: player}
    each: {seat: player}
    count: 2
    starts_in: supply[it.seat]
zones:
  town: {holds: follower, visible: all, title: {en: town, de: Stadt, zh-Hant: 城, ja: 町}, grammar: {de: {gender: f}}}
  supply(player): {holds: follower, visible: all}
flow:
  go:
    do: |
      move first(first(players).supply) to town
      move last(players).supply to town
winner: {most: 1}
""",
        encoding="utf-8",
    )
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1, language=language)
    told = [chronicle(match).text(one) for one in match.events if one.kind == "move"]
    assert told[: len(said)] == said


LIGHT = """\
edition: 2026
game: spies
players: 2
variables:
  is_open: {type: bool, visible: all}
  evil(player): {type: bool, visible: is_open, title: {en: Is evil, de: Ist böse, zh-Hant: 壞人, ja: 悪者}, grammar: {zh-Hant: {clause: 是壞人, not_clause: 不是壞人}, ja: {clause: 悪者である, not_clause: 悪者でない}}}
flow:
  go:
    reveals: All learn who is evil.
    do: |
      first(players).evil = true
      is_open = true
      first(players) chooses n from 1..2 "Which?"
winner: {most: 1}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["It comes to light: Ann is evil.", "It comes to light: Bob is not evil."]),
        ("de", ["Es kommt ans Licht: Ann ist böse.", "Es kommt ans Licht: Bob ist nicht böse."]),
        ("zh-Hant", ["揭曉：Ann 是壞人。", "揭曉：Bob 不是壞人。"]),
        ("ja", ["判明しました：Annが悪者である。", "判明しました：Bobが悪者でない。"]),
    ],
)
def test_what_comes_to_light_is_a_clause_if_it_can_be_one(language: str, said: list[str], tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(LIGHT, encoding="utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1, language=language)
    told = [chronicle(match).text(one) for one in match.events_for("Ann") if one.kind == "light"]
    assert told == said


def test_what_is_none_is_no_news_beside_values_that_come_to_light(tmp_path: Path) -> None:
    rules = LIGHT.replace("evil(player): {type: bool,", "evil(player): {type: player or none,")
    rules = rules.replace("title: {en: Is evil", "title: {en: Victim").replace("evil = true", "evil = last(players)")
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1)
    told = [chronicle(match).text(one) for one in match.events_for("Ann") if one.kind == "light"]
    assert told == ["Ann’s victim comes to light: Bob."]
    (tmp_path / "game.yaml").write_text(rules.replace("first(players).evil = last(players)", ""), encoding="utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1)
    assert len([one for one in match.events_for("Ann") if one.kind == "light"]) == 2
