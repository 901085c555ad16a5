"""`houserule games`, `show`, `why` and `diff`: what there is, what a game says, and where it says it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from houserule.cli.docs import Lang, spoken
from houserule.cli.report import OfGame, Set, With, argument, fail, flag, load_game, option, seats_of, settings, tell
from houserule.printable import printable

if TYPE_CHECKING:
    from houserule import Game


# --- games ------------------------------------------------------------------------------------------------------------


def games() -> None:
    """List the bundled games, group by group."""
    from rich.table import Table

    import houserule
    from houserule.bundled import groups
    from houserule.cli.report import console
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


# --- show -------------------------------------------------------------------------------------------------------------


def show_table(game: Game, players: str | None) -> None:
    from houserule.cli.picture import picture_of
    from houserule.cli.report import console
    from houserule.table.compose import scene

    screen = console()
    screen.print(picture_of(scene(game.start(players=seats_of(game, players), seed=0)), screen.width))


class Stage(StrEnum):
    """The stages whose results can be shown."""

    merged = "merged"
    tree = "tree"
    check = "check"
    segments = "segments"


def show(
    game: OfGame,
    stage: Annotated[Stage | None, option("Print the result of this stage.")] = None,
    table: Annotated[bool, flag("--table", "Show its table after the set-up, with every face up.")] = False,
    players: Annotated[str | None, option("With --table: how many, or names separated by commas.", "N|NAMES")] = None,
    variants: With = None,
    options: Set = None,
) -> None:
    """Describe a game, show the result of a stage, or show its table."""
    loaded = load_game(game, variants or (), settings(options))
    if table:
        show_table(loaded, players)
        return
    if stage is not None:
        tell(loaded.stage(stage.value))
        return
    fewest, most = min(loaded.players), max(loaded.players)
    tell(f"{printable(loaded.title('en'))} ({loaded.id})")
    tell(f"{fewest} players" if fewest == most else f"{fewest} to {most} players")
    tell(f"languages: {', '.join(loaded.languages)}")
    if loaded.variants:
        tell(f"with: {', '.join(variant.name for variant in loaded.loaded.variants)}")
    if loaded.settings:
        tell(f"options: {', '.join(f'{name}: {value}' for name, value in loaded.settings.items())}")
    text = loaded.text("en").strip()
    if text:
        tell("")
        tell(text)
    if loaded.defaults:
        tell("")
        tell("options, for --set:")
        width = max(len(f"{name}={default}") for name, default in loaded.defaults.items())
        for name, default in loaded.defaults.items():
            about = loaded.definition.options[name].text
            tell(f"  {f'{name}={default}':{width}}  {printable(about.raw('en')) if about else ''}".rstrip())
    if loaded.house_rules:
        tell("")
        tell("house rules, for --with:")
        width = max(len(name) for name in loaded.house_rules)
        for name, title in loaded.titles_of_house_rules("en").items():
            tell(f"  {name:{width}}  {printable(title)}".rstrip())
    if loaded.assumptions:
        tell("")
        tell(f"{len(loaded.assumptions)} rules that the rulebook leaves open: houserule validate {game} --assumed")


# --- why --------------------------------------------------------------------------------------------------------------


def why(
    game: OfGame,
    path: Annotated[str, argument("PATH", "Keys with dots, such as tables.prize.red.")],
    variants: With = None,
    options: Set = None,
) -> None:
    """Name the files and lines that made a value: the game's own, and those of the house rules that change it."""
    loaded = load_game(game, variants or (), settings(options))
    try:
        lines = loaded.origin(path)
    except LookupError as unknown:
        fail(str(unknown), getattr(unknown, "suggestion", None))
    for line in lines:
        tell(line)


# --- diff -------------------------------------------------------------------------------------------------------------


def diff(
    game: OfGame,
    later: Annotated[
        str | None, argument("LATER", "Another version of the game, for --prose.", show_default=False)
    ] = None,
    variants: With = None,
    options: Set = None,
    prose: Annotated[bool, flag("--prose", "Use the sentences of the rulebook.")] = False,
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
