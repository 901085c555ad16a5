"""The table in a terminal shows what a player can know, and no rows without news."""

from __future__ import annotations

import io

from rich.console import Console

import houserule
from houserule.cli.screen import MOST_IN_ORDER, table_of, zone_text
from houserule.telling.view import PieceView, ZoneView


def shown(game: str, players: list[str]) -> str:
    match = houserule.load(game).start(players=players, seed=1)
    console = Console(file=io.StringIO(), width=110)
    console.print(table_of(match.view(players[0]), players, players[0], 110, "en"))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def pile(*labels: str, ordered: bool) -> ZoneView:
    pieces = [PieceView(label, None, True) for label in labels]
    return ZoneView("pile", "Pile", "Pile", None, pieces, len(pieces), (), ordered)


def test_a_short_pile_is_read_out_in_its_order() -> None:
    lying = ("ace", "king", "ace", "ace")
    assert zone_text(pile(*lying, ordered=True), "en").plain == "ace, king, ace ×2"
    assert zone_text(pile(*lying, ordered=False), "en").plain == "ace ×3, king"


def test_of_a_long_pile_equal_pieces_are_counted() -> None:
    lying = ("ace", "king") * MOST_IN_ORDER
    assert zone_text(pile(*lying, ordered=True), "en").plain == f"ace ×{MOST_IN_ORDER}, king ×{MOST_IN_ORDER}"


def test_many_closed_places_have_no_rows() -> None:
    text = shown("master_thieves", ["Rosa", "Kim"])
    assert "Front compartment" not in text
    assert "Long drawer, Short drawer, Long drawer, Short drawer" in text


def test_many_places_with_a_piece_face_down_have_one_row() -> None:
    text = shown("ali_baba", ["Mina", "Noor"])
    assert text.count("face-down tile") == 2
    assert "face-down tile ×50" in text and "face-down tile ×6" in text
    assert text.count("Cave (layer 4") == 4 and "Cave (layer 3" not in text


def test_a_value_that_is_the_only_one_of_its_name_has_a_row_from_the_start() -> None:
    text = shown("rattlebones", ["Ines", "Omar"])
    assert "Rattlebones stands at  55" in text and "Train on space         0" in text
    assert text.count("Points  ") == 2
    assert "Resolves" not in text and "Owns" not in text
