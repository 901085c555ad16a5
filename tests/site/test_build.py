"""The files of a site: everything that a page links to is there, nothing is elsewhere, and the service worker keeps all of it."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote

import pytest

import houserule
from houserule.rulebook import LANGUAGES
from houserule.shelf import files_at, found_in, offers_in
from houserule.site import build, parts
from houserule.site.build import (
    SHUT,
    Site,
    classed,
    games_in,
    lean,
    of_game,
    patterned,
    put_game,
    put_pages,
    reports_of,
)
from houserule.site.bytecode import compiled
from houserule.site.parts import EDITOR, NoPart, Part, archive_of, packed, with_paths
from houserule.site.statics import NAMES, POLICY, play_page, playground

LINKED = re.compile(r'(?:href|src)="([^"]*)"')


def pages(site: Site) -> dict[str, str]:
    return {name: content.decode() for name, content in site.files.items() if name.endswith(".html")}


def test_every_link_of_every_page_leads_to_a_file_of_the_site(site: Site) -> None:
    missing = set()
    for name, text in pages(site).items():
        for link in LINKED.findall(text):
            path, _, anchor = link.partition("#")
            target = normpath(f"{dirname(name)}/{unquote(path.partition('?')[0])}".lstrip("/")) if path else name
            if link.startswith("https://"):
                assert name.startswith("manual/"), (name, link)
            elif target not in site.files:
                missing.add((name, link))
            elif anchor and target.startswith("games/"):
                assert f'id="{anchor}"' in site.files[target].decode(), (name, link)
    assert not missing
    assert not [name for name, text in pages(site).items() if re.search(r'(?:href|src)="/', text)]


def test_every_page_but_rulebooks_says_that_it_loads_nothing_from_elsewhere(site: Site) -> None:
    for name, text in pages(site).items():
        assert "rules." in name or f'content="{POLICY}"' in text, name
        assert "<script>" not in text


def test_no_text_of_a_game_turns_what_stands_around_it(tmp_path: Path) -> None:
    text = houserule.find("pig").joinpath("game.yaml").read_text("utf-8")
    (tmp_path / "game.yaml").write_text(re.sub(r"(?m)^title: .*", r'title: "Pi\\u202Eg"', text), "utf-8")
    site = Site("Our games")
    site.put("games.zip", "")
    put_pages(site, [of_game(tmp_path)])
    for name in ("games.en.json", "covers.json"):
        assert (
            "\\u202e" not in site.files[f"app/{name}"].decode() and "\u202e" not in site.files[f"app/{name}"].decode()
        )
    assert "Pi\ufffdg" in site.files["app/games.en.json"].decode()


def test_a_message_is_found_by_its_code(site: Site) -> None:
    assert 'id="hr201"' in site.files["manual/messages.html"].decode()


def test_games_are_shown_with_their_pieces(site: Site) -> None:
    covers = json.loads(site.files["app/covers.json"])
    assert covers.keys() == {"parley", "pig"} and covers["parley"]["things"]
    for name, games in (("index.html", ("pig", "parley")), ("games/pig/index.html", ("pig",))):
        page = site.files[name].decode()
        assert re.findall(r'class="cover" data-game="(\w+)"', page) == list(games)
        assert 'app/covers.js"' in page and 'app/pieces.css"' in page and 'id="credit"' in page


def test_the_manual_names_its_pages_by_their_titles_and_shows_no_comments(site: Site) -> None:
    page = site.files["manual/operations.html"].decode()
    assert '<a href="serve.html">Rooms in the browser</a>' in page and ">Serve<" not in page
    pages = {
        name: file.decode()
        for name, file in site.files.items()
        if name.startswith("manual/") and name.endswith(".html")
    }
    assert not [name for name, text in pages.items() if "&lt;!--" in text.partition("<pre")[0]]


def test_the_search_finds_what_is_there(site: Site) -> None:
    found = json.loads(site.files["search.json"])
    assert {kind for _, kind, _, _ in found} >= {"game", "language", "cookbook", "operations", "Parley"}
    for title, _, address, _ in found:
        path, _, anchor = address.partition("#")
        assert path in site.files, address
        assert not anchor or f'id="{anchor}"' in site.files[path].decode(), (title, address)


def test_the_service_worker_keeps_every_file(site: Site) -> None:
    listed = json.loads(re.search(r"const FILES = (\[.*?\]),", site.files["keeper.js"].decode())[1])  # type: ignore[index]
    assert set(listed) == {name for name in site.files if name not in ("keeper.js", ".nojekyll")}


def test_a_house_rule_is_told_by_the_sentences_that_it_changes(site: Site) -> None:
    page = site.files["games/pig/index.html"].decode()
    assert re.search(r"<del>[^<]*100[^<]*</del>", page)
    assert re.search(r"<ins>[^<]*20[^<]*</ins>", page)
    archive = zipfile.ZipFile(io.BytesIO(site.files["games/parley/parley.zip"]))
    assert "parley/game.yaml" in archive.namelist()


def test_no_example_is_played_with_a_house_rule(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[houserule.Game] = []
    monkeypatch.setattr("houserule.rehearsing.scenarios.files", lambda game: played.append(game) or [])
    assert of_game(games / "group" / "pig").house_rules["de"]["short_way"]
    assert [list(game.house_rules_in_use) for game in played] == [[]]


def test_games_are_found_below_a_folder_and_none_inside_another(games: Path, tmp_path: Path) -> None:
    assert [place.name for place in games_in(games)] == ["pig", "parley"]
    for name in ("one/game.yaml", "one/inner/game.yaml"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("game: x\n")
    assert [place.name for place in games_in(tmp_path)] == ["one"]
    assert games_in(tmp_path / "one") == [tmp_path / "one"]


def test_the_shelf_of_a_site_is_an_index_that_holds(site: Site, tmp_path: Path) -> None:
    for one in offers_in(site.files["shelf.json"], "shelf.json"):
        (tmp_path / one.at).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / one.at).write_bytes(site.files[one.at])
        found = found_in(files_at(str(tmp_path / one.at)))
        assert (found.name, found.sha256) == (one.name, one.sha256)
        assert found.kind == ("variant" if one.requires else "game")
    for language in LANGUAGES:
        text = site.files["shelf.html" if language == "en" else f"shelf.{language}.html"].decode("utf-8")
        assert (
            f'<html lang="{language}">' in text and "short_way" in text and all(name in text for name in NAMES.values())
        )
    assert "Regal" in site.files["shelf.de.html"].decode("utf-8")


def test_the_bundled_games_say_whose_they_are_and_under_which_licence() -> None:
    root = Path(__file__).parents[2]
    said = offers_in((root / "houserule.yaml").read_bytes(), "houserule.yaml")
    assert sorted(one.at for one in said) == sorted(
        one.relative_to(root).as_posix() for one in games_in(root / "games")
    )
    assert {(one.author, one.licence, one.edition) for one in said} == {("Houserule contributors", "MIT", "2026")}
    assert found_in(files_at(str(root)), "pig").kind == "game", "a clone of the repository can be added from"


def test_a_page_in_another_language_opens_pages_that_speak_it(site: Site) -> None:
    for name in ("index.de.html", "games/pig/index.de.html", "manual/language.html"):
        running = [
            link for link in LINKED.findall(site.files[name].decode()) if re.search(r"(play|playground)\.html", link)
        ]
        assert running, name
        assert all(("lang=de" in link) == (".de." in name) for link in running), running


def test_only_reports_without_scripts_are_published(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "fair.html").write_text("<h1>Fair</h1>")
    (tmp_path / "reports" / "foul.html").write_text("<img onerror=alert(1)>")
    (tmp_path / "reports" / "worse.html").write_text("<SCRIPT>alert(1)</SCRIPT>")
    (tmp_path / "reports" / "away.html").write_text('<meta http-equiv="refresh" content="0; url=https://example.org">')
    (tmp_path / "reports" / "off.html").write_text(
        '<meta http-equiv="&#82;efresh" content="0; url=https://example.org">'
    )
    (tmp_path / "reports" / "wide.html").write_text("<script>alert(1)</script>", encoding="utf-16")
    assert [file.name for file in reports_of(tmp_path)] == ["fair.html"]


def test_nothing_runs_in_a_published_report(tmp_path: Path) -> None:
    shutil.copytree(Path(__file__).parents[2] / "games" / "classics" / "nim", tmp_path / "nim")
    (tmp_path / "nim" / "reports").mkdir()
    (tmp_path / "nim" / "reports" / "fair.html").write_text("<svg/onload=alert(1)><h1>Fair</h1>")
    (tmp_path / "nim" / "reports" / "plain.html").write_text("<h1>Plain</h1>")
    site = Site("site")
    put_game(site, of_game(tmp_path / "nim"), {})
    published = {name: text.decode() for name, text in site.files.items() if "/reports/" in name}
    assert [*published] == ["games/nim/reports/plain.html"]
    assert all(text.startswith(SHUT) and "default-src 'none'" in SHUT for text in published.values())


def test_a_rulebook_draws_each_icon_once() -> None:
    path = f'<path d="M{"1 2 " * 40}" id="x"/>'
    page = lean(f"<body>{path}{path}</body>")
    assert page.count("M1 2") == 1
    assert page.count('<use href="#drawing-0" id="x"/>') == 2
    assert lean(f"<body>{path}</body>") == f"<body>{path}</body>"


def test_a_rulebook_draws_each_piece_once() -> None:
    piece = f'<rect class="{"card " * 10}" x="9" y="9"/><circle class="sign" cx="50" cy="50" r="30"/>'
    at = [f'<g transform="translate({place} 0)">{piece}</g>' for place in (0, 100)]
    page = lean(f"<body>{at[0]}{at[1]}</body>")
    assert page.count("<rect") == 1
    assert page.endswith(
        '<g transform="translate(0 0)"><use href="#piece-0"/></g><g transform="translate(100 0)"><use href="#piece-0"/></g></body>'
    )
    assert lean(f"<body>{at[0]}</body>") == f"<body>{at[0]}</body>"


def test_a_rulebook_says_each_look_of_its_drawings_once() -> None:
    tag = (
        '<rect x="1" fill="#fff" stroke-width="2.5"/><circle fill="url(#x)" r="2"/><text class="y" fill="a" stroke="b">'
    )
    page = classed(f"<style></style>{tag}{tag}")
    assert page.count('<rect class="k0" x="1"/><circle fill="url(#x)" r="2"/><text class="y" fill="a" stroke="b">') == 2
    assert page.count(".k0{fill:#fff;stroke-width:2.5px}") == 1


def test_a_rulebook_has_each_pattern_once() -> None:
    one = '<pattern id="{}-dots" width="10"><circle/></pattern><rect fill="url(#{}-dots)"/>'
    page = patterned(one.format("a", "a") + one.format("b.c", "b.c") + '<rect fill="url(#other)"/>')
    assert (
        page
        == '<pattern id="p0" width="10"><circle/></pattern><rect fill="url(#p0)"/>' * 1
        + '<rect fill="url(#p0)"/><rect fill="url(#other)"/>'
    )


def test_a_package_that_is_not_what_it_should_be_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = Part("@codemirror/state", "6.7.6", "0" * 64)
    (tmp_path / part.archive).write_bytes(b"something else")
    with pytest.raises(NoPart, match="is not @codemirror/state"):
        packed(part, tmp_path)
    monkeypatch.setattr(parts, "fetched", lambda _: b"something else")
    monkeypatch.setattr(parts, "cache_folder", lambda: tmp_path)
    with pytest.raises(NoPart, match="is not @codemirror/state"):
        packed(part)
    monkeypatch.undo()
    monkeypatch.setattr(parts.shutil, "which", lambda _: None)
    with pytest.raises(NoPart, match="npm"):
        parts.fetched(part)


def test_modules_of_the_editor_import_the_files_beside_them() -> None:
    text = b"import { parser } from '@lezer/yaml';\nimport x from \"./own.js\";\nconst from = '@lezer/yaml';\n"
    assert with_paths(text).split(b"\n")[:2] == [
        b"import { parser } from './lezer-yaml.js';",
        b'import x from "./own.js";',
    ]
    assert with_paths(b"/** about */\n  // more\nlet a = 1; // kept\n") == b"let a = 1; // kept\n"
    assert with_paths(text).endswith(b"const from = '@lezer/yaml';\n")
    assert len({part.archive for part in EDITOR}) == len(EDITOR)


def test_the_interpreter_of_a_page_has_what_it_imports() -> None:
    """Only what lies in the archive is imported, so that a browser needs no other library."""
    names = {name for name, _ in parts.interpreter_files()}
    assert {"houserule/site/desk.py", "lark/__init__.py", "yaml/__init__.py", "segno/__init__.py"} <= names
    assert "houserule/_data/schema/game.schema.json" in names
    assert not [name for name in names if "/cli/" in name or name.endswith((".pyc", ".so", ".js", ".mjs"))]


def test_modules_for_pages_are_compiled_and_know_no_lines(tmp_path: Path) -> None:
    """By this Python here; by that of Pyodide when a site is built. What native play translates keeps its source."""
    text = '"""A word."""\n\n\ndef two() -> int:\n    return 2\n'
    archive = archive_of(
        {"one/__init__.py": b"", "one/plain.py": text.encode(), "one/read/kept.py": text.encode(), "one/a.txt": b"x"}
    )
    made = tmp_path / "made.zip"
    made.write_bytes(compiled(archive, str(tmp_path), ["one/read/"]))
    with zipfile.ZipFile(made) as packed:
        assert {Path(name).name.split(".")[0] for name in packed.namelist()} == {"__init__", "plain", "kept", "a"}
        packed.extractall(tmp_path)
    said = "import inspect; from one import plain; from one.read import kept; print(plain.two() + kept.two(), plain.__doc__, list(plain.two.__code__.co_lines()), inspect.getsource(kept.two).count('return'))"
    found = subprocess.run(
        [sys.executable, "-c", said],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert found.stdout.split("\n")[0] == "4 A word. [] 1"


MOST_MODULES = 245
"""What a page imports before its first table, of ours: a module more takes a page some 5 ms to start."""


def test_a_page_imports_no_more_than_it_needs_before_its_first_table() -> None:
    said = "import sys, houserule.site.desk; print(*(name for name in sys.modules if name.startswith('houserule')))"
    found = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout.split()
    assert len(found) <= MOST_MODULES
    assert not [
        name for name in found if name.split(".")[1:2] in (["study"], ["trial"], ["printing"], ["engine"], ["cli"])
    ]


def test_every_word_of_the_pages_that_run_has_a_phrase_in_each_language() -> None:
    text = (build.OWN / "phrases.js").read_text("utf-8")
    rows = dict(re.findall(r"^  (\w+): (\[.*\]),$", text, re.MULTILINE))
    wanted = {*re.findall(r'data-(?:say|name|titled)="(\w+)"', playground() + play_page())}
    script = "".join(file.read_text("utf-8") for file in build.OWN.glob("*.js"))
    assert len(wanted) > 30 and wanted | {*re.findall(r'arranged\("(\w+)"', script)} <= set(rows)
    assert {len(json.loads(row)) for row in rows.values()} == {len(LANGUAGES)}
