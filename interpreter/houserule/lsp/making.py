"""Creates a server with all its requests, notifications and commands."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from houserule.codes import CODES, page
from houserule.extras import not_installed
from houserule.language_service import Refused
from houserule.language_service.documents import absolute
from houserule.lsp.answers import ANSWERS, EXPLAIN, OPTIONS, RUN
from houserule.lsp.positions import path_of
from houserule.lsp.server import DOCUMENTS, Server, place_of_page

LACKS = "houserule.lacks"


def explained(server: Server, words: tuple[Any, ...]) -> str | None:
    """The page of a code: opened by editors that can open files, otherwise shown in a message; also returned."""
    code = str(first(words))
    row = CODES.get(code)
    if row is None:
        return None
    address = place_of_page(code)
    window = server.client_capabilities.window
    if address is not None and window is not None and window.show_document is not None and window.show_document.support:
        server.window_show_document(types.ShowDocumentParams(address, take_focus=True))
    else:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, page(row)))
    return page(row)


def run(server: Server, words: tuple[Any, ...]) -> list[dict[str, Any]] | None:
    """Run the scenarios of a file, or the one that begins in a line (from 0); failures appear at their places.

    Takes the address of the file, which is open, and optionally the line.
    """
    path = path_of(str(first(words)))
    if path is None or absolute(path) not in server.files.opened():
        return None
    line = words[1] + 1 if len(words) > 1 and isinstance(words[1], int) else None
    results = server.files.run(path, line)
    file = absolute(path)
    server.tell(file, server.files.last_found(file) or ())
    server.refresh()
    failed = sum(not result.passed for result in results)
    said = f"{failed} of {len(results)} scenarios failed" if failed else f"{len(results)} scenarios passed"
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, summary(said, results, failed)))
    return [
        {"name": result.name, "line": result.line - 1, "passed": result.passed, "message": result.message}
        for result in results
    ]


def lacking(words: tuple[Any, ...]) -> str | None:
    """What is missing for an extra such as `serve`, in a sentence that says how to install it; None if nothing is."""
    extra = str(first(words))
    missing = not_installed(extra)
    if not missing:
        return None
    return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed: pip install 'houserule[{extra}]'"


def summary(said: str, results: list[Any], failed: int) -> str:
    """The message after a run: for a single scenario its name and why it failed."""
    if len(results) != 1:
        return said
    [result] = results
    return f"failed: {result.name}: {result.message.splitlines()[0]}" if failed else f"passed: {result.name}"


def first(words: tuple[Any, ...]) -> Any:
    """The first argument of a command; some clients wrap it in another list."""
    found = words[0] if words else ""
    return found[0] if isinstance(found, list) and found else found


log = logging.getLogger(__name__)
REQUEST_FAILED = -32803
"""The protocol's error code for a valid request that was refused."""


def make() -> Server:
    """Create a server with all handlers registered."""
    server = Server()
    for feature, answer in {**DOCUMENTS, **ANSWERS}.items():
        server.feature(feature, OPTIONS.get(feature))(careful(server, answer))
    explain, rehearse = careful(server, explained), careful(server, run)
    server.command(EXPLAIN)(lambda *words: explain(words))
    server.command(LACKS)(lambda *words: lacking(words))
    # Scenarios may take long, and typing goes on.
    server.command(RUN)(server.thread()(lambda *words: rehearse(words)))
    return server


def careful(server: Server, answer: Callable[[Server, Any], Any]) -> Callable[[Any], Any]:
    """A handler that survives exceptions: they are logged, and nothing is answered."""

    def answered(params: Any) -> Any:
        try:
            return answer(server, params)
        except Refused as refused:
            raise JsonRpcException(str(refused), REQUEST_FAILED) from None
        except Exception:
            log.exception("%s failed", answer.__name__)
            return None

    return answered
