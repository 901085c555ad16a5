"""`houserule games`: list the bundled games by group."""

from __future__ import annotations


def games() -> None:
    """List the bundled games, group by group."""
    from rich.table import Table

    import houserule
    from houserule.bundled import groups
    from houserule.cli.colours import console
    from houserule.cli.screen import one_line

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for group, name in ((group, name) for group, names in groups().items() for name in names):
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
            one_line(group, style="dim"),
        )
    console().print(table)
