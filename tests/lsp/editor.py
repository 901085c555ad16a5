"""An editor as the language server meets it: a client of its protocol, with texts, versions and what it was told."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient

REFRESHES = types.ClientCapabilities(
    general=types.GeneralClientCapabilities(position_encodings=["utf-8", "utf-16"]),
    workspace=types.WorkspaceClientCapabilities(
        inlay_hint=types.InlayHintWorkspaceClientCapabilities(True),
        code_lens=types.CodeLensWorkspaceClientCapabilities(True),
    ),
    window=types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(True)),
)


def units(text: str) -> int:
    """How long a text is for the protocol."""
    return len(text.encode("utf-16-le")) // 2


def place(text: str, index: int) -> types.Position:
    """A place of the protocol in a text."""
    lines = re.split("\r\n|\n|\r", text[:index])
    return types.Position(len(lines) - 1, units(lines[-1]))


class Editor:
    """An editor with some files of a folder open."""

    def __init__(self, client: BaseLanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.texts: dict[str, str] = {}
        self.wrong: dict[str, list[types.Diagnostic]] = {}
        self.heard: dict[str, int | None] = {}  # of which version of a file it was told last
        self.said = asyncio.Event()
        self.messages: list[str] = []
        self.documents: list[str] = []
        self.version = 0
        self.process = 0  # of the server

    def uri(self, name: str = "game.yaml") -> str:
        return (self.folder / name).as_uri()

    def document(self, name: str = "game.yaml") -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str = "game.yaml") -> None:
        text = self.texts[name] = (self.folder / name).read_bytes().decode("utf-8")
        item = types.TextDocumentItem(self.uri(name), "yaml", self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, name: str = "game.yaml") -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document(name)))

    def write(self, text: str, name: str = "game.yaml") -> None:
        """Put another text in the place of the whole."""
        self.texts[name] = text
        self._change(name, types.TextDocumentContentChangeWholeDocument(text))

    def edit(self, start: int, end: int, new: str, name: str = "game.yaml") -> None:
        """Put a text in the place of a part."""
        text = self.texts[name]
        where = types.Range(place(text, start), place(text, end))
        self.texts[name] = text[:start] + new + text[end:]
        self._change(name, types.TextDocumentContentChangePartial(where, new))

    def _change(self, name: str, change: types.TextDocumentContentChangeEvent) -> None:
        self.version += 1
        self.said.clear()
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def told(self, enough: Callable[[], bool], seconds: float = 20) -> None:
        for _ in range(int(seconds * 50)):
            if enough():
                return
            await asyncio.sleep(0.02)
        raise AssertionError(self.wrong)

    async def told_of_version(self, name: str = "game.yaml") -> None:
        """Wait for what is wrong in the text as it is now."""
        while self.heard.get(self.uri(name)) != self.version:
            self.said.clear()
            await asyncio.wait_for(self.said.wait(), 30)

    def codes(self, name: str = "game.yaml") -> list[str]:
        return sorted(str(one.code) for one in self.wrong.get(self.uri(name), []))

    def at(self, text: str, word: str, inside: int = 1, name: str = "game.yaml") -> dict[str, Any]:
        """The parameters of a request about a word of a text."""
        where = place(text, text.index(word) + inside)
        return {"text_document": self.document(name), "position": where}


def edit(folder: Path, work: Callable[[Editor], Awaitable[None]], seconds: float = 60) -> None:
    """Run an editor with a server of its own."""

    async def main() -> None:
        client = BaseLanguageClient("editor", "1")
        editor = Editor(client, folder)

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def wrong(params: types.PublishDiagnosticsParams) -> None:
            editor.wrong[params.uri] = list(params.diagnostics)
            editor.heard[params.uri] = params.version
            editor.said.set()

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            editor.messages.append(params.message)

        @client.feature(types.WINDOW_SHOW_DOCUMENT)
        def opened(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            editor.documents.append(params.uri)
            return types.ShowDocumentResult(True)

        @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def lenses(_: Any) -> None:
            pass

        @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        def hints(_: Any) -> None:
            pass

        await client.start_io(sys.executable, "-m", "houserule", "lsp")
        editor.process = client._server.pid if client._server is not None else 0  # it has no other name
        try:
            await client.initialize_async(types.InitializeParams(REFRESHES, root_uri=folder.as_uri()))
            client.initialized(types.InitializedParams())
            await work(editor)
            await client.shutdown_async(None)
        finally:
            client.exit(None)
            await client.stop()

    asyncio.run(asyncio.wait_for(main(), seconds))
