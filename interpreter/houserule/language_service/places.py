"""What the checker knows about places: the symbol of a name in a file, and what fits where an effect is unfinished."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import cast

from houserule.definition.check import CheckedGame
from houserule.diagnostics import Report, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.blocks import begin, statements_in
from houserule.language.calls import routine_context
from houserule.language.checked import Family, Kind, Parameter, Routine, Table
from houserule.language.lists import features, list_expr
from houserule.language.scan import CLOSERS, Scan
from houserule.language.scope import (
    AttributeOf,
    Budget,
    Context,
    Locals,
    Meanings,
    Name,
    One,
    OverBudget,
    Scope,
    Symbol,
    bind,
)
from houserule.language.symbols import Option, SymbolTable
from houserule.language.trees import walk
from houserule.language.typecheck import expr
from houserule.language.types import NUMBER, PLAYER, UNKNOWN, List, Member, Piece, Type
from houserule.language_service.names import is_at, parsed, word_of
from houserule.reading import real
from houserule.source import Fragment, Source

HOLE = "hole__"
"""The name that stands for what is still to be written."""
UNITS = 5_000
"""The budget of checking one text again."""


@frozen
class Hole:
    """A place where a name is missing: the local names there, the type that fits, what can follow the dot before it, and whether players have partners."""

    names: Mapping[str, Name]
    wanted: Type | None = None
    following: tuple[str, ...] | None = None
    has_teams: bool = False


class Places:
    """The places of a checked game, whose meanings were recorded, and of scenarios that play it."""

    def __init__(self, game: CheckedGame, more: list[Meanings]) -> None:
        self.game = game
        self.more = more
        assert game.analysis.meanings is not None
        self.meanings: Meanings = game.analysis.meanings

    @cached_property
    def _named(self) -> dict[tuple[Path, int], list[tuple[Span, Symbol, Type | None]]]:
        """The names in effects, by file and line."""
        files: dict[str, Path] = {}
        found: dict[tuple[Path, int], list[tuple[Span, Symbol, Type | None]]] = {}
        for meanings in (self.meanings, *self.more):
            words = ((word_of(node), one, meanings.types.get(node)) for node, one in meanings.symbols.items())
            used = [(word[1], one, type) for word, one, type in words if word is not None]
            for span, symbol, type in (*used, *((name.span, name, name.type) for name in meanings.names)):
                file = files.get(span.file) or files.setdefault(span.file, real(span.file))
                found.setdefault((file, span.line), []).append((span, symbol, type))
        return found

    def at(self, file: Path, line: int, column: int, word: str) -> tuple[Symbol, Type | None] | None:
        """The symbol of the word at a place of an effect, with the type of its value there."""
        for span, symbol, type in self._named.get((file, line), ()):
            if is_at(span, line, column) and (not isinstance(symbol, Name) or symbol.word == word):
                return symbol, type if type is not None or not isinstance(symbol, Name) else symbol.type
        return None

    def uses(self, local: Name) -> Iterator[Span]:
        """The declaration of a local name, and every place that means it; names with one declaration are one."""
        length = len(local.word)
        yield local.span.last(length) if local.set_by == "parameter" else local.span.first(length)
        for meanings in (self.meanings, *self.more):
            for node, symbol in meanings.symbols.items():
                word = word_of(node) if isinstance(symbol, Name) and symbol.span == local.span else None
                if word is not None and word[0] == local.word:
                    yield word[1]

    @cached_property
    def _starts(self) -> dict[tuple[bool, str], Context]:
        """The contexts of whole texts, by whether they are functions and the names of their rules."""
        starts = self.meanings.starts.values()
        return {(c.in_function, c.routine.name if c.routine is not None else c.step_path): c for c in starts}

    def hole(self, path: tuple[str, ...], starts: tuple[str, ...], before: str) -> Hole | None:
        """What is known where the beginning of a text ends; the text is at this path of keys. None if it cannot be parsed."""
        for text in completed(before):
            fragment = Fragment(text, Source("", text), "plain", 0, len(text))
            node = parsed(fragment, starts)
            if node is not None:
                return self._checked(node, self._context(path))
        return None

    def _context(self, path: tuple[str, ...]) -> Context:
        """The context of the text at a path, in an analysis of its own."""
        section, name = rule_at(path)
        known = self._starts.get((section == "functions", name)) or self._starts.get((True, name))
        analysis = replace(
            self.game.analysis,
            report=Report(),
            meanings=Meanings(),
            is_declared=False,  # bodies are not checked again
            budget=Budget(UNITS),
            sites=[],
            inherited_calls=[],
            rolled={},
            named_by_roll={},
        )
        if known is not None:
            own = Scope(known.scope.names, known.scope.narrowed)
            return replace(known, analysis=analysis, report=analysis.report, scope=own, locals=Locals({"me", "this"}))
        parameters = tuple(parameters_of(path[1] if len(path) > 1 else "", analysis.symbols))
        context = routine_context(analysis, Routine(name, parameters, self.game.definition.span))
        for one in parameters:
            bind(context, one.name or "", one.type, one.span, "parameter")
        return context

    def _checked(self, node: nodes.Node, context: Context) -> Hole | None:
        """What the checker finds at the hole in a text."""
        with suppress(OverBudget, RecursionError):
            match node:
                case nodes.Block():
                    begin(context, node)
                    statements_in(context, node)
                case nodes.Binding(source=source):
                    list_expr(context, source)
                case _:
                    expr(context, cast("nodes.Expression", node))
        found = context.analysis.meanings
        assert found is not None
        for one in walk(node):
            match one:
                case nodes.Name(id=word) if word == HOLE and one in found.unknown:
                    names, wanted = found.unknown[one]
                    return Hole(names, wanted, has_teams=context.symbols.teams is not None)
                case nodes.Attribute(name=word, of=of) if word == HOLE:
                    kind, type = found.symbols.get(of), found.types.get(of, UNKNOWN)
                    following = kind.ids if isinstance(kind, Kind) else features(context, type)
                    return Hole({}, None, tuple(following) if type is not UNKNOWN or kind is not None else None)
        return None


def completed(before: str) -> Iterator[str]:
    """The beginning of a text as whole texts: with a name where it ends, closed brackets, and a block if one must follow."""
    scan = Scan(before)
    closing = "".join(CLOSERS[word.text] for word in reversed(scan.unclosed(len(scan.lines) - 1))) if scan.lines else ""
    whole = f"{before}{HOLE}{closing}"
    row = before.rpartition("\n")[2]
    yield whole
    yield f"{whole}:\n{' ' * (len(row) - len(row.lstrip()) + 2)}nothing"


def rule_at(path: tuple[str, ...]) -> tuple[str, str]:
    """The section of the rule at a path of keys, and its name as the checker has it."""
    words = [word.partition("(")[0].strip() for word in (path[1:] if path[:1] in (("add",), ("change",)) else path)]
    match words:
        case ["triggers", name, *_]:
            return "triggers", f"trigger {name}"
        case ["flow", *steps]:
            names = [name for at, name in enumerate(steps) if at % 2 == 0 and all(w == "steps" for w in steps[1:at:2])]
            return "flow", ".".join(names)
        case ["enums" | "components" as section, kind, "functions", name, "bonuses"]:
            return section, f"{kind}.{name} of each"
        case ["enums" | "components" as section, kind, "functions", name, *_]:
            return section, f"{kind}.{name}"
        case ["enums" | "components" as section, kind, "members" | "pieces", member, "bonus", name]:
            return section, f"{kind}.{member}.bonus.{name}"
        case ["enums" | "components" as section, kind, "members" | "pieces", member, effect, *_]:
            return section, f"{kind}.{member}.{effect}"
        case [section, name, *_]:
            return section, name
    return "", ""


def parameters_of(key: str, symbols: SymbolTable) -> Iterator[Parameter]:
    """The parameters of a key that declares, of a rule that was never checked."""
    for word, name in re.findall(r"([A-Za-z_]\w*)\s+([A-Za-z_]\w*)\s*[,)]", key):
        kind = symbols.kinds.get(word)
        yield Parameter(kind.type if kind is not None else PLAYER if word == "player" else NUMBER, name)


def declared_at(symbol: Symbol) -> Span | None:
    """Where the game declares a symbol; None for local names."""
    match symbol:
        case One(kind=kind, number=number):
            return kind.spans[number - kind.base]
        case AttributeOf(kind=kind, name=name):
            return kind.attribute_spans.get(name)
        case Name():
            return None
        case Kind() | Family() | Table() | Option() | Routine():
            return symbol.span
        case _:
            return symbol.span


def kind_in(type: Type | None) -> str | None:
    """The enum or kind of piece of a value, or of the members of a list."""
    type = type.of if isinstance(type, List) else type
    return type.kind if isinstance(type, Member | Piece) else None
