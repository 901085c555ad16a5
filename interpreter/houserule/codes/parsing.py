"""Codes 4xx: mistakes in the words of an effect, an expression, a declaration or a sentence."""

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
        "The language has few ways to say a thing, and none of them continues with this word. The help "
        "names what can stand in its place.",
        turn("me.score += 3 4"),
        turn("me.score += 3 + 4"),
    ),
    Code(
        "HR402",
        "error",
        "Something is missing",
        "The text ends or goes on before it is complete.",
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
        "A sentence that does not end, or stands in the wrong place",
        'A sentence for people stands between two straight double quotes on one line: after "say", as a '
        "question, as a label. It is not a value.",
        turn("me.score += 1\nsay 'Well done!'"),
        turn('me.score += 1\nsay "Well done!"'),
    ),
    Code(
        "HR405",
        "error",
        "A character without a meaning",
        "Names consist of the letters a to z, digits and _, so that every keyboard can type them. Titles "
        "and sentences for players may use any script. Tabs are refused, because they look different "
        "everywhere.",
        turn("me.score += 1€"),
        turn("me.score += 1"),
    ),
    Code(
        "HR406",
        "error",
        "Lines that are not aligned",
        "The lines of a block have the same indentation, and only a ':' opens a block.",
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
        "What happens follows the ':', or stands indented on the lines below. If nothing is to happen, "
        "write 'nothing'.",
        turn("if me.score < 3:\nme.score += 1"),
        turn("if me.score < 3:\n  me.score += 1"),
    ),
    Code(
        "HR409",
        "error",
        "An 'else' without its 'if'",
        "'elif' and 'else' begin a line directly after the block of their 'if' or 'choose', with the same indentation.",
        turn("if me.score < 3: me.score += 1 else: me.score += 2"),
        turn("if me.score < 3: me.score += 1\nelse: me.score += 2"),
    ),
    Code(
        "HR410",
        "error",
        "A word of the language as a name",
        "Words such as 'to', 'from' and 'when' are part of statements, and verbs begin them. A value with "
        "such a name could not be told apart.",
        turn("for to in 1..3: me.score += 1"),
        turn("for step in 1..3: me.score += step"),
    ),
    Code(
        "HR411",
        "error",
        "A name with a fixed meaning",
        "'me', 'it', 'this', 'players' and 'opponents' mean the same everywhere, so that a rule can be "
        "understood on its own.",
        turn("for me in players: me.score += 1"),
        turn("for p in players: p.score += 1"),
    ),
    Code(
        "HR412",
        "error",
        "Not a statement",
        "A statement begins with a verb or sets something. Actions are performed: perform pick(parasol, 3).",
        turn('me.score += 1\nsya "Well done!"'),
        turn('me.score += 1\nsay "Well done!"'),
    ),
    Code(
        "HR413",
        "error",
        "'=' and '==' confused",
        "'=' sets a name; '==' asks whether two values are equal.",
        turn("if me.score = 3: me.score += 1"),
        turn("if me.score == 3: me.score += 1"),
    ),
    Code(
        "HR414",
        "error",
        "A sign from another language",
        "Join conditions with the words 'and', 'or' and 'not'. Compare values with == != < <= > >=.",
        turn("if me.score > 1 && me.score < 3: me.score += 1"),
        turn("if me.score > 1 and me.score < 3: me.score += 1"),
    ),
    Code(
        "HR415",
        "error",
        "A chain of comparisons",
        "A comparison has two sides. Join two comparisons with 'and', or ask whether a number is in a range.",
        turn("if 1 <= me.score <= 3: me.score += 1"),
        turn("if me.score in 1..3: me.score += 1"),
    ),
    Code(
        "HR416",
        "error",
        "Empty brackets",
        "Without parameters there are no brackets.",
        turn("me.score += bonus()", "functions: {bonus: 2 + 3}\n"),
        turn("me.score += bonus", "functions: {bonus: 2 + 3}\n"),
    ),
    Code(
        "HR417",
        "error",
        "A list without its round brackets",
        "A list made from another with 'where', 'by' or 'for' stands in round brackets, unless a function, "
        "a loop or a choice takes it. Square brackets list their elements.",
        turn("leaders = [p in players where p.score > 3]\nfor p in leaders: p.score -= 1"),
        turn("leaders = (p in players where p.score > 3)\nfor p in leaders: p.score -= 1"),
    ),
    Code(
        "HR418",
        "error",
        "'pass' in the wrong place",
        "'or pass' stands before 'from': choose card or pass from hand.",
        turn("choose p from players or pass\nif p: p.score += 1"),
        turn("choose p or pass from players\nif p: p.score += 1"),
    ),
    Code(
        "HR419",
        "error",
        "An impossible number",
        "Numbers are whole, at most 2147483647, and do not begin with 0.",
        turn("me.score += 012"),
        turn("me.score += 12"),
    ),
    Code(
        "HR420",
        "error",
        "Too long or too deep",
        "An effect or expression has at most 20,000 characters. Brackets and blocks are nested at most 60 "
        "deep, and an expression is at most 100 operators deep. Divide longer ones into actions and "
        "functions. A chain of calls may be a hundred long, but not several hundred.",
        turn(f"me.score = {'(' * 70}1{')' * 70}"),
        turn("me.score = 1"),
    ),
    Code(
        "HR421",
        "error",
        "Unmatched or misplaced braces",
        "In a sentence, {…} shows a value; write a brace itself twice. Braces stand nowhere else.",
        turn('me.score += 1\nsay "{me has scored"'),
        turn('me.score += 1\nsay "{me} has scored"'),
    ),
    Code(
        "HR422",
        "error",
        "Something that cannot be set or performed",
        "Left of '=' stands a name, x.f or f[x]. After 'perform' stands an action or the effect of a piece.",
        turn("3 = me.score"),
        turn("me.score = 3"),
    ),
    Code(
        "HR423",
        "error",
        "A block in the wrong place",
        "After a ':' on the same line there are only simple statements. A statement that opens a block begins a line.",
        turn("if me.score < 3: for p in players: p.score += 1"),
        turn("if me.score < 3:\n  for p in players: p.score += 1"),
    ),
    Code(
        "HR425",
        "error",
        "Lines that run together",
        "Only a '|' after the key keeps the lines below it apart. After a '>' or nothing, YAML joins them.",
        "edition: 2026\ngame: tiny\nplayers: 2\nvariables: {score(player): int}\n"
        "flow:\n  round:\n    turns: players\n    do: >\n      me.score += 1\n      me.score += 2\nwinner: {most: me.score}\n",
        turn("me.score += 1\nme.score += 2"),
    ),
    Code(
        "HR424",
        "error",
        "An effect in place of a value",
        "This key holds an expression. It is evaluated whenever its value is needed, and changes nothing.",
        turn("me.score += bonus", "functions: {bonus: me.score += 2}\n"),
        turn("me.score += bonus", "functions: {bonus: 2 + 3}\n"),
    ),
)
