"""What the server answers, in the terms of the protocol."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from houserule.codes import CODES, page
from houserule.extras import not_installed
from houserule.language_service import Refused, Trial
from houserule.lsp.server import DOCUMENTS, Server, path_of, place_of_page, position, range_of, units
from houserule.reading import real

EXPLAIN = "houserule.explain"
RUN = "houserule.runScenarios"


def pairs(text: str) -> dict[str, str]:
    """The kinds of the workspace with those of the protocol, from `this=That, other=Other`."""
    return dict(pair.split("=") for pair in text.split(", "))


TOKENS = tuple("keyword function variable property enumMember number string comment type parameter method".split())
TOKEN_OF = pairs(
    "verb=method, keyword=keyword, function=function, action=function, variable=variable, option=variable,"
    " zone=property, attribute=property, member=enumMember, piece=enumMember, enum=type, kind=type, table=property,"
    " number=number, string=string, comment=comment, local name=parameter"
)
KINDS = pairs(
    "option=Constant, enum=Enum, member=EnumMember, kind=Class, piece=Object, attribute=Property, zone=Namespace,"
    " variable=Variable, table=Array, function=Function, action=Method, trigger=Event, effect=Event, step=Module"
)
ITEMS = pairs(
    "verb=Method, keyword=Keyword, function=Function, action=Function, variable=Variable, zone=Field,"
    " member=EnumMember, piece=EnumMember, attribute=Property, key=Property, value=Value"
)


Params = TypeVar("Params", bound=Any)
Answer = TypeVar("Answer")
Place = tuple[Path, int, int]
"""A file, a line and a column, counted as in the workspace."""


def at_place(answer: Callable[[Server, Params, Place], Answer]) -> Callable[[Server, Params], Answer | None]:
    """An answer about a place of a file; none if the place does not exist."""

    @wraps(answer)
    def answered(server: Server, params: Params) -> Answer | None:
        place = server.place(params)
        return answer(server, params, place) if place is not None else None

    return answered


def of_file(answer: Callable[[Server, Params, Path], Answer]) -> Callable[[Server, Params], Answer | None]:
    """An answer about a file; none for a document that is not a file."""

    @wraps(answer)
    def answered(server: Server, params: Params) -> Answer | None:
        path = path_of(params.text_document.uri)
        return answer(server, params, path) if path is not None else None

    return answered


@at_place
def completion(server: Server, _: types.CompletionParams, place: Place) -> types.CompletionList:
    items = []
    for number, one in enumerate(server.files.complete(*place)):
        is_snippet = "$" in one.insert
        items.append(
            types.CompletionItem(
                one.label,
                kind=types.CompletionItemKind[ITEMS.get(one.what, "Text")],
                detail=one.what,
                documentation=one.detail or None,
                insert_text=one.insert or None,
                insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
                sort_text=f"{number:05}",
            )
        )
    return types.CompletionList(False, items)


@at_place
def hover(server: Server, params: types.HoverParams, place: Place) -> types.Hover | None:
    found = server.files.hover(*place)
    if found is None:
        return None
    text = types.MarkupContent(types.MarkupKind.Markdown, found.text)
    return types.Hover(text, range_of(server.lines(params.text_document.uri), found.span))


@at_place
def signature_help(server: Server, _: types.SignatureHelpParams, place: Place) -> types.SignatureHelp | None:
    found = server.files.signature(*place)
    if found is None:
        return None
    shown, argument = found
    inside = shown[shown.index("(") + 1 : shown.rindex(")")]
    parameters = [types.ParameterInformation(part.strip()) for part in inside.split(",") if part.strip()]
    return types.SignatureHelp([types.SignatureInformation(shown, parameters=parameters)], 0, argument)


@at_place
def definition(server: Server, _: types.DefinitionParams, place: Place) -> list[types.Location]:
    return [server.location(span) for span in server.files.definition(*place)]


@at_place
def references(server: Server, _: types.ReferenceParams, place: Place) -> list[types.Location]:
    return [server.location(span) for span in server.files.references(*place)]


@at_place
def prepare_rename(server: Server, params: types.PrepareRenameParams, place: Place) -> types.Range | None:
    """The span that would be renamed."""
    found = server.files.name_at(*place)
    if found is None or not server.files.references(*place):
        return None
    return range_of(server.lines(params.text_document.uri), found[1])


@at_place
def rename(server: Server, params: types.RenameParams, place: Place) -> types.WorkspaceEdit:
    edits: dict[str, list[types.TextEdit]] = {}
    with server.watcher.standing_still():
        changes = server.files.rename(*place, params.new_name)
    for fix in changes:
        location = server.location(fix.span)
        edits.setdefault(location.uri, []).append(types.TextEdit(location.range, fix.text))
    return types.WorkspaceEdit(edits)


@of_file
def code_action(server: Server, params: types.CodeActionParams, path: Path) -> list[types.CodeAction]:
    """The fixes of the diagnostics in a range, all fixes of the file, explanations of codes, and running the scenario in the range."""
    uri = params.text_document.uri
    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    found = [*fixed(server, uri, path, params.range), *explanations(params.context.diagnostics)]
    found += scenario_here(server, uri, path, params.range.start.line)
    return [one for one in found if not only or any(kind_of(one).startswith(wanted) for wanted in only)]


def kind_of(action: types.CodeAction) -> str:
    return str(getattr(action.kind, "value", action.kind) or "")


def fixed(server: Server, uri: str, path: Path, here: types.Range) -> Iterator[types.CodeAction]:
    """The fixes in a range, and all of them together if a file has several."""
    lines = server.lines(uri)
    every = server.files.mended(path)
    for is_certain, several in ((True, every), (False, server.files.suggested(path))):
        for one, fix in several:
            if overlap(range_of(lines, one.span), here):
                said = f"Write '{fix.text}'" if fix.text else "Remove this"
                yield types.CodeAction(
                    said if is_certain else f"{said}, if that is meant",
                    types.CodeActionKind.QuickFix,
                    diagnostics=[server.shown(one, lines)],
                    is_preferred=is_certain,
                    edit=types.WorkspaceEdit({uri: [types.TextEdit(range_of(lines, fix.span), fix.text)]}),
                )
    if every:
        edits = [types.TextEdit(range_of(lines, fix.span), fix.text) for fix in {fix: fix for _, fix in every}]
        edit_all = types.WorkspaceEdit({uri: edits})
        yield types.CodeAction("Fix everything that is certain", types.CodeActionKind.SourceFixAll, edit=edit_all)


def explanations(shown: Sequence[types.Diagnostic]) -> Iterator[types.CodeAction]:
    for code in dict.fromkeys(one.code for one in shown):
        if isinstance(code, str):
            command = types.Command(f"Explain {code}", EXPLAIN, arguments=[code])
            yield types.CodeAction(f"Explain {code}", types.CodeActionKind.QuickFix, command=command)


def scenario_here(server: Server, uri: str, path: Path, line: int) -> Iterator[types.CodeAction]:
    above = [trial for trial in server.files.scenarios(path) if trial.span.line - 1 <= line]
    if above:
        yield types.CodeAction("Run this scenario", command=run_command("Run", uri, above[-1].span.line - 1))


def run_command(title: str, uri: str, *line: int) -> types.Command:
    """A command that runs the scenarios of a file, or the one that begins in a line."""
    return types.Command(title, RUN, arguments=[uri, *line])


@of_file
def code_lens(server: Server, params: types.CodeLensParams, path: Path) -> list[types.CodeLens]:
    """A lens over each scenario that runs it and shows its result; over the first, also one that runs all."""
    uri = params.text_document.uri
    lines = server.lines(uri)
    found: list[types.CodeLens] = []
    for trial in server.files.scenarios(path):
        place = range_of(lines, trial.span)
        if not found:
            found.append(types.CodeLens(place, run_command("run all", uri)))
        found.append(types.CodeLens(place, run_command(outcome(trial), uri, place.start.line)))
    return found


def outcome(trial: Trial) -> str:
    """The text over a scenario."""
    result = trial.result
    if result is None:
        return "run"
    if result.passed:
        return f"passed in {result.seconds * 1000:.0f} ms"
    return f"failed in line {result.line}: {result.message.splitlines()[0]}"


@of_file
def inlay_hint(server: Server, params: types.InlayHintParams, path: Path) -> list[types.InlayHint]:
    """Hints in the visible lines about what house rules change."""
    lines, found = server.lines(params.text_document.uri), []
    for hint in server.files.hints(path):
        place = range_of(lines, hint.span).end
        if params.range.start.line <= place.line <= params.range.end.line:
            part = types.InlayHintLabelPart(hint.text, location=server.location(hint.origin))
            found.append(types.InlayHint(place, [part], padding_left=True))
    return found


def overlap(one: types.Range, other: types.Range) -> bool:
    return at(one.start) <= at(other.end) and at(other.start) <= at(one.end)


def at(place: types.Position) -> tuple[int, int]:
    return place.line, place.character


@of_file
def document_symbol(server: Server, params: types.DocumentSymbolParams, path: Path) -> list[types.DocumentSymbol]:
    """The declarations of a file, members nested in their kinds."""
    lines = server.lines(params.text_document.uri)
    tops: list[types.DocumentSymbol] = []
    inside: dict[str, types.DocumentSymbol] = {}
    for one in server.files.symbols(path):
        made = types.DocumentSymbol(
            one.name,
            types.SymbolKind[KINDS.get(one.what, "Key")],
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
    """Names in all games with an open file."""
    wanted, found = params.query.lower(), []
    for file in sorted({one for path in server.files.opened() for one in server.files.files(path)}):
        for one in server.files.symbols(file):
            if wanted in one.name.lower():
                kind = types.SymbolKind[KINDS.get(one.what, "Key")]
                found.append(
                    types.SymbolInformation(server.location(one.span), one.name, kind, container_name=one.what)
                )
    return found[:500]


@of_file
def folding_range(server: Server, _: types.FoldingRangeParams, path: Path) -> list[types.FoldingRange]:
    return [types.FoldingRange(first - 1, last - 1) for first, last in server.files.folding(path)]


@of_file
def semantic_tokens(server: Server, params: types.SemanticTokensParams, path: Path) -> types.SemanticTokens:
    """The kinds of words of effects, packed as the protocol requires: five numbers each, relative to the one before."""
    return types.SemanticTokens(list(packed(server, params.text_document.uri, path)))


def packed(server: Server, uri: str, path: Path) -> Iterator[int]:
    lines, line, start = server.lines(uri), 0, 0
    for token in server.files.tokens(path):
        what = TOKEN_OF.get(token.what)
        place = position(lines, token.span.line, token.span.column)
        if what is None or token.span.line > len(lines) or (place.line, place.character) < (line, start):
            continue
        row = lines[token.span.line - 1]
        yield place.line - line
        yield place.character - (start if place.line == line else 0)
        yield units(row, token.span.end_column - 1) - place.character
        yield TOKENS.index(what)
        yield 0
        line, start = place.line, place.character


@of_file
def formatting(server: Server, params: types.DocumentFormattingParams, path: Path) -> list[types.TextEdit]:
    after = server.files.format(path)
    if after is None:
        return []
    lines = server.lines(params.text_document.uri)
    return [types.TextEdit(types.Range(types.Position(0, 0), position(lines, len(lines) + 1, 1)), after)]


DOCUMENT_ANSWERS = (
    completion, hover, signature_help, definition, references, prepare_rename, rename, code_action, code_lens,
    inlay_hint, document_symbol, folding_range, formatting,
)  # fmt: skip
"""The answers about documents, by the names of their requests."""
ANSWERS: dict[str, Callable[[Server, Any], Any]] = {
    **{getattr(types, f"TEXT_DOCUMENT_{answer.__name__.upper()}"): answer for answer in DOCUMENT_ANSWERS},
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: semantic_tokens,
    types.WORKSPACE_SYMBOL: workspace_symbol,
}
OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=[".", " ", "[", "(", ":"]),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpOptions(trigger_characters=["(", ","]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
        [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]
    ),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: types.SemanticTokensLegend(list(TOKENS), []),
}


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
    if path is None or real(path) not in server.files.opened():
        return None
    line = words[1] + 1 if len(words) > 1 and isinstance(words[1], int) else None
    results = server.files.run(path, line)
    file = real(path)
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
