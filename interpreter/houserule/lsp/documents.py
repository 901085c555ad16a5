"""Notifications from the editor: files opened, changed, saved, closed, moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from houserule.language_service.documents import absolute
from houserule.lsp.positions import path_of, with_change
from houserule.lsp.server import Server


def opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """An editor opened a file."""
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
        server.versions.pop(absolute(path), None)
        server.watcher.touch(absolute(path), at_once=False)


def saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """A file was saved: check everything."""
    path = path_of(params.text_document.uri)
    if path is not None:
        server.watcher.touch(absolute(path), at_once=False)


def moved(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files were created, deleted or changed by others; a renamed folder does not report its files."""
    for change in params.changes:
        path = path_of(change.uri)
        if path is not None:
            server.watcher.touch(absolute(path), at_once=False)
    for path in server.files.opened():
        server.watcher.touch(path, at_once=False)


DOCUMENTS: dict[str, Callable[[Server, Any], Any]] = {
    types.TEXT_DOCUMENT_DID_OPEN: opened,
    types.TEXT_DOCUMENT_DID_CHANGE: edited,
    types.TEXT_DOCUMENT_DID_CLOSE: closed,
    types.TEXT_DOCUMENT_DID_SAVE: saved,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: moved,
}
