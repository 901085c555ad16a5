"""Codes 4xx: what can be wrong with the words of an effect, an expression, a declaration or a sentence."""

from __future__ import annotations

from houserule.codes.row import Code


def turn(effect: str, more: str = "") -> str:
    """A small game in whose turns that effect happens."""
    lines = "".join(f"      {line}\n" for line in effect.split("\n"))
    head = "edition: 2026\ngame: tiny\nplayers: 2\nvariables: {score(player): int}\n"
    return f"{head}{more}flow:\n  round:\n    turns: players\n    do: |\n{lines}winner: {{most: me.score}}\n"


PARSING = (
    Code(
        "HR401",
        "error",
        "A word that cannot stand here",
        "The language knows few ways to say a thing, and none of them goes on with this word. The help names what can "
        "stand in its place.",
        turn("me.score += 3 4"),
        turn("me.score += 3 + 4"),
    ),
    Code(
        "HR402",
        "error",
        "Something is missing",
        "The text ends, or goes on, before it has said everything.",
        turn("me.score = 3 +"),
        turn("me.score = 3 + 4"),
    ),
    Code(
        "HR403",
        "error",
        "A bracket without a partner",
        "Each ( is closed by a ) and each [ by a ], in the opposite order.",
        turn("me.score = 2 * (3 + 4"),
        turn("me.score = 2 * (3 + 4)"),
    ),
    Code(
        "HR404",
        "error",
        "A sentence that does not end, or where none can stand",
        'A sentence for people stands between two straight double quotes on one line: after "say", as a prompt, as a '
        "label. It is no value.",
        turn("me.score += 1\nsay 'Well done!'"),
        turn('me.score += 1\nsay "Well done!"'),
    ),
    Code(
        "HR405",
        "error",
        "A character without a meaning",
        "Names are made of the letters a to z, digits and _, so that they can be typed on every keyboard. What players "
        "read stands in titles and sentences, in every script. A tab is refused: it looks different everywhere.",
        turn("me.score += 1€"),
        turn("me.score += 1"),
    ),
    Code(
        "HR406",
        "error",
        "Lines that are not aligned",
        "The lines of a block stand one below the other, and only a ':' opens a block.",
        turn("me.score += 1\n  me.score += 2"),
        turn("me.score += 1\nme.score += 2"),
    ),
    Code(
        "HR407",
        "error",
        "A ':' is missing",
        "A ':' stands between a condition, loop or choice and what happens then.",
        turn("if me.score < 3\n  me.score += 1"),
        turn("if me.score < 3:\n  me.score += 1"),
    ),
    Code(
        "HR408",
        "error",
        "Nothing after a ':'",
        "What happens stands behind the ':' or, further in, on the lines below. Where nothing is to happen, write "
        "'nothing'.",
        turn("if me.score < 3:\nme.score += 1"),
        turn("if me.score < 3:\n  me.score += 1"),
    ),
    Code(
        "HR409",
        "error",
        "An 'else' without its 'if'",
        "'elif' and 'else' begin a line, as far in as the 'if' or 'choose' that they belong to and directly after its "
        "block.",
        turn("if me.score < 3: me.score += 1 else: me.score += 2"),
        turn("if me.score < 3: me.score += 1\nelse: me.score += 2"),
    ),
    Code(
        "HR410",
        "error",
        "A word of the language as a name",
        "Words such as 'to', 'from' and 'when' build statements, and verbs begin them; a value of that name could not "
        "be told from them.",
        turn("for to in 1..3: me.score += 1"),
        turn("for step in 1..3: me.score += step"),
    ),
    Code(
        "HR411",
        "error",
        "A name that always means the same",
        "'me', 'it', 'this', 'players' and 'opponents' mean the same everywhere, so that a rule can be read without "
        "looking around.",
        turn("for me in players: me.score += 1"),
        turn("for p in players: p.score += 1"),
    ),
    Code(
        "HR412",
        "error",
        "Not a statement",
        "A statement begins with a verb or sets something. An action is performed: perform search(gold, 3).",
        turn('me.score += 1\nsya "Well done!"'),
        turn('me.score += 1\nsay "Well done!"'),
    ),
    Code(
        "HR413",
        "error",
        "'=' and '==' taken for one another",
        "'=' sets a name, '==' asks whether two values are the same.",
        turn("if me.score = 3: me.score += 1"),
        turn("if me.score == 3: me.score += 1"),
    ),
    Code(
        "HR414",
        "error",
        "A sign of another language",
        "Conditions are joined by the words 'and', 'or' and 'not'; numbers are compared by == != < <= > >=.",
        turn("if me.score > 1 && me.score < 3: me.score += 1"),
        turn("if me.score > 1 and me.score < 3: me.score += 1"),
    ),
    Code(
        "HR415",
        "error",
        "A chain of comparisons",
        "A comparison has two sides. Two of them are joined by 'and'; a number between two others is in a range.",
        turn("if 1 <= me.score <= 3: me.score += 1"),
        turn("if me.score in 1..3: me.score += 1"),
    ),
    Code(
        "HR416",
        "error",
        "Empty brackets",
        "What has no parameters is written without brackets.",
        turn("me.score += bonus()", "functions: {bonus: 2 + 3}\n"),
        turn("me.score += bonus", "functions: {bonus: 2 + 3}\n"),
    ),
    Code(
        "HR417",
        "error",
        "A list without its round brackets",
        "A list made from another by 'where', 'by' or 'for' stands in round brackets, unless it is what a function, a "
        "loop or a choice takes. Square brackets hold items written out.",
        turn("leaders = [p in players where p.score > 3]\nfor p in leaders: p.score -= 1"),
        turn("leaders = (p in players where p.score > 3)\nfor p in leaders: p.score -= 1"),
    ),
    Code(
        "HR418",
        "error",
        "'pass' out of place",
        "That the chooser may pass is said before 'from': choose card or pass from hand.",
        turn("choose p from players or pass\nif p: p.score += 1"),
        turn("choose p or pass from players\nif p: p.score += 1"),
    ),
    Code(
        "HR419",
        "error",
        "A number that cannot be",
        "Numbers are whole, at most 2147483647, and do not begin with 0.",
        turn("me.score += 012"),
        turn("me.score += 12"),
    ),
    Code(
        "HR420",
        "error",
        "Too long or too deep",
        "An effect or expression is at most 20,000 characters long, brackets and blocks stand at most 60 deep in one "
        "another, and an expression is at most 100 operators deep. Whoever needs more divides it into actions and "
        "functions; where each of those calls the next, there can be a hundred, but not several hundred.",
        turn(f"me.score = {'(' * 70}1{')' * 70}"),
        turn("me.score = 1"),
    ),
    Code(
        "HR421",
        "error",
        "Braces that do not fit",
        "In a sentence, {…} shows a value; a brace that is to be read is doubled. Elsewhere there are no braces.",
        turn('me.score += 1\nsay "{me has scored"'),
        turn('me.score += 1\nsay "{me} has scored"'),
    ),
    Code(
        "HR422",
        "error",
        "Not something that can be set or performed",
        "Left of '=' stands a name, x.f or f[x]; after 'perform' an action or the effect of a piece.",
        turn("3 = me.score"),
        turn("me.score = 3"),
    ),
    Code(
        "HR423",
        "error",
        "A block where none can be",
        "After a ':' on the same line only simple statements stand. What opens a block of its own begins a line.",
        turn("if me.score < 3: for p in players: p.score += 1"),
        turn("if me.score < 3:\n  for p in players: p.score += 1"),
    ),
    Code(
        "HR425",
        "error",
        "Lines that run together",
        "Only a '|' behind the key keeps the lines below it apart; below a '>' or nothing YAML makes one line of them.",
        "edition: 2026\ngame: tiny\nplayers: 2\nvariables: {score(player): int}\n"
        "flow:\n  round:\n    turns: players\n    do: >\n      me.score += 1\n      me.score += 2\nwinner: {most: me.score}\n",
        turn("me.score += 1\nme.score += 2"),
    ),
    Code(
        "HR424",
        "error",
        "An effect where a value is wanted",
        "This key holds an expression: it is read whenever its value is needed, and changes nothing.",
        turn("me.score += bonus", "functions: {bonus: me.score += 2}\n"),
        turn("me.score += bonus", "functions: {bonus: 2 + 3}\n"),
    ),
)
