"""What a value in a rule file can be, and the keys of a map: for reading, the check of the shape, editors and the reference.

A key is declared once, as a field of a definition (in `model`), with its sort, its sentence and examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, TypeVar

from houserule.definition.reader import Reader
from houserule.diagnostics import Related, Report
from houserule.source import Mapping, Scalar, Yaml

T = TypeVar("T")
Document = Literal["game", "part", "variant", "scenario"]
Read = Callable[[Reader, Yaml], Any]

NAME = "[A-Za-z_][A-Za-z0-9_]*"
SIGNATURE = NAME + r"(\(.*\))?"
LANGUAGE = "[a-z]{2,3}(-[A-Za-z0-9]+)*"
CALLED = {
    NAME: "a name: letters, digits and _, not beginning with a digit",
    SIGNATURE: "a name, or a name with parameters such as pick(mushroom m, int limit)",
    LANGUAGE: "a language such as en, de or zh-Hant",
}
"""What a key that the author names has to be, in words."""


@dataclass(eq=False)
class Key:
    """A key of a map: its name, the sort of its value, its sentence, and examples.

    It fills the `field` of a definition; without one, it is read from the tree. It is required everywhere, or needed once
    the files of a game are merged.
    """

    name: str
    sort: Sort
    says: str
    examples: tuple[Any, ...] = ()
    field: str = ""
    read: Read | None = None
    is_needed: bool = False
    is_required: bool = False
    is_of_variants: bool = False  # it means something only where a variant adds or changes


@dataclass(eq=False)
class Sort:
    """What a value can be, in words for people, and how the definition reads it.

    `types` are those of JSON, none for anything. `text` is the kind of text in the effect language. `words` are all that
    is allowed, `offers` the first that editors offer. `mentions` are the kinds of names of which the value is one.
    Under keys that the author names (`named` is their pattern) are values of the sort `others`; such a key declares
    something, mentions something, or is a text. `place` is where the JSON schema describes the sort: file and name.
    """

    title: str
    types: tuple[str, ...]
    read: Read | None = None
    place: str = ""
    says: str = ""
    examples: tuple[Any, ...] = ()
    text: str = ""
    words: tuple[Any, ...] = ()
    offers: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    of: type | None = None
    beside: tuple[Key, ...] = ()
    without: tuple[str, ...] = ()
    others: Sort | Callable[[], Sort] | None = None
    named: str = ""
    called: str = ""
    declares: str = ""
    mentions_keys: tuple[str, ...] = ()
    text_of_keys: str = ""
    items: Sort | Callable[[], Sort] | None = None
    one_of: tuple[str, ...] = ()
    bare: str = ""
    least: int = 0
    low: int | None = None
    high: int | None = None

    @cached_property
    def keys(self) -> dict[str, Key]:
        """The keys of a map that are not the author's."""
        own = keys_of(self.of) if self.of is not None else ()
        return {one.name: one for one in (*own, *self.beside) if one.name not in self.without}

    @cached_property
    def under(self) -> Sort | None:
        """What is under a key that the author names."""
        return self.others() if callable(self.others) else self.others

    @cached_property
    def item(self) -> Sort | None:
        return self.items() if callable(self.items) else self.items

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What a key that the author names looks like."""
        taken = f"(?!({'|'.join(self.keys)})$)" if self.keys else ""
        return re.compile(f"^{taken}{self.named}$" if self.named else "")

    def inside(self, key: str) -> Sort | None:
        known = self.keys.get(key)
        if known is not None:
            return known.sort
        return self.under if self.under is not None and self.pattern.search(key) else None

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The fields without which a definition cannot be read."""
        known = fields(self.of) if self.of is not None else ()
        return tuple(
            one.name for one in known if "key" in one.metadata and one.default is one.default_factory is MISSING
        )


def key(
    sort: Sort,
    says: str = "",
    *examples: Any,
    name: str = "",
    read: Read | None = None,
    needed: bool | None = None,
    required: bool = False,
    **default: Any,
) -> Any:
    """A field that a key fills; `default=` is its value without the key, and without one an entry cannot be read."""
    is_needed = needed if needed is not None else not (default or required)
    made = Key(name, sort, says or sort.says, examples or sort.examples, "", read, is_needed, required)
    return field(kw_only=True, metadata={"key": made}, **default)


def keys_of(definition: type) -> Iterator[Key]:
    for one in fields(definition):
        made: Key | None = one.metadata.get("key")
        if made is not None:
            made.name, made.field = made.name or one.name.removesuffix("_"), one.name
            yield made


def unread(name: str, sort: Sort, says: str = "", *examples: Any, **given: Any) -> Key:
    """A key that no definition holds: rulebooks, variants and editors take it from the tree."""
    return Key(name, sort, says or sort.says, examples or sort.examples, **given)


SORTS: dict[type, Sort] = {}
"""The sort of each definition."""


def entry(
    place: str, title: str, *examples: Any, types: tuple[str, ...] = ("object",), **given: Any
) -> Callable[[type[T]], type[T]]:
    """Declare a definition whose fields are keys of a map. The first paragraph of its docstring is its sentence."""

    def declare(made: type[T]) -> type[T]:
        says = " ".join((made.__doc__ or "").split("\n\n")[0].split())
        SORTS[made] = Sort(title, types, place=place, says=says, examples=examples, of=made, **given)
        return made

    return declare


def structure(definition: type[T], reader: Reader, node: Yaml, *given: Any) -> T | None:
    """The definition of a map: what is given, and the fields that its keys fill. None if one is missing that has no default."""
    sort = SORTS[definition]
    if isinstance(node, Mapping):
        reader.note(node)
        written = [(reader.key(name, one.key, node), one.value) for name, one in node.entries.items()]
    else:
        written = [(sort.bare, node)]
    values: dict[str, Any] = {}
    for name, inner in written:
        known = sort.keys.get(name)
        read = (known.read or known.sort.read) if known is not None and known.field else None
        if known is not None and read is not None and (value := read(reader, inner)) is not None:
            values[known.field] = value
        elif known is not None and known.sort is PROSE:
            reader.prose(inner)  # only rulebooks tell it, but its languages are asked for
    return definition(*given, **values) if all(name in values for name in sort.filled) else None


# --- maps of declarations -----------------------------------------------------------------------------------------------


Make = Callable[[Reader, Scalar, Yaml], Any]


def declare(names: dict[str, Any], made: Any, what: str, report: Report) -> None:
    """Keep a declaration under its name, unless that is taken."""
    other = names.setdefault(made.name, made)
    if other is not made:
        message = f"there are two {what}s named '{made.name}'"
        report.error("HR301", message, made.span, related=[Related("the other is here", other.span)])


def map_of(
    definition: type[Any] | Sort,
    declares: str = "",
    title: str = "a map",
    *,
    types: tuple[str, ...] = ("object",),
    named: str = NAME,
    make: Make | None = None,
    beside: tuple[Key, ...] | None = None,
    **given: Any,
) -> Sort:
    """A map from names, or from signatures, to definitions; `make` reads one of them."""

    def made(reader: Reader, name: Scalar, node: Yaml) -> Any:
        if named != SIGNATURE:
            return structure(of, reader, node, name.text, name.span)
        signature = reader.signature(name)
        return signature and structure(of, reader, node, signature.name, signature.name_span, signature.parameters)

    def read(reader: Reader, node: Yaml) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, inner in reader.entries(node):
            if (one := (make or made)(reader, name, inner)) is not None:
                declare(found, one, declares, reader.report)
        return found

    of: Any = definition
    text = "signature" if named == SIGNATURE else ""
    return Sort(
        title,
        types,
        given.pop("read", read),
        others=given.pop("others", definition if isinstance(definition, Sort) else lambda: SORTS[definition]),
        named=named,
        called=given.pop("called", CALLED.get(named, "")),
        declares=declares,
        text_of_keys=text,
        beside=NOTES if beside is None else beside,
        **given,
    )


# --- sorts of values ----------------------------------------------------------------------------------------------------


def languages(sort: Sort) -> dict[str, Any]:
    return {"others": sort, "named": LANGUAGE, "called": CALLED[LANGUAGE]}


ANY_WORD = ("string", "number", "boolean")
VALUE = ("string", "integer", "boolean")
# fmt: off
SENTENCE = Sort("a sentence", ANY_WORD)
TRANSLATED = Sort("a sentence", ANY_WORD)
PROSE = Sort("a sentence, or one for each language", (*ANY_WORD, "object"), Reader.prose, "game/prose", "Text for people: a string, or {en: …, de: …, zh-Hant: …}. {…} inside it shows the value of an expression.", ("Mushrooms", {"en": "Morel", "de": "Morchel"}), least=1, **languages(TRANSLATED))
EXPRESSION = Sort("an expression", VALUE, Reader.expression, "game/expression", "An expression of the effect language: a number, a condition, a list.", ("count(me.basket)", "me.score >= 10"), "expression")
EXPRESSIONS = Sort("an expression or a list of them", (*VALUE, "array"), Reader.expression, "game/expressions", "An expression, or a list of expressions.", (3, ["morel", "truffle"]), "expression", items=EXPRESSION)
RESULT = Sort("an expression", VALUE, Reader.result, "game/result", "An expression, or statements that end with 'finish with'.", ("count(me.basket where value > 2)",), "value")
EFFECT = Sort("an effect", ("string",), Reader.block, "game/effect", "What happens: statements on one line, or several below a '|'.", ("draw 1 from forest to me.basket",), "effect")
TYPE = Sort("a type such as int, 0..6, habitat or player or none", ("string",), Reader.declaration, "game/type", "A type: int, a range 0..20, bool, an enum, a kind of piece, player or piece, each also '… or none'; for attributes also 'list of T'.", ("int", "0..20", "bool", "player or none"), "declaration", offers=("int", "bool", "player", "piece"))
TYPE_OF_OPTION = Sort("a type such as int, 0..6, bool or habitat", ("string",), Reader.type_name, "game/option_type", "The type of an option: int, a range 0..20, bool or an enum, each also '… or none'.", ("1..10", "bool"), "declaration", offers=("int", "bool"))
SIGHT = Sort("all, none, owner, team or an expression", ("string", "boolean"), Reader.sight, "game/sight", "Who sees it: all, none, owner, team (the owner and partners, in a game with 'teams'), or an expression that uses it, viewer and the index.", ("all", "none", "owner", "team"), "expression", offers=("all", "none", "owner", "team"))
BINDING = Sort("a text such as players or h in habitat", ("string",), Reader.binding, text="binding")
SPOKEN = Sort("a sentence", ANY_WORD, Reader.sentence, "game/spoken", "A sentence to players, in the first language of the game; its translations stand in 'translations'. {…} inside it shows the value of an expression.", ("Step in?",))
EVENT = Sort("an event such as c leaves hand of p", ("string",), Reader.event, text="event")
FLAG = Sort("true or false", ("boolean",), Reader.flag)
# fmt: on


def name_of(*mentions: str) -> Sort:
    says, shown = "The name of something.", ("mushroom",)
    return Sort("a name", ("string",), Reader.word, "game/word", says, shown, mentions=mentions)


def names_of(*mentions: str) -> Sort:
    says, shown = "Names, in order.", (["forest", "basket"],)
    return Sort("a list of names", ("array",), Reader.words, "game/words", says, shown, items=name_of(*mentions))


def name_or_names_of(*mentions: str) -> Sort:
    title, says, shown = "a name or a list of names", "A name, or names in order.", ("forest", ["forest", "basket"])
    types = ("string", "array")
    return Sort(title, types, Reader.words, "game/some_words", says, shown, items=name_of(*mentions), mentions=mentions)


def one_of(title: str, *words: Any) -> Sort:
    return Sort(title, (), Reader.word, words=words)


def path_of_step() -> Sort:
    return Sort("the path of a step", ("string",), Reader.word, mentions=("step",))


def number(low: int | None = None, high: int | None = None, title: str = "a number") -> Sort:
    return Sort(title, ("integer",), Reader.number, low=low, high=high)


# --- keys that many maps have -------------------------------------------------------------------------------------------

# fmt: off
PLACE = Sort("{doc: …, at: …}", ("object",), beside=(unread("doc", Sort("the name of a rulebook", ("string", "number"), mentions=("rulebook",)), "Which rulebook: a name under 'sources'.", "de"), unread("at", Sort("a place in the rulebook", ("string", "number")), "Page, section or heading.", "page 4")))
SOURCE = unread("source", Sort(PLACE.title, ("object", "array"), None, "game/source", "Where the rulebook gives the rule: {doc: de, at: page 4}, or a list of such places.", ({"doc": "de", "at": "page 4"},), beside=PLACE.beside, items=PLACE))
REASON = Sort("a reason", ("string",), says="The reason in this language.", examples=("the rulebook does not say who begins",))
ASSUMED = unread("assumed", Sort("a reason", ("string", "object"), None, "game/assumed", "The reason for a rule that the rulebook leaves open, in one language or several. 'validate --assumed' lists them.", REASON.examples, **languages(REASON)))
REVEALS = unread("reveals", Sort("a reason", ("string",), None, "game/reveals", "Why something hidden comes to light here. 'validate --revealed' lists these.", ("everybody sees which basket is empty",)))
AFTER = unread("after", Sort("the name of an entry", ("string",), None, "game/after", "In the 'add' of a variant: put this after that entry.", ("harvest",), mentions=("entry",)), is_of_variants=True)
BEFORE = unread("before", Sort("the name of an entry", ("string",), None, "game/before", "In the 'add' of a variant: put this before that entry.", ("harvest",), mentions=("entry",)), is_of_variants=True)
WAS = unread("was", Sort("the value before", (), None, "game/was", "In the 'change' of a variant: the value that it expects, so that you notice if the game changes.", (12,)), is_of_variants=True)
WORD = Sort("a word", ("string",))
FORMS = Sort("the forms of the title", ("object",), says="The forms of the title in this language.", examples=({"gender": "f", "plural": "Morcheln"},), beside=(unread("gender", one_of("m, f, n or pl", "m", "f", "n", "pl"), "The gender; pl for a title that is always plural.", "f"), unread("plural", WORD, "The plural.", "Morcheln"), unread("acc", WORD, "The accusative, if it differs.", "den Pfifferling"), unread("dat", WORD, "The dative, if it differs.", "dem Pfifferling"), unread("gen", WORD, "The genitive, if it differs.", "des Pfifferlings"), unread("plural_dat", WORD, "The dative plural, if it differs.", "Morcheln"), unread("counter", WORD, "The word with which it is counted, in languages that need one.", "枚"), unread("clause", WORD, "That it holds, as a clause without its subject, or as a whole one if it belongs to nobody.", "is bent"), unread("not_clause", WORD, "That it does not hold.", "is straight"), unread("begins", WORD, "That it holds from now on, where the clause does not say so.", "gets bent"), unread("ends", WORD, "That it no longer holds.", "gets straight"), unread("out", WORD, "The way out of a place, with its preposition.", "from behind the screen"), unread("into", WORD, "The way into a place, with its preposition.", "behind the screen"), unread("inside", WORD, "Where a place is, with its preposition.", "behind the screen"), unread("proper", FLAG, "Whether the title is a name, which keeps its capital letter.", True)))
GRAMMAR = unread("grammar", Sort("{de: {gender: f, plural: …}}", ("object",), None, "game/grammar", "How the title is inflected in a language, for the rulebook: {de: {gender: f, plural: Truhen}, en: {plural: chests}}.", ({"de": {"gender": "f", "plural": "Morcheln"}},), **languages(FORMS)))
# fmt: on
NOTES = (SOURCE, ASSUMED)
ENTRY = (*NOTES, AFTER, BEFORE, WAS)
RULE = (*NOTES, REVEALS, AFTER, BEFORE, WAS)
