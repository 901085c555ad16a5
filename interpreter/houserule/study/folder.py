"""Keeps the matches of a study in a folder: parts while they are played, one table of matches and one of options at the end."""

from __future__ import annotations

import json
import os
import time
import weakref
from io import BytesIO
from pathlib import Path
from typing import Any

from houserule.core import Game
from houserule.extras import library
from houserule.reading import NotOrdinary, TooLarge, read
from houserule.study.plan import Plan
from houserule.study.rows import Columns, Rows, WrongTable
from houserule.writing import make_folder, write_file

MANIFEST, MATCHES, OPTIONS, PARTS = "study.json", "matches", "options", "parts"
INTERVAL = 5.0
"""Seconds between two writes."""
FORMAT = 1
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
        self.columns = Columns(plan.players)
        self.waiting = Columns(plan.players)
        self.parts: list[list[int]] = []
        self.wrote = time.monotonic()
        if path.exists() and not path.is_dir():
            raise WrongFolder(f"'{path}' is a file, not a folder")
        make_folder(path)
        self.close = weakref.finalize(self, release, claimed(path))
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
            different = [key for key in mine if before.get(key) != mine[key]] if isinstance(before, dict) else []
            what = (
                f": {different[0].replace('_', ' ')} {shown(before.get(different[0]))} there, {shown(mine[different[0]])} here"
                if different
                else ""
            )
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


def claimed(path: Path) -> int | None:
    """Lock a folder against other studies. Returns what `release` takes, or None where the system has no locks. Raises WrongFolder."""
    try:
        import fcntl
    except ImportError:
        return None
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as reason:
        os.close(handle)
        raise WrongFolder(f"another study is being written to '{path}'") from reason
    except OSError:
        pass  # some network drives have no locks
    return handle


def release(handle: int | None) -> None:
    if handle is not None:
        os.close(handle)


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
