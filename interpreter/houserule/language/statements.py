"""Builds statements and declarations from the parser's alternatives; their expressions are built already."""

from __future__ import annotations

from collections.abc import Callable, Container

from lark import Token

from houserule.diagnostics import Fix, Span
from houserule.language import nodes
from houserule.language.tree import ExpressionBuilder, Part, nodes_in
from houserule.language.words import NEVER_BOUND


class Builder(ExpressionBuilder):
    """Builds the node of each alternative of the grammar; `sentence` makes a `Text` from a string."""

    def __init__(self, verbs: Container[str], sentence: Callable[[Builder, Token], nodes.Text]) -> None:
        super().__init__(verbs)
        self.sentence = sentence

    # --- statements ------------------------------------------------------------------------------------------------

    def make_block(self, children: list[Part]) -> nodes.Node:
        """Statements; the place of a block is that of its statements."""
        statements = nodes_in(children)
        return nodes.Block(self.whole(statements), statements)

    def target(self, node: nodes.Expression) -> nodes.Expression:
        """The left side of a `=`."""
        if not isinstance(node, nodes.Name | nodes.Attribute | nodes.Index):
            self.refuse(
                "HR422", "this is not something that can be set", node.span, "use a name, x.f or f[x] before '='"
            )
        return node

    def make_assign(self, children: list[Part]) -> nodes.Node:
        """`x = e`, `x += e`."""
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
        """`say "…"`, `say to p "…"`."""
        return nodes.Say(self.whole(children), children[2] if len(children) == 4 else None, self.text(children[-1]))

    def text(self, token: Token) -> nodes.Text:
        """A sentence in quotes."""
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

    def step(self, children: list[Part]) -> str | None:
        """The step after `leave` or `finish`."""
        return self.word(children[1]) if len(children) > 1 else None

    def make_leave(self, children: list[Part]) -> nodes.Node:
        """`leave`, `leave round`."""
        return nodes.Leave(self.whole(children), self.step(children))

    def make_finish(self, children: list[Part]) -> nodes.Node:
        """`finish`, `finish round`."""
        return nodes.Finish(self.whole(children), self.step(children))

    def make_end_game(self, children: list[Part]) -> nodes.Node:
        """`end game`, `end game with draw`, `end game with victory of p`."""
        if len(children) == 2:
            return nodes.EndGame(self.whole(children))
        of = children[5] if len(children) > 4 else None
        return nodes.EndGame(self.whole(children), str(children[3]), self.place(children[3]), of)

    def make_choose(self, children: list[Part]) -> nodes.Node:
        """`[X] choose[s] [COUNT] NAME [or pass] from S [, NAME from T]… ["prompt"] [: … [else: …]]`."""
        span = self.whole(children)
        chooser = None if isinstance(children[0], Token) else children[0]
        rest = children[1 if chooser is None else 2 :]
        count = rest.pop(0) if not isinstance(rest[0], Token) else None
        word, word_span = self.new_word(rest.pop(0))
        may_pass = rest[0] == "or"
        source, *rest = rest[3 if may_pass else 1 :]
        also = tuple(part for part in rest if isinstance(part, nodes.ChosenPart))
        rest = rest[len(also) :]
        if also and count is not None:
            message = "several of one list and something of another are two questions"
            self.refuse("HR401", message, self.place(count), "choose the one, then the other")
        prompt = self.text(rest.pop(0)) if rest and isinstance(rest[0], Token) else None
        body = rest[0] if rest else None
        otherwise = rest[-1] if len(rest) > 1 else None
        return nodes.Choose(span, chooser, word, word_span, count, may_pass, source, prompt, body, otherwise, also)

    def make_chosen_part(self, children: list[Part]) -> nodes.Node:
        """`, target from T`."""
        if children[2] == "or":
            message = "several things that are chosen together are passed on together"
            self.refuse(
                "HR418", message, self.whole(children[2:4]), "choose … or pass from …, … from …", understood=True
            )
        return nodes.ChosenPart(self.whole(children[1:]), *self.new_word(children[1]), children[-1])

    def make_menu(self, children: list[Part]) -> nodes.Node:
        """`[X] choose[s] "prompt" [or pass]: "label": … [else: …]`."""
        chooser = None if isinstance(children[0], Token) else children[0]
        prompt, after = children[1 if chooser is None else 2 :][:2]
        items = [c for c in children if isinstance(c, nodes.MenuItem)]
        otherwise = children[-1] if isinstance(children[-1], nodes.Block) else None
        span = self.whole([children[0], otherwise or items[-1]])
        return nodes.Menu(span, chooser, self.text(prompt), after == "or", tuple(items), otherwise)

    def make_menu_item(self, children: list[Part]) -> nodes.Node:
        """`"Draw" when n < limit: …`."""
        when = children[2] if len(children) > 2 else None
        return nodes.MenuItem(self.whole(children), self.text(children[0]), when, children[-1])

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
        """`together p in S: …`."""
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
        """`TYPE`, `TYPE = START`."""
        return nodes.Declaration(self.whole(children), children[0], children[2] if len(children) > 1 else None)

    def make_parameter(self, children: list[Part]) -> nodes.Node:
        """`mushroom picked`, `player`."""
        return nodes.Parameter(
            self.whole(children), children[0], self.new_word(children[1])[0] if len(children) > 1 else None
        )

    def make_signature(self, children: list[Part]) -> nodes.Node:
        """`pick(mushroom m, int limit)`."""
        parameters = tuple(c for c in children if isinstance(c, nodes.Parameter))
        if len(children) > 1 and not parameters:
            brackets = self.whole(children[1:])
            self.refuse(
                "HR416",
                "without arguments there are no brackets",
                brackets,
                str(children[0]),
                understood=True,
                fix=Fix(brackets, ""),
            )
        word, span = self.word(children[0]), self.place(children[0])
        if word in NEVER_BOUND:
            self.refuse(
                "HR411",
                f"'{word}' always means the same, so nothing else can be called that",
                span,
                "choose another name",
            )
        return nodes.Signature(self.whole(children), word, span, parameters)

    def make_binding(self, children: list[Part]) -> nodes.Node:
        """`h in habitat`."""
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
