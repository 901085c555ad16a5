"""The kinds of rule files by their keys, every text of the effect language in them, and their description as JSON schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from houserule.definition.model import PLAYERS, GameDefinition
from houserule.definition.sorts import (
    ANY_WORD,
    EFFECT,
    EXPRESSION,
    NOTES,
    PROSE,
    SENTENCE,
    SIGNATURE,
    SORTS,
    VALUE,
    Document,
    Key,
    Sort,
    map_of,
    name_of,
    names_of,
    noted,
    number,
    one_of,
    path_of_step,
    unread,
)
from houserule.frozen import frozen
from houserule.source import Mapping, Scalar, Sequence, Yaml

GAME = SORTS[GameDefinition]

# --- variants and scenarios ---------------------------------------------------------------------------------------------

# Each key is a row.
# fmt: off
SETTINGS = map_of(Sort("a value", VALUE, says="The value of this option.", examples=(7,)), "", "a map from options to values", called="the name of an option", mentions_keys=("option",), beside=())
TITLE = unread("title", PROSE, "The name that people read.", "Long walk")
OPTIONS = unread("options", SETTINGS, "Settings of the options of the game.", {"rounds": 7})
VARIANT = Sort("a map of keys", ("object",), says="A house rule: it adds, changes and removes, in the shape of the game.", beside=(
    unread("variant", name_of("variant"), "The id of the variant, and the name of its file.", "long_walk", is_required=True),
    unread("of", name_of("game"), "The game that it changes.", "mushrooms", is_required=True),
    TITLE,
    unread("text", PROSE, "What it changes, in a sentence or two.", {"en": "The walk takes more rounds."}),
    unread("requires", names_of("variant"), "Variants that it needs.", ["two_baskets"]),
    unread("conflicts", names_of("variant"), "Variants that it cannot be combined with.", ["short_walk"]),
    unread("players", PLAYERS, "The numbers of players it is for, if not all.", "3..5"),
    OPTIONS,
    unread("add", GAME, "What is new; it must not exist yet.", {"variables": {"lucky(player)": "bool"}}),
    unread("change", GAME, "What becomes different; it must exist.", {"flow": {"round": {"repeat": 5}}}),
    unread("remove", Sort("a list of paths such as components.mushroom.pieces.truffle", ("array",), items=Sort("a path with dots", ("string",), mentions=("path",))), "What is removed, as paths with dots.", ["components.mushroom.pieces.truffle"]),
    *NOTES,
))

WORD = Sort("a word", VALUE, mentions=("word",))
OPTION = Sort("a word, or a list of what is chosen together", (*VALUE, "array"), place="scenario/option", items=WORD, mentions=("word",))
ANSWER = Sort("an answer: a word, a list, or a map by the names of choices", (*VALUE, "array", "object"), None, "scenario/answer", "One answer, or several in order by the names of the choices.", ("morel", {"card": "morel", "place": "forest"}),
              items=OPTION, mentions=("word",), mentions_keys=("word",), others=Sort("a word or a list of them", (*VALUE, "array"), items=OPTION, mentions=("word",)))
BY_PLAYER = Sort("a map from players to answers", ("object",), place="scenario/by_player", least=1, others=ANSWER)
PLAYER = Sort("a player", ("string",))
EXPECTATION = Sort("an expression or a list of them", (*VALUE, "array"), None, "scenario/expectation", "What must hold.", ("anna.score == 3", ["anna.score == 3", "ben.score == 0"]), "expression", items=EXPRESSION, least=1)
RESULT = Sort("a result", VALUE, mentions=("word",))
RESULTS = Sort("a map from names to results", ("object",), mentions_keys=("word",), others=Sort("a result or a list of them", (*VALUE, "array"), items=RESULT, mentions=("word",)))
PIECES = Sort("a list of pieces", ("array", "string"), text="expression", items=Sort("a piece", ("string",), text="expression"))
UNSEEN = Sort("something in the game", ("string", "array"), items=Sort("something in the game", ("string",), mentions=("word",)), mentions=("word",))
AS = (unread("as", PLAYER, "Who is 'me' in it.", "anna"), unread("effect", EFFECT, "The effect.", "me.score += 1", is_required=True))
PENDING = noted("pending", Sort("a player or a list of players", ("string", "array"), None, "scenario/pending", "Who must be asked now; others may be asked as well.", ("anna", ["anna", "ben"]), items=PLAYER))
ASKED = noted("asked", Sort("a player or a list of players", ("string", "array"), None, "scenario/asked", "Exactly who must be asked now; [] for nobody.", ("anna", []), items=PLAYER))
ITEM = Sort("a map such as anna: Draw", ("object",), None, "scenario/item", "An answer, a promise about chance, an expectation or an effect under test.", ({"anna": "Draw"},), least=1, others=ANSWER, named=".+", called="a player", beside=(
    unread("roll", RESULTS, "The next results of chance, by name: {n: [3, 1]}.", {"n": [3, 1]}),
    unread("deck", Sort("a map from zones to pieces", ("object",), text_of_keys="expression", others=PIECES), "The top of a pile, first drawn first: {forest: [champignon#1]}.", {"forest": ["champignon#1"]}),
    unread("race", Sort("a list of players", ("array", "string"), items=PLAYER), "Who slaps, fastest first.", ["ben", "anna"]),
    unread("refuse", BY_PLAYER, "What must not be among the options.", {"anna": "truffle"}),
    unread("options", BY_PLAYER, "Exactly the options.", {"anna": ["morel", "pass"]}),
    unread("do", Sort("an effect, or {as: …, effect: …}", ("string", "object"), text="effect", beside=AS), "An effect under test.", "anna.score += 1"),
    unread("expect", EXPECTATION, "What must hold now.", "anna.score == 3"),
    unread("unseen", Sort("a map from players to what they must not see", ("object",), least=1, others=UNSEEN), "What a player must not see: {ben: secret of anna}.", {"ben": "basket of anna"}),
    PENDING,
    ASKED,
    unread("times", number(1, 1000, "a whole number from 1 to 1000"), "How often this item happens.", 3),
))
ITEMS = Sort("a list of what happens", ("array",), None, "scenario/items", "What happens, in order.", ([{"anna": "Draw"}],), items=ITEM)
FUNCTION = Sort("an expression", VALUE, says="An expression, or a block that ends with 'finish with'.", examples=("count(p.basket)",), text="value")
SCENARIO = Sort("a map of keys", ("object",), says="An executable example. A first document without 'scenario' applies to all others.", beside=(
    unread("scenario", SENTENCE, "What it shows, in a sentence.", "A morel is worth three points"),
    unread("of", name_of("game"), "The game.", "mushrooms"),
    unread("text", PROSE, "More about it.", {"en": "As in the example on page 4."}),
    unread("players", Sort("a list of players", ("array",), items=Sort("a name", ANY_WORD)), "The players, in the order of their seats.", ["anna", "ben", "carla"]),
    unread("with", names_of("variant"), "The variants to play with.", ["long_walk"]),
    OPTIONS,
    unread("set", SETTINGS, "Settings in addition to `options` and to what the scenario shares.", {"rounds": 7}),
    unread("functions", map_of(FUNCTION, "function", named=SIGNATURE, beside=()), "Functions for the scenarios of this file; rules cannot use them.", {"found(player p)": "count(p.basket)"}),
    unread("continues", SENTENCE, "The sentence of a scenario above; this one goes on from its end.", "A morel is worth three points"),
    unread("seed", number(title="a whole number"), "The seed of all chance that is not promised below.", 7),
    unread("setup", ITEMS, "Answers and chance for the set-up; by default the first option, and chance from the seed.", [{"anna": "morel"}]),
    unread("given", EFFECT, "Changes before the scenario begins; they set off no triggers.", "move morel#1 to anna.basket"),
    unread("from", path_of_step(), "The step to begin with; by default the one after the set-up.", "round.harvest"),
    noted("play", ITEMS),
    unread("expect", EXPECTATION, "What must hold at the end.", "anna.score == 3"),
    unread("until", one_of("end or end at once", "end", "end at once"), "end: the game must be over. end at once: by the last answer, with no question, step or turn after it.", "end"),
    unread("ending", one_of("win, shared, victory, draw or defeat", "win", "shared", "victory", "draw", "defeat"), "How the game must end. win: one player has won. shared: several have. victory: all have won together. draw: nobody has won. defeat: all have lost.", "win"),
    PENDING,
    ASKED,
    *NOTES,
))
# fmt: on
ROOTS: dict[Document, Sort] = {"game": GAME, "part": GAME, "variant": VARIANT, "scenario": SCENARIO}


def kind_of(document: Mapping, is_below_scenarios: bool = False) -> Document:
    """The kind of document, from its keys, and for the defaults of scenarios from the folder."""
    if "variant" in document.entries:
        return "variant"
    if "scenario" in document.entries or (is_below_scenarios and "game" not in document.entries):
        return "scenario"
    return "game"


# --- what is declared ---------------------------------------------------------------------------------------------------


def sort_at(document: Document, path: tuple[str, ...]) -> Sort | None:
    """What can be at a path of a document; in a list, any word is an entry."""
    sort: Sort | None = ROOTS[document]
    for word in path:
        sort = sort and (sort.inside(word) or sort.item)
    return sort


# --- texts of the effect language ---------------------------------------------------------------------------------------

STARTS: dict[str, tuple[str, ...]] = {
    "effect": ("block",),
    "expression": ("expression",),
    "value": ("expression", "block"),
    "declaration": ("declaration",),
    "signature": ("signature",),
    "binding": ("binding",),
    "event": ("event",),
}
"""The start symbols to parse each kind of text with, in order."""


@frozen
class RuleText:
    """A text of the effect language: a value, or a key that declares. `key` is the key whose value it is."""

    scalar: Scalar
    starts: tuple[str, ...]
    key: Scalar | None


def texts(document: Mapping, kind: Document) -> Iterator[RuleText]:
    """Every text of the effect language in a document, in order."""
    for scalar, sort, key in values(document, ROOTS[kind], None):
        if sort.text and scalar.text.strip():
            yield RuleText(scalar, STARTS[sort.text], key)


def values(node: Yaml, sort: Sort | None, key: Scalar | None) -> Iterator[tuple[Scalar, Sort, Scalar | None]]:
    """Every value of a known sort, with its key; and every key that the author names, as a value of the sort of such keys."""
    if sort is None:
        return
    if isinstance(node, Scalar):
        yield node, sort, key
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from values(item, sort.item, None)
    else:
        for name, entry in node.entries.items():
            inner = sort.inside(name)
            if inner is not None and name not in sort.keys:
                yield entry.key, Sort("", (), text=sort.text_of_keys, mentions=sort.mentions_keys), None
            yield from values(entry.value, inner, entry.key)


# --- JSON schemas -------------------------------------------------------------------------------------------------------

FILES = {
    "game": ("A game of Houserule", "The file game.yaml, and the files that its 'include' names."),
    "layout": ("The layout of a table", "The 'layout' of a game or of a house rule: how its table looks."),
}
"""The title and sentence of the schemas whose root is one of their definitions."""


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schemas of all kinds of files, for editors, by the name of the file."""
    definitions: dict[str, dict[str, Any]] = {name: {} for name in ("game", "layout", "variant", "scenario")}
    found = {name: _schema(sort, name, definitions) for name, sort in (("variant", VARIANT), ("scenario", SCENARIO))}
    for name, (title, says) in FILES.items():
        found[name] = {"title": title, "description": says, "$ref": f"#/$defs/{name}"}
    whole: dict[str, Any] = {}
    definitions["game"]["complete"] = _complete(GAME, whole, ())
    definitions["game"] |= whole
    is_whole = {"required": ["edition"], "not": {"required": ["include"]}}
    found["game"] |= {"if": is_whole, "then": {"$ref": "#/$defs/complete"}}
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {
        f"{name}.schema.json": {**dialect, **schema, **({"$defs": definitions[name]} if definitions[name] else {})}
        for name, schema in found.items()
    }


def _described(key: Key, file: str, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The schema of the value of a key."""
    made = _schema(key.sort, file, definitions)
    told = {"description": key.says, "examples": list(key.examples)}
    if "$ref" in made:
        return {**made, **({} if (key.says, key.examples) == (key.sort.says, key.sort.examples) else told)}
    return {"title": key.sort.title, **told, **made, **told} if key.says else made


def _schema(sort: Sort, file: str, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The schema of a sort, or a reference to the file in which it is described."""
    home, _, name = sort.place.partition("/")
    if not name:
        return _shape(sort, file, definitions)
    if name not in definitions[home]:
        definitions[home][name] = {}  # it may refer to itself
        definitions[home][name] = _shape(sort, home, definitions)
    return {"$ref": f"{'' if home == file else f'{home}.schema.json'}#/$defs/{name}"}


def _shape(sort: Sort, file: str, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The keywords of a sort."""
    types: Any = sort.types[0] if len(sort.types) == 1 else list(sort.types)
    more = {"not": {"type": ["object", "array", "number", "null"]}} if "boolean" in sort.types else {"type": types}
    named = f"^(?!({'|'.join(sort.keys)})$){sort.named}$" if sort.keys else f"^{sort.named}$"
    inner = _schema(sort.under, file, definitions) if sort.under is not None else {}
    made: dict[str, Any] = {
        "title": sort.title,
        "x-text": sort.text,
        "description": sort.says,
        "examples": list(sort.examples),
        "type": types if not sort.offers else None,
        "anyOf": [{"enum": list(sort.offers)}, more] if sort.offers else None,
        "enum": list(sort.words),
        "minimum": sort.low,
        "maximum": sort.high,
        ("minProperties" if "object" in sort.types else "minItems"): sort.least,
        "properties": {name: _described(key, file, definitions) for name, key in sort.keys.items()},
        "patternProperties": {named: inner} if sort.named else None,
        "required": [key.name for key in sort.keys.values() if key.is_required],
        "items": _schema(sort.item, file, definitions) if sort.item is not None else None,
    }
    made = {name: value for name, value in made.items() if value}
    if sort.under is not None and not sort.named:
        made["additionalProperties"] = inner
    elif "properties" in made or "patternProperties" in made:
        made["additionalProperties"] = False
    return made


def _complete(sort: Sort, whole: dict[str, Any], around: tuple[Sort, ...]) -> dict[str, Any]:
    """What a game must have once its files are merged, at one place; what contains itself is kept in `whole`."""
    name = f"complete_{sort.place.partition('/')[2]}"
    if sort in around:
        whole[name] = {}
        return {"$ref": f"#/$defs/{name}"}
    inside = (*around, sort)
    needed = [key.name for key in sort.keys.values() if key.is_needed]
    keys = {key.name: _complete(key.sort, whole, inside) for key in sort.keys.values() if key.sort.needs}
    made: dict[str, Any] = {
        "required": needed,
        "anyOf": [{"required": [key]} for key in sort.one_of],
        "properties": keys,
        "patternProperties": {sort.pattern.pattern: _complete(sort.under, whole, inside)}
        if sort.under is not None and sort.under.needs
        else None,
    }
    made = {key: value for key, value in made.items() if value}
    if name in whole:
        whole[name] = made
        return {"$ref": f"#/$defs/{name}"}
    return made
