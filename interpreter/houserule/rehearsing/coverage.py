"""Rule coverage: which places in the rule files have run.

Places in the rule files count, not compiled code: a rule that is folded away for two players counts if three can reach it,
one that no number of players can reach does not, and a card of a variant counts once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from houserule.compiler.probes import Probe, probe
from houserule.compiler.program import Program
from houserule.diagnostics import InvalidGame, Span
from houserule.match.game import load
from houserule.workshop.examine import combinations_of

Key = tuple[str, str, int, int, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A place in the rules, and whether it has run.

    `kind` is step, effect, card, face, trigger, branch or line. A card is a piece with effects, a face a member of an enum with
    effects; it ran if one of them did. The `do` of a trigger counts as an effect and as a trigger. The `name` of a branch is
    its keyword, and `way` is the way taken, such as `true` or the label of a menu.
    """

    kind: str
    name: str
    way: str
    span: Span
    ran: bool


@dataclass(slots=True, eq=False)
class Coverage:
    """The rules that have run, collected over any number of scenario files and matches."""

    probes: dict[Key, Probe] = field(default_factory=dict)
    ran: set[Key] = field(default_factory=set)
    known: set[Path] = field(default_factory=set)

    def expect(self, game: str | Path) -> None:
        """Count all rules of a game in a folder or a file: for each number of players and each single variant, with default options."""
        path = Path(game).resolve()
        if path in self.known:
            return
        self.known.add(path)
        for variants in combinations_of(path if path.is_dir() else path.parent):
            try:
                loaded = load(game, variants)
            except InvalidGame:
                continue  # `validate` says what is wrong with it
            for players in loaded.players:
                found = probe(loaded.checked(players))
                for number in sorted(found.reachable):
                    self.probes.setdefault(found.probes[number].key, found.probes[number])

    def note(self, program: Program) -> None:
        """Count the reachable rules of a marking program, and those that ran."""
        if program.probed is None:
            return
        for number, made in enumerate(program.probed.probes):
            if program.marks[number]:
                self.ran.add(made.key)
            if program.marks[number] or number in program.probed.reachable:
                self.probes.setdefault(made.key, made)

    @property
    def rules(self) -> list[Rule]:
        """All rules that count, in the order of their places."""
        found: list[Rule] = []
        members: dict[str, list[Rule]] = {}
        for key, made in self.probes.items():
            rule = partial(Rule, way=made.way, span=made.span, ran=key in self.ran)
            if made.kind in ("piece", "member"):
                effect = rule("effect", made.name)
                members.setdefault(f"{made.kind} {made.name.rpartition('.')[0]}", []).append(effect)
                found.append(effect)
            elif made.kind == "trigger":
                found += [rule("effect", f"trigger {made.name}"), rule("trigger", made.name)]
            else:
                found.append(rule(made.kind, made.name))
        for name, effects in members.items():
            sort, _, member = name.partition(" ")
            kind = "card" if sort == "piece" else "face"
            found.append(Rule(kind, member, "", min(e.span for e in effects), any(e.ran for e in effects)))
        return sorted(found, key=lambda rule: (rule.span, rule.kind, rule.way))
