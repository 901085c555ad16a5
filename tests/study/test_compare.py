"""A comparison finds what differs and nothing else, a sweep shows how it goes, and reports say both for people."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import houserule
from houserule import Game
from houserule.study.compare import Comparison, compare, compared, differences_of, sweep
from houserule.study.figures import Interval, places_of
from houserule.study.measures import Difference, length_compared, of_study
from houserule.study.pages import Figure, Table, figure_of, page, taken_of
from houserule.study.plan import Means
from houserule.study.report import report_of_comparison, report_of_study, report_of_sweep
from houserule.study.run import Stopped
from houserule.study.simulate import planned, simulate
from houserule.study.tension import Measure

MUSHROOMS = """\
edition: 2026
game: mushrooms
title: {{en: "Mushrooms & <b>$Co$</b>"}}
players: 2
options: {{gift: {{type: 0..9, default: {gift}}}}}
components:
  card:
    title: {{en: "{{it}}"}}
    attributes: {{worth: 0..9}}
    pieces: {{{first}: {{count: 6, worth: 1}}, {second}: {{count: 6, worth: 2}}, truffle: {{count: 2, worth: 6}}}}
    starts_in: forest
zones:
  forest: {{holds: card, visible: all, order: none}}
  basket(player): {{holds: card, visible: all}}
flow:
  day:
    repeat: 5
    turns: players
    do: |
      choose found from forest "Which mushroom for {{me}}?": move found to me.basket
scoring:
  worth: sum(c.worth for c in me.basket)
  gift: {{when: me == first(players), points: gift}}
"""


def mushrooms(folder: Path, gift: int = 0, first: str = "morel", second: str = "cep") -> Game:
    """A game in which the first seat is given points."""
    folder.mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(MUSHROOMS.format(gift=gift, first=first, second=second), encoding="utf-8")
    return houserule.load(folder)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return mushrooms(tmp_path_factory.mktemp("mushrooms"))


def told(comparison: Comparison) -> set[str]:
    return {one.key for one in comparison.differences if one.is_told}


def test_what_is_unfair_is_found_and_what_is_harmless_is_not(game: Game, tmp_path: Path) -> None:
    unfair = mushrooms(tmp_path / "unfair", gift=3)
    harmless = mushrooms(tmp_path / "harmless", first="chanterelle", second="bolete")
    for seed in range(3):
        found = compare(unfair, game, seed=seed, precision=0.2, matches=600)
        assert {"wins.seat_1", "wins.seat_2", "line.gift", "score"} <= told(found)
        assert "decisions" not in told(found)
        (first,) = (one for one in found.differences if one.key == "wins.seat_1")
        assert 0 < first.interval.low < first.interval.estimate < first.interval.high
        assert found.verdict[1].startswith("The first seat wins ")
        assert told(compare(harmless, game, seed=seed, precision=0.2, matches=600)) == set()
    verdict = of_study(simulate(unfair, 600))[0]
    assert re.match(r"The first seat wins \d+ points in 100 more than its share of 50", verdict), verdict
    assert of_study(simulate(game, 60))[0].startswith("No seat demonstrably wins more or less than its share")


def test_what_one_side_cannot_measure_is_not_counted_as_nothing_and_what_it_never_has_is() -> None:
    def of(*keys: str) -> list[Measure]:
        return [Measure(key, key, "share", np.ones(30)) for key in keys]

    found = differences_of(of("wins.seat_1", "decided", "draw", "line.gift"), of("wins.seat_1", "rounds"))
    assert {one.key: one.second for one in found} == {"wins.seat_1": 1, "draw": 0, "line.gift": 0}


def test_a_comparison_ends_when_it_is_precise_enough_and_says_when_it_is_not(game: Game, tmp_path: Path) -> None:
    other = mushrooms(tmp_path / "other", gift=1)
    rough = compare(other, game, precision=0.3)
    assert len(rough) < 1000 and rough.is_precise
    assert all(one.interval.width <= 0.3 for one in rough.wins)
    short = compare(game, mushrooms(tmp_path / "same", first="bolete"), precision=0.0001, matches=30)
    assert len(short) == 30
    assert short.verdict[0].startswith("30 matches each do not show whether")
    assert "more matches would tell" in short.verdict[1]
    assert json.loads(json.dumps(short.to_json()))["is_precise"] is False
    assert len(short.to_pandas()) == len(short.differences)
    assert "<table>" in short._repr_html_()


def test_a_sweep_shows_how_wins_go_along_an_option(game: Game) -> None:
    found = sweep(game.path, {"gift": [0, 3, 9]}, matches=200)
    wins = [point.interval.estimate for point in found.curve("wins.seat_1")]
    assert wins == sorted(wins) and wins[-1] > 0.8
    assert found.verdict[0].startswith("Wins of the ")
    assert len(found.to_pandas()) == len(found.points)
    assert [len(curve) for curve in map(found.curve, found.keys)] == [3] * len(found.keys)
    assert "<table>" in found._repr_html_() and json.dumps(found.to_json())
    with pytest.raises(ValueError, match="one or two options, not 0"):
        sweep(game.path, {})
    both = sweep(game.path, {"gift": [0, 9]}, matches=20)
    assert [setting["gift"] for setting in both.settings] == [0, 9]
    shares = [point.interval for point in both.points if point.unit == "share"]
    assert all(0 <= one.low <= one.estimate <= one.high <= 1 and one.low < one.high for one in shares)


class Page(HTMLParser):
    """Sees that a page is well formed, and what stands in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.links: list[str] = []
        self.figures = self.tables = self.drawings = 0
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "path", "use", "rect", "br"):
            self.open.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        self.figures += tag == "figure"
        self.tables += tag == "table"
        self.drawings += tag == "svg"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_reports_need_nothing_and_have_the_numbers_of_every_figure(game: Game, tmp_path: Path) -> None:
    study = simulate(game, 200, seats="first,random", rotate=True, offers=True)
    compared = compare(mushrooms(tmp_path / "other", gift=3), game, precision=0.4)
    swept = sweep(game.path, {"gift": [0, 3]}, matches=50)
    told = report_of_study(study)
    for text, sentence in (
        (told, of_study(study)[0]),
        (report_of_comparison(compared), compared.verdict[0]),
        (report_of_sweep(swept), swept.verdict[0]),
    ):
        page = Page(text)
        words = " ".join(page.words)
        assert sentence in words
        assert page.figures == page.tables > 0
        assert 0 < page.drawings <= page.figures
        assert all(link.startswith("#") for link in page.links)
        assert (
            "http://" not in text.replace("http://www.w3.org/", "") and "https://" not in text and "<script" not in text
        )
        assert "<b>" not in text and "$Co$" in text  # a title is a stranger's
        assert "#0a0b0" not in text and "prefers-color-scheme:dark" in text
        assert "random" in words and re.search(r"\d+ matches", words)
    words = " ".join(Page(told).words)
    for item in (
        "Which mushroom for …?",
        "truffle",
        "wins if taken",
        "What taking it is associated with",
        "Victories by bot",
    ):
        assert item in words
    houserule.report(study, tmp_path / "study.html")
    assert (tmp_path / "study.html").read_text(encoding="utf-8") == told


def test_a_long_table_is_folded_an_empty_one_says_so_and_what_is_typed_is_no_backtick() -> None:
    rows = [(f"thing {number}", str(number)) for number in range(25)]
    figure = Figure("All", "What `houserule ladder` does.", "Nobody.", Table(("thing", "number"), rows))
    page_of_it = figure_of(figure)
    assert "<summary>5 more</summary>" in page_of_it and page_of_it.count("<tr>") == 2 + 25
    assert "<code>houserule ladder</code>" in page_of_it and "`" not in page_of_it
    assert "<title>A `b`</title>" in page("A `b`", [], "", [])
    empty = figure_of(Figure("None", "", "", Table(("thing",), [])))
    assert "nothing of this kind happened" in empty and "<table>" not in empty


def test_a_report_says_what_the_house_rule_is_and_shows_its_changes_line_by_line(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        f"variant: mine\nof: {game.id}\ntitle: Long nights\ntext: It is late.\n"
        "change: {flow: {day: {repeat: 4}}}\nadd: {flow: {rest: {do: nothing, before: day}}}\n",
        encoding="utf-8",
    )
    found = compare(houserule.load(game.path, [str(file)]), game, matches=40)
    page_of_it = report_of_comparison(found)
    assert found.names[0] == "Long nights"
    assert "<p>Long nights: It is late.</p>" in page_of_it
    assert re.search(r"<pre>Long nights:\n  .*\n", page_of_it)
    unsure = of_length(found, 0.3)
    assert "cannot be told yet from 40 matches" in length_compared([unsure], 40)
    assert "equally long" in length_compared([of_length(found, 0.01)], 40)
    shorter = replace(unsure, interval=Interval(-0.5 * unsure.second, -unsure.second, -1.0), p=0.0)
    assert length_compared([shorter], 40).startswith("A match is 50 % shorter: ")
    beside_chance = replace(shorter, first=16.0, second=20.0, interval=Interval(-4.0, -7.0, -1.0), p=1.0)
    assert length_compared([beside_chance], 40).startswith("Matches may be shorter, by 1.0 to 7.0 of 20 decisions; 40 ")
    brief = replace(unsure, first=3.4, second=3.1, interval=Interval(0.3, 0.2, 0.4), p=0.0)
    assert length_compared([brief], 40) == "A match is 10 % longer: 3.4 decisions instead of 3.1."


def stopped_after(number: int, sides: tuple[Game, Game], matches: int) -> tuple[list[Comparison], Stopped]:
    """What is kept of a comparison that somebody stops after so many matches of both sides."""
    played, kept = [0], []

    def stop(matches: int) -> None:
        played[0] += matches
        if played[0] >= number:
            raise KeyboardInterrupt

    plans = [planned(side, ("random", "random"), matches, 0, "python", rotates=True, offers=True) for side in sides]
    with pytest.raises(Stopped) as stopped:
        compared(sides, plans, 0.0, Means(progress=stop), kept.append)
    return kept, stopped.value


def test_a_comparison_that_is_stopped_has_what_both_sides_have_played(game: Game) -> None:
    gifts = houserule.load(game.path, options={"gift": 3})
    (kept,), stopped = stopped_after(750, (gifts, game), 1000)
    assert len(kept) == len(stopped.columns) >= 200
    whole = compare(gifts, game, matches=len(kept), precision=0.0, engine="python", seats="random")
    assert [one.to_json() for one in kept.differences] == [one.to_json() for one in whole.differences]


def test_of_a_comparison_that_is_stopped_before_the_other_side_has_begun_nothing_is_kept(game: Game) -> None:
    kept, stopped = stopped_after(60, (game, game), 1000)
    assert not kept and not len(stopped.columns)


def of_length(found: Comparison, part: float) -> Difference:
    """The difference in length with an interval of this part of it on either side, which is not told."""
    one = next(one for one in found.differences if one.key == "decisions")
    wide = Interval(0.0, -part * one.second, part * one.second)
    return replace(one, interval=wide, p=1.0)


def test_options_of_a_ladder_are_those_of_one_bot(game: Game) -> None:
    study = simulate(game, 20, seats="first,random", rotate=True, offers=True)
    both, alone = (sum(one.offered for one in taken_of(study, bot)) for bot in (None, "first"))
    assert 0 < alone < both


def test_a_missing_library_is_told_with_its_extra(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    from houserule.extras import MissingExtra

    with pytest.raises(MissingExtra, match=r"matplotlib, which is not installed: pip install 'houserule\[study\]'"):
        report_of_study(simulate(game, 20))


QUIET = """\
edition: 2026
game: lottery
players: 2
variables: {score(player): int}
flow: {draw: {turns: players, do: "roll x from 1..6; me.score += x"}}
winner: {most: me.score}
"""


def test_a_game_that_asks_nothing_is_compared_with_a_house_rule_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(QUIET.replace("; ", "\\n"), encoding="utf-8")
    rule = tmp_path / "twice.yaml"
    rule.write_text(
        "variant: twice\nof: lottery\nchange: {flow: {draw: {turns: reverse(players)}}}\n", encoding="utf-8"
    )
    found = compare(tmp_path, variants=rule, matches=40)
    assert "twice" in report_of_comparison(found)
    kept = simulate(tmp_path, 40, out=tmp_path / "kept")
    assert "wins" in report_of_study(kept)


def test_teams_are_compared_and_swept_as_seats_are(tmp_path: Path) -> None:
    text = (
        QUIET.replace("; ", "\\n")
        .replace("players: 2", "players: 4\noptions: {faces: {type: 2..6, default: 6}}")
        .replace("1..6", "1..faces")
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    rule = tmp_path / "pairs.yaml"
    rule.write_text("variant: pairs\nof: lottery\nadd: {teams: 'position(players, me) % 2'}\n", encoding="utf-8")
    one_sided = compare(tmp_path, variants=rule, matches=40)
    assert one_sided.verdict[1] == "Who wins is not compared, since only one of them is played in teams."
    assert report_of_comparison(one_sided)
    in_pairs = houserule.load(tmp_path, [rule])
    both = compare(in_pairs, against=in_pairs, matches=40)
    assert both.verdict[1].startswith("A team may win")
    swept = sweep(tmp_path, {"faces": [2, 6]}, variants=[rule], matches=40)
    assert swept.verdict[0].startswith("Wins of the ") and "pair" in swept.verdict[0]
    assert report_of_sweep(swept)


def test_swept_numbers_stand_at_their_values() -> None:
    assert places_of(["0", "5", "20"]) == [0.0, 5.0, 20.0]
    assert places_of(["low", "high"]) == places_of(["7", "3"]) == [0.0, 1.0]
