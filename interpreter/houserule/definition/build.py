"""Makes a definition out of the merged YAML of a game: every key read once, every effect parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf
from typing import Any, Protocol, TypeVar

from houserule.definition.model import (
    Assumption,
    CallableDefinition,
    GameDefinition,
    KindDefinition,
    MemberDefinition,
    OptionDefinition,
    Prose,
    ScoreLineDefinition,
    StepDefinition,
    TableDefinition,
    TableValues,
    TriggerDefinition,
    VariableDefinition,
    WinnerDefinition,
    ZoneDefinition,
)
from houserule.diagnostics import Related, Report, Span
from houserule.language import nodes
from houserule.language.format import format
from houserule.language.parse import parse, parse_effect, parse_text
from houserule.source import Mapping, Scalar, Sequence, Yaml

MEMBER_KEYS = frozenset("title text count source assumed".split())


class Declared(Protocol):
    """What is declared somewhere."""

    @property
    def span(self) -> Span:
        """Where it is declared."""


T = TypeVar("T", bound=Declared)
K = TypeVar("K", bound=nodes.Node | None)

MEANT = re.compile(r"did you mean '(\w+)'")


class Builder:
    """Reads the keys of one game. Whatever is wrong goes into the report and is left out."""

    def __init__(self, report: Report, verbs: MappingOf[str, tuple[str, ...]]) -> None:
        self.report = report
        self.verbs = verbs
        self.assumptions: list[Assumption] = []
        self.languages: dict[str, None] = {}
        self.counting: list[nodes.Node] = []
        suggested = ((d.span, MEANT.match(d.help or "")) for d in report.found if d.code == "HR201")
        self.meant = {span: match[1] for span, match in suggested if match}  # misspelt keys, by place

    # --- small things -----------------------------------------------------------------------------------------------

    def parse(self, node: Yaml | None, start: str) -> Any:
        """The syntax tree of a scalar, of the class that this start of the grammar makes; None after a diagnostic."""
        if node is None:
            return None
        if not isinstance(node, Scalar) or (node.value is None and not node.text):
            return None  # the shape has been complained of
        return self.kept(node, parse(node.fragment, start, self.report, self.verbs))

    def kept(self, scalar: Scalar, node: K) -> K:
        """The tree of a text, kept also with those that speak of how many players there are."""
        if isinstance(node, nodes.Node) and "player_count" in scalar.text:
            self.counting.append(node)
        return node

    def expression(self, node: Yaml | None) -> nodes.Expression | None:
        """An expression; a YAML list stands for a list."""
        if isinstance(node, Sequence):
            items = tuple(one for item in node.items if (one := self.expression(item)) is not None)
            return nodes.ListOf(node.span, items)
        found: nodes.Expression | None = self.parse(node, "expression")
        return found

    def block(self, node: Yaml | None) -> nodes.Block | None:
        """An effect."""
        if not isinstance(node, Scalar) or (node.value is None and not node.text):
            return None  # the shape has been complained of
        return self.kept(node, parse_effect(node.fragment, self.report, self.verbs))

    def binding(self, node: Yaml | None) -> nodes.Binding | None:
        """`m in metal`, `players`."""
        found: nodes.Binding | None = self.parse(node, "binding")
        return found

    def signature(self, key: Scalar) -> nodes.Signature | None:
        """A key that declares."""
        found: nodes.Signature | None = self.parse(key, "signature")
        return found

    def word(self, node: Yaml | None) -> tuple[str | None, Span | None]:
        """A plain word and where it stands."""
        return (node.text.strip(), node.span) if isinstance(node, Scalar) else (None, None)

    def prose(self, node: Yaml | None) -> Prose | None:
        """A title or text in one language or several."""
        if isinstance(node, Scalar):
            text = self.kept(node, parse_text(node.fragment, self.report, self.verbs))
            return Prose(node.span, {"": text}) if text else None
        if isinstance(node, Mapping):
            texts = {}
            for language, entry in node.entries.items():
                self.languages.setdefault(language)
                if isinstance(entry.value, Scalar):
                    text = self.kept(entry.value, parse_text(entry.value.fragment, self.report, self.verbs))
                    if text:
                        texts[language] = text
            return Prose(node.span, texts) if texts else None
        return None

    def note(self, node: Mapping) -> None:
        """Keep what is assumed here."""
        entry = node.entries.get("assumed")
        if entry and isinstance(entry.value, Scalar):
            self.assumptions.append(Assumption(entry.key.span, entry.value.text.strip()))

    def get(self, node: Mapping, key: str) -> Yaml | None:
        """The value under a key, or under a slip of the pen that means it and has been complained of; or None."""
        entry = node.entries.get(key)
        if entry is None and self.meant:
            entry = next((e for e in node.entries.values() if self.meant.get(e.key.span) == key), None)
        return entry.value if entry else None

    def entries(self, node: Yaml | None) -> Iterator[tuple[Scalar, Yaml]]:
        """Keys and values of a map; nothing if it is none."""
        if isinstance(node, Mapping):
            for name, entry in node.entries.items():
                if name in ("source", "assumed"):
                    continue
                yield entry.key, entry.value
            self.note(node)

    # --- the whole --------------------------------------------------------------------------------------------------

    def game(self, node: Mapping, name: str) -> GameDefinition:
        """The definition of a game."""
        low, high = self.players(self.get(node, "players"))
        kinds: dict[str, KindDefinition] = {}
        variables: dict[str, VariableDefinition] = {}
        for key, is_piece in (("enums", False), ("components", True)):
            for kind_key, value in self.entries(self.get(node, key)):
                kind = self.kind(kind_key, value, is_piece, variables)
                self.declare(kinds, kind.name, kind, "kind")
        zones: dict[str, ZoneDefinition] = {}
        for key_, value in self.entries(self.get(node, "zones")):
            if zone := self.zone(key_, value):
                self.declare(zones, zone.name, zone, "zone")
        for key_, value in self.entries(self.get(node, "variables")):
            if variable := self.variable(key_, value):
                self.declare(variables, variable.name, variable, "variable")
        actions: dict[str, CallableDefinition] = {}
        functions: dict[str, CallableDefinition] = {}
        for section, target in (("functions", functions), ("actions", actions)):
            for key_, value in self.entries(self.get(node, section)):
                if made := self.callable(key_, value, section == "functions"):
                    self.declare(target, made.name, made, section[:-1])
        triggers = {}
        for key_, value in self.entries(self.get(node, "triggers")):
            if trigger := self.trigger(key_, value):
                triggers[trigger.name] = trigger
        return GameDefinition(
            name=name,
            span=node.span,
            title=self.prose(self.get(node, "title")),
            text=self.prose(self.get(node, "text")),
            players=(low, high),
            options={
                o.name: o for key_, value in self.entries(self.get(node, "options")) if (o := self.option(key_, value))
            },
            kinds=kinds,
            zones=zones,
            variables=variables,
            tables={
                key_.text: TableDefinition(key_.text, key_.span, values, places(value))
                for key_, value in self.entries(self.get(node, "tables"))
                if (values := self.table(value)) is not None
            },
            functions=functions,
            actions=actions,
            triggers=triggers,
            flow=self.steps(self.get(node, "flow"), ""),
            scoring=tuple(self.scoring(self.get(node, "scoring"))),
            winner=self.winner(self.get(node, "winner")),
            translations=self.translations(self.get(node, "translations")),
            assumptions=tuple(self.assumptions),
            languages=tuple(self.languages),
            counting=tuple(self.counting),
        )

    def declare(self, names: dict[str, T], name: str, thing: T, what: str) -> None:
        """Keep a declaration, unless the name is taken by another signature."""
        if name in names:
            other = names[name]
            self.report.error(
                "HR301",
                f"there are two {what}s of the name '{name}'",
                thing.span,
                related=[Related("the other is here", other.span)],
            )
            return
        names[name] = thing

    def players(self, node: Yaml | None) -> tuple[int, int]:
        """How many can play."""
        if isinstance(node, Scalar):
            advice = "players: 2..5"
            if meant := re.fullmatch(r"\s*(\d{1,2})\s*(?:-|–|—|to|\.|\.{3,}|…|,)\s*(\d{1,2})\s*", node.text):
                advice = f"players: {meant[1]}..{meant[2]}"
            match = re.fullmatch(r"\s*(\d{1,3})(?:\s*\.\.\s*(\d{1,3}))?\s*", node.text)
            if match:
                low = int(match[1])
                high = int(match[2] or low)
                if 1 <= low <= high <= 20:
                    return low, high
            self.report.error(
                "HR212",
                f"'players' wants a number or a range such as 2..5, got '{node.text}'",
                node.span,
                advice,
            )
        return 2, 2

    def option(self, key: Scalar, node: Yaml) -> OptionDefinition | None:
        """One entry of `options`."""
        if not isinstance(node, Mapping):
            return None
        self.note(node)
        type = self.parse(self.get(node, "type"), "type_name")
        default = self.expression(self.get(node, "default"))
        if not isinstance(type, nodes.TypeName) or default is None:
            return None
        return OptionDefinition(
            key.text, key.span, type, default, self.prose(self.get(node, "title")), self.prose(self.get(node, "text"))
        )

    # --- kinds ------------------------------------------------------------------------------------------------------

    def kind(self, key: Scalar, node: Yaml, is_piece: bool, variables: dict[str, VariableDefinition]) -> KindDefinition:
        """An enum or a kind of piece; its variables become families over it."""
        if isinstance(node, Sequence):
            members = tuple(
                MemberDefinition(item.text, item.span, None, None, None, {}, {}, {})
                for item in node.items
                if isinstance(item, Scalar)
            )
            return KindDefinition(key.text, key.span, is_piece, None, None, {}, (), (), None, members, (), None, None)
        if not isinstance(node, Mapping):
            return KindDefinition(key.text, key.span, is_piece, None, None, {}, (), (), None, (), (), None, None)
        self.note(node)
        attributes: dict[str, tuple[nodes.TypeName, Span]] = {}
        for name, value in self.entries(self.get(node, "attributes")):
            if (type := self.parse(value, "type_name")) is not None:
                attributes[name.text] = (type, name.span)
        effects: list[nodes.Signature] = []
        listed = self.get(node, "effects")
        for item in listed.items if isinstance(listed, Sequence) else ():
            if isinstance(item, Scalar) and (signature := self.signature(item)):
                self.check_named(signature)
                effects.append(signature)
        for name, value in self.entries(self.get(node, "variables")):
            parameter = nodes.Parameter(key.span, nodes.TypeName(key.span, key.text, None, None, False, False), None)
            if variable := self.variable(name, value, (parameter,), key.text):
                self.declare(variables, variable.name, variable, "variable")
        back = self.get(node, "back")
        effect_names = {e.name for e in effects}
        members = tuple(
            self.member(name, value, attributes, effect_names)
            for section in ("pieces", "members")
            for name, value in self.entries_or_list(self.get(node, section))
        )
        return KindDefinition(
            name=key.text,
            span=key.span,
            is_piece=is_piece,
            title=self.prose(self.get(node, "title")),
            text=self.prose(self.get(node, "text")),
            attributes=attributes,
            effects=tuple(effects),
            back=tuple((i.text, i.span) for i in back.items if isinstance(i, Scalar))
            if isinstance(back, Sequence)
            else (),
            starts_in=self.expression(self.get(node, "starts_in")),
            members=members,
            each=tuple(
                (name.text, source, name.span)
                for name, value in self.entries(self.get(node, "each"))
                if (source := self.expression(value)) is not None
            ),
            where=self.expression(self.get(node, "where")),
            count=self.expression(self.get(node, "count")),
            back_title=self.prose(self.get(node, "back_title")),
        )

    def entries_or_list(self, node: Yaml | None) -> Iterator[tuple[Scalar, Yaml | None]]:
        """Members as a map, or as a list of names."""
        if isinstance(node, Sequence):
            for item in node.items:
                if isinstance(item, Scalar):
                    yield item, None
        else:
            yield from self.entries(node)

    def member(
        self, key: Scalar, node: Yaml | None, attributes: Iterable[str], effects: Iterable[str]
    ) -> MemberDefinition:
        """One member or piece."""
        values: dict[str, tuple[nodes.Expression, ...] | nodes.Expression] = {}
        bodies: dict[str, nodes.Block] = {}
        spans: dict[str, Span] = {}
        title = text = None
        count = None
        if isinstance(node, Mapping):
            self.note(node)
            title, text = self.prose(self.get(node, "title")), self.prose(self.get(node, "text"))
            count = self.expression(self.get(node, "count"))
            for name, entry in node.entries.items():
                if name in MEMBER_KEYS:
                    continue
                spans[name] = entry.key.span
                if name in effects and name not in attributes:
                    body = self.block(entry.value)
                    if body is not None:
                        bodies[name] = body
                elif name in attributes and isinstance(entry.value, Sequence):
                    values[name] = tuple(v for item in entry.value.items if (v := self.expression(item)) is not None)
                elif name in attributes:
                    value = self.expression(entry.value)
                    if value is not None:
                        values[name] = value
        return MemberDefinition(key.text, key.span, title, text, count, values, bodies, spans)

    # --- zones, variables, tables ----------------------------------------------------------------------------------------

    def sight(self, node: Yaml | None, default: str) -> str | nodes.Expression:
        """`all`, `none`, `owner` or an expression."""
        if node is None:
            return default
        if isinstance(node, Scalar) and node.text.strip() in ("all", "none", "owner"):
            return node.text.strip()
        return self.expression(node) or default

    def zone(self, key: Scalar, node: Yaml) -> ZoneDefinition | None:
        """One entry of `zones`."""
        signature = self.signature(key)
        if signature is None or not isinstance(node, Mapping):
            return None
        self.note(node)
        holds, holds_span = self.word(self.get(node, "holds"))
        refill, refill_span = self.word(self.get(node, "refill"))
        return ZoneDefinition(
            name=signature.name,
            span=signature.name_span,
            parameters=signature.parameters,
            holds=holds or "piece",
            holds_span=holds_span or key.span,
            visible=self.sight(self.get(node, "visible"), "all"),
            amount=self.sight(self.get(node, "amount"), "all"),
            ordered=self.word(self.get(node, "order"))[0] != "none",
            capacity=self.expression(self.get(node, "capacity")),
            refill=refill,
            refill_span=refill_span,
            title=self.prose(self.get(node, "title")),
        )

    def variable(
        self, key: Scalar, node: Yaml, leading: tuple[nodes.Parameter, ...] = (), of_kind: str | None = None
    ) -> VariableDefinition | None:
        """One entry of `variables`, of the game or of a kind."""
        signature = self.signature(key)
        if signature is None:
            return None
        parameters = leading + signature.parameters
        if isinstance(node, Mapping):
            self.note(node)
            declaration = self.parse(self.get(node, "type"), "declaration")
            start = self.expression(self.get(node, "start"))
            reset, reset_span = self.word(self.get(node, "reset"))
            visible = self.sight(self.get(node, "visible"), "all")
            title = self.prose(self.get(node, "title"))
        else:
            declaration, start, reset, reset_span, visible, title = (
                self.parse(node, "declaration"),
                None,
                None,
                None,
                "all",
                None,
            )
        if not isinstance(declaration, nodes.Declaration):
            return None
        return VariableDefinition(
            signature.name,
            signature.name_span,
            parameters,
            declaration.type,
            start or declaration.start,
            reset,
            reset_span,
            visible,
            title,
            of_kind,
        )

    def table(self, node: Yaml) -> TableValues | None:
        """The entries of a table."""
        if isinstance(node, Sequence):
            return tuple(v for item in node.items if (v := self.table(item)) is not None)
        if isinstance(node, Mapping):
            if "values" in node.entries:
                self.note(node)
                return self.table(node.entries["values"].value)
            return {key.text: v for key, value in self.entries(node) if (v := self.table(value)) is not None}
        return self.expression(node)

    def check_rivals(self, node: Mapping) -> None:
        """Of keys that say the same thing a step has one."""
        for keys, what in (
            (("do", "steps", "use"), "what happens"),
            (("turns", "together"), "who acts"),
            (("repeat", "while"), "how often"),
            (("repeat", "until"), "how often"),
        ):
            given = [node.entries[key] for key in keys if key in node.entries]
            repeat = node.entries.get("repeat")
            is_endless = (
                repeat is not None and isinstance(repeat.value, Scalar) and repeat.value.text.strip() == "forever"
            )
            if len(given) > 1 and not (is_endless and what == "how often"):
                first, second = given[0].key, given[1].key
                self.report.error(
                    "HR563",
                    f"'{first.text}' and '{second.text}' both say {what}; a step has one of them",
                    second.span,
                    None,
                    [Related("the other is here", first.span)],
                )

    def callable(self, key: Scalar, node: Yaml, is_function: bool) -> CallableDefinition | None:
        """A function or an action. A function is an expression, or a block that finishes with one."""
        signature = self.signature(key)
        text = None
        if isinstance(node, Mapping):
            self.note(node)
            text = self.prose(self.get(node, "text"))
            node = self.get(node, "do") or node
        if signature is None or not isinstance(node, Scalar):
            return None
        written = node.text.strip()
        as_block = not is_function or re.search(r"\bfinish\b", written)
        body = self.block(node) if as_block else self.expression(node)
        self.check_named(signature)
        if body is None:
            return None
        return CallableDefinition(signature.name, signature.name_span, signature.parameters, body, text)

    def check_named(self, signature: nodes.Signature) -> None:
        """What is handed over needs a name of its own to be used by."""
        names = [parameter.name for parameter in signature.parameters]
        for position, parameter in enumerate(signature.parameters):
            if parameter.name is not None and parameter.name in names[:position]:
                self.report.error(
                    "HR301",
                    f"'{signature.name}' is given '{parameter.name}' twice",
                    parameter.span,
                    "take another name for one",
                )
            if parameter.name is None:
                self.report.error(
                    "HR402",
                    f"what '{signature.name}' is given here needs a name",
                    parameter.span,
                    f"{format(parameter.type)} x",
                )

    def trigger(self, key: Scalar, node: Yaml) -> TriggerDefinition | None:
        """One entry of `triggers`."""
        if not isinstance(node, Mapping):
            return None
        self.note(node)
        event = self.parse(self.get(node, "whenever"), "event")
        body = self.block(self.get(node, "do"))
        when = self.expression(self.get(node, "when"))
        if not isinstance(event, nodes.Event) or body is None:
            return None
        return TriggerDefinition(key.text, key.span, event, when, body)

    # --- flow and scoring ------------------------------------------------------------------------------------------------

    def steps(self, node: Yaml | None, path: str) -> tuple[StepDefinition, ...]:
        """The steps of a map, in order."""
        found = []
        for key, value in self.entries(node):
            if isinstance(value, Mapping):
                found.append(self.step(key, value, f"{path}.{key.text}" if path else key.text))
        return tuple(found)

    def step(self, key: Scalar, node: Mapping, path: str) -> StepDefinition:
        """One step."""
        self.note(node)
        self.check_rivals(node)
        repeat_node = self.get(node, "repeat")
        repeat: str | nodes.Expression | None = None
        if isinstance(repeat_node, Scalar) and repeat_node.text.strip() == "forever":
            repeat = "forever"
        elif repeat_node is not None:
            repeat = self.expression(repeat_node)
        use, use_span = self.word(self.get(node, "use"))
        return StepDefinition(
            name=key.text,
            path=path,
            span=key.span,
            title=self.prose(self.get(node, "title")),
            text=self.prose(self.get(node, "text")),
            when=self.expression(self.get(node, "when")),
            while_=self.expression(self.get(node, "while")),
            until=self.expression(self.get(node, "until")),
            repeat=repeat,
            for_=self.binding(self.get(node, "for")),
            turns=self.binding(self.get(node, "turns")),
            together=self.binding(self.get(node, "together")),
            do=self.block(self.get(node, "do")),
            steps=self.steps(self.get(node, "steps"), path),
            use=use,
            use_span=use_span,
        )

    def scoring(self, node: Yaml | None) -> Iterator[ScoreLineDefinition]:
        """The lines of the score sheet."""
        for key, value in self.entries(node):
            if isinstance(value, Mapping):
                self.note(value)
                points = self.expression(self.get(value, "points"))
                if points is not None:
                    yield ScoreLineDefinition(
                        key.text,
                        key.span,
                        self.prose(self.get(value, "title")),
                        self.binding(self.get(value, "for")),
                        self.expression(self.get(value, "when")),
                        points,
                    )
            elif (points := self.expression(value)) is not None:
                yield ScoreLineDefinition(key.text, key.span, None, None, None, points)

    def winner(self, node: Yaml | None) -> WinnerDefinition | None:
        """Who wins."""
        if not isinstance(node, Mapping):
            return None
        self.note(node)
        rules = [rule for rule in ("most", "least", "when") if rule in node.entries]
        if not rules:
            return None
        if len(rules) > 1:
            first, second = (node.entries[rule].key for rule in rules[:2])
            self.report.error(
                "HR213",
                f"'winner' has '{first.text}' and '{second.text}'; one of them says who wins",
                second.span,
                "`then:` lists what breaks a tie",
                [Related("the other is here", first.span)],
            )
        value = self.expression(self.get(node, rules[0]))
        then = self.get(node, "then")
        if value is None:
            return None
        listed = then.items if isinstance(then, Sequence) else [then] if then is not None else []
        ties = tuple(found for item in listed if (found := self.expression(item)) is not None)
        return WinnerDefinition(node.span, rules[0], value, ties)

    def translations(self, node: Yaml | None) -> dict[str, dict[str, nodes.Text]]:
        """Sentences inside effects, by language."""
        found: dict[str, dict[str, nodes.Text]] = {}
        for language, sentences in self.entries(node):
            self.languages.setdefault(language.text)
            for sentence, value in self.entries(sentences):
                if isinstance(value, Scalar) and (text := parse_text(value.fragment, self.report, self.verbs)):
                    found.setdefault(language.text, {})[sentence.text] = text
        return found


def places(table: Yaml) -> dict[str, Span]:
    """Where the entries of a table stand, by the member they are for."""
    if isinstance(table, Mapping) and "values" in table.entries:
        table = table.entries["values"].value
    return {name: entry.key.span for name, entry in table.entries.items()} if isinstance(table, Mapping) else {}
