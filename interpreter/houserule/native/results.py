"""The results of a batch of native matches: rows of words in, outcomes or whole columns out."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from houserule.compiler.program import Program
from houserule.running.playout import ENDINGS, Outcome

DECISIONS, ENDING, WINNERS, ROUNDS, LEAD_CHANGES, HEAD = 0, 1, 2, 4, 6, 7
"""The words of a row: see `driver.wat`. After the head come the points by line and seat, and then the totals."""


class Results:
    """The rows of some matches, in order."""

    def __init__(self, program: Program, words: array[int], size: int) -> None:
        """Rows of `size` words each."""
        self.players = program.symbols.players
        self.words, self.size = words, size
        self.scored = HEAD + self.players * len(program.points)
        """The index of the first total."""

    def __len__(self) -> int:
        return len(self.words) // self.size

    def column(self, place: int) -> array[int]:
        """One word of each row."""
        return self.words[place :: self.size]

    def columns(self, first: int, end: int) -> array[int]:
        """The words of each row in a range of indices, row by row."""
        width = end - first
        found = array("q", bytes(self.words.itemsize * width * len(self)))
        for place in range(width):
            found[place::width] = self.column(first + place)
        return found

    def lines(self) -> array[int]:
        """The points of each match by line and seat."""
        return self.columns(HEAD, self.scored)

    def scores(self) -> array[int]:
        """The total points of each match, by seat."""
        return self.columns(self.scored, self.scored + self.players)

    def won(self) -> array[int]:
        """Whether each seat has won each match, as 1 or 0."""
        bits = self.column(WINNERS)
        found = array("q", bytes(bits.itemsize * self.players * len(self)))
        for seat in range(self.players):
            found[seat :: self.players] = array("q", [word >> seat & 1 for word in bits])
        return found

    def outcomes(self) -> Iterator[tuple[Outcome, int, int]]:
        """Each match as `playout` returns it, with its number of rounds, and how often the lead has changed."""
        words, players = self.words, self.players
        for start in range(0, len(words), self.size):
            ends = range(start + HEAD + players, start + self.scored + 2 * players, players)
            *lines, scores = [words[end - players : end].tolist() for end in ends]
            winners = [seat for seat in range(players) if words[start + WINNERS] >> seat & 1]
            ending = ENDINGS[words[start + ENDING]]
            outcome = Outcome(scores, lines, words[start + DECISIONS], winners, ending)
            yield outcome, words[start + ROUNDS], words[start + LEAD_CHANGES]
