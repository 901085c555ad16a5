"""Formats syntax trees and texts: the canonical text of a tree, and the same words with blanks and indentation in one style.

Words, brackets, comments and line breaks stay as the author wrote them. `format.py` writes a tree anew; this keeps its text.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never, cast

from houserule.language import nodes
from houserule.language.nodes import Expression, Statement
from houserule.language.scan import WORD
from houserule.language.words import RESERVED, SOMETIMES_NAMES

Formatted: TypeAlias = (
    Expression
    | Statement
    | nodes.Block
    | nodes.Preposition
    | nodes.Text
    | nodes.ChosenPart
    | nodes.MenuItem
    | nodes.TypeName
    | nodes.Declaration
    | nodes.Parameter
    | nodes.Signature
    | nodes.Binding
    | nodes.Event
)

# The precedence of expressions, loosest first; a looser one than its place allows is put in brackets.
WHAT_IF, SELECTION, CONDITIONAL, OR, AND, NOT, COMPARISON, RANGE, SUM, PRODUCT, UNARY, POSTFIX = range(12)
LEVELS: dict[type[nodes.Node], int] = {
    nodes.WhatIf: WHAT_IF,
    nodes.Selection: SELECTION,
    nodes.Conditional: CONDITIONAL,
    nodes.Not: NOT,
    nodes.Compare: COMPARISON,
    nodes.Is: COMPARISON,
    nodes.Range: RANGE,
    nodes.Negative: UNARY,
    nodes.PlayersFrom: UNARY,
}


def format(node: nodes.Node) -> str:
    return written(cast("Formatted", node))


# long: each class of node has its case; # complex: as many ways as classes
def written(node: Formatted) -> str:
    """The text of a node of any kind."""
    match node:
        # Names come first, since they are by far the most frequent.
        case nodes.Name(id=id):
            return id
        case nodes.Attribute(of=of, name=name):
            return f"{tight(of, POSTFIX)}.{name}"
        case nodes.Index(of=of, arguments=arguments):
            return f"{tight(of, POSTFIX)}[{several(arguments, CONDITIONAL)}]"
        case nodes.Call(function=function, arguments=arguments):
            return f"{tight(function, POSTFIX)}({several(arguments, SELECTION)})"
        case nodes.Sure(operand=operand):
            return f"{tight(operand, POSTFIX)}!"
        case nodes.Number(value=number):
            return str(number)
        case nodes.Truth(value=truth):
            return "true" if truth else "false"
        case nodes.Absent():
            return "none"
        case nodes.Copy(id=id, number=number):
            return f"{id}#{number}"
        case nodes.Every(kind=kind):
            return f"every {kind}"
        case nodes.ListOf(items=items):
            return f"[{several(items, CONDITIONAL)}]"
        case nodes.Range(low=low, high=high):
            return f"{tight(low, SUM)}..{tight(high, SUM)}"
        case nodes.Negative(operand=operand):
            return f"-{tight(operand, UNARY)}"
        case nodes.PlayersFrom(first=first):
            return f"players from {tight(first, UNARY)}"
        case nodes.Not(operand=operand):
            return f"not {tight(operand, NOT)}"
        case nodes.Binary(left=left, operator=operator, right=right):
            level = SUM if operator in "+-" else PRODUCT
            return f"{tight(left, level)} {operator} {tight(right, level + 1)}"
        case nodes.Compare(left=left, operator=operator, right=right):
            return f"{tight(left, RANGE)} {operator} {tight(right, RANGE)}"
        case nodes.Is(operand=operand, kind=kind, negated=negated):
            return f"{tight(operand, RANGE)} is {'not ' if negated else ''}{kind}"
        case nodes.Logic(left=left, operator=operator, right=right):
            level = OR if operator == "or" else AND
            return f"{tight(left, level)} {operator} {tight(right, level + 1)}"
        case nodes.Conditional(then=then, test=test, otherwise=other):
            return f"{tight(then, OR)} if {tight(test, OR)} else {tight(other, CONDITIONAL)}"
        case nodes.Selection():
            return selection(node)
        case nodes.WhatIf(value=value, effect=effect):
            return f"{tight(value, CONDITIONAL)} after {'; '.join(map(written, effect))}"
        case nodes.Block(statements=statements):
            return "\n".join(written(statement) for statement in statements)
        case nodes.Assign(target=target, operator=operator, value=value):
            return f"{tight(target, POSTFIX)} {operator} {tight(value, CONDITIONAL)}"
        case nodes.Command(verb=verb, argument=argument, prepositions=prepositions):
            return " ".join([verb, tight(argument, CONDITIONAL), *map(written, prepositions)])
        case nodes.Preposition(word=word, value=value):
            return f"{word} {tight(value, CONDITIONAL)}"
        case nodes.Say(to=to, text=text):
            return f"say to {tight(to, CONDITIONAL)} {written(text)}" if to is not None else f"say {written(text)}"
        case nodes.Text(raw=raw):
            # Text in braces stays as written: the sentence is the key of its translations.
            escaped = raw.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case nodes.If(test=test, then=block):
            return f"if {tight(test, CONDITIONAL)}:{suite(block)}{alternative(node.otherwise)}"
        case nodes.For():
            return f"for {node.binder} in {filtered(node)}:{suite(node.body)}"
        case nodes.While(test=test, body=block):
            return f"while {tight(test, CONDITIONAL)}:{suite(block)}"
        case nodes.Repeat(count=count, body=block):
            return f"repeat {tight(count, CONDITIONAL)} times:{suite(block)}"
        case nodes.Leave(step=step):
            return f"leave {step}" if step else "leave"
        case nodes.Finish(step=step):
            return f"finish {step}" if step else "finish"
        case nodes.FinishWith(value=value):
            return f"finish with {tight(value, CONDITIONAL)}"
        case nodes.EndGame(ending=ending, of=of):
            whose = f" of {tight(of, CONDITIONAL)}" if of is not None else ""
            return f"end game with {ending}{whose}" if ending else "end game"
        case nodes.Nothing():
            return "nothing"
        case nodes.Choose():
            return choose(node)
        case nodes.ChosenPart(name=name, source=source):
            return f"{name} from {written(source)}"
        case nodes.Menu():
            head = f"{chooser(node)} {written(node.prompt)}{f' {passing(node)}' if node.may_pass else ''}"
            return f"{head}:{indented(*map(written, node.items))}{otherwise(node.otherwise)}"
        case nodes.MenuItem(label=label, values=values, when=when, told=told, body=block):
            head = f"{written(label)}{f' for {values.binder} in {refined_list(values)}' if values is not None else ''}"
            head = f"{head}{f' when {tight(when, CONDITIONAL)}' if when is not None else ''}"
            return f"{head}{f' tell {written(told)}' if told is not None else ''}:{suite(block)}"
        case nodes.Perform(result=result, callee=callee, arguments=arguments):
            given = f"({several(arguments, SELECTION)})" if arguments else ""
            return f"{f'{result.id} = ' if result is not None else ''}perform {tight(callee, POSTFIX)}{given}"
        case nodes.As(player=player, body=block):
            return f"as {tight(player, CONDITIONAL)}:{suite(block)}"
        case nodes.Together(body=block):
            return f"together {bound(node)}:{suite(block)}"
        case nodes.Race(must=must, result=name):
            return f"race {bound(node)}{f' must {tight(must, CONDITIONAL)}' if must is not None else ''} as {name}"
        case nodes.TypeName():
            return type_name(node)
        case nodes.Declaration(type=type, start=start):
            return f"{written(type)} = {tight(start, CONDITIONAL)}" if start is not None else written(type)
        case nodes.Parameter(type=type, name=word):
            return f"{written(type)} {word}" if word else written(type)
        case nodes.Signature(name=name, parameters=parameters):
            return f"{name}({', '.join(map(written, parameters))})" if parameters else name
        case nodes.Binding():
            return bound(node)
        case nodes.Event():
            return event(node)
        case _:
            assert_never(node)


# --- expressions ---------------------------------------------------------------------------------------------------


def tightness(node: Expression) -> int:
    match node:
        case nodes.Logic(operator=operator):
            return OR if operator == "or" else AND
        case nodes.Binary(operator=operator):
            return SUM if operator in "+-" else PRODUCT
        case _:
            return LEVELS.get(type(node), POSTFIX)


def tight(node: Expression, level: int) -> str:
    """The text of an expression, in brackets if its precedence is lower."""
    if isinstance(node, nodes.Name):
        return node.id
    text = written(node)
    return text if tightness(node) >= level else f"({text})"


def several(expressions: Iterable[Expression], level: int) -> str:
    return ", ".join(tight(expression, level) for expression in expressions)


def selection(node: nodes.Selection) -> str:
    """`E for x in S for y in T where P by K`."""
    if node.value is not None:
        lists = (
            f" for {each.binder} in {tight(each.source, CONDITIONAL)}{refined(each)}" for each in (*node.around, node)
        )
        return f"{tight(node.value, CONDITIONAL)}{''.join(lists)}"
    if node.binder is not None:
        return f"{node.binder} in {tight(node.source, RANGE)}{refined(node)}"
    return refined_list(node)


def refined(node: nodes.Selection) -> str:
    """` where P by K`."""
    where = f" where {tight(node.where, CONDITIONAL)}" if node.where is not None else ""
    return f"{where} by {tight(node.by, CONDITIONAL)}" if node.by is not None else where


def filtered(node: nodes.For) -> str:
    """The list of a loop; a condition in it uses the loop's own name."""
    source = node.source
    if isinstance(source, nodes.Selection) and speaks_of(source, node.binder):
        return refined_list(source)
    return tight(source, CONDITIONAL)


def refined_list(node: nodes.Selection) -> str:
    """A list without the name of its members, which stands before it."""
    return f"{tight(node.source, CONDITIONAL)}{refined(node)}"


def bound(node: nodes.Together | nodes.Race | nodes.Binding) -> str:
    """`p in S where P`, where the condition uses p; `S where P`."""
    if node.binder is None or speaks_of(node.source, node.binder):
        return written(node.source)
    return f"{node.binder} in {tight(node.source, RANGE)}"


def speaks_of(node: Expression, binder: str) -> bool:
    return isinstance(node, nodes.Selection) and node.value is None and node.binder == binder


# --- statements ----------------------------------------------------------------------------------------------------


def indented(*texts: str) -> str:
    return "".join(f"\n  {line}" for text in texts for line in text.split("\n"))


def suite(block: nodes.Block) -> str:
    return indented(written(block))


def alternative(block: nodes.Block | None) -> str:
    """`elif …:` or `else:` after an `if`, and what follows."""
    if block is not None and len(block.statements) == 1 and isinstance(block.statements[0], nodes.If):
        return f"\nel{written(block.statements[0])}"
    return otherwise(block)


def otherwise(block: nodes.Block | None) -> str:
    return f"\nelse:{suite(block)}" if block is not None else ""


def chooser(node: nodes.Choose | nodes.Menu) -> str:
    return f"{tight(node.chooser, POSTFIX)} chooses" if node.chooser is not None else "choose"


def passing(node: nodes.Choose | nodes.Menu) -> str:
    return f"or pass when {tight(node.pass_when, CONDITIONAL)}" if node.pass_when is not None else "or pass"


def choose(node: nodes.Choose) -> str:
    """`choose 1..3 cards or pass from S "prompt": …`."""
    words = [chooser(node), node.name, "from", ", ".join(map(written, (node.source, *node.also)))]
    if node.may_pass:
        words.insert(2, passing(node))
    if node.count is not None:
        words.insert(1, tight(node.count, RANGE))
    if node.prompt is not None:
        words.append(written(node.prompt))
    after = f":{suite(node.body)}" if node.body is not None else ""
    return f"{' '.join(words)}{after}{otherwise(node.otherwise)}"


# --- declarations --------------------------------------------------------------------------------------------------


def type_name(node: nodes.TypeName) -> str:
    """`list of 0..20`, `player or none`."""
    name = node.name
    if node.low is not None and node.high is not None:
        name = f"{tight(node.low, SUM)}..{tight(node.high, SUM)}"
    return f"{'list of ' if node.is_list else ''}{name}{' or none' if node.optional else ''}"


def event(node: nodes.Event) -> str:
    """`c leaves basket of p`, `score of p changes`, `after pick as ok`."""
    place = f"{node.place} of {', '.join(node.of)}" if node.of else node.place
    if node.happening == "changes":
        return f"{place} changes"
    if node.subject is not None:
        return f"{node.subject} {node.happening} {place}"
    return f"{node.happening} {place}{f' as {node.result}' if node.result else ''}"


# --- texts ------------------------------------------------------------------------------------------------------------


INDENTATION = 2
BEFORE_COMMENT = 2  # the minimum number of blanks

OPENERS, CLOSERS = frozenset("(["), frozenset(")]")
# Reserved words that are values: spacing after them is as after a name.
VALUES = frozenset({"true", "false", "none"})


@dataclass(slots=True, eq=False, repr=False)
class Word:
    """A word or sign of a text: its position in the line, and the number of blanks before it."""

    text: str
    column: int
    blanks: int = 0

    @property
    def end(self) -> int:
        return self.column + len(self.text)


@dataclass(slots=True, eq=False, repr=False)
class Line:
    """A line of a text: its words, the comment at its end, and its indentation."""

    words: list[Word] = field(default_factory=list)
    comment: Word | None = None
    indent: int = 0

    @property
    def code(self) -> str:
        code = "".join(" " * word.blanks + word.text for word in self.words)
        return " " * self.indent + code if code else ""

    @property
    def text(self) -> str:
        if self.comment is None:
            return self.code
        return (self.code or " " * self.indent) + " " * self.comment.blanks + self.comment.text.rstrip()


def lay_out(text: str, verbs: Container[str], is_effect: bool) -> list[Line]:
    """The lines of a text that can be parsed, each with its layout; as many as before."""
    lines = cut(text)
    Spacing(verbs if is_effect else ()).space(lines)
    indent(lines)
    align(lines)
    return lines


def cut(text: str) -> list[Line]:
    lines = [Line()]
    start_of_line = 0
    for match in WORD.finditer(text):
        if match.lastgroup == "break":
            lines.append(Line())
            start_of_line = match.end()
        elif match.lastgroup == "comment":
            lines[-1].comment = Word(match[0], match.start() - start_of_line)
        elif match.lastgroup != "blank":
            lines[-1].words.append(Word(match[0], match.start() - start_of_line))
    return lines


# --- blanks between words ---------------------------------------------------------------------------------------------


class Spacing:
    """Sets the number of blanks before each word, given the words before it."""

    def __init__(self, verbs: Container[str]) -> None:
        self.verbs = verbs
        self.last: str | None = None
        self.is_value = False  # the last word ends a value, so that `(` calls it and `-` is a minus
        self.is_sign = False  # the last word is the sign of a number, not a minus
        self.begins = True  # a statement begins here, possibly with a verb
        self.depth = 0

    def space(self, lines: list[Line]) -> None:
        """Set the blanks of all words."""
        for line in lines:
            if line.words and not self.depth:
                self.begins, self.is_value = True, False
            for number, word in enumerate(line.words):
                word.blanks = self.blanks(word.text) if number else 0
                self.step(word.text)

    def blanks(self, word: str) -> int:
        """The number of blanks before a word that is not the first of its line."""
        last = self.last
        if last in OPENERS or last in (".", "..") or self.is_sign:
            return 0
        if word in CLOSERS or word in (",", ";", ":", ".", "..", "!"):
            return 0
        return 0 if word in OPENERS and self.is_value else 1

    def step(self, word: str) -> None:
        """Update the state after a word."""
        is_verb = self.begins and word in self.verbs
        self.is_sign = word in ("+", "-") and not self.is_value
        self.begins = word == ";" or (word == ":" and not self.depth)
        if word in OPENERS:
            self.depth += 1
        elif word in CLOSERS:
            self.depth -= 1
        if word in CLOSERS or word == "!":
            self.is_value = True
        elif re.match(r"\w", word):
            # After a dot any word is a name; after a value, `of` is none.
            is_name = (word not in RESERVED or word in VALUES) and not (word in SOMETIMES_NAMES and self.is_value)
            self.is_value = self.last == "." or (not is_verb and is_name)
        else:
            self.is_value = False
        self.last = word


# --- indentation ------------------------------------------------------------------------------------------------------


def indent(lines: list[Line]) -> None:
    """Set the indentation of all lines: by blocks, and within a statement by open brackets."""
    edges: list[int] = []
    comments: list[Line] = []
    depth = 0
    for line in lines:
        if not line.words:
            if line.comment is None:
                continue
            if depth:
                line.indent = INDENTATION * (len(edges) - 1 + depth)
            else:
                comments.append(line)
            continue
        if depth:
            leading = next((n for n, word in enumerate(line.words) if word.text not in CLOSERS), len(line.words))
            line.indent = INDENTATION * (len(edges) - 1 + max(0, depth - leading))
        else:
            before = list(edges)
            column = line.words[0].column
            while edges and column < edges[-1]:
                edges.pop()
            if not edges or column > edges[-1]:
                edges.append(column)
            indent_comments(comments, before, len(edges) - 1)
            comments = []
            line.indent = INDENTATION * (len(edges) - 1)
        depth += sum((word.text in OPENERS) - (word.text in CLOSERS) for word in line.words)
    indent_comments(comments, edges, 0)


def indent_comments(comments: list[Line], edges: list[int], level: int) -> None:
    """Set the indentation of comments on lines of their own, between a line whose blocks begin at `edges` and the next.

    They belong to the next line, which is `level` blocks deep, or to a block that ends there, if they are indented as far.
    """
    for line in comments:
        assert line.comment is not None
        column = line.comment.column
        within = [number for number, edge in enumerate(edges) if number > level and edge <= column]
        line.indent = INDENTATION * max([level, *within])
        # A comment further out than the one before ends the blocks between for later ones too.
        edges = [edge for edge in edges if edge <= column]


# --- trailing comments ------------------------------------------------------------------------------------------------


def align(lines: list[Line]) -> None:
    """Set the blanks before trailing comments.

    Comments of adjacent lines in one column stay aligned; the longest line keeps its distance.
    """
    run: list[Line] = []
    for line in [*lines, Line()]:
        column = line.comment.column if line.comment and line.words else None
        if run and (column is None or run[0].comment is None or column != run[0].comment.column):
            align_run(run)
            run = []
        if column is not None:
            run.append(line)


def align_run(lines: list[Line]) -> None:
    """Set the blanks before aligned comments."""
    comments = [line.comment for line in lines if line.comment is not None]
    distance = min(comment.column - line.words[-1].end for line, comment in zip(lines, comments, strict=True))
    column = max(len(line.code) for line in lines) + max(distance, BEFORE_COMMENT)
    for line, comment in zip(lines, comments, strict=True):
        comment.blanks = column - len(line.code)
