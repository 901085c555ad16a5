"""Builds the definition of a game from its merged tree: every key is read once, every text parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Protocol, TypeVar

from houserule.definition.constants import players_of
from houserule.definition.layout_reading import layout_of
from houserule.definition.model import (
    BoxDefinition,
    CallableDefinition,
    GameDefinition,
    KindDefinition,
    MemberDefinition,
    OptionDefinition,
    ScoreLineDefinition,
    StepDefinition,
    TableDefinition,
    TableValues,
    TriggerDefinition,
    VariableDefinition,
    WinnerDefinition,
    ZoneDefinition,
)
from houserule.definition.reader import Keys, Reader
from houserule.definition.revealed import revelations_in
from houserule.diagnostics import Related, Report, Span
from houserule.language import nodes
from houserule.language.format import format
from houserule.printable import whole_number
from houserule.source import Mapping, Scalar, Sequence, Yaml


def zone(reader: Reader, key: Scalar, node: Yaml) -> ZoneDefinition | None:
    """One entry of `zones`."""
    signature = reader.signature(key)
    if signature is None or not isinstance(node, Mapping):
        return None
    keys = Keys(reader, node)
    holds, holds_span = keys.word("holds")
    refill, refill_span = keys.word("refill")
    return ZoneDefinition(
        name=signature.name,
        span=signature.name_span,
        parameters=signature.parameters,
        holds=holds or "piece",
        holds_span=holds_span or key.span,
        visible=visibility(keys, "visible"),
        amount=visibility(keys, "amount"),
        ordered=keys.word("order")[0] != "none",
        capacity=keys.expression("capacity"),
        refill=refill,
        refill_span=refill_span,
        title=keys.prose("title"),
    )


def visibility(keys: Keys, key: str) -> str | nodes.Expression:
    """Who sees something: `all`, which is the default, `none`, `owner` or an expression."""
    word, _ = keys.word(key)
    return word if word in ("all", "none", "owner") else keys.expression(key) or "all"


def variable(
    reader: Reader, key: Scalar, node: Yaml, leading: tuple[nodes.Parameter, ...] = (), of_kind: str | None = None
) -> VariableDefinition | None:
    """One entry of `variables`, of the game or of a kind."""
    signature = reader.signature(key)
    if signature is None:
        return None
    # A bare declaration is short for a map with only a type.
    keys = Keys(reader, node if isinstance(node, Mapping) else Mapping({}, node.span))
    declaration = reader.parsed(keys.get("type") if isinstance(node, Mapping) else node, "declaration")
    start = keys.expression("start")
    reset, reset_span = keys.word("reset")
    visible = visibility(keys, "visible")
    for_people, _ = keys.word("for_people")
    title = keys.prose("title")
    per_position = tuple((item.text, item.span) for item in keys.scalars("per_position"))
    if not isinstance(declaration, nodes.Declaration):
        return None
    return VariableDefinition(
        name=signature.name,
        span=signature.name_span,
        parameters=leading + signature.parameters,
        type=declaration.type,
        start=start or declaration.start,
        reset=reset,
        reset_span=reset_span,
        visible=visible,
        title=title,
        of_kind=of_kind,
        per_position=per_position,
        for_people=for_people == "true",
    )


STATEMENTS = re.compile(r"\bfinish\b|^\w+ *[-+*/%]*= .*\n", re.MULTILINE)
"""What distinguishes a block from an expression: its end, or a first line that sets a name."""


def callable_of(reader: Reader, key: Scalar, node: Yaml, is_function: bool) -> CallableDefinition | None:
    """A function or an action. A function is an expression, or a block that ends with one."""
    signature = reader.signature(key)
    text = None
    if isinstance(node, Mapping):
        keys = Keys(reader, node)
        text = keys.prose("text")
        node = keys.get("do") or node
    if signature is None or not isinstance(node, Scalar):
        return None
    is_block = not is_function or STATEMENTS.search(node.text)
    body = reader.block(node) if is_block else reader.expression(node)
    check_parameters(signature, reader.report)
    if body is None:
        return None
    return CallableDefinition(signature.name, signature.name_span, signature.parameters, body, text)


def check_parameters(signature: nodes.Signature, report: Report) -> None:
    """Check that parameters have different names."""
    names: set[str] = set()
    for parameter in signature.parameters:
        if parameter.name is None:
            message = f"this parameter of '{signature.name}' needs a name"
            report.error("HR402", message, parameter.span, f"{format(parameter.type)} x")
        elif parameter.name in names:
            message = f"'{signature.name}' has the parameter '{parameter.name}' twice"
            report.error("HR301", message, parameter.span, "use another name for one")
        else:
            names.add(parameter.name)


def trigger(reader: Reader, key: Scalar, node: Yaml) -> TriggerDefinition | None:
    """One entry of `triggers`."""
    if not isinstance(node, Mapping):
        return None
    keys = Keys(reader, node)
    event = reader.parsed(keys.get("whenever"), "event")
    body, when = keys.block("do"), keys.condition("when")
    if not isinstance(event, nodes.Event) or body is None:
        return None
    return TriggerDefinition(key.text, key.span, event, when, body)


MEMBER_KEYS = frozenset("title text count source assumed reveals".split())


def kind_definition(
    reader: Reader, key: Scalar, node: Yaml, is_piece: bool, declare: Callable[[VariableDefinition], None]
) -> KindDefinition:
    """An enum or a kind of piece; its variables are declared as families over it."""
    if isinstance(node, Mapping):
        return described_kind(Keys(reader, node), key, is_piece, declare)
    names = node.items if isinstance(node, Sequence) else ()
    members = tuple(member(reader, name, None, (), ()) for name in names if isinstance(name, Scalar))
    return KindDefinition(key.text, key.span, is_piece, None, None, {}, (), (), None, members, (), None, None)


def described_kind(
    keys: Keys, key: Scalar, is_piece: bool, declare: Callable[[VariableDefinition], None]
) -> KindDefinition:
    """An enum or a kind of piece with more than the names of its members."""
    reader = keys.reader
    attributes: dict[str, tuple[nodes.TypeName, Span]] = {}
    defaults: dict[str, nodes.Expression] = {}
    for name, value in keys.entries("attributes"):
        form = Keys(reader, value) if isinstance(value, Mapping) else None
        if form is not None:
            form.prose("title")
        if (declared := reader.parsed(form.get("type") if form is not None else value, "declaration")) is not None:
            attributes[name.text] = (declared.type, name.span)
            if declared.start is not None:
                defaults[name.text] = declared.start
    effects = tuple(found for item in keys.scalars("effects") if (found := reader.signature(item)))
    for effect in effects:
        check_parameters(effect, reader.report)
    for name, value in keys.entries("variables"):
        parameter = nodes.Parameter(key.span, nodes.TypeName(key.span, key.text, None, None, False, False), None)
        if (made := variable(reader, name, value, (parameter,), key.text)) is not None:
            declare(made)
    effect_names = {effect.name for effect in effects}
    members = tuple(
        member(reader, name, value, attributes, effect_names)
        for section in ("pieces", "members")
        for name, value in members_in(keys, section)
    )
    return KindDefinition(
        name=key.text,
        span=key.span,
        is_piece=is_piece,
        title=keys.prose("title"),
        text=keys.prose("text"),
        attributes=attributes,
        effects=effects,
        back=tuple((item.text, item.span) for item in keys.scalars("back")),
        starts_in=keys.expression("starts_in"),
        members=members,
        each=tuple(
            (name.text, source, name.span)
            for name, value in keys.entries("each")
            if (source := reader.expression(value)) is not None
        ),
        where=keys.condition("where"),
        count=keys.expression("count"),
        back_title=keys.prose("back_title"),
        defaults=defaults,
    )


def members_in(keys: Keys, section: str) -> Iterator[tuple[Scalar, Yaml | None]]:
    """Members as a map, or as a list of names."""
    yield from ((name, None) for name in keys.scalars(section))
    yield from keys.entries(section)


def member(
    reader: Reader, key: Scalar, node: Yaml | None, attributes: Collection[str], effects: Collection[str]
) -> MemberDefinition:
    """One member or piece."""
    if not isinstance(node, Mapping):
        return MemberDefinition(key.text, key.span, None, None, None, {}, {}, {})
    keys = Keys(reader, node)
    title, text, count = keys.prose("title"), keys.prose("text"), keys.expression("count")
    values: dict[str, tuple[nodes.Expression, ...] | nodes.Expression] = {}
    bodies: dict[str, nodes.Block] = {}
    written = {name: entry for name, entry in node.entries.items() if name not in MEMBER_KEYS}
    for name, entry in written.items():
        if name in attributes and isinstance(entry.value, Sequence):
            values[name] = reader.expressions(entry.value.items)
        elif name in attributes:
            if (value := reader.expression(entry.value)) is not None:
                values[name] = value
        elif name in effects and (body := reader.block(entry.value)) is not None:
            bodies[name] = body
    spans = {name: entry.key.span for name, entry in written.items()}
    return MemberDefinition(key.text, key.span, title, text, count, values, bodies, spans)


RIVALS = (
    (("do", "steps", "use"), "what happens"),
    (("turns", "together"), "who acts"),
    (("repeat", "while"), "how often"),
    (("repeat", "until"), "how often"),
)
"""Keys of which a step has only one, and what they say."""


def steps_of(reader: Reader, node: Yaml | None, path: str = "") -> tuple[StepDefinition, ...]:
    """The steps of a map, in order."""
    return tuple(
        step(Keys(reader, value), key, f"{path}.{key.text}" if path else key.text)
        for key, value in reader.entries(node)
        if isinstance(value, Mapping)
    )


def step(keys: Keys, key: Scalar, path: str) -> StepDefinition:
    """One step."""
    check_rivals(keys.node, keys.reader.report)
    use, use_span = keys.word("use")
    return StepDefinition(
        name=key.text,
        path=path,
        span=key.span,
        title=keys.prose("title"),
        text=keys.prose("text"),
        when=keys.expression("when"),
        while_=keys.expression("while"),
        until=keys.expression("until"),
        repeat="forever" if is_forever(keys.get("repeat")) else keys.expression("repeat"),
        for_=keys.binding("for"),
        turns=keys.binding("turns"),
        together=keys.binding("together"),
        do=keys.block("do"),
        steps=steps_of(keys.reader, keys.get("steps"), path),
        use=use,
        use_span=use_span,
    )


def is_forever(repeat: Yaml | None) -> bool:
    return isinstance(repeat, Scalar) and repeat.text.strip() == "forever"


def check_rivals(node: Mapping, report: Report) -> None:
    """Check that a step has only one of the keys that exclude each other; `repeat: forever` has no number."""
    repeat = node.entries.get("repeat")
    is_endless = repeat is not None and is_forever(repeat.value)
    for keys, what in RIVALS:
        given = [node.entries[key].key for key in keys if key in node.entries]
        if len(given) > 1 and not (is_endless and what == "how often"):
            first, second = given[:2]
            message = f"'{first.text}' and '{second.text}' both say {what}; a step has one of them"
            report.error("HR563", message, second.span, related=[Related("the other is here", first.span)])


def score_lines(reader: Reader, node: Yaml | None) -> Iterator[ScoreLineDefinition]:
    """The lines of the score sheet."""
    for key, value in reader.entries(node):
        keys = Keys(reader, value) if isinstance(value, Mapping) else None
        points = reader.expression(value) if keys is None else keys.expression("points")
        if points is None:
            continue
        if keys is None:
            yield ScoreLineDefinition(key.text, key.span, None, None, None, points)
        else:
            title, over, when = keys.prose("title"), keys.binding("for"), keys.condition("when")
            yield ScoreLineDefinition(key.text, key.span, title, over, when, points)


def winner_of(reader: Reader, node: Yaml | None) -> WinnerDefinition | None:
    """Who wins."""
    if not isinstance(node, Mapping):
        return None
    keys = Keys(reader, node)
    rules = [rule for rule in ("most", "least", "when", "all") if rule in node.entries]
    if len(rules) > 1:
        first, second = (node.entries[rule].key for rule in rules[:2])
        message = f"'winner' has '{first.text}' and '{second.text}'; one of them says who wins"
        related = [Related("the other is here", first.span)]
        reader.report.error("HR213", message, second.span, "`then:` lists what breaks a tie", related)
    value = keys.expression(rules[0]) if rules else None
    if value is None:
        return None
    then = keys.get("then")
    listed = then.items if isinstance(then, Sequence) else (then,) if then is not None else ()
    tie, nobody = keys.get("tie"), keys.get("nobody")
    return WinnerDefinition(
        node.span,
        rules[0],
        value,
        reader.expressions(listed),
        tie.text if isinstance(tie, Scalar) else "shared",
        nobody.text if isinstance(nobody, Scalar) else "",
    )


def translations_of(reader: Reader, node: Yaml | None) -> dict[str, dict[str, nodes.Text]]:
    """Sentences inside effects, by language."""
    found: dict[str, dict[str, nodes.Text]] = {}
    for language, sentences in reader.entries(node):
        reader.languages.setdefault(language.text)
        for sentence, value in reader.entries(sentences):
            if isinstance(value, Scalar) and (text := reader.text(value)):
                found.setdefault(language.text, {})[sentence.text] = text
    return found


TABLE_KEYS = ("values", "title", "text", "source", "assumed")
"""The keys of a table whose entries are under `values`."""


class Declared(Protocol):
    """A declaration, under a name."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def span(self) -> Span:
        """Where it is declared."""


T = TypeVar("T", bound=Declared)


def game_of(reader: Reader, node: Mapping, name: str) -> GameDefinition:
    """The definition of a game."""
    keys = Keys(reader, node)
    report = reader.report
    players = players_of(keys.get("players"), report)
    kinds: dict[str, KindDefinition] = {}
    variables: dict[str, VariableDefinition] = {}
    for section, is_piece in (("enums", False), ("components", True)):
        for key, value in keys.entries(section):
            kind = kind_definition(
                reader, key, value, is_piece, lambda made: declare(variables, made, "variable", report)
            )
            declare(kinds, kind, "kind", report)
    zones = declared(keys, "zones", zone)
    declared(keys, "variables", variable, variables)
    functions = declared(keys, "functions", lambda reader, key, value: callable_of(reader, key, value, True))
    actions = declared(keys, "actions", lambda reader, key, value: callable_of(reader, key, value, False))
    triggers = declared(keys, "triggers", trigger)
    title, text = keys.prose("title"), keys.prose("text")
    box = declared(keys, "box", in_box)
    options = declared(keys, "options", option)
    tables = declared(keys, "tables", table)
    return GameDefinition(
        name=name,
        span=node.span,
        title=title,
        text=text,
        players=players,
        box=box,
        options=options,
        kinds=kinds,
        zones=zones,
        variables=variables,
        tables=tables,
        functions=functions,
        actions=actions,
        triggers=triggers,
        flow=steps_of(reader, keys.get("flow")),
        scoring=tuple(score_lines(reader, keys.get("scoring"))),
        winner=winner_of(reader, keys.get("winner")),
        eliminated=keys.expression("eliminated"),
        translations=translations_of(reader, keys.get("translations")),
        layout=layout_of(reader, keys.get("layout")),
        assumptions=tuple(reader.assumptions),
        revelations=tuple(revelations_in(node)),
        languages=tuple(reader.languages),
        counting=tuple(reader.counting),
        proses=tuple(reader.proses),
        sentences=reader.sentences,
    )


def declared(
    keys: Keys, section: str, read: Callable[[Reader, Scalar, Yaml], T | None], names: dict[str, T] | None = None
) -> dict[str, T]:
    """Every readable entry of a section, by name, in addition to the names that exist already."""
    names = {} if names is None else names
    for key, value in keys.entries(section):
        made = read(keys.reader, key, value)
        if made is not None:
            declare(names, made, section.removesuffix("s"), keys.reader.report)
    return names


def declare(names: dict[str, T], made: T, what: str, report: Report) -> None:
    """Keep a declaration, unless its name is taken."""
    other = names.setdefault(made.name, made)
    if other is not made:
        message = f"there are two {what}s named '{made.name}'"
        report.error("HR301", message, made.span, related=[Related("the other is here", other.span)])


def in_box(reader: Reader, key: Scalar, node: Yaml) -> BoxDefinition | None:
    """One entry of `box`."""
    keys = Keys(reader, node) if isinstance(node, Mapping) else Keys(reader, Mapping({}, node.span))
    count = keys.get("count")
    number = whole_number(count.text) if isinstance(count, Scalar) else 1
    return BoxDefinition(key.text, key.span, number or 1, keys.prose("title"))


def option(reader: Reader, key: Scalar, node: Yaml) -> OptionDefinition | None:
    """One entry of `options`."""
    if not isinstance(node, Mapping):
        return None
    keys = Keys(reader, node)
    type = reader.parsed(keys.get("type"), "type_name")
    default = keys.expression("default")
    if not isinstance(type, nodes.TypeName) or default is None:
        return None
    return OptionDefinition(key.text, key.span, type, default, keys.prose("title"), keys.prose("text"))


def table(reader: Reader, key: Scalar, node: Yaml) -> TableDefinition | None:
    """One entry of `tables`."""
    if isinstance(node, Mapping) and "values" in node.entries:
        reader.note(node)
        for name, entry in node.entries.items():
            if name not in TABLE_KEYS:
                message, listed = f"'{key.text}' has no key '{name}'", f"keys here: {', '.join(TABLE_KEYS)}"
                reader.report.misnamed("HR201", message, entry.key.span, name, TABLE_KEYS, listed)
        node = node.entries["values"].value
    values = table_values(reader, node)
    if values is None:
        return None
    places = {name: entry.key.span for name, entry in node.entries.items()} if isinstance(node, Mapping) else {}
    return TableDefinition(key.text, key.span, values, places)


def table_values(reader: Reader, node: Yaml) -> TableValues | None:
    """The entries of a table or of one of its rows."""
    if isinstance(node, Sequence):
        return tuple(found for item in node.items if (found := table_values(reader, item)) is not None)
    if isinstance(node, Mapping):
        entries = reader.entries(node)
        return {key.text: found for key, value in entries if (found := table_values(reader, value)) is not None}
    return reader.expression(node)
