"""The files of a game that somebody edits in a page: their texts, and what the language service says about them."""

from __future__ import annotations

import base64
import io
import re
import shutil
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import houserule
from houserule import Game
from houserule.diagnostics import Diagnostic, Fix, Span
from houserule.language_service import Workspace
from houserule.reading import read

NAMED = re.compile(r"(?!\.)[\w][\w.-]{0,79}(?:/(?!\.)[\w][\w.-]{0,79}){0,4}")
"""A path of a file inside its game: nothing hidden, and no way out."""
KINDS = (".yaml", ".yml", ".json", ".md", ".txt")
MOST_FILES = 300
MOST_CHARACTERS = 2_000_000


class Unwelcome(ValueError):
    """Files that are no game of this page; the sentence says why."""


def see_name(name: object) -> None:
    """Refuse what is no name of a rule file. Raises Unwelcome."""
    if not isinstance(name, str) or not NAMED.fullmatch(name) or not name.endswith(KINDS):
        raise Unwelcome(f"'{str(name)[:80]}' is no name of a rule file")


def see_files(files: object) -> None:
    """Check the names and sizes of files from somebody else. Raises Unwelcome."""
    if not isinstance(files, dict):
        raise Unwelcome("these are no files")
    if len(files) > MOST_FILES:
        raise Unwelcome(f"there are {len(files)} files, and at most {MOST_FILES} are opened")
    for name, text in files.items():
        see_name(name)
        if not isinstance(text, str):
            raise Unwelcome(f"'{name}' has no text")
    if sum(map(len, files.values())) > MOST_CHARACTERS:
        raise Unwelcome(f"the files have more than {MOST_CHARACTERS} characters")
    if "game.yaml" not in files:
        raise Unwelcome("there is no file game.yaml")
    folders = {folder.as_posix() for name in files for folder in PurePosixPath(name).parents}
    if inside := folders & files.keys():
        raise Unwelcome(f"'{min(inside)}' is a file and a folder")


def files_in(folder: Path) -> dict[str, str]:
    """The texts of the rule files in a folder, and of what belongs to them, by name."""
    found = (path for path in sorted(folder.rglob("*")) if path.suffix in KINDS and path.is_file())
    return {path.relative_to(folder).as_posix(): read(path, "rules").decode() for path in found}


class Project:
    """A folder with the files of one game."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        see_files(files)
        self.folder = folder
        self.workspace = Workspace()
        self.loaded: dict[tuple[str, ...], Game] = {}
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in files.items():
            self.put(name, text)

    def path(self, name: str) -> Path:
        see_name(name)
        return self.folder / name

    def put(self, name: str, text: str) -> None:
        """Write a file: what is read from now on."""
        file = self.path(name)
        self.loaded.clear()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        if name.endswith((".yaml", ".yml")):
            self.workspace.open(file, text)

    def drop(self, name: str) -> None:
        file = self.path(name)
        self.loaded.clear()
        if name.endswith((".yaml", ".yml")):
            self.workspace.close(file)
        file.unlink(missing_ok=True)

    def files(self) -> dict[str, str]:
        return files_in(self.folder)

    def game(self, house_rules: Sequence[str] = ()) -> Game:
        """The game by the rules as they are now, with some of its house rules; loaded once until they change. Raises InvalidGame."""
        key = tuple(house_rules)
        if key not in self.loaded:
            self.loaded[key] = houserule.load(self.folder, key)
        return self.loaded[key]

    def name(self, file: str | Path) -> str:
        path = Path(file)
        return path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else path.name

    # --- what the language service says -------------------------------------------------------------------------------

    def diagnostics(self, name: str, whole: bool) -> dict[str, list[dict[str, Any]]]:
        """The diagnostics by file: of all files, or of those that a file affects at once."""
        found = self.workspace.diagnostics(self.path(name), whole)
        return {self.name(file): [self.shown(one) for one in listed] for file, listed in found.items()}

    def shown(self, one: Diagnostic) -> dict[str, Any]:
        return {
            "code": one.code,
            "severity": one.severity,
            "message": one.message,
            "help": str(one.help) if one.help else "",
            "fix": self.change(one.fix) if one.fix is not None else None,
            **place(one.span),
        }

    def change(self, fix: Fix) -> dict[str, Any]:
        return {"file": self.name(fix.span.file), "text": fix.text, **place(fix.span)}

    def completions(self, name: str, line: int, column: int) -> list[dict[str, str]]:
        found = self.workspace.complete(self.path(name), line, column)
        return [{"label": one.label, "what": one.what, "detail": one.detail, "insert": one.insert} for one in found]

    def hover(self, name: str, line: int, column: int) -> dict[str, Any] | None:
        found = self.workspace.hover(self.path(name), line, column)
        return {"text": found.text, **place(found.span)} if found is not None else None

    def tokens(self, name: str) -> list[list[Any]]:
        """The words of effects: line, column, end, and what each is."""
        found = self.workspace.tokens(self.path(name))
        return [[one.span.line, one.span.column, one.span.end_column, one.what] for one in found]

    def definition(self, name: str, line: int, column: int) -> list[dict[str, Any]]:
        found = self.workspace.definition(self.path(name), line, column)
        return [{"file": self.name(span.file), **place(span)} for span in found]

    def formatted(self, name: str) -> str | None:
        return self.workspace.format(self.path(name))

    def scenario_files(self) -> list[str]:
        return [name for name in self.files() if name.startswith("scenarios/") and name.endswith(".yaml")]

    def scenarios(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """The results of the scenarios in some files."""
        return [
            {
                "file": name,
                "name": one.name,
                "line": one.line,
                "passed": one.passed,
                "message": one.message,
                "seconds": round(one.seconds, 3),
            }
            for name in names
            for one in self.workspace.run(self.path(name))
        ]

    def packed(self, title: str) -> str:
        """The folder as an archive, in base64."""
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in self.files().items():
                archive.writestr(f"{title}/{name}", text)
        return base64.b64encode(content.getvalue()).decode("ascii")


def place(span: Span) -> dict[str, int]:
    return {"line": span.line, "column": span.column, "endLine": span.end_line, "endColumn": span.end_column}
