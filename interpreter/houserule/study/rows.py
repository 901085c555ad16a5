"""Rows and columns of matches, as they are played and written, and the folder in which a study is kept."""

from __future__ import annotations

import csv
import io
import json
import os
import time
import weakref
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from io import BytesIO
from itertools import accumulate, chain
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houserule.core import ENDINGS, Game, Outcome
from houserule.extras import library
from houserule.native.memory import (
    COURSE,
    DECISIONS,
    ENDING,
    HEAD,
    LEAD_CHANGES,
    LEADER_BITS,
    ROUNDS,
    STATIONS,
    WINNERS,
    WORD,
    Watched,
)
from houserule.printable import no_formula, whole_number
from houserule.reading import NotOrdinary, TooLarge, opened, read
from houserule.study.course import FORCED, IDLE, LEADERS, NOBODY, QUESTIONS, SINCE, WAYS, WEIGHED, word_of_leaders
from houserule.study.figures import numpy
from houserule.study.offers import MEASURES, Items, may_be_counts
from houserule.study.parquet import COMPRESSIONS, WrongPages, chunks_of, see_pages
from houserule.study.plan import Plan
from houserule.writing import claim, in_utf8, make_folder, release, write_file

if TYPE_CHECKING:
    from houserule.study.figures import Numbers


def numbers(parts: Iterable[array[int]] = ()) -> array[int]:
    """Some arrays, one after the other."""
    found = array("q")
    for part in parts:
        found.extend(part)
    return found


@dataclass(slots=True)
class Columns:
    """The matches from `start` on, as columns of words in the order of `native.memory`.

    Some have several entries per match: `scores` and `won` one for each seat, `lines` one for each line of the score
    sheet and each seat, `course` the words of the course (`study.course`), `weighed` those of decisions that were weighed, if any.
    `offers` has, for each bot, the counts of options by measure, seat and item. A column is made anew each time.
    """

    players: int
    start: int = 0
    tail: int = COURSE
    """The words of the course, at the end of a match."""
    parts: list[list[array[int]]] = field(default_factory=list)
    """An array for each word of some matches, not put together: in one that grows, each batch would be copied while the other threads wait."""
    matches: int = 0
    weighed: array[int] = field(default_factory=numbers)
    offers: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.matches

    @property
    def end(self) -> int:
        return self.start + self.matches

    @property
    def size(self) -> int:
        """The words of a match; 0 as long as there is none."""
        return len(self.parts[0]) if self.parts else 0

    def add(self, played: Watched) -> None:
        """Add the next match. Raises ValueError if it has more words than those before, or fewer."""
        outcome, rounds, leads, course = played
        head = [0] * HEAD
        head[DECISIONS], head[ENDING] = outcome.decisions, ENDINGS.index(outcome.ending)
        head[WINNERS] = sum(1 << seat for seat in outcome.winners)
        head[ROUNDS], head[LEAD_CHANGES] = rounds, leads
        words = [*head, *chain.from_iterable(outcome.lines), *outcome.scores, *course]
        if not self.parts:
            self.parts.append([array("q") for _ in words])
        for column, word in zip(self.parts[-1], words, strict=True):
            column.append(word)
        self.matches += 1

    def add_words(self, words: list[array[int]]) -> None:
        """Add the next matches, an array for each word of theirs, and keep these."""
        if len(words[0]):
            self.matches += len(words[0])
            self.parts.append(words)

    def extend(self, other: Columns) -> None:
        """Add the matches that follow."""
        assert other.start == self.end
        self.parts.extend(other.parts)
        self.matches += other.matches
        self.weighed.extend(other.weighed)
        for bot, counts in other.offers.items():
            self.offers[bot] = self.offers[bot] + counts if bot in self.offers else counts

    def first(self, number: int) -> Columns:
        """The first matches. Options are not counted by match, so that `offers` keeps those of all."""
        number = min(number, self.matches)
        parts = [[self.word(place)[:number] for place in range(self.size)]] if number else []
        weighed = self.weighed[: len(self.weighed) * number // max(1, self.matches)]
        return replace(self, parts=parts, matches=number, weighed=weighed)

    def word(self, place: int) -> array[int]:
        """One word of each match."""
        return numbers(part[place] for part in self.parts)

    def words(self, first: int, end: int) -> array[int]:
        """The words of each match in a range of places, match by match."""
        found = array("q", bytes(WORD * (end - first) * self.matches))
        for place in range(first, end):
            found[place - first :: end - first] = self.word(place)
        return found

    @property
    def decisions(self) -> array[int]:
        return self.word(DECISIONS)

    @property
    def endings(self) -> array[int]:
        return self.word(ENDING)

    @property
    def winners(self) -> array[int]:
        """The seats that have won, as bits."""
        return self.word(WINNERS)

    @property
    def won(self) -> Numbers:
        """Whether each seat has won each match."""
        np = numpy()
        winners = np.asarray(self.winners)
        won: Numbers = np.stack([(winners >> seat & 1).astype(bool) for seat in range(self.players)]).T
        return won

    @property
    def rounds(self) -> array[int]:
        return self.word(ROUNDS)

    @property
    def leads(self) -> array[int]:
        return self.word(LEAD_CHANGES)

    @property
    def scores(self) -> array[int]:
        return self.words(self.size - self.tail - self.players, self.size - self.tail)

    def score(self, seat: int) -> array[int]:
        return self.word(self.size - self.tail - self.players + seat)

    @property
    def lines(self) -> array[int]:
        return self.words(HEAD, self.size - self.tail - self.players)

    def line(self, line: int, seat: int) -> array[int]:
        return self.word(HEAD + line * self.players + seat)

    @property
    def course(self) -> array[int]:
        return self.words(self.size - self.tail, self.size)

    def of_course(self, word: int) -> array[int]:
        """One word of the course of each match."""
        return self.word(self.size - self.tail + word)

    @property
    def leaders(self) -> Numbers:
        """Who leads at each station of each match, -1 for nobody, as the seat that stands for all."""
        np = numpy()
        words, mask = np.asarray(self.of_course(LEADERS)), (1 << LEADER_BITS) - 1
        stations = [(words >> LEADER_BITS * place & mask).astype(np.int8) for place in range(STATIONS - 1)]
        leaders: Numbers = np.stack(stations).T - 1
        return leaders


def is_low(game: Game) -> bool:
    """Whether the fewest points win."""
    rule = game.definition.winner
    return rule is not None and rule.rule == "least"


MOST_IN_A_ROW, MOST_BESIDE = 2_000, 1 << 20
"""The values, and the bytes, that a column has for each row at most, and beside them: a small file may unpack to gigabytes."""


def bytes_of_texts(cells: Any) -> int:
    """The bytes of the texts in a column, or in the lists of one, that was read with each different text once."""
    if hasattr(cells, "dictionary"):
        compute = library("pyarrow.compute", "study")
        return compute.sum(compute.binary_length(cells.dictionary).take(cells.indices)).as_py() or 0
    if hasattr(cells, "values"):  # lists and maps
        return bytes_of_texts(cells.values)
    return sum(map(bytes_of_texts, cells.flatten() if cells.type.num_fields else ()))


def fixed_teams(game: Game, players: int) -> tuple[int, ...] | None:
    """By seat the first seat of its team, from 0; None without teams, or if they form during a match."""
    program = game.any_program(players)
    teams = program.teams_now(None) if isinstance(program.teams, tuple) else None
    return tuple(map(teams.index, teams)) if teams is not None else None


def whole_win(players: int) -> int:
    """The value of one victory, chosen so that every part of a shared one is an integer."""
    return lcm(*range(1, players + 1))


KEY = ("step", "question", "about", "kind", "item")
WORDS = (*KEY, "title")
"""The columns of what an item is, in the order of its fields; the first ones tell items apart."""
TALLIED = {"questions": QUESTIONS, "options_offered": WAYS, "forced": FORCED, "idle": IDLE}
"""The columns of tallies, and their words in the course."""
WEIGHED_NAMES = ("weighed", "gap", "stake", "hopeless", "sway")
"""The words of `study.course` as columns of CSV."""


class WrongTable(ValueError):
    """A file is not a table of this study; the message says what is wrong with it."""


class Rows:
    """The tables of one study."""

    def __init__(self, game: Game, plan: Plan) -> None:
        self.arrow = library("pyarrow", "study")
        self.plan = plan
        program = game.program(plan.players, told=not plan.is_random, watched=plan.is_random)
        self.lines = [key for key, _ in program.points]
        items = Items(program) if plan.offers else None
        self.items = items.all if items is not None else []
        self.printed = items.printed() if items is not None else {}

    # --- to tables ----------------------------------------------------------------------------------------------------

    def tables(self, columns: Columns) -> tuple[Any, Any]:
        """The table of matches, and that of options with the number of matches in its metadata."""
        options = self.counts(columns)
        return self.matches(columns), options.replace_schema_metadata({"matches": str(len(columns))})

    def counts(self, columns: Columns) -> Any:
        """The table of options."""
        schema, rows = self.schema_of_options(), list(self.options(columns))
        cells = [[row[field.name] for row in rows] for field in schema]
        made = [
            self._texts(column) if field.type == self.arrow.string() else self._numbers(column, field.type)
            for field, column in zip(schema, cells, strict=True)
        ]
        return self.arrow.Table.from_arrays(made, schema=schema)

    def schema_of_options(self) -> Any:
        arrow = self.arrow
        fields = [(word, arrow.string()) for word in (*WORDS, "bot")] + [("seat", arrow.int32())]
        fields += [(name, arrow.float64() if name.startswith("wins") else arrow.int64()) for name in MEASURES]
        return arrow.schema(fields)

    def matches(self, columns: Columns) -> Any:
        """The table of matches; matches and seats are counted from 1."""
        arrow, np, plan = self.arrow, numpy(), self.plan
        number, players = len(columns), plan.players
        numbers = np.arange(columns.start, columns.end, dtype=np.int64)
        seeds = np.fromiter(map(plan.seed_of, range(columns.start, columns.end)), np.uint64, number)
        lines = np.array(columns.lines).reshape(number, len(self.lines), players)
        names = [arrow.field(key, arrow.list_(arrow.int64())) for key in self.lines]
        by_line = [self._lists(lines[:, line]) for line in range(len(self.lines))]
        options = arrow.MapArray.from_arrays(
            self._numbers(np.arange(number + 1) * len(plan.settings), arrow.int32()),
            self._texts([name for name, _ in plan.settings] * number),
            self._texts([str(value) for _, value in plan.settings] * number),
        )
        seatings = [plan.bots(rotation) for rotation in range(plan.rotations)]
        made: dict[str, Any] = {
            "match": self._numbers(numbers + 1),
            "seed": self._numbers(seeds, arrow.uint64()),
            "game": self._texts([plan.game] * number),
            "rules_hash": self._texts([plan.rules] * number),
            "variants": self._lists_of_texts([plan.variants] * number),
            "options": options,
            "seats": self._lists_of_texts(seatings[match % plan.rotations] for match in numbers.tolist()),
            "ending": self._texts(ENDINGS[ending] for ending in columns.endings),
            "winners": self._winners(columns.won),
            "scores": self._lists(np.array(columns.scores).reshape(number, players)),
            **({"lines": arrow.StructArray.from_arrays(by_line, fields=names)} if self.lines else {}),
            "decisions": self._numbers(columns.decisions),
            "rounds": self._numbers(columns.rounds),
            "lead_changes": self._numbers(columns.leads),
            "led_since": self._or_none(columns.of_course(SINCE)),
            **{name: self._numbers(columns.of_course(word)) for name, word in TALLIED.items()},
            "leaders": self._lists(columns.leaders + 1),
            **({"weighed": self._lists(np.array(columns.weighed).reshape(number, WEIGHED))} if plan.weighs else {}),
        }
        return arrow.table(made)

    # PyArrow imports pandas for any conversion, which takes longer than many a study: columns are made from buffers.

    def _numbers(self, values: Any, type: Any = None, known: Any = None) -> Any:
        """Numbers as a column; null where `known` is false."""
        arrow, np = self.arrow, numpy()
        type = type or arrow.int64()
        cells = np.ascontiguousarray(values, dtype=type.to_pandas_dtype())
        bits = None if known is None else arrow.py_buffer(np.packbits(known, bitorder="little"))
        return arrow.Array.from_buffers(type, len(cells), [bits, arrow.py_buffer(cells)])

    def _texts(self, texts: Iterable[str]) -> Any:
        arrow, content = self.arrow, [in_utf8(text) for text in texts]
        ends = numpy().array([0, *accumulate(map(len, content))], dtype="int32")
        return arrow.StringArray.from_buffers(len(content), arrow.py_buffer(ends), arrow.py_buffer(b"".join(content)))

    def _lists_of_texts(self, lists: Iterable[Sequence[str]]) -> Any:
        rows = list(lists)
        ends = self._numbers([0, *accumulate(map(len, rows))], self.arrow.int32())
        return self.arrow.ListArray.from_arrays(ends, self._texts(chain.from_iterable(rows)))

    def _winners(self, won: Any) -> Any:
        """The seats that have won each match, counted from 1, from a truth value for each seat."""
        arrow, np = self.arrow, numpy()
        ends = self._numbers(np.concatenate([[0], won.sum(axis=1).cumsum()]), arrow.int32())
        return arrow.ListArray.from_arrays(ends, self._numbers(won.nonzero()[1] + 1, arrow.int32()))

    def _lists(self, cells: Any) -> Any:
        ends = self._numbers(numpy().arange(len(cells) + 1) * cells.shape[1], self.arrow.int32())
        return self.arrow.ListArray.from_arrays(ends, self._numbers(cells.ravel()))

    def _or_none(self, column: Sequence[int]) -> Any:
        values = numpy().array(column)
        return self._numbers(values, known=values != NOBODY)

    def options(self, columns: Columns) -> Iterator[dict[str, Any]]:
        """The rows of the options offered, by item, seat and bot."""
        np, whole = numpy(), whole_win(self.plan.players)
        for bot, counts in sorted(columns.offers.items()):
            for number, seat in zip(*np.nonzero(counts[0].T), strict=True):
                values = counts[:, seat, number].tolist()
                yield {
                    **dict(zip(WORDS, astuple(self.items[number]), strict=False)),
                    "bot": bot,
                    "seat": int(seat) + 1,
                    **{
                        name: value / whole if name.startswith("wins") else value
                        for name, value in zip(MEASURES, values, strict=True)
                    },
                }

    # --- from tables --------------------------------------------------------------------------------------------------

    def matches_of(self, options: Path) -> int:
        """How many matches a table of options covers; 0 if there is no table. Raises WrongTable."""
        if not os.path.lexists(options):
            return 0
        with self._reading(options), opened(options, "table") as stream:
            said = library("pyarrow.parquet", "study").read_schema(stream).metadata or {}
            found = whole_number(said.get(b"matches", b"").decode("ascii", "replace"))
            if found is None or found < 0:
                raise WrongTable(f"'{options}' does not say how many matches it covers")
        return found

    def read(self, matches: Path, options: Path, start: int, number: int) -> Columns:
        """The columns of the first `matches` rows of a table that begins with match `start`.

        Written again, they give the same tables. Raises WrongTable, and OSError if they may not be read.
        """
        columns = Columns(self.plan.players, start)
        with self._reading(matches):
            self._read_matches(matches, columns, number)
        with self._reading(options):
            self._read_options(options, columns, number)
        return columns

    def _read_matches(self, file: Path, columns: Columns, number: int) -> None:
        table = self._first(file, self.matches(columns).schema, number)
        size = HEAD + self.plan.players * (len(self.lines) + 1) + COURSE
        if not self._may_be_courses(table):
            raise WrongTable(f"'{file}' has other matches")
        for played in self._played(table):
            columns.add(played)
            if columns.size != size:
                raise WrongTable(f"'{file}' has other matches")
        for weighed in table["weighed"].to_pylist() if self.plan.weighs else ():
            columns.weighed.extend(weighed)
        counted = min((*columns.decisions, *columns.rounds, *columns.leads), default=0)
        if (
            len(table) < number
            or counted < 0
            or len(columns.weighed) != (WEIGHED * number if self.plan.weighs else 0)
            or not self.matches(columns).equals(table)
        ):
            raise WrongTable(f"'{file}' has other matches")

    def _played(self, table: Any) -> Iterator[Watched]:
        """The matches of a table, as they were played."""
        names = (
            "scores",
            "lines",
            "decisions",
            "winners",
            "ending",
            "rounds",
            "lead_changes",
            "led_since",
            *TALLIED,
            "leaders",
        )
        cells = (table[name].to_pylist() if name in table.column_names else [{}] * len(table) for name in names)
        for scores, lines, decisions, winners, ending, rounds, leads, since, *tallies, leaders in zip(
            *cells, strict=True
        ):
            seats = [seat for seat in range(self.plan.players) if seat + 1 in winners]
            outcome = Outcome(scores, [lines[key] for key in self.lines], decisions, seats, ending)
            course = [NOBODY if since is None else since, *tallies, word_of_leaders([seat - 1 for seat in leaders])]
            yield outcome, rounds, leads, course

    def _may_be_courses(self, table: Any) -> bool:
        """Whether no count is negative, and at each station nobody or somebody who plays leads."""
        counts = [count for name in TALLIED for count in table[name].to_pylist()]
        leaders, seats = table["leaders"].to_pylist(), {*range(self.plan.players + 1)}
        return min(counts, default=0) >= 0 and all(len(one) == STATIONS - 1 and {*one} <= seats for one in leaders)

    def _read_options(self, file: Path, columns: Columns, matches: int) -> None:
        np, whole, seats = numpy(), whole_win(self.plan.players), set(self.plan.seats)
        most = len(seats) * self.plan.players * len(self.items)
        table = self._first(file, self.schema_of_options(), most + 1)
        numbers = {astuple(item)[: len(KEY)]: number for number, item in enumerate(self.items)}
        for row in table.to_pylist():
            counts = columns.offers.get(row["bot"])
            if counts is None:
                counts = columns.offers[row["bot"]] = np.zeros(
                    (len(MEASURES), self.plan.players, len(self.items)), dtype=np.int64
                )
            number = numbers[tuple(row[word] for word in KEY)]
            for measure, name in enumerate(MEASURES):
                value = row[name]
                counts[measure, row["seat"] - 1, number] += round(value * whole) if name.startswith("wins") else value
        is_counted = seats.issuperset(columns.offers) and all(
            may_be_counts(counts, matches, whole) for counts in columns.offers.values()
        )
        if not is_counted or not self.counts(columns).drop_columns("title").equals(table.drop_columns("title")):
            raise WrongTable(f"'{file}' has other counts")

    def _first(self, file: Path, schema: Any, most: int) -> Any:
        """The first rows of a file that has a table with these columns. Raises WrongTable."""
        parquet = library("pyarrow.parquet", "study")
        with opened(file, "table") as stream, parquet.ParquetFile(stream) as found:
            if not found.schema_arrow.equals(schema):
                raise WrongTable(f"'{file}' has other columns")
            room = MOST_BESIDE + MOST_IN_A_ROW * min(found.metadata.num_rows, most)
            if any(one.compression not in COMPRESSIONS for one in chunks_of(found.metadata)):
                raise WrongTable(f"'{file}' was not written by a study")
            if any(max(one.num_values, one.total_uncompressed_size) > room for one in chunks_of(found.metadata)):
                raise WrongTable(f"'{file}' has more in it than its rows may have")
            try:
                for one in chunks_of(found.metadata):
                    see_pages(stream, one, room)
            except WrongPages:
                raise WrongTable(f"'{file}' has other pages than it says") from None
            texts = [one.path_in_schema for one in chunks_of(found.metadata) if one.physical_type == "BYTE_ARRAY"]
            taken: list[Any] = []
            # A text that many cells name is read once, and written out only when it is known how much that makes.
            for batch in parquet.ParquetFile(stream, read_dictionary=texts).iter_batches():
                taken.append(batch)
                if sum(map(len, taken)) >= most:
                    break
        if any(sum(map(bytes_of_texts, column)) > room for column in zip(*taken, strict=True)):
            raise WrongTable(f"'{file}' has more in it than its rows may have")
        return self.arrow.Table.from_batches(taken).slice(0, most).cast(schema) if taken else schema.empty_table()

    @contextmanager
    def _reading(self, file: Path) -> Iterator[None]:
        """A context in which a file is read. Raises WrongTable for whatever Arrow and Python raise on a damaged file."""
        if not file.is_file() or file.is_symlink():
            raise WrongTable(f"'{file}' is no file" if os.path.lexists(file) else f"there is no file '{file}'")
        try:
            yield
        except WrongTable:
            raise
        except (
            self.arrow.ArrowException,
            KeyError,
            IndexError,
            TypeError,
            ValueError,
            OSError,
            OverflowError,
        ) as wrong:
            if isinstance(wrong, OSError) and wrong.errno:  # the system's own; Arrow's has no number
                raise
            raise WrongTable(f"'{file}' is damaged") from wrong

    # --- as CSV -------------------------------------------------------------------------------------------------------

    def as_csv(self, columns: Columns) -> tuple[str, str]:
        """Both tables as CSV: a column per seat where the table has a list, and `1 3` for several winners."""
        flat: list[dict[str, Any]] = []
        for row in self.matches(columns).to_pylist():
            one = {key: value for key, value in row.items() if key not in ("scores", "lines", "leaders", "weighed")}
            one["variants"] = " ".join(row["variants"])
            one["options"] = " ".join(f"{name}={value}" for name, value in row["options"])
            one["seats"] = " ".join(row["seats"])
            one["winners"] = " ".join(map(str, row["winners"]))
            lines = {"score": row["scores"], **(row.get("lines") or {})}
            one |= {f"{key}_{seat}": value for key, values in lines.items() for seat, value in enumerate(values, 1)}
            one |= {f"leader_{part}_of_{STATIONS}": leader for part, leader in enumerate(row["leaders"], 1)}
            one |= zip(WEIGHED_NAMES, row.get("weighed", ()), strict=False)
            flat.append(one)
        options = list(self.options(columns))
        return csv_of(flat), csv_of(options, self.schema_of_options().names)


def csv_of(rows: list[dict[str, Any]], heads: Sequence[str] | None = None) -> str:
    """Rows as CSV, without heads under the keys of the first. A text that a spreadsheet would read as a formula gets an apostrophe."""
    text = io.StringIO()
    writer = csv.DictWriter(text, heads or list(rows[0] if rows else ()), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: no_formula(one) if isinstance(one, str) else one for key, one in row.items()})
    return text.getvalue()


MANIFEST, MATCHES, OPTIONS, PARTS = "study.json", "matches", "options", "parts"
INTERVAL = 5.0
"""Seconds between two writes."""
FORMAT = 3
MOST_MATCHES = 10**12


class WrongFolder(ValueError):
    """The folder holds something other than the study to resume; the message says what."""


class Folder:
    """The folder of one study.

    A part counts once the manifest names it, and each file is renamed into place when it is complete. So after a crash
    the folder has the matches up to some batch, each once; the others are played again. `options.parquet` is written
    after `matches.parquet` and says how many matches both cover. Until `close`, the folder is locked against other studies.
    """

    def __init__(self, path: Path, game: Game, plan: Plan, as_csv: bool = False) -> None:
        """Open or make the folder. Raises WrongFolder, MissingExtra and OSError."""
        self.path, self.plan, self.as_csv = path, plan, as_csv
        self.rows = Rows(game, plan)
        self.columns, self.waiting = Columns(plan.players), Columns(plan.players)
        self.parts: list[list[int]] = []
        self.wrote = time.monotonic()
        if path.exists() and not path.is_dir():
            raise WrongFolder(f"'{path}' is a file, not a folder")
        make_folder(path)
        try:
            self.close = weakref.finalize(self, release, claim(path))
        except BlockingIOError as reason:
            raise WrongFolder(f"another study is being written to '{path}'") from reason
        try:
            if os.path.lexists(path / MANIFEST):
                self._resume()
            elif any(path.iterdir()):
                raise WrongFolder(f"'{path}' is not empty and holds no study")
            self.waiting.start = self.columns.end
            make_folder(path / PARTS)
            self._write_manifest()
        except BaseException:
            self.close()
            raise

    # --- reading ------------------------------------------------------------------------------------------------------

    def _resume(self) -> None:
        """Read what an earlier run has left. Raises WrongFolder."""
        written = self._manifest()
        before, mine = written["study"], self.plan.to_json()
        if written.get("format") != FORMAT or before != mine:
            theirs = before if isinstance(before, dict) else {}
            different = [key for key in (*mine, "weighs") if theirs.get(key) != mine.get(key)] if theirs else []
            what = ""
            if different:
                key = different[0]
                what = f": {key.replace('_', ' ')} {shown(theirs.get(key))} there, {shown(mine.get(key))} here"
            elif written.get("format") != FORMAT:
                what = f": format {shown(written.get('format'))} there, {FORMAT} here"
            raise WrongFolder(f"'{self.path}' holds another study{what}")
        options = self.path / f"{OPTIONS}.parquet"
        try:
            done = self.rows.matches_of(options)
            self.see_room(done)
            if done:
                self.columns.extend(self.rows.read(self.path / f"{MATCHES}.parquet", options, 0, done))
            for start, end in written["parts"]:
                if start >= done:
                    self.see_room(end)
                    if start != self.columns.end:
                        raise WrongTable(f"there are no matches from {self.columns.end + 1} to {start}")
                    matches, counts = (self.path / PARTS / name for name in part_names(start, end))
                    self.columns.extend(self.rows.read(matches, counts, start, end - start))
                    self.parts.append([start, end])
        except WrongTable as wrong:
            raise WrongFolder(f"the study in '{self.path}' cannot be resumed: {wrong}") from wrong

    def _manifest(self) -> dict[str, Any]:
        """The folder's manifest. Raises WrongFolder, and OSError if it may not be read."""
        file = self.path / MANIFEST
        wrong = WrongFolder(f"'{file}' cannot be read: it was not written by a study")
        try:
            found = json.loads(read(file, "manifest"))
        except (FileNotFoundError, IsADirectoryError, NotOrdinary, TooLarge, ValueError, RecursionError) as reason:
            raise wrong from reason
        if not isinstance(found, dict) or "study" not in found or not is_in_parts(found.get("parts")):
            raise wrong
        return found

    def see_room(self, matches: int) -> None:
        """Raise WrongFolder if the folder has more matches than the study is to have."""
        if matches > self.plan.matches:
            raise WrongFolder(f"'{self.path}' holds {matches:,} matches already, more than {self.plan.matches:,}")

    # --- writing ------------------------------------------------------------------------------------------------------

    def add(self, columns: Columns) -> None:
        """Keep the next matches; they are written later. Raises OSError."""
        self.waiting.extend(columns)
        if time.monotonic() - self.wrote > INTERVAL:
            self.flush()

    def flush(self) -> None:
        """Write what is buffered. Raises OSError."""
        if len(self.waiting):
            start, end = self.waiting.start, self.waiting.end
            for name, table in zip(part_names(start, end), self.rows.tables(self.waiting), strict=True):
                self._write(self.path / PARTS / name, table)
            self.parts.append([start, end])
            self.waiting = Columns(self.plan.players, end)
            self._write_manifest()
        self.wrote = time.monotonic()

    def finish(self) -> None:
        """Put the parts together as one table of matches and one of options. Raises OSError."""
        if self.parts:
            self.flush()
        if self.parts or len(self.waiting):
            matches, options = self.rows.tables(self.columns)
            self._write(self.path / f"{MATCHES}.parquet", matches)
            self._write(self.path / f"{OPTIONS}.parquet", options)
            self.waiting = Columns(self.plan.players, self.columns.end)
            old, self.parts = self.parts, []
            self._write_manifest()
            for start, end in old:
                for name in part_names(start, end):
                    (self.path / PARTS / name).unlink(missing_ok=True)
        if self.as_csv:
            for name, text in zip((MATCHES, OPTIONS), self.rows.as_csv(self.columns), strict=True):
                write_file(self.path / f"{name}.csv", text)
        if not any((self.path / PARTS).iterdir()):
            (self.path / PARTS).rmdir()

    def _write(self, file: Path, table: Any) -> None:
        content = BytesIO()
        library("pyarrow.parquet", "study").write_table(table, content)
        write_file(file, content.getvalue())

    def _write_manifest(self) -> None:
        manifest = {"format": FORMAT, "study": self.plan.to_json(), "matches": self.plan.matches, "parts": self.parts}
        write_file(self.path / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")


def is_in_parts(parts: object) -> bool:
    """Whether something is a list of parts, each with its first match and its end."""
    return isinstance(parts, list) and all(
        isinstance(part, list)
        and len(part) == 2
        and all(type(number) is int for number in part)
        and 0 <= part[0] < part[1] <= MOST_MATCHES
        for part in parts
    )


def part_names(start: int, end: int) -> tuple[str, str]:
    return f"{MATCHES}-{start:09}-{end:09}.parquet", f"{OPTIONS}-{start:09}-{end:09}.parquet"


def shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
