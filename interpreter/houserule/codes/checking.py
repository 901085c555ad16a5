"""Codes 5xx: mistakes in readable rules: names, types, places, unused things."""

from __future__ import annotations

from houserule.codes.row import Code

HEAD = "edition: 2026\ngame: tiny\nplayers: 2\n"
CARDS = """\
components: {card: {attributes: {rank: 1..9}, starts_in: deck, pieces: {low: {rank: 1}, high: {rank: 9}}}}
zones: {deck: {holds: card, visible: none}, hand(player): {holds: card, visible: owner}}
"""
OPEN_CARDS = CARDS.replace("visible: owner", "visible: all")
BLANK_CARDS = CARDS.replace(
    "attributes: {rank: 1..9}, starts_in: deck, pieces: {low: {rank: 1}, high: {rank: 9}}",
    "starts_in: deck, pieces: {blank: {count: 9}}",
)
TILES = "components: {{tile: {{attributes: {{rank: 0..9}}, each: {{rank: {0}}}, count: 6 // it.rank}}}}\n"
HABITATS = "enums: {habitat: [wood, bog]}\n"


def turn(effect: str, more: str = "", variables: str = "") -> str:
    """A small game whose turns perform the effect, with more keys and variables."""
    lines = "".join(f"      {line}\n" for line in effect.split("\n"))
    return flow(f"  round:\n    turns: players\n    do: |\n{lines}", more, variables)


def twice_each(levels: int) -> str:
    """Steps that each use the one before twice."""
    first = "  level_0: {turns: players, do: me.score += 1}\n"
    again = (
        f"  level_{n}: {{steps: {{a: {{use: level_{n - 1}}}, b: {{use: level_{n - 1}}}}}}}\n" for n in range(1, levels)
    )
    return first + "".join(again)


def flow(steps: str, more: str = "", variables: str = "", most: str = "me.score") -> str:
    """A small game with these steps."""
    declared = ", ".join(["score(player): int", variables] if variables else ["score(player): int"])
    return f"{HEAD}variables: {{{declared}}}\n{more}flow:\n{steps}winner: {{most: {most}}}\n"


def dealt(effect: str, more: str = CARDS) -> str:
    """A small card game whose turns perform the effect."""
    lines = "".join(f"      {line}\n" for line in effect.split("\n"))
    return f"{HEAD}{more}flow:\n  round:\n    turns: players\n    do: |\n{lines}winner: {{most: count(me.hand)}}\n"


CHECKING = (
    Code(
        "HR501",
        "error",
        "An unknown name",
        "Everything that a rule mentions must be declared, so a misspelt name never silently becomes something new.",
        turn("me.score = totl", "options: {total: {type: int, default: 3}}\n"),
        turn("me.score = total", "options: {total: {type: int, default: 3}}\n"),
    ),
    Code(
        "HR502",
        "error",
        "A name after a dot that does not belong to the value",
        "After `x.` comes an attribute of x, a variable or zone with x as its first index, or a function of x.",
        turn("me.scroe += 1"),
        turn("me.score += 1"),
    ),
    Code(
        "HR503",
        "error",
        "An unknown action, function, effect or verb",
        "`perform` takes an action or an effect, and a value comes from a function; each is called by its name.",
        turn("perform grwo", "actions: {grow: me.score += 1}\n"),
        turn("perform grow", "actions: {grow: me.score += 1}\n"),
    ),
    Code(
        "HR504",
        "error",
        "A name that is taken",
        "A name means one thing everywhere, and words of the language mean only themselves.",
        turn("for total in players: total.score += 1", "options: {total: {type: int, default: 3}}\n"),
        turn("for p in players: p.score += total", "options: {total: {type: int, default: 3}}\n"),
    ),
    Code(
        "HR505",
        "error",
        "A member of several enums",
        "If the context does not say which enum is meant, write the enum before the member.",
        turn(
            "home = wood\nif home == habitat.bog: me.score += count(colour)",
            "enums: {habitat: [wood, bog], colour: [wood, red]}\n",
        ),
        turn(
            "home = habitat.wood\nif home == habitat.bog: me.score += count(colour)",
            "enums: {habitat: [wood, bog], colour: [wood, red]}\n",
        ),
    ),
    Code(
        "HR506",
        "error",
        "The name of a kind in place of a value",
        "A kind stands for the list of its members after `in`, `from` and in lists. Elsewhere, write that "
        "list as `every kind`.",
        turn("habitats = habitat\nme.score = count(habitats)", HABITATS),
        turn("habitats = every habitat\nme.score = count(habitats)", HABITATS),
    ),
    Code(
        "HR507",
        "error",
        "A copy that does not exist",
        "Copies of a piece are numbered from 1 to its `count`.",
        dealt("move low#2 to me.hand", OPEN_CARDS),
        dealt("move low#1 to me.hand", OPEN_CARDS),
    ),
    Code(
        "HR508",
        "error",
        "A dot after several things",
        "Only a single thing has attributes and variables. In a list or a zone, ask each element.",
        turn("me.score = me.hand.rank\ndraw 1 from deck to me.hand", OPEN_CARDS),
        turn("me.score = sum(c.rank for c in me.hand)\ndraw 1 from deck to me.hand", OPEN_CARDS),
    ),
    Code(
        "HR509",
        "error",
        "An effect in place of a value",
        "An effect changes something and has no value. Perform it.",
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
        "A number, a piece, a player and a member of an enum are different things, and none silently becomes another.",
        turn("me.score = me.hand\ndraw 1 from deck to me.hand", CARDS),
        turn("me.score = count(me.hand)\ndraw 1 from deck to me.hand", CARDS),
    ),
    Code(
        "HR511",
        "error",
        "Too many or too few indices or arguments",
        "A call gives exactly the arguments of the signature, and a zone, variable or table needs all its indices.",
        turn("me.score = twice(2, 3)", "functions: {twice(int n): n + n}\n"),
        turn("me.score = twice(2)", "functions: {twice(int n): n + n}\n"),
    ),
    Code(
        "HR512",
        "error",
        "Something that the verb does not accept",
        "Each verb says what it takes and what follows its prepositions: a zone, a piece, a number, players.",
        dealt("draw me.hand from deck to me.hand"),
        dealt("draw 2 from deck to me.hand"),
    ),
    Code(
        "HR513",
        "error",
        "A missing or unknown preposition",
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
        "The number of pieces, what is printed on them and the entries of tables are fixed before the game starts.",
        turn("me.score = price[0]\ntotal += 1", "tables: {price: [total, 2]}\n", "total: int"),
        turn("me.score = price[0]", "tables: {price: [total, 2]}\noptions: {total: {type: int, default: 3}}\n"),
    ),
    Code(
        "HR516",
        "error",
        "Lists of different lengths for the copies of a piece",
        "A list of values makes one copy for each entry, so all lists of a piece have the same length, and "
        "its `count` agrees.",
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
        "A missing attribute",
        "Every piece of a kind has all attributes. Only flags, lists and attributes that may be none can be left out.",
        turn("me.score = sum(c.rank for c in card)", "components: {card: {attributes: {rank: 1..9}, pieces: [low]}}\n"),
        turn(
            "me.score = sum(c.rank for c in card)",
            "components: {card: {attributes: {rank: 1..9}, pieces: {low: {rank: 1}}}}\n",
        ),
    ),
    Code(
        "HR518",
        "error",
        "An index with too many values",
        "There is one zone or variable for each value of the index, so the index is an enum, a kind, a "
        "player or a range.",
        turn("me.score = mark[2]\nmark[1] = 3", variables="mark(int): int"),
        turn("me.score = mark[2]\nmark[1] = 3", variables="mark(1..6): int"),
    ),
    Code(
        "HR519",
        "error",
        "A variable without a start",
        "Variables start as 0, false or none. A type that allows none of these needs a start.",
        turn("me.score = level\nlevel = 2", variables="level: 1..6"),
        turn("me.score = level\nlevel = 2", variables="level: 1..6 = 1"),
    ),
    Code(
        "HR520",
        "error",
        "A value that may be none is used without a test",
        "A choice may be declined, a pile may be empty, a variable may hold nobody. A rule must say what happens then, "
        "or with `!` that it never happens: `owner(card)!`.",
        turn("draw 1 from deck to me.hand as card\nme.score += card.rank", OPEN_CARDS),
        turn("draw 1 from deck to me.hand as card\nif card: me.score += card.rank", OPEN_CARDS),
    ),
    Code(
        "HR521",
        "error",
        "A condition is missing",
        "A condition is true or false. Compare a number or a list with something to get one.",
        turn("if me.score: me.score = 0"),
        turn("if me.score > 0: me.score = 0"),
    ),
    Code(
        "HR522",
        "warning",
        "A test for none of something that is never none",
        "The test always has the same result, so you probably meant something else.",
        turn("if me == none: me.score = 3\nme.score += 1"),
        turn("if me.score == 0: me.score = 3\nme.score += 1"),
    ),
    Code(
        "HR523",
        "error",
        "A missing owner",
        "`visible: owner` needs an index that says who owns the zone or variable: a player.",
        turn("me.score += 1\nif me.score > secret: secret = 3", variables="secret: {type: int, visible: owner}"),
        turn(
            "me.score += 1\nif me.score > me.secret: me.secret = 3",
            variables="secret(player): {type: int, visible: owner}",
        ),
    ),
    Code(
        "HR524",
        "error",
        "A table with a missing or an extra entry",
        "A table is a list or has an entry for every member of its enum, so a look-up always finds something.",
        turn("me.score += price[bog]", HABITATS + "tables: {price: {wood: 1}}\n"),
        turn("me.score += price[bog]", HABITATS + "tables: {price: {wood: 1, bog: 2}}\n"),
    ),
    Code(
        "HR525",
        "error",
        "Pieces that begin nowhere",
        "Pieces that lie in zones begin in one. Give pieces out of the game a zone of their own.",
        dealt("draw 1 from deck to me.hand", CARDS.replace("starts_in: deck, ", "")),
        dealt("draw 1 from deck to me.hand"),
    ),
    Code(
        "HR527",
        "warning",
        "A kind without pieces",
        "Pieces are listed under `pieces` with their number, or made by `each`. A kind by itself has none.",
        dealt("draw 1 from deck to me.hand", BLANK_CARDS.replace("pieces: {blank: {count: 9}}", "count: 9")),
        dealt("draw 1 from deck to me.hand", BLANK_CARDS),
    ),
    Code(
        "HR528",
        "error",
        "A value per position where none can be",
        "A variable with `per_position` has a value for each position of other zones and variables. So it belongs to no piece, "
        "is no part of a position, and nothing waits for it.",
        turn("seen += 1\nme.score += seen", variables="seen: {type: int, per_position: [seen]}"),
        turn("seen += 1\nme.score += seen", variables="seen: {type: int, per_position: [score]}"),
    ),
    Code(
        "HR530",
        "error",
        "Nobody is me",
        "`turns`, `together`, `as` and the score sheet set `me`. Elsewhere there is none.",
        flow("  setup: {do: me.score = 3}\n"),
        flow("  setup: {turns: players, do: me.score = 3}\n"),
    ),
    Code(
        "HR531",
        "error",
        "Something of another player in a together",
        "All act at once, unseen, so each player may change only what is their own. Change shared things afterwards.",
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
        "Something that cannot stand in a together",
        "Chance, races, the end of the game and turns of others need an order, and a together has none.",
        flow("  bid: {together: players, do: roll me.score from 1..6}\n"),
        flow("  bid: {turns: players, do: roll me.score from 1..6}\n"),
    ),
    Code(
        "HR540",
        "error",
        "A function that does something",
        "A function works out a value and changes nothing, so that it can be called at any time.",
        turn("me.score = gained(me)", "functions:\n  gained(player p): |\n    p.score += 1\n    finish with p.score\n"),
        turn(
            "n = perform gained\nme.score += n", "actions:\n  gained: |\n    me.score += 1\n    finish with me.score\n"
        ),
    ),
    Code(
        "HR541",
        "error",
        "`leave` or `finish` where it means nothing",
        "`leave` ends a loop or the repetition of a step. `finish` ends an action, a turn or a pass of an "
        "enclosing step.",
        turn("me.score += 1\nif me.score > 3: leave"),
        turn("me.score += 1\nif me.score > 3: finish"),
    ),
    Code(
        "HR542",
        "error",
        "Something that cannot be set",
        "Variables and local names can be set. Pieces are moved, and what is printed or constant never changes.",
        dealt("me.hand = deck"),
        dealt("move deck to me.hand"),
    ),
    Code(
        "HR543",
        "error",
        "A menu with the same label twice",
        "A player answers with a label, so all labels must differ.",
        turn('choose "Go on?":\n  "Yes": me.score += 1\n  "Yes": nothing'),
        turn('choose "Go on?":\n  "Yes": me.score += 1\n  "No": nothing'),
    ),
    Code(
        "HR544",
        "error",
        "An effect that cannot be imagined",
        "What the table would be like after an effect must be known at once and leave nothing behind. So what follows "
        "`after` sets variables, moves pieces and performs actions; it asks nobody, leaves nothing to chance and says nothing.",
        turn("if (me.score > 3 after roll me.score from 1..6): me.score += 1"),
        turn("if (me.score > 3 after me.score += 2): me.score += 1"),
    ),
    Code(
        "HR550",
        "error",
        "A value outside its range",
        "Nothing is silently clamped. A value that is certainly outside is an error before the game starts, "
        "any other a fault when it happens.",
        turn("me.score = pips\npips = 7", variables="pips: 0..6"),
        turn("me.score = pips\npips = 6", variables="pips: 0..6"),
    ),
    Code(
        "HR551",
        "error",
        "Too many of something",
        "Games are finite, and a limit far beyond every table catches typing errors.",
        turn("me.score = count(1..1000000)"),
        turn("me.score = count(1..1000)"),
    ),
    Code(
        "HR552",
        "error",
        "A missing entry of a table",
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
        "It looks up something that is missing, divides by zero, or takes too much work.",
        turn("me.score = count(tile)", TILES.format("0..3")),
        turn("me.score = count(tile)", TILES.format("1..3")),
    ),
    Code(
        "HR560",
        "warning",
        "Something that is never reached",
        "What comes before it always goes somewhere else.",
        turn("me.score += 1\nfinish\nme.score += 2"),
        turn("me.score += 1\nif me.score > 3: finish\nme.score += 2"),
    ),
    Code(
        "HR561",
        "error",
        "A repetition without an end",
        "A loop whose condition always holds needs a `leave`. A step that repeats forever needs an `end "
        "game` that can be reached.",
        flow("  round: {repeat: forever, turns: players, do: me.score += 1}\n"),
        flow("  round: {repeat: 3, turns: players, do: me.score += 1}\n"),
    ),
    Code(
        "HR562",
        "error",
        "A step that contains itself",
        "`use:` performs another step again, with everything in it.",
        flow("  round: {steps: {act: {turns: players, do: me.score += 1}, again: {use: round}}}\n"),
        flow("  round: {steps: {act: {turns: players, do: me.score += 1}, again: {use: act}}}\n"),
    ),
    Code(
        "HR563",
        "error",
        "Two keys for the same purpose in a step",
        "A step has one key for what happens, one for who acts and one for how often.",
        flow("  round: {turns: players, do: me.score += 1, steps: {rest: {do: nothing}}}\n"),
        flow("  round: {steps: {act: {turns: players, do: me.score += 1}, rest: {do: nothing}}}\n"),
    ),
    Code(
        "HR564",
        "error",
        "Rules that are too large to check",
        "A step with `use` is checked with everything in the step that it uses. If each step uses the one before "
        "twice, twenty steps make a million. What a game may take is limited: about 75,000 expressions and statements, "
        "for all its files and all numbers of players together, with what reading and working them out takes. That is "
        "ten times what the largest of the bundled games needs.",
        flow(twice_each(20)),
        flow(twice_each(3)),
    ),
    Code(
        "HR570",
        "warning",
        "An action, function or effect that nothing uses",
        "It is probably meant to be used somewhere.",
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
        "A name that is not a variable is local to its block. If it is set and never read, it is usually a "
        "misspelt variable.",
        turn("total = 3\ntotl = 4\nme.score = total", variables="total: int"),
        turn("total = 3\ntotal = 4\nme.score = total", variables="total: int"),
    ),
    Code(
        "HR580",
        "warning",
        "Options that reveal what is hidden",
        "A filter that reads what the chooser may not see reveals it through the options.",
        dealt("choose card from deck where it.rank > 3:\n  move card to me.hand"),
        dealt("choose card from me.hand where it.rank > 3:\n  move card to deck"),
    ),
    Code(
        "HR581",
        "warning",
        "Triggers that set each other off",
        "Each does what the other waits for, forever, unless a `when` stops them.",
        turn(
            "a += 1\nme.score = a + b",
            "triggers: {there: {whenever: a changes, do: b += 1}, back: {whenever: b changes, do: a += 1}}\n",
            "a: int, b: int",
        ),
        turn("a += 1\nme.score = a + b", "triggers: {there: {whenever: a changes, do: b += 1}}\n", "a: int, b: int"),
    ),
    Code(
        "HR582",
        "warning",
        "Something hidden comes to light",
        "What all are shown, told or asked must not depend on what some of them may not see, not even through a local name, a function, the "
        "number of questions or who is asked. A piece that is moved or shown openly may be seen from then on. For anything else that "
        "is meant to come to light, `reveals` gives the reason.",
        turn("draw 1 from deck to me.hand as card\nif card and card.rank > 3: me.score += 1", CARDS),
        turn(
            "draw 1 from deck to me.hand as card\nif card:\n  show card to players\n  if card.rank > 3: me.score += 1",
            CARDS,
        ),
    ),
    Code(
        "HR583",
        "warning",
        "A `reveals` where nothing is revealed",
        "`reveals` says why something hidden may be seen. If nothing hidden is shown there, it is a remnant or in the wrong "
        "place.",
        turn("perform gain", "actions: {gain: {reveals: All see it., do: me.score += 1}}\n"),
        turn("perform gain", "actions: {gain: me.score += 1}\n"),
    ),
    Code(
        "HR585",
        "warning",
        "A value in braces that is never shown",
        "Titles of pieces, members and score lines show values of `it` or of the name after `for`, texts of options, steps, "
        "actions and functions those of options. Other titles and texts are shown as they are written, braces included.",
        turn("me.score += 1\nlevel += 1", variables='level: {type: int, title: "Level {score}"}')
        + "scoring: {all: level}\n",
        turn("me.score += 1\nlevel += 1", variables="level: {type: int, title: Level}") + "scoring: {all: level}\n",
    ),
    Code(
        "HR587",
        "warning",
        "A name with capital letters",
        "Names have small letters only, so that nobody has to remember where the capitals are; people read the title.",
        turn("me.score += Level\nLevel += 1", variables="Level: int"),
        turn("me.score += level\nlevel += 1", variables="level: int"),
    ),
    Code(
        "HR590",
        "warning",
        "A text that is missing in a language",
        "A game whose title is in two languages is for players of both. A missing text is shown in the first.",
        turn("me.score += 1", "title: {en: Tiny, de: Winzig}\ntext: {en: A tiny game.}\n"),
        turn("me.score += 1", "title: {en: Tiny, de: Winzig}\ntext: {en: A tiny game., de: Ein winziges Spiel.}\n"),
    ),
    Code(
        "HR591",
        "warning",
        "A translation of a sentence that nothing says",
        "The key of a translation is the sentence, exactly as it stands in an effect.",
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
        "A translation with other values in braces",
        "A translation has the same values in braces as the sentence, in any order.",
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
