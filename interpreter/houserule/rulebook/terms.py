"""The words for a game's names in a rulebook: titles as nouns, with the forms of their grammar keys; and nouns put together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache

from houserule.compiler.program import Program
from houserule.definition.model import KindDefinition, VariableDefinition
from houserule.definition.reader import Prose
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.checked import Family, Kind, Variable, Zone
from houserule.language.format import format
from houserule.language.scope import Meanings, Name, Symbol
from houserule.language.types import UNKNOWN, Bool, Int, List, Member, Piece, Player, Type
from houserule.language.types import plain as plain_type
from houserule.rulebook.phrasebook import BEFORE, Phrasebook, Words
from houserule.source import Mapping as YamlMapping
from houserule.source import Scalar, Yaml, entries_at, in_language
from houserule.telling.labels import DEEPEST_TITLE, Labels, plain_words

OF_GRIDS = ("row", "column")
"""What the phrase books have words for, whoever declares it."""
SHORT = 2
"""Local names up to this length are not words; their values are named after their kind."""
LOCAL_NAMES = ("number", "thing", "condition", "list")
"""Kinds of values whose local names are the only words for them."""
WORDLESS = {"int": "number", "range": "number", "bool": "condition"}
"""What the types of parameters are, of which a local name is the only word."""
NAME = re.compile(r"[A-Z][^{}]* [A-Z][^ {}]*")
"""How a title of a single thing ends that keeps its capital letters: Temple of the Sun."""
RELATIVE = "relative"
"""A form of the word for the member of a list in a clause about it: its gender and number, for `whose`."""
MOST_MAPS = 1_000
"""The maps of rule files whose keys are kept: they are looked at again and again."""


@frozen
class Flag:
    """The words for what holds or does not: a title, a clause and the opposite one, and that it begins and ceases to hold; empty if there are none."""

    title: str
    clause: str = ""
    opposite: str = ""
    begins: str = ""
    ends: str = ""


def flag(title: str, grammar: Mapping[str, str]) -> Flag:
    return Flag(title, *(grammar.get(form, "") for form in ("clause", "not_clause", "begins", "ends")))


@frozen
class Terms:
    """The meaning of names at one place of the rules: those of the game, and local ones."""

    book: Phrasebook
    program: Program
    labels: Labels
    tree: Yaml
    meanings: Meanings
    locals: Mapping[str, Words]
    spell: Callable[[Terms, nodes.Statement], str] = lambda _, node: format(node)
    """A statement as a sentence."""
    paraphrases: dict[str, bool] = field(default_factory=dict)
    """The functions that are told wherever they are used, since they have no title."""
    mentioned: set[str] = field(default_factory=set)
    """The functions that a sentence calls by their names."""
    decided: dict[nodes.Expression, bool | None] = field(default_factory=dict)
    """Conditions with parts: whether they hold in all matches, or in none."""
    depth: int = 0
    """How many paraphrases stand around this place."""

    def inner(self, name: str | None, kind: str, words: Words | None = None) -> Terms:
        if name is None:
            noun = self.noun_of_kind(kind)
            name, is_taken = "it", self.is_taken(self.book.determined("definite", noun), "it")
            words = words or self.book.determined("that_one" if is_taken else "definite", noun)
        made = words or self.local(name, kind)
        return replace(self, locals={**self.locals, name: made})

    def given(self, parameter: nodes.Parameter) -> Terms:
        name, kind = parameter.type.name, self.labels.definition.kinds.get(parameter.type.name)
        if parameter.type.is_list and (kind is not None or name == "player"):
            return self.inner(parameter.name, name, self.all_the(name))
        if kind is not None and not kind.is_piece and (parameter.name is None or parameter.name in (name, name[:1])):
            return self.inner(parameter.name, name, self.book.determined("that_one", self.noun_of_kind(name)))
        made = self.inner(parameter.name, WORDLESS.get(name, name))
        return made if parameter.name else replace(made, locals={**made.locals, name: made.locals["it"]})

    # --- nouns --------------------------------------------------------------------------------------------------------

    def local(self, name: str, kind: str, is_many: bool = False) -> Words:
        """The word for a local name: itself if it is a word of the reader's language, else from its kind."""
        if kind in LOCAL_NAMES:
            is_letter = len(name) == 1 and kind in ("number", "thing")
            shown = name if is_letter else self.book.phrase("nouns", "quoted", noun=plain_words(name))
            return Words({"nom": str(shown)} | ({"number": "pl"} if kind == "list" else {}))
        if len(name) > SHORT and self.book.language == "en":
            return self.book.local(plain_words(name), self.noun_of_kind(kind), is_many)
        noun = self.noun_of_kind(kind)
        made = self.book.determined("definite", noun)
        if self.is_taken(made, name):
            return self.book.phrase("nouns", "number_of", noun=noun, index=plain_words(name))
        return made

    def several(self, name: str, kind: str) -> Words:
        """The word for a local name of several things."""
        own, alone = self.local(name, kind, is_many=True), self.book.determined("definite", self.noun_of_kind(kind))
        if str(own) == str(alone):
            return self.all_the(kind)
        return Words({form: text for form, text in own.forms.items() if form.split("_")[0] not in BEFORE}).plural()

    def all_the(self, kind: str) -> Words:
        """Several of a kind that are known: `the cards`."""
        return self.all_of(self.noun_of_kind(kind))

    def all_of(self, noun: Words) -> Words:
        """Several things of a noun that are known."""
        many = Words({"gender": "pl", "nom": str(noun.form("pl"))})
        forms = {form.removeprefix("pl."): text for form, text in noun.forms.items() if form.startswith("pl.")}
        return self.book.determined("definite", many.having(**forms)).plural()

    def is_taken(self, words: Words, name: str) -> bool:
        """Whether words call something else already than what `name` will be."""
        return any(str(words) == str(other) for one, other in self.locals.items() if one != name)

    def noun_of_kind(self, kind: str) -> Words:
        found = self.labels.definition.kinds.get(kind)
        if found is None:
            of_pieces = [one for one in self.program.symbols.kinds.values() if one.is_piece and kind in one.ids]
            if of_pieces and (number := of_pieces[0].first(kind)) is not None:
                return self.member(of_pieces[0], number)
            word = self.book.tables["nouns"].get(kind, plain_words(kind))
            return self.book.noun(word, self.book.tables["forms"].get(kind))
        prose = found.back_title if found.title is None or found.title.shows_values else found.title
        if prose is found.back_title and prose is not None and self.is_shared(prose):
            prose = None
        return self.titled(prose, kind, path_of_kind(found))

    def is_shared(self, back: Prose) -> bool:
        """Whether several kinds of pieces have the same back, so that it is the name of none."""
        backs = [one.back_title.raw() for one in self.labels.definition.kinds.values() if one.back_title is not None]
        return backs.count(back.raw()) > 1

    def titled(self, prose: Prose | None, name: str, path: tuple[str, ...]) -> Words:
        return self.book.noun(self.labels.prose(prose, name), self.grammar(path))

    def grammar(self, path: tuple[str, ...]) -> Mapping[str, str]:
        """The grammar key beside a title, for this language; pieces are counted as their kind is, unless they say otherwise."""
        entries = entries_at(self.at(*path, "grammar", self.book.language)).items()
        own = {key: entry.value.text for key, entry in entries if isinstance(entry.value, Scalar)}
        of_kind = self.grammar(path[:2]) if path[0] == "components" and path[2:3] == ("pieces",) else {}
        if path[2:3] in (("pieces",), ("members",)) and NAME.fullmatch(said_at(self.at(*path, "title"), "en")):
            own["capital"] = "yes"
        return {"counter": of_kind["counter"], **own} if "counter" in of_kind else own

    def at(self, *path: str) -> Yaml | None:
        """The value at a path of the effective rules; keys with parameters are found by their names."""
        node: Yaml | None = self.tree
        for word in path:
            if not isinstance(node, YamlMapping):
                return None
            key = word if word in node.entries else keys_of(node).get(word)
            node = node.entries[key].value if key is not None else None
        return node

    def routine(self, part: str, name: str) -> str:
        """The word for an action or function: its title, or its name in plain words."""
        title = self.at(part, name, "title")
        return said_at(title, self.book.language) if title is not None else plain_words(name)

    def step(self, name: str) -> str:
        """The word for a step, by its path or name, without the number of its pass."""
        found = self.labels.step_at(name)
        if found is None or found.title is None:
            return self.book.capital(plain_words(name.split(".")[-1]))
        return self.book.capital(found.title.raw(self.labels.language))

    def attribute(self, name: str) -> Words:
        """The word for a printed attribute or a function of pieces: its title, or that of the kind with its name."""
        path, is_declared = self.path_of_attribute(name)
        if path:
            return self.book.noun(said_at(self.at(*path, "title"), self.book.language), self.grammar(path))
        is_word = not is_declared or name in self.program.symbols.kinds or name in OF_GRIDS
        if is_declared and self.is_player(name):
            return self.noun_of_kind("player")
        return self.noun_of_kind(name) if is_word else self.book.noun(plain_words(name))

    def is_player(self, name: str) -> bool:
        """Whether an attribute is the one player that a piece names, so that `player` is word enough for it."""
        types = [kind.attribute_types for kind in self.program.symbols.kinds.values() if name in kind.attribute_types]
        return bool(types) and all(
            [one for one, type in names.items() if plain_type(type) == Player()] == [name] for names in types
        )

    def path_of_attribute(self, name: str) -> tuple[tuple[str, ...], bool]:
        """Where an attribute or a function of pieces has its title; and whether there is such a thing at all."""
        is_declared = False
        for part in ("components", "enums"):
            for kind in entries_at(self.at(part)):
                for sort in ("attributes", "functions"):
                    is_declared = is_declared or self.at(part, kind, sort, name) is not None
                    if self.at(part, kind, sort, name, "title") is not None:
                        return (part, kind, sort, name), True
        return (), is_declared

    def kind(self, name: str) -> Kind | None:
        return self.program.symbols.kinds.get(name)

    def member(self, kind: Kind, number: int, depth: int = 0) -> Words:
        title, grammar = self.labels.member(kind, number), self.grammar(path_of_member(kind, kind.id_of(number)))
        if self.begins_with_player(kind, number):
            return self.book.noun(title, {**grammar, "proper": "yes"})
        is_told = "gender" not in grammar and depth <= DEEPEST_TITLE
        begun = (self.member_at_beginning(kind, number, depth + 1) or self.kind_at_beginning(kind)) if is_told else None
        if begun is not None and begun.forms.get("quoted") == "no" and str(begun) == title:
            return begun  # a name stays one
        if begun is not None and begun.forms.get("gender") and title.startswith(f"{begun} "):
            made = self.book.numbered(begun, title.removeprefix(f"{begun} "))
            return made.having(counter=grammar["counter"]) if "counter" in grammar else made
        return self.book.noun(title, grammar)

    def one(self, kind: Kind, number: int) -> Words:
        """A member or a piece by its name; a piece with an article where its title is a noun, as that of most is: the first marker."""
        noun, is_gendered = self.member(kind, number), "endings" in self.book.tables
        is_noun = noun.forms.get("gender") if is_gendered else str(noun)[:1].islower()
        is_one = kind.is_piece and is_noun and not re.search(r"\d", str(noun))
        is_one = is_one or str(noun) == str(self.noun_of_kind(kind.name))
        return self.book.determined("definite", noun) if is_one else noun

    def member_at_beginning(self, kind: Kind, number: int, depth: int) -> Words | None:
        """The member or piece with whose title that of a piece begins, as in `{it.gem} (gold)`: it is inflected like it."""
        name = self.attribute_at_beginning(self.labels.definition.kinds[kind.name].title)
        type = plain_type(kind.attribute_types.get(name, UNKNOWN))
        if not isinstance(type, Member | Piece):
            return None
        value, of = kind.attributes[name][number - kind.base], self.program.symbols.kinds.get(type.kind or "")
        return self.member(of, value, depth) if of is not None and isinstance(value, int) else None

    def kind_at_beginning(self, kind: Kind) -> Words | None:
        """The noun of the kind with which all titles of its pieces may begin, as in `monkey of {it.seat}`."""
        title = self.labels.definition.kinds[kind.name].title
        return self.noun_of_kind(kind.name) if title is not None and title.shows_values else None

    def begins_with_player(self, kind: Kind, number: int) -> bool:
        """Whether a title begins with the name of a player, as `{it.seat}’s follower`: it takes no article and keeps its capital."""
        definition, id = self.labels.definition.kinds[kind.name], kind.id_of(number)
        own = next((one.title for one in definition.members if one.name == id and one.title is not None), None)
        name = self.attribute_at_beginning(own or definition.title)
        return plain_type(kind.attribute_types.get(name, UNKNOWN)) == Player()

    def attribute_at_beginning(self, title: Prose | None) -> str:
        """The attribute with which a title begins; empty if it begins otherwise."""
        match title.text(self.book.language).parts if title is not None else ():
            case (nodes.Attribute(of=nodes.Name(id="it"), name=name), *_):
                return name
        return ""

    def family(self, family: Family) -> Words:
        """The word for a zone or variable, without its index."""
        if isinstance(family, Zone):
            zone = self.labels.definition.zones[family.name]
            words, is_told = self.titled(zone.title, family.name, ("zones", family.name)), True
        else:
            variable = self.labels.definition.variables[family.name]
            words = self.titled(variable.title, family.name, self.path_of(variable))
            is_told = isinstance(family, Variable) and isinstance(family.type, Int)
            words = self.book.numbered(words, self.in_position()) if variable.per_position else words
        is_many = is_told and not words.has("number") and self.book.is_plural(str(words))
        return words.plural() if is_many else words

    def in_position(self) -> str:
        """What stands after the name of a variable that has a value for each position."""
        return str(self.book.word("in_position"))

    def path_of(self, variable: VariableDefinition) -> tuple[str, ...]:
        """Where a variable is declared: at the top, or with its kind."""
        if variable.of_kind is None:
            return ("variables", variable.name)
        kind = self.labels.definition.kinds[variable.of_kind]
        return (*path_of_kind(kind), "variables", variable.name)

    def flag(self, name: str) -> Flag:
        """A truth variable: its title, and the clauses of its grammar key."""
        variable = self.labels.definition.variables[name]
        title = self.labels.titled(self.program.symbols.variables[name])
        title = f"{title} {self.in_position()}" if variable.per_position else title
        return flag(title, self.grammar(self.path_of(variable)))

    def printed_flag(self, name: str) -> Flag:
        """An attribute, or a function of pieces, that holds or does not."""
        path, _ = self.path_of_attribute(name)
        return flag(str(self.attribute(name).form("bare")), self.grammar(path) if path else {})

    def clause(self, flag: Flag, owner: Words | None, negated: bool) -> Words | None:
        """That something holds for its owner as a clause, if its title is one or its grammar key has one."""
        if not flag.clause:
            return self.book.clause(flag.title, owner, negated)
        return self.book.clause(flag.clause, owner, negated, flag.opposite or ("" if negated else flag.clause))

    def change(self, flag: Flag, owner: Words | None, holds: bool) -> Words | None:
        """That something begins or ceases to hold, if its grammar key says so."""
        said = flag.begins if holds else flag.ends
        return self.book.clause(said, owner, negated=False, opposite=said) if said else None

    def is_clause(self, flag: Flag) -> bool:
        """Whether a flag can be told of its owner as a clause."""
        return bool(flag.clause) or self.clause(flag, self.book.word("somebody"), negated=False) is not None

    # --- meaning ------------------------------------------------------------------------------------------------------

    def kind_of(self, node: nodes.Node | None) -> str:
        """The kind of an expression's value, or of its list's members: an enum or kind of piece, `player`, `number`
        or `piece`; `thing` if it has none."""
        if node not in self.meanings.types and isinstance(node, nodes.Selection) and node.value is None:
            node = node.source  # a list that is not checked as it stands, as in a window
        return of_type(self.meanings.types.get(node, UNKNOWN)) if node is not None else "thing"

    def own_order(self, node: nodes.Expression, binder: str | None) -> Words | None:
        """What a list is sorted by whose members are compared themselves: their size, their seats, or their place in the book."""
        if not isinstance(node, nodes.Name) or node.id != (binder or "it"):
            return None
        kind = self.kind_of(node)
        return self.book.phrase("values", f"own_order_{kind}" if kind in ("number", "player") else "own_order")

    def symbol(self, node: nodes.Expression) -> Symbol | None:
        """What an expression names, or takes an entry or the value of; None for all others, and for local names."""
        if isinstance(node, nodes.Index):
            return self.symbol(node.of)
        if isinstance(node, nodes.Call):
            return self.symbol(node.function)
        found = self.meanings.symbols.get(node)
        if found is None and isinstance(node, nodes.Name):  # texts for people show options, and are not checked
            return self.program.symbols.options.get(node.id)
        return found if not isinstance(found, Name) else None


def path_of_kind(kind: Kind | KindDefinition) -> tuple[str, str]:
    """Where the rules declare a kind."""
    return ("components" if kind.is_piece else "enums", kind.name)


def path_of_member(kind: Kind, id: str) -> tuple[str, ...]:
    """Where the rules declare one of a kind."""
    return (*path_of_kind(kind), "pieces" if kind.is_piece else "members", id)


@lru_cache(MOST_MAPS)
def keys_of(node: YamlMapping) -> Mapping[str, str]:
    """The keys of a map by their names without parameters."""
    return {key.split("(")[0]: key for key in reversed(node.entries)}


def said_at(node: Yaml | None, language: str) -> str:
    """A text for people from a file, in a language or in the first one; empty if there is none."""
    scalar = in_language(node, language)
    return scalar.text.strip() if scalar is not None else ""


def of_type(type: Type) -> str:
    """The kind of a type's values, or of its lists' members."""
    match plain_type(type.of if isinstance(type, List) else type):
        case Player():
            return "player"
        case Member(kind):
            return kind
        case Piece(kind):
            return kind or "piece"
        case Int():
            return "number"
        case Bool():
            return "condition"
    return "thing"


@frozen
class Line:
    """A sentence with the lines below it."""

    text: str
    inner: tuple[Line, ...] = ()


def flat(lines: Sequence[Line], indent: str = "") -> Iterator[str]:
    """The sentences, those below others indented."""
    for one in lines:
        yield indent + one.text
        yield from flat(one.inner, f"{indent}  ")


def done(terms: Terms, node: nodes.WhatIf) -> str:
    told = " ".join(terms.spell(terms, one) for one in node.effect)
    return told.removesuffix(".").removesuffix("。")


def together(terms: Terms, words: Sequence[Words]) -> Words:
    """Nouns as a list, in each case of the language."""
    if len(words) == 1:
        return words[0]
    cases = (*terms.book.cases, "bare")
    return Words({case: terms.book.listed([word.form(case) for word in words]) for case in cases})


MOST_WORDS = 3
"""A longer number stands behind what it counts, in brackets: `1 to 3 cards`."""


def so_many(terms: Terms, count: Words, noun: Words) -> Words:
    """A number of things: `1 card`, `3 cards`, `cards (the number of players)`."""
    if len(str(count).split()) > MOST_WORDS and terms.book.has("nouns", "as_many"):
        return terms.book.phrase("nouns", "as_many", count=count, noun=noun)
    alone = Words(
        {"nom": str(noun), "pl": str(noun), **{form: noun.form(form) for form in ("counter",) if noun.has(form)}}
    )
    return terms.book.phrase("nouns", "several", count=count, noun=alone if str(count) == "1" else noun)


def all_of(terms: Terms, kind: str) -> Words:
    noun = terms.noun_of_kind(kind)
    return terms.book.phrase("values", "every", noun=noun).having(many=noun.form("pl")).plural()


def whole(terms: Terms, family: Family) -> Words:
    """A zone or variable by its name alone: all of a family of several."""
    noun = terms.family(family)
    if family.size > 1 and noun.has("counted"):
        return terms.book.determined("every", noun).plural()
    return terms.book.determined("definite", noun)


def several(terms: Terms, noun: Words, parts: dict[str, Words | str | None]) -> Words:
    """Some of a kind, in each form: all of them, one of them, none of them."""
    phrase = terms.book.phrase
    forms = ["one", "bare", "no", "many"]
    forms += [form for form in ("there", "there_no") if terms.book.has("values", f"selection_{form}")]
    given = {"noun": noun, **parts}
    made = {form: str(phrase("values", f"selection_{form}", **given)) for form in forms}
    where = parts["where"]
    made["tail"] = where.form("sg") if isinstance(where, Words) else ""
    for form in ("one", "no"):
        made[f"head_{form}"] = str(phrase("values", f"selection_{form}", **{**given, "where": None}))
    return phrase("values", "selection", **given).having(**made).plural()


def there_is(terms: Terms, name: str, words: Words) -> Words:
    """That there is something of a list, or nothing; its restriction follows the verb in some languages."""
    tail = words.forms.get("tail") or None
    return terms.book.phrase("conditions", name, tail=tail, **{"0": words})


def holding(terms: Terms, flag: Flag, owner: Words | None, negated: bool, is_clause: bool = True) -> Words:
    """That a name holds for something: the clause that it is, if it is one, or `“name” holds for …`."""
    is_left_out = owner is not None and owner.has(RELATIVE) and not str(owner)
    clause = terms.clause(flag, owner, negated) if is_clause and (not is_left_out or flag.clause) else None
    if clause is not None:
        return clause
    quoted = terms.book.phrase("nouns", "quoted", noun=flag.title)
    return terms.book.phrase(
        "conditions", "not_holds" if negated else "holds", name=quoted, arguments=None if is_left_out else owner
    )


def joined_clauses(terms: Terms, clauses: Sequence[Words | None]) -> Words | None:
    """Relative clauses about the same things as one."""
    given = [one for one in clauses if one is not None]
    if len(given) < 2:
        return given[0] if given else None
    made = given[0]
    for one in given[1:]:
        forms = {form: (made.form(form), one.form(form)) for form in ("nom", "sg")}
        both = {f: str(terms.book.phrase("conditions", "where_and", left=a, right=b)) for f, (a, b) in forms.items()}
        made = Words(both)
    return made


def of_you(terms: Terms, key: str, given: Sequence[Words]) -> str:
    """The phrase for a function of the reader, if there is one: `your position`."""
    is_you = given[-1].forms.get("number") == "you"
    return f"{key}_you" if is_you and terms.book.has("functions", f"{key}_you") else key
