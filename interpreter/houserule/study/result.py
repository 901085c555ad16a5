"""The result of a study: its matches, their summary and their options, for programs and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from houserule.core import Game
from houserule.extras import library
from houserule.printable import printable
from houserule.study.plan import Plan
from houserule.study.rows import Columns, Rows
from houserule.study.summary import Summary, summary_of

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False)
class Study:
    """The matches of a study. `summary` has the figures; tables are data frames of pandas."""

    game: Game
    plan: Plan
    columns: Columns

    def __repr__(self) -> str:
        return f"<Study of {self.plan.game}: {len(self.columns):,} matches>"

    def __len__(self) -> int:
        return len(self.columns)

    @cached_property
    def summary(self) -> Summary:
        """Wins by seat and bot, scores, and lengths, with 95 % intervals."""
        found = summary_of(self.game, self.plan, self.columns)
        assert found is not None, "a study has at least one match"
        return found

    @cached_property
    def rows(self) -> Rows:
        """The writer of its tables. Raises MissingExtra."""
        return Rows(self.game, self.plan)

    def options(self) -> Iterator[dict[str, Any]]:
        """How often each item was offered and taken, by seat and bot; empty where that was not counted."""
        return self.rows.options(self.columns) if self.plan.offers else iter(())

    def to_json(self) -> dict[str, Any]:
        """The summary as plain data."""
        return self.summary.to_json()

    def to_pandas(self) -> DataFrame:
        """A row for each match. Raises MissingExtra."""
        library("pandas", "study")
        frame: DataFrame = self.rows.matches(self.columns).to_pandas()
        return frame

    def options_to_pandas(self) -> DataFrame:
        """A row for each item, seat and bot: how often it was offered and taken. Raises MissingExtra."""
        library("pandas", "study")
        frame: DataFrame = self.rows.tables(self.columns)[1].to_pandas()
        return frame

    def _repr_html_(self) -> str:
        """The figures as tables, for notebooks."""
        summary = self.summary
        rows = "".join(
            f"<tr><td>{seat.seat}</td><td>{seat.wins.alone / summary.matches:.1%}</td>"
            f"<td>{seat.wins.shared / summary.matches:.1%}</td><td>{seat.score.mean:.2f}</td></tr>"
            for seat in summary.seats
        )
        title = escape(printable(self.game.title("en")))
        return (
            f"<table><caption>{title}: {summary.matches:,} matches of {escape(', '.join(self.plan.seats))}</caption>"
            f"<tr><th>seat</th><th>wins</th><th>shared wins</th><th>mean score</th></tr>{rows}</table>"
        )
