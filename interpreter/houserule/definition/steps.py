"""The flow, the score sheet and who wins, as written: definitions built from the tree of a game."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.definition.model import ScoreLineDefinition, StepDefinition, WinnerDefinition
from houserule.definition.reader import Keys, Reader
from houserule.diagnostics import Related, Report
from houserule.language import nodes
from houserule.source import Mapping, Scalar, Sequence, Yaml

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
    """Whether a step is repeated until something ends it."""
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
