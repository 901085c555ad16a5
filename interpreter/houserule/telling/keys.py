"""The stable keys of values, in both directions: ids of pieces and members, names of players, numbers."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.compiler.program import Program
from houserule.language.types import Bool, Int, List, Maybe, Member, Piece, Player, Tuple, Type, none_of, plain
from houserule.numerals import whole_number


class Keys:
    """The keys that answers, records and scenarios of one match use, in both directions."""

    def __init__(self, program: Program, players: Sequence[str]) -> None:
        self.program = program
        self.symbols = program.symbols
        self.players = players

    def word(self, type: Type, value: int | Sequence[int]) -> str:
        """The key of a value; lists in brackets."""
        if isinstance(type, List) or not isinstance(value, int):
            inner = type.of if isinstance(type, List) else type
            listed = value if isinstance(value, Sequence) else (value,)
            return f"[{', '.join(self.word(inner, one) for one in listed)}]"
        if isinstance(type, Maybe) and value == none_of(type):
            return "none"
        match plain(type):
            case Tuple(of) as whole:
                return ", ".join(self.word(part, v) for part, v in zip(of, whole.parts(value), strict=True))
            case Bool():
                return "true" if value else "false"
            case Player():
                return self.players[value]
            case Member(kind):
                return self.symbols.kinds[kind].id_of(value)
            case Piece():
                return self.of_piece(value)
        return str(value)

    def of_piece(self, piece: int) -> str:
        """The id of a piece, with `#n` if it has copies."""
        kind = self.program.kind_of[piece]
        id = kind.id_of(piece)
        first = kind.first(id)
        return f"{id}#{piece - (first or 0) + 1}" if kind.ids.count(id) > 1 else id

    def value(self, type: Type, word: str) -> int | None:
        """The value of a type with that key; None if there is none."""
        if word == "none" and isinstance(type, Maybe):
            return none_of(type)
        match plain(type):
            case Tuple(of) as whole:
                words = word.split(", ")
                values = [self.value(part, one) for part, one in zip(of, words, strict=False)]
                known = [value for value in values if value is not None]
                return whole.whole(known) if len(known) == len(words) == len(of) else None
            case Bool():
                return {"true": 1, "false": 0}.get(word)
            case Player():
                return self.players.index(word) if word in self.players else None
            case Member(kind):
                return self.symbols.kinds[kind].first(word)
            case Piece():
                return self.piece(word)
            case Int(low, high):
                found = whole_number(word)
                return found if found is not None and low <= found <= high else None
        return None

    def piece(self, word: str) -> int | None:
        """The piece with that id, with `#n` for a copy; None if there is none."""
        id, sign, copy = word.partition("#")
        found = self.symbols.piece(id)
        number = whole_number(copy) if sign else 1
        if found is None or number is None:
            return None
        kind, first = found
        return first + number - 1 if 1 <= number <= kind.ids.count(id) else None
