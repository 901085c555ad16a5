"""Sentences and questions: what they reveal, and to whom."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.diagnostics import Span
from houserule.language.checked import Apply, Ask, Expression, Parts, Select, Tell
from houserule.language.types import CHAINED, List, Tuple
from houserule.secrecy.acts import Walk
from houserule.secrecy.labels import (
    EVERYBODY,
    NOTHING,
    PUBLIC,
    SOMEONE,
    Label,
    Shown,
    Token,
    Value,
    forgotten,
    mentions,
)
from houserule.secrecy.reading import element, member, told_apart
from houserule.secrecy.sight import whole


class Asking:
    """Sentences and questions on the walk over a body."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk

    def spoken(self, parts: Parts) -> Label:
        """What the values in a sentence reveal: only those who see a piece read its name."""
        label: Label = PUBLIC
        for part in parts:
            if not isinstance(part, str):
                value = self.walk.reader.value(part)
                label |= told_apart(value) if self.walk.reader.is_pieces(part.type) else value.told
        return label

    def tell(self, node: Tell, condition: Label) -> None:
        """Walk over a sentence."""
        audience = EVERYBODY
        label = condition | self.spoken(node.parts)
        if node.to is not None:
            audience = self.player(node.to)
            label |= self.walk.reader.value(node.to).told
        whom = "not everybody may" if node.to is None else "the listener may not"
        self.walk.show(label, audience, Shown(node.span, "what this says", whom))

    def player(self, node: Expression) -> Token:
        """The audience of one player."""
        found = self.walk.reader.token(node)
        return SOMEONE if found is None else found

    def ask(self, node: Ask, condition: Label) -> None:
        """Walk over a question: that it appears, to whom, what it offers and how it is worded."""
        reader, site = self.walk.reader, node.site
        chooser = reader.value(node.chooser)
        who = self.player(node.chooser)
        self.walk.show(condition | chooser.told, EVERYBODY, Shown(node.span, "whether this is asked, and whom,"))
        answer = NOTHING
        if node.source is not None:
            source = reader.value(node.source)
            pieces = reader.is_pieces(node.source.type)
            offered = source.shape if pieces or isinstance(site.type, Tuple) else source.told
            self.walk.show(offered, who, Shown(place_of(node.source), "", "", "HR580"))
            self.walk.put_always(source.size | source.shape, site)
            if pieces:
                answer = Value(content=source.content, where=source.where, home=source.home)
        for when in node.whens:
            if when is not None:
                label = reader.value(when).told
                self.walk.show(label, who, Shown(when.span, "", "", "HR580"))
                self.walk.put_always(label, site)
        chooser_may_not = "the chooser may not"
        for bound in (node.low, node.high):
            if bound is not None:
                shown = Shown(bound.span, "how many may be chosen", chooser_may_not)
                self.walk.show(reader.value(bound).told, who, shown)
        self.walk.show(self.spoken(site.parts), who, Shown(site.span, "how this is asked", chooser_may_not))
        for (_, parts), span in zip(site.labels, site.label_spans, strict=False):
            self.walk.show(self.spoken(parts), who, Shown(span, "what this line says", chooser_may_not))
        reader.bind(node.result, answer.under(condition), site.type)
        if node.source is not None:
            reader.keep_apart(node.result, node.source)
        if isinstance(site.type, Tuple) and node.source is not None:
            for name, value in zip(part_names(node.result, site.type), self.parts(node.source), strict=False):
                reader.state.names[name] = value.under(condition)

    def parts(self, source: Expression) -> list[Value]:
        """What each part of a chosen tuple reveals: which pieces, if they were hidden."""
        reader = self.walk.reader
        before = reader.state
        reader.state = before.copy()
        found: list[Value] = []
        binders: list[Token] = []
        for level in levels(source):
            value = reader.value(level.source)
            pieces = reader.is_pieces(level.source.type)
            reader.bind(level.binder, member(value, pieces), element(level.source.type))
            reader.keep_apart(level.binder, level.source)
            found.append(Value(content=value.content, where=value.where, home=value.home) if pieces else NOTHING)
            binders.append(("local", level.binder))
        reader.state = before
        return [forgotten(value, lambda known: any(mentions(known, own) for own in binders)) for value in found]


def levels(source: Expression) -> Iterator[Select]:
    """The lists that the parts of tuples come from, each nested in the one before."""
    while isinstance(source, Apply) and source.operator is CHAINED:
        source = source.arguments[0]
        if isinstance(source, Select) and source.value is not None:
            yield source
            source = source.value
    if isinstance(source, Select):
        yield source


def part_names(whole: str, type: Tuple) -> list[str]:
    """What `part_name` calls the parts of a tuple."""
    below, found = 1, []
    for low, size in reversed(list(zip(type.lows, type.sizes, strict=True))):
        found.append(f"{whole} {below} {size} {low}")
        below *= size
    return found[::-1]


def place_of(source: Expression) -> Span:
    """The place in an offer that says what is left out, or how it is sorted."""
    inner = whole(source)
    if isinstance(inner, Select) and inner.value is not None and isinstance(inner.value.type, List | Tuple):
        tested = [at for level in levels(source) if isinstance(at := whole(level.source), Select)]
        inner = next((at for at in reversed(tested) if at.where is not None), tested[-1] if tested else inner)
    if isinstance(inner, Select):
        if inner.where is not None:
            return inner.where.span
        if inner.by:
            return inner.by[0].span
    return inner.span
