"""Creates a server with all its requests, notifications and commands."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from pygls.exceptions import JsonRpcException

from houserule.language_service import Refused
from houserule.lsp.answers import ANSWERS, OPTIONS
from houserule.lsp.commands import EXPLAIN, LACKS, RUN, explained, lacking, run
from houserule.lsp.documents import DOCUMENTS
from houserule.lsp.server import Server

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
