"""The language server: its protocol, the texts that editors show, and positions in them."""

from __future__ import annotations

import gc
import logging
import os
import re
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from houserule.codes import CODES, page
from houserule.diagnostics import Diagnostic, Span
from houserule.language_service import Workspace
from houserule.reading import LINE_BREAK, real
from houserule.writing import kept_file, write_file

LONGEST_PART = 255
"""The most bytes in the name of a file or folder."""
WIDE = re.compile("[\U00010000-\U0010ffff]")


def path_of(uri: str) -> Path | None:
    """The path of a URI, whether or not the file exists; None if it is no file, or one of another machine."""
    try:
        parts = urlparse(uri)
        path = Path(url2pathname(unquote(parts.path, errors="strict")))
        is_here = parts.scheme == "file" and parts.netloc in ("", "localhost")
        is_file = is_here and "\0" not in str(path) and not path.is_dir()
        is_whole = all(len(os.fsencode(part)) <= LONGEST_PART for part in path.parts)
    except (OSError, ValueError):
        return None
    return path if is_file and is_whole else None


@lru_cache(8)
def wide(line: str) -> list[int]:
    """The indexes in a line of the characters that take two units of UTF-16; cached, as a line may have many positions."""
    return [] if line.isascii() else [found.start() for found in WIDE.finditer(line)]


def units(line: str, end: int) -> int:
    taken = min(max(0, end), len(line))
    return taken + bisect_left(wide(line), taken)


def column(line: str, character: int) -> int:
    """The column, from 1 in characters, of an offset in units in a line."""
    taken = 0
    for number, sign in enumerate(line):
        if taken >= character:
            return number + 1
        taken += 2 if ord(sign) > 0xFFFF else 1
    return len(line) + 1


def position(lines: Sequence[str], line: int, at: int) -> types.Position:
    """A position of the protocol; after the end of the text, the end."""
    if not lines:
        return types.Position(0, 0)
    if line > len(lines):
        return types.Position(len(lines) - 1, units(lines[-1], len(lines[-1])))
    row = max(1, line)
    return types.Position(row - 1, units(lines[row - 1], at - 1))


def range_of(lines: Sequence[str], span: Span) -> types.Range:
    return types.Range(position(lines, span.line, span.column), position(lines, span.end_line, span.end_column))


def with_change(text: str, change: types.TextDocumentContentChangeEvent) -> str:
    """The text after an editor's change of a part or the whole. A position after the end is the end."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    starts = [0, *(found.end() for found in LINE_BREAK.finditer(text))]
    start, end = (offset(text, starts, place) for place in (change.range.start, change.range.end))
    return text[:start] + change.text + text[max(start, end) :]


def offset(text: str, starts: Sequence[int], place: types.Position) -> int:
    if place.line >= len(starts):
        return len(text)
    line = LINE_BREAK.split(text[starts[place.line] : (*starts, len(text))[place.line + 1]])[0]
    return starts[place.line] + column(line, place.character) - 1


SOON = 0.015
"""Seconds after a keystroke that are left to its other requests."""
QUIET = 0.6
"""Seconds without a keystroke before everything is checked."""
MOST_LOOKS = 400
"""Checks between two full garbage collections; in between only new objects are collected, since typing has to wait for it."""

Look = Callable[[Path, bool, Callable[[], None]], None]
"""Checks a file, or with True its whole game; it calls the given function between its steps."""


class Superseded(Exception):
    """Somebody types again, so the running check is obsolete."""


class Watcher:
    """Keeps the files that wait for a check, and checks them."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.changed = threading.Condition()
        self.soon: dict[Path, float] = {}  # changed files, and since when they wait
        self.later: dict[Path, float] = {}  # files whose games have changed, and when these are to be checked
        self.is_over = False
        self.is_held = False
        self.thread: threading.Thread | None = None

    def touch(self, path: Path, at_once: bool = True) -> None:
        """Schedule a check of a file soon, and of its game later."""
        now = monotonic()
        with self.changed:
            if at_once:
                self.soon.setdefault(path, now + SOON)
            self.later = {**dict.fromkeys(self.later, now + QUIET), path: now + QUIET}
            if self.thread is None:
                self.thread = threading.Thread(target=self.run, name="watcher", daemon=True)
                self.thread.start()
            self.changed.notify()

    def stop(self) -> None:
        with self.changed:
            self.is_over = True
            self.changed.notify()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """A context in which a check of everything stops at its next step and none begins: others need the lock."""
        self.is_held = True
        try:
            yield
        finally:
            self.is_held = False

    def go_on(self) -> None:
        if self.soon or self.is_over or self.is_held:
            raise Superseded

    def run(self) -> None:
        """Check what waits, until stopped. Exceptions are logged."""
        gc.collect()
        gc.freeze()  # imported modules stay
        gc.disable()  # a collection in the middle of a check would take longer than the check
        looks = 0
        while (found := self.next()) is not None:
            path, whole = found
            looks += 1
            try:
                self.look(path, whole, self.go_on if whole else lambda: None)
            except Superseded:
                self.touch(path, at_once=False)
                continue  # somebody who types again would wait for a collection
            except Exception:
                log.exception("looking at %s failed", path)
            if looks > MOST_LOOKS:
                looks = 0
                gc.collect()
            else:
                gc.collect(0)  # of new objects, which takes a few milliseconds

    def next(self) -> tuple[Path, bool] | None:
        """The next file to check, and whether to check its whole game, once its time has come; None after the stop."""
        with self.changed:
            while not self.is_over:
                waiting = self.soon or self.later
                path = min(waiting, key=waiting.__getitem__, default=None)
                left = waiting[path] - monotonic() if path is not None else None
                if path is not None and left is not None and left <= 0:
                    del waiting[path]
                    return path, waiting is self.later
                self.changed.wait(left)
        return None


log = logging.getLogger(__name__)


def in_one_line(record: logging.LogRecord) -> bool:
    """Make the library log an invalid message in one line, without a traceback, and nothing once the editor has gone."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, BrokenPipeError) or (isinstance(error, ValueError) and "closed file" in str(error)):
        return False
    if isinstance(error, JsonRpcException) or record.getMessage() == "Unable to handle message":
        record.exc_info = None
    return not str(record.msg).startswith("Unable to deserialize")


for name in ("pygls.protocol.json_rpc", "pygls.io_", "pygls.server"):
    logging.getLogger(name).addFilter(in_one_line)


class Protocol(LanguageServerProtocol):
    """The protocol, always with columns in units of UTF-16, which every editor supports."""

    def structure_message(self, message: Any) -> Any:
        """Parse a message; an error response is sent for a request of the wrong shape."""
        try:
            return super().structure_message(message)
        except JsonRpcException as wrong:
            if "method" in message and isinstance(message.get("id"), int | str):
                self._send_response(message["id"], error=wrong.to_response_error())
            raise

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        """Initialise; the library answers."""
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = [types.PositionEncodingKind.Utf16]
        return (yield from super().lsp_initialize(params))

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        """Pass on a change; the library's own copies of the texts are not used."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None


class Server(LanguageServer):
    """A server with its workspace."""

    def __init__(self) -> None:
        super().__init__("houserule", "1", protocol_cls=Protocol)
        self.files = Workspace()
        self.watcher = Watcher(self.look)
        self.texts: dict[str, str] = {}  # of open files, by the editor's URI
        self.versions: dict[Path, tuple[str, int | None]] = {}  # the editor's URI of a file, and its version
        self.told: set[Path] = set()  # the files with published diagnostics

    # --- places -------------------------------------------------------------------------------------------------------

    def lines(self, uri: str) -> list[str]:
        path = path_of(uri)
        return self.files.lines(path) if path is not None else []

    def place(self, params: Any) -> tuple[Path, int, int] | None:
        """The file, line and column of a request."""
        path = path_of(params.text_document.uri)
        if path is None:
            return None
        lines, at = self.lines(params.text_document.uri), params.position
        if at.line >= len(lines):
            return None
        return path, at.line + 1, column(lines[at.line], at.character)

    def touch(self, uri: str) -> None:
        """Schedule a check of everything that a document belongs to."""
        path = path_of(uri)
        if path is not None:
            self.watcher.touch(real(path), at_once=False)

    def uri(self, path: Path) -> str:
        known = self.versions.get(path)
        return known[0] if known is not None else path.as_uri()

    def location(self, span: Span) -> types.Location:
        path = real(span.file)
        return types.Location(self.uri(path), range_of(self.files.lines(path), span))

    # --- diagnostics --------------------------------------------------------------------------------------------------

    def changed(self, uri: str, text: str, version: int | None) -> None:
        """Take a new text, and schedule its check."""
        path = path_of(uri)
        self.texts[uri] = text
        if path is not None:
            self.versions[real(path)] = uri, version
            self.files.open(path, text)
            self.watcher.touch(real(path))

    def look(self, path: Path, whole: bool, go_on: Callable[[], None]) -> None:
        """Check a file, or its whole game, and publish the diagnostics."""
        versions = dict(self.versions)
        found = self.files.diagnostics(path, whole, go_on)
        if whole:  # diagnostics of deleted files are obsolete
            around = {one.parent for one in found}
            for gone in {one for one in self.told if not one.exists() and one not in versions}:
                if gone.parent in around or not gone.parent.exists():
                    found.setdefault(gone, [])
        for file, wrong in found.items():
            self.tell(file, wrong, versions.get(file, ("", None))[1])
        if whole:
            self.refresh()

    def tell(self, file: Path, wrong: Iterable[Diagnostic], version: int | None = None) -> None:
        """Publish the diagnostics of a file, unless there were none and still are none."""
        every = [*wrong, *self.files.failures(file)]
        if not every and file not in self.told and file not in self.versions:
            return
        (self.told.add if every else self.told.discard)(file)
        lines = self.files.lines(file) if every else []
        shown = [self.shown(one, lines) for one in every]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(self.uri(file), shown, version))

    def shown(self, one: Diagnostic, lines: list[str]) -> types.Diagnostic:
        """A diagnostic of the protocol; a failure in a scenario has no code."""
        severity = types.DiagnosticSeverity.Error if one.severity == "error" else types.DiagnosticSeverity.Warning
        message = one.message if one.help is None else f"{one.message}\n{one.help}"
        related = [types.DiagnosticRelatedInformation(self.location(r.span), r.message) for r in one.related]
        page = place_of_page(one.code)
        return types.Diagnostic(
            range_of(lines, one.span),
            message,
            severity,
            one.code or None,
            types.CodeDescription(page) if page is not None else None,
            source="houserule" if one.code else "houserule test",
            related_information=related,
        )

    def refresh(self) -> None:
        """Ask the editor to refresh lenses and hints, if it can."""
        asked = self.client_capabilities.workspace
        if asked is not None and asked.inlay_hint is not None and asked.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if asked is not None and asked.code_lens is not None and asked.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)


def opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    server.changed(item.uri, item.text, item.version)


def edited(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """A text was changed, in part or as a whole."""
    uri = params.text_document.uri
    text = server.texts.get(uri, "")
    for change in params.content_changes:
        text = with_change(text, change)
    server.changed(uri, text, params.text_document.version)


def closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """An editor closed a file: its saved content counts again."""
    uri = params.text_document.uri
    path = path_of(uri)
    server.texts.pop(uri, None)
    if path is not None:
        server.files.close(path)
        server.versions.pop(real(path), None)
        server.touch(uri)


def saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """A file was saved: check everything."""
    server.touch(params.text_document.uri)


def moved(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files were created, deleted or changed by others; a renamed folder does not report its files."""
    for change in params.changes:
        server.touch(change.uri)
    for path in server.files.opened():
        server.watcher.touch(path, at_once=False)


DOCUMENTS: dict[str, Callable[[Server, Any], Any]] = {
    types.TEXT_DOCUMENT_DID_OPEN: opened,
    types.TEXT_DOCUMENT_DID_CHANGE: edited,
    types.TEXT_DOCUMENT_DID_CLOSE: closed,
    types.TEXT_DOCUMENT_DID_SAVE: saved,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: moved,
}


@cache
def place_of_page(code: str) -> str | None:
    """The URI of the file with the page of a code; None for an unknown code, or if no file can be written."""
    row = CODES.get(code)
    file = kept_file(f"{code}.md") if row is not None else None
    if row is None or file is None:
        return None
    with suppress(OSError):
        write_file(file, f"{page(row)}\n")
        return file.as_uri()
    return None
