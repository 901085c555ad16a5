"""What the words of a scenario mean at its table: words in, numbers out; and numbers in, words for its messages out."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.compiler.program import Program
from houserule.diagnostics import Span
from houserule.language.types import Bool, Int, List, Maybe, Member, Piece, Player, Type, none_of, plain

Value = int | Sequence[int]


class Failed(Exception):
    """A scenario does not hold: where, and why."""

    def __init__(self, span: Span, message: str) -> None:
        self.span = span
        self.message = message
        super().__init__(message)


class Meanings:
    """The words of one table: ids of pieces with `#n` for a copy, members, names of players, numbers."""

    def __init__(self, program: Program, players: Sequence[str]) -> None:
        self.program = program
        self.words = program.words
        self.players = players

    def piece(self, text: str) -> int | None:
        """The number of a piece by its id, `#n` for a copy; None if there is none."""
        id, _, copy = text.partition("#")
        found = self.words.piece(id)
        if found is None:
            return None
        kind, first = found
        number = int(copy) if copy.isdigit() else 1
        return first + number - 1 if 1 <= number <= kind.ids.count(id) else None

    def find(self, type: Type, text: str) -> int | None:
        """The value of a type that a word stands for; None if it stands for none."""
        if text == "none" and isinstance(type, Maybe):
            return none_of(type)
        match plain(type):
            case Bool():
                return {"true": 1, "false": 0}.get(text)
            case Player():
                return self.players.index(text) if text in self.players else None
            case Member(kind):
                return self.words.kinds[kind].first(text)
            case Piece():
                return self.piece(text)
            case Int(low, high):
                found = int(text) if text.lstrip("-").isdigit() else None
                return found if found is not None and low <= found <= high else None
        return None

    def number(self, type: Type, text: str, span: Span) -> int:
        """The same. Raises Failed where the word stands for none."""
        found = self.find(type, text)
        if found is None:
            raise Failed(span, f"'{text}' is not {type}")
        return found

    # --- and back -----------------------------------------------------------------------------------------------------

    def word(self, type: Type, value: Value) -> str:
        """The word for a value, as a scenario would write it."""
        if isinstance(type, List) or not isinstance(value, int):
            inner = type.of if isinstance(type, List) else type
            listed = value if isinstance(value, Sequence) else (value,)
            return f"[{', '.join(self.word(inner, one) for one in listed)}]"
        if isinstance(type, Maybe) and value == none_of(type):
            return "none"
        match plain(type):
            case Bool():
                return "true" if value else "false"
            case Player():
                return self.players[value]
            case Member(kind):
                return self.words.kinds[kind].id_of(value)
            case Piece():
                return self.word_for_piece(value)
        return str(value)

    def word_for_piece(self, piece: int) -> str:
        """The id of a piece, with `#n` where it has copies."""
        kind = self.program.kind_of[piece]
        id = kind.id_of(piece)
        first = kind.first(id)
        return f"{id}#{piece - (first or 0) + 1}" if kind.ids.count(id) > 1 else id
