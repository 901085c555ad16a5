"""The server: it keeps the texts of an editor, checks them, and publishes diagnostics."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from houserule.diagnostics import Diagnostic, Span
from houserule.language_service import Workspace
from houserule.language_service.documents import absolute
from houserule.lsp.explained import place_of_page
from houserule.lsp.positions import column, path_of, range_of
from houserule.lsp.watching import Watcher

log = logging.getLogger(__name__)


def in_one_line(record: logging.LogRecord) -> bool:
    """Make the library log an invalid message in one line, without a traceback."""
    is_wrong_call = record.exc_info and isinstance(record.exc_info[1], JsonRpcException)
    if is_wrong_call or record.getMessage() == "Unable to handle message":
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
        """The lines of a file as the editor shows it."""
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

    def uri(self, path: Path) -> str:
        """The editor's URI of a file."""
        known = self.versions.get(path)
        return known[0] if known is not None else path.as_uri()

    def location(self, span: Span) -> types.Location:
        """A place in a file."""
        path = absolute(span.file)
        return types.Location(self.uri(path), range_of(self.files.lines(path), span))

    # --- diagnostics --------------------------------------------------------------------------------------------------

    def changed(self, uri: str, text: str, version: int | None) -> None:
        """Take a new text, and schedule its check."""
        path = path_of(uri)
        self.texts[uri] = text
        if path is not None:
            self.versions[absolute(path)] = uri, version
            self.files.open(path, text)
            self.watcher.touch(absolute(path))

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
