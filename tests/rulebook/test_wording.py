"""Rules whose sentences once said something else than the rules, or said it so that nobody could read it."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.rulebook import html, markdown, rulebook
from houserule.rulebook.phrasebook import CLOSES, phrasebook


def told(folder: Path, rules: str, language: str = "en") -> str:
    (folder / "game.yaml").write_text(f"edition: 2026\ngame: small\n{rules}", encoding="utf-8")
    return markdown(rulebook(houserule.load(folder), language))


BIDS = """\
players: 2
variables:
  passed(player): {type: bool, title: {en: Has passed, de: Hat gepasst, zh-Hant: 棄權, ja: パス}, grammar: {zh-Hant: {clause: 已棄權, not_clause: 未棄權}, ja: {clause: パスした, not_clause: パスしていない}}}
  bid: {type: 0..9, title: {en: Bid, de: Gebot, zh-Hant: 叫價, ja: 入札額}, grammar: {de: {gender: n}}}
  laid: {type: 0..9, title: {en: Stake, de: Einsatz, zh-Hant: 賭注, ja: 賭け金}, grammar: {de: {gender: m}}}
functions:
  settled: bid > 0 and bid == laid
flow:
  play:
    turns: players
    when: not me.passed and not settled
    do: bid += 1
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Only if you have not passed and (the bid is at most 0 or the bid is not the stake)."),
        ("de", "Nur wenn du nicht gepasst hast und (das Gebot höchstens 0 ist oder das Gebot nicht der Einsatz ist)."),
        ("zh-Hant", "且（叫價至多為 0，或叫價不是賭注）"),
        ("ja", "かつ（入札額が0以下、または入札額が賭け金でない）"),
    ],
)
def test_a_function_among_conditions_keeps_its_parts_together(tmp_path: Path, language: str, said: str) -> None:
    assert said in told(tmp_path, BIDS, language)


DUTIES = """\
players: 2
variables:
  duty(player): {type: bool, title: {en: Must stop, de: Muss aufhören}}
  leave_to(player): {type: bool, title: {en: May stop, de: Darf aufhören}}
  skill(player): {type: bool, title: {en: Can stop, de: Kann aufhören}}
  fallen(player): {type: bool, title: {en: Lies on the ground, de: Liegt am Boden}}
flow:
  play:
    turns: players
    do: |
      if not me.duty: me.leave_to = true
      if not me.leave_to: me.skill = true
      if not me.skill: me.fallen = true
      if not me.fallen: me.duty = true
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["you need not stop", "you may not stop", "you cannot stop", "you do not lie on the ground"]),
        ("de", ["du nicht aufhören musst", "du nicht aufhören darfst", "du nicht aufhören kannst"]),
    ],
)
def test_whoever_must_not_do_something_is_told_that_they_need_not(
    tmp_path: Path, language: str, said: list[str]
) -> None:
    text = told(tmp_path, DUTIES, language)
    assert [one for one in said if one not in text] == []


SHELVES = """\
players: 2
enums: {hue: [red, blue]}
components: {jar: {attributes: {hue: hue}, each: {hue: hue}, starts_in: bag}}
zones:
  bag: {holds: jar, visible: all}
  line(player, 1..3 row): {holds: jar, visible: all, title: {en: Line, de: Reihe, zh-Hant: 排, ja: 段}}
  shelf(1..3 level): {holds: jar, visible: all, title: {en: Shelf, de: Regal, zh-Hant: 架, ja: 棚}}
variables:
  tally(player, 1..3 row): {type: 0..9, title: {en: Tally, de: Strich, zh-Hant: 計數, ja: 印}}
  shut(1..3 gate): {type: bool, start: true, title: {en: Is shut, de: Ist zu}}
flow: {play: {turns: players, do: "tally[me, 1] += 1"}}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "There is one such place for each player and each row from 1 to 3.",
                "There is one such place for each level from 1 to 3.",
                "For each player and each row from 1 to 3: a number from 0 to 9.",
                "Whether the gate is shut; at first yes.",
            ],
        ),
        (
            "de",
            [
                "Für jeden Spieler und jede Zeile von 1 bis 3 ein eigener Bereich.",
                "Für jede Zahl von 1 bis 3 ein eigener Bereich.",
                "Für jeden Spieler und jede Zeile von 1 bis 3: eine Zahl von 0 bis 9.",
            ],
        ),
        ("zh-Hant", ["每位玩家和每個列（1 到 3）各有一處。", "每個數字（1 到 3）各有一處。"]),
        ("ja", ["各プレーヤーと1から3の各行に1か所ずつあります。", "1から3の各数に1か所ずつあります。"]),
    ],
)
def test_numbers_are_among_the_indices_of_places_and_values(tmp_path: Path, language: str, said: list[str]) -> None:
    text = told(tmp_path, SHELVES, language)
    assert [one for one in said if one not in text] == []


WINDOWS = """\
players: 3
variables: {pot: 0..9}
windows:
  reply(player victim): {turns: p in players where p == victim, ask: "Reply?"}
  answer_any(player victim): {turns: p in players from next(victim) where p != victim, ask: "Answer?"}
actions:
  parry(player victim): {in: [reply, answer_any], label: Parry, do: pot = 0}
flow:
  play:
    turns: p in players from last(players) where pot < 9
    do: |
      perform reply(me)
      perform answer_any(me)
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "- The players who are the victim may step in one after another, until",
                "- All players who are not the victim, beginning with the player after the victim, may step in one after another",
                "- Turns are taken by all players in turn for whom the pot is less than 9, beginning with the last of all players.",
            ],
        ),
        ("de", ["alle Spieler, die nicht dieser Spieler sind, angefangen mit dem Spieler nach dem Spieler, bis alle"]),
        ("zh-Hant", ["從玩家的下一位玩家開始的所有玩家（限符合「玩家 p 不是該玩家」的玩家）。"]),
        ("ja", ["から順に全プレーヤー（「プレーヤーpがそのプレーヤーでない」に当てはまる人）。"]),
    ],
)
def test_who_may_step_in_is_said_once(tmp_path: Path, language: str, said: list[str]) -> None:
    text = told(tmp_path, WINDOWS, language)
    assert [one for one in said if one not in text] == []


COINS = """\
players: 2
components: {coin: {attributes: {worth: 1..3}, each: {worth: 1..3}, starts_in: chest}}
zones: {chest: {holds: coin, visible: all}, purse: {holds: coin, visible: all}}
flow:
  play:
    turns: players
    do: |
      choose c from chest "Which?": move c to purse
      else: say "none there"
      choose c or pass from purse "Which?": move c to chest
      else: say "none taken"
"""


@pytest.mark.parametrize(
    ("language", "without", "declined"),
    [
        ("en", "If there is nothing to choose:", "If there is nothing to choose, or you decline:"),
        ("de", "Wenn nichts zu wählen ist:", "Wenn nichts zu wählen ist oder abgelehnt wird:"),
        ("zh-Hant", "如果沒有可選的：", "如果沒有可選的，或放棄選擇："),
        ("ja", "選べるものがないとき：", "選べるものがないか、選ばないとき："),
    ],
)
def test_only_who_may_pass_can_decline(tmp_path: Path, language: str, without: str, declined: str) -> None:
    text = told(tmp_path, COINS, language)
    assert text.count(without) == text.count(declined) == 1


TOKENS = """\
players: 2
components: {card: {attributes: {points: 0..2}, each: {points: 0..2}, starts_in: deck}}
zones:
  deck: {holds: card, visible: all}
  store(player): {holds: card, visible: all, title: walls in store}
variables: {love(player): {type: 0..9, title: Tokens of affection}}
flow:
  play:
    turns: players
    do: |
      if empty(me.store): me.love += sum(c.points for c in deck)
      if me.love > 3: move top(deck) to me.store
scoring: {love: {points: me.love}}
"""


def test_a_title_is_in_the_plural_by_its_noun(tmp_path: Path) -> None:
    text = told(tmp_path, TOKENS)
    said = [
        "If your walls in store are empty:",
        "the sum of the points of the cards in the deck",
        "If your tokens of affection are more than 3:",
        "Your tokens of affection count.",
    ]
    assert [one for one in said if one not in text] == []


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("points", "points"),
        ("token of affection", "tokens of affection"),
        ("lens", "lenses"),
        ("ox", "oxes"),
        ("painting by Marco", "paintings by Marco"),
        ("number shown", "numbers shown"),
        ("card discarded", "cards discarded"),
        ("flower bed", "flower beds"),
        ("poppy seed", "poppy seeds"),
    ],
)
def test_a_plural_is_made_of_the_noun_of_a_title(one: str, several: str) -> None:
    assert phrasebook("en").plural(one) == several


SAYINGS = """\
players: 2
variables: {score(player): {type: 0..9, title: {en: Score, de: Punktzahl}, grammar: {de: {gender: f}}}}
flow:
  play:
    turns: players
    do: |
      say "{me} says go."
      say "Now: {me.score}"
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Say: “(Your name) says go.”", "Say: “Now: your score”"]),
        ("de", ["Sage: „(Dein Name) says go.“", "Sage: „Now: deine Punktzahl“"]),
        ("zh-Hant", ["說：「（你的名字） says go.」"]),
        ("ja", ["「（自分の名前） says go.」"]),
    ],
)
def test_whoever_says_something_is_you(tmp_path: Path, language: str, said: list[str]) -> None:
    text = told(tmp_path, SAYINGS, language)
    assert [one for one in said if one not in text] == []


LABELS = """\
players: 2
enums: {gem: {title: {en: gem, de: Stein}, grammar: {de: {gender: m, acc: Stein}}, members: {ruby: {}, onyx: {}}}}
variables: {"gems(player, gem)": {type: 0..9, title: Gems}}
flow:
  play:
    turns: players
    do: |
      choose "Which?":
        "Take two {g}s" for g in gem: gems[me, g] += 2
        "Take a {g}" for g in gem: gems[me, g] += 1
        "Look at {g}" for g in gem: nothing
        "Polish your reserved {g}" for g in gem: nothing
        "Give the buyer {g}" for g in gem: nothing
        "Nimm deinen alten {g}" for g in gem: nothing
        "Nimm den {g}" for g in gem: nothing
        "Biete dem Kunden {g}" for g in gem: nothing
      choose row from 1..3 "Row?":
        say "{row}"
        say "He calls “{row}”."
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "“Take two gems”",
                "“Take a gem”",
                "“Look at the gem”",
                "Say: “Row”",
                "Say: “He calls ‘row’.”",
                "“Polish your reserved gem”",
                "“Give the buyer the gem”",
            ],
        ),
        (
            "de",
            [
                "„Nimm deinen alten Stein“",
                "„Nimm den Stein“",
                "„Biete dem Kunden der Stein“",
                "„Take two Steins“",
                "„Look at der Stein“",
                "Sage: „Row“",
            ],
        ),
        ("zh-Hant", ["說：「row」"]),
        ("ja", ["「row」と言います。"]),
    ],
)
def test_a_value_in_a_text_fits_the_words_around_it(tmp_path: Path, language: str, said: list[str]) -> None:
    text = told(tmp_path, LABELS, language)
    assert [one for one in said if one not in text] == []


def test_an_action_is_called_as_its_heading_is(tmp_path: Path) -> None:
    text = told(
        tmp_path,
        "players: 2\nvariables: {pot: 0..9}\nactions: {block_aid: {do: pot += 1}}\n"
        "flow: {play: {turns: players, do: perform block_aid}}\n"
        "triggers: {later: {whenever: after block_aid, do: pot = 0}}\n",
    )
    assert "### Block aid" in text
    assert "Carry out “Block aid”." in text
    assert "Each time after “Block aid”:" in text


DRAWS = """\
players: 2..3
components: {card: {title: {en: card, de: Karte, zh-Hant: 卡, ja: カード}, grammar: {de: {gender: f, plural: Karten}}, attributes: {rank: 0..9}, each: {rank: 0..9}, starts_in: deck}}
zones:
  deck: {holds: card, visible: none, title: {en: deck, de: Stapel, zh-Hant: 牌庫, ja: 山札}, grammar: {de: {gender: m}}}
  hand(player): {holds: card, visible: owner, title: {en: hand, de: Hand, zh-Hant: 手牌, ja: 手札}, grammar: {de: {gender: f}}}
flow:
  play:
    turns: players
    do: draw player_count * 2 from deck to me.hand
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Take cards from the top of the deck into your hand: as many as the number of players times 2."),
        ("de", "Nimm oben vom Stapel Karten zu deiner Hand; wie viele, sagt dies: die Zahl der Spieler mal 2."),
        ("zh-Hant", "從牌庫最上面拿卡到你的手牌，數量為玩家人數乘以 2。"),
        ("ja", "山札の上からカードを取り、自分の手札へ移します。数はプレーヤーの人数掛ける2。"),
    ],
)
def test_an_amount_that_is_worked_out_follows_what_it_is_of(tmp_path: Path, language: str, said: str) -> None:
    assert said in told(tmp_path, DRAWS, language)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Cards; all but the owner see them."),
        ("de", "Karten; alle außer dem Besitzer sehen sie."),
        ("zh-Hant", "放卡，除擁有者外都能看。"),
        ("ja", "カードの置き場所。持ち主以外の全員が見てよいものです。"),
    ],
)
def test_what_all_but_the_owner_see_is_told_so(tmp_path: Path, language: str, said: str) -> None:
    assert said in told(tmp_path, DRAWS.replace("visible: owner", "visible: viewer != player"), language)


PAWNS = """\
players: 2
enums: {gem: {title: {en: gem, de: Stein}, grammar: {de: {gender: m, acc: Stein}}, members: {ruby: {}, onyx: {}}}}
components:
  pawn: {title: {en: pawn, de: Bauer}, grammar: {de: {gender: m}}, attributes: {seat: player}, each: {seat: player}, starts_in: home}
  die: {title: {en: die, de: Würfel}, grammar: {de: {gender: m, plural: Würfel}}, starts_in: cup, pieces: {red: {}, blue: {}}}
zones:
  home: {holds: pawn, visible: all, title: {en: home, de: Haus}, grammar: {de: {gender: n}}}
  field: {holds: pawn, visible: all, title: {en: field, de: Feld}, grammar: {de: {gender: n}}}
  cup: {holds: die, visible: all, title: {en: cup, de: Becher}, grammar: {de: {gender: m}}}
variables: {"gems(player, gem)": {type: 0..9, title: {en: Gems, de: Vorrat}, grammar: {de: {gender: m}}}}
flow:
  play:
    turns: players
    do: |
      for g in gem where gems[me, g] < 4: gems[me, g] += 1
      if gems[me, ruby] > 3: move pawn[next(me)] to home
      move pawn[me] to field
      roll d from cup
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "- For each gem for which your gems for the gem are less than 4:",
                "- Add 1 to your gems for the gem.",
                "- If your ruby gems are more than 3:",
                "- Move the pawn of the player after you to the home.",
                "- Move your pawn to the field.",
                "- Draw lots for a die: one of the dice in the cup, each as likely as the others.",
            ],
        ),
        (
            "de",
            [
                "- Für jeden Stein, für den dein Vorrat für den Stein kleiner als 4 ist:",
                "- Lege deinen Bauer zum Feld.",
                "- Lose einen Würfel unter allen Würfeln aus dem Becher aus; alle sind gleich wahrscheinlich.",
            ],
        ),
    ],
)
def test_what_belongs_to_somebody_is_told_as_theirs(tmp_path: Path, language: str, said: list[str]) -> None:
    text = told(tmp_path, PAWNS, language)
    assert [one for one in said if one not in text] == []


@pytest.mark.parametrize(
    "language, said",
    [
        (
            "en",
            [
                "From now on, “taken” holds for you and that place.",
                "“taken” does not hold for you and",
                "the parcels that are gifts",
            ],
        ),
        ("de", ["„taken“ gilt für dich und"]),
    ],
)
def test_truth_variables_of_two_things_and_kinds_of_several_are_told(
    language: str, said: list[str], tmp_path: Path
) -> None:
    made = told(
        tmp_path,
        "players: 2\n"
        "enums: {spot: {title: place, members: [here, there]}}\n"
        "components:\n  gift: {title: gift, starts_in: pile, pieces: {bell: {}}}\n  stone: {starts_in: pile, pieces: {grey: {}}}\n"
        "zones: {pile: {title: parcels, holds: piece, visible: all}, heap: {holds: piece, visible: all}}\n"
        "variables:\n  taken(player, spot): bool\n"
        "actions:\n  mark(spot s): |\n    if not taken[me, s]: taken[me, s] = true\n    move (x in pile where x is gift) to heap\n"
        "flow: {play: {turns: players, do: perform mark(here)}}\n",
        language,
    )
    assert [one for one in said if one not in made] == []


TOGETHER = """\
players: 3
variables: {dead(player): {type: bool, title: {en: dead, de: tot, zh-Hant: 死, ja: 死}}, ready(player): {type: bool, title: {en: is ready, de: ist bereit}}}
functions:
  near: {title: {en: neighbours, de: Nachbarn}, do: "[first(players), last(players)]"}
flow:
  night: {together: p in players where not p.dead, do: me.ready = true}
  day: {together: players, do: me.ready = false}
  dusk: {together: p in near where p.ready, do: me.ready = false}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "- Everybody for whom “dead” does not hold does this at the same time, unseen by the others.",
                "- Everybody does this at the same time, unseen by the others.",
            ],
        ),
        (
            "de",
            [
                "- Alle, für die „tot“ nicht gilt, tun dies zugleich und unbesehen von den anderen.",
                "- Alle tun dies zugleich und unbesehen von den anderen.",
            ],
        ),
        ("zh-Hant", ["所有人同時暗中進行。"]),
        ("ja", ["全員同時に、見せずに行います。"]),
    ],
)
def test_who_of_all_does_something_at_the_same_time_is_said_of_them(
    language: str, said: list[str], tmp_path: Path
) -> None:
    made = told(tmp_path, TOGETHER, language)
    assert [one for one in said if one not in made] == []


HEAP = """\
players: 2
components: {chip: {title: {en: chip, de: Chip, zh-Hant: 籌碼, ja: チップ}, grammar: {de: {gender: m, plural: Chips}, zh-Hant: {counter: 枚}, ja: {counter: 枚}}, starts_in: heap, pieces: {red: {}, blue: {}}}}
zones:
  heap: {holds: chip, visible: all, order: none, title: {en: heap, de: Vorrat, zh-Hant: 供應區, ja: 置き場}, grammar: {de: {gender: m}}}
  mine(player): {holds: chip, visible: all, order: none, title: {en: hoard, de: Hort, zh-Hant: 寶庫, ja: 宝}, grammar: {de: {gender: m}}}
flow:
  play:
    turns: players
    do: |
      draw 1 from heap to me.mine
      draw 2 from heap to me.mine
      draw player_count from heap to me.mine
      move top(heap) to me.mine
      move first(heap, 2) to me.mine
      if top(heap): move first(c in heap where c == red) to me.mine
      if not top(heap): nothing
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "Take a chip from the heap into your hoard.",
                "Take 2 chips from the heap into your hoard.",
                "Take chips from the heap into your hoard: as many as the number of players.",
                "Move a chip from the heap to your hoard.",
                "Move 2 of the chips in the heap to your hoard.",
                "If there is a chip in the heap:",
                "Move one of the chips in the heap that are the red to your hoard.",
                "If there is no chip in the heap:",
            ],
        ),
        (
            "de",
            [
                "Nimm einen Chip aus dem Vorrat zu deinem Hort.",
                "Nimm 2 Chips aus dem Vorrat zu deinem Hort.",
                "Nimm Chips aus dem Vorrat zu deinem Hort; wie viele, sagt dies: die Zahl der Spieler.",
                "Lege einen Chip aus dem Vorrat zu deinem Hort.",
                "Lege 2 Chips aus dem Vorrat zu deinem Hort.",
                "Wenn es einen Chip im Vorrat gibt:",
                "Wenn es keinen Chip im Vorrat gibt:",
            ],
        ),
        ("zh-Hant", ["從供應區拿 1 枚籌碼到你的寶庫。", "把供應區中的 1 枚籌碼放到你的寶庫。"]),
        ("ja", ["置き場からチップを1枚取り、自分の宝へ移します。", "置き場のチップ1枚を自分の宝へ移します。"]),
    ],
)
def test_nothing_lies_on_top_where_order_means_nothing(language: str, said: list[str], tmp_path: Path) -> None:
    made = told(tmp_path, HEAP, language)
    assert [one for one in said if one not in made] == []


ENDS = """\
players: 2
enums: {colour: {title: {en: colour, de: Farbe}, grammar: {de: {gender: f, plural: Farben}}, members: {red: {title: {en: red, de: Rot}}, blue: {title: {en: blue, de: Blau}}}}}
components:
  chip:
    title: {en: chip, de: Chip}
    grammar: {de: {gender: m, plural: Chips}}
    attributes: {colour: colour, worth: {type: 0..9, title: {en: worth, de: Wert}, grammar: {de: {gender: m}}}}
    each: {colour: colour, worth: 0..3}
    starts_in: heap
zones:
  heap: {holds: chip, visible: all, title: {en: heap, de: Haufen}, grammar: {de: {gender: m, dat: Haufen, acc: Haufen}}}
  mine(player): {holds: chip, visible: all, title: {en: hoard, de: Hort}, grammar: {de: {gender: m}}}
variables: {score(player): {type: 0..9, title: {en: score, de: Stand}, grammar: {de: {gender: m}}}}
flow:
  play:
    turns: players
    title: {en: Round, de: Runde}
    until: any(p in players where p.score > 5)
    do: |
      move (c in heap where c.colour == red) to me.mine
      move first((c in heap by c.worth), 2) to me.mine
      if count(c in heap where c.colour == red) > 2 and empty(c in heap where c.colour == blue): nothing
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "Move the chips in the heap whose colour is red to your hoard.",
                "Move the first 2 of the chips in the heap, in order of worth, to your hoard.",
            ],
        ),
        (
            "de",
            [
                "Lege alle Chips aus dem Haufen, deren Farbe Rot ist, zu deinem Hort.",
                "an den ersten 2 Stellen von allen Chips aus dem Haufen, geordnet nach Wert, zu deinem Hort.",
                "aller Chips aus dem Haufen, deren Farbe Rot ist, größer als 2 ist, und",
                "- Am Ende von „Runde“ ist das Spiel vorbei, wenn es einen Spieler gibt, dessen Stand größer als 5 ist.",
            ],
        ),
    ],
)
def test_a_comma_that_begins_a_clause_has_one_that_ends_it(language: str, said: list[str], tmp_path: Path) -> None:
    made = told(tmp_path, ENDS, language)
    assert [one for one in said if one not in made] == []
    assert CLOSES not in made


GROUPED = """\
players: 2
components:
  place: {attributes: {number: 1..3}, each: {number: 1..3}}
  card:
    attributes: {world: bool, cost: 0..3}
    starts_in: deck
    pieces: {moon: {world: true, cost: 1, count: 3}, bank: {cost: 2, count: 3}, fort: {cost: 3}}
zones:
  deck: {holds: card, visible: all}
  spot(place): {holds: card, visible: all, capacity: 1}
  hand(player): {holds: card, visible: all}
functions:
  agent(player p): moon#1 if empty(p.hand) else fort
  fits(card c, bool worlds): c.world == worlds and c.cost <= 2
  cheap(player p): (c in p.hand where c.cost < 2)
  taken(place p): any(p.spot)
  full(int n): (p in place where p.spot and p.spot.cost == n)
  beats(card a, card b): |
    if b is fort: finish with a is moon
    finish with a.cost > b.cost
  value(card c, int n): |
    if c is fort: finish with n
    finish with c.cost + n
eliminated: empty(cheap(me))
flow:
  play:
    while: any(hand) and any(deck)
    turns: players
    do: |
      roll c from me.hand
      choose card from x in deck where fits(x, true) or x.cost > 2: move card to me.hand
      choose 1..player_count who from players: say "{count(full(2))}"
      if agent(me) == top(deck): nothing
      for p in place where not taken(p): draw 1 from deck to p.spot
      for x in card where x not in hand: say "{x}"
      choose p from place where empty(it.spot):
        choose q from place where empty(it.spot) and it != p: draw 1 from deck to q.spot
      if value(top(deck)!, value(first(card)!, 2)) + 1 > 3 and beats(first(card)!, top(deck)!): nothing
      if any(n in 1..3 where any(full(n))): next(me) chooses c from deck "What does {me} get?"
scoring: {cards: count(me.hand)}
"""


def test_what_belongs_together_is_grouped_and_several_places_are_not_one(tmp_path: Path) -> None:
    text = told(tmp_path, GROUPED)
    for said in (
        "This is repeated as long as at least one hand is not empty and the deck is not empty.",
        "Draw lots for a card: one of the cards in your hand",
        "Choose a card from the deck for which “fits” holds for the card and yes or the card’s cost is more than 2.",
        "Choose players (1 to the number of players) (“who”).",
        "If (the moon if your hand is empty, otherwise the fort) is the top card of the deck:",
        "For each place for which the spot for the place is empty:",
        "For each card x that is in none of the hands:",
        "Choose a place whose spot is empty.",
        "Choose a place q whose spot is empty and that is not that place.",
        "If there is a number n from 1 to 3 for which there is something in “full” for n:",
        "“What does (your name) get?”",
        "- For the card and card b, the first result counts:",
        "If (“value” for the top card of the deck; and (“value” for the first of the card and 2)) plus 1 is more than 3 and",
        "You are out of the game while there is no card in your hand whose cost is less than 2.",
        "if (either both or neither of these hold: “world” holds for the card; “worlds” holds) and the card’s cost",
    ):
        assert said in text, said


DICE = """\
players: 2
components:
  die:
    title: {en: Die, de: Würfel, zh-Hant: 骰子, ja: ダイス}
    grammar: {de: {gender: m, plural: Würfel, acc: Würfel}}
    variables: {pips: {type: 1..6, start: 1}}
    pieces: {red_die: {count: 3, title: {en: Red die, de: roter Würfel, zh-Hant: 紅骰, ja: 赤いダイス}}}
flow:
  play:
    do: |
      for d in die: roll d.pips from 1..6
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Roll the die: 1 to 6, each as likely as the others.", "| 3 | Dice |"]),
        ("de", ["Wirf den Würfel: 1 bis 6, alle gleich wahrscheinlich.", "| 3 | Würfel |"]),
        ("zh-Hant", ["擲骰子：1 到 6，機會均等。", "| 3 | 骰子 |"]),
        ("ja", ["ダイスを振ります：1から6（確率は等しい）。", "| 3 | ダイス |"]),
    ],
)
def test_a_piece_with_one_number_that_is_rolled_is_a_die_in_the_box(
    tmp_path: Path, language: str, said: list[str]
) -> None:
    made = told(tmp_path, DICE, language)
    assert [one for one in said if one not in made] == [], made


NEVER = """\
players: 2
options: {quick: {type: bool, default: false, text: Whether it is quick.}}
components:
  card:
    functions: {done: false, ready: {title: Is ready, do: true}}
    starts_in: deck
    pieces: {moon: {done: true}, sun: {ready: false}, fort: {done: count(deck) > 2}}
zones:
  deck: {holds: card, visible: all}
variables: {n: int}
actions:
  turn(card c): {title: Turning over a card, do: move c to deck}
triggers:
  fast: {whenever: n changes, when: quick, do: n = 3}
flow:
  rush: {when: quick, do: n += 1}
  play:
    turns: players
    do: |
      choose "What?":
        "Slow": n += 1
        "Swift" when quick: n += 2
      if top(deck)!.done and top(deck)!.ready: perform turn(top(deck)!)
scoring: {cards: n, extra: {points: 2, when: quick}}
"""


def test_what_settings_rule_out_is_left_out(tmp_path: Path) -> None:
    text = told(tmp_path, NEVER)
    assert [one for one in ("never", "always", "Rush", "Fast", "Swift", "Extra") if one in text] == []
    for said in (
        "### Turning over a card\n\n- For the card:\n  - Move the card to the deck.",
        "“Done” gives no where nothing else is said.",
        "“Is ready” gives yes where nothing else is said.",
        "- “Done” holds for the moon.",
        "- The sun is not ready.",
        "- “Done” holds for the fort if the number of cards in the deck is more than 2.",
    ):
        assert said in text, said


LEAVING = """\
players: 2
components:
  card: {starts_in: deck, pieces: {moon: {count: 9}}}
zones:
  deck: {holds: card, visible: all}
  slot: {holds: card, visible: all, capacity: 1, title: {en: Slot, de: Fach, zh-Hant: 格, ja: 枠}, grammar: {de: {gender: n}}}
flow:
  play:
    title: Round
    turns: players
    do: |
      move slot to deck
      if count(deck) == 9: leave play
      if count(deck) == 8: finish play
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            ["Move the card in the slot to the deck.", "Go on with what comes after “Round”.", "pass of “Round” is"],
        ),
        ("de", ["Weiter mit dem, was nach „Round“ kommt."]),
        ("zh-Hant", ["接著進行「Round」之後的部分。"]),
        ("ja", ["「Round」の次に進みます。"]),
    ],
)
def test_leaving_a_step_goes_on_after_it_and_a_place_for_one_has_no_everything(
    tmp_path: Path, language: str, said: list[str]
) -> None:
    made = told(tmp_path, LEAVING, language)
    assert [one for one in said if one not in made] == []


def test_a_printed_list_counts_what_stands_in_it_many_times(tmp_path: Path) -> None:
    rules = """\
players: 2
enums: {ware: {members: {stone: {}, ore: {}}}}
components:
  site:
    attributes: {price: list of ware}
    pieces: {wall: {price: "[stone, stone, stone, ore]"}, hut: {price: "[ore, stone]"}, camp: {price: "[]"}}
flow: {play: {do: say "Go."}}
"""
    text = told(tmp_path, rules)
    for said in ("| 1 × | Wall | 3 × stone and ore |", "| 1 × | Hut | ore and stone |", "| 1 × | Camp |  |"):
        assert said in text, text


def test_lists_in_a_list_stand_apart() -> None:
    english, german, japanese = phrasebook("en"), phrasebook("de"), phrasebook("ja")
    assert english.listed(["Stone", "Ore", "Wood"]) == "Stone, Ore and Wood"
    assert english.listed(["North and South", "East and West"]) == "North and South; and East and West"
    assert english.listed(["Azur, double", "Dorn", "Elster, single"]) == "Azur, double; Dorn; and Elster, single"
    assert german.listed(["Nord und Süd", "Ost und West"]) == "Nord und Süd; und Ost und West"
    assert japanese.listed(["北と南", "東と西"]) == "北と南と東と西"
    assert english.plural("parasol, spotted") == "parasols, spotted"
    assert english.plural("flag of Player 2") == "flags of Player 2"
    assert english.plural("flag 2 of Ben") == "flag 2 of Ben"


TEMPLE = """\
players: 2
components:
  site: {starts_in: map, pieces: {temple: {title: Temple of the Sun}, spring: {title: Hot spring}}}
zones:
  map: {holds: site, visible: all}
  offer(player): {holds: site, visible: all, title: Offer to the Sun}
variables: {goal(player): {type: site, start: temple, title: Goal in the East}}
flow:
  play: {turns: players, do: "if temple in map and me.goal is not spring: move temple to me.offer"}
scoring: {sites: count(me.offer)}
"""


def test_the_title_of_a_thing_keeps_its_capitals_and_that_of_a_place_does_not(tmp_path: Path) -> None:
    text = told(tmp_path, TEMPLE)
    assert "If Temple of the Sun is in the map and your goal in the East is not a hot spring:" in text
    assert "Move Temple of the Sun to your offer to the Sun." in text


CHALLENGED = """\
players: 2..4
components:
  card: {attributes: {worth: 1..5}, each: {worth: 1..5}, count: 3, starts_in: deck}
zones:
  deck: {holds: card, visible: none}
  hand(player): {holds: card, visible: owner, title: Hand}
variables:
  coins(player): {type: 0..9, start: 5, title: Coins}
windows:
  mercy(player victim): {turns: "[victim]"}
  doubt(player claimant): {turns: "players from next(claimant) - [claimant]"}
functions:
  allowed(player p, card c): {title: Allowed, do: "true"}
actions:
  block: {in: mercy, title: Block, do: me.coins -= 1}
  doubted: {in: doubt, title: Doubt, do: me.coins -= 1}
flow:
  go:
    turns: players
    repeat: 3
    do: |
      draw 1 from deck to me.hand
      draw 1 from deck to me.hand
      winner_ = first(players)
      winner_.coins -= 1
      choose n from (k in 1..me.coins) "How many?": nothing
      choose 2 back from me.hand "Which?":
        move back to deck
      for p in players - [me]: p.coins -= 1
      for p in players from next(me) - [me]: p.coins -= 1
      if allowed(me, top(deck)!): perform mercy(me)
      perform doubt(me)
scoring:
  coins: me.coins + sum((c.worth if c in deck else -c.worth) for c in card)
winner: {most: points, then: [-count(me.hand)], tie: draw, nobody: draw}
"""


def test_who_may_step_in_what_is_chosen_and_what_breaks_a_tie_are_told_as_they_are_meant(tmp_path: Path) -> None:
    text = told(tmp_path, CHALLENGED)
    for said in (
        "The victim may step in any number of times, until passing.",
        "All players other than the claimant, beginning with the player after the claimant, may step in one after another,",
        "For each player other than you:",
        "In turn, beginning with the player after you, for each player other than you:",
        "Choose 2 cards (the back) from your hand.",
        "Choose n from 1 to your coins.",
        "“The winner” means the first player.",
        "the sum of (the card’s worth if the card is in the deck, otherwise minus the card’s worth) for each card",
        "This always holds for the player and the card.",
        "A tie is broken by the number of cards in your hand (the lower, the better).",
    ):
        assert said in text, said
    assert "If nobody wins" not in text


def test_who_is_left_out_is_told_in_every_language(tmp_path: Path) -> None:
    for language, said in (
        ("de", "Für jeden Spieler p, außer dir:"),
        ("zh-Hant", "對你以外的每位玩家"),
        ("ja", "自分を除く各プレーヤー"),
    ):
        assert said in told(tmp_path, CHALLENGED, language), language


VERDICTS = """\
players: 2
components: {card: {title: {en: card, de: Karte, zh-Hant: 卡, ja: カード}, grammar: {de: {gender: f}}, starts_in: deck, pieces: {moon: {count: 9}}}}
zones:
  deck: {holds: card, visible: all, title: {en: deck, de: Stapel, zh-Hant: 牌庫, ja: 山札}, grammar: {de: {gender: m}}}
  hand(player): {holds: card, visible: all, title: {en: hand, de: Hand, zh-Hant: 手牌, ja: 手札}, grammar: {de: {gender: f}}}
variables: {true_bid: {type: bool, title: {en: The bid is true, de: Das Gebot ist wahr, zh-Hant: 叫價屬實, ja: 宣言が正しい}, grammar: {zh-Hant: {clause: 叫價屬實, not_clause: 叫價不實}, ja: {clause: 宣言が正しい, not_clause: 宣言が正しくない}}}}
flow:
  play:
    turns: players
    do: |
      move top(deck) to (me if true_bid else next(me)).hand
      if count(me.hand) > 3: end game with defeat of me if true_bid else next(me)
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "Move the top card of the deck to the hand of (you if the bid is true, otherwise the player after you).",
                "  - If the bid is true:\n    - The game ends at once; you lose, and all others win.",
                "  - Otherwise:\n    - The game ends at once; the player after you loses, and all others win.",
            ],
        ),
        (
            "de",
            [
                "zur Hand (deiner, wenn das Gebot wahr ist, sonst des Spielers nach dir).",
                "  - Wenn das Gebot wahr ist:\n    - Das Spiel endet sofort; du verlierst, und alle anderen gewinnen.",
            ],
        ),
        ("zh-Hant", ["放到（若叫價屬實則為你，否則為你的下一位玩家）的手牌。", "  - 如果叫價屬實："]),
        ("ja", ["（宣言が正しいなら自分、そうでなければ自分の次のプレーヤー）の手札", "  - 宣言が正しいなら："]),
    ],
)
def test_what_depends_on_a_condition_ends_before_other_words_follow(
    tmp_path: Path, language: str, said: list[str]
) -> None:
    text = told(tmp_path, VERDICTS, language)
    assert [one for one in said if one not in text] == [], text


NAMED = """\
players: 2
components:
  marker: {title: {en: marker, de: Marke, zh-Hant: 標記, ja: 目印}, grammar: {de: {gender: f}}, starts_in: middle, pieces: {first_marker: {title: {en: first marker, de: Startmarke, zh-Hant: 起始標記, ja: 先手の目印}, grammar: {de: {gender: f}}}, eve: {title: Eve, grammar: {en: {proper: true}}}}}
  army: {title: {en: army, de: Armee, zh-Hant: 軍隊, ja: 軍隊}, grammar: {de: {gender: f}}, attributes: {seat: player, number: 1..3}, each: {seat: player, number: 1..3}, starts_in: "land[field[3]]", variables: {order: {type: 0..3, visible: viewer == it.seat, title: Order}}}
  field: {title: {en: field, de: Feld, zh-Hant: 格, ja: マス}, grammar: {de: {gender: n}}, attributes: {row: 1..3}, each: {row: 1..3}}
zones:
  middle: {holds: marker, visible: all, title: {en: middle, de: Mitte, zh-Hant: 中央, ja: 中央}, grammar: {de: {gender: f}}}
  land(field): {holds: army, visible: all, title: {en: land, de: Land, zh-Hant: 土地, ja: 土地}, grammar: {de: {gender: n, plural: Länder}}}
variables:
  safe(player): {type: bool, title: {en: Is safe, de: Ist sicher}}
  tally(player): {type: 0..9, title: {en: tally, de: Stand, zh-Hant: 計數, ja: 数}, grammar: {de: {gender: m}}}
functions:
  has_run(int n): {title: Has run, do: "tally[first(players)] > n"}
flow:
  play:
    turns: players
    repeat: player_count
    do: |
      if eve in middle: move first_marker to middle
      for i in 1..3: move army[me, i] to land[field[1]]
      for a in land:
        home = place(a, land)
        if home: move first(a in land where a.seat == me, me.tally) to land[home]
      roll stolen from land[field[1]]
      if stolen: move stolen to land[field[2]]
      so_far = first(land[field[1]])
      if so_far: move so_far to land[field[3]]
      for p in first(players, 2): p.tally = 0
      done = false
      if has_run(2): done = true
      if not done: me.safe = true
triggers:
  safety: {whenever: safe of p changes, do: p.tally += 1}
scoring: {tally: me.tally}
winner: {most: points, then: [-me.tally], tie: draw}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "This is done as many times as this says: the number of players.",
                "If Eve is in the middle:",
                "Move the first marker to the middle.",
                "Move your army i to the land for the field with row 1.",
                "“The home” means the field with the army in any of the lands.",
                "Draw lots for an army (the stolen army): one of the armies in the",
                "If there is a stolen army:",
                "“So far” means the first of the armies in the",
                "Move “so far” to the",
                "For each of the first 2 of all players:",
                "From now on, “done” does not hold.",
                "If “Has run” holds for 2:",
                "- From now on, “done” holds.",
                "Whenever it changes whether the player is safe:",
                "it is seen if whoever looks is the army’s player",
                "A tie is broken by your tally (the lower, the better).",
                "If several are still tied, it is a draw.",
            ],
        ),
        (
            "de",
            [
                "Lege die Startmarke zur Mitte.",
                "Immer wenn sich ändert, ob der Spieler sicher ist:",
                "Besteht der Gleichstand dann noch, endet das Spiel unentschieden.",
            ],
        ),
        ("zh-Hant", ["軍隊所在的格（所有土地）", "仍然同分時為平手。"]),
        ("ja", ["軍隊があるマス（すべての土地）", "それでも同点のときは引き分けです。"]),
    ],
)
def test_single_things_have_articles_and_names_that_are_no_nouns_stand_as_names(
    tmp_path: Path, language: str, said: list[str]
) -> None:
    text = told(tmp_path, NAMED, language)
    assert [one for one in said if one not in text] == [], text


PUSHED = """\
players: 2
enums: {way: [left, right]}
components:
  cell: {title: cell, attributes: {row: 1..3}, each: {row: 1..3}}
  stick: {title: chopsticks, starts_in: bag, pieces: {bamboo: {count: 3}}}
  marble: {title: marble, starts_in: bag2, pieces: {round_one: {count: 3}}}
zones:
  bag: {holds: stick, visible: all, title: bag}
  bag2: {holds: marble, visible: all, order: none, title: sack}
  board(cell): {holds: marble, visible: all, title: marbles on a cell}
functions:
  neighbours_of(cell c): {title: neighbours, do: (d in cell where d != c)}
variables:
  alone(player): {type: bool, title: Plays alone}
  tally(player, way): {type: 0..9, title: tally}
flow:
  play:
    turns: players
    do: |
      if any(c for c in cell for w in way where tally[me, w] > c.row): me.alone = true
      if not me.alone and any(s in bag where s is stick): nothing
      choose n from 1..2 "How many?": move first(bag2, n) to board[cell[1]]
      move first(bag2, tally[me, left]) to board[cell[2]]
      ahead = first(bag2)
      if ahead: move ahead to board[cell[3]]
      if first(c in cell where c.row > 2) and count(distinct(cell[1].neighbours_of + cell[2].neighbours_of)) > 3: nothing
      at_end = first(bag)
      if at_end: move at_end to bag
      led = first(bag)
      if led: move led to bag
      if top(bag) is stick: say "Yes"
      for p in most(q in players by tally[q, left] + tally[q, right]): p.alone = false
"""


def test_what_an_editor_would_strike_out(tmp_path: Path) -> None:
    text = told(tmp_path, PUSHED)
    for said in (
        "If for at least one cell, there is a way for which your tally for the way is more than the cell’s row:",
        "If you do not play alone and",
        "Move n of the marbles in the sack to",
        "Move some of the marbles in the sack (as many as your left tally) to",
        "“Ahead” means",
        "If “ahead” is there:",
        "If there is a cell whose row is more than 2 and the number of “neighbours” for the cell with row 1 and",
        "(each only once) is more than 3:",
        "“At end” means",
        "“The led chopsticks” means",
        "is chopsticks:",
        "For each player of the players with the greatest value (",
    ):
        assert said in text, f"{said}\n{text}"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["For each metal in reverse order:", "There are 4, one for each left and right."]),
        ("de", ["Für jedes „metal“ in umgekehrter Reihenfolge:", "Es gibt 4: 1 je left und right."]),
        ("zh-Hant", ["對順序相反的每個 metal：", "left 和 right 的每種組合各一個"]),
        ("ja", ["逆順で各metalについて：", "leftとrightの各組に1個ずつ"]),
    ],
)
def test_all_of_a_kind_go_backwards_and_two_of_one_kind_are_told_apart(
    tmp_path: Path, language: str, said: list[str]
) -> None:
    rules = """\
players: 2
enums: {metal: {members: [tin, gold]}}
components: {tile: {attributes: {left: metal, right: metal}, each: {left: metal, right: metal}, starts_in: bag}}
zones: {bag: {holds: tile, visible: none}}
variables: {total(metal): int}
flow:
  melt:
    do: |
      for m in reverse(metal): total[m] += count(bag)
"""
    text = told(tmp_path, rules, language)
    assert [one for one in said if one not in text] == []


HOLDERS = """\
players: 2
components:
  jar: {title: {en: jar, de: Krug, zh-Hant: 罐, ja: つぼ}, grammar: {de: {gender: m}}, attributes: {seat: player}, each: {seat: player}, starts_in: shelf}
zones: {shelf: {holds: jar, visible: all, capacity: 2}, floor: {holds: jar, visible: all}}
functions:
  holds(player p, jar j): {do: j in shelf and j.seat == p, title: {en: Holding, de: Griff, zh-Hant: 握, ja: 所持}}
flow:
  play:
    turns: players
    do: |
      choose x from y in shelf where me.holds(y) "Which?":
        move x to floor
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "for which “Holding” holds for you and the jar."),
        ("de", "für den „Griff“ für dich und den Krug gilt."),
        ("zh-Hant", "『握』對你和罐"),
        ("ja", "自分とつぼが『所持』に当てはまる"),
    ],
)
def test_a_function_of_a_player_names_all_that_it_is_asked_for(tmp_path: Path, language: str, said: str) -> None:
    text = told(tmp_path, HOLDERS, language)
    assert said in text


LAID = """\
players: 2..3
components:
  card: {title: {en: card, de: Karte, zh-Hant: 牌, ja: カード}, grammar: {de: {gender: f, plural: Karten}}, attributes: {seat: player, n: 1..2}, each: {seat: player, n: 1..2}, starts_in: deck}
  pawn: {title: {en: pawn, de: Bauer, zh-Hant: 兵, ja: 駒}, grammar: {de: {gender: m, plural: Bauern}}, attributes: {seat: player}, each: {seat: player}, where: it.seat != first(players), starts_in: yard}
  king: {title: {en: king, de: König, zh-Hant: 王, ja: 王}, grammar: {de: {gender: m, plural: Könige}}, attributes: {seat: player}, each: {seat: player}, starts_in: yard}
zones:
  yard: {holds: piece, visible: all, order: none}
  deck: {holds: card, visible: none, title: {en: deck, de: Stapel, zh-Hant: 牌庫, ja: 山札}, grammar: {de: {gender: m}}}
  laid(player): {holds: card, visible: all, capacity: 1, title: {en: card laid, de: gelegte Karte, zh-Hant: 出的牌, ja: 出した札}, grammar: {de: {gender: f, plural: gelegte Karten}}}
variables:
  score(player): {type: 0..99, start: 5 if player == first(players) else 0, title: {en: score, de: Punktzahl, zh-Hant: 分數, ja: 得点}, grammar: {de: {gender: f}}}
actions:
  put: {title: {en: Put, de: Setzen, zh-Hant: 放, ja: 置く}, do: "draw 1 from deck to me.laid"}
flow:
  play:
    turns: players
    do: |
      if (me.score after perform put) > 3: me.score += 1
      move laid to deck
teams: position(players, me) % 2
scoring: {points: {title: {en: Points, de: Punkte, zh-Hant: 分, ja: 点}, points: "me.score + sum(p.score for p in partners)"}}
"""


@pytest.mark.parametrize(
    ("language", "said", "unsaid"),
    [
        (
            "en",
            [
                "each player begins with 5 if the player is the first player, otherwise 0.",
                "(as it would be after “Carry out ‘Put’”)",
                "Move everything in all cards laid to the deck.",
                "the sum of the scores of your partners.",
                "There are 3, one for each player.",
            ],
            "There are 2",
        ),
        (
            "de",
            [
                "Alle beginnen mit 5, wenn der Spieler der erste Spieler ist, sonst 0.",
                "(so, wie es nach „Führe ‚Setzen‘ aus“ wäre)",
                "Lege alles aus allen gelegten Karten zum Stapel.",
                "Es gibt 3: für jeden Spieler 1.",
            ],
            "Es gibt 2",
        ),
        ("zh-Hant", ["若玩家是第一位玩家則為 5", "「執行『放』」", "共 3 個，每位玩家各一個。"], "共 2 個"),
        (
            "ja",
            ["プレーヤーが最初のプレーヤーなら5", "「『置く』を行います」", "味方の得点の合計。", "全部で3個。"],
            "全部で2個",
        ),
    ],
)
def test_pieces_of_some_players_and_zones_of_all_are_told_as_they_are(
    tmp_path: Path, language: str, said: list[str], unsaid: str
) -> None:
    text = told(tmp_path, LAID, language)
    assert [one for one in said if one not in text] == [] and unsaid not in text


@pytest.mark.parametrize(
    ("title", "many"),
    [("card laid", "cards laid"), ("man captured", "men captured"), ("top speed", "top speeds"), ("bid", "bids")],
)
def test_the_plural_of_a_noun_before_a_participle_is_that_of_the_noun(title: str, many: str) -> None:
    assert phrasebook("en").plural(title) == many


CHIEF = """\
players: 2
variables: {chief: {type: player or none, title: {en: Chief, de: Häuptling}}, score(player): int}
components: {card: {starts_in: deck, pieces: {ace: {count: 9}}}}
zones: {deck: {holds: card, visible: all}, hand(player): {holds: card, visible: all}}
flow:
  play:
    turns: players
    do: |
      p = chief
      if p: p.score += 1
      if not p: chief = me
      if chief: me.score += 1
      c = top(deck)
      if c: move c to me.hand
scoring: {score: me.score}
"""


@pytest.mark.parametrize(
    ("language", "said", "unsaid"),
    [
        (
            "en",
            ["If the player is there:", "If the player is missing:", "If there is a chief:", "If there is a card:"],
            "there is a player",
        ),
        ("de", ["Wenn der Spieler da ist:", "Wenn der Spieler fehlt:"], "einen Spieler gibt"),
    ],
)
def test_a_name_for_a_player_that_may_be_none_is_not_told_as_any_player(
    tmp_path: Path, language: str, said: list[str], unsaid: str
) -> None:
    text = told(tmp_path, CHIEF, language)
    assert [one for one in said if one not in text] == [] and unsaid not in text


ONCE = """\
title: {en: Small, de: Klein, ja: 小, zh-Hant: 小}
players: 2
options: {days: {type: 1..3, default: 1, text: {en: Days., de: Tage., ja: 日。, zh-Hant: 日。}}}
variables: {walks(player): int}
flow:
  go:
    turns: players
    do: |
      repeat days times: me.walks += 1
scoring: {walks: me.walks}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Do this once:"), ("de", "Tu dies einmal:"), ("ja", "1回："), ("zh-Hant", "做 1 次：")],
)
def test_what_is_repeated_once_under_the_options_is_told_as_once(tmp_path: Path, language: str, said: str) -> None:
    text = told(tmp_path, ONCE, language)
    assert said in text and "1 times" not in text and "1-mal" not in text


def test_straight_apostrophes_are_printed_as_those_of_the_book(tmp_path: Path) -> None:
    rules = "title: The Fox's Den\nplayers: 2\nflow: {walk: {turns: players, text: \"It's 'late'.\", do: nothing}}\n"
    text = told(tmp_path, rules)
    assert "# The Fox’s Den\n" in text and "It’s 'late'." in text
    assert "The Fox’s Den" in html(rulebook(houserule.load(tmp_path)))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Each disc begins in its owner’s supply.", "**Rack**: Discs."]),
        ("de", ["Zu Beginn liegt jede Scheibe im Vorrat des Besitzers.", "**Gestell**: Scheiben."]),
        ("zh-Hant", ["開始時，每枚棋子都放在擁有者的存棋。", "**棋架**：放棋子。每個格子各有一處，"]),
        ("ja", ["はじめ、各コマは持ち主の手持ちにあります。", "**盤**：コマの置き場所。各マスに1か所ずつあり、"]),
    ],
)
def test_pieces_begin_with_their_owners_and_an_entry_has_the_colon_of_its_language(
    language: str, said: list[str]
) -> None:
    text = markdown(rulebook(houserule.load("connect_four"), language))
    assert [one for one in said if one not in text] == []


def test_what_has_a_title_and_a_picture_alone_is_a_list_where_there_are_no_pictures() -> None:
    text = markdown(rulebook(houserule.load("master_thieves"), "en"))
    assert "### Length\n\n- Long\n- Short\n" in text


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", 'Say “Well, well!” to a 3" deck.'), ("de", 'Sage „Soso!“ zum 3"-Stapel.'), ("ja", "「おや」と言います。")],
)
def test_straight_quotation_marks_in_texts_are_those_of_the_language(tmp_path: Path, language: str, said: str) -> None:
    text = (
        """text: {en: 'Say "Well, well!" to a 3" deck.', de: 'Sage "Soso!" zum 3"-Stapel.', ja: '"おや"と言います。'}"""
    )
    rules = f"players: 2\n{text}\nflow: {{play: {{turns: players, do: nothing}}}}\n"
    assert said in told(tmp_path, rules, language)
    assert said.replace('"', "&quot;") in html(rulebook(houserule.load(tmp_path), language))


BIDDER = """\
players: 2
variables:
  bidder: {type: player or none, title: {en: Bidder, de: Bieter, zh-Hant: 競標者, ja: 入札者}, grammar: {de: {gender: m}}}
flow:
  play:
    turns: players
    do: |
      if not bidder: bidder = me
      bidder = none
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "- There is now no bidder."),
        ("de", "- Es gibt jetzt keinen Bieter."),
        ("zh-Hant", "- 現在沒有競標者。"),
        ("ja", "- 入札者をなしにします。"),
    ],
)
def test_what_is_set_to_none_is_no_longer_there(tmp_path: Path, language: str, said: str) -> None:
    assert said in told(tmp_path, BIDDER, language)


def test_whoever_is_said_to_be_you_has_the_verb_of_you_in_german(tmp_path: Path) -> None:
    text = told(tmp_path, BIDDER.replace("bidder = none", "if bidder == me: bidder = none"), "de")
    assert "Der Bieter bist jetzt du." in text and "Wenn der Bieter du bist:" in text
    assert "The bidder is now you." in told(tmp_path, BIDDER, "en")


def test_people_are_there_in_another_word_than_things_in_japanese(tmp_path: Path) -> None:
    assert "入札者がいないなら：" in told(tmp_path, BIDDER, "ja")
