"""The kinds of pieces and enums in the rulebook: what is printed on each, and what it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import prod
from operator import or_

from houserule.definition.model import KindDefinition, MemberDefinition
from houserule.definition.reader import Prose
from houserule.language import nodes
from houserule.language.checked import Kind, Routine
from houserule.language.trees import walk
from houserule.language.types import Bool, Int, List, Maybe, Member, Player, Type, none_of, plain
from houserule.rulebook.book import Drawing, Section
from houserule.rulebook.clauses import condition, pieces_in, value
from houserule.rulebook.page import Writer
from houserule.rulebook.phrasebook import Part, Words
from houserule.rulebook.shapes import decided, mentions
from houserule.rulebook.terms import OF_GRIDS, Line, Terms, holding, of_type, path_of_kind, path_of_member
from houserule.rulebook.wording import block
from houserule.telling.labels import plain_words

APART = " / "
"""What stands between the numbers of pieces for different numbers of players."""

MOST_TOLD = 4
"""The most sentences about numbers of players."""


def kinds(writer: Writer, pieces: bool) -> Iterator[Section]:
    """Enums whose members do something, or the kinds of pieces with each piece."""
    for definition in writer.definition.kinds.values():
        if definition.is_piece is pieces and not definition.quiet and not is_setting(writer, definition.name):
            yield from kind_sections(writer, definition, writer.symbols.kinds[definition.name])


def is_setting(writer: Writer, name: str) -> bool:
    """Whether only options have values of an enum: their descriptions list them."""
    settings = [plain(option.type) for option in writer.symbols.options.values()]
    families = (*writer.symbols.zones.values(), *writer.symbols.variables.values())
    types = [parameter.type for family in families for parameter in family.parameters]
    types += [variable.type for variable in writer.symbols.variables.values()]
    types += [type for kind in writer.symbols.kinds.values() for type in kind.attribute_types.values()]
    return is_kind(settings, name) and not is_kind(types, name)


def is_kind(types: Iterable[Type], name: str) -> bool:
    return any(getattr(plain(one), "kind", None) == name for one in types)


def kind_sections(writer: Writer, definition: KindDefinition, kind: Kind) -> Iterator[Section]:
    """A kind, its pieces or members with their attributes in a table, and the effects of each."""
    path = path_of_kind(definition)
    rows, beside = table_of(writer, definition, kind)
    told = kind_text(writer, definition, kind, bool(rows))
    title = writer.kind_title(definition)
    if definition.title is not None and not definition.title.shows_values:
        title = writer.book.capital(writer.prose(definition.title)[0])
    across = len(set(kind.attributes[definition.each[-1][0]])) if definition.each and not kind.reach else 0
    drawing = writer.pictures.all_of(kind, title, across) if across and not rows else None
    head = ("", "", *(heading(writer, name) for name in kind.attribute_types))  # none for the numbers and titles
    inner = [part for member in definition.members for part in member_section(writer, definition, kind, member)]
    if not any(head):
        head = ()
        if len(inner) == len(definition.members):
            rows, beside = (), ()  # each has a section of its own, which says everything
    told += tuple(computed(writer, definition, kind))
    if any(APART in cell for row in rows for cell in (row[0], *row[2:])):
        told += (writer.words("several_counts", counts=writer.book.listed(list(map(str, writer.game.players)))),)
    if not (told or rows or drawing or inner or writer.mark(path)):
        writer.note(path, title)
        return
    writer.entered(title, ".".join(path))
    yield writer.section(path, title, paragraphs=told, head=head, rows=rows, beside=beside, drawing=drawing)
    yield from inner


def computed(writer: Writer, definition: KindDefinition, kind: Kind) -> Iterator[str]:
    """How the functions of a kind are worked out: the text of each, or its expression in words."""
    one = writer.book.determined("definite", writer.terms.noun_of_kind(definition.name))
    terms = writer.terms.inner("this", definition.name, one)
    for name, effect in kind.effects.items():
        if effect.otherwise is not None and effect.result is not None:
            shown = writer.terms.labels.value(effect.result, effect.otherwise.value)
            yield writer.words("effect_otherwise", name=plain_words(name), value=shown)
    for name, function in definition.functions.items():
        if function.text is not None:
            yield from writer.prose(function.text)
        elif isinstance(function.body, nodes.Truth) and any(name in member.functions for member in definition.members):
            title = terms.attribute(name).form("bare")
            yield writer.words("effect_otherwise", name=title, value=value(terms, function.body))
        elif not isinstance(function.body, nodes.Block):
            yield worked_out(terms, name, function.body, kind.functions[name])
        if function.bonuses is not None:
            yield writer.words("bonuses", name=terms.attribute(name), source=pieces_in(terms, function.bonuses))


def worked_out(terms: Terms, name: str, body: nodes.Expression, function: Routine) -> str:
    """A sentence that says how the function of a piece is worked out."""
    (said, is_condition), this = in_words(terms, body, function), terms.locals["this"]
    if not is_condition:
        return terms.book.sentence("book", "computed", name=terms.attribute(name), of=this, value=said)
    holds = decided(terms, body)
    clause = holding(terms, terms.printed_flag(name), this, negated=holds is False)
    return terms.book.sentence("book", "holds_for", clause=clause, value=said if holds is None else None)


def in_words(terms: Terms, body: nodes.Expression, function: Routine) -> tuple[Words, bool]:
    """The expression of a function, and whether it is a condition."""
    is_condition = function.result is not None and of_type(function.result) == "condition"
    return condition(terms, body) if is_condition else value(terms, body), is_condition


def member_lines(writer: Writer, definition: KindDefinition, kind: Kind, member: MemberDefinition) -> tuple[Line, ...]:
    """What a piece does, in words: its effects, what it has for the functions of its kind, and what it adds to those of others."""
    number = kind.first(member.name)
    assert number is not None
    lines: list[Line] = []
    is_one, terms = kind.ids.count(member.name) == 1, writer.terms
    one = terms.one(kind, number) if is_one else writer.book.determined("definite", terms.member(kind, number))
    this = terms.inner("this", definition.name, one)
    for name, effect in member.effects.items():
        terms = this
        for parameter in next(one for one in definition.effects if one.name == name).parameters:
            terms = terms.given(parameter)
        done = block(terms, effect)
        lines += (
            [Line(writer.words("effect", name=plain_words(name)), tuple(done))] if len(definition.effects) > 1 else done
        )
    for name, body in member.functions.items():
        if isinstance(body, nodes.Block):
            lines += block(this, body)
        else:
            lines.append(Line(worked_out(this, name, body, kind.functions[name])))
    for name, added in member.bonus.items():
        so_far = writer.book.phrase("values", "so_far")
        other = this.inner(None, definition.name).inner("so_far", "number", so_far)
        of = other.locals["it"]
        lines.append(Line(writer.words("bonus", name=this.attribute(name), of=of, value=value(other, added))))
    return tuple(lines)


def kind_text(writer: Writer, definition: KindDefinition, kind: Kind, has_table: bool) -> tuple[str, ...]:
    """The description of a kind as a whole: its text, or their number and what distinguishes them, or its members."""
    is_of_each = definition.each and kind.lies and tells_of_each(definition.text)
    told = writer.prose(definition.text) if not is_of_each else ()
    book = writer.book
    if not definition.each:
        names = [str(writer.terms.member(kind, number)) for number in kind.numbers]
        if any(name[:1].isupper() for name in names):  # beside a proper name, a small letter looks like a mistake
            names = [writer.terms.labels.member(kind, number) for number in kind.numbers]
        return told if has_table else (*told, writer.sentence([book.listed(names)]))
    if told:
        return told
    if kind.reach:
        return (writer.words(f"grows_{kind.grid}"),)
    return tuple(how_many_in_all(writer, definition, kind))


def by_players(writer: Writer, definition: KindDefinition, kind: Kind) -> Mapping[int, Kind]:
    """The kind for each number of players, if its pieces differ otherwise than that there are some for each player."""
    found = {players: kinds[kind.name] for players, kinds in writer.kinds_by_players.items()}
    if any(isinstance(plain(kind.attribute_types[name]), Player) for name, _, _ in definition.each):
        shares = {(len(one.ids) / players, *sorted(set(Counter(one.ids).values()))) for players, one in found.items()}
        return found if len(shares) > 1 else {}
    return found if any(one.ids != kind.ids for one in found.values()) else {}


def how_many_in_all(writer: Writer, definition: KindDefinition, kind: Kind) -> Iterator[str]:
    """How many pieces of a product there are: for each number of players if that makes a difference; if there are many such
    numbers, for the most players, and for the others the bare numbers."""
    by_count = by_players(writer, definition, kind) or {0: kind}
    told: dict[str, list[int]] = {}
    for players, one in by_count.items():
        told.setdefault(how_many(writer, definition, one, players or writer.symbols.players), []).append(players)
    if "" in told:
        return
    if len(told) == 1:
        yield from told
        return
    listed, is_long = writer.book.listed, len(told) > MOST_TOLD
    for sentence, numbers in list(told.items())[-1 if is_long else 0 :]:
        name = "with_players" if numbers != [1] else "with_players_one"
        small = sentence[:1].lower() + sentence[1:] if writer.book.tables.get("lower") else sentence
        yield writer.words(name, count=listed([str(one) for one in numbers], "or"), told=small)
    if is_long:
        others = {str(players): str(len(one.ids)) for players, one in list(by_count.items())[:-1]}
        noun = writer.terms.noun_of_kind(definition.name)
        yield writer.words("fewer_players", players=listed([*others]), counts=listed([*others.values()]), noun=noun)


def most_at_once(writer: Writer, kind: Kind) -> int:
    """How many pieces of a kind suffice for every number of players."""
    by_count = (Counter(kinds[kind.name].ids) for kinds in writer.kinds_by_players.values())
    return reduce(or_, by_count, Counter(kind.ids)).total()


def amounts(count: int, ids: Collection[str], by_count: Sequence[Counter[str]]) -> str:
    """How many pieces with some ids there are, `4 / 5 / 7` for each number of players if that makes a difference. For the most
    players it is `count`, unless the copies of one piece differ."""
    found = [sum(one[id] for id in ids) for one in by_count]
    is_told = len(set(found)) > 1 and found[-1] == count
    return APART.join(map(str, found)) if is_told else str(count)


def shows(title: Prose | None, attribute: str) -> bool:
    """Whether a title has the value of an attribute."""
    parts = (one for part in title.values for one in walk(part)) if title is not None else ()
    return any(isinstance(one, nodes.Attribute) and one.name == attribute for one in parts)


def tells_of_each(text: Prose | None) -> bool:
    """Whether a text differs from piece to piece."""
    return text is not None and any(mentions(part, "it") for part in text.values)


def how_many(writer: Writer, definition: KindDefinition, kind: Kind, players: int) -> str:
    """How many pieces of a product there are, and what each stands for; empty if that is no simple rule."""
    titles = index_titles(writer, kind, [name for name, _, _ in definition.each])
    count, noun, numbers = len(kind.ids), writer.terms.noun_of_kind(definition.name), set(Counter(kind.ids).values())
    each = numbers.pop() if len(numbers) == 1 else 0
    several = "_several" if each > 1 else ""
    sides = {
        name: sorted({one for one in kind.attributes[name] if isinstance(one, int)}) for name, _, _ in definition.each
    }
    if set(sides) == set(OF_GRIDS) and len(sides["row"]) * len(sides["column"]) == count:
        return writer.words("grid", rows=len(sides["row"]), columns=len(sides["column"]), count=count)
    parts: dict[str, Part | None] = {"count": count, "copies": each, "noun": noun}
    counted = [name for name in sides if isinstance(plain(kind.attribute_types[name]), Int)]
    if not all(shows(definition.title, name) for name in counted):
        return ""  # numbers that nobody reads
    if len(titles) == 1 and each == 1 and counted:
        ends = sides[definition.each[0][0]]
        return writer.words("each_number", names=titles[0], low=ends[0], high=ends[-1], **parts)
    if not each or not is_full(writer, kind, sides, count // each, players):
        return ""
    if len(titles) == 1:
        return writer.words(f"each_one{several}", names=titles[0], **parts)
    return writer.words(f"each_combination{several}", names=writer.book.listed(titles), **parts)


def is_full(writer: Writer, kind: Kind, sides: Mapping[str, Sequence[int]], number: int, players: int) -> bool:
    """Whether there is something for each combination of all values that there are."""
    types = [(plain(kind.attribute_types[name]), len(values)) for name, values in sides.items()]
    all_of = {kind.name: len(kind.numbers) for kind in writer.symbols.kinds.values()} | {"player": players}
    return prod(size for _, size in types) == number and all(
        all_of[of_type(type)] == size for type, size in types if isinstance(type, Member | Player)
    )


def is_described(writer: Writer, definition: KindDefinition, kind: Kind) -> bool:
    """Whether words tell of a product all that rules read of it: a board is drawn, and other values need a table."""
    if definition.text is not None or kind.grid or kind.name not in writer.kinds_read:
        return True
    others = set(kind.attribute_types) - {name for name, _, _ in definition.each}
    return not others and bool(how_many(writer, definition, kind, writer.symbols.players))


def index_titles(writer: Writer, kind: Kind, names: Sequence[str]) -> list[Words]:
    """What each piece of a product stands for; by the names of attributes where two are of one kind."""
    titles = [index_title(writer, kind, name) for name in names]
    is_clear = len({*map(str, titles)}) == len(titles)
    return titles if is_clear else [writer.terms.attribute(name) for name in names]


def index_title(writer: Writer, kind: Kind, name: str) -> Words:
    """What each piece of a product stands for: the kind of an attribute's values, or the attribute's name."""
    type = plain(kind.attribute_types[name])
    if isinstance(type, Player):
        return writer.terms.noun_of_kind("player")
    of_kind = getattr(type, "kind", None)
    return writer.terms.noun_of_kind(of_kind) if of_kind is not None else writer.terms.attribute(name)


def heading(writer: Writer, attribute: str) -> str:
    return writer.book.capital(writer.terms.attribute(attribute).form("bare"))


def table_of(
    writer: Writer, definition: KindDefinition, kind: Kind
) -> tuple[tuple[tuple[str, ...], ...], tuple[Drawing | None, ...]]:
    """Each piece or member with its number, its attributes and its picture; none for a product that a text describes."""
    is_looked_up = not definition.effects and any(writer.pictures.member(kind, number) for number in kind.numbers)
    if definition.each and is_described(writer, definition, kind):
        return (), ()
    if not (kind.attribute_types or kind.is_piece or is_looked_up):
        return (), ()
    alike: dict[tuple[str, ...], list[int]] = {}
    for number in kind.numbers:
        values = [for_each_count(writer, kind, name, number) for name in kind.attribute_types]
        row = (writer.book.capital(writer.terms.labels.member(kind, number)), *values)
        alike.setdefault(row, []).append(number)
    by_count = [Counter(one.ids) for one in by_players(writer, definition, kind).values()]
    rows = []
    for row, numbers in alike.items():
        count = amounts(len(numbers), {kind.id_of(number) for number in numbers}, by_count)
        rows.append((f"{count} ×" if definition.is_piece else "", *row))
    return tuple(rows), tuple(writer.pictures.of_one(kind, numbers[0]) for numbers in alike.values())


def for_each_count(writer: Writer, kind: Kind, name: str, number: int) -> str:
    """The value of an attribute in a table, `8 / 12` for each number of players if that makes a difference."""
    kinds = [kinds[kind.name] for kinds in writer.kinds_by_players.values()]
    if not kinds or any(one.ids != kind.ids for one in kinds):
        return printed(writer, kind, name, number)
    found = [printed(writer, one, name, one.base + number - kind.base) for one in kinds]
    return APART.join(one or "0" for one in found) if len(set(found)) > 1 else found[0]


def printed(writer: Writer, kind: Kind, name: str, number: int) -> str:
    """The value of an attribute in a table, with an empty cell for none, no, and a zero that nobody has written."""
    type, found = kind.attribute_types[name], kind.attributes[name][number - kind.base]
    if (isinstance(type, Maybe) and found == none_of(type)) or (isinstance(type, Bool) and not found):
        return ""
    attribute = writer.definition.kinds[kind.name].attributes.get(name)
    start = attribute.declaration.start if attribute is not None else None
    if not found and isinstance(start, nodes.Number) and start.value == 0:
        return ""
    return valued(writer, kind, name, number)


def valued(writer: Writer, kind: Kind, name: str, number: int) -> str:
    """The value of an attribute."""
    type, found, labels = kind.attribute_types[name], kind.attributes[name][number - kind.base], writer.terms.labels
    if isinstance(type, List) and isinstance(found, tuple | list):
        return labels.read_out(labels.runs(type.of, found))
    return labels.value(type, found)


def in_columns(writer: Writer, kind: Kind, numbers: Sequence[int]) -> Iterator[str]:
    """The attributes of a piece or member, or of copies that differ, of which nothing else is told."""
    for name in kind.attribute_types:
        shown = {printed(writer, kind, name, number) for number in numbers}
        if len(shown) > 1:
            shown = {writer.book.listed([valued(writer, kind, name, number) for number in numbers])}
        if points := shown.pop():
            yield writer.words("sheet_line", title=heading(writer, name), points=points)


def member_section(
    writer: Writer, definition: KindDefinition, kind: Kind, member: MemberDefinition
) -> Iterator[Section]:
    """The description of a piece or member: its text, or its effects in words."""
    number = kind.first(member.name)
    if number is None:
        return
    here = path_of_member(kind, member.name)
    text = writer.terms.labels.text(kind, number) if member.text is None else None
    told = writer.prose(member.text) if member.text is not None else (text,) if text else ()
    told = () if writer.is_outdated(here) else told
    lines = member_lines(writer, definition, kind, member) if not told else ()
    writer.note(here, writer.book.capital(writer.terms.labels.member(kind, number)))
    if told or lines or writer.mark(here):
        told = (
            told
            if told or lines
            else tuple(in_columns(writer, kind, [one for one in kind.numbers if kind.id_of(one) == member.name]))
        )
        title = writer.entered(writer.terms.labels.member(kind, number), ".".join(here))
        title = f"{kind.ids.count(member.name)} × {title}" if definition.is_piece else title
        drawing = writer.pictures.of_one(kind, number)
        yield writer.section(here, title, 4, paragraphs=told, lines=lines, drawing=drawing)
