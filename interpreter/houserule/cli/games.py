"""`houserule games`: list the bundled games."""

from __future__ import annotations


def games() -> None:
    """List the bundled games."""
    from rich.table import Table
    from rich.text import Text

    import houserule
    from houserule.cli.colours import console

    table = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    for name in houserule.games():
        try:
            game = houserule.load(name)
        except houserule.InvalidGame:
            table.add_row(Text(name, style="bold"), Text("has errors: see `houserule validate`", style="red"))
            continue
        fewest, most = min(game.players), max(game.players)
        span = f"{fewest}" if fewest == most else f"{fewest}-{most}"
        table.add_row(
            Text(name, style="bold"), Text(game.title("en")), f"{span} players", Text(", ".join(game.languages))
        )
    console().print(table)
