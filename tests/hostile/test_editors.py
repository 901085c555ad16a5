"""What editors send to `houserule lsp`: each request is answered, no file is read that is not open, and nothing ends in a traceback."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from lsprotocol import types

from houserule.language_service import Workspace
from houserule.lsp.answers import (
    completion,
    document_symbol,
    folding_range,
    formatting,
    make,
    references,
    semantic_tokens,
)
from houserule.lsp.server import path_of
from houserule.reading import is_file

GAME = "edition: 2026\ngame: hostile\nplayers: 2\nvariables: {n: int}\nflow: {s: {do: n = 1}}\n"
NAMES = ["file:///%00", "file://[", "file:///" + "a" * 5000, "file:///%ED%A0%80.yaml", f"file:///{chr(0xD800)}.yaml"]
NAMES += [
    "file:///",
    "file:///etc",
    "file://elsewhere/etc/passwd",
    "http://evil.example/x.yaml",
    "untitled:1",
    "",
    "file:",
]

MOST_SECONDS = 20
"""So long a server may work."""


@pytest.mark.parametrize("uri", NAMES)
def test_what_is_no_file_has_no_path(uri: str) -> None:
    assert path_of(uri) is None


def test_what_nobody_may_look_at_is_no_file(tmp_path: Path) -> None:
    assert not any(map(is_file, (tmp_path, tmp_path / ("a" * 5000), tmp_path / "a\0b")))


def talk(folder: Path, *said: dict[str, Any] | bytes) -> tuple[dict[int | None, dict[str, Any]], str]:
    """What a server answers to these messages, by their numbers, and what it says on standard error."""
    texts = [one if isinstance(one, bytes) else json.dumps({"jsonrpc": "2.0", **one}).encode() for one in said]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in texts)
    call = [sys.executable, "-m", "houserule", "lsp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(call, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder) as server:
        if hasattr(resource, "prlimit"):  # what it works, not how long it waits for a machine that is busy
            resource.prlimit(server.pid, resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        try:
            said_back, errors = server.communicate(sent, timeout=5 * MOST_SECONDS)
        finally:
            server.kill()
    heard = [json.loads(part.partition(b"\r\n\r\n")[2]) for part in said_back.split(b"Content-Length: ")[1:]]
    answers = {one.get("id"): one for one in heard if "method" not in one}
    return answers, errors.decode("utf-8", "replace")


def test_every_request_is_answered(tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("a word that nobody may see\n", encoding="utf-8")
    file = tmp_path / "game.yaml"
    file.write_text(GAME, encoding="utf-8")
    opened = {"uri": file.as_uri(), "languageId": "yaml", "version": 0, "text": GAME}

    def at(line: object, character: object, **rest: object) -> dict[str, Any]:
        place = {"line": line, "character": character}
        return {"textDocument": {"uri": file.as_uri()}, "position": place, **rest}

    asked: list[tuple[str, object]] = [
        ("textDocument/hover", at(-1, 0)),
        ("textDocument/hover", at("x", None)),
        ("textDocument/hover", at(2**31 - 1, 2**31 - 1)),
        ("textDocument/hover", {"textDocument": {"uri": "file://["}, "position": {"line": 0, "character": 0}}),
        ("textDocument/rename", at(3, 13, newName="a\nb: c")),
        ("textDocument/hover", None),
        ("workspace/executeCommand", {"command": "houserule.runScenarios", "arguments": [outside.as_uri()]}),
        ("workspace/executeCommand", {"command": "houserule.runScenarios", "arguments": ["file:///%00", {}]}),
        ("workspace/executeCommand", {"command": "houserule.explain", "arguments": [{}]}),
        ("workspace/executeCommand", {"command": "rm", "arguments": ["-rf"]}),
        ("no/such/method", {}),
        ("shutdown", None),
    ]
    requests = [{"id": number, "method": method, "params": params} for number, (method, params) in enumerate(asked, 1)]
    begin: dict[str, Any] = {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}}
    answers, errors = talk(
        tmp_path,
        {"id": 0, "method": "initialize", "params": begin},
        {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
        {"method": "textDocument/didOpen", "params": None},
        {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file://[", "version": 1}}},
        b"[" * 20_000,
        b"\xff\xfe\0",
        b"1",
        *requests,
        {"method": "exit", "params": None},
    )
    assert set(answers) == set(range(len(asked) + 1))
    assert "Traceback" not in errors
    assert answers[5]["error"]["message"] == "'a\nb: c' cannot be a name"
    assert "nobody may see" not in str(answers)


LONG = 15_000
DOCUMENTS = {
    "a sum": f"{GAME[:-4]}{'1 + ' * LONG}1}}}}\n",
    "wrong lines": f"{GAME[: GAME.index('flow')]}flow:\n  s:\n    do: |\n" + "      x = y\n" * LONG,
    "braces": f'{GAME}title: "{"{n}" * LONG}"\n',
    "keys in a line": f"{GAME}functions: {{{', '.join(f'f{i}: {i}' for i in range(LONG // 4))}}}\n",
}


@pytest.mark.parametrize("what", DOCUMENTS)
def test_long_lines_and_texts_keep_nobody_waiting(what: str, tmp_path: Path) -> None:
    """Whatever looked from the beginning of a line, or of a text, for each word in it took minutes."""
    file, text = tmp_path / "game.yaml", DOCUMENTS[what]
    lines = text.split("\n")
    document = types.TextDocumentIdentifier(file.as_uri())
    at = {"text_document": document, "position": types.Position(len(lines) - 2, len(lines[-2]) // 2)}
    asked = {
        completion: types.CompletionParams(**at),
        references: types.ReferenceParams(types.ReferenceContext(True), **at),
        semantic_tokens: types.SemanticTokensParams(document),
        document_symbol: types.DocumentSymbolParams(document),
        formatting: types.DocumentFormattingParams(document, types.FormattingOptions(2, True)),
        folding_range: types.FoldingRangeParams(document),
    }
    server = make()
    before = process_time()
    server.files.open(file, text)
    server.files.diagnostics(file, whole=False)
    for answer, params in asked.items():
        assert answer(server, params) is not None, answer.__name__
    assert process_time() - before < MOST_SECONDS


def test_what_is_shown_of_a_name_has_no_links_pictures_or_code_of_strangers(tmp_path: Path) -> None:
    title = "[click](command:quit) ![i](http://x/y.png) <b> `x`"
    text = (
        "edition: 2026\ngame: hostile\nplayers: 2\n"
        f'zones:\n  deck: {{holds: card, visible: none, title: {{en: "{title}"}}, text: {{en: "{title}"}}}}\n'
        'functions:\n  f: "``` ````"\n'
    )
    workspace = Workspace()
    workspace.open(tmp_path / "game.yaml", text)
    zone, function = (workspace.hover(tmp_path / "game.yaml", line, 3) for line in (5, 7))
    assert zone is not None and function is not None
    shown = r"\[click\](command:quit) !\[i\](http://x/y.png) \<b\> \`x\`"
    assert zone.text.endswith(f"*{shown}*\n\n{shown}")
    assert function.text.endswith("`````\nf: ``` ````\n`````")
