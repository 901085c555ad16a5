"""Writes rule files as chance would have it, for the tests of what holds for any rules.

`Rules` writes rules of many shapes, which ask, jump and go together; their values are plain. `Values` writes values of
every type, each told with `say`.
"""

from __future__ import annotations

from random import Random
from textwrap import indent

RULES = """\
edition: 2026
game: any_rules
players: 2
enums:
  spell:
    effects: [cast]
    members:
      first: {cast: "choose k from 1..2; me.score += k"}
      second: {cast: me.score += 10}
      third:
components:
  card: {attributes: {worth: 0..3}, pieces: {ace: {worth: 3, count: 3}, king: {worth: 2, count: 3}, ten: {worth: 1, count: 2}}, starts_in: deck}
zones:
  deck: {holds: card, visible: all}
  heap: {holds: card, visible: all}
  hand(player): {holds: card, visible: all, order: none}
variables:
  score(player): int
  fuel: {type: int, start: 40}
  n: 0..6
  few: 0..12
  box(0..4): int
"""
TRIGGERS = """\
triggers:
  on_n:
    whenever: n changes
    do: box[1] += 1
  on_hand:
    whenever: card enters hand of p
    do: p.score += 1
"""
SCORING = "scoring: {score: me.score}\n"


class Rules:
    """Writes rules as chance would have it. Names are those of numbers, players and lists that stand in the block and around it."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.made = 0

    def name(self) -> str:
        self.made += 1
        return f"x{self.made}"

    def number(self, names: list[str]) -> str:
        known = [*names, "n", "me.score", "box[2]", "count(me.hand)", "count(deck)"]
        a, b = self.chance.choice(known), self.chance.choice(known)
        return self.chance.choice([str(self.chance.randrange(4)), a, f"({a} + {b}) % 5", f"{a} % 3", "2"])

    def test(self, names: list[str]) -> str:
        return f"{self.number(names)} {self.chance.choice(['<', '==', '>=', '!='])} {self.number(names)}"

    def block(self, names: list[str], place: str, depth: int, loops: int) -> list[str]:
        """A few statements; what is named in them is not known behind them."""
        names, before = [*names], len(names)
        found: list[str] = []
        for _ in range(self.chance.choice([1, 1, 2, 2, 3])):
            found += self.statement(names, place, depth, loops)
        # What is never read would be a mistake.
        return [*found, *(f"me.score += {name} % 2" for name in names[before:])]

    def inside(self, head: str, names: list[str], place: str, depth: int, loops: int, first: str = "") -> list[str]:
        lines = self.block(names, place, depth - 1, loops)
        return [head, *([f"  {first}"] if first else []), *(f"  {line}" for line in lines)]

    def statement(self, names: list[str], place: str, depth: int, loops: int) -> list[str]:
        chance = self.chance
        kinds = ["own", "own", "local", "again", "choose", "choose", "jump", "imagined"]
        if depth > 0:
            kinds += ["if", "if", "else", "for", "for", "repeat", "menu", "body", "several"]
            if "together" not in place:
                kinds += ["while", "while", "cards", "people", "together"]
        if "together" not in place:
            kinds += ["shared", "risky", "box", "draw", "move", "race", "say", "cast", "end", "asked"]
            kinds += ["perform", "perform"] if place != "act2" else []
        kind = chance.choice(kinds)
        deeper = (names, place, depth, loops + 1)
        match kind:
            case "own":
                return [f"me.score += {self.number(names)}"]
            case "imagined":
                steps = ["me.score += 3", "n = (n + 2) % 7", "box[2] += n", "move heap to deck", "move deck to me.hand"]
                steps += [
                    "swap me.hand with heap",
                    "draw 2 from deck to heap",
                    "move top(deck) to me.hand",
                    "few = n + few",
                ]
                effect = "; ".join(chance.sample(steps, chance.choice([1, 1, 2])))
                made = self.name()
                where = f"(count(k in 0..3 where ({self.test(names)} and k < n after {effect})))"
                names.append(f"{made} % 5")
                return [f"{made} = {chance.choice([f'({self.number(names[:-1])} after {effect})', where])}"]
            case "local":
                value, made = self.number(names), self.name()
                names.append(made)
                return [f"{made} = {value} + 0"]
            case "again":
                own = [name for name in names if name.isalnum() and name[-1].isdigit()]
                return [f"{chance.choice(own)} += 1"] if own else ["me.score += 2"]
            case "choose":
                made = self.name()
                source = chance.choice(["1..3", "1..2", "0..4 where it > " + self.number(names)])
                if source[0] in "12" and chance.random() < 0.7:
                    names.append(f"{made} % 4")
                    return [f"choose {made} from {source}"]
                or_pass = chance.choice(["", " or pass", f" or pass when {self.test(names)}"])
                if depth > 0 and chance.random() < 0.5:
                    return self.inside(f"choose {made}{or_pass} from {source}:", [*names, made], place, depth, loops)
                if chance.random() < 0.3:
                    second = self.name()
                    both = (
                        f"choose {made}{or_pass} from {source}, {second} from {made}..3: me.score += {made} * {second}"
                    )
                    return [both, "else: me.score += 1"]
                return [f"choose {made}{or_pass} from {source}: me.score += {made}"]
            case "several":
                made = self.name()
                if chance.random() < 0.3:
                    card, gift = (
                        self.name(),
                        f"choose {made} from me.hand, p from players where it != me and {made}.worth > 0",
                    )
                    return [f"{gift}: me.score += {made}.worth", f"choose {card} from me.hand, {card}b from me.hand",
                            f"if {card}b: me.score += {card}b.worth"]  # fmt: skip
                count = chance.choice(["0..2", "1..2", "1", "2"])
                or_pass = chance.choice(["", " or pass", f" or pass when {self.test(names)}"])
                names.append(f"count({made})")
                return [f"choose {count} {made}{or_pass} from me.hand"]
            case "body":
                made = self.name()
                yes = self.inside(f"choose {made} from me.hand:", [*names, f"{made}.worth"], place, depth, loops)
                return [*yes, *self.inside("else:", names, place, depth, loops)]
            case "menu":
                or_pass = chance.choice(["", " or pass", f" or pass when {self.test(names)}"])
                lines = [f'choose "Which?"{or_pass}:']
                if chance.random() < 0.15:
                    return [*lines, *self.long_menu(names, place, depth, loops)]
                for label in ("One", "Two", "Three")[: chance.choice([2, 3])]:
                    when = chance.choice(["", f" when {self.test(names)}"])
                    lines += indented(self.inside(f'"{label}"{when}:', names, place, depth, loops))
                if chance.random() < 0.4:
                    made, least = self.name(), f"({self.number(names)}) % 4"
                    values = chance.choice([f"1..{least}", f"{least}..3 when {made}v != 2", f"{least}..{least} + 1"])
                    inner = self.inside(
                        f'"{{{made}v}}" for {made}v in {values}:', [*names, f"{made}v"], place, depth, loops
                    )
                    lines += indented(inner)
                    made = self.name()
                    lines.append(
                        f'  "Keep {{{made}}}" for {made} in me.hand by -{made}.worth: me.score += {made}.worth'
                    )
                return lines
            case "jump":
                inside = ["leave"] if loops else []
                if "together" in place:
                    ends = "finish"
                elif "act" in place:
                    ends = f"finish with {self.number(names)}"
                else:
                    ends = chance.choice(["finish", "finish turn", "leave turn", "finish many"])
                return [f"if {self.test(names)}: {chance.choice([ends, *inside, *inside])}"]
            case "if":
                return self.inside(f"if {self.test(names)}:", names, place, depth, loops)
            case "else":
                yes = self.inside(f"if {self.test(names)}:", names, place, depth, loops)
                return [*yes, *self.inside("else:", names, place, depth, loops)]
            case "for":
                made = self.name()
                source = chance.choice(["1..2", "1..3", f"0..3 where {made}y != {self.number(names)}"])
                return self.inside(f"for {made}y in {source}:", [*names, f"{made}y"], *deeper[1:])
            case "cards":
                made = self.name()
                head = f"for {made}y in {chance.choice(['me.hand', 'heap'])}:"
                first = f"move {made}y to {chance.choice(['heap', 'me.hand', 'deck'])}"
                return self.inside(head, [*names, f"{made}y.worth"], *deeper[1:], first=first)
            case "people":
                made = self.name()
                return self.inside(f"for {made}y in players:", [*names, f"{made}y.score"], *deeper[1:])
            case "repeat":
                return self.inside(f"repeat {chance.choice(['2', '3', self.number(names)])} times:", *deeper)
            case "while":
                return self.inside("while fuel > 0:", *deeper, first="fuel -= 1")
            case "together":
                return self.inside("together players:", names, f"{place} together", depth, 0)
            case "shared":
                return [f"n = ({self.number(names)} + 7) % 7"]
            case "risky":
                return [f"few = {self.number(names)} + few"]
            case "box":
                return [f"box[{self.number(names)}] += 1"]
            case "draw":
                return [f"draw {chance.randrange(1, 3)} from deck to me.hand"]
            case "move":
                return [chance.choice(["move me.hand to heap", "move heap to deck; shuffle deck", "shuffle heap"])]
            case "race":
                made = self.name()
                names.append(f"count({made})")
                return [f"race p in players must p.score % 3 > {self.number(names[:-1])} as {made}"]
            case "say":
                return [f'say "{{{self.number(names)}}}"']
            case "cast":
                return ["for s in spell: perform s.cast"]
            case "asked":
                return [f"last(players) chooses {self.name()}z from 1..2"]
            case "end":
                return [f"if {self.number(names)} > 3 and fuel < 20: end game"]
            case _:
                action = f"act{chance.randrange(int(place[3]) + 1 if place.startswith('act') else 0, 3)}"
                if chance.random() < 0.5:
                    return [f"perform {action}({self.number(names)})"]
                made = self.name()
                names.append(f"{made} % 6")
                return [f"{made} = perform {action}({self.number(names[:-1])})"]

    def long_menu(self, names: list[str], place: str, depth: int, loops: int) -> list[str]:
        """Lines of a menu that may or may not be offered, some with values, with a block or with a question of their own."""
        lines: list[str] = []
        for number in range(self.chance.randrange(4, 41)):
            when = self.chance.choice(["", "", f" when {self.test(names)}"])
            kind = self.chance.choice(["plain", "plain", "plain", "values", "asks", "block"])
            if kind == "values":
                values = f"1..2{when}" if when else f"1..({self.number(names)}) % 3"
                lines.append(f'"{number} for {{v{number}}}" for v{number} in {values}: me.score += v{number}')
            elif kind == "asks":
                lines += [f'"{number}"{when}:', f"  choose w{number} from 1..2", f"  me.score += w{number}"]
            elif kind == "block" and self.chance.random() < 0.4:
                lines += self.inside(f'"{number}"{when}:', names, place, min(depth, 1), loops)
            else:
                lines.append(f'"{number}"{when}: me.score += {number % 5}')
        return indented(lines)

    def game(self) -> str:
        """A whole game."""
        parts = [RULES, "actions:\n"]
        for number in range(3):
            body = [*self.block(["q"], f"act{number}", 2, 0), f"finish with {self.number(['q'])}"]
            parts += [f"  act{number}(int q): |\n", indent("\n".join(body), "    "), "\n"]
        if self.chance.random() < 0.3:
            parts.append(TRIGGERS)
        step = self.chance.choice(
            ["", "    repeat: 2\n", "    for: e in spell\n", "    while: fuel > 0\n", "    until: fuel < 20\n"]
        )
        fewer = "fuel -= 5\n" if "fuel" in step else ""
        parts += ["flow:\n  many:\n", step, "    steps:\n      turn:\n        turns: players\n        do: |\n"]
        body = [*self.block([], "flow", 4, 0), *self.block([], "flow", 4, 0)]
        parts += [indent(fewer + "\n".join(body), "          "), "\n", SCORING]
        return "".join(parts)


def indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


VALUES = """\
edition: 2026
game: any_values
players: 2..3
enums:
  suit: {attributes: {rank: 1..4, next_to: suit or none}, members: {oak: {rank: 2}, elm: {rank: 4, next_to: oak}, ash: {rank: 1, next_to: elm}}}
  mood: [calm, cross]
components:
  card:
    attributes: {worth: -2..3, of: suit, tip: 1..5 or none, partner: card or none, likes: list of suit}
    starts_in: deck
    pieces:
      ace: {worth: [3, 3, 2], of: oak, tip: 5, partner: king}
      king: {count: 2, worth: -2, of: elm, likes: [oak, ash]}
      ten: {count: 2, worth: 1, of: ash, likes: [elm]}
  coin:
    attributes: {value: 1..5}
    starts_in: bank
    pieces: {penny: {count: 3, value: 1}, crown: {count: 2, value: 5}}
  field:
    attributes: {row: 1..2, column: 1..3}
    each: {row: 1..2, column: 1..3}
zones:
  deck: {holds: card, visible: all}
  heap: {holds: card, visible: all}
  hand(player): {holds: card, visible: all}
  bank: {holds: coin, visible: all}
  purse(player): {holds: coin, visible: all, order: none}
  mix: {holds: piece, visible: all}
  slot(suit): {holds: card, visible: all, capacity: 1}
  spot(field): {holds: piece, visible: all, capacity: 2}
variables:
  n: 0..6
  d: -3..3
  big: int
  flag: bool
  score(player): int
  goal(player): card or none
  mark: coin or none
  thing: piece or none
  lead: player = first(players)
  rival(player): player or none
  trump: suit = oak
  wish: suit or none
  few: 2..5 or none
  left: {type: -2..9, start: 4}
tables:
  price: [3, 0, -2, 7]
  odds: {oak: [1, 9], elm: [2, 8], ash: [3, 7]}
"""
TURN = """\
flow:
  many:
    repeat: 6
    turns: players
    do: |
      roll n from 0..6
      roll d from -3..3
      roll flag from [true, false]
      roll trump from suit
      roll lead from players
      left = n + d
      big = n * n * 100 - 500
      draw n from deck to me.hand
      if n > 3: goal[me] = first(heap)
      elif n == 0: goal[me] = none
      few = 2 + n if n < 4 else none
      wish = trump if flag else none
      mark = first(bank where it.value > n)
      rival[me] = lead if lead != me else none
      move bank to mix
      thing = item(mix, n)
      if top(me.hand): move top(me.hand) to heap
      if n > 2 and empty(slot[trump]): draw 1 from deck to slot[trump]
      if d > 1: move heap to deck
      if d < 0: swap me.hand with next(me).hand
      for c in mix where c is coin: move c to me.purse
      shuffle me.purse
"""

KINDS = ("int", "bool", "player", "suit", "mood", "card", "coin", "piece", "field")


class Values:
    """Writes expressions of a wanted kind: `card` is a card, `card?` one or none, `card*` a list of them.

    `names` are the names that are known, with their kinds.
    """

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.made = 0
        self.functions: list[tuple[str, str, tuple[str, ...]]] = []
        self.actions: list[tuple[str, str]] = []

    def name(self) -> str:
        self.made += 1
        return f"x{self.made}"

    def pick(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def value(self, kind: str, names: dict[str, str], depth: int) -> str:
        """An expression of a kind; a name or something as short where there is no depth left."""
        known = [name for name, of in names.items() if of == kind]
        if known and self.chance.random() < (0.3 if depth > 0 else 0.6):
            return self.chance.choice(known)
        if kind.endswith("*"):
            return self.list(kind[:-1], names, depth)
        if kind.endswith("?"):
            return self.optional(kind[:-1], names, depth)
        if depth > 0 and self.chance.random() < 0.2:
            return f"({self.value(kind, names, depth - 1)} if {self.test(names, depth - 1)} else {self.value(kind, names, depth - 1)})"
        if depth > 0 and self.chance.random() < 0.06:
            effect = self.pick(
                "move heap to deck", "n = 2", "move bank to mix", "me.score += n; flag = not flag", "goal[me] = none"
            )
            return f"({self.value(kind, names, depth - 1)} after {effect})"
        fitting = [f for f in self.functions if f[1] == kind]
        if depth > 0 and fitting and self.chance.random() < 0.25:
            name, _, parameters = self.chance.choice(fitting)
            return f"{name}({', '.join(self.value(p, names, depth - 1) for p in parameters)})" if parameters else name
        match kind:
            case "int":
                return self.number(names, depth)
            case "bool":
                return f"({self.test(names, depth)})"
            case _:
                return self.thing(kind, names, depth)

    def number(self, names: dict[str, str], depth: int) -> str:
        if depth <= 0:
            return self.pick(
                *"0 1 2 3 7".split(), "-2", "n", "d", "left", "big", "me.score", "player_count", "count(deck)",
                "price[n % 4]", "trump.rank", "odds[trump, n % 2]", "king.worth", "penny#1.value", "count(every card)",
            )  # fmt: skip
        a, b, c = (self.value("int", names, depth - 1) for _ in range(3))
        divisor = self.pick(
            "2", "3", "5", "-2", "-3", "7", f"(({b}) * ({b}) + 1)", "(n + 1)", "(d * 2 + 1)", "(2 - 2 * n - 1)"
        )
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"{a} * {b}", f"({a} // {divisor})", f"{a} % {divisor}", f"(-{b})",
            f"{a} % {divisor}", f"abs({a})", f"min({a}, {b})", f"max({a}, {b}, {c})", f"clamp({a}, min({b}, 2), max({c}, 2))",
            f"count({self.value(self.chance.choice(KINDS) + '*', names, depth - 1)})",
            f"sum({self.value('int*', names, depth - 1)})",
            f"position({self.value('suit*', names, depth - 1)}, {self.value('suit', names, depth - 1)})",
            f"{self.value('card', names, depth - 1)}.worth", f"{self.value('coin', names, depth - 1)}.value",
            f"{self.value('suit', names, depth - 1)}.rank", f"{self.value('field', names, depth - 1)}.column",
            f"price[{a} % 4]", f"odds[{self.value('suit', names, depth - 1)}, {a} % 2]",
        )  # fmt: skip

    def arithmetic(self) -> str:
        """A number with bounds so narrow that values come to lie on them."""
        known = ("n", "d", "left", "trump.rank", "price[n % 4]", "king.worth", "2", "-3", "5", "1")
        a, b = self.pick(*known[:5]), self.pick(*known)
        divisor = self.pick("2", "3", "-2", "-3", "5", "-4", "(n + 1)", "(d + 4)", "(n - 7)", "(2 * d + 1)")
        return self.pick(
            f"{a} % {divisor}", f"{a} % {divisor}", f"{a} // {divisor}", f"{a} // {divisor}", f"{a} + {b}", f"{a} - {b}", f"{a} * {b}",
            f"-{a}", f"abs({a})", "abs(d - 2)", "sum(k in 2..3 where k > n)", f"min({a}, {b})", f"max({a}, {b})", f"clamp({a}, 0, 2)", f"sum([{a}, {b}])",
            f"{a} if flag else {b}", f"count(k in 0..n where k > {a})", f"position([0, 2, 4], {a})",
        )  # fmt: skip

    def test(self, names: dict[str, str], depth: int) -> str:
        if depth <= 0:
            return self.pick("flag", "n > 2", "d < 0", "me == lead", "trump == elm", "any(heap)", "true", "not flag")
        kind = self.chance.choice(KINDS)
        a, b = self.value(kind, names, depth - 1), self.value(kind, names, depth - 1)
        p, q = self.test(names, depth - 1), self.test(names, depth - 1)
        sign = self.pick("==", "!=", "<", ">=") if kind != "bool" else "=="
        many = self.value(f"{kind}*", names, depth - 1)
        return self.pick(
            f"({a}) {sign} ({b})", f"({p}) and ({q})", f"({p}) or ({q})", f"not ({p})", f"any({many})", f"empty({many})",
            f"({a}) in {many}", f"{self.value('int', names, depth - 1)} in 0..{self.pick('1', '3', 'n')}",
            f"{self.value('piece', names, depth - 1)} is {self.pick('card', 'coin', 'not card', 'king')}",
            f"{self.value(kind + '?', names, depth - 1)} is {self.pick('none', 'not none')}",
        )  # fmt: skip

    def thing(self, kind: str, names: dict[str, str], depth: int) -> str:
        """A player, a member or a piece."""
        short = {
            "player": ("me", "lead", "first(players)", "last(players)"),
            "suit": ("oak", "elm", "ash", "trump", "king.of"),
            "mood": ("calm", "cross"),
            "card": ("ace#1", "ace#3", "king#2", "ten#1", "first(every card)"),
            "coin": ("penny#1", "crown#2", "last(every coin)"),
            "field": ("field[1, 1]", "field[2, 3]", "first(every field)"),
        }
        if kind == "piece":
            a, b = self.chance.sample(["card", "coin", "field"], 2)
            yes, no = self.value(a, names, depth - 1), self.value(b, names, depth - 1)
            return f"({yes} if {self.test(names, depth - 1)} else {no})"
        if depth <= 0:
            return self.pick(*short[kind])
        one = self.value(kind, names, depth - 1)
        maybe = self.value(f"{kind}?", names, 0)
        return self.pick(
            f"next({one})", f"previous({one})", f"next({one}, {self.value('int', names, depth - 1)})",
            *([f"{self.value('card', names, depth - 1)}.of"] if kind == "suit" else ()),
            *([f"({maybe} if {maybe} else {one})"] if "(" not in maybe else ()),
            f"({maybe}! if {maybe} is not none else {one})",
            f"first([{one}, {self.value(kind, names, 0)}])",
        )  # fmt: skip

    def optional(self, kind: str, names: dict[str, str], depth: int) -> str:
        short = {
            "int": ("few", "ten#1.tip", "ace#1.tip"),
            "player": ("rival[me]", "rival[lead]", "owner(ace#1)"),
            "suit": ("wish", "elm.next_to", "trump.next_to", "place(king#1, slot)"),
            "card": ("goal[me]", "goal[lead]", "slot[trump]", "top(deck)", "first(me.hand)", "ace#2.partner"),
            "coin": ("mark", "top(bank)", "first(me.purse)"),
            "piece": ("thing", "top(mix)"),
            "field": ("place(ace#1, spot)", "field[n, 2]"),
        }
        if depth <= 0 and kind in short:
            return self.pick(*short[kind])
        many = self.value(f"{kind}*", names, depth - 1)
        one = self.value(kind, names, depth - 1)
        made = [
            f"first({many})", f"last({many})", f"item({many}, {self.value('int', names, depth - 1)})",
            f"({one} if {self.test(names, depth - 1)} else none)",
        ]  # fmt: skip
        if kind == "int":
            made += [f"min({many})", f"max({many})", f"{self.value('card', names, depth - 1)}.tip"]
        if kind == "card":
            made += [f"{one}.partner", f"slot[{self.value('suit', names, depth - 1)}]"]
        if kind == "suit":
            made += [f"{one}.next_to", f"place({self.value('card', names, depth - 1)}, slot)"]
        if kind == "player":
            made += [f"owner({self.value('card', names, depth - 1)})"]
        return self.chance.choice(made)

    def list(self, kind: str, names: dict[str, str], depth: int) -> str:
        short = {
            "int": ("1..3", "0..n", "d..2", "(k in 1..6 where k > n)"),
            "bool": ("[true, flag]",),
            "player": ("players", "opponents", "players from lead"),
            "suit": ("every suit", "king#1.likes", "[trump, oak]"),
            "mood": ("every mood",),
            "card": ("every card", "me.hand", "heap", "hand", "slot"),
            "coin": ("every coin", "me.purse", "bank"),
            "piece": ("mix", "spot"),
            "field": ("every field", "(f in field where f.row == 1)"),
        }
        if depth <= 0:
            return f"({self.pick(*short[kind])})"
        many, more = self.value(f"{kind}*", names, depth - 1), self.value(f"{kind}*", names, depth - 1)
        one, other = self.value(kind, names, depth - 1), self.value(kind, names, depth - 1)
        binder = self.name()
        inner = {**names, binder: kind}
        number, test = self.value("int", inner, depth - 1), self.test(inner, depth - 1)
        of = self.chance.choice(KINDS)
        others = self.value(f"{of}*", names, depth - 1)
        mapped = self.value(kind, {**names, binder: of}, depth - 1)
        second = self.name()
        pairs = self.value(kind, {**names, binder: of, second: kind}, depth - 1)
        sorts = self.pick(
            "", f" where {self.test({**names, binder: of}, 0)}", f" by {self.value('int', {**names, second: kind}, 0)}"
        )
        return self.pick(
            f"[{one}, {other}]", f"[{one}]", f"({many} + {more})", f"({many} - {more})", f"distinct({many})", f"reverse({many})",
            f"({binder} in {many} where {test})", f"({binder} in {many} by {number})",
            f"most({binder} in {many} by {number})", f"least({binder} in {many} by {number})",
            f"({mapped} for {binder} in {others})", f"({mapped} for {binder} in {others} where {self.test({**names, binder: of}, 0)})",
            f"({pairs} for {binder} in {others} for {second} in {many}{sorts})",
            *([f"({self.value('int', names, depth - 1)}..{self.pick('n', 'd + 4')})"] if kind == "int" else ()),
            *([f"({self.value('card*', names, depth - 1)} + {self.value('coin*', names, depth - 1)})"] * 3 if kind == "piece" else ()),
            *([f"[{self.value('coin', names, 0)}, {self.value('card', names, 0)}]"] if kind == "piece" else ()),
        )  # fmt: skip

    def start(self, kind: str, names: dict[str, str], depth: int) -> str:
        """A first value for a name, whose type is the wanted one and not a narrower one that the checker knows of."""
        if kind[-1] == "?":
            return f"({self.value(kind[:-1], names, depth)} if flag else none)"
        # A list of pieces with a condition may be one of cards.
        return f"({self.value(kind, names, depth)} + mix)" if kind == "piece*" else self.value(kind, names, depth)

    def kind(self) -> str:
        return self.chance.choice(KINDS) + self.pick("", "", "?", "*")

    def lines(self, names: dict[str, str], depth: int) -> list[str]:
        """A few statements that tell values, with nothing but `names` known before and after them."""
        kind, made = self.kind(), self.name()
        known = {**names, made: kind}
        base = kind.rstrip("?*")
        told = [f'say "{{{made}}}"', f'say "{{{self.value(base, known, depth)}}}"']
        match self.chance.randrange(16):
            case 14 | 15:
                return [
                    f'say "{{{self.arithmetic()}}} {{{self.arithmetic()}}} {{{self.arithmetic()}}} {{{self.arithmetic()}}}"'
                ]
            case 0 | 1 | 2:
                return [f'say "{{{self.value(kind, names, depth + 1)}}}"']
            case 3:
                return [f"{made} = {self.value(kind, names, depth)}", *told]
            case 4:
                again = f"{made} = {self.value(kind, known, depth)}"
                return [
                    f"{made} = {self.start(kind, names, depth)}",
                    told[0],
                    f"if {self.test(names, 1)}: {again}",
                    *told,
                ]
            case 5:
                start = f"{made} = {self.value('int', names, depth)}"
                passes = self.pick("repeat 3 times:", "for p in players:", f"while {made} < 3 and {made} > -3:")
                step = f"  {made} {self.pick('+=', '-=', '+=')} {self.pick('1', '2', 'n + 1')}"
                return [
                    start,
                    passes,
                    step,
                    f'  say "{{{made}}} {{{self.value("int", {**names, made: "int"}, 1)}}}"',
                    f'say "{{{made}}}"',
                ]
            case 6:
                return [f"for {made} in {self.value(base + '*', names, depth)}:", f'  say "{{{made}}}"',
                        *indented(self.lines({**names, made: base}, depth - 1))]  # fmt: skip
            case 7:
                maybe = f"{made} = {self.start(base + '?', names, depth)}"
                yes = [f'  say "{{{made}}}"', f'  say "{{{self.value(base, {**names, made: base}, depth)}}}"']
                return [maybe, f"if {made}:", *yes, "else:", f'  say "{{{made}}}"']
            case 8:
                maybe = f"{made} = {self.value(base + '?', names, depth)}"
                inner = self.value(base, {**names, made: base}, depth)
                return [maybe, f"if {made} in {self.value(base + '*', names, 1)}:", f'  say "{{{made}}} {{{inner}}}"']
            case 9:
                piece = f"{made} = {self.value('piece' + self.pick('', '?'), names, depth)}"
                is_card = [f'  say "{{{made}}} {{{made}.worth}}"']
                return [
                    piece,
                    f"if {made} is card:",
                    *is_card,
                    f"elif {made} is coin:",
                    f'  say "{{{made}}} {{{made}.value}}"',
                ]
            case 10:
                or_pass = self.pick("", " or pass")
                if self.chance.random() < 0.4:
                    other, second = self.chance.choice(KINDS), self.name()
                    lists = self.value(base + "*", names, depth), self.value(other + "*", {**names, made: base}, depth)
                    return [
                        f"choose {made}{or_pass} from {lists[0]}, {second} from {lists[1]}:",
                        f'  say "{{{made}}} {{{second}}} {{{self.value(other, {**names, made: base, second: other}, 1)}}}"',
                        'say "{n}"',
                    ]
                return [f"choose {made}{or_pass} from {self.value(base + '*', names, depth)}", f'say "{{{made}}}"']
            case 11:
                bounds = self.pick("0..2", "1..3", "2", "n")
                return [
                    f"choose {bounds} {made} from {self.value(base + '*', names, depth)}",
                    f'say "{{{made}}} {{count({made})}}"',
                ]
            case 12:
                where, of = self.chance.choice(
                    [("n", "int"), ("d", "int"), ("left", "int"), ("goal[me]", "card?"), ("mark", "coin?"), ("thing", "piece?"), ("few", "int?"),
                     ("lead", "player"), ("rival[lead]", "player?"), ("trump", "suit"), ("wish", "suit?"), ("big", "int")]
                )  # fmt: skip
                value = self.value(of, names, depth)
                if of == "int":  # What is certainly out of the range would be refused.
                    value = self.pick(f"clamp({value}, 0, 3)", f"({value}) % 3", f"{value} if flag else {where}")
                elif of == "int?":
                    value = f"clamp({self.value('int', names, depth)}, 2, 5) if flag else none"
                return [f"{where} = {value}", f'say "{{{where}}}"']
            case _:
                if self.actions and self.chance.random() < 0.7:
                    action, _ = self.chance.choice(self.actions)
                    return [f"{made} = perform {action}({self.value('int', names, 1)})", f'say "{{{made}}}"']
                return [f"roll {made} from {self.value(base + '*', names, depth)}", f'say "{{{made}}}"']

    def declarations(self) -> tuple[list[str], list[str]]:
        """The lines of a few functions and a few actions, which can be called from then on."""
        functions: list[str] = []
        for number in range(4):
            kind = self.chance.choice(KINDS)
            parameters = {f"a{number}": self.chance.choice(KINDS), f"b{number}": self.chance.choice(KINDS)}
            said = ", ".join(f"{kind} {name}" for name, kind in parameters.items())
            functions.append(f"f{number}({said}): '{self.value(kind, parameters, 2)}'")
            self.functions.append((f"f{number}", kind, tuple(parameters.values())))
        actions: list[str] = []
        for number in range(2):
            kind = self.kind()
            names = {"q": "int"}
            ways = [f"if {self.test(names, 1)}: finish with {self.value(kind, names, 2)}"]
            ways += [f"finish with {self.value(kind.rstrip('?'), names, 2)}"] if self.chance.random() < 0.7 else []
            actions += [f"act{number}(int q): |", *indented(ways)]
            self.actions.append((f"act{number}", kind))
        return functions, actions


def value_rules(chance: Random, groups: int) -> str:
    """A game that tells values in so many groups of lines."""
    values = Values(chance)
    functions, actions = values.declarations()
    told = [line for _ in range(groups) for line in values.lines({}, 2)]
    sections = [(VALUES + "functions:\n", 2, functions), ("actions:\n", 2, actions), (TURN, 6, told)]
    return "".join(head + indent("\n".join(lines), " " * columns) + "\n" for head, columns, lines in sections)
