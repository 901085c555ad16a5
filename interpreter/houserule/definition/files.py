"""The kinds of rule files by their keys, and every name and every text of the effect language in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

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
    WAS,
    Document,
    Sort,
    map_of,
    name_of,
    names_of,
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
SETTINGS = map_of(Sort("a value", VALUE, says="The value of this option.", examples=(7,), mentions=("word",)), "", "a map from options to values", called="the name of an option", mentions_keys=("option",), beside=())
TITLE = unread("title", PROSE, "The name that people read.", "Long walk")
OPTIONS = unread("options", SETTINGS, "Settings of the options of the game.", {"rounds": 7})
VARIANT = Sort("a map of keys", ("object",), says="A house rule: it adds, changes and removes, in the shape of the game.", beside=(
    unread("variant", name_of("variant"), "The id of the variant, and the name of its file.", "long_walk", is_required=True),
    unread("of", name_of("game"), "The game that it changes.", "mushrooms", is_required=True),
    TITLE,
    unread("text", PROSE, "What it changes, in a sentence or two.", {"en": "The walk takes more rounds."}),
    unread("requires", names_of("variant"), "Variants that it needs.", ["two_baskets"]),
    unread("conflicts", names_of("variant"), "Variants that it cannot be combined with.", ["short_walk"]),
    unread("players", PLAYERS, "The numbers of players it is for, fewer or more than the game.", "3..5"),
    OPTIONS,
    unread("add", GAME, "What is new; it must not exist yet.", {"variables": {"lucky(player)": "bool"}}),
    unread("change", GAME, "What becomes different; it must exist.", {"flow": {"round": {"repeat": 5}}}),
    unread("remove", Sort("a list of paths such as components.mushroom.pieces.truffle", ("array",), items=Sort("a path with dots", ("string",), mentions=("path",))), "What is removed, as paths with dots.", ["components.mushroom.pieces.truffle"]),
    *NOTES,
))

WORD = Sort("a word", VALUE, mentions=("word",))
OPTION = Sort("a word, or a list of what is chosen together", (*VALUE, "array"), place="scenario/option", items=WORD, mentions=("word",))
ANSWER = Sort("an answer: a word, a list, or a map by the names of choices", (*VALUE, "array", "object"), None, "scenario/answer", "One answer, or several in order by the names of the choices.", ("morel", {"card": "morel", "place": "forest"}),
              items=OPTION, mentions=("word",), others=Sort("a word or a list of them", (*VALUE, "array"), items=OPTION, mentions=("word",)))
BY_PLAYER = Sort("a map from players to answers", ("object",), place="scenario/by_player", least=1, others=ANSWER)
PLAYER = Sort("a player", ("string",))
EXPECTATION = Sort("an expression or a list of them", (*VALUE, "array"), None, "scenario/expectation", "What must hold.", ("anna.score == 3", ["anna.score == 3", "ben.score == 0"]), "expression", items=EXPRESSION, least=1)
RESULT = Sort("a result", VALUE, mentions=("word",))
RESULTS = Sort("a map from names to results", ("object",), mentions_keys=("variable",), others=Sort("a result or a list of them", (*VALUE, "array"), items=RESULT, mentions=("word",)))
PIECES = Sort("a list of pieces", ("array", "string"), text="expression", items=Sort("a piece", ("string",), text="expression"))
UNSEEN = Sort("something in the game", ("string", "array"), items=Sort("something in the game", ("string",), mentions=("word",)), mentions=("word",))
AS = (unread("as", PLAYER, "Who is 'me' in it.", "anna"), unread("effect", EFFECT, "The effect.", "me.score += 1", is_required=True))
PENDING = unread("pending", Sort("a player or a list of players", ("string", "array"), None, "scenario/pending", "Who must be asked now; others may be asked as well.", ("anna", ["anna", "ben"]), items=PLAYER))
ASKED = unread("asked", Sort("a player or a list of players", ("string", "array"), None, "scenario/asked", "Exactly who must be asked now; [] for nobody.", ("anna", []), items=PLAYER))
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
    unread("example", Sort("true, or the path of a rule", ("boolean", "string")), "The rulebook shows this scenario as an example: at the step in which it begins, or at this rule.", True, "actions.pick"),
    unread("title", PROSE, "The title of the example; by default the sentence of the scenario.", {"en": "A morel is picked", "de": "Eine Morchel wird gepflückt"}),
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
    unread("play", ITEMS),
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
class Value:
    """A value, or a key that the author names: its text is of a kind, and may be one of some kinds of names."""

    scalar: Scalar
    sort: Sort | None
    text: str
    mentions: tuple[str, ...]
    key: Scalar | None = None  # whose value it is

    @property
    def starts(self) -> tuple[str, ...]:
        """The start symbols to parse it with, in order; none if it is no text of the effect language."""
        return STARTS.get(self.text, ())


def texts(found: Iterable[Value]) -> Iterator[Value]:
    """The texts of the effect language among the values of a document."""
    return (one for one in found if one.text and one.scalar.text.strip())


def values(node: Yaml, sort: Sort, key: Scalar | None = None) -> Iterator[Value]:
    """Every value and every key of the author in a tree, in order."""
    if isinstance(node, Scalar):
        yield Value(node, sort, sort.text, sort.mentions, key)
    elif isinstance(node, Sequence):
        for item in node.items if sort.item is not None else ():
            assert sort.item is not None
            if isinstance(item, Scalar) and sort.declares:
                yield Value(item, sort.item, sort.item.text, (sort.declares,))
            else:
                yield from values(item, sort.item)
    else:
        for name, entry in node.entries.items():
            inner = sort.inside(name)
            if inner is None:
                continue
            if name not in sort.keys:
                yield Value(entry.key, None, sort.text_of_keys, (*sort.mentions_keys, sort.declares))
            if inner is WAS.sort:  # what an entry was before
                yield from (replace(one, text="") for one in values(entry.value, sort))
            else:
                yield from values(entry.value, inner, entry.key)
