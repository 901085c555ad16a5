"""Codes 5xx: what can be wrong with rules that can be read: names, types, what may stand where, what is never used."""

from __future__ import annotations

from houserule.codes.row import Code

HEAD = "edition: 2026\ngame: tiny\nplayers: 2\n"
CARDS = """\
components: {card: {attributes: {rank: 1..9}, starts_in: deck, pieces: {low: {rank: 1}, high: {rank: 9}}}}
zones: {deck: {holds: card, visible: none}, hand(player): {holds: card, visible: owner}}
"""
BLANK_CARDS = CARDS.replace(
    "attributes: {rank: 1..9}, starts_in: deck, pieces: {low: {rank: 1}, high: {rank: 9}}",
    "starts_in: deck, pieces: {blank: {count: 9}}",
)
TILES = "components: {{tile: {{attributes: {{rank: 0..9}}, each: {{rank: {0}}}, count: 6 // it.rank}}}}\n"
METALS = "enums: {metal: [bronze, silver]}\n"


def turn(effect: str, more: str = "", variables: str = "") -> str:
    """A small game in whose turns that effect happens, with more keys and variables."""
    lines = "".join(f"      {line}\n" for line in effect.split("\n"))
    return flow(f"  round:\n    turns: players\n    do: |\n{lines}", more, variables)


def flow(steps: str, more: str = "", variables: str = "", most: str = "me.score") -> str:
    """A small game with these steps."""
    declared = ", ".join(["score(player): int", variables] if variables else ["score(player): int"])
    return f"{HEAD}variables: {{{declared}}}\n{more}flow:\n{steps}winner: {{most: {most}}}\n"


def dealt(effect: str, more: str = CARDS) -> str:
    """A small game of cards in whose turns that effect happens."""
    lines = "".join(f"      {line}\n" for line in effect.split("\n"))
    return f"{HEAD}{more}flow:\n  round:\n    turns: players\n    do: |\n{lines}winner: {{most: count(me.hand)}}\n"


CHECKING = (
    Code(
        "HR501",
        "error",
        "An unknown name",
        "Everything that a rule speaks of is declared somewhere, so a misspelt name never becomes a new thing in silence.",
        turn("me.score = totl", "options: {total: {type: int, default: 3}}\n"),
        turn("me.score = total", "options: {total: {type: int, default: 3}}\n"),
    ),
    Code(
        "HR502",
        "error",
        "What is behind a dot does not belong to it",
        "After x. stands an attribute of x, a variable or zone whose first index x can be, or a function of x.",
        turn("me.scroe += 1"),
        turn("me.score += 1"),
    ),
    Code(
        "HR503",
        "error",
        "An unknown action, function, effect or verb",
        "What is performed is an action or an effect, what is asked for a value is a function; each is called by its name.",
        turn("perform grwo", "actions: {grow: me.score += 1}\n"),
        turn("perform grow", "actions: {grow: me.score += 1}\n"),
    ),
    Code(
        "HR504",
        "error",
        "A name that is taken",
        "A name means one thing wherever it stands, and words of the language mean only themselves.",
        turn("for total in players: total.score += 1", "options: {total: {type: int, default: 3}}\n"),
        turn("for p in players: p.score += total", "options: {total: {type: int, default: 3}}\n"),
    ),
    Code(
        "HR505",
        "error",
        "A member that several enums have",
        "Where nothing says which enum is meant, the enum stands before the member.",
        turn(
            "stone = gold\nif stone == metal.tin: me.score += count(colour)",
            "enums: {metal: [gold, tin], colour: [gold, red]}\n",
        ),
        turn(
            "stone = metal.gold\nif stone == metal.tin: me.score += count(colour)",
            "enums: {metal: [gold, tin], colour: [gold, red]}\n",
        ),
    ),
    Code(
        "HR506",
        "error",
        "The name of a kind where a value is wanted",
        "A kind stands for the list of its members after `in`, `from` and in lists; elsewhere that list is `every kind`.",
        turn("metals = metal\nme.score = count(metals)", METALS),
        turn("metals = every metal\nme.score = count(metals)", METALS),
    ),
    Code(
        "HR507",
        "error",
        "A copy that there is not",
        "Copies of a piece are counted from 1 up to its `count`.",
        dealt("move low#2 to me.hand"),
        dealt("move low#1 to me.hand"),
    ),
    Code(
        "HR508",
        "error",
        "A dot behind many things",
        "Only one thing has attributes and variables; of a list or a zone each member is asked.",
        turn("me.score = me.hand.rank\ndraw 1 from deck to me.hand", CARDS),
        turn("me.score = sum(c.rank for c in me.hand)\ndraw 1 from deck to me.hand", CARDS),
    ),
    Code(
        "HR509",
        "error",
        "An effect where a value is wanted",
        "An effect changes something and has no value: it is performed.",
        turn(
            "for c in card: me.score = c.wish",
            "components: {card: {effects: [wish], pieces: {low: {wish: me.score += 1}}}}\n",
        ),
        turn(
            "for c in card: perform c.wish",
            "components: {card: {effects: [wish], pieces: {low: {wish: me.score += 1}}}}\n",
        ),
    ),
    Code(
        "HR510",
        "error",
        "A value of another type",
        "A number, a piece, a player and a member of an enum are different things, and nothing is turned into another in "
        "silence.",
        turn("me.score = me.hand\ndraw 1 from deck to me.hand", CARDS),
        turn("me.score = count(me.hand)\ndraw 1 from deck to me.hand", CARDS),
    ),
    Code(
        "HR511",
        "error",
        "Too many or too few indices or arguments",
        "A call hands over exactly what the signature lists, and a zone, variable or table is found by all its indices.",
        turn("me.score = twice(2, 3)", "functions: {twice(int n): n + n}\n"),
        turn("me.score = twice(2)", "functions: {twice(int n): n + n}\n"),
    ),
    Code(
        "HR512",
        "error",
        "Not what this verb works on",
        "Each verb says what it takes and what follows its prepositions: a zone, a piece, a number, players.",
        dealt("draw me.hand from deck to me.hand"),
        dealt("draw 2 from deck to me.hand"),
    ),
    Code(
        "HR513",
        "error",
        "A preposition that is missing, or that the verb does not know",
        "The words after a verb say from where and to where; each verb has its own.",
        dealt("draw 2 to me.hand\nshuffle deck"),
        dealt("draw 2 from deck to me.hand\nshuffle deck"),
    ),
    Code(
        "HR514",
        "error",
        "A piece in a zone that holds others",
        "A zone holds pieces of one kind, or of any kind if it holds `piece`.",
        turn(
            "me.score += 1\ndraw 1 from bag to deck",
            "components: {card: {starts_in: deck, pieces: [ace]}, coin: {starts_in: bag, pieces: [penny]}}\n"
            "zones: {deck: {holds: card, visible: none}, bag: {holds: coin, visible: none}}\n",
        ),
        turn(
            "me.score += 1\ndraw 1 from bag to deck",
            "components: {card: {starts_in: deck, pieces: [ace]}, coin: {starts_in: bag, pieces: [penny]}}\n"
            "zones: {deck: {holds: piece, visible: none}, bag: {holds: coin, visible: none}}\n",
        ),
    ),
    Code(
        "HR515",
        "error",
        "A constant that reads what changes",
        "How many pieces there are, what is printed on them and what a table holds is known before the game starts.",
        turn("me.score = price[0]\ntotal += 1", "tables: {price: [total, 2]}\n", "total: int"),
        turn("me.score = price[0]", "tables: {price: [total, 2]}\noptions: {total: {type: int, default: 3}}\n"),
    ),
    Code(
        "HR516",
        "error",
        "Lists of different lengths for the copies of a piece",
        "A list of values makes one copy for each entry, so all lists of a piece and its `count` say the same number.",
        turn(
            "me.score = sum(c.rank for c in card)",
            "components: {card: {attributes: {rank: 1..9}, pieces: {low: {rank: [1, 2], count: 3}}}}\n",
        ),
        turn(
            "me.score = sum(c.rank for c in card)",
            "components: {card: {attributes: {rank: 1..9}, pieces: {low: {rank: [1, 2]}}}}\n",
        ),
    ),
    Code(
        "HR517",
        "error",
        "An attribute that a piece does not have",
        "Every piece of a kind has all attributes; only what may be none, a flag or a list can be left out.",
        turn("me.score = sum(c.rank for c in card)", "components: {card: {attributes: {rank: 1..9}, pieces: [low]}}\n"),
        turn(
            "me.score = sum(c.rank for c in card)",
            "components: {card: {attributes: {rank: 1..9}, pieces: {low: {rank: 1}}}}\n",
        ),
    ),
    Code(
        "HR518",
        "error",
        "An index that could be anything",
        "There is one zone or variable for each value of its index, so the index is an enum, a kind, a player or a range.",
        turn("me.score = mark[2]\nmark[1] = 3", variables="mark(int): int"),
        turn("me.score = mark[2]\nmark[1] = 3", variables="mark(1..6): int"),
    ),
    Code(
        "HR519",
        "error",
        "A variable that must say what it starts with",
        "Variables start with 0, false or none; one that can be none of these says with what.",
        turn("me.score = level\nlevel = 2", variables="level: 1..6"),
        turn("me.score = level\nlevel = 2", variables="level: 1..6 = 1"),
    ),
    Code(
        "HR520",
        "error",
        "What may be none is used without a test",
        "A choice may be passed, a pile may be empty, a variable may hold nobody: a rule says what happens then.",
        turn("draw 1 from deck to me.hand as card\nme.score += card.rank", CARDS),
        turn("draw 1 from deck to me.hand as card\nif card: me.score += card.rank", CARDS),
    ),
    Code(
        "HR521",
        "error",
        "A condition is wanted",
        "A test holds or does not hold. A number or a list is compared with something to make a test of it.",
        turn("if me.score: me.score = 0"),
        turn("if me.score > 0: me.score = 0"),
    ),
    Code(
        "HR522",
        "warning",
        "A test for none of what is never none",
        "The test always comes out the same, so something else was probably meant.",
        turn("if me == none: me.score = 3\nme.score += 1"),
        turn("if me.score == 0: me.score = 3\nme.score += 1"),
    ),
    Code(
        "HR523",
        "error",
        "An owner that there is not",
        "`visible: owner` needs an index that says whose the zone or variable is: a player.",
        turn("me.score = secret\nsecret = 3", variables="secret: {type: int, visible: owner}"),
        turn("me.score = me.secret\nme.secret = 3", variables="secret(player): {type: int, visible: owner}"),
    ),
    Code(
        "HR524",
        "error",
        "A table with an entry too few or too many",
        "A table has an entry for every member of its enum, or is a list; so a look-up always finds something.",
        turn("me.score += price[silver]", METALS + "tables: {price: {bronze: 1}}\n"),
        turn("me.score += price[silver]", METALS + "tables: {price: {bronze: 1, silver: 2}}\n"),
    ),
    Code(
        "HR525",
        "error",
        "Pieces that begin nowhere",
        "Pieces that lie in zones are in one from the beginning; what is out of the game lies in a zone for that.",
        dealt("draw 1 from deck to me.hand", CARDS.replace("starts_in: deck, ", "")),
        dealt("draw 1 from deck to me.hand"),
    ),
    Code(
        "HR527",
        "warning",
        "A kind of piece of which there is none",
        "Pieces are listed under `pieces`, each with how many there are of it, or made by `each`; a kind by itself has none.",
        dealt("draw 1 from deck to me.hand", BLANK_CARDS.replace("pieces: {blank: {count: 9}}", "count: 9")),
        dealt("draw 1 from deck to me.hand", BLANK_CARDS),
    ),
    Code(
        "HR530",
        "error",
        "Nobody is me",
        "`turns`, `together`, `as` and the score sheet say who `me` is; elsewhere nobody is.",
        flow("  setup: {do: me.score = 3}\n"),
        flow("  setup: {turns: players, do: me.score = 3}\n"),
    ),
    Code(
        "HR531",
        "error",
        "Another's things in a together",
        "All act at once, unseen, so each may change only what is their own; what all share is changed afterwards.",
        flow("  bid: {together: players, do: me.score += 1; total += 1}\n", "scoring: {total: total}\n", "total: int"),
        flow(
            "  bid: {together: players, do: me.score += 1}\n  count: {turns: players, do: total += 1}\n",
            "scoring: {total: total}\n",
            "total: int",
        ),
    ),
    Code(
        "HR532",
        "error",
        "What cannot stand in a together",
        "Chance, races, the end of the game and turns of others want an order, and in a together there is none.",
        flow("  bid: {together: players, do: roll me.score from 1..6}\n"),
        flow("  bid: {turns: players, do: roll me.score from 1..6}\n"),
    ),
    Code(
        "HR540",
        "error",
        "A function that does something",
        "A function works out a value and leaves everything as it is, so that it can be asked at any time.",
        turn("me.score = gained(me)", "functions:\n  gained(player p): |\n    p.score += 1\n    finish with p.score\n"),
        turn(
            "n = perform gained\nme.score += n", "actions:\n  gained: |\n    me.score += 1\n    finish with me.score\n"
        ),
    ),
    Code(
        "HR541",
        "error",
        "`leave` or `finish` where it means nothing",
        "`leave` ends a loop or the repetition of a step, `finish` an action, a turn or a pass of a step around it.",
        turn("me.score += 1\nif me.score > 3: leave"),
        turn("me.score += 1\nif me.score > 3: finish"),
    ),
    Code(
        "HR542",
        "error",
        "Something that cannot be set",
        "Variables and local names are set; pieces are moved, and what is printed or constant stays as it is.",
        dealt("me.hand = deck"),
        dealt("move deck to me.hand"),
    ),
    Code(
        "HR543",
        "error",
        "A menu with the same line twice",
        "A player answers with the words of a line, so each line says something else.",
        turn('choose "Go on?":\n  "Yes": me.score += 1\n  "Yes": nothing'),
        turn('choose "Go on?":\n  "Yes": me.score += 1\n  "No": nothing'),
    ),
    Code(
        "HR550",
        "error",
        "A value outside its range",
        "Nothing is clamped in silence. A value that is certainly outside is an error before the game starts, any other "
        "a fault when it happens.",
        turn("me.score = pips\npips = 7", variables="pips: 0..6"),
        turn("me.score = pips\npips = 6", variables="pips: 0..6"),
    ),
    Code(
        "HR551",
        "error",
        "Too many of something",
        "Games are finite, and a bound that is far beyond every table finds slips of the keyboard.",
        turn("me.score = count(1..1000000)"),
        turn("me.score = count(1..1000)"),
    ),
    Code(
        "HR552",
        "error",
        "An entry that a table does not have",
        "Tables count from 0: the first entry is for 0.",
        turn("me.score = price[3]", "tables: {price: [0, 1, 3]}\n"),
        turn("me.score = price[2]", "tables: {price: [0, 1, 3]}\n"),
    ),
    Code(
        "HR553",
        "error",
        "A division by zero",
        "There is no such number.",
        turn("me.score = 6 // 0"),
        turn("me.score = 6 // 2"),
    ),
    Code(
        "HR554",
        "error",
        "A constant that cannot be worked out",
        "It looks up what is not there, divides by zero, or takes more work than a game can wait for.",
        turn("me.score = count(tile)", TILES.format("0..3")),
        turn("me.score = count(tile)", TILES.format("1..3")),
    ),
    Code(
        "HR560",
        "warning",
        "Something that is never reached",
        "What stands before it always goes somewhere else.",
        turn("me.score += 1\nfinish\nme.score += 2"),
        turn("me.score += 1\nif me.score > 3: finish\nme.score += 2"),
    ),
    Code(
        "HR561",
        "error",
        "A repetition without an end",
        "A loop whose test always holds needs a `leave`, a step that repeats for ever needs an `end game` that can come.",
        flow("  round: {repeat: forever, turns: players, do: me.score += 1}\n"),
        flow("  round: {repeat: 3, turns: players, do: me.score += 1}\n"),
    ),
    Code(
        "HR562",
        "error",
        "A step that contains itself",
        "`use:` does another step again, with all that is in it.",
        flow("  round: {steps: {act: {turns: players, do: me.score += 1}, again: {use: round}}}\n"),
        flow("  round: {steps: {act: {turns: players, do: me.score += 1}, again: {use: act}}}\n"),
    ),
    Code(
        "HR563",
        "error",
        "Two keys that say the same thing of a step",
        "A step has one key for what happens, one for who acts and one for how often.",
        flow("  round: {turns: players, do: me.score += 1, steps: {rest: {do: nothing}}}\n"),
        flow("  round: {steps: {act: {turns: players, do: me.score += 1}, rest: {do: nothing}}}\n"),
    ),
    Code(
        "HR570",
        "warning",
        "An action, function or effect that nothing uses",
        "It is probably meant to happen somewhere.",
        turn("me.score += 1", "actions: {grow: me.score += 1}\n"),
        turn("perform grow", "actions: {grow: me.score += 1}\n"),
    ),
    Code(
        "HR571",
        "warning",
        "A zone, variable, table, option, enum or kind of piece that nothing uses",
        "What is never read decides nothing, and what is never set never changes.",
        turn("me.score += 1", "tables: {price: [1, 2]}\n"),
        turn("me.score += price[1]", "tables: {price: [1, 2]}\n"),
    ),
    Code(
        "HR572",
        "error",
        "A local name that nothing reads",
        "A name that no variable has is local to its block; set and never read, it is most often a misspelt variable.",
        turn("total = 3\ntotl = 4\nme.score = total", variables="total: int"),
        turn("total = 3\ntotal = 4\nme.score = total", variables="total: int"),
    ),
    Code(
        "HR580",
        "warning",
        "Options that give away what is hidden",
        "A filter that reads what the chooser may not see tells it by what it offers.",
        dealt("choose card from deck where it.rank > 3:\n  move card to me.hand"),
        dealt("choose card from me.hand where it.rank > 3:\n  move card to deck"),
    ),
    Code(
        "HR581",
        "warning",
        "Triggers that set each other off",
        "What one does is what the other waits for, and so on for ever, unless a `when` comes to an end.",
        turn(
            "a += 1\nme.score = a + b",
            "triggers: {there: {whenever: a changes, do: b += 1}, back: {whenever: b changes, do: a += 1}}\n",
            "a: int, b: int",
        ),
        turn("a += 1\nme.score = a + b", "triggers: {there: {whenever: a changes, do: b += 1}}\n", "a: int, b: int"),
    ),
    Code(
        "HR585",
        "warning",
        "A value in braces where none is shown",
        "Titles of pieces, members and lines of the score sheet show values of `it` or of the name behind `for`; other titles and "
        "texts are read as they stand, braces and all.",
        turn("me.score += 1\nlevel += 1", variables='level: {type: int, title: "Level {score}"}')
        + "scoring: {all: level}\n",
        turn("me.score += 1\nlevel += 1", variables="level: {type: int, title: Level}") + "scoring: {all: level}\n",
    ),
    Code(
        "HR590",
        "warning",
        "A text that is missing in a language",
        "A game whose title is in two languages is for players of both; what is missing is shown in the first.",
        turn("me.score += 1", "title: {en: Tiny, de: Winzig}\ntext: {en: A tiny game.}\n"),
        turn("me.score += 1", "title: {en: Tiny, de: Winzig}\ntext: {en: A tiny game., de: Ein winziges Spiel.}\n"),
    ),
    Code(
        "HR591",
        "warning",
        "A translation of a sentence that nothing says",
        "The key of a translation is the sentence, letter by letter as it stands in an effect.",
        turn(
            'me.score += 1\nsay "Good morning"',
            "title: {en: Tiny, de: Winzig}\ntranslations: {de: {Good morning: Guten Morgen, Good night: Gute Nacht}}\n",
        ),
        turn(
            'me.score += 1\nsay "Good morning"',
            "title: {en: Tiny, de: Winzig}\ntranslations: {de: {Good morning: Guten Morgen}}\n",
        ),
    ),
    Code(
        "HR592",
        "error",
        "A translation with something else in braces",
        "A translation has in braces only what the sentence has; the order is free.",
        turn(
            'me.score += 1\nsay "{me} wins"',
            'title: {en: Tiny, de: Winzig}\ntranslations: {de: {"{me} wins": "{you} gewinnt"}}\n',
        ),
        turn(
            'me.score += 1\nsay "{me} wins"',
            'title: {en: Tiny, de: Winzig}\ntranslations: {de: {"{me} wins": "{me} gewinnt"}}\n',
        ),
    ),
)
