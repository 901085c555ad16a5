"""`houserule diff`: describe what house rules change in a game, or how two versions of it differ."""

from __future__ import annotations

from typing import Annotated

import typer

from houserule.cli.house_rules import Set, With, settings
from houserule.cli.report import fail, load_game, tell
from houserule.cli.rulebook import Lang, spoken


def diff(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    later: Annotated[
        str | None,
        typer.Argument(metavar="LATER", help="Another version of the game, for --prose.", show_default=False),
    ] = None,
    variants: With = None,
    options: Set = None,
    prose: Annotated[bool, typer.Option("--prose", help="Use the sentences of the rulebook.")] = False,
    lang: Lang = "en",
) -> None:
    """Describe what house rules change in a game: what they add, change, remove, and rewrite line by line.

    With --prose, it uses the sentences of the rulebook, and can compare two versions of a game:
    houserule diff old/game.yaml new/game.yaml --prose
    """
    chosen = settings(options)
    if later is None and not variants and not chosen:
        fail("a game does not differ from itself", f"houserule diff {game} --with VARIANT")
    if later is not None and not prose:
        fail("two versions of a game are compared in sentences", f"houserule diff {game} {later} --prose")
    if prose:
        in_sentences(game, later or game, variants or [], chosen, spoken(lang))
        return
    loaded = load_game(game, variants or (), chosen)
    found = loaded.differences()
    for line in found or [f"nothing differs: every rule and option is as in '{loaded.id}'"]:
        tell(line)


def in_sentences(game: str, later: str, variants: list[str], chosen: dict[str, str], language: str) -> None:
    """Print the sentences that only one of the two rulebooks has."""
    from houserule.rulebook import changes, rulebook

    before = rulebook(load_game(game, (), {}), language)
    after = rulebook(load_game(later, variants, chosen), language)
    count = 0
    for change in changes(before, after):
        count += 1
        tell(f"{change.title or before.title} ({change.anchor})")
        for sentence in change.gone:
            tell(f"  - {sentence}")
        for sentence in change.new:
            tell(f"  + {sentence}")
    if not count:
        tell("nothing differs: both rulebooks say the same")
