"""Builds nodes of the syntax tree from the alternatives of the parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lark import Token

from houserule.diagnostics import LINE, Diagnostic, Fix, Span
from houserule.language import nodes
from houserule.language.words import GREATEST_NUMBER, IS_A_WORD, NEVER_BOUND, RESERVED, SIMPLE
from houserule.source import AnyFragment

Part = Any
"""A word, a node, or a container of several of them."""
LATE_PASS = re.compile(r"\b(?:choose|chooses) +(?:[\w.]+ +)?\w+ +(?P<list>from\b.*?) +or +$")
OTHER_SPELLINGS = frozenset({"None", "True", "False", "NONE", "TRUE", "FALSE"})


@dataclass(slots=True, eq=False, repr=False)
class Reading:
    """A text being parsed, and the mistakes found so far."""

    fragment: AnyFragment
    found: list[Diagnostic] = field(default_factory=list)
    is_understood: bool = True


def nodes_in(children: list[Part]) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, nodes.Node))


class Builder:
    """Builds the node of each alternative of the grammar, and reports mistakes that the grammar accepts.

    `make_x` builds the alias `x`. Children are the words and nodes of the alternative, in order; `reading` is the text
    at hand, and `sentence` makes a `Text` from a string.
    """

    reading: Reading

    def __init__(self, verbs: Container[str], sentence: Callable[[Builder, Token], nodes.Text]) -> None:
        self.verbs = verbs
        self.sentence = sentence
        self.just_too_great: Diagnostic | None = None  # the refusal of a number that only a minus allows

    # --- places and complaints -------------------------------------------------------------------------------------

    def place(self, part: Part) -> Span:
        if isinstance(part, Token):
            # The type says that tokens may have no place; those of a text have one.
            return self.reading.fragment.span(part.line, part.column, part.end_line, part.end_column)  # type: ignore[arg-type]
        span: Span = part.span
        return span

    def whole(self, parts: Sequence[Part]) -> Span:
        """The place from the first of these to the last."""
        first = self.place(parts[0])
        return first if len(parts) == 1 else first.to(self.place(parts[-1]))

    def refuse(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        *,
        understood: bool = False,
        fix: Fix | None = None,
    ) -> None:
        """Report a mistake. If it is `understood` there is a tree all the same, so that later passes find further mistakes."""
        self.reading.found.append(Diagnostic(code, "error", message, span, help, fix=fix))
        self.reading.is_understood = self.reading.is_understood and understood

    # --- words -----------------------------------------------------------------------------------------------------

    def word(self, token: Token) -> str:
        """A name that is used; the lexer accepts a reserved word where only a name is possible."""
        if token in OTHER_SPELLINGS:
            place, word = self.place(token), token.lower()
            self.refuse("HR401", f"'{token}' is written '{word}' here", place, word, fix=Fix(place, word))
        elif token in RESERVED:
            if token == "pass":
                hint = "to let the chooser decline: choose … or pass from …"
                fix = self.with_pass_before_from(token)
                self.refuse("HR418", "'pass' is not allowed here", self.place(token), hint, fix=fix)
            else:
                self.refuse("HR410", IS_A_WORD.format(token), self.place(token), "choose another name", understood=True)
        return str(token)

    def new_word(self, token: Token) -> tuple[str, Span]:
        """A name that is declared here."""
        span = self.place(token)
        self.check_new(self.word(token), span)
        return str(token), span

    def check_new(self, word: str, span: Span) -> None:
        """Report names with a fixed meaning, and verbs."""
        if not self.always_means_the_same(word, span) and word in self.verbs:
            self.refuse("HR410", f"'{word}' is a verb, so it cannot name a value", span, "choose another name")

    def always_means_the_same(self, word: str, span: Span) -> bool:
        """Whether a name has a fixed meaning; reports it."""
        if word in NEVER_BOUND:
            message = f"'{word}' always means the same, so nothing else can be called that"
            self.refuse("HR411", message, span, "choose another name")
        return word in NEVER_BOUND

    def without_brackets(self, brackets: Span, help: str) -> None:
        """Report brackets without anything in them, unless what stands before them needs arguments."""
        message, fix = "without arguments there are no brackets", Fix(brackets, "")
        self.reading.found.append(Diagnostic("HR416", "error", message, brackets, help, follows_from=(LINE,), fix=fix))

    def with_pass_before_from(self, token: Token) -> Fix | None:
        """Move `or pass` from the end of a list to its place, if everything is in one line."""
        assert token.line is not None and token.column is not None and token.end_column is not None
        line = self.reading.fragment.text.split("\n")[token.line - 1]
        found = LATE_PASS.search(line[: token.column - 1])
        if found is None:
            return None
        start = found.start("list") + 1
        return self.reading.fragment.fix(token.line, start, token.line, token.end_column, f"or pass {found['list']}")

    def opened(self, node: nodes.Expression) -> tuple[str | None, Span | None, nodes.Expression]:
        """The name that a list gives its members, if any: `m in me.basket` was parsed as a comparison so far."""
        if isinstance(node, nodes.Compare) and node.operator == "in" and isinstance(node.left, nodes.Name):
            self.check_new(node.left.id, node.left.span)
            return node.left.id, node.left.span, node.right
        return None, None, node

    def refined(self, parts: list[Part]) -> tuple[nodes.Expression | None, nodes.Expression | None]:
        where = parts[1] if parts and parts[0] == "where" else None
        by = parts[-1] if parts and parts[-2] == "by" else None
        return where, by

    # --- expressions -----------------------------------------------------------------------------------------------

    def plain(self, node_class: type[nodes.Node]) -> Callable[[list[Part]], nodes.Node]:
        """A node whose fields are the nodes of the alternative, in order."""

        def make(children: list[Part]) -> nodes.Node:
            return node_class(self.whole(children), *nodes_in(children))

        return make

    def infix(self, node_class: type[nodes.Binary | nodes.Logic | nodes.Compare]) -> Callable[[list[Part]], nodes.Node]:
        """A node of two operands with one word, or `not in`, between them."""

        def make(children: list[Part]) -> nodes.Node:
            operator = str(children[1]) if len(children) == 3 else "not in"
            return node_class(self.whole(children), children[0], operator, children[-1])

        return make

    def make_name(self, children: list[Part]) -> nodes.Node:
        return nodes.Name(self.place(children[0]), self.word(children[0]))

    def make_number(self, children: list[Part]) -> nodes.Node:
        token = children[0]
        span = self.place(token)
        if len(token) > 1 and token[0] == "0":
            plain = token.lstrip("0") or "0"
            help, fix = (plain, Fix(span, plain)) if len(plain) < 20 else (None, None)
            self.refuse("HR419", "a number does not begin with 0", span, help, understood=True, fix=fix)
        digits = token.lstrip("0") or "0"
        if len(digits) > 10 or int(digits) > GREATEST_NUMBER:
            self.refuse("HR419", f"a number is at most {GREATEST_NUMBER}", span, understood=True)
            if int(digits[:11]) == GREATEST_NUMBER + 1:
                self.just_too_great = self.reading.found[-1]
            digits = str(GREATEST_NUMBER)
        return nodes.Number(span, int(digits))

    def make_truth(self, children: list[Part]) -> nodes.Node:
        return nodes.Truth(self.place(children[0]), children[0] == "true")

    def make_copy(self, children: list[Part]) -> nodes.Node:
        """`bronze_emerald#2`."""
        piece, _, number = children[0].partition("#")
        span = self.place(children[0])
        if len(number) > 9 or number[0] == "0":
            self.refuse("HR419", "copies are numbered from 1", span, f"{piece}#1", understood=True)
        return nodes.Copy(span, piece, int(number[:9]))

    def make_every(self, children: list[Part]) -> nodes.Node:
        return nodes.Every(self.whole(children), self.word(children[1]))

    def make_negative(self, children: list[Part]) -> nodes.Node:
        if children[0] == "+":
            sign = self.place(children[0])
            message = "a number needs no '+' before it"
            self.refuse("HR401", message, sign, "leave it out", understood=True, fix=Fix(sign, ""))
            number: nodes.Node = children[1]
            return number
        operand, found = children[1], self.reading.found
        is_too_great = found and found[-1] is self.just_too_great and found[-1].span == operand.span
        if is_too_great:  # the least number has a greater one
            found.pop()
            operand = nodes.Number(operand.span, GREATEST_NUMBER + 1)
        return nodes.Negative(self.whole(children), operand)

    def make_list_of(self, children: list[Part]) -> nodes.Node:
        return nodes.ListOf(self.whole(children), nodes_in(children))

    def make_in_brackets(self, children: list[Part]) -> nodes.Node:
        """`(x)`: the same as x, with a longer span."""
        node: nodes.Node = replace(children[1], span=self.whole(children))
        return node

    def make_is(self, children: list[Part]) -> nodes.Node:
        """`x is mushroom`."""
        kind = children[-1]
        return nodes.Is(
            self.whole(children), children[0], "none" if kind == "none" else self.word(kind), children[2] == "not"
        )

    def make_attribute(self, children: list[Part]) -> nodes.Node:
        return nodes.Attribute(self.whole(children), children[0], self.word(children[2]), self.place(children[2]))

    def make_index(self, children: list[Part]) -> nodes.Node:
        """`patch[wood]`."""
        of, *arguments = nodes_in(children)
        return nodes.Index(self.whole(children), of, tuple(arguments))

    def make_call(self, children: list[Part]) -> nodes.Node:
        """`f(a, b)`."""
        function, *arguments = nodes_in(children)
        if not arguments:
            self.without_brackets(self.whole(children[1:]), "leave '()' out")
            name: nodes.Node = function
            return name
        return nodes.Call(self.whole(children), function, tuple(arguments))

    def make_selection(self, children: list[Part]) -> nodes.Node:
        """`E for x in S for y in T where P by K`, `x in S where P`, `S where P`; `for x in S where P` before the last list."""
        span = self.whole(children)
        if "for" in children:
            at = children.index("for")
            value, *around = children[:at] or [None]
            word, word_span = self.new_word(children[at + 1])
            where, by = self.refined(children[at + 4 :])
            return nodes.Selection(span, value, word, word_span, children[at + 3], where, by, tuple(around))
        return nodes.Selection(span, None, *self.opened(children[0]), *self.refined(children[1:]))

    def make_what_if(self, children: list[Part]) -> nodes.Node:
        """`E after move card to discard; me.score += 1`."""
        value, *effect = nodes_in(children)
        return nodes.WhatIf(self.whole(children), value, tuple(effect))

    # --- statements ------------------------------------------------------------------------------------------------

    def make_block(self, children: list[Part]) -> nodes.Node:
        """Statements; the place of a block is that of its statements."""
        statements = nodes_in(children)
        return nodes.Block(self.whole(statements), statements)

    def target(self, node: nodes.Expression) -> nodes.Expression:
        """The left side of a `=`."""
        if not isinstance(node, nodes.Name | nodes.Attribute | nodes.Index):
            help = "use a name, x.f or f[x] before '='"
            if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Name):
                help = f"the value for x stands in square brackets: {node.function.id}[x]"
            self.refuse("HR422", "this is not something that can be set", node.span, help)
        return node

    def make_assign(self, children: list[Part]) -> nodes.Node:
        return nodes.Assign(self.whole(children), self.target(children[0]), str(children[1]), children[2])

    def make_command(self, children: list[Part]) -> nodes.Node:
        """`move card to discard`."""
        verb, argument, *prepositions = children
        said: set[str] = set()
        for preposition in prepositions:
            if preposition.word in said:
                self.refuse("HR401", f"'{preposition.word}' appears twice in this command", preposition.span)
            said.add(preposition.word)
        return nodes.Command(self.whole(children), str(verb), self.place(verb), argument, tuple(prepositions))

    def make_preposition(self, children: list[Part]) -> nodes.Node:
        """`to discard`, `as card`."""
        word, value = children
        if isinstance(value, Token):
            value = nodes.Name(self.place(value), self.new_word(value)[0])
        return nodes.Preposition(self.whole(children), str(word), value)

    def make_say(self, children: list[Part]) -> nodes.Node:
        return nodes.Say(self.whole(children), children[2] if len(children) == 4 else None, self.text(children[-1]))

    def text(self, token: Token) -> nodes.Text:
        return self.sentence(self, token)

    def make_if(self, children: list[Part]) -> nodes.Node:
        """`if c: …`, `elif c: …`; both have the same shape."""
        otherwise = children[-1] if len(children) > 3 else None
        if isinstance(otherwise, nodes.If):
            otherwise = nodes.Block(otherwise.span, (otherwise,))
        return nodes.If(self.whole(children), children[1], children[2], otherwise)

    def make_for(self, children: list[Part]) -> nodes.Node:
        """`for x in S where P by K: …`."""
        word, word_span = self.new_word(children[1])
        source = children[3]
        if len(children) > 5:
            source = nodes.Selection(
                self.whole(children[1:-1]), None, word, word_span, source, *self.refined(children[4:-1])
            )
        return nodes.For(self.whole(children), word, word_span, source, children[-1])

    def make_leave(self, children: list[Part]) -> nodes.Node:
        return nodes.Leave(self.whole(children), self.word(children[1]) if children[1:] else None)

    def make_finish(self, children: list[Part]) -> nodes.Node:
        """`finish`, `finish STEP`."""
        span, step = self.whole(children), children[1] if children[1:] else None
        if step in ("true", "false", "none"):
            self.refuse("HR401", f"'{step}' is not allowed here", self.place(step), f"finish with {step}")
            return nodes.Finish(span, None)
        return nodes.Finish(span, self.word(step) if step else None)

    def make_end_game(self, children: list[Part]) -> nodes.Node:
        """`end game`, `end game with draw`, `end game with victory of p`."""
        if len(children) == 2:
            return nodes.EndGame(self.whole(children))
        of = children[5] if len(children) > 4 else None
        return nodes.EndGame(self.whole(children), str(children[3]), self.place(children[3]), of)

    def make_choose(self, children: list[Part]) -> nodes.Node:
        """`[X] choose[s] [COUNT] NAME [or pass [when C]] from S [, NAME from T]… ["prompt"] [: … [else: …]]`."""
        span = self.whole(children)
        chooser = None if isinstance(children[0], Token) else children[0]
        rest = children[1 if chooser is None else 2 :]
        count = rest.pop(0) if not isinstance(rest[0], Token) else None
        word, word_span = self.new_word(rest.pop(0))
        may_pass, pass_when, rest = passing(rest)
        source, *rest = rest[1:]
        also = tuple(part for part in rest if isinstance(part, nodes.ChosenPart))
        rest = rest[len(also) :]
        if also and count is not None:
            message = "several of one list and something of another are two questions"
            self.refuse("HR401", message, self.place(count), "choose the one, then the other")
        prompt = self.text(rest.pop(0)) if rest and isinstance(rest[0], Token) else None
        body = rest[0] if rest else None
        otherwise = rest[-1] if len(rest) > 1 else None
        return nodes.Choose(
            span, chooser, word, word_span, count, may_pass, source, prompt, body, otherwise, also, pass_when
        )

    def make_chosen_part(self, children: list[Part]) -> nodes.Node:
        """`, target from T`."""
        if children[2] == "or":
            message = "several things that are chosen together are passed on together"
            self.refuse(
                "HR418", message, self.whole(children[2:4]), "choose … or pass from …, … from …", understood=True
            )
        return nodes.ChosenPart(self.whole(children[1:]), *self.new_word(children[1]), children[-1])

    def make_menu(self, children: list[Part]) -> nodes.Node:
        """`[X] choose[s] "prompt" [or pass [when C]]: "label": … [else: …]`."""
        chooser = None if isinstance(children[0], Token) else children[0]
        prompt, *rest = children[1 if chooser is None else 2 :]
        may_pass, pass_when, _ = passing(rest)
        items = [c for c in children if isinstance(c, nodes.MenuItem)]
        otherwise = children[-1] if isinstance(children[-1], nodes.Block) else None
        span = self.whole([children[0], otherwise or items[-1]])
        return nodes.Menu(span, chooser, self.text(prompt), may_pass, tuple(items), otherwise, pass_when)

    def make_menu_item(self, children: list[Part]) -> nodes.Node:
        """`"Draw" for n in 1..3 when n < limit tell "{me} draws {n}.": …`."""
        label, *rest, body = children
        values = None
        if rest and rest[0] == "for":
            word, word_span = self.new_word(rest[1])
            source, rest = rest[3], rest[4:]
            end = next((at for at, part in enumerate(rest) if part in ("when", "tell")), len(rest))
            refined, rest = rest[:end], rest[end:]
            span = self.whole([source, *refined])
            values = nodes.Selection(span, None, word, word_span, source, *self.refined(refined))
        after = dict(zip(rest[::2], rest[1::2], strict=True))
        told = self.text(after["tell"]) if "tell" in after else None
        return nodes.MenuItem(self.whole(children), self.text(label), values, after.get("when"), told, body)

    def make_perform(self, children: list[Part]) -> nodes.Node:
        """`perform f`, `perform x.f(a)`, `ok = perform f(a)`."""
        result = children[0] if len(children) == 4 else None
        if result is not None and not isinstance(result, nodes.Name):
            self.refuse(
                "HR422",
                "give the result of an action a name first",
                result.span,
                "ok = perform …, then use ok on the next line",
            )
            result = None
        callee: nodes.Expression = children[-1]
        if isinstance(callee, nodes.Name) and callee.id in RESERVED:
            self.reading.is_understood = False  # what is wrong with it has been told
            if callee.id in SIMPLE:
                help = f"a statement is not performed: {callee.id}"
                self.reading.found[-1] = replace(self.reading.found[-1], help=help)
        arguments: tuple[nodes.Expression, ...] = ()
        if isinstance(callee, nodes.Call):
            arguments, callee = callee.arguments, callee.function
        if not isinstance(callee, nodes.Name | nodes.Attribute):
            self.refuse(
                "HR422",
                "this is not something that can be performed",
                callee.span,
                "the name of an action, or the effect of a piece: x.f",
            )
        return nodes.Perform(self.whole(children), result, callee, arguments)

    def make_together(self, children: list[Part]) -> nodes.Node:
        return nodes.Together(self.whole(children), *self.bound(children[1]), children[2])

    def make_race(self, children: list[Part]) -> nodes.Node:
        """`race p in S must P as order`."""
        must = children[3] if children[2] == "must" else None
        return nodes.Race(self.whole(children), *self.bound(children[1]), must, *self.new_word(children[-1]))

    def bound(self, node: nodes.Expression) -> tuple[str | None, Span | None, nodes.Expression]:
        """The name for each member of a list, and the list."""
        if isinstance(node, nodes.Selection) and node.value is None:
            return node.binder, node.binder_span, node
        return self.opened(node)

    # --- declarations ----------------------------------------------------------------------------------------------

    def make_type_name(self, children: list[Part]) -> nodes.Node:
        """`int`, `0..20`, `list of card`, `player or none`."""
        span = self.whole(children)
        is_optional = children[-1] == "none"
        plain = children[:-2] if is_optional else children
        is_list = len(plain) > 2 and plain[0] == "list" and plain[1] == "of"
        plain = plain[2:] if is_list else plain
        if len(plain) == 3:
            return nodes.TypeName(span, "range", plain[0], plain[2], is_optional, is_list)
        return nodes.TypeName(span, self.word(plain[0]), None, None, is_optional, is_list)

    def make_declaration(self, children: list[Part]) -> nodes.Node:
        return nodes.Declaration(self.whole(children), children[0], children[2] if len(children) > 1 else None)

    def make_parameter(self, children: list[Part]) -> nodes.Node:
        return nodes.Parameter(
            self.whole(children), children[0], self.new_word(children[1])[0] if len(children) > 1 else None
        )

    def make_signature(self, children: list[Part]) -> nodes.Node:
        """`pick(mushroom m, int limit)`."""
        parameters = tuple(c for c in children if isinstance(c, nodes.Parameter))
        has_default = len(children) > 2 and children[-2] == "="
        signed = children[:-2] if has_default else children
        if len(signed) > 1 and not parameters:
            self.without_brackets(self.whole(signed[1:]), str(children[0]))
        word, span = self.word(children[0]), self.place(children[0])
        self.always_means_the_same(word, span)
        return nodes.Signature(self.whole(signed), word, span, parameters, children[-1] if has_default else None)

    def make_binding(self, children: list[Part]) -> nodes.Node:
        return nodes.Binding(self.whole(children), *self.bound(children[0]))

    def make_event(self, children: list[Part]) -> nodes.Node:
        """`c leaves basket of p`, `score of p changes`, `after pick as ok`."""
        span = self.whole(children)
        of: tuple[str, ...] = ()
        if "of" in children:
            at = children.index("of")
            of = tuple(self.new_word(c)[0] for c in children[at + 1 :] if c.type == "NAME")
        if children[0].type in ("BEFORE", "AFTER"):
            result = self.new_word(children[3])[0] if len(children) > 2 else None
            return nodes.Event(
                span, str(children[0]), None, self.word(children[1]), self.place(children[1]), of, result
            )
        if children[-1].type == "CHANGES":
            return nodes.Event(span, "changes", None, self.word(children[0]), self.place(children[0]), of, None)
        subject = self.new_word(children[0])[0]
        return nodes.Event(span, str(children[1]), subject, self.word(children[2]), self.place(children[2]), of, None)


def passing(rest: list[Part]) -> tuple[bool, Part | None, list[Part]]:
    """Whether a question may be passed, the condition for that if there is one, and what follows."""
    if not rest or rest[0] != "or":
        return False, None, rest
    if len(rest) > 2 and rest[2] == "when":
        return True, rest[3], rest[4:]
    return True, None, rest[2:]
