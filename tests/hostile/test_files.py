"""What a file names, and what a link in its folder leads to, lies in the folder of its game; nothing else is read."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import houserule
from houserule import InvalidGame, InvalidRecord, Record
from houserule.cli.application import application
from houserule.diagnostics import render
from houserule.reading import MOST_BYTES, TooLarge, beginning, is_inside, line_of, named, read, root_of
from houserule.site.build import NoSite, files_of_game

PACKAGE = Path(houserule.__file__).parent
SECRET = "edition: 2026 and a word that nobody may see"
GAME = "edition: 2026\ngame: hostile\nplayers: 2\nflow: {s: {do: nothing}}\n"
VARIANT = "variant: v\nof: hostile\ntitle: V\nchange: {players: 2..3}\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in a folder of its own, and outside of it files that are nobody's business."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("secret.txt", "secret.yaml", "game.yaml"):
        (outside / name).write_text(f"{SECRET}\n", encoding="utf-8")
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    return folder


def said(path: Path, **named: bool) -> str:
    """What validating a file says, with the lines that it shows."""
    return "\n".join(render(diagnostic, line_of) for diagnostic in houserule.validate(path, **named))


def refused(text: str, code: str) -> None:
    """It was said that something may not be read, and nothing was shown of it."""
    assert f"error {code}:" in text
    assert "nobody may see" not in text


NAMES = ["../outside/secret.txt", "outside/secret.txt", "/etc/passwd", "../outside", "../../etc", "\0", ""]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folder", ["", "alone/"])
def test_the_game_of_a_scenario_is_an_id(game: Path, name: str, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game.parent)
    file = game.parent / folder / "scenario.yaml"
    file.parent.mkdir(exist_ok=True)
    quoted = name.replace("\0", "\\0")
    file.write_text(f'scenario: x\nof: "{quoted}"\nplayers: [a, b]\nexpect: true\n', encoding="utf-8")
    text = said(file)
    assert " error HR" in text
    assert "nobody may see" not in text
    with pytest.raises(InvalidGame):
        houserule.rehearse(file)


@pytest.mark.parametrize("name", NAMES)
def test_the_game_of_a_house_rule_is_an_id(game: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game.parent)
    file = game.parent / "alone" / "variant.yaml"
    file.parent.mkdir()
    quoted = name.replace("\0", "\\0")
    file.write_text(f'variant: v\nof: "{quoted}"\ntitle: V\nchange: {{players: 3}}\n', encoding="utf-8")
    text = said(file)
    assert " error HR" in text
    assert "nobody may see" not in text


def test_a_game_beside_a_file_is_found_by_its_id(game: Path) -> None:
    file = game.parent / "alone.yaml"
    file.write_text("scenario: x\nof: hostile\nplayers: [a, b]\nexpect: true\n", encoding="utf-8")
    assert all(result.passed for result in houserule.rehearse(file))


@pytest.mark.parametrize("name", ["../../outside/secret", "../../outside/secret.yaml", "/etc/passwd", "../r", "."])
def test_what_a_house_rule_requires_is_an_id(game: Path, name: str) -> None:
    (game / "variants").mkdir()
    file = game / "variants" / "r.yaml"
    file.write_text(
        f"variant: r\nof: hostile\ntitle: R\nrequires: ['{name}']\nchange: {{players: 3}}\n", encoding="utf-8"
    )
    refused(said(game), "HR702")
    refused(said(file), "HR702")


@pytest.mark.parametrize("name", ["../../outside/secret.yaml", "/etc/passwd.yaml", "../outside/secret", "missing.yaml"])
def test_what_a_scenario_is_played_with_lies_in_the_folder(game: Path, name: str) -> None:
    (game / "scenarios").mkdir()
    file = game / "scenarios" / "s.yaml"
    text = f"scenario: x\nof: hostile\nplayers: [a, b]\nwith: ['{name}']\nexpect: true\n"
    file.write_text(text, encoding="utf-8")
    refused(said(file), "HR607")


def test_a_house_rule_beside_a_scenario_is_found_by_its_path(game: Path) -> None:
    (game / "scenarios").mkdir()
    (game / "scenarios" / "three.yaml").write_text(VARIANT, encoding="utf-8")
    file = game / "scenarios" / "s.yaml"
    text = "scenario: x\nof: hostile\nplayers: [a, b, c]\nwith: [three.yaml]\nexpect: player_count == 3\n"
    file.write_text(text, encoding="utf-8")
    assert [result.message for result in houserule.rehearse(file)] == [""]


@pytest.mark.parametrize("inside", ["variants", "scenarios", "parts"])
@pytest.mark.parametrize("linked", ["folder", "file"])
def test_links_are_not_followed_out_of_the_folder(game: Path, inside: str, linked: str) -> None:
    link = game / inside
    if linked == "folder":
        link.symlink_to(game.parent / "outside", target_is_directory=True)
    else:
        link.mkdir()
        (link / "secret.yaml").symlink_to(game.parent / "outside" / "secret.yaml")
    (game / "game.yaml").write_text(GAME + "include: [parts/secret.yaml]\n" * (inside == "parts"), encoding="utf-8")
    if inside == "scenarios":
        refused(said(link / "secret.yaml"), "HR109")
    else:
        refused(said(game), "HR109" if inside == "variants" else "HR303")
    assert houserule.load(game).house_rules == [] if inside == "variants" else True
    formatted = houserule.format(link / "secret.yaml")
    assert (formatted.before, [found.code for found in formatted.diagnostics]) == ("", ["HR109"])


def test_a_linked_game_in_a_folder_of_games_is_not_read(game: Path) -> None:
    games = game.parent / "games"
    games.mkdir()
    (games / "linked").symlink_to(game.parent / "outside", target_is_directory=True)
    (games / "file").mkdir()
    (games / "file" / "game.yaml").symlink_to(game.parent / "outside" / "game.yaml")
    text = said(games)
    refused(text, "HR109")
    assert text.count("error HR109") == 2


def test_a_rulebook_that_is_compared_is_no_link_out_of_its_folder(game: Path) -> None:
    page, target = game / "rules.md", game.parent / "outside" / "secret.md"
    target.write_text(f"{SECRET}\n", encoding="utf-8")
    page.symlink_to(target)
    done = CliRunner().invoke(application, ["rulebook", str(game), "--check", str(page)])
    said = " ".join(done.output.split())
    assert (done.exit_code, "leads out of its folder" in said) == (2, True), said
    assert "nobody may see" not in said


def test_a_pipe_is_no_house_rule(game: Path) -> None:
    (game / "variants").mkdir()
    os.mkfifo(game / "variants" / "v.yaml")
    loaded = houserule.load(game)
    assert (loaded.house_rules, loaded.titles_of_house_rules("en")) == ([], {})


def test_a_device_in_the_place_of_a_game_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").symlink_to("/dev/zero")
    refused(said(tmp_path), "HR109")


# --- records ------------------------------------------------------------------------------------------------------------


def record(**forged: object) -> dict[str, object]:
    """A record as somebody would forge it."""
    sound = {
        "houserule record": 1,
        "game": "hostile",
        "rules": "0" * 16,
        "players": ["a", "b"],
        "seed": 1,
        "answers": [],
    }
    return sound | forged


@pytest.mark.parametrize(
    "forged",
    [
        {"path": "../outside"},
        {"path": "../outside/secret.yaml"},
        {"path": "/etc/passwd"},
        {"path": "link"},
        {"path": "link/secret.yaml"},
        {"path": "notes.txt"},
        {"path": "\0"},
        {"game": "../outside"},
        {"game": "/etc"},
        {"path": "hostile", "variants": ["../outside/secret.yaml"]},
        {"path": "hostile", "variants": ["/etc/passwd"]},
        {"path": "hostile", "variants": ["link/secret.yaml"]},
        {"path": "hostile", "variants": ["../../outside/secret"]},
    ],
)
def test_a_record_names_nothing_outside_its_folder(game: Path, forged: dict[str, object]) -> None:
    folder = game.parent / "records"
    folder.mkdir()
    game.rename(folder / "hostile")
    (folder / "link").symlink_to(game.parent / "outside", target_is_directory=True)
    (folder / "notes.txt").write_text(f"{SECRET}\n", encoding="utf-8")
    with pytest.raises(InvalidRecord) as said:
        houserule.replay(Record.from_json(record(**forged), folder))
    assert "nobody may see" not in str(said.value)


# --- the one function -----------------------------------------------------------------------------------------------------


READERS = {
    ("reading.py", "open"): "every file that is read, which is an ordinary one, and of which only so much is read",
    # Names of files, each of which is then read with the one reader.
    ("reading.py", "glob"): "files below a folder that `is_inside` has let pass",
    ("source/files.py", "scandir"): "names beside a missing file in a folder that `is_inside` has let pass",
    ("source/files.py", "glob"): "the same, of a folder that was named instead of a file",
    ("bundled.py", "glob"): "the games that travel with Houserule",
    ("codes/__init__.py", "glob"): "the pages of codes, which travel with Houserule",
    ("icons.py", "open"): "a package whose digest is known, in memory",
    ("rehearsing/validate.py", "glob"): "linked games in a folder that a person typed, each asked about",
    ("reading.py", "walk"): "rules below a folder that a person typed, which links do not lead out of",
    ("cli/validate.py", "walk"): "rules of which a hash is taken, that are no links",
    ("cli/validate.py", "scandir"): "the package itself",
    ("cli/validate.py", "iterdir"): "the cache",
    ("native/machine.py", "glob"): "modules in the user's own cache, which make room",
    ("native/blueprint.py", "iterdir"): "sources of this package, for a digest",
    ("study/rows.py", "iterdir"): "the folder of a study that a person typed",
    ("site/parts.py", "rglob"): "the package itself, and the libraries that it needs",
    ("site/build.py", "iterdir"): "pages that travel with Houserule",
    ("site/desk.py", "glob"): "the games of a site, in the memory of a page",
    ("site/project.py", "rglob"): "the files that an editor in a page has written",
    ("cli/serve.py", "iterdir"): "a folder that a person typed, to see if it is empty",
    ("cli/serve.py", "rglob"): "a site that this command has written, which it replaces",
    # What is written.
    ("writing.py", "open"): "what is written; and the folder of a study or a database, to keep others out of it",
    ("cli/streams.py", "open"): "nothing, in the place of a closed stream",
    ("cli/serve.py", "open"): "standard output, for an editor; and a browser",
    ("serve/thinking.py", "open"): "nothing, for what is said of a bot that never answers",
    ("serve/limits.py", "open"): "nothing, to keep a descriptor in reserve",
    # What only shares the name.
    ("native/machine.py", "open"): "a machine for matches",
    ("lsp/server.py", "open"): "a text that an editor shows",
    ("serve/app.py", "open"): "rooms",
    ("site/project.py", "open"): "a text that an editor in a page shows",
    ("site/parts.py", "open"): "a package whose digest is known, in memory",
    ("shelf.py", "open"): "archives that have been read, in memory, or that git has written",
    ("shelf.py", "read_bytes"): "the archive that git has written into a folder of our own, up to a limit",
    ("shelf.py", "rglob"): "what git has fetched, to stop it when it is too large",
    ("site/parts.py", "read_bytes"): "what Node.js has compiled, in a folder of our own",
}
CALLS = set(
    "open fdopen read_text read_bytes open_binary open_text glob rglob iterdir scandir listdir mmap memmap fromfile"
    " genfromtxt loadtxt read_parquet read_csv read_json read_schema read_table ParquetFile".split()
)
"""The calls that read files, or find some."""
GIVEN_A_STREAM = {"ParquetFile", "read_schema"}
"""The calls of libraries that may read what the one reader has opened."""


MAKERS = {
    "writing.py": "the folders that commands write into, of which none may be a link; and the user's cache",
    "serve/app.py": "the data folder of the user",
    "engine/tools.py": "a folder of our own, for a text",
    "site/project.py": "the memory of a page",
}
"""The modules that make folders."""


def modules_that_say(*words: str) -> Iterator[tuple[Path, str]]:
    """The modules in which one of these words stands, with what stands in them; the others need not be parsed."""
    word = re.compile("|".join(words))
    for module in PACKAGE.rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        if word.search(text):
            yield module, text


def test_folders_are_made_by_the_modules_of_the_table() -> None:
    making = {
        str(module.relative_to(PACKAGE))
        for module, text in modules_that_say("mkdir", "makedirs")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr in ("mkdir", "makedirs")
    }
    assert making == set(MAKERS)


def test_no_folder_is_made_through_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside, here = tmp_path / "away", tmp_path / "here"
    outside.mkdir()
    here.mkdir()
    (here / "linked").symlink_to(outside, target_is_directory=True)
    monkeypatch.chdir(here)
    done = CliRunner().invoke(application, ["new", "game", "linked/made"])
    assert done.exit_code == 2 and "is a link" in done.output, done.output
    assert not list(outside.iterdir())


def test_the_readers_of_files_are_those_of_the_table() -> None:
    found: set[tuple[str, str]] = set()
    for module, text in modules_that_say(*CALLS, "walk"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                called = node.func
                name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                owner = getattr(getattr(called, "value", None), "id", "")
                if name in GIVEN_A_STREAM and ast.unparse(node.args[0]) == "stream":
                    continue
                if (name in CALLS and owner != "source") or (name, owner) == ("walk", "os"):
                    found.add((module.relative_to(PACKAGE).as_posix(), name.replace("fdopen", "open")))
    assert found == set(READERS)


@pytest.mark.parametrize("purpose", MOST_BYTES)
def test_no_more_is_read_than_a_file_of_its_kind_may_have(
    tmp_path: Path, purpose: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MOST_BYTES, purpose, 1000)
    file = tmp_path / "file"
    file.write_bytes(b"x" * 1000)
    assert read(file, purpose) == b"x" * 1000
    for size in (1001, 4 * 1024**3):
        with file.open("wb") as stream:
            stream.truncate(size)
        with pytest.raises(TooLarge):
            read(file, purpose)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are POSIX's")
def test_a_pipe_and_a_device_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for file in (tmp_path / "pipe", tmp_path / "link", Path("/dev/zero"), Path("/dev/tty")):
        for purpose in MOST_BYTES:
            with pytest.raises(OSError, match="ordinary file"):
                read(file, purpose)
        assert beginning(file) == ""


@pytest.mark.parametrize(
    ("module", "function"),
    [
        ("source/files.py", "is_inside"),
        ("definition/load.py", "is_inside"),
        ("definition/variant.py", "root_of"),
        ("definition/scenario.py", "root_of"),
        ("workshop/formatting.py", "root_of"),
        ("workshop/library.py", "named"),
        ("rehearsing/validate.py", "is_inside"),
        ("rehearsing/scenarios.py", "variant_named"),
        ("rehearsing/scenarios.py", "game_named"),
        ("match/game.py", "game_named"),
    ],
)
def test_every_reader_asks_the_one_function(module: str, function: str) -> None:
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert function in called


def test_what_is_inside(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "up").symlink_to(tmp_path)
    (tmp_path / "in" / "round").symlink_to(tmp_path / "in" / "round")
    inside = tmp_path / "in"
    assert is_inside(inside / "a.yaml", inside)
    assert is_inside(inside / "x" / ".." / "a.yaml", inside)
    assert not any(is_inside(inside / name, inside) for name in ("..", "up/a.yaml", "../a", "round", "a\0b", "/etc"))
    assert root_of(inside / "a.yaml") == inside
    assert named("up/a.yaml", inside / "b.yaml") is None


def loop(file: Path) -> None:
    """A link that leads to itself."""
    file.symlink_to(file.name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are POSIX's")
@pytest.mark.parametrize("place", [os.mkfifo, Path.mkdir, loop])
def test_what_is_no_file_among_the_parts_of_a_game_is_told_at_its_place(
    game: Path, place: Callable[[Path], object]
) -> None:
    for kind in ("variants", "scenarios"):
        (game / kind).mkdir()
        place(game / kind / "other.yaml")
    assert [line.partition(" error ")[2][:6] for line in said(game).splitlines() if " error " in line] in (
        ["HR102:", "HR102:"],
        ["HR103:", "HR103:"],
    )
    assert houserule.load(game).titles_of_house_rules("en") == {}


def test_what_editors_and_systems_hide_beside_rules_is_no_part_of_them(game: Path) -> None:
    for kind in ("variants", "scenarios"):
        (game / kind / ".kept").mkdir(parents=True)
        (game / kind / ".kept" / "old.yaml").write_text("a: [\n", encoding="utf-8")
        for name in (".yaml", "..yaml", "._v.yaml"):
            (game / kind / name).write_text("a: [\n", encoding="utf-8")
        (game / kind / ".#v.yaml").symlink_to("ann@home.1234")
    assert said(game) == ""
    assert houserule.load(game).titles_of_house_rules("en") == {}


@pytest.fixture
def oddly_named(game: Path) -> Path:
    """A game in a folder whose name is not UTF-8."""
    if sys.platform != "linux":
        pytest.skip("names of files are texts here")
    return game.rename(game.parent / os.fsdecode(b"odd\xff"))


def test_a_record_names_a_folder_whose_name_is_no_text(oddly_named: Path, tmp_path: Path) -> None:
    (oddly_named / "v.yaml").write_text("variant: v\nof: hostile\ntitle: V\nchange: {}\n", encoding="utf-8")
    for number, folder in enumerate([oddly_named, tmp_path]):
        match = houserule.load(oddly_named, [str(oddly_named / "v.yaml")]).start(["ann", "ben"], 1)
        match.record.save(folder / f"{number}.json")
        saved = Record.load(folder / f"{number}.json")
        assert houserule.replay(saved).record.answers == []
    assert (tmp_path / "1.json").read_text(encoding="utf-8").count("\\udcff") == 2


@pytest.mark.usefixtures("undrawn")
def test_a_report_on_a_folder_whose_name_is_no_text_is_written(
    oddly_named: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, out = oddly_named.name, tmp_path / os.fsdecode(b"out\xfe")
    for command in (
        ["check", name, "-n", "1"],
        ["simulate", name, "-n", "1", "--report", "report.html", "--json"],
        ["simulate", name, "-n", "1", "--out", str(out), "--csv"],
        ["validate", name, "--format", "sarif", "-o", "found.json"],
        ["rulebook", name, "-o", "book.html"],
    ):
        said = CliRunner().invoke(application, command)
        assert said.exit_code == 0, (command, said.output, said.exception)


def test_a_site_says_which_file_has_a_name_that_is_no_text(oddly_named: Path) -> None:
    (oddly_named / os.fsdecode(b"\xff.yaml")).write_text(VARIANT, encoding="utf-8")
    with pytest.raises(NoSite, match=r"the name of the file '\\udcff.yaml' in 'odd.' is no text"):
        files_of_game(oddly_named)
