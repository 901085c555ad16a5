"""`houserule print`: the cards, tiles and boards of a game on sheets of paper, or as single pictures."""

from __future__ import annotations

import sys
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from houserule.cli.docs import spoken
from houserule.cli.report import (
    Json,
    OfGame,
    Set,
    With,
    fail,
    flag,
    load_game,
    near_path,
    not_written,
    option,
    print_json,
    save,
    see_players,
    settings,
    tell,
)
from houserule.cli.studies import bar
from houserule.diagnostics import did_you_mean
from houserule.writing import make_folder

if TYPE_CHECKING:
    from houserule import Game
    from houserule.printing import Album, Settings, Stock


class Form(StrEnum):
    """What is written: sheets, single pictures, or pictures for others who print or show them."""

    pdf = "pdf"
    svg = "svg"
    png = "png"
    tts = "tts"
    tgc = "tgc"


class Paper(StrEnum):
    """The size of paper."""

    a4 = "a4"
    letter = "letter"


class Flip(StrEnum):
    """The edge about which paper is turned to print its back."""

    long = "long"
    short = "short"
    none = "none"


FORM = (
    "What to write: pdf; svg or png for single pictures; tts for decks of Tabletop Simulator; tgc for the sizes of "
    "The Game Crafter. PNG needs houserule\\[png]."
)
MOST_BLEED = 6.0


def print_game(  # long: most of it is options and their help
    game: OfGame,
    variants: With = None,
    options: Set = None,
    output: Annotated[
        Path | None,
        option(
            "Write to this file (.pdf), or into this folder. Without it, the pieces are listed.",
            "FILE",
            "-o",
            "--output",
        ),
    ] = None,
    form: Annotated[Form, option(FORM, "pdf|svg|png|tts|tgc", "--format")] = Form.pdf,
    is_new: Annotated[bool, flag("--only-new", "Only what the house rules add or change.")] = False,
    is_aid: Annotated[bool, flag("--aid", "A player's aid on one page: the turn, the scoring, the symbols.")] = False,
    paper: Annotated[Paper, option("The paper.", "a4|letter")] = Paper.a4,
    bleed: Annotated[
        float, option("How far colours go beyond the cut; 0 prints pieces edge to edge.", "MM", min=0, max=MOST_BLEED)
    ] = 1.5,
    flip: Annotated[
        Flip, option("The edge about which the paper is turned for the backs.", "long|short|none")
    ] = Flip.long,
    up: Annotated[
        int, option("At most so many pieces on a sheet; 0 for as many as fit.", "NUMBER", min=0, max=1000)
    ] = 0,
    no_marks: Annotated[bool, flag("--no-marks", "Leave out the marks for cutting.")] = False,
    is_grey: Annotated[bool, flag("--grey", "Black and white: patterns stand for colours.")] = False,
    players: Annotated[int | None, option("For so many players; by default for the most.", "NUMBER")] = None,
    lang: Annotated[str | None, option("The language of titles and texts, such as de.", "LANGUAGE")] = None,
    is_json: Json = False,
) -> None:
    """Print a game: its cards, tiles, tokens, dice and boards on sheets to cut out, as many as the rules count, with backs that register.

    houserule print ./mushrooms -o mushrooms.pdf
    houserule print ./mushrooms --with long_walk --only-new -o new_cards.pdf
    houserule print ./mushrooms --format png -o pictures
    """
    loaded = load_game(game, variants or (), settings(options))
    language = language_of(loaded, lang, is_aid)
    if players is not None:
        see_players(loaded, players)
    if is_new and not (variants or options):
        fail("--only-new compares with the game without house rules", "name one: --with VARIANT")
    if is_aid and form is not Form.pdf:
        fail("a player's aid is a page to print, and no pictures", "leave out --format: --aid -o aid.pdf")
    if output is not None and form is Form.pdf and output.suffix != ".pdf":
        fail(
            f"sheets cannot be written as '{output.name}'",
            "name a file that ends in .pdf, or --format png for pictures",
        )
    from houserule.printing import Settings, TooMuch

    made = Settings(paper.value, bleed, flip.value, up, not no_marks, is_grey)
    try:
        if is_aid:
            print_aid(loaded, language, made, output)
            return
        found = stock_of(loaded, game, language, players, made, form, is_new)
        report = written(found, made, form, output)
    except TooMuch as wrong:
        fail(f"this cannot be printed: {wrong}")
    tell_of(found, report, output, is_json)


def language_of(game: Game, lang: str | None, is_aid: bool) -> str:
    """The language that is printed: by default English if the game has it; exits with a sentence for one that it lacks."""
    known = game.languages
    if lang is None:
        return "en" if "en" in known or is_aid else known[0]
    if is_aid:
        return spoken(lang)
    if lang not in (*known, "en"):
        fail(f"'{game.id}' has no titles in '{lang}'", did_you_mean(lang, known) or f"it has {', '.join(known)}")
    return lang


def stock_of(
    loaded: Game, game: str, language: str, players: int | None, made: Settings, form: Form, is_new: bool
) -> Stock:
    from houserule.printing import crafted, only_new, stock

    def of(one: Game, number: int | None) -> Stock:
        resized = crafted if form is Form.tgc else None
        return stock(one, language, number, is_grey=made.is_grey, paper=made.paper, resized=resized)

    found = of(loaded, players)
    if not is_new:
        return found
    base = load_game(game)
    return only_new(of(base, players if players in base.players else None), found)


def print_aid(loaded: Game, language: str, made: Settings, output: Path | None) -> None:
    from houserule.printing import aid

    if output is None:
        fail("a player's aid is written to a file", "-o aid.pdf")
    content, pages = aid(loaded, language, made)
    save(output, content)
    if pages > 1:
        tell_warning(f"the player's aid takes {pages} pages")
    tell(f"wrote {near_path(output)}")


def tell_warning(message: str) -> None:
    tell(f"warning: {message}", sys.stderr)


def written(found: Stock, made: Settings, form: Form, output: Path | None) -> dict[str, object]:
    """Write what there is to print; returns how many sheets or pictures that are."""
    from houserule.printing import decks, pdf, products, sheets, single

    if not found.items:
        return {"sheets": 0} if form is Form.pdf else {"pictures": 0}
    if form is Form.pdf:
        number = len(sheets(found, made))
        if output is not None:
            with bar(found.title, None):
                content = pdf(found, made)
            save(output, content)
        return {"sheets": number}
    if form is Form.tts:
        album = decks(found)
    elif form is Form.tgc:
        album = products(found)
    else:
        album = single(found, made, form.value)
    if output is not None:
        write_album(album, form, output)
    return {"pictures": len(album.pictures)}


def write_album(album: Album, form: Form, folder: Path) -> None:
    """Write pictures and the table of them into a folder."""
    from houserule.printing import rasters

    try:
        make_folder(folder)
    except OSError as error:
        not_written(folder, error)
    if form is Form.svg:
        for picture in album.pictures:
            save(folder / f"{picture.name}.svg", picture.svg)
    else:
        with bar(folder.name, len(album.pictures)) as progress:
            for name, content in rasters(album.pictures):
                save(folder / f"{name}.png", content)
                if progress is not None:
                    progress(1)
    save(folder / "pieces.csv", album.table())


def tell_of(found: Stock, report: dict[str, object], output: Path | None, is_json: bool) -> None:
    """Report what was printed, and warn of letters that are hard to read."""
    from houserule.printing import kinds_of

    counts = kinds_of(found.items)
    if is_json:
        items = [
            {
                "kind": one.kind,
                "id": one.id,
                "title": one.title,
                "copies": one.copies,
                "width": round(one.front.width, 1),
                "height": round(one.front.height, 1),
                "has_back": one.back is not None,
            }
            for one in found.items
        ]
        about = {"game": found.game, "file": str(output) if output is not None else None}
        print_json(about | report | {"kinds": counts, "hard_to_read": list(found.small), "items": items})
        return
    for one in found.small:
        tell_warning(f"the letters on {one} are hard to read: shorten its text, or give it more room")
    listed = ", ".join(f"{name}: {number}" for name, number in counts.items()) or "nothing"
    if output is None:
        titles = Counter(item.title for item in found.items)
        for item in found.items:
            size = f"{item.front.width:g} x {item.front.height:g} mm"
            name = f"{item.title}, {item.id}" if titles[item.title] > 1 else item.title
            tell(f"{item.copies:4}  {name} ({size})")
    what, number = next(iter(report.items()))
    what = what.removesuffix("s") if number == 1 else what
    tell(f"{f'wrote {near_path(output)}' if output is not None else found.title}: {listed} ({number} {what})")
