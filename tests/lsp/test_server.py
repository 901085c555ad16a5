"""The language server as an editor meets it: over its protocol, through a client of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor, edit

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
