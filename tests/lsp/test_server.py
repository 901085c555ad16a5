"""The language server as an editor meets it: over its protocol, through a client of its own."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import pytest
from lsprotocol import types

from houserule.cli.serve import lsp
from tests.language_service.woods import GAME as WOODS
from tests.language_service.woods import write
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


def test_an_editor_is_told_what_is_wrong_and_answered_and_nothing_ends_the_server(folder: Path) -> None:
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
        await requests(editor)

    async def requests(editor: Editor) -> None:
        client = editor.client
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
        for text in ("", "\t", "game: [", GAME.replace("draw", "dr"), "a: &a [*a]", "𝒜: 𝒜\r\n- x", "\ufeffx", GAME):
            editor.write(text)
            document = editor.document()
            whole = types.Range(types.Position(0, 0), types.Position(99, 0))
            for place in (types.Position(0, 0), types.Position(3, 2), types.Position(99, 99)):
                at = {"text_document": document, "position": place}
                await client.text_document_hover_async(types.HoverParams(**at))
                await client.text_document_completion_async(types.CompletionParams(**at))
                await client.text_document_signature_help_async(types.SignatureHelpParams(**at))
                await client.text_document_definition_async(types.DefinitionParams(**at))
                await client.text_document_prepare_rename_async(types.PrepareRenameParams(**at))
                everywhere = types.ReferenceContext(True)
                await client.text_document_references_async(types.ReferenceParams(**at, context=everywhere))
            await client.text_document_folding_range_async(types.FoldingRangeParams(document))
            await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
            await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
            await client.text_document_code_lens_async(types.CodeLensParams(document))
            await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
            await client.text_document_formatting_async(formatted(editor))
            await client.text_document_code_action_async(
                types.CodeActionParams(document, whole, types.CodeActionContext([]))
            )
        await editor.told(lambda: editor.codes() == [])

    edit(folder, work)


def test_scenarios_run_from_lenses_house_rules_stand_beside_the_rules_and_codes_are_explained(tmp_path: Path) -> None:
    woods = write(tmp_path / "woods").parent
    name = "scenarios/worth.yaml"

    async def work(editor: Editor) -> None:
        client = editor.client
        editor.open(name)
        await editor.told(lambda: editor.heard.get(editor.uri(name)) == 0)
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(editor.document(name)))
        assert [one.command.title for one in lenses] == ["run all", "run", "run"]
        for lens in lenses[1:]:
            await client.workspace_execute_command_async(
                types.ExecuteCommandParams(lens.command.command, arguments=list(lens.command.arguments))
            )
        await editor.told(lambda: len(editor.wrong[editor.uri(name)]) == 1)
        [failed] = editor.wrong[editor.uri(name)]
        assert (failed.source, failed.range.start.line) == ("houserule test", 10)
        _, right, wrong = await client.text_document_code_lens_async(types.CodeLensParams(editor.document(name)))
        assert right.command.title.startswith("passed in ")
        assert wrong.command.title.startswith("failed in line 11: ")
        assert [one.split(":")[0] for one in editor.messages] == ["passed", "failed"]
        action = types.CodeActionParams(editor.document(name), failed.range, types.CodeActionContext([]))
        assert "Run this scenario" in [one.title for one in await client.text_document_code_action_async(action)]
        editor.write(editor.texts[name].replace("== 0", "== 11"), name)
        await editor.told(lambda: editor.wrong[editor.uri(name)] == [])

        editor.open()
        whole = types.Range(types.Position(0, 0), types.Position(99, 0))
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(editor.document(), whole))
        assert [one.label[0].value for one in hints] == ["rich: 5", "rich: 4"]
        assert hints[0].label[0].location.uri.endswith("variants/rich.yaml")
        editor.write(WOODS.replace("from forest", "from forrest"))
        await editor.told_of_version()
        [one] = editor.wrong[editor.uri()]
        assert one.code_description.href.endswith("HR501.md")
        lacks = types.ExecuteCommandParams("houserule.lacks", ["serve"])
        assert await client.workspace_execute_command_async(lacks) is None
        page = await client.workspace_execute_command_async(types.ExecuteCommandParams("houserule.explain", ["HR501"]))
        assert page.startswith("HR501 (error)")
        assert editor.documents == [one.code_description.href]

    edit(woods, work)


def test_places_are_those_of_the_editor_whatever_the_signs_and_the_ends_of_lines(tmp_path: Path) -> None:
    folder = write(tmp_path / "woods").parent

    async def work(editor: Editor) -> None:
        editor.open()
        await look(editor, "\n")
        await look(editor, "\r\n")

    async def look(editor: Editor, ending: str) -> None:
        text = WOODS.replace(
            "do: perform pick(me)", 'do: |\n      say "𝒜森 {me}"; shuffle forest; perform pick(me)'
        ).replace("\n", ending)
        editor.write(text)
        client = editor.client
        assert not await client.text_document_formatting_async(formatted(editor))
        found = await client.text_document_references_async(
            types.ReferenceParams(**editor.at(text, "forest; perform"), context=types.ReferenceContext(True))
        )
        assert max((one.range.start.line, one.range.start.character) for one in found) == (36, 30)
        index = text.index("forest; perform") + len("forest")
        editor.edit(index, index, "t")
        await editor.told_of_version()
        [one] = [one for one in editor.wrong[editor.uri()] if one.severity == types.DiagnosticSeverity.Error]
        assert (one.range.start, one.range.end) == (types.Position(36, 30), types.Position(36, 37))
        actions = types.CodeActionParams(
            editor.document(), one.range, types.CodeActionContext([one], ["source.fixAll"])
        )
        [every] = await client.text_document_code_action_async(actions)
        [change] = every.edit.changes[editor.uri()]
        assert (change.range, change.new_text) == (one.range, "forest")
        editor.write(text.replace("say ", "say   "))
        [whole] = await client.text_document_formatting_async(formatted(editor))
        assert whole.new_text == text
        symbols = await client.workspace_symbol_async(types.WorkspaceSymbolParams("truf"))
        assert [one.name for one in symbols] == ["truffle"]

    edit(folder, work)


def test_a_character_that_is_refused_is_shown_where_it_is(tmp_path: Path) -> None:
    folder = write(tmp_path / "woods").parent

    async def work(editor: Editor) -> None:
        editor.open()
        editor.write(WOODS.replace("do: shuffle forest", "do: shuffle \u200bforest"))
        await editor.told_of_version()
        [one] = editor.wrong[editor.uri()]
        line = WOODS[: WOODS.index("do: shuffle")].count("\n")
        assert (one.code, one.range) == ("HR105", types.Range(types.Position(line, 16), types.Position(line, 17)))

    edit(folder, work)


def formatted(editor: Editor) -> types.DocumentFormattingParams:
    return types.DocumentFormattingParams(editor.document(), types.FormattingOptions(2, True))


def test_files_and_folders_that_go_leave_nothing_behind_and_end_nothing(tmp_path: Path) -> None:
    woods = write(tmp_path / "woods").parent
    variant = woods / "variants" / "rich.yaml"

    async def work(editor: Editor) -> None:
        client = editor.client
        editor.open()
        variant.write_text(variant.read_text(encoding="utf-8").replace("repeat", "repeet"), encoding="utf-8")
        gone = [types.FileEvent(editor.uri("variants/rich.yaml"), types.FileChangeType.Changed)]
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(gone))
        await editor.told(lambda: editor.codes("variants/rich.yaml") != [])
        variant.unlink()
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(gone))
        await editor.told(lambda: editor.codes("variants/rich.yaml") == [])
        woods.rename(tmp_path / "grove")
        editor.write(editor.texts["game.yaml"].replace("from forest", "from forrest"))
        client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(woods.as_uri(), types.FileChangeType.Deleted)])
        )
        hover = types.HoverParams(editor.document(), types.Position(20, 4))
        await client.text_document_hover_async(hover)
        editor.close()
        editor.folder = tmp_path / "grove"
        editor.open()
        editor.write(editor.texts["game.yaml"].replace("from forest", "from forrest"))
        await editor.told(lambda: editor.codes() == ["HR501"])

    edit(woods, work)


def test_messages_of_two_threads_are_written_whole_even_where_output_is_unbuffered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written_to = []

    class Server:
        def start_io(self, stdout: object) -> None:
            written_to.append(stdout)

    monkeypatch.setattr("houserule.lsp.answers.make", Server)
    lsp()
    assert isinstance(written_to[0], io.BufferedWriter), "a raw file writes long messages in parts"


@pytest.mark.parametrize("error", [BrokenPipeError(), ValueError("I/O operation on closed file.")])
def test_an_answer_for_an_editor_that_has_gone_is_no_traceback(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    from houserule.lsp import server  # noqa: F401  the library logs as this module has it

    log = logging.getLogger("pygls.protocol.json_rpc")
    for one in (error, ValueError("not to be written")):
        log.error("Error sending data", exc_info=one)
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [one]
