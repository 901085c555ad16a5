"""The language server as an editor meets it: over its protocol, through a client of its own."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient

import houserule

GAME = """\
edition: 2026
game: meadow
title: {en: Meadow, ja: 𝒜草原}
players: 2..3
components:
  flower: {starts_in: deck, pieces: {daisy: {count: 8}}}
zones:
  deck: {holds: flower, visible: none}
  hand(player): {holds: flower, visible: owner}
variables:
  score(player): int
flow:
  setup:
    do: shuffle deck
  round:
    repeat: 2
    turns: players
    do: |
      draw 1 from deck to me.hand as card
      if card: me.score += 1
scoring: {points: me.score}
winner: {most: points}
"""


class Editor:
    """An editor with one game open."""

    def __init__(self, client: BaseLanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.wrong: dict[str, list[types.Diagnostic]] = {}
        self.said = asyncio.Event()
        self.version = 0

    def uri(self, name: str = "game.yaml") -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str = "game.yaml") -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        item = types.TextDocumentItem(self.uri(name), "yaml", self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def write(self, text: str, name: str = "game.yaml") -> None:
        self.version += 1
        self.said.clear()
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri(name)),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def told(self, enough: Callable[[], bool]) -> None:
        for _ in range(400):
            if enough():
                return
            await asyncio.sleep(0.05)
        raise AssertionError(self.wrong)

    def codes(self, name: str = "game.yaml") -> list[str]:
        return sorted(str(one.code) for one in self.wrong.get(self.uri(name), []))

    def at(self, text: str, word: str, inside: int = 1) -> dict[str, Any]:
        for number, line in enumerate(text.split("\n")):
            if word in line:
                place = types.Position(number, len(line[: line.index(word) + inside].encode("utf-16-le")) // 2)
                return {"text_document": types.TextDocumentIdentifier(self.uri()), "position": place}
        raise AssertionError(word)


def edit(folder: Path, work: Callable[[Editor], Awaitable[None]]) -> None:
    """Run an editor with a server of its own."""

    async def main() -> None:
        client = BaseLanguageClient("editor", "1")
        editor = Editor(client, folder)

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def wrong(params: types.PublishDiagnosticsParams) -> None:
            editor.wrong[params.uri] = list(params.diagnostics)
            editor.said.set()

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            pass

        await client.start_io(sys.executable, "-m", "houserule", "lsp")
        try:
            await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), root_uri=folder.as_uri()))
            client.initialized(types.InitializedParams())
            await work(editor)
            await client.shutdown_async(None)
        finally:
            client.exit(None)
            await client.stop()

    asyncio.run(asyncio.wait_for(main(), 90))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "meadow"
    made.mkdir()
    (made / "game.yaml").write_text(GAME, encoding="utf-8")
    return made


def test_an_editor_is_told_what_is_wrong_as_one_types_and_how_to_mend_it(folder: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open()
        wrong = GAME.replace("from deck", "from dekc")
        editor.write(wrong)
        await editor.told(lambda: editor.codes() == ["HR501"])
        [one] = editor.wrong[editor.uri()]
        line = wrong.split("\n")[one.range.start.line]
        assert line[one.range.start.character : one.range.end.character] == "dekc"
        actions = await editor.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(editor.uri()), one.range, types.CodeActionContext([one])
            )
        )
        assert actions is not None
        fix = next(action for action in actions if isinstance(action, types.CodeAction) and action.edit)
        assert fix.edit is not None
        assert fix.edit.changes is not None
        assert [edit.new_text for edit in fix.edit.changes[editor.uri()]] == ["deck"]
        assert any("Explain HR501" in action.title for action in actions)
        editor.write(GAME)
        await editor.told(lambda: editor.codes() == [])

    edit(folder, work)


def test_requests_are_answered_and_nothing_ends_the_server(folder: Path) -> None:
    async def work(editor: Editor) -> None:
        client = editor.client
        editor.open()
        hover = await client.text_document_hover_async(types.HoverParams(**editor.at(GAME, "deck to me")))
        assert hover is not None
        assert "zone" in str(hover.contents)
        [defined] = await client.text_document_definition_async(types.DefinitionParams(**editor.at(GAME, "deck to me")))
        assert defined.range.start.line == 7
        found = await client.text_document_references_async(
            types.ReferenceParams(**editor.at(GAME, "deck to me"), context=types.ReferenceContext(True))
        )
        assert len(found) == 4
        listed = await client.text_document_completion_async(
            types.CompletionParams(**editor.at(GAME, "me.score +=", len("me.")))
        )
        assert {item.label for item in listed.items} == {"hand", "score"}
        renamed = await client.text_document_rename_async(
            types.RenameParams(**editor.at(GAME, "deck to me"), new_name="meadow_deck")
        )
        assert len(renamed.changes[editor.uri()]) == 4
        with pytest.raises(Exception, match="cannot be a name"):
            await client.text_document_rename_async(
                types.RenameParams(**editor.at(GAME, "deck to me"), new_name="choose")
            )
        symbols = await client.text_document_document_symbol_async(
            types.DocumentSymbolParams(types.TextDocumentIdentifier(editor.uri()))
        )
        assert {"flower", "deck", "hand", "score", "setup", "round", "points"} <= {one.name for one in symbols}
        tokens = await client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(types.TextDocumentIdentifier(editor.uri()))
        )
        assert len(tokens.data) % 5 == 0
        assert tokens.data
        for text in ("", "\t", "game: [", GAME.replace("draw", "dr"), "a: &a [*a]", "𝒜: 𝒜\r\n- x", GAME):
            editor.write(text)
            for line, at in ((0, 0), (3, 2), (99, 99)):
                place = types.Position(line, at)
                document = types.TextDocumentIdentifier(editor.uri())
                await client.text_document_hover_async(types.HoverParams(document, place))
                await client.text_document_completion_async(types.CompletionParams(document, place))
                await client.text_document_definition_async(types.DefinitionParams(document, place))
            await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        await editor.told(lambda: editor.codes() == [])

    edit(folder, work)


def test_edits_at_random_end_with_the_diagnostics_of_validate(folder: Path) -> None:
    async def work(editor: Editor) -> None:
        chance = random.Random(7)
        editor.open()
        text = GAME
        for _ in range(60):
            at = chance.randrange(len(text))
            text = (
                text[:at] + chance.choice(("", "x", ":", " ", "\n", "(", "me.", "𝒜")) + text[at + chance.randrange(3) :]
            )
            editor.write(text)
        (folder / "game.yaml").write_text(text, encoding="utf-8")
        wanted = sorted(one.code for one in houserule.validate(folder))
        await editor.told(lambda: editor.codes() == wanted)

    edit(folder, work)
