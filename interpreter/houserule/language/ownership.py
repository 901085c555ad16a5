"""Reports what clearly belongs to another player in a `together`: checked statements in, diagnostics out, through calls too.

A trigger before or after an action runs where the action is performed, so it counts as called with it.
The rest is found when the changes are merged. What a body touches is judged by its first index, which must
be its own `me`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from houserule.diagnostics import Related, Report, Span
from houserule.language import checked as c
from houserule.language.symbols import Trigger
from houserule.language.trees import argument, occasions, piles_of, refilled_by, statements
from houserule.language.types import Exchanges, Mixes, Moves, Passes, Picks, Piece, Shows, plain

Waiting = Mapping[c.Occasion, Sequence[Trigger]]
NOBODY_IN_A_TRIGGER = "a trigger has no `me`; do it after the together"
DRAW_AFTERWARDS = "draw after the together, player by player"


def check_ownership(flow: c.Body, routines: Iterable[c.Routine], waiting: Waiting, report: Report) -> None:
    """Check every `together`. `waiting` maps what triggers wait for to these triggers."""
    for body in (flow, *(routine.body or () for routine in routines)):
        for together in (inner for inner in statements(body) if isinstance(inner, c.Together)):
            me = frozenset({together.binder})
            Owner(report, together.span, waiting).look(together.body, me, me)


class Owner:
    """Walks over the body of one `together`."""

    def __init__(self, report: Report, together: Span, waiting: Waiting) -> None:
        self.report = report
        self.together = together
        self.waiting = waiting
        self.why: tuple[Related, ...] = ()  # the statement that sets a trigger off
        self.seen: set[tuple[int, frozenset[str]]] = set()
        self.refused: set[Span] = set()

    def refuse(self, message: str, span: Span, help: str | None = None, code: str = "HR531") -> None:
        """Report what belongs to another player."""
        if span in self.refused:
            return
        self.refused.add(span)
        help = NOBODY_IN_A_TRIGGER if self.why else help
        self.report.error(
            code, f"in a together {message}", span, help, [Related("the together is here", self.together), *self.why]
        )

    def look(self, body: c.Body, me: frozenset[str], sure: frozenset[str], called: bool = False) -> None:
        """Walk over statements in which `me` is one of these locals; in callees, a parameter may be.

        Those that certainly are `me` are `sure`: whoever is asked must be. What no `together` allows has been reported at its place; here it is reported if it is `called`.
        """
        for statement in body:
            match statement:
                case c.SetVariable(target=target) if target.variable.positions:
                    self.refuse(
                        f"nobody sets '{target.variable.name}', which has a value per position: players see different tables",
                        statement.span,
                        "set it after the together",
                    )
                case c.SetVariable(target=target):
                    if of_a_piece(target.variable):
                        continue  # the merge sees whose the piece is
                    if not target.variable.owned:
                        self.refuse(
                            f"nobody sets '{target.variable.name}', which all share",
                            statement.span,
                            "keep it in a variable of each player, and look at all of them afterwards",
                        )
                    elif not self.is_me(target.index[0], me):
                        self.refuse(
                            f"players set only what is theirs: this '{target.variable.name}' may be another's",
                            statement.span,
                            f"me.{target.variable.name}",
                        )
                case c.Act():
                    self.act(statement, me, called)
                case c.Branch(then=then, otherwise=otherwise):
                    self.look(then, me, sure, called)
                    self.look(otherwise, me, sure, called)
                case c.Each(body=inner) | c.Loop(body=inner) | c.Times(body=inner) | c.Labelled(body=inner):
                    self.look(inner, me, sure, called)
                case c.EndGame() if called:
                    self.refuse("nobody ends the game", statement.span)
                case c.Race() | c.Together() if called:
                    self.refuse("there is no second one, nor a race", statement.span)
                case c.Ask(chooser=chooser) if called and not self.is_me(chooser, sure):
                    self.refuse("everybody chooses for themselves", statement.span)
                case c.Perform():
                    for callee in statement.callees:
                        self.call(callee, own_names(statement, callee, sure))
                    for trigger in (trigger for one in occasions(statement) for trigger in self.waiting.get(one, ())):
                        before, self.why = self.why, (Related("this sets the trigger off", statement.span),)
                        self.call(trigger.routine, frozenset())
                        self.why = before
                case _:
                    pass

    def call(self, callee: c.Routine, sure: frozenset[str]) -> None:
        """Walk over a callee, once for each set of its names that are `me`; others of its parameters may be."""
        if (id(callee), sure) not in self.seen and callee.body is not None:
            self.seen.add((id(callee), sure))
            names = frozenset({"me", *(p.name for p in callee.parameters if p.name)})
            self.look(callee.body, names, sure, called=True)

    def act(self, act: c.Act, me: frozenset[str], called: bool) -> None:
        """A verb: it takes from one's own zones, and may put into shared ones."""
        if called and not act.operator.doing.is_own:
            self.refuse(f"nobody can {act.operator.name}: that is not one player's own action", act.span)
        for effect in act.operator.doing.effects:
            match effect:
                case Exchanges(one=one, other=other):
                    if not (self.own(argument(act, one), me) and self.own(argument(act, other), me)):
                        self.refuse(f"nobody {act.operator.name}s what is not their own", act.span)
                case Moves():
                    self.move(act, effect, me)
                case Passes() | Mixes() | Picks() | Shows():
                    pass

    def move(self, act: c.Act, effect: Moves, me: frozenset[str]) -> None:
        """Pieces come from one's own zones, and go into these and shared ones, never into another's."""
        source = argument(act, effect.what)
        refilled = refilled_by(act)
        if not self.own(source, me):
            if effect.number:
                self.refuse(f"nobody {act.operator.name}s from a pile that all share", act.span, DRAW_AFTERWARDS)
            else:
                self.refuse(f"players {act.operator.name} only pieces of their own zones", source.span)
        elif refilled is not None:
            self.refuse(
                f"there is no chance, and '{refilled.name}' is shuffled when '{refilled.refill}' refills it",
                act.span,
                DRAW_AFTERWARDS,
                "HR532",
            )
        for pile in piles_of(argument(act, effect.to)):
            if pile.zone.owned and not self.is_me(pile.index[0], me):
                self.refuse("nobody puts pieces into a zone that may be another's", pile.span)

    def own(self, value: c.Expression, me: frozenset[str]) -> bool:
        """Whether a source of pieces is one's own, or unknown."""
        match value:
            case c.Pile(zone=zone, index=index):
                return (zone.owned and self.is_me(index[0], me)) or of_a_piece(zone)
            case c.EitherPile(yes=yes, no=no):
                return self.own(yes, me) and self.own(no, me)
            case c.Single(pile=pile):
                return self.own(pile, me)
            case c.ReadVariable(variable=variable, index=index) if not isinstance(plain(variable.type), Piece):
                return (variable.owned and self.is_me(index[0], me)) or of_a_piece(variable)
            case c.AllPieces():
                return False
            case c.Select(source=source):
                return self.own(source, me)
            case c.Apply(arguments=arguments):
                return all(
                    self.own(a, me)
                    for a in arguments
                    if isinstance(a, c.Pile | c.EitherPile | c.AllPieces | c.Select | c.Apply)
                )
            case _:
                return True

    def is_me(self, value: c.Expression, me: frozenset[str]) -> bool:
        return isinstance(value, c.Local) and value.name in me


def own_names(call: c.Perform, callee: c.Routine, me: frozenset[str]) -> frozenset[str]:
    """The callee's names that are `me`, given those of the caller."""
    named = [("me", call.me), *((p.name, value) for p, value in zip(callee.parameters, call.arguments, strict=False))]
    return frozenset(name for name, value in named if name and isinstance(value, c.Local) and value.name in me)


def of_a_piece(family: c.Family) -> bool:
    return bool(family.parameters) and isinstance(family.parameters[0].type, Piece)
