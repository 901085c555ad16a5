"""The server: requests and notifications of an editor, answered by a workspace."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from houserule.codes import CODES, page
from houserule.diagnostics import Diagnostic, Span
from houserule.language_service import Refused, Workspace
from houserule.lsp.positions import column, path_of, position, range_of, units

log = logging.getLogger(__name__)

QUIET = 0.6
"""Seconds without a keystroke after which variants, scenarios and secrets are looked at as well."""
TOKENS = (
    "keyword",
    "function",
    "variable",
    "property",
    "enumMember",
    "number",
    "string",
    "comment",
    "type",
    "parameter",
    "method",
)
TOKEN_OF = {
    "verb": "method",
    "keyword": "keyword",
    "function": "function",
    "action": "function",
    "variable": "variable",
    "option": "variable",
    "zone": "property",
    "attribute": "property",
    "member": "enumMember",
    "piece": "enumMember",
    "enum": "type",
    "kind": "type",
    "table": "property",
    "number": "number",
    "string": "string",
    "comment": "comment",
    "local name": "parameter",
}
KINDS = {
    "option": types.SymbolKind.Constant,
    "enum": types.SymbolKind.Enum,
    "member": types.SymbolKind.EnumMember,
    "kind": types.SymbolKind.Class,
    "piece": types.SymbolKind.Object,
    "attribute": types.SymbolKind.Property,
    "zone": types.SymbolKind.Namespace,
    "variable": types.SymbolKind.Variable,
    "table": types.SymbolKind.Array,
    "function": types.SymbolKind.Function,
    "action": types.SymbolKind.Method,
    "trigger": types.SymbolKind.Event,
    "effect": types.SymbolKind.Event,
    "step": types.SymbolKind.Module,
}
ITEMS = {
    "verb": types.CompletionItemKind.Method,
    "keyword": types.CompletionItemKind.Keyword,
    "function": types.CompletionItemKind.Function,
    "action": types.CompletionItemKind.Function,
    "variable": types.CompletionItemKind.Variable,
    "zone": types.CompletionItemKind.Field,
    "member": types.CompletionItemKind.EnumMember,
    "piece": types.CompletionItemKind.EnumMember,
    "attribute": types.CompletionItemKind.Property,
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
}


class Server(LanguageServer):
    """A server with its workspace. One request at a time looks at the files; a failure answers nothing and ends nothing."""

    def __init__(self) -> None:
        super().__init__("houserule", "1")
        self.files = Workspace()
        self.busy = threading.RLock()
        self.waiting: threading.Timer | None = None
        self.told: dict[str, set[str]] = {}  # by what was typed in: the files that diagnostics were sent for

    def lines(self, uri: str) -> list[str]:
        """The lines of a file as the editor shows it."""
        path = path_of(uri)
        document = self.files.document(path) if path is not None else None
        return document.source.lines if document is not None and document.source is not None else []

    def place(self, params: Any) -> tuple[Path, int, int] | None:
        """The file, line and column of a request."""
        path = path_of(params.text_document.uri)
        if path is None:
            return None
        lines, at = self.lines(params.text_document.uri), params.position
        if at.line >= len(lines):
            return None
        return path, at.line + 1, column(lines[at.line], at.character)

    def location(self, span: Span) -> types.Location:
        """A place in a file."""
        uri = Path(span.file).resolve().as_uri()
        return types.Location(uri, range_of(self.lines(uri), span))

    # --- diagnostics --------------------------------------------------------------------------------------------------

    def changed(self, uri: str, text: str) -> None:
        """Take a new text, tell what is wrong in the rules, and all the rest after a moment of quiet."""
        path = path_of(uri)
        if path is None:
            return
        with self.busy:
            self.files.open(path, text)
            self.tell(path, whole=False)
        self.later(path)

    def later(self, path: Path) -> None:
        """Look at everything once nothing has been typed for a while."""
        if self.waiting is not None:
            self.waiting.cancel()
        self.waiting = threading.Timer(QUIET, self.tell_all, [path])
        self.waiting.daemon = True
        self.waiting.start()

    def tell_all(self, path: Path) -> None:
        """Tell what is wrong anywhere in the game."""
        try:
            with self.busy:
                self.tell(path, whole=True)
        except Exception:
            log.exception("diagnostics failed")

    def tell(self, path: Path, whole: bool) -> None:
        """Send the diagnostics of a game; files in which nothing is wrong any more are told so."""
        found = self.files.diagnostics(path, whole=whole)
        sent = set()
        for file, wrong in found.items():
            uri = file.as_uri()
            if not whole and {"variants", "scenarios"} & set(file.parts):
                continue
            sent.add(uri)
            lines = self.lines(uri)
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, [self.shown(one, lines) for one in wrong])
            )
        key = str(path.parent)
        for uri in self.told.get(key, set()) - sent if whole else ():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        self.told[key] = sent if whole else self.told.get(key, set()) | sent

    def shown(self, one: Diagnostic, lines: list[str]) -> types.Diagnostic:
        """A diagnostic of the protocol."""
        severity = types.DiagnosticSeverity.Error if one.severity == "error" else types.DiagnosticSeverity.Warning
        message = one.message if one.help is None else f"{one.message}\n{one.help}"
        related = [types.DiagnosticRelatedInformation(self.location(r.span), r.message) for r in one.related]
        return types.Diagnostic(
            range_of(lines, one.span),
            message,
            severity,
            one.code,
            source="houserule",
            related_information=related,
        )


def make() -> Server:
    """A server that knows every request it answers."""
    server = Server()
    for feature, answer in {**DOCUMENTS, **ANSWERS}.items():
        server.feature(feature, OPTIONS.get(feature))(careful(server, answer))
    server.command("houserule.explain")(lambda *words: explained(server, words))
    return server


def careful(server: Server, answer: Callable[[Server, Any], Any]) -> Callable[[Any], Any]:
    """An answer that ends no server: one that fails is logged, and nothing is answered."""

    def answered(params: Any) -> Any:
        with server.busy:
            try:
                return answer(server, params)
            except Refused:
                raise
            except Exception:
                log.exception("%s failed", answer.__name__)
                return None

    return answered


# --- documents --------------------------------------------------------------------------------------------------------


def opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """An editor shows a file."""
    server.changed(params.text_document.uri, params.text_document.text)


def edited(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """A text has been changed; pygls has put the pieces together."""
    uri = params.text_document.uri
    server.changed(uri, server.workspace.get_text_document(uri).source)


def closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """An editor shows a file no longer: it counts as it was saved."""
    path = path_of(params.text_document.uri)
    if path is not None:
        server.files.close(path)
        server.later(path)


def saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """A file was saved: look at everything."""
    path = path_of(params.text_document.uri)
    if path is not None:
        server.later(path)


def moved(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files came, went or were changed by others."""
    for change in params.changes:
        path = path_of(change.uri)
        if path is not None and path.suffix in (".yaml", ".yml"):
            server.later(path)


# --- answers ----------------------------------------------------------------------------------------------------------


def completion(server: Server, params: types.CompletionParams) -> types.CompletionList | None:
    """What can stand here."""
    place = server.place(params)
    if place is None:
        return None
    items = []
    for number, one in enumerate(server.files.complete(*place)):
        is_snippet = "$" in one.insert
        items.append(
            types.CompletionItem(
                one.label,
                kind=ITEMS.get(one.what, types.CompletionItemKind.Text),
                detail=one.what,
                documentation=one.detail or None,
                insert_text=one.insert or None,
                insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
                sort_text=f"{number:05}",
            )
        )
    return types.CompletionList(False, items)


def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    """What this is."""
    place = server.place(params)
    found = server.files.hover(*place) if place is not None else None
    if found is None:
        return None
    text = types.MarkupContent(types.MarkupKind.Markdown, found.text)
    return types.Hover(text, range_of(server.lines(params.text_document.uri), found.span))


def signature_help(server: Server, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """How the function around is called."""
    place = server.place(params)
    found = server.files.signature(*place) if place is not None else None
    if found is None:
        return None
    shown, argument = found
    inside = shown[shown.index("(") + 1 : shown.rindex(")")]
    parameters = [types.ParameterInformation(part.strip()) for part in inside.split(",") if part.strip()]
    return types.SignatureHelp([types.SignatureInformation(shown, parameters=parameters)], 0, argument)


def definition(server: Server, params: types.DefinitionParams) -> list[types.Location] | None:
    """Where this is declared."""
    place = server.place(params)
    return [server.location(span) for span in server.files.definition(*place)] if place is not None else None


def references(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    """Everywhere this stands."""
    place = server.place(params)
    return [server.location(span) for span in server.files.references(*place)] if place is not None else None


def prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.Range | None:
    """What would be renamed here."""
    place = server.place(params)
    found = server.files.name_at(*place) if place is not None else None
    if found is None or place is None or not server.files.references(*place):
        return None
    return range_of(server.lines(params.text_document.uri), found[1])


def rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Rename this everywhere."""
    place = server.place(params)
    if place is None:
        return None
    edits: dict[str, list[types.TextEdit]] = {}
    for fix in server.files.rename(*place, params.new_name):
        location = server.location(fix.span)
        edits.setdefault(location.uri, []).append(types.TextEdit(location.range, fix.text))
    return types.WorkspaceEdit(edits)


def code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The fixes of the diagnostics here, all fixes of the file, and what a message means."""
    uri = params.text_document.uri
    path = path_of(uri)
    if path is None:
        return None
    lines = server.lines(uri)
    mended = [one for one in server.files.fixes(path) if one.fix is not None]
    found: list[types.CodeAction] = []
    every: list[types.TextEdit] = []
    for one in mended:
        assert one.fix is not None
        edit = types.TextEdit(range_of(lines, one.fix.span), one.fix.text)
        every.append(edit)
        if overlap(range_of(lines, one.span), params.range):
            found.append(
                types.CodeAction(
                    f"Write '{one.fix.text}'" if one.fix.text else "Remove this",
                    types.CodeActionKind.QuickFix,
                    diagnostics=[server.shown(one, lines)],
                    is_preferred=True,
                    edit=types.WorkspaceEdit({uri: [edit]}),
                )
            )
    if len(every) > 1:
        edit_all = types.WorkspaceEdit({uri: every})
        found.append(types.CodeAction("Mend all that is certain", types.CodeActionKind("source.fixAll"), edit=edit_all))
    for shown in params.context.diagnostics:
        if isinstance(shown.code, str):
            command = types.Command(f"Explain {shown.code}", "houserule.explain", arguments=[shown.code])
            found.append(types.CodeAction(f"Explain {shown.code}", types.CodeActionKind.QuickFix, command=command))
    return found


def overlap(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges touch."""
    return at(one.start) <= at(other.end) and at(other.start) <= at(one.end)


def at(place: types.Position) -> tuple[int, int]:
    """A position as something to compare."""
    return place.line, place.character


def document_symbol(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
    """What the file declares, members inside what they belong to."""
    uri = params.text_document.uri
    path = path_of(uri)
    if path is None:
        return None
    lines = server.lines(uri)
    tops: list[types.DocumentSymbol] = []
    inside: dict[str, types.DocumentSymbol] = {}
    for one in server.files.symbols(path):
        made = types.DocumentSymbol(
            one.name,
            KINDS.get(one.what, types.SymbolKind.Key),
            range_of(lines, one.whole),
            range_of(lines, one.span),
            detail=one.what,
            children=[],
        )
        parent = inside.get(one.inside)
        if parent is not None and isinstance(parent.children, list):
            parent.children.append(made)
        else:
            tops.append(made)
        inside[one.name] = made
    return tops


def workspace_symbol(server: Server, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """Names in all games that have a file open."""
    wanted, found = params.query.lower(), []
    for file in sorted({one for path in server.files.opened() for one in server.files.files(path)}):
        for one in server.files.symbols(file):
            if wanted in one.name.lower():
                kind = KINDS.get(one.what, types.SymbolKind.Key)
                found.append(
                    types.SymbolInformation(server.location(one.span), one.name, kind, container_name=one.what)
                )
    return found[:500]


def folding_range(server: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """What can be folded."""
    path = path_of(params.text_document.uri)
    return [types.FoldingRange(a - 1, b - 1) for a, b in server.files.folding(path)] if path is not None else None


def semantic_tokens(server: Server, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    """The words of effects, as the protocol packs them: each five numbers, relative to the one before."""
    uri = params.text_document.uri
    path = path_of(uri)
    return types.SemanticTokens(list(packed(server, uri, path))) if path is not None else None


def packed(server: Server, uri: str, path: Path) -> Iterator[int]:
    """Tokens as numbers."""
    lines, line, start = server.lines(uri), 0, 0
    for token in server.files.tokens(path):
        what = TOKEN_OF.get(token.what)
        place = position(lines, token.span.line, token.span.column)
        if what is None or token.span.line > len(lines) or (place.line, place.character) < (line, start):
            continue
        text = lines[token.span.line - 1][token.span.column - 1 : token.span.end_column - 1]
        yield place.line - line
        yield place.character - (start if place.line == line else 0)
        yield units(text)
        yield TOKENS.index(what)
        yield 0
        line, start = place.line, place.character


def formatting(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    """The file in the one layout."""
    uri = params.text_document.uri
    path = path_of(uri)
    after = server.files.format(path) if path is not None else None
    if after is None:
        return []
    lines = server.lines(uri)
    return [types.TextEdit(types.Range(types.Position(0, 0), position(lines, len(lines) + 1, 1)), after)]


def explained(server: Server, words: tuple[Any, ...]) -> str | None:
    """The page of a code, shown and answered."""
    code = words[0] if words and isinstance(words[0], str) else str(words[0][0]) if words and words[0] else ""
    row = CODES.get(code)
    text = page(row) if row is not None else None
    if text is not None:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
    return text


DOCUMENTS: dict[str, Callable[[Server, Any], Any]] = {
    types.TEXT_DOCUMENT_DID_OPEN: opened,
    types.TEXT_DOCUMENT_DID_CHANGE: edited,
    types.TEXT_DOCUMENT_DID_CLOSE: closed,
    types.TEXT_DOCUMENT_DID_SAVE: saved,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: moved,
}
ANSWERS: dict[str, Callable[[Server, Any], Any]] = {
    types.TEXT_DOCUMENT_COMPLETION: completion,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.TEXT_DOCUMENT_SIGNATURE_HELP: signature_help,
    types.TEXT_DOCUMENT_DEFINITION: definition,
    types.TEXT_DOCUMENT_REFERENCES: references,
    types.TEXT_DOCUMENT_PREPARE_RENAME: prepare_rename,
    types.TEXT_DOCUMENT_RENAME: rename,
    types.TEXT_DOCUMENT_CODE_ACTION: code_action,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: document_symbol,
    types.WORKSPACE_SYMBOL: workspace_symbol,
    types.TEXT_DOCUMENT_FOLDING_RANGE: folding_range,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: semantic_tokens,
    types.TEXT_DOCUMENT_FORMATTING: formatting,
}
OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=[".", " ", "[", "(", ":"]),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpOptions(trigger_characters=["(", ","]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
        [types.CodeActionKind.QuickFix, types.CodeActionKind("source.fixAll")]
    ),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: types.SemanticTokensLegend(list(TOKENS), []),
}
