"""The rulebook of a game: what stands in it, that its numbers are those of the rules, and the command that writes it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from typer.testing import Result

import houserule as houserule_package
from houserule.rulebook import LANGUAGES, changes, gaps, html, markdown, only_changes, rulebook
from houserule.rulebook.page import ENDLESS, with_breaks
from houserule.rulebook.phrasebook import CLOSES
from houserule.rulebook.pictures import BACK, CREASES, FILLS, OUTLINES, PATTERNS, SUITS
from tests.bundled import LARGE, load
from tests.cli.conftest import houserule  # noqa: F401  a fixture
from tests.taking_long import but_later

Houserule = Callable[..., Result]
HERE = Path(__file__).parent
VARIANT = """\
variant: {name}
of: standard
title: {{en: {title}, de: {title}}}
text: {{en: It is dearer.}}
{body}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the small game, with two house rules."""
    folder = tmp_path / "standard"
    (folder / "variants").mkdir(parents=True)
    (folder / "game.yaml").write_text((HERE / "game.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    dear = "options: {limit: 5}\nchange:\n  tables:\n    worth:\n      values: {swords: 9}"
    (folder / "variants" / "dear.yaml").write_text(
        VARIANT.format(name="dear", title="Dear swords", body=dear), encoding="utf-8"
    )
    moon = (
        "add:\n  enums:\n    suit:\n      members:\n        moons: {title: {en: Moons, de: Monde}, text: {en: It waxes.}}\n"
        "  tables:\n    worth:\n      values: {moons: 4}"
    )
    (folder / "variants" / "moons.yaml").write_text(
        VARIANT.format(name="moons", title="The moon", body=moon), encoding="utf-8"
    )
    return folder


def text_of(game: Path, *variants: str, language: str = "en", **options: int) -> str:
    return markdown(rulebook(houserule_package.load(game, variants=variants, options=options), language))


def test_the_chapters_say_what_the_rules_say(game: Path) -> None:
    text = text_of(game)
    for said in (
        "For 2 to 4 players.",
        "| 1 | Inn of cardboard |",
        "| 3 | Bells |",
        "| 12 | Cards |",
        "only the owner sees them",
        "Shuffle the deck.",
        "Take 3 cards from the top of the deck into the player’s hand.",
        "Take the top card of the deck into the cups chest.",
        "Rest a while.",
        "Whenever a card leaves the player’s hand, if the card’s cost is more than 3:",
        "This is repeated until the inn is closed or the deck is empty.",
        "The highest score wins.",
        "It cuts.",
        "| Cups | Swords |",
        "Set to 3. Possible: 1 to 9.",
    ):
        assert said in text, said


def test_numbers_come_from_the_rules_with_their_house_rules_and_settings(game: Path) -> None:
    plain, dear = text_of(game), text_of(game, "dear")
    assert "Take 3 cards" in plain
    assert "Take 5 cards" in dear
    assert "| 1 | 3 |" in plain
    assert "| 1 | 9 |" in dear
    assert "Take 7 cards" in text_of(game, limit=7)


def test_a_house_rule_is_listed_and_marked_where_it_changes_something(game: Path) -> None:
    text = text_of(game, "moons")
    assert "| 18 | Cards |" in text, "six more cards of the new suit"
    listed, rest = text.split("## What is in the box")
    assert "The moon" in listed
    assert "It is dearer." in listed
    book = rulebook(houserule_package.load(game, variants=["moons"]))
    marked = {section.anchor: section.mark for chapter in book.chapters for section in chapter.sections if section.mark}
    assert marked == {"enums.suit.members.moons": "House rule: The moon", "tables.worth": "House rule: The moon"}
    assert "It waxes." in rest
    dear = rulebook(houserule_package.load(game, variants=["dear"]))
    marked = {section.anchor: section.mark for chapter in dear.chapters for section in chapter.sections if section.mark}
    assert marked == dict.fromkeys(("options.limit", "flow.setup", "tables.worth"), "House rule: Dear swords")


def test_what_loses_something_to_a_house_rule_is_marked() -> None:
    book = rulebook(load("aladdin", ("honest_folk",)))
    marked = [section.anchor for chapter in book.chapters for section in chapter.sections if section.mark]
    assert marked == ["components.lamp_card"]


def test_two_versions_are_told_apart_in_sentences(game: Path) -> None:
    before, after = (rulebook(houserule_package.load(game, variants=names)) for names in ([], ["dear"]))
    found = {change.anchor: (change.gone, change.new) for change in changes(before, after)}
    assert found["tables.worth"] == (("1 · 3",), ("1 · 9",))
    assert "flow.setup" in found
    assert list(changes(before, before)) == []


@pytest.mark.parametrize("name", but_later(LARGE, LARGE[1:3]))
def test_the_bundled_games_have_rulebooks_in_every_language(name: str) -> None:
    loaded = load(name)
    for language in LANGUAGES:
        page = html(rulebook(loaded, language))
        assert f'<html lang="{language}">' in page
        assert "<script" not in page
        assert "http" not in page
        assert "object at 0x" not in page
        assert CLOSES not in page
        said = re.findall(r"<(?:p|li|td)[^>]*>([^<]*)<", page)
        assert not [text for text in said if re.search(r"==|!=|\b[Tt]he the\b|\byou is\b|gilt: .*trifft|: no\.$", text)]
        ids = [part.split('"')[0] for part in page.split(' id="')[1:]]
        assert len(ids) == len(set(ids)), "an anchor stands twice"
        assert {part.split('"')[0] for part in page.split('href="#')[1:]} <= set(ids)


def test_every_ending_has_its_sentence(game: Path) -> None:
    file = game / "game.yaml"
    text = file.read_text(encoding="utf-8")
    head = text[: text.index("winner:")].replace("    until: closed or empty(deck)\n", "    repeat: forever\n")
    head = head.replace("marker += 1", "marker += 1\n      if empty(deck): end game with draw")
    file.write_text(f"{head}eliminated: me.score < 0\nwinner: {{all: me.score > 5, nobody: draw}}\n", encoding="utf-8")
    said = text_of(game)
    for sentence in (
        "All win together if, for each player, your score is more than 5; otherwise it is a draw.",
        "You are out of the game while your score is less than 0.",
        "The game ends at once, and nobody wins: it is a draw.",
    ):
        assert sentence in said
    assert "The game ends when its last part" not in said
    assert "If nobody wins" not in said
    file.write_text(f"{head}winner: {{all: empty(deck)}}\n", encoding="utf-8")
    assert "All win together if the deck is empty; otherwise all have lost." in text_of(game)


def test_a_condition_stands_before_the_turns_if_it_is_asked_only_once(tmp_path: Path) -> None:
    rules = (
        "edition: 2026\ngame: rest\nplayers: 3\nvariables: {{tired(player): bool}}\n"
        "flow: {{walk: {{when: {when}, turns: players, do: me.tired = true}}}}\n"
    )
    told = []
    for when in ("count(p in players where not p.tired) > 1", "not me.tired"):
        (tmp_path / "game.yaml").write_text(rules.format(when=when), encoding="utf-8")
        text = text_of(tmp_path)
        told.append(text.index("Only if") < text.index("Everybody takes a turn."))
    assert told == [True, False]


def test_a_text_that_a_house_rule_has_overtaken_gives_way_to_what_is_done(game: Path) -> None:
    body = "change:\n  actions:\n    rest: marker += 2"
    (game / "variants" / "busy.yaml").write_text(VARIANT.format(name="busy", title="Busy", body=body), encoding="utf-8")
    assert "Rest a while." in text_of(game)
    busy = text_of(game, "busy")
    assert "Rest a while." not in busy
    assert "Add 2 to the marker." in busy


def test_a_house_rule_about_how_many_there_are_leaves_their_text_alone(game: Path) -> None:
    storm = "components:\n  event:\n    effects: [happens]\n    starts_in: events\n    pieces:\n      storm: {title: Storm, text: Everybody loses a coin., count: 2, happens: marker += 1}\n"
    file = game / "game.yaml"
    text = file.read_text(encoding="utf-8").replace("components:\n", storm, 1)
    file.write_text(text.replace("zones:\n", "zones:\n  events: {holds: event, visible: none}\n", 1), encoding="utf-8")
    body = "change: {components: {event: {pieces: {storm: {count: 4}}}}}"
    (game / "variants" / "stormy.yaml").write_text(
        VARIANT.format(name="stormy", title="Stormy", body=body), encoding="utf-8"
    )
    stormy = text_of(game, "stormy")
    assert "Everybody loses a coin." in stormy
    assert "House rule: Stormy" in stormy


def test_what_copies_of_a_new_piece_differ_in_is_told_of_each(tmp_path: Path) -> None:
    rule = tmp_path / "crown.yaml"
    piece = "{title: Crown, chest: gold, sort: ornament, jewel: ring, metal: gold, scorpions: [1, 3]}"
    pieces = f"components: {{chest_card: {{pieces: {{crown: {piece}}}}}}}"
    rule.write_text(f"variant: crown\nof: aladdin\nadd:\n  {pieces}\n", encoding="utf-8")
    told = markdown(rulebook(houserule_package.load("aladdin", [rule]), "en"))
    assert "2 × Crown" in told and "Scorpions: 1 and 3" in told


def test_texts_show_settings_and_reasons_stand_in_the_language_of_the_reader(game: Path) -> None:
    file = game / "game.yaml"
    text = file.read_text(encoding="utf-8")
    text = text.replace(
        "{en: Rest a while., de: Ruhe dich aus.}", '{en: "Rest {limit} times.", de: "Ruhe dich {limit}-mal aus."}'
    )
    reasons = "assumed: {en: Nobody says so., de: Niemand sagt es.}"
    text = text.replace(
        "discard: {holds: card, visible: all,",
        f'discard: {{holds: card, visible: all, {reasons}, text: {{en: "Room for {{limit}}.", de: "Platz für {{limit}}."}},',
    )
    file.write_text(text, encoding="utf-8")
    loaded = houserule_package.load(game)
    assert not [one for one in houserule_package.validate(file) if one.code == "HR585"]
    assert [reason for _, reason in loaded.assumptions] == ["Nobody says so."]
    for language, said in (
        ("en", ("Rest 3 times.", "Room for 3.", "Discard: Nobody says so.")),
        ("de", ("Ruhe dich 3-mal aus.", "Platz für 3.", "Ablage: Niemand sagt es.")),
    ):
        shown = text_of(game, language=language)
        for sentence in said:
            assert sentence in shown, sentence
    assert "Rest 8 times." in text_of(game, limit=8)


def test_pieces_members_and_the_table_are_drawn_as_the_layout_says(game: Path) -> None:
    layout = "layout:\n  enums: {suit: {cups: {fill: red, pattern: dots, letter: Q}}}\n  pieces: {card: {shape: card, fill: it.suit}}\n"
    file = game / "game.yaml"
    file.write_text(file.read_text(encoding="utf-8") + layout, encoding="utf-8")
    page = html(rulebook(houserule_package.load(game)))
    cups = re.search(r'<section id="enums.suit.members.cups"[^>]*>.*?</section>', page, re.DOTALL)
    assert cups is not None
    assert 'role="img" aria-label="Cups"' in cups[0]
    assert FILLS["red"][0] in cups[0]
    assert ">Q</text>" in cups[0]
    cards = re.search(r'<section id="components.card"[^>]*>.*?</section>', page, re.DOTALL)
    assert cards is not None
    assert cards[0].count("<g ") == 12, "as many cards as look different"
    assert OUTLINES["card"] in cards[0]


def test_pictures_have_the_colours_and_outlines_of_the_browser() -> None:
    pages = resources.files("houserule.serve") / "pages"
    styles = (pages / "pieces.css").read_text("utf-8")
    told = re.findall(r"^\.fill-(\w+) \{ --fill: (#\w+); --on: (#\w+); \}", styles, re.MULTILINE)
    assert {name: (fill, on) for name, fill, on in told if name != "null"} == FILLS
    shapes = (pages / "shapes.js").read_text("utf-8")
    for shape in (*OUTLINES.values(), *PATTERNS.values(), *CREASES.values(), *SUITS.values(), BACK):
        for line in re.findall(r'\bd="([^"]*)"', shape) or re.findall(r"^[Md].*", shape):
            assert f'"{line}"' in shapes, line
    assert set(re.findall(r"^  (\w+): (?:\[|\(\))", shapes, re.MULTILINE)) == {*OUTLINES, *PATTERNS}


def test_titles_are_never_markup(game: Path) -> None:
    file = game / "game.yaml"
    hostile = "<script>alert(1)</script> *x* | [y](z) &lt; ~~x~~ & so on"
    file.write_text(file.read_text(encoding="utf-8").replace("en: Discard,", f'en: "{hostile}",'), encoding="utf-8")
    book = rulebook(houserule_package.load(game))
    assert "<script" not in html(book)
    assert "&lt;script&gt;" in html(book)
    assert "<script" not in markdown(book).replace("\\<", "")
    assert r"\&lt; \~\~x\~\~ & so on" in markdown(book)


def test_a_file_has_no_sign_that_commands_a_terminal(game: Path) -> None:
    file = game / "game.yaml"
    hostile = r"\e[31m\u202e\u2028" + "W" * 20_000
    file.write_text(file.read_text(encoding="utf-8").replace("en: Discard,", f'en: "{hostile}",'), encoding="utf-8")
    book = rulebook(houserule_package.load(game))
    for text in (html(book), markdown(book)):
        assert "W" * 100 in text
        assert not any(sign in text for sign in "\x1b\u202e\u2028")


def test_a_word_without_end_has_ends_in_a_booklet() -> None:
    word = re.search(r".+", "&lt;" + "W" * 85 + ";x" * 30)
    assert word is not None
    assert ENDLESS.sub(with_breaks, word[0]) == "&lt;" + "\u200b".join(["W" * 20] * 4 + ["W" * 5]) + ";x" * 30


# --- the command ----------------------------------------------------------------------------------------------------


def test_it_is_written_as_a_page_and_as_text(houserule: Houserule, game: Path, tmp_path: Path) -> None:  # noqa: F811
    assert houserule("rulebook", game, "-o", "rules.html", "--lang", "de").exit_code == 0
    page = (tmp_path / "rules.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "Mische den Stapel." in page
    assert houserule("rulebook", game, "-o", "rules.md").exit_code == 0
    printed = houserule("rulebook", game)
    assert printed.stdout == (tmp_path / "rules.md").read_text(encoding="utf-8")


def test_check_fails_when_the_rules_have_changed(houserule: Houserule, game: Path, tmp_path: Path) -> None:  # noqa: F811
    for name in ("rules.md", "rules.html"):
        houserule("rulebook", game, "-o", name)
        assert houserule("rulebook", game, "--check", name).exit_code == 0
        result = houserule("rulebook", game, "--with", "dear", "--check", name)
        assert result.exit_code == 1
        assert f"{name} no longer matches the rules:" in result.stdout
        assert "9" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "rules.txt"], "a rulebook cannot be written as 'rules.txt'"),
        (["--check", "rules.pdf"], "a rulebook cannot be written as 'rules.pdf'"),
        (["--check", "none.md"], "none.md cannot be read"),
        (["-o", "none/rules.md"], "cannot be written"),
        (["--lang", "fr"], "there is no phrase book for 'fr'"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(houserule: Houserule, game: Path, words: list[str], said: str) -> None:  # noqa: F811
    result = houserule("rulebook", game, *words)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_a_booklet_without_its_extra_says_what_to_install(
    houserule: Houserule,  # noqa: F811
    game: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    result = houserule("rulebook", game, "-o", "rules.pdf")
    assert result.exit_code == 2
    assert "houserule[rulebook]" in result.output


def test_diff_tells_in_sentences(houserule: Houserule, game: Path) -> None:  # noqa: F811
    result = houserule("diff", game, "--with", "dear", "--prose")
    assert result.exit_code == 0
    assert "Take 3 cards" in result.stdout
    assert "Take 5 cards" in result.stdout
    assert "(tables.worth)" in result.stdout
    assert "nothing differs" in houserule("diff", game, game, "--prose").stdout
    assert houserule("diff", game, game).exit_code == 2


UNTOLD = """\
edition: 2026
game: walk
players: 2
variables: {steps: int}
functions:
  far: LONG
  twice(int n): n + n + max(n, 1) - min(n, 2) + max(n, 3) - min(n, 4) + max(n, 5) - min(n, 6)
flow: {walk: {text: {en: Walk on.}, repeat: 4, do: steps = far}}
winner: {most: 0}
"""


def test_diff_in_sentences_says_that_rules_behind_their_texts_differ(houserule: Houserule, tmp_path: Path) -> None:  # noqa: F811
    """A function that no sentence calls is not told, nor are those that it calls, whoever changes it."""
    long = "steps + max(steps, 1) + min(steps, 2) + max(steps, 3) + min(steps, 4) + twice(steps)"
    (tmp_path / "game.yaml").write_text(UNTOLD.replace("LONG", long), encoding="utf-8")
    rule = f"variant: new\nof: walk\nchange: {{functions: {{far: '1 + {long}'}}}}\n"
    (tmp_path / "new.yaml").write_text(rule, encoding="utf-8")
    result = houserule("diff", tmp_path, "--with", tmp_path / "new.yaml", "--prose")
    assert result.stdout.splitlines() == [
        "nothing differs: both rulebooks say the same",
        "rules behind their texts differ: `houserule rulebook --check` with the house rules lists these texts",
    ]


HIDDEN = """\
edition: 2026
game: hidden
title: {en: Hidden, de: Verborgen, zh-Hant: 隱藏, ja: 秘密}
players: 2..4
variables:
  courage(player): {type: 0..2, start: 2, title: {en: Courage, de: Mut, zh-Hant: 勇氣, ja: 勇気}}
  plan(player): {type: 0..9, visible: owner, title: {en: Plan, de: Plan, zh-Hant: 計畫, ja: 計画}}
  fate: {type: 0..9, visible: none, title: {en: Fate, de: Los, zh-Hant: 命運, ja: 運命}}
  hint(player): {type: 0..9, visible: viewer != player, title: {en: Hint, de: Wink, zh-Hant: 提示, ja: 手がかり}}
flow:
  walk:
    turns: players
    do: |
      me.plan = 3
      me.hint = fate
      if fate == 4: me.courage -= 1
      if not first(players).eliminated: me.courage = 0
scoring: {plan: me.plan + me.hint}
eliminated: me.courage == 0
"""


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["only its owner sees it", "nobody sees it", "all but its owner see it", "is not out of the game"]),
        (
            "de",
            [
                "nur für den Besitzer sichtbar",
                "für niemanden sichtbar",
                "für alle außer dem Besitzer sichtbar",
                "nicht ausgeschieden ist",
            ],
        ),
        ("zh-Hant", ["只有擁有者看得到", "沒有人看得到", "除擁有者外都看得到", "未出局"]),
        ("ja", ["持ち主だけに見える", "誰にも見えない", "持ち主以外の全員に見える", "脱落していない"]),
    ],
)
def test_who_knows_a_variable_and_who_is_out_are_told(tmp_path: Path, language: str, told: list[str]) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(HIDDEN, encoding="utf-8")
    book = markdown(rulebook(houserule_package.load(file), language))
    assert [words for words in told if words not in book] == []
    assert "eliminated" not in book


@pytest.mark.parametrize(("times", "said"), [(1, 0), (2, 1)])
def test_what_is_done_once_is_not_said_to_be_repeated(game: Path, times: int, said: int) -> None:
    path = game / "game.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("until: closed or empty(deck)", f"repeat: {times}"), encoding="utf-8"
    )
    assert text_of(game).count(f"This is done {times} times.") == said


def test_what_a_language_lacks_is_counted_listed_and_told_on_the_page(houserule: Houserule, game: Path) -> None:  # noqa: F811
    complete = houserule("rulebook", game, "--check", "--lang", "de")
    assert "no text is missing in 'de'" in complete.stdout
    lacking = houserule("rulebook", game, "--lang", "ja", "--check")
    assert lacking.exit_code == 1
    assert "not in 'ja': Standard" in lacking.stdout
    assert "texts of this game" not in text_of(game)
    loaded = houserule_package.load(game)
    missing = len(gaps(loaded, "ja"))
    assert f"{missing} texts are missing in 'ja'" in lacking.stdout
    assert f"このゲームの{missing}個の文" in html(rulebook(loaded, "ja"))
    assert complete.exit_code == 0


def test_titles_without_a_gender_and_functions_without_a_title_are_asked_for(houserule: Houserule, game: Path) -> None:  # noqa: F811
    file = game / "game.yaml"
    text = file.read_text(encoding="utf-8").replace(
        "ja: 山札}, grammar: {de: {gender: m, gen: Stapels}}}", "ja: 山札}}"
    )
    body = "\n    spare = 3\n    finish with spare + p.score\n"
    text = text.replace(
        "  rich(player p): p.score > 3\n", f"  rich(player p): p.score > 3\n  wealth(player p): |{body}"
    )
    file.write_text(text.replace("points: me.score + marker", "points: wealth(me)"), encoding="utf-8")
    listed = houserule("rulebook", game, "--check", "--lang", "de").stdout
    assert "deck has no gender in 'de'" in listed
    assert "wealth: this function has no title" in listed
    assert "rich" not in listed, "it is paraphrased"


def test_titles_and_texts_that_only_rulebooks_tell_are_asked_for_too(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: farm\ntitle: {en: Farm, de: Hof}\nplayers: 2\n"
        "components: {cow: {title: {en: cow, de: Kuh}, starts_in: barn, pieces: {bess: {title: Bess}}}}\n"
        "zones: {barn: {holds: cow, visible: all, title: {en: barn, de: Stall}, text: {en: It is dry.}}}\n"
        "variables: {hay: {type: 0..9, title: {en: hay, de: Heu}, text: {en: For the cow.}}}\n"
        "functions: {full: {title: {en: full}, do: hay > 3}}\n"
        "flow: {feed: {title: {en: Feeding, de: Fütterung}, do: 'if not full: hay += 1'}}\n"
        "winner: {when: full, text: {en: Who has enough hay.}}\n",
        encoding="utf-8",
    )
    missing = ["It is dry.", "For the cow.", "full", "Who has enough hay."]
    assert [one.shown for one in gaps(houserule_package.load(tmp_path), "de")] == missing
    warned = [one.span.line for one in houserule_package.validate(tmp_path) if one.code == "HR590"]
    assert sorted(warned) == [6, 7, 8, 10]


@pytest.mark.parametrize("name", ["aladdin", "ali_baba", "master_thieves", "rattlebones", "hearts", "checkers"])
def test_bundled_games_lack_nothing_in_english_and_german(name: str) -> None:
    loaded = load(name)
    assert [gaps(loaded, language) for language in ("en", "de")] == [[], []]


def test_places_in_rulebooks_are_named_in_the_language_of_the_reader(game: Path) -> None:
    file = game / "game.yaml"
    text = file.read_text(encoding="utf-8").replace("  rest: {text:", "  rest: {source: {doc: book, at: page 2}, text:")
    sources = "sources:\n  book: {title: {en: The book, de: Das Buch}, places: {page 2: {de: Seite 2}}}\n"
    file.write_text(text + sources, encoding="utf-8")
    assert "- The book\n  - Page 2: Rest." in text_of(game)
    assert "- Das Buch\n  - Seite 2: Rest." in text_of(game, language="de")


def test_the_page_of_a_house_rule_tells_only_what_differs(houserule: Houserule, game: Path) -> None:  # noqa: F811
    page = houserule("rulebook", game, "--with", "dear", "--only-changes").stdout
    assert "It is dearer." in page
    assert "Take 5 cards" in page
    assert "| 1 | 9 |" in page
    assert "Shuffle the deck." in page, "a section that differs is told as a whole"
    assert "What is in the box" not in page
    assert "Rest a while." not in page


def test_the_default_of_an_effect_is_told(game: Path) -> None:
    file = game / "game.yaml"
    text = file.read_text(encoding="utf-8").replace(
        "effects: [shine(int strength)]", "effects: [shine(int strength), toll = 7]"
    )
    text = text.replace("shine: me.score += strength", "shine: me.score += strength, toll: finish with 2")
    file.write_text(
        text.replace(
            "spent = perform pay", "due = perform swords.toll\n      me.score -= due\n      spent = perform pay"
        ),
        encoding="utf-8",
    )
    assert "“Toll” gives 7 where nothing else is said." in text_of(game)


def test_the_first_lines_say_who_can_play_for_how_long_and_who_made_it(game: Path) -> None:
    file = game / "game.yaml"
    facts = "players: 2..4\nage: 8\nminutes: 30..45\ncredits: {en: Designed by Anna Wald., de: Von Anna Wald.}"
    file.write_text(file.read_text(encoding="utf-8").replace("players: 2..4", facts), encoding="utf-8")
    assert "For 2 to 4 players. Ages 8 and up. 30 to 45 minutes.\n\nDesigned by Anna Wald." in text_of(game)
    assert "Für 2 bis 4 Spieler. Ab 8 Jahren. 30 bis 45 Minuten.\n\nVon Anna Wald." in text_of(game, language="de")


def test_a_plain_title_is_in_the_language_of_the_book_and_a_menu_speaks_to_whom_it_asks(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: ferry\ntitle: Ferry\nplayers: 2\nvariables: {fare(player): {type: 0..9, title: fare}}\n"
        'flow:\n  cross:\n    turns: players\n    do: |\n      choose "Pay {me.fare}?":\n        "Pay {me.fare}": nothing\n'
        '      next(me) chooses "Ask {me} for {me.fare}?":\n        "Yes": nothing\n',
        encoding="utf-8",
    )
    book = markdown(rulebook(houserule_package.load(tmp_path), "en"))
    assert "not in English" not in book
    assert "“Pay your fare?”" in book and "“Pay your fare”:" in book
    assert "“Ask (your name) for (your name)’s fare?”" in book


def test_the_page_of_a_house_rule_leaves_out_examples_that_it_does_not_change() -> None:
    before, after = (rulebook(load("rattlebones", *with_)) for with_ in ([], [("encore",)]))
    page = only_changes(before, after)
    assert any(section.anchor == "flow.round" for chapter in page.chapters for section in chapter.sections)
    assert not any(section.examples for chapter in page.chapters for section in chapter.sections)


SEVERAL = """\
edition: 2026
game: several
title: {en: Several, de: Mehrere}
players: 2
components:
  card:
    title: {en: card, de: Karte}
    grammar: {de: {gender: f, plural: Karten}}
    pieces: {ace: {count: 4}}
    starts_in: pile
zones: {pile: {holds: card, visible: all}, heap: {holds: card, visible: all}}
actions:
  bury(list of card c): {title: {en: Bury, de: Ablegen}, do: "for one in c: move one to heap"}
flow:
  go: {turns: players, do: "perform bury(first(pile, 2))"}
"""


@pytest.mark.parametrize(("language", "told"), [("en", "of the cards"), ("de", "den Karten")])
def test_a_list_that_an_action_is_given_is_told_as_several(tmp_path: Path, language: str, told: str) -> None:
    (tmp_path / "game.yaml").write_text(SEVERAL, encoding="utf-8")
    text = text_of(tmp_path, language=language)
    assert told in text[text.index("actions.bury") :]


UNEVEN = """\
edition: 2026
game: barn
title: {en: Barn, ja: 納屋, zh-Hant: 穀倉}
players: 2
enums:
  stall:
    title: {en: stall, ja: 囲い, zh-Hant: 欄}
    attributes: {room: 1..3}
    members: {left: {room: 1}, right: {room: 3}}
  grade: {title: {en: grade, ja: 等級, zh-Hant: 等級}, members: {plain: {title: J}, fine: {title: K}}}
components:
  lamb:
    title: {en: lamb, ja: 子羊, zh-Hant: 小羊}
    grammar: {ja: {counter: 頭}, zh-Hant: {counter: 隻}}
    attributes: {stall: stall}
    each: {stall: stall}
    count: it.stall.room
    starts_in: field
  tool:
    title: {en: tool, ja: 道具, zh-Hant: 工具}
    attributes: {weight: {type: 0..9, title: {en: weight, ja: 重さ, zh-Hant: 重量}}}
    pieces: {fork: {weight: 2, title: {en: Fork, ja: 熊手, zh-Hant: 叉子}}}
    starts_in: field
zones: {field: {holds: piece, visible: all}}
flow:
  setup: {title: {en: Dealing, ja: 配る, zh-Hant: 發牌}, do: shuffle field}
  bets:
    title: {en: Bets, ja: 賭け, zh-Hant: 下注}
    for: n in [1, 2]
    steps:
      turn: {title: {en: Turn, ja: 手番, zh-Hant: 輪流}, repeat: 2, turns: players, do: shuffle field}
"""


@pytest.fixture
def barn(tmp_path: Path) -> Path:
    """A game with unequal numbers of one kind, rounds in a loop over values, and a house rule that adds a piece without a text."""
    folder = tmp_path / "barn"
    (folder / "variants").mkdir(parents=True)
    (folder / "game.yaml").write_text(UNEVEN, encoding="utf-8")
    axe = "add:\n  components:\n    tool:\n      pieces: {axe: {weight: 5, title: {en: Axe, ja: 斧, zh-Hant: 斧頭}}}\n"
    (folder / "variants" / "axe.yaml").write_text(
        VARIANT.format(name="axe", title="The axe", body=axe).replace("of: standard", "of: barn"), encoding="utf-8"
    )
    return folder


def test_unequal_numbers_of_a_kind_are_not_said_to_be_equal(barn: Path) -> None:
    assert "There are 4" not in text_of(barn)
    assert "全部で4頭" not in text_of(barn, language="ja")


@pytest.mark.parametrize("first", ["setup", "deal"])
def test_only_a_first_step_named_setup_stands_under_the_set_up(barn: Path, first: str) -> None:
    (barn / "game.yaml").write_text(UNEVEN.replace("setup:", f"{first}:"), encoding="utf-8")
    set_up, play = text_of(barn).split('<a id="chapter.play"></a>')
    assert "### Dealing" in (set_up if first == "setup" else play)
    assert "### Bets" in play and "### Bets" not in set_up


def test_a_game_in_which_nothing_repeats_has_a_course_of_play(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        """\
edition: 2026
game: bids
players: 2
variables:
  score(player): int
flow:
  setup:
    do: "for p in players: p.score = 3"
  round:
    for: p in players
    steps:
      bid:
        do: |
          p chooses n from 1..3
          p.score += n
      pay:
        do: p.score -= 1
scoring: {score: me.score}
""",
        encoding="utf-8",
    )
    set_up, play = text_of(tmp_path).split('<a id="chapter.play"></a>')
    assert "score is now 3" in set_up and "#### Bid" not in set_up
    assert "#### Bid" in play and "#### Pay" in play


def test_a_piece_that_a_house_rule_adds_without_a_text_has_what_is_printed_on_it_below_its_heading(barn: Path) -> None:
    added = text_of(barn, "axe").split("#### 1 × Axe")[1].split("<a id=")[0]
    assert "Weight: 5" in added


def test_a_list_in_chinese_has_blanks_around_letters(barn: Path) -> None:
    assert "J 和 K。" in text_of(barn, language="zh-Hant")


def test_no_heading_stands_in_markdown_over_a_picture_alone() -> None:
    book = rulebook(load("checkers"), "en")
    assert "The table at the start" in html(book)
    assert "The table at the start" not in markdown(book)


STALL = """\
edition: 2026
game: stall
title: {en: Stall, de: Stall}
players: 2
components:
  ox:
    attributes: {pull: 0..9}
    functions: {power: {do: this.pull, bonuses: yoke}}
    starts_in: stable
    pieces:
      red: {count: 4, pull: 2}
      old: {count: 4, pull: 1, title: {en: Old ox, de: Alter Ochse}, bonus: {power: 1 if it != this else 0}}
zones:
  stable: {holds: ox, visible: none, capacity: 8}
  yoke: {holds: ox, visible: all}
variables: {ploughed(player): 0..9}
flow:
  day:
    turns: players
    do: |
      draw 1 from stable to yoke
      for o in yoke: me.ploughed = min(9, me.ploughed + o.power)
scoring: {ploughed: me.ploughed}
winner: {most: points}
"""


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            [
                "Your ploughed goes up by the ox’s power, but not above 9.",
                "To the power of the ox it adds 1 if the ox is not the old ox, otherwise 0.",
                "Room for 8 oxes.",
                "If several are tied, they share the victory.",
            ],
        ),
        (
            "de",
            [
                "steigt um „power“ von „ox“, aber nicht über 9.",
                "wenn „ox“ nicht „Alter Ochse“ ist",
                "Bei Gleichstand teilen sich die Beteiligten den Sieg.",
            ],
        ),
    ],
)
def test_what_has_neither_title_nor_gender_stands_in_sound_sentences(
    tmp_path: Path, language: str, told: list[str]
) -> None:
    (tmp_path / "game.yaml").write_text(STALL, encoding="utf-8")
    text = markdown(rulebook(houserule_package.load(tmp_path), language))
    assert not [sentence for sentence in told if sentence not in text], text


def test_a_chapter_of_pictures_alone_is_left_out_of_markdown() -> None:
    whole = rulebook(load("nim"))
    chapters = [
        replace(one, sections=tuple(part for part in one.sections if part.is_picture)) if one.title == "Set-up" else one
        for one in whole.chapters
    ]
    book = replace(whole, chapters=tuple(chapters))
    headings = [one.title for one in book.chapters if one.title != "Set-up"]
    assert len(headings) == len(book.chapters) - 1
    assert re.findall(r"^## (.+)$", markdown(book), re.MULTILINE) == ["Contents", *headings, "Index"]


def test_what_has_no_title_is_asked_for(houserule: Houserule, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: dull\nplayers: 2\ntitle: {en: Dull, de: Fad}\n"
        "enums: {hue: {title: {de: Farbe}, members: {red: {}, blue: {title: {de: blau}}}}}\n"
        "variables:\n  pot: int\n  shown(hue): {type: bool, title: {de: gezeigt}}\n  kept: {type: int, quiet: true}\n"
        "flow: {day: {text: {de: Alle raten.}, do: pot += kept}, night: {do: 'shown[red] = not shown[blue]'}}\nwinner: {most: pot}\n",
        encoding="utf-8",
    )
    listed = houserule("rulebook", tmp_path, "--check", "--lang", "de")
    assert re.findall(r"(\S+) has no title", listed.stdout) == ["red", "pot", "night"]
    assert "no title" not in houserule("rulebook", tmp_path, "--check", "--lang", "en").stdout


def test_what_is_only_begun_with_or_named_is_told(tmp_path: Path) -> None:
    """Where pieces begin, variables without a title, a function that only another sentence names, what is printed on the pieces
    of a product, and a value for each position."""
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: market\nplayers: 2\n"
        "enums: {colour: [red, blue]}\n"
        "components:\n"
        "  bean: {attributes: {colour: colour}, each: {colour: colour}, starts_in: 'jar[it.colour]'}\n"
        "  ware: {attributes: {price: 1..3, weight: int = it.price * 2}, each: {price: 1..3}, starts_in: pool}\n"
        "  disc: {attributes: {seat: player}, each: {seat: player}, starts_in: 'hand[it.seat]', title: disc}\n"
        "zones: {jar(colour): {holds: bean, visible: all}, pool: {holds: ware, visible: all}, bag(player): {holds: ware, visible: all}, hand(player): {holds: disc, visible: all}}\n"
        "variables:\n"
        "  bidder: player or none\n  coins(player p): {type: 0..99, start: first_coins(p)}\n"
        "  seen: {type: 0..9, per_position: [pool, bag], title: Times seen}\n"
        "functions:\n"
        "  first_coins(player p): 3 * count(players) + 4 * count(players) * count(players) + (1 if p == first(players) else 2)\n"
        "  strength(player p): sum(w.price * w.price + 2 * w.price + 3 for w in p.bag) + count(p.hand) * 17 - p.coins // 2\n"
        "flow:\n  round:\n    until: empty(pool)\n    turns: players\n"
        "    do: |\n      choose w from pool\n      if w: move w to me.bag\n      seen += 1\n      if seen == 3: end game\n"
        "      if bidder == me: me.coins -= 1\n      bidder = me\n"
        "scoring: {s: {for: p in players, points: strength(p)}}\nwinner: {most: points}\n"
    )
    text = markdown(rulebook(houserule_package.load(tmp_path)))
    for sentence in (
        "All beans begin in the jars, sorted by colour.",
        "All wares begin in the pool.",
        "Each disc begins in its owner’s hand.",
        "Coins: each player begins with “first coins” for the player.",
        "**Bidder**: A player or nothing.",
        "**Coins**: For each player: a number from 0 to 99; at first “first coins” for the player.",
        "**First coins**: For the player, this is 3 times the number of players plus 4 times",
        "**Strength**: For the player, this is (the sum of",
        "| 1 × | Ware 2 | 2 | 4 |",
        "**Times seen**: For each position of the pool and the bag: a number from 0 to 9.",
        "If the times seen in this position is 3:",
    ):
        assert sentence in text, text


def test_a_window_that_an_action_closes_says_so(tmp_path: Path) -> None:
    closing = "    do: finish with true\n"
    told = "As soon as the result of an action is yes, nobody may step in any more."
    for body in (closing, "    do: nothing\n"):
        (tmp_path / "game.yaml").write_text(
            "edition: 2026\ngame: veto\nplayers: 2\n"
            "actions:\n"
            "  veto:\n    in: doubt\n" + body + "windows: {doubt: {turns: players, ask: Stop it?}}\n"
            "variables: {stopped(player): int}\n"
            "flow:\n  round:\n    repeat: 3\n    turns: players\n"
            "    do: |\n      perform doubt\n      me.stopped += 1\n"
            "winner: {most: me.stopped}\n"
        )
        assert (told in markdown(rulebook(houserule_package.load(tmp_path)))) is (body is closing)


def test_what_settings_decide_and_what_ends_a_step_is_told_as_it_is(tmp_path: Path) -> None:
    """A function of options has one value; not every suit is dealt; `leave` ends a step before the game does."""
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: bids\nplayers: 2\n"
        "options: {red_risk: {type: bool, default: false}, blue_risk: {type: bool, default: false}}\n"
        "enums: {side: [red, blue], suit: [clubs, hearts, none_at_all]}\n"
        'components: {card: {attributes: {suit: suit, rank: 1..2}, each: {suit: "[clubs, hearts]", rank: 1..2}, starts_in: pile}}\n'
        "zones: {pile: {holds: card, visible: all}}\nvariables: {total: 0..9000}\n"
        "functions:\n  at_risk(side s): red_risk if s == red else blue_risk\n  again(side s): again(s) if s == red else red_risk\n"
        "flow:\n  auction:\n    repeat: forever\n    do: |\n      for s in side: total += 500 if at_risk(s) else 300\n"
        "      leave auction\n  rest:\n    do: |\n      if again(red): total = 1\nwinner: {most: 1}\n",
        encoding="utf-8",
    )
    told = text_of(tmp_path)
    assert "This is repeated until something below ends it." in told and "until the game ends" not in told
    assert "goes up by 300" in told and "never" not in told.partition("rest")[0]
    assert "There are 4" not in told


def test_a_text_of_a_kind_shows_options(tmp_path: Path) -> None:
    calf = 'calf: {starts_in: barn, text: "Everybody has {limit}.", attributes: {age: 1..3}, each: {age: 1..3}}'
    text = STALL.replace("  ox:\n", f"  {calf}\n  ox:\n").replace(
        "zones:", "options: {limit: {type: 1..9, default: 3}}\nzones:\n  barn: {holds: calf, visible: all}"
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    assert "Everybody has 3." in text_of(tmp_path)


HAND_IN_A_GRID = """\
edition: 2026
game: in_a_grid
players: 2
components: {card: {attributes: {no: 1..6}, each: {no: 1..6}, starts_in: "hand[first(players)]"}}
zones:
  hand(player): {holds: card, visible: all}
flow: {s: {turns: players, do: "for c in me.hand: move c to next(me).hand"}}
layout: {zones: {hand: {arrange: grid, row: 1, column: 1}}}
"""


def test_a_grid_that_has_no_places_is_drawn_without_their_titles(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(HAND_IN_A_GRID, encoding="utf-8")
    assert "<svg" in html(rulebook(houserule_package.load(tmp_path), "en"))


SHARES = """\
edition: 2026
game: shares
players: 1..3
enums: {gem: {title: {en: gem, de: Stein}, grammar: {de: {gender: m, acc: Stein}}, members: {ruby: {title: {en: ruby, de: Rubin}}, opal: {title: {en: opal, de: Opal}}}}}
components:
  chip: {title: {en: "{it.gem} chip", de: "Chip ({it.gem})"}, attributes: {gem: gem}, each: {gem: gem}, count: "chips[player_count] if it.gem == ruby else 5", starts_in: heap}
  shop: {title: {en: "shop {it.number}", de: "Laden {it.number}"}, attributes: {number: 0..9}, each: {number: 0..player_count * 2}}
  pawn: {title: {en: pawn, de: Bauer}, attributes: {seat: player}, each: {seat: player}, count: 3, starts_in: heap}
  guard: {title: {en: guard, de: Wache}, attributes: {seat: player}, each: {seat: player}, count: 4 if player_count < 3 else 2, starts_in: heap}
tables: {chips: [0, 4, 4, 7]}
zones: {heap: {holds: piece, visible: all, title: {en: heap, de: Haufen}}, display(shop): {holds: chip, visible: all, title: {en: display, de: Auslage}}}
flow: {play: {turns: players, do: nothing}}
winner: {most: 1}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "4 / 4 / 7 × | Ruby chip",
                "| 5 × | Opal chip",
                "Where there are several numbers, they are for 1, 2 and 3 players.",
                "With one player: there are 3, from number 0 to number 2.",
                "With 2 players: there are 5, from number 0 to number 4.",
                "There are 9, 3 for each player.",
                "With 2 players: there are 8, 4 for each player.",
                "With 3 players: there are 6, 2 for each player.",
                "| 10 | Guards |",  # enough for two players, and for three
            ],
        ),
        (
            "de",
            [
                "Mehrere Zahlen gelten für 1, 2 und 3 Spieler.",
                "Bei einem Spieler: Es gibt 3, von number 0 bis number 2.",
                "Bei 3 Spielern: Es gibt 7, von number 0 bis number 6.",
                "Es gibt 9: für jeden Spieler 3.",
            ],
        ),
        ("zh-Hant", ["列出數個數字時，依序為 1、2 和 3 人時的數字。", "1 人時：共 3"]),
        ("ja", ["順に1、2、3人の場合です。", "1人の場合：全部で3"]),
    ],
)
def test_how_many_pieces_there_are_is_told_for_each_number_of_players(
    language: str, said: list[str], tmp_path: Path
) -> None:
    (tmp_path / "game.yaml").write_text(SHARES, encoding="utf-8")
    text = text_of(tmp_path, language=language)
    assert [one for one in said if one not in text] == []
    (tmp_path / "game.yaml").write_text(
        SHARES.replace("1..3", "1..6").replace("7]", "7, 7, 7, 7]").replace("0..9}", "0..20}"), encoding="utf-8"
    )
    if language == "en":
        assert "With 6 players: there are 13, from" in (text := text_of(tmp_path))
        assert "With 1, 2, 3, 4 and 5 players, there are 3, 5, 7, 9 and 11, in this order." in text


def test_kinds_with_one_back_are_called_by_their_own_names(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: backs\nplayers: 2\nenums: {person: [cook, baker], tool: [axe, rope]}\n"
        "options: {goal: {type: 3..9 or none, default: none}}\n"
        "components:\n"
        '  person_card: {title: "{it.person}", back_title: card, attributes: {person: person}, each: {person: person}, starts_in: deck}\n'
        '  tool_card: {title: "{it.tool}", back_title: card, attributes: {tool: tool}, each: {tool: tool}, starts_in: deck}\n'
        "zones: {deck: {holds: piece, visible: none}, hand(player): {holds: piece, visible: owner}}\n"
        "variables: {coins(player): 0..9}\n"
        "flow:\n  turn:\n    turns: players\n    do: |\n      c = top(deck)\n      if c is tool_card: move c to me.hand\n"
        "      if goal: me.coins = goal\n"
        "scoring: {n: count(me.hand) + me.coins}\n",
        encoding="utf-8",
    )
    text = markdown(rulebook(houserule_package.load(tmp_path)))
    assert "If the piece is a tool card:" in text and "### Person card" in text
    assert "Possible: 3 to 9 or none." in text and "none to your coins" not in text
    with_goal = markdown(rulebook(houserule_package.load(tmp_path, options={"goal": 4})))
    assert "Set your coins to 4." in with_goal or "Your coins are now 4." in with_goal or "now 4" in with_goal


FEWER = """\
edition: 2026
game: fewer
players: 2
components:
  card: {starts_in: pile, pieces: {ace: {title: Ace}, fool: {title: Fool}}}
zones: {pile: {holds: card, visible: all}}
options: {strict: {type: bool, default: true, text: Strict rules are used.}}
functions: {open_cards(player p): count(pile) if strict and p == first(players) else 0}
flow:
  deal:
    do: |
      for p in players: say "{open_cards(p)}"
  extra: {title: Extra, do: nothing}
scoring: {aces: {title: Aces, points: "1"}, fools: {title: Fools, points: "2"}}
"""


def test_the_page_of_a_house_rule_says_what_it_removes(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(FEWER, encoding="utf-8")
    (tmp_path / "variants").mkdir()
    less = "variant: less\nof: fewer\ntitle: Less\ntext: Less.\noptions: {strict: false}\n"
    less += "remove: [components.card.pieces.fool, flow.extra, scoring.fools]\n"
    (tmp_path / "variants" / "less.yaml").write_text(less, encoding="utf-8")
    before, after = (rulebook(houserule_package.load(tmp_path, variants=with_)) for with_ in ((), ("less",)))
    (gone,) = [
        one for chapter in only_changes(before, after).chapters for one in chapter.sections if one.anchor == "gone"
    ]
    assert gone.title == "No longer in the game"
    assert "Open cards" in markdown(before) and "Open cards" not in markdown(after)  # a word that is told in place now
    assert sorted(line.text for line in gone.lines) == ["Extra", "Fool", "Fools"]
    assert "You score 1 point." in markdown(before) and "You score 2 points." in markdown(before)
    assert not [one for chapter in only_changes(before, before).chapters for one in chapter.sections]


def test_the_page_of_a_house_rule_that_says_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(FEWER, encoding="utf-8")
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "same.yaml").write_text("variant: same\nof: fewer\ntitle: As ever\n", encoding="utf-8")
    before, after = (rulebook(houserule_package.load(tmp_path, variants=with_)) for with_ in ((), ("same",)))
    page = only_changes(before, after)
    assert markdown(page).endswith("### As ever\n\nThe text of the rules stays as it is.\n")
    assert "Index" not in html(page)


UNMARKED = """\
edition: 2026
game: unmarked
players: 2
components:
  herb: {attributes: {power: 0..3}, starts_in: deck, pieces: {mint: {count: 5, power: 1}, sage: {count: 5, power: 2}}}
zones:
  deck: {holds: herb, visible: none}
  hand(player): {holds: herb, visible: all}
windows: {any_time: {turns: players, ask: Use a herb?}}
functions: {strong(herb h): h.power >= 2}
actions:
  sell(herb h): {in: any_time, for: h in me.hand, label: "Sell {h}", do: move h to deck}
flow:
  deal: {do: "for p in players: draw 1 from deck to p.hand"}
  play: {turns: players, do: "if any(h in me.hand where strong(h)): perform any_time"}
scoring: {herbs: count(me.hand)}
"""


def test_what_a_house_rule_changes_is_marked_where_it_is_told(tmp_path: Path) -> None:
    game = tmp_path / "unmarked"
    (game / "variants").mkdir(parents=True)
    (game / "game.yaml").write_text(UNMARKED, encoding="utf-8")
    head = "variant: {0}\nof: unmarked\ntitle: {0}\n"
    brew = 'add: {actions: {brew(herb h): {in: any_time, for: h in me.hand, label: "Brew {h}", do: nothing}}}\n'
    (game / "variants/brew.yaml").write_text(head.format("brew") + brew, encoding="utf-8")
    (game / "variants/weak.yaml").write_text(
        head.format("weak") + "change: {functions: {strong: h.power >= 1}}\n", encoding="utf-8"
    )
    for variant, marked in (("brew", {"windows.any_time", "actions.brew"}), ("weak", {"flow.play"})):
        book = rulebook(houserule_package.load(game, variants=[variant]))
        assert {one.anchor for chapter in book.chapters for one in chapter.sections if one.mark} == marked
