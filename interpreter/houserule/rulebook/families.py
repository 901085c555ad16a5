"""The zones and variables of a game in the rulebook: what each holds, who knows it, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houserule.definition.model import VariableDefinition, ZoneDefinition
from houserule.language import nodes
from houserule.language.checked import Family, Parameter
from houserule.language.types import GREATEST, LEAST, Bool, Int, Maybe, Type, plain
from houserule.rulebook.book import Section
from houserule.rulebook.clauses import condition, value
from houserule.rulebook.page import Writer
from houserule.rulebook.phrasebook import Words
from houserule.rulebook.terms import OF_GRIDS, SHORT, Terms, of_type, so_many, together
from houserule.telling.labels import plain_words


def table(writer: Writer) -> Iterator[Section]:
    """The zones."""
    for zone in shown_zones(writer):
        path = ("zones", zone.name)
        told = writer.told(path) or (zone_text(writer, zone),)
        yield writer.section(path, writer.named(path), paragraphs=told, drawing=writer.pictures.zone(zone.name))


def shown_zones(writer: Writer) -> Iterator[ZoneDefinition]:
    """The zones that are more than bookkeeping."""
    quiet = {kind.name for kind in writer.symbols.kinds.values() if kind.quiet}
    return (zone for zone in writer.definition.zones.values() if not zone.quiet and zone.holds not in quiet)


def zone_text(writer: Writer, zone: ZoneDefinition) -> str:
    """What a zone holds, who sees it if that differs between zones, how many there are of it, and for how many it has room."""
    terms, made = writer.terms, writer.symbols.zones[zone.name]
    kind = terms.noun_of_kind(zone.holds if zone.holds in writer.symbols.kinds else "piece")
    is_open = all(one.visible == "all" for one in writer.definition.zones.values())
    sight = None
    if made.of_team or not is_open:
        sight = who_knows(writer, zone, made, "seen_by", "seen_if", terms.inner(None, "piece"))
    told = [writer.words("zone", kind=kind, seen=sight)]
    room = so_many(terms, value(terms, zone.capacity), kind) if zone.capacity is not None else None
    index = index_of(writer, made) or None
    if index or room:
        name = "zone_each_room" if index and room else "zone_each" if index else "zone_room"
        told.append(writer.words(name, index=index, room=room))
    if zone.refill is not None:
        refill = terms.book.determined("definite", terms.family(writer.symbols.zones[zone.refill]))
        told.append(writer.words("zone_refill", zone=refill))
    return terms.book.blank.join(told)


def index_of(writer: Writer, family: Family) -> str:
    """For what there is one of a family each: `each player and each row from 1 to 3`; empty if there is only one."""
    indices = [one for p in family.parameters if (one := index_in_words(writer, p))]
    return writer.book.listed(indices)


def index_in_words(writer: Writer, parameter: Parameter) -> str:
    """Each value of an index; empty if it has a single one."""
    noun = index_noun(writer, parameter)
    match plain(parameter.type):
        case Int(low, high):
            return writer.phrase("each_from", noun=noun, low=str(low), high=str(high)) if low < high else ""
    return noun.form("each_acc")


def index_noun(writer: Writer, parameter: Parameter) -> Words:
    """One value of an index as a noun: its kind, or for a number its name where that is a word of the reader's language."""
    terms, name = writer.terms, parameter.name or ""
    if not isinstance(plain(parameter.type), Int):
        return terms.noun_of_kind(of_type(parameter.type))
    if terms.book.language == "en" and len(name) > SHORT and name not in OF_GRIDS:
        return terms.book.noun(plain_words(name))
    return terms.noun_of_kind(name if name in OF_GRIDS else "number")


def who_knows(
    writer: Writer, one: ZoneDefinition | VariableDefinition, made: Family, by: str, test: str, terms: Terms
) -> str:
    """Who sees the content of a zone, or may know the value of a variable, in phrases that begin with `by`, or with a `test`."""
    if made.of_team:
        return writer.phrase(f"{by}_team")
    if isinstance(one.visible, str):
        return writer.phrase(f"{by}_{one.visible}")
    named = [(parameter.name or parameter.type.name, parameter.type.name) for parameter in one.parameters]
    if is_all_but_owner(one.visible, named):
        return writer.phrase(f"{by}_others")
    for name, kind in named:
        terms = terms.inner(name, kind)
    return writer.phrase(test, test=condition(terms, one.visible))


def is_all_but_owner(visible: nodes.Expression, named: Sequence[tuple[str, str]]) -> bool:
    """Whether everybody but the owner sees something: `viewer != player`."""
    owners = [name for name, kind in named if kind == "player"]
    match visible:
        case nodes.Compare(operator="!=", left=nodes.Name(id=left), right=nodes.Name(id=right)):
            return len(owners) == 1 and {left, right} == {"viewer", owners[0]}
    return False


def values(writer: Writer) -> Iterator[Section]:
    """The variables with their possible values; without those whose title says everything."""
    for one in writer.definition.variables.values():
        if one.quiet or (one.of_kind is not None and writer.definition.kinds[one.of_kind].quiet):
            continue
        path = writer.terms.path_of(one)
        told = writer.told(path) or (variable_text(writer, one),)
        clause = whether(writer, writer.symbols.variables[one.name])
        if clause is not None and told == (writer.sentence([str(clause)]),):
            continue
        yield writer.section(path, writer.named(path), paragraphs=told)


def variable_text(writer: Writer, one: VariableDefinition) -> str:
    """What a variable belongs to, its possible values, its start, and when it is reset."""
    made, terms = writer.symbols.variables[one.name], writer.terms
    clause = whether(writer, made) if isinstance(made.type, Bool) else None
    what = str(clause) if clause is not None else possible(writer, made.type)
    index = terms.book.listed(list(filter(None, [index_of(writer, made), positions(writer, one)])))
    facts = [writer.phrase("of_each", index=index, what=what) if index and clause is None and what else what]
    if one.visible != "all":
        around = terms.inner(None, one.of_kind) if one.of_kind is not None else terms
        facts.append(who_knows(writer, one, made, "known_to", "known_if", around))
    for parameter in one.parameters:
        terms = terms.given(parameter)
    start = value(terms, one.start) if one.start is not None else None
    step = terms.step(one.reset) if one.reset is not None else None
    if start is not None or step is not None:
        phrase = "reset" if start is None else "starts_at" if step is None else "starts_each"
        facts.append(writer.phrase(phrase, value=start, step=step))
    return writer.sentence(fact for fact in facts if fact)


def possible(writer: Writer, type: Type) -> str:
    """The values of a type; empty if there are no words for them."""
    match type:
        case Maybe(of=of):
            book, what = writer.book, possible(writer, of)
            return book.listed([what, book.phrase("values", "none")], "or") if what else ""
        case Bool():
            return writer.phrase("yes_or_no")
        case Int(low, high) if low > LEAST and high < GREATEST:
            return writer.phrase("number_from", low=str(low), high=str(high))
        case Int():
            return writer.phrase("number")
    kind = of_type(type)
    return writer.terms.noun_of_kind(kind).form("indef") if kind != "thing" else ""


def positions(writer: Writer, one: VariableDefinition) -> str:
    """For what positions a variable has a value each; empty if it has one for all."""
    families = (*writer.symbols.zones.values(), *writer.symbols.variables.values())
    named = [writer.terms.family(family) for family in families if family.name in one.per_position]
    of = together(writer.terms, [writer.book.determined("definite", words) for words in named]) if named else None
    return writer.phrase("each_position", of=of) if of is not None else ""


def whether(writer: Writer, made: Family) -> Words | None:
    """Whether a truth variable holds, if that can be told as a clause."""
    if len(made.parameters) > 1:
        return None
    nouns = [index_noun(writer, parameter) for parameter in made.parameters]
    owner = writer.book.determined("definite", nouns[0]) if nouns else None
    clause = writer.terms.clause(writer.terms.flag(made.name), owner, negated=False)
    return writer.book.phrase("values", "whether", test=clause) if clause is not None else None
