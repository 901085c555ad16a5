"""`houserule games`: list the bundled games."""

from __future__ import annotations


def games() -> None:
    """List the bundled games."""
    from rich.table import Table

    import houserule
    from houserule.cli.colours import console
    from houserule.cli.screen import one_line

    table = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    for name in houserule.games():
        try:
            game = houserule.load(name)
        except houserule.InvalidGame:
            table.add_row(one_line(name, style="bold"), one_line("has errors: see `houserule validate`", style="red"))
            continue
        fewest, most = min(game.players), max(game.players)
        span = f"{fewest}" if fewest == most else f"{fewest}-{most}"
        table.add_row(
            one_line(name, style="bold"),
            one_line(game.title("en")),
            f"{span} players",
            one_line(", ".join(game.languages)),
        )
    console().print(table)
