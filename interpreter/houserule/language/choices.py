"""Choices: what somebody is asked in, checked questions out; menus, everyone at once, and races."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from houserule.diagnostics import Fix, Related, Span
from houserule.language import nodes
from houserule.language.checked import (
    Apply,
    Ask,
    Body,
    Branch,
    Constant,
    Expression,
    Local,
    Parts,
    Race,
    Select,
    Site,
    Statement,
    Together,
    known_number,
)
from houserule.language.fitting import snapshot
from houserule.language.lists import never_empty, once
from houserule.language.primitives import ANY_LIE, EQUAL
from houserule.language.sight import Sight
from houserule.language.symbols import Variable
from houserule.language.types import BOOL, NONE, PLAYER, UNKNOWN, Int, List, Maybe, Type, Unknown, maybe
from houserule.language.verbs import Verbs

ARTICLES = frozenset({"a", "an", "the", "one"})


class Choices(Verbs):
    """Checks whatever stops the machine."""

    def chooser(self, node: nodes.Expression | None, span: Span) -> Expression:
        """Who chooses: me, or someone named."""
        self.forbid_change("ask anybody", span)
        if node is None:
            return self.use_me(span)
        if self.in_together:
            self.error("HR532", "in a together everybody chooses for themselves", node.span, "choose … from …")
        return self.coerce(self.expr(node, PLAYER), PLAYER, node, "who chooses")

    def site(self, kind: str, name: str, type: Type, span: Span, may_pass: bool, prompt: nodes.Text | None) -> Site:
        """A place where somebody is asked."""
        made = Site(
            kind,
            name,
            type,
            span,
            may_pass,
            prompt.raw if prompt else "",
            self.text_parts(prompt) if prompt else (),
            step=self.step_path,
        )
        self.sites.append(made)
        return made

    def choose(self, node: nodes.Choose) -> list[Statement]:
        """`choose card from S …`."""
        node = self.without_article(node)
        chooser = self.chooser(node.chooser, node.span)
        self.chosen = node.name
        source = self.items(node.source)
        self.chosen = ""
        if isinstance(source.type, Unknown):
            source = Constant(source.span, List(UNKNOWN), ())
        element = source.type.of if isinstance(source.type, List) else UNKNOWN
        if isinstance(element, Maybe):
            self.error("HR520", "some of what is offered may be none", node.source.span, "leave those out: `… where …`")
            element = element.of
        low = high = None
        kind = "pick"
        if node.count is not None:
            kind = "several"
            if isinstance(node.count, nodes.Range):
                low, high = self.number(node.count.low), self.number(node.count.high)
                match low.type, high.type:
                    case Int(low=fewest), Int(high=most) if fewest > most:
                        message = f"this range is empty: {fewest} is greater than {most}"
                        self.error("HR550", message, node.count.span, "the smaller number comes first")
            else:
                low = high = self.number(node.count)
        always_some = never_empty(source) and not node.may_pass
        several = List(element, source.type.most if isinstance(source.type, List) else None)
        type: Type = several if kind == "several" else element if always_some else maybe(element)
        source = snapshot(source)
        site = self.site(kind, node.name, element, node.span, node.may_pass, node.prompt)
        site.always = self.tells(source)
        filter = node.source.where or node.source.by if isinstance(node.source, nodes.Selection) else None
        self.warn_leak(source, chooser, (filter or node.source).span)
        unique: str
        if node.body is not None:
            self.scopes.append({})
            made = self.bind_new(node.name, several if kind == "several" else element, node.name_span, "choose")
            unique = made.unique
            self.found_in(made, source)
            self.forget_state()
            before = self.narrowed
            body, after = self.branch(node.body, {})
            self.scopes.pop()
            otherwise, end = self.branch(node.otherwise, {})
            self.narrowed = before
            self.meet(after, end)
            ask = Ask(node.span, site, chooser, once(source), (), low, high, unique)
            answer = Local(node.span, maybe(element), unique)
            test: Expression
            if kind == "several":
                test = Apply(node.span, BOOL, ANY_LIE, (answer,))
            else:
                test = self.present(answer)
            if always_some and kind == "pick":
                return [ask, *body]
            return [ask, Branch(node.span, test, body, otherwise)]
        made = self.bind_new(node.name, type, node.name_span, "choose")
        self.found_in(made, source)
        self.forget_state()
        return [Ask(node.span, site, chooser, once(source), (), low, high, made.unique)]

    def without_article(self, node: nodes.Choose) -> nodes.Choose:
        """`choose a card from S`: where a number can stand, an article was meant to be none."""
        count = node.count
        if not isinstance(count, nodes.Name) or count.id.lower() not in ARTICLES:
            return node
        if self.find(count.id) is not None or self.global_place(count.id) is not None:
            return node
        article = replace(count.span, end_line=node.name_span.line, end_column=node.name_span.column)
        self.error(
            "HR501",
            f"'{count.id}' would be a number here; what is chosen has a name without an article",
            count.span,
            f"choose {node.name} from …",
            fix=Fix(article, "") if article.line == article.end_line else None,
        )
        return replace(node, count=None)

    def warn_leak(self, value: Expression, chooser: Expression, span: Span) -> None:
        """A filter that reads what the chooser may not see tells it by what it offers."""
        sight = Sight(chooser, origins=self.origins)
        sight.of_functions = self.seen_by.setdefault(sight.viewer, sight.of_functions)
        for family in sight.reads(value):
            if family is not None:
                what = "variable" if isinstance(family, Variable) else "zone"
                self.report.warning(
                    "HR580",
                    f"this reads what the chooser may not see of '{family.name}': the options give it away",
                    span,
                    "show it first, or offer everything",
                    [Related(f"the {what} is declared here", family.span)],
                )
                return

    def menu(self, node: nodes.Menu) -> list[Statement]:
        """A menu: the answer is the number of a line."""
        chooser = self.chooser(node.chooser, node.span)
        site = self.site("menu", "", Int(0, max(0, len(node.items) - 1)), node.span, node.may_pass, node.prompt)
        labels: list[tuple[str, Parts]] = []
        conditions: list[tuple[Expression | None, dict[str, Type]]] = []
        for item in node.items:
            if any(raw == item.label.raw for raw, _ in labels):
                self.error("HR543", f"this menu has '{item.label.raw}' twice", item.label.span)
            labels.append((item.label.raw, self.text_parts(item.label)))
            if item.when is None:
                conditions.append((None, {}))
            else:
                condition, yes, _ = self.condition(item.when)
                conditions.append((condition, yes))
        site.labels = tuple(labels)
        site.label_spans = tuple(item.label.span for item in node.items)
        site.always = any(c is not None and self.tells(c) for c, _ in conditions)
        for item, (shown, _) in zip(node.items, conditions, strict=True):
            if shown is not None and item.when is not None:
                self.warn_leak(shown, chooser, item.when.span)
        unique = self.fresh("line")
        answer = Local(node.span, Int(NONE, len(node.items)), unique)
        ends: list[dict[str, Type] | None] = []
        bodies: list[Body] = []
        self.forget_state()
        for item, (_, yes) in zip(node.items, conditions, strict=True):
            body, after = self.branch(item.body, {k: t for k, t in yes.items() if k.startswith("=")})
            bodies.append(body)
            ends.append(after)
        otherwise, end = self.branch(node.otherwise, {})
        self.meet(*ends, end)
        chain: Body = otherwise
        for number in range(len(bodies) - 1, -1, -1):
            test = Apply(node.span, BOOL, EQUAL, (answer, known_number(node.span, number)))
            last = (
                number == len(bodies) - 1 and not node.may_pass and all(c is None for c, _ in conditions) and not chain
            )
            chain = bodies[number] if last else (Branch(node.span, test, bodies[number], chain),)
        return [Ask(node.span, site, chooser, None, tuple(c for c, _ in conditions), None, None, unique), *chain]

    def together(
        self, span: Span, binder: str | None, binder_span: Span | None, source_node: nodes.Expression, work: Any
    ) -> list[Statement]:
        """Everyone on their own, unseen."""
        self.forbid_change("ask anybody", span)
        if self.in_together:
            self.error("HR532", "a together cannot stand in a together", span)
        source = self.coerce(self.items(source_node), List(PLAYER), source_node, "who acts together")
        self.scopes.append({})
        if binder is not None:
            unique = self.bind_new(binder, PLAYER, binder_span or span, "loop").unique
        else:
            unique = self.fresh("me")
        keep = self.me, self.me_inherited, self.in_together, self.finish, self.loops
        label = self.label("together")
        self.me, self.me_inherited, self.in_together, self.finish, self.loops = (
            Local(span, PLAYER, unique),
            False,
            True,
            label,
            [],
        )
        before = self.narrowed
        body = work()
        self.me, self.me_inherited, self.in_together, self.finish, self.loops = keep
        self.scopes.pop()
        self.narrowed = before
        self.forget_state()
        return [Together(span, unique, source, body, label)]

    def race(self, node: nodes.Race) -> list[Statement]:
        """Who slaps, fastest first."""
        self.forbid_change("start a race", node.span)
        if self.in_together:
            self.error("HR532", "a race cannot stand in a together", node.span)
        entrants = self.coerce(self.items(node.source), List(PLAYER), node.source, "who may slap")
        must: Expression = Constant(node.span, List(PLAYER), ())
        if node.must is not None:
            self.scopes.append({})
            local = (
                self.bind_new(node.binder, PLAYER, node.binder_span or node.span, "binder")
                if node.binder
                else self.bind("it", PLAYER, node.span, "binder")
            )
            condition = self.condition(node.must)[0]
            self.scopes.pop()
            must = Select(node.span, List(PLAYER), None, local.unique, entrants, condition, ())
        site = self.site("race", node.result, PLAYER, node.span, False, None)
        self.forget_state()
        made = self.bind_new(node.result, List(PLAYER, self.symbols.players), node.result_span, "choose")
        return [Race(node.span, site, entrants, must, made.unique)]
