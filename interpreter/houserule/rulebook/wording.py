"""Rules in words: statements as sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from houserule.language import nodes
from houserule.language.checked import Family, Variable, Zone
from houserule.language.format import format
from houserule.language.types import List
from houserule.rulebook.clauses import (
    condition,
    keys_in_words,
    listed,
    owner_of,
    pieces_in,
    restriction,
    sourced,
    unfolded,
    value,
)
from houserule.rulebook.phrasebook import Part, Words
from houserule.rulebook.shapes import (
    decided,
    everything,
    flag_of,
    is_condition,
    is_me,
    limited_change,
    verb_from,
    without_some,
)
from houserule.rulebook.terms import LOCAL_NAMES, Line, Terms, flat, joined_clauses, so_many
from houserule.telling.labels import plain_words

SIGNS = {"-=": "subtract", "*=": "multiply", "//=": "divide", "%=": "remainder"}


def block(terms: Terms, node: nodes.Block | None) -> tuple[Line, ...]:
    """The sentences of a block; each name that a statement declares is known to later ones."""
    if node is None:
        return ()
    lines: list[Line] = []
    for one in node.statements:
        found, terms = statement(terms, one)
        lines += found
    return tuple(lines)


# complex: a case for each kind of statement
def statement(terms: Terms, node: nodes.Statement) -> tuple[list[Line], Terms]:
    match node:
        case nodes.Assign():
            return assigned(terms, node)
        case nodes.Command():
            return command(terms, node)
        case nodes.Say(to=to, text=text):
            name = "say" if to is None else "say_to"
            to_whom = value(terms, to) if to is not None else None
            return [line(terms, name, to=to_whom, text=spoken(terms, text, says=True))], terms
        case nodes.If():
            return list(alternatives(terms, node, "if")), terms
        case nodes.For(binder=binder, source=source, body=body):
            name, parts, inside = at_an_end(terms, source, *who(terms, "statements", "for", source, binder))
            return [line(terms, name, block(inside, body), **parts)], terms
        case nodes.While(test=test, body=body):
            name = "while_always" if decided(terms, test) else "while"
            return [line(terms, name, block(terms, body), test=condition(terms, test))], terms
        case nodes.Repeat(count=count, body=body):
            times = value(terms, count)
            name = terms.book.as_many("statements", "repeat", str(times))
            return [line(terms, name, block(terms, body), count=times)], terms
        case nodes.Leave(step=step) | nodes.Finish(step=step):
            name = "leave" if isinstance(node, nodes.Leave) else "finish"
            return [line(terms, f"{name}_step" if step else name, step=terms.step(step) if step else None)], terms
        case nodes.FinishWith(value=result):
            if is_condition(terms, result):
                return [line(terms, "finish_if", test=condition(terms, result))], terms
            return [line(terms, "finish_with", value=value(terms, result))], terms
        case nodes.EndGame(ending=None):
            return [line(terms, "end_game")], terms
        case nodes.EndGame(of=nodes.Conditional(test=test, then=then, otherwise=otherwise)):
            ends = [nodes.Block(node.span, (replace(node, of=one),)) for one in (then, otherwise)]
            return statement(terms, nodes.If(node.span, test, *ends))
        case nodes.EndGame(ending=ending, of=of):
            whose = value(terms, of) if of is not None else None
            return [line(terms, f"end_game_with_{ending}{'_of' if of is not None else ''}", of=whose)], terms
        case nodes.Nothing():
            return [line(terms, "nothing")], terms
        case nodes.Choose():
            return choose(terms, node)
        case nodes.Menu():
            return [menu(terms, node)], terms
        case nodes.Perform():
            return perform(terms, node)
        case nodes.As(player=player, body=body):
            return [line(terms, "as", block(terms, body), player=value(terms, player))], terms
        case nodes.Together(source=source, binder=binder, body=body):
            parts, inside = people(terms, source, binder)
            return [line(terms, "together", block(inside, body), **parts)], terms
        case nodes.Race(source=source, binder=binder, must=must, result=result):
            parts, inside = people(terms, source, binder)
            parts["must"] = restriction(inside, must, binder, "player") if must is not None else None
            return [line(terms, "race", result=plain_words(result), **parts)], terms.inner(result, "player")


def in_one(terms: Terms, node: nodes.Statement) -> str:
    """A statement as one sentence, followed by what belongs below it."""
    lines, _ = statement(terms, node)
    return " ".join(text.strip() for text in flat(lines))


def line(terms: Terms, name: str, inner: tuple[Line, ...] = (), /, **parts: Part | None) -> Line:
    return Line(terms.book.sentence("statements", name, **parts), inner)


def spoken(terms: Terms, text: nodes.Text, is_to_me: bool = False, says: bool = False) -> str:
    """A sentence of the rules in the reader's language, its values in words; some are said to the player whom a rule is about,
    others by that player, whose name stands there."""
    translated = terms.labels.definition.translations.get(terms.book.language, {}).get(text.raw)
    shown = translated if translated is not None else text
    meant = {format(part): part for part in text.parts if not isinstance(part, str)}
    if not says and (not is_to_me or any(is_named(part, "me") for part in shown.parts)):
        # Sentences around {me} are made for a name: "What does {me} do?"
        terms = terms.inner("me", "player", terms.book.word("somebody" if is_to_me else "my_name"))
    said = ""
    for part, after in zip_longest(shown.parts, shown.parts[1:]):
        if isinstance(part, str):
            said += part
        elif says and is_me(terms, part):
            said += str(terms.book.word("my_name"))
        else:
            said += terms.book.inserted(pieces_in(terms, meant.get(format(part), part)), said, after)
    if len(shown.parts) == 1:
        said = terms.book.unquoted(said)
    begins_with_value = bool(shown.parts) and not isinstance(shown.parts[0], str)
    return terms.book.capital(said) if begins_with_value else said


def is_named(part: str | nodes.Expression, name: str) -> bool:
    return isinstance(part, nodes.Name) and part.id == name


def each(terms: Terms, source: nodes.Expression, binder: str | None) -> tuple[dict[str, Part | None], Terms]:
    """The parts of a loop's head; and the terms inside."""
    kind = terms.kind_of(source)
    inside = terms.inner(binder, kind)
    own = inside.locals[binder] if binder is not None else None
    noun = binder_noun(terms, binder, kind)
    if binder is not None and own is not None:
        noun = introduced(terms, noun, own, kind, binder)
    parts: dict[str, Part | None] = {"binder": noun, "where": None, "by": None}
    member = own or terms.book.determined("definite", terms.noun_of_kind(kind))
    where: Words | None = None
    if isinstance(source, nodes.Selection) and source.value is None:
        filtering = inside if source.binder in (binder, None) else terms.inner(source.binder, kind, own)
        filtering = filtering if source.binder is not None else filtering.inner(None, kind, own)
        member = filtering.locals[source.binder or "it"]
        where = restriction(filtering, source.where, source.binder, kind)
        parts["by"] = keys_in_words(filtering, source.by, source.binder) if source.by is not None else None
        source = source.source
    around, source, before = unfolded(terms, source, kind, member)
    parts["where"] = joined_clauses(terms, [before, where])
    parts["source"] = sourced(around, source) if not everything(around, source) else None
    return parts, inside


def who(
    terms: Terms, section: str, phrase: str, source: nodes.Expression, binder: str | None
) -> tuple[str, dict[str, Part | None], Terms]:
    """For whom something is done, in parts, and the phrase that they are for; what is left out of players who come one after
    another stands with them, and not after the one with whom they begin."""
    parts, inside = each(terms, source, binder)
    all = source.source if isinstance(source, nodes.Selection) else source
    all, _ = without_some(terms, all) or (all, None)
    if isinstance(all, nodes.PlayersFrom) and terms.book.has(section, f"{phrase}_from"):
        return f"{phrase}_from", {**parts, "first": value(terms, all.first)}, inside
    return phrase, parts, inside


def at_an_end(
    terms: Terms, source: nodes.Expression, name: str, parts: dict[str, Part | None], inside: Terms
) -> tuple[str, dict[str, Part | None], Terms]:
    """For whom or what something is done, if these are the first or last of a list: they need no other noun."""
    match source:
        case nodes.Call(function=nodes.Name(id="first" | "last"), arguments=(listed, count)) if str(
            parts["binder"]
        ) == str(terms.noun_of_kind(terms.kind_of(source))):
            is_one = isinstance(count, nodes.Number) and count.value == 1
            whole = replace(source, arguments=(listed,)) if is_one else source
            return "for_end" if is_one else "for_ends", {"source": value(terms, whole)}, inside
    return name, parts, inside


def people(terms: Terms, source: nodes.Expression, binder: str | None) -> tuple[dict[str, Part | None], Terms]:
    """The parts of a head about several people at once: what only some of them fulfil needs the word for all."""
    parts, inside = each(terms, source, binder)
    if parts["source"] is None and parts["where"] is not None:
        parts["source"] = terms.book.word("players")
    return parts, inside


def introduced(terms: Terms, noun: Words, own: Words, kind: str, name: str) -> Words:
    """A noun with the local name that its value has in what follows, unless the noun is word enough for it: `point q`, told apart
    from another of its kind, or `card (the victim)`."""
    if str(own) == str(terms.book.phrase("nouns", "number_of", noun=terms.noun_of_kind(kind), index=plain_words(name))):
        return terms.book.numbered(noun, plain_words(name))
    definite = terms.book.determined("definite", terms.noun_of_kind(kind))
    is_own = kind not in LOCAL_NAMES and name != kind and str(own) != str(definite)
    return terms.book.numbered(noun, f"({own})") if is_own else noun


def binder_noun(terms: Terms, binder: str | None, kind: str) -> Words:
    """One member of a loop's list: a noun without an article."""
    noun = terms.noun_of_kind(kind)
    if binder is not None and kind == "number":
        return terms.book.numbered(noun, plain_words(binder))
    return terms.book.noun(plain_words(binder)) if binder is not None and kind == "thing" else noun


def cleared(terms: Terms, node: nodes.Expression, target: Words) -> Line:
    """That something is none: what belongs to nobody is no longer there."""
    is_alone = isinstance(node, nodes.Name) and target.has("no")
    return line(terms, "clear_alone" if is_alone else "clear", target=target)


def assigned(terms: Terms, node: nodes.Assign) -> tuple[list[Line], Terms]:
    """The assignment of a variable; a local name becomes another word for its value."""
    shown = value(terms, node.value)
    if isinstance(node.target, nodes.Name) and is_local(terms, node.target.id):
        name = node.target.id
        if node.operator == "=" and name not in terms.locals:
            is_list = isinstance(terms.meanings.types.get(node.value), List)
            after = terms.inner(name, "list" if is_list else terms.kind_of(node.value))
            if isinstance(node.value, nodes.Truth):
                return [from_now_on(after, node.target, node.value.value)], after
            phrase = "note_none" if isinstance(node.value, nodes.Absent) else "note"
            return [line(terms, phrase, target=called_later(after, name), value=shown)], after
    is_flag = flag_of(terms, node.target) is not None or is_local_condition(terms, node)
    target = value(terms, node.target)
    match node.operator, node.value:
        case "=", nodes.Truth(value=truth) if is_flag:
            return [from_now_on(terms, node.target, truth)], terms
        case "=", nodes.Not(operand=other) if is_flag and format(other) == format(node.target):
            now = {"test": condition(terms, other), "opposite": condition(terms, other, negated=True)}
            return [line(terms, "flip", **now)], terms
        case "=", test if is_flag:
            parts = {"target": condition(terms, node.target), "test": condition(terms, test)}
            return [line(terms, "from_now_on_if", **parts)], terms
        case "=", nodes.Absent():
            return [cleared(terms, node.target, target)], terms
        case "=", _ if (change := limited_change(node)) is not None:
            name, amount, limit = change
            return [line(terms, name, target=target, value=value(terms, amount), limit=value(terms, limit))], terms
        case "=", _:
            name, target = "set", terms.book.said_to_be(target, shown)
        case "+=", _:
            name = "gain" if isinstance(node.value, nodes.Number | nodes.Name) else "add"
        case sign, _:
            name = SIGNS[sign]
    return [line(terms, name, target=target, value=shown)], terms


def from_now_on(terms: Terms, target: nodes.Expression, holds: bool) -> Line:
    """That a truth variable holds from now on, or no longer."""
    if (found := flag_of(terms, target)) is not None:
        flag, owners = found
        change = terms.change(flag, value(terms, owners[0]) if owners else None, holds) if len(owners) < 2 else None
        if change is not None:
            return Line(terms.book.sentence("log", "begins", clause=change))
    return line(terms, "from_now_on", test=condition(terms, target, not holds))


def called_later(terms: Terms, name: str) -> str:
    """The word by which later sentences call a local name, without quotation marks of its own."""
    words = terms.locals[name]
    return re.sub("[“”„「」]", "", str(words))


def is_local(terms: Terms, name: str) -> bool:
    return name not in terms.program.symbols.variables


def is_local_condition(terms: Terms, node: nodes.Assign) -> bool:
    """Whether a local name holds or does not."""
    is_name = isinstance(node.target, nodes.Name) and is_local(terms, node.target.id)
    return is_name and (isinstance(node.value, nodes.Truth) or terms.kind_of(node.value) == "condition")


def command(terms: Terms, node: nodes.Command) -> tuple[list[Line], Terms]:
    """A verb of the table of operations in the words of the phrase book."""
    given = {one.word: one.value for one in node.prepositions}
    parts: dict[str, Part | None] = {word: value(terms, one) for word, one in given.items() if word not in ("as", "at")}
    name, after = node.verb, terms
    kind = terms.kind_of(given.get("from", node.argument))
    verb = terms.program.game.analysis.verbs[name]
    if verb.argument == "place":
        parts["from"] = pieces_in(terms, given["from"])
        name, parts["argument"], after = rolled(terms, name, node.argument, given["from"])
    elif isinstance(family := terms.symbol(node.argument), Family) and verb.argument == "hands":
        parts["argument"] = terms.book.determined("definite", terms.family(family))
    else:
        parts["argument"] = value(terms, node.argument)
    if "by" in given:
        name, parts["by"] = passed_on(name, given["by"], parts["by"])
    if isinstance(made := given.get("as"), nodes.Name):
        is_one = isinstance(node.argument, nodes.Number) and node.argument.value == 1
        after = after.inner(made.id, kind, None if is_one else terms.several(made.id, kind))
        parts["as"] = terms.book.phrase("nouns", "quoted", noun=called_later(after, made.id))
    if isinstance(zone := terms.symbol(node.argument), Zone) and terms.book.has("verbs", f"{name}_all"):
        if zone.capacity == 1 and not (isinstance(node.argument, nodes.Name) and zone.size > 1):
            parts["argument"] = owner_of(terms, node.argument)
        else:
            name = f"{name}_all"
    match given.get("at"):
        case nodes.Name(id="bottom" | "top" as end):
            name = f"{name}_{end}"
        case nodes.Number() | nodes.Name() | nodes.Binary() | nodes.Call() | nodes.Attribute() as position:
            below = value(terms, position)
            below = below if str(below) == "1" else below.plural()
            parts["at"] = terms.book.phrase("verbs", "at", position=below)
    name = terms.book.as_many("verbs", verb_from(terms, name, given.get("from")), str(parts["argument"]))
    if not terms.book.has("verbs", name):
        return [Line(f"{format(node)}.")], after
    parts["noun"] = terms.noun_of_kind(kind)
    return [Line(terms.book.sentence("verbs", name, **parts))], after


def rolled(terms: Terms, name: str, target: nodes.Expression, source: nodes.Expression) -> tuple[str, Part, Terms]:
    """The phrase of a verb that rolls a value for something, what that is called, and the terms after it."""
    kind, after = terms.kind_of(source), terms
    said: Part
    if isinstance(target, nodes.Name) and is_local(terms, target.id):
        after = terms.inner(target.id, kind)
        noun = terms.noun_of_kind(kind)
        said = introduced(terms, noun, after.locals[target.id], kind, target.id)
        said = plain_words(target.id) if kind in LOCAL_NAMES else terms.book.determined("indefinite", said)
    else:
        said = value(terms, target)
    if not isinstance(source, nodes.Range) or not terms.book.has("verbs", f"{name}_dice"):
        return name, said, after
    die = die_of(terms, target)
    return (f"{name}_dice", said, after) if die is None else (f"{name}_piece", die, after)


def die_of(terms: Terms, target: nodes.Expression) -> Words | None:
    """The piece that is rolled for its only variable, as a die is."""
    declared, symbol = terms.labels.definition.variables, terms.symbol(target)
    kind = declared[symbol.name].of_kind if isinstance(symbol, Variable) else None
    is_only = kind is not None and [one.of_kind for one in declared.values()].count(kind) == 1
    return value(terms, target.of) if is_only and isinstance(target, nodes.Attribute) else None


def passed_on(name: str, by: nodes.Expression, said: Part | None) -> tuple[str, Part | None]:
    """The phrase of a verb that passes things round the table, and how often, if that is more than once."""
    written = format(by)
    if not written.lstrip("-").isdecimal():
        return f"{name}_by", said
    seats = int(written)
    return (name if seats >= 0 else f"{name}_back"), None if abs(seats) == 1 else str(abs(seats))


def alternatives(terms: Terms, node: nodes.If, name: str) -> Iterator[Line]:
    """`if`, `elif` and `else`, one below the other."""
    holds = decided(terms, node.test)
    if holds is None:
        yield line(terms, name, block(terms, node.then), test=condition(terms, node.test))
    rest = node.then if holds else node.otherwise
    match rest.statements if rest is not None else ():
        case ():
            return
        case (nodes.If() as other,) if not holds:
            yield from alternatives(terms, other, name if holds is False else "elif")
        case _ if holds is None:
            yield line(terms, "else", block(terms, rest))
        case _:
            yield from block(terms, rest)


def choose(terms: Terms, node: nodes.Choose) -> tuple[list[Line], Terms]:
    """A question: who chooses, from what, and what follows."""
    parts, kind = chosen(terms, node.name, node.source)
    name = "choose" if node.chooser is None else "they_choose"
    parts["chooser"] = value(terms, node.chooser) if node.chooser is not None else None
    if node.count is not None:
        name += "_many"
        count, noun = value(terms, node.count), terms.noun_of_kind(kind)
        parts["count"] = so_many(terms, count, noun)
    elif node.chooser is None:
        name += "_one"
    if node.may_pass and node.pass_when is None:
        name += "_pass"
    after = terms.inner(node.name, kind, terms.several(node.name, kind) if node.count is not None else None)
    own = after.locals[node.name]
    if isinstance(many := parts.get("count"), Words) and str(own) != str(terms.all_the(kind)):
        parts["count"] = terms.book.numbered(many, f"({own})")
    head = terms.book.sentence("statements", name, **parts)
    for part in node.also:
        others, kind = chosen(after, part.name, part.source)
        head = f"{head}{terms.book.blank}{terms.book.sentence('statements', 'chosen_with', **others)}"
        after = after.inner(part.name, kind)
    head = f"{head}{passing(terms, node)}"
    if node.prompt is not None:
        head = f"{head}{terms.book.blank}{line(terms, 'question', prompt=spoken(terms, node.prompt, node.chooser is None)).text}"
    inner = block(after, node.body)
    lines = [Line(terms.book.tidy(head), inner)]
    if node.otherwise is not None:
        lines.append(line(terms, without_choice(node), block(terms, node.otherwise)))
    return lines, after


def chosen(terms: Terms, name: str, source: nodes.Expression) -> tuple[dict[str, Part | None], str]:
    """What is chosen and from what, in parts, and its kind."""
    kind = terms.kind_of(source)
    parts, inside = each(terms, source, name)
    noun = parts["binder"]
    assert isinstance(noun, Words)
    parts["binder"] = inside.locals[name] if kind in LOCAL_NAMES else terms.book.determined("indefinite", noun)
    return parts, kind


def passing(terms: Terms, node: nodes.Choose | nodes.Menu) -> str:
    """A sentence about when a question may be passed, if that depends on anything."""
    if node.pass_when is None:
        return ""
    chooser = value(terms, node.chooser) if node.chooser is not None else None
    name = "pass_when" if chooser is None else "they_pass_when"
    said = terms.book.sentence("statements", name, chooser=chooser, when=condition(terms, node.pass_when))
    return f"{terms.book.blank}{said}"


def unless_always(terms: Terms, test: nodes.Expression | None) -> Words | None:
    """A condition as a clause; None if nothing depends on it."""
    return condition(terms, test) if test is not None and not decided(terms, test) else None


def is_never(terms: Terms, test: nodes.Expression | None) -> bool:
    """Whether these rules never do what depends on a condition, so that they need not be told it."""
    return test is not None and decided(terms, test) is False


def without_choice(node: nodes.Choose | nodes.Menu) -> str:
    """The head of what is done otherwise: only where one may pass can anybody decline."""
    return "no_choice" if node.may_pass else "nothing_to_choose"


def menu(terms: Terms, node: nodes.Menu) -> Line:
    items = []
    for item in node.items:
        inside: Terms = terms
        parts: dict[str, Part | None] = {}
        if item.values is not None:
            parts, inside = each(terms, item.values, item.values.binder)
        if is_never(inside, item.when):
            continue
        when = unless_always(inside, item.when)
        name = "menu_values" if item.values is not None else "menu_item"
        label = spoken(inside, item.label, node.chooser is None)
        items.append(line(terms, name, block(inside, item.body), label=label, when=when, **parts))
    if node.otherwise is not None:
        items.append(line(terms, without_choice(node), block(terms, node.otherwise)))
    name = f"{'menu' if node.chooser is None else 'they_menu'}{'_pass' if node.may_pass and node.pass_when is None else ''}"
    chooser = value(terms, node.chooser) if node.chooser is not None else None
    made = line(terms, name, tuple(items), chooser=chooser, prompt=spoken(terms, node.prompt, node.chooser is None))
    return Line(f"{made.text}{passing(terms, node)}", made.inner)


def perform(terms: Terms, node: nodes.Perform) -> tuple[list[Line], Terms]:
    """An action by its name, which has its own paragraph; or an effect of something."""
    parts: dict[str, Part | None] = {
        "arguments": listed(terms, node.arguments, apart=False) if node.arguments else None
    }
    if isinstance(node.callee, nodes.Attribute):
        phrase = "perform_of"
        parts |= {"name": plain_words(node.callee.name), "of": value(terms, node.callee.of)}
    else:
        assert isinstance(node.callee, nodes.Name)
        phrase, is_window = "perform", node.callee.id in terms.labels.definition.windows
        name = terms.routine("windows" if is_window else "actions", node.callee.id)
        parts["name"] = terms.book.capital(name)
    if node.result is None:
        return [line(terms, phrase, **parts)], terms
    made = line(terms, f"{phrase}_as", result=plain_words(node.result.id), **parts)
    return [made], terms.inner(node.result.id, "thing")
