"""A folder of a study that somebody has edited, exchanged or cut is refused in a sentence, and stays as it is."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import houserule
from houserule import Game
from houserule.study.figures import of_difference, of_two_means
from houserule.study.parquet import chunks_of, see_pages
from houserule.study.plan import Means, Plan
from houserule.study.rows import Folder, WrongFolder
from houserule.study.run import Unwritten
from houserule.study.simulate import study

ORCHARD = Path(__file__).parents[1] / "rehearsing" / "orchard"
TABLES = ("matches.parquet", "options.parquet")


@pytest.fixture(scope="module")
def orchard() -> Game:
    return houserule.load(ORCHARD)


@pytest.fixture(scope="module")
def plan(orchard: Game) -> Plan:
    return Plan.of(orchard, ["random", "random"], 20, 5, "python", offers=True)


@pytest.fixture(scope="module")
def finished(orchard: Game, plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that has ended."""
    folder = tmp_path_factory.mktemp("studies") / "study"
    study(orchard, plan, out=folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """What lies in a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def is_refused(orchard: Game, plan: Plan, folder: Path) -> str:
    """A study does not go on in a folder, and touches nothing there; what it says."""
    before = contents(folder)
    with pytest.raises(WrongFolder) as wrong:
        study(orchard, plan.with_matches(30), out=folder)
    assert contents(folder) == before
    return str(wrong.value)


PARTS = [
    None, 5, "ab", {}, [1, 2], [[1]], [None], [{}], [[None, None]], [["20", "30"]], [[-5, 30]], [[20, -5]], [[20, 20]], [[20, 10**30]],
    [[20, 21.5]], [[True, False]], [[float("nan"), 1]], [["../../x", 30]], [[20, 25]], [[25, 30]], [[20, 40]],
]  # fmt: skip
WHOLE = [b"", b"\0" * 9, b"[]", b"5", b"null", b"[" * 100_000, b"9" * 6000, b'"\xff"', b'{"format": NaN}', b"{}"]


def test_a_forged_state_is_refused(orchard: Game, plan: Plan, finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(finished, folder)
    file = folder / "study.json"
    state = json.loads(file.read_bytes())
    forged = [json.dumps(state | {"parts": parts}).encode() for parts in PARTS] + WHOLE
    forged += [
        json.dumps(state | {"study": said}).encode() for said in (None, [], {}, 5, state["study"] | {"seed": 10**30})
    ]
    for content in forged:
        file.write_bytes(content)
        assert "another" in (told := is_refused(orchard, plan, folder)) or "cannot" in told or "more than 30" in told, (
            content
        )
    file.unlink()
    for place in (
        lambda: os.mkfifo(file),
        file.mkdir,
        lambda: file.symlink_to("/dev/zero"),
        lambda: file.symlink_to("no"),
    ):
        place()
        assert "study.json' cannot be read" in is_refused(orchard, plan, folder)
        file.rmdir() if file.is_dir() else file.unlink()


def tables_instead(table: Any) -> Iterator[Any]:
    """Other tables in the place of one."""
    yield pyarrow.table({"a": [1, 2]})
    for number, name in enumerate(table.schema.names):
        if name in (
            "title",
            "rounds",
            "lead_changes",
            "led_since",
        ):  # nothing hangs on the first; the others may be unknown
            continue
        yield table.drop_columns([name])
        yield table.set_column(number, name, pyarrow.nulls(len(table), table.schema.field(name).type))
        for cell in ("<script>\033[31m", -(2**62), float("nan"), [[1]]):
            yield table.set_column(number, name, pyarrow.array([cell] * len(table)))


def test_forged_tables_are_refused(orchard: Game, plan: Plan, finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(finished, folder)
    for name in TABLES:
        file = folder / name
        whole, table = file.read_bytes(), parquet.read_table(file)
        for content in (b"", whole[:3], whole[:900], whole[:-1], b"PAR1" + b"\xa5" * 900 + b"\4\0\0\0PAR1"):
            file.write_bytes(content)
            assert f"{name}' is damaged" in is_refused(orchard, plan, folder)
        for other in tables_instead(table):
            parquet.write_table(other.replace_schema_metadata(table.schema.metadata), file)
            assert name in is_refused(orchard, plan, folder)
        for place in (file.mkdir, lambda file=file: os.mkfifo(file), lambda file=file: file.symlink_to("/dev/zero")):
            file.rmdir() if file.is_dir() else file.unlink()
            place()
            assert f"{name}' is no file" in is_refused(orchard, plan, folder)
        file.unlink()
        file.write_bytes(whole)
    said = parquet.read_table(folder / TABLES[1])
    for number in (b"", b"-1", b"\xff", b"9" * 30, b"900"):
        parquet.write_table(said.replace_schema_metadata({b"matches": number}), folder / TABLES[1])
        is_refused(orchard, plan, folder)
    parquet.write_table(said, folder / TABLES[1])
    assert len(study(orchard, plan.with_matches(30), out=folder)) == 30


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("matches_offered", "matches_taken") for value in (21, 2 * 10**8, 2**62)),
        ("taken", 2**62),
        ("wins_taken", 1e9),
        ("wins_left", 1e9),
    ],
)
def test_counts_that_no_matches_give_are_refused(
    orchard: Game, plan: Plan, finished: Path, tmp_path: Path, name: str, value: float
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(finished, folder)
    file = folder / "options.parquet"
    table = parquet.read_table(file)
    place = table.schema.get_field_index(name)
    type = table.schema.field(place)
    parquet.write_table(table.set_column(place, type, pyarrow.array([value] * len(table), type.type)), file)
    assert "'options.parquet' has other counts" in is_refused(orchard, plan, folder).replace(f"{folder}/", "")


def test_a_folder_of_another_format_says_so(orchard: Game, plan: Plan, finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(finished, folder)
    file = folder / "study.json"
    state = json.loads(file.read_bytes())
    file.write_text(json.dumps(state | {"format": 2}))
    assert is_refused(orchard, plan, folder).endswith("holds another study: format 2 there, 3 here")
    file.write_text(json.dumps(state | {"study": state["study"] | {"weighs": 0.5}}))
    assert is_refused(orchard, plan, folder).endswith("holds another study: weighs 0.5 there, null here")


def test_the_difference_of_shares_takes_no_room_for_trials() -> None:
    few, many = of_difference(3, 10, 5, 12), of_two_means(np.repeat([1, 0], [3, 7]), np.repeat([1, 0], [5, 7]))
    assert [few.estimate, few.low, few.high, few.p] == pytest.approx([many.estimate, many.low, many.high, many.p])
    assert 0.24 < of_difference(2**61, 2**62, 2**60, 2**62).low < 0.26


def test_two_studies_do_not_write_into_one_folder(orchard: Game, plan: Plan, tmp_path: Path) -> None:
    first = Folder(tmp_path / "study", orchard, plan)
    with pytest.raises(WrongFolder, match="another study is being written to"):
        Folder(tmp_path / "study", orchard, plan)
    first.close()
    assert len(study(orchard, plan, out=tmp_path / "study")) == 20


@pytest.mark.parametrize("harm", [shutil.rmtree, lambda folder: (shutil.rmtree(folder), folder.write_text("mine"))])
def test_what_was_counted_is_told_where_the_folder_is_gone(
    orchard: Game, plan: Plan, tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    folder = tmp_path / "study"
    with pytest.raises(Unwritten, match="cannot be written") as unwritten:
        study(orchard, plan, Means(progress=lambda _matches: harm(folder)), folder)
    assert len(unwritten.value.columns) == 20
    assert not folder.is_dir()


def test_small_tables_that_unpack_to_much_are_refused(
    orchard: Game, plan: Plan, finished: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(finished, folder)
    names = ("options.parquet", "title"), ("matches.parquet", "scores")
    for file, column in ((folder / file, column) for file, column in names):
        whole, table = file.read_bytes(), parquet.read_table(file)
        kind, number = table.schema.field(column), table.schema.names.index(column)
        cells = table[column].to_pylist()
        cells[-1] = "x" * 3_000_000 if column == "title" else [0] * 3_000_000
        other = table.set_column(number, kind, pyarrow.array(cells, type=kind.type))
        other = other.replace_schema_metadata(table.schema.metadata)
        parquet.write_table(other, file)
        assert file.stat().st_size < 300_000
        assert f"{file.name}' has more in it" in is_refused(orchard, plan, folder)
        parquet.write_table(other, file, compression="zstd")  # its footer may be edited to say less
        assert f"{file.name}' was not written by a study" in is_refused(orchard, plan, folder)
        file.write_bytes(whole)


def test_a_long_text_that_many_cells_name_is_refused_before_it_is_written_out(
    orchard: Game, plan: Plan, finished: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(finished, folder)
    columns = ("options.parquet", "title"), ("matches.parquet", "game"), ("matches.parquet", "seats")
    for file, column in ((folder / file, column) for file, column in columns):
        whole, table = file.read_bytes(), parquet.read_table(file)
        kind, number = table.schema.field(column), table.schema.names.index(column)
        text = "x" * 900_000
        cells = [[text] * 2 if column == "seats" else text] * len(table)
        other = table.set_column(number, kind, pyarrow.array(cells, type=kind.type))
        parquet.write_table(other.replace_schema_metadata(table.schema.metadata), file)
        assert file.stat().st_size < 100_000
        assert f"{file.name}' has more in it" in is_refused(orchard, plan, folder)
        file.write_bytes(whole)


def test_pages_that_hold_more_than_the_footer_says_are_refused(
    orchard: Game, plan: Plan, finished: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(finished, folder)
    file = folder / "matches.parquet"
    table = parquet.read_table(file)
    kind, number = table.schema.field("scores"), table.schema.names.index("scores")
    cells = [*table["scores"].to_pylist()[:-1], [0] * 3_000_000]
    other = table.set_column(number, kind, pyarrow.array(cells, type=kind.type))
    parquet.write_table(other, file, write_statistics=False, data_page_size=1 << 30)
    content = file.read_bytes()
    begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    footer = content[begin:]
    group = parquet.read_metadata(file).row_group(0)
    columns = map(group.column, range(group.num_columns))
    (column,) = (one for one in columns if one.path_in_schema.startswith("scores"))
    for much in {column.num_values, column.total_uncompressed_size}:
        if much > 1 << 17:
            said = thrift(much)
            assert said in footer
            footer = footer.replace(said, thrift(82, len(said)))
    file.write_bytes(content[:begin] + footer)
    assert file.stat().st_size < 20_000
    assert "'matches.parquet' has other pages than it says" in is_refused(orchard, plan, folder).replace(
        f"{folder}/", ""
    )


def thrift(number: int, length: int = 0) -> bytes:
    """A number as in the footer of a Parquet file, in so many bytes at least."""
    number, found = number << 1, b""
    while number > 127 or len(found) < length - 1:
        found, number = found + bytes([number & 127 | 128]), number >> 7
    return found + bytes([number])


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_encodings_that_make_long_texts_of_short_ones_are_refused(
    orchard: Game, plan: Plan, finished: Path, tmp_path: Path, encoding: str
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(finished, folder)
    file = folder / "matches.parquet"
    table = parquet.read_table(file)
    parquet.write_table(table, file, use_dictionary=False, column_encoding={"game": encoding})
    assert "has other pages than it says" in is_refused(orchard, plan, folder)


def test_pages_as_arrow_writes_them_are_taken(tmp_path: Path) -> None:
    file, many = tmp_path / "a.parquet", range(200_000)
    for numbers in ([], list(many)):
        texts = [str(number) * 9 for number in numbers]  # more than Arrow keeps in a dictionary
        columns = {"number": pyarrow.array(numbers, pyarrow.int64()), "text": pyarrow.array(texts, pyarrow.string())}
        parquet.write_table(pyarrow.table(columns), file, row_group_size=90_000)
        with file.open("rb") as stream:
            for column in chunks_of(parquet.ParquetFile(stream).metadata):
                see_pages(stream, column, 1 << 30)
