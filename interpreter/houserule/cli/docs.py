"""What there is to read: `houserule games`, `show`, `why`, `diff`, `explain`, `docs` and `rulebook`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.bundled import PAGES, Section, bundled, index, plain, sections_of
from houserule.cli.report import (
    CLEAN,
    FAILED,
    Json,
    OfGame,
    Set,
    With,
    argument,
    beginning_in,
    console,
    fail,
    find_path,
    flag,
    load_game,
    near_path,
    option,
    print_json,
    refuse_other_files,
    save,
    seats_of,
    settings,
    tell,
    typed,
)
from houserule.codes import CODES, page
from houserule.diagnostics import did_you_mean
from houserule.icons import (
    CHANGES,
    CREDIT,
    FILE,
    LIBRARY,
    LICENSE,
    LICENSE_FILE,
    PACKAGE,
    VERSION,
    WrongPackage,
    drawn_in,
    known,
    library,
    matching,
    named_in,
    written,
)
from houserule.printable import printable, whole_number
from houserule.reading import files_below, is_inside, read
from houserule.writing import write_file

if TYPE_CHECKING:
    from houserule import Changeable, Game
    from houserule.rulebook import Book

# --- explain ----------------------------------------------------------------------------------------------------------


def explain(
    code: Annotated[str, argument("CODE", "The code of a message, such as HR512.", autocompletion=beginning_in(CODES))],
) -> None:
    """Explain a message: why it matters, with a broken and a fixed example.

    houserule explain HR512
    """
    wanted = f"HR{code}" if whole_number(code) is not None else code.upper()
    if wanted not in CODES:
        meant = did_you_mean(wanted, CODES)
        fail(f"there is no code '{code}'", meant or f"codes go from {min(CODES)} to {max(CODES)}")
    tell(page(CODES[wanted]))


# --- icons ------------------------------------------------------------------------------------------------------------


MOST_LISTED = 60


def icons(
    words: Annotated[
        list[str] | None, argument("[WORD]", "Words in the names that are listed.", show_default=False)
    ] = None,
    game: Annotated[Path | None, option("The folder of a game: write its icons.json.", "FOLDER")] = None,
    package: Annotated[
        Path | None, option(f"With --game: {PACKAGE} as npm packs it, where the drawings are.", "FILE", "--from")
    ] = None,
) -> None:
    """List the icons that layouts can name, or write the drawings of those that a game names into its folder.

    houserule icons lamp
    """
    if game is not None:
        if not game.is_dir():
            fail(f"there is no folder '{game}'", "name the folder of a game")
        write_icons(game, package)
        return
    if package is not None:
        fail("--from writes the drawings of a game", f"name its folder: --game FOLDER --from {package}")
    found = matching(words or ())
    for name in found[:MOST_LISTED]:
        tell(f"{LIBRARY}/{name}")
    if len(found) > MOST_LISTED:
        tell(f"… and {len(found) - MOST_LISTED} others: add a word")
    if not found:
        fail(f"no icon has '{' '.join(words or ())}' in its name", "try another word, in English")


def write_icons(folder: Path, package: Path | None) -> None:
    """Write the drawings of a game's icons beside its rules."""
    file = folder / FILE
    try:
        rules = [read(path, "rules").decode("utf-8", "replace") for path in files_below(folder, "**/*.yaml", folder)]
        named = [name for name in named_in(rules) if f"{LIBRARY}/{name}" in known()]
        have = drawn_in(folder)
        if not named:
            tell("no layout of this game names an icon")
            return
        if package is None:
            missing = [name for name in named if name not in have]
            if missing:
                packed = f"npm pack {PACKAGE}@{VERSION}, and then --from FILE"
                fail(f"'{file}' has no drawing of {', '.join(missing)}", packed)
            tell(f"'{file}' has all {len(named)} icons that its layouts name")
            return
        every = library(package)
        write_file(file, written({name: every[name] for name in named}))
        write_file(folder / LICENSE_FILE, f"{CREDIT}\n{LICENSE}\n{CHANGES}\n")
    except WrongPackage as wrong:
        fail(f"'{package}' is not the package of icons: {wrong}", f"npm pack {PACKAGE}@{VERSION}")
    except OSError as wrong:
        fail(f"'{wrong.filename or file}' could not be read or written: {wrong.strerror or wrong}")
    tell(f"wrote {len(named)} icons to '{file}': {CREDIT}")


# --- docs -------------------------------------------------------------------------------------------------------------


CODE = re.compile(r"hr[0-9]+")
DEEPEST_LISTED = 3
MOST_NAMED = 12


def docs(
    topic: Annotated[
        list[str] | None,
        argument(
            "[TOPIC]",
            "A page, the heading of a section, or a word of the index.",
            show_default=False,
            autocompletion=beginning_in(PAGES),
        ),
    ] = None,
    path: Annotated[bool, flag("--path", "Print where the page is, or the folder of all pages.")] = False,
    is_opened: Annotated[bool, flag("--open", "Open the page in its usual program.")] = False,
) -> None:
    """Print a section of the manual; without a topic, list the topics.

    houserule docs triggers
    """
    folder = bundled("docs")
    if not (folder / PAGES["language"]).is_file():
        fail("the manual is not there", f"it should be in '{folder}'")
    wanted = " ".join(topic or ())
    found = [] if not wanted else sections_for(wanted)
    file = folder / PAGES[found[0].page] if found else folder
    if path:
        tell(str(file))
    elif is_opened:
        opened = file if found else folder / PAGES["language"]
        if typer.launch(str(opened)):
            fail("there is no program here that opens the page", f"it is '{opened}'")
    elif not found:
        list_topics()
    else:
        from rich.markdown import Markdown

        for section in found:
            console().print(Markdown(section.text))


def list_topics() -> None:
    """Print each page with its sections, as users type them."""
    for topic in PAGES:
        first, *others = sections_of(topic)
        tell(f"{topic}: {first.title}")
        if topic in ("language", "cookbook"):
            for section in others:
                if section.level <= DEEPEST_LISTED:
                    tell(f"{'  ' * (section.level - 1)}{section.topic}")
        tell("")
    tell("houserule docs TOPIC prints a section; houserule explain CODE explains a message.")


def sections_for(wanted: str) -> list[Section]:
    """The sections for a topic: a page, a heading, or those of a word in the index; exits with a sentence if that is not clear."""
    topic = plain(wanted)
    if topic in PAGES:
        return sections_of(topic)[:1]
    if CODE.fullmatch(topic):
        fail(f"'{wanted}' is the code of a message", f"houserule explain {topic.upper()}")
    every = [section for page in PAGES for section in sections_of(page)]
    indexed = index(sections_of("language"))
    for found in (
        [section for section in every if topic in (section.topic.removeprefix("the "), section.anchor)][:1],
        indexed.get(topic, []),
        [section for section in every if topic and topic in section.topic],
    ):
        topics = list(dict.fromkeys(section.topic for section in found))
        if len(topics) == 1 or found is indexed.get(topic):
            return list(dict.fromkeys(found))[: len(topics)]
        if topics:
            more = ", …" if len(topics) > MOST_NAMED else ""
            fail(f"'{wanted}' could be several topics", f"one of: {', '.join(topics[:MOST_NAMED])}{more}")
    if (said := saying(topic, every)) is not None:
        return [said]
    known = [*PAGES, *(section.topic for section in every), *indexed]
    fail(f"the manual has no topic '{wanted}'", did_you_mean(topic, known) or "`houserule docs` lists the topics")


EXPLAINED = ("language", "studies", "bots", "table", "serve", "print", "site", "editors")
"""The pages in whose text a word is looked for that no heading has."""


def saying(topic: str, sections: Iterable[Section]) -> Section | None:
    """The section that says a word most often, the shortest of them."""
    parts = [one for one in sections if one.page in EXPLAINED and one.level > 1 and word_in(topic, one)]
    return max(parts, key=lambda section: (word_in(topic, section), -len(section.text)), default=None)


def word_in(topic: str, section: Section) -> int:
    """How often a section says a word."""
    return len(re.findall(rf"\b{re.escape(topic)}\b", section.text, re.IGNORECASE)) if topic else 0


FORMS = (".html", ".md", ".pdf")
MOST_SHOWN, MOST_OF_A_TEXT = 20, 70
MOST_TIMES = 10
"""So many times as many lines as a rulebook should have are compared with it; all further ones are too many."""

Lang = Annotated[str, option("The language: en, de, zh-Hant or ja.", "LANGUAGE", show_default=True)]


def rulebook(
    game: OfGame,
    variants: With = None,
    options: Set = None,
    lang: Lang = "en",
    output: Annotated[
        Path | None,
        option("Write it to this file: a page (.html), text (.md) or booklet (.pdf).", "FILE", "-o", "--output"),
    ] = None,
    only_changes: Annotated[
        bool, flag("--only-changes", "Write only what the house rules and settings change.")
    ] = False,
    check: Annotated[
        Path | None,
        option(
            "Fail if this page or text no longer matches the rules; without a file, list what the language lacks.",
            "[FILE]",
        ),
    ] = None,
) -> None:
    """Write the rulebook of a game from its rules, with its house rules marked. Without a file, print it as Markdown.

    houserule rulebook ./mushrooms --with long_walk --lang de -o rules.html
    houserule rulebook ./mushrooms --check --lang de
    """
    for file in (output, check):
        if file is not None and file != NO_FILE and file.suffix not in (FORMS if file is output else FORMS[:2]):
            fail(f"a rulebook cannot be written as '{file.name}'", f"name a file that ends in {', '.join(FORMS)}")
    if output is not None and check is not None:
        fail("--check writes nothing", f"leave out -o {output}")
    language = spoken(lang)
    loaded = load_game(game, variants or (), settings(options))
    from houserule.rulebook import markdown
    from houserule.rulebook import only_changes as what_differs
    from houserule.rulebook import rulebook as written

    book = written(loaded, language)
    if only_changes:
        book = what_differs(written(load_game(game, (), {}), language), book)
    if check is not None:
        raise typer.Exit(compare(check, book) if check != NO_FILE else list_gaps(loaded, book))
    if output is None:
        tell(markdown(book).rstrip("\n"))
        return
    save(output, content(output, book))


NO_FILE = Path()
"""What `--check` has without a file."""


def as_meant(args: Sequence[str]) -> list[str]:
    """The words of a call, with an empty one after a `--check` that no file follows."""
    words = list(args)
    for at in reversed([at for at, word in enumerate(words) if word == "--check"]):
        if at + 1 == len(words) or words[at + 1].startswith("-"):
            words.insert(at + 1, "")
    return words


def list_gaps(game: Game, book: Book) -> int:
    """List what a rulebook lacks in its language, and what authors should know; returns the exit code."""
    from houserule.rulebook import disused, gaps, outdated, renamed, stale, ungendered, untitled

    language = f"'{book.language}'"
    wrong, missing = stale(game, book.language), gaps(game, book.language)
    for found, sentence in (
        (wrong, "the house rules change this number: {}"),
        (renamed(game, book.language), "the house rules rename or remove this, see if this still holds: {}"),
        (disused(game, book.language), "no rule uses this any more with the house rules: {}"),
        (outdated(game, book.language), "the house rules change what is done here, see if this still holds: {}"),
        (missing, f"not in {language}: {{}}"),
        (untitled(game, book.language), f"{{}} has no title, so its name stands in {language}"),
        (ungendered(game, book.language), f"{{}} has no gender in {language}, so sentences quote it (grammar)"),
    ):
        for gap in found:
            tell(f"{gap.span.file}:{gap.span.line}: {sentence.format(one_line(gap.shown))}")
    for name in book.untitled:
        tell(f"{name}: this function has no title, so sentences call it by its name")
    texts = "1 text is" if len(missing) == 1 else f"{len(missing) or 'no'} {'texts are' if missing else 'text is'}"
    tell(f"{texts} missing in {language}")
    return FAILED if missing or wrong else CLEAN


def one_line(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= MOST_OF_A_TEXT else f"{shown[:MOST_OF_A_TEXT]}…"


def spoken(language: str) -> str:
    """A language with a phrase book; exits with a sentence for another."""
    from houserule.rulebook import LANGUAGES

    if language not in LANGUAGES:
        meant = did_you_mean(language, LANGUAGES)
        fail(f"there is no phrase book for '{language}'", meant or f"there are {', '.join(LANGUAGES)}")
    return language


def content(file: Path, book: Book) -> str | bytes:
    from houserule.rulebook import html, markdown, pdf

    if file.suffix == ".pdf":
        return pdf(book)
    return html(book) if file.suffix == ".html" else markdown(book)


def compare(file: Path, book: Book) -> int:
    """Compare a file with the current rulebook; returns the exit code. No line is shown of a file that a page links to elsewhere."""
    if not is_inside(file, file.parent):
        fail(f"{near_path(file)} is a link that leads out of its folder")
    try:
        old = read(file, "rulebook").decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        fail(f"{near_path(file)} cannot be read: {reason}", f"-o {file} instead of --check {file} writes it")
    new = content(file, book)
    assert isinstance(new, str)
    if old == new:
        return CLEAN
    tell(f"{near_path(file)} no longer matches the rules:")
    before, after = old.splitlines(), new.splitlines()
    compared = before[: MOST_TIMES * len(after)]
    lines = [line for line in unified_diff(compared, after, lineterm="", n=0) if line[:1] in "+-"][2:]
    for line in lines[:MOST_SHOWN]:
        tell(f"  {line}")
    if more := len(lines[MOST_SHOWN:]) + len(before) - len(compared):
        tell(f"  … and {more} more lines")
    return FAILED


# --- games ------------------------------------------------------------------------------------------------------------


WHOLE_LINE = 1000
"""A line for each game, with all of its id, has room in this width: a narrow terminal breaks it, and a pipe has none."""


def games() -> None:
    """List the bundled games, group by group.

    houserule games
    """
    from rich.table import Table

    import houserule
    from houserule.bundled import groups
    from houserule.cli.screen import one_line

    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    for group, name in ((group, name) for group, names in groups().items() for name in names):
        try:
            game = houserule.load(bundled("games") / group / name)
        except houserule.InvalidGame:
            table.add_row(one_line(name, style="bold"), one_line("has errors: see `houserule validate`", style="red"))
            continue
        table.add_row(
            one_line(name, style="bold"),
            one_line(game.title("en")),
            f"{game.players_in_words.replace(' to ', '-')} players",
            one_line(" ".join(game.languages)),
            one_line(group, style="dim"),
        )
    screen = console()
    screen.width = WHOLE_LINE
    screen.print(table)


# --- show -------------------------------------------------------------------------------------------------------------


def show_table(game: Game, players: str | None) -> None:
    from houserule.cli.picture import picture_of
    from houserule.table.compose import scene

    screen = console()
    screen.print(picture_of(scene(game.start(players=seats_of(game, players), seed=0)), screen.width))


def list_changeable(game: Game, name: str, path: str | None, as_data: bool) -> None:
    """Print each path that a house rule may change, with its present value; those at a path, or with a word in them."""
    found = game.changeable(path)
    if not found:
        fail(f"nothing that may be changed is called '{path}'", typed("show", name, "--changeable"))
    if as_data:
        print_json(
            [{"path": one.path, "value": one.value, "file": one.span.file, "line": one.span.line} for one in found]
        )
    else:
        print_values(found, len(found))


def print_values(found: Sequence[Changeable], most: int) -> None:
    """Print paths with their values, each on one line of the terminal."""
    screen = console()
    for one in found[:most]:
        line = f"{one.path}: {one.shown}"
        tell(line if not sys.stdout.isatty() or len(line) <= screen.width else f"{line[: screen.width - 1]}…")
    if len(found) > most:
        tell(f"… and {len(found) - most} more: name a longer path")


def is_changeable(game: str, path: str) -> bool:
    """Whether a game has something of this name that a house rule may change."""
    import houserule

    try:
        return bool(houserule.load(game).changeable(path))
    except (houserule.UnknownGame, houserule.InvalidGame):
        return False


class Stage(StrEnum):
    """The stages whose results can be shown."""

    merged = "merged"
    tree = "tree"
    check = "check"
    segments = "segments"


def show(
    game: OfGame,
    path: Annotated[
        str | None, argument("PATH", "With --changeable: only what stands at this path, or has this word in it.")
    ] = None,
    stage: Annotated[Stage | None, option("Print the result of this stage.")] = None,
    table: Annotated[bool, flag("--table", "Show its table after the set-up, with every face up.")] = False,
    players: Annotated[str | None, option("With --table: how many, or names separated by commas.", "N|NAMES")] = None,
    changeable: Annotated[
        bool, flag("--changeable", "List the paths that a house rule may change, with their values.")
    ] = False,
    json: Json = False,
    variants: With = None,
    options: Set = None,
) -> None:
    """Describe a game, show the result of a stage, or show its table.

    houserule show ./mushrooms --changeable
    houserule show ./mushrooms --changeable flow.day_of_walking
    """
    if path is not None and not changeable:
        help = typed("show", game, "--changeable", path) if is_changeable(game, path) else "houserule show GAME"
        fail(f"'show' does not expect '{path}'", help)
    if json and not changeable:
        fail("--json is for a list of what may be changed", typed("show", game, "--changeable", "--json"))
    if sum((changeable, table, stage is not None)) > 1:
        fail("--changeable, --table and --stage each show something else", "give one of them")
    if players is not None and not table:
        fail("--players says who sits at the table", typed("show", game, "--table", "--players", players))
    loaded = load_game(game, variants or (), settings(options))
    if changeable:
        list_changeable(loaded, game, path, json)
        return
    if table:
        show_table(loaded, players)
        return
    if stage is not None:
        tell(loaded.stage(stage.value))
        return
    describe(loaded, game)


def describe(loaded: Game, game: str) -> None:
    """Print what a game is, its options and its house rules."""
    tell(f"{printable(loaded.title('en'))} ({loaded.id})")
    tell(f"{loaded.players_in_words} players")
    tell(f"languages: {', '.join(loaded.languages)}")
    if loaded.variants:
        tell(f"with: {', '.join(variant.name for variant in loaded.house_rules_in_use)}")
    if loaded.settings:
        tell(f"options: {', '.join(f'{name}: {value}' for name, value in loaded.settings.items())}")
    text = loaded.text("en").strip()
    if text:
        tell("")
        tell(text)
    titles = loaded.titles_of_house_rules("en")
    texts = {name: option.text.raw("en") if option.text else "" for name, option in loaded.definition.options.items()}
    for heading, rows in (
        ("options, for --set:", {f"{name}={default}": texts[name] for name, default in loaded.defaults.items()}),
        ("house rules, for --with:", {name: titles[name] for name in loaded.house_rules}),
    ):
        if rows:
            tell("")
            tell(heading)
        for name, about in rows.items():
            tell(f"  {name:{max(map(len, rows))}}  {printable(about)}".rstrip())
    if loaded.assumptions:
        tell("")
        tell(f"{len(loaded.assumptions)} rules that the rulebook leaves open: {typed('validate', game, '--assumed')}")


# --- why --------------------------------------------------------------------------------------------------------------


def why(
    game: OfGame,
    path: Annotated[str, argument("PATH", "Keys with dots, such as tables.prize.red.")],
    variants: With = None,
    options: Set = None,
) -> None:
    """Name the files and lines that made a value: the game's own, and those of the house rules that change it.

    The paths below are listed with their values. A word that is no path lists those with it.

    houserule why ./mushrooms tables.variety_bonus --with long_walk
    houserule why ./mushrooms bonus
    """
    loaded = load_game(game, variants or (), settings(options))
    inside = loaded.changeable(path)
    try:
        for line in loaded.origin(path):
            tell(line)
        inside = [one for one in inside if one.path != path]
        if inside:
            tell()
    except LookupError as unknown:
        if not inside or "." in path:
            words = {word for one in loaded.changeable() for word in one.path.split(".")}
            fail(str(unknown), ("." not in path and did_you_mean(path, words)) or getattr(unknown, "suggestion", None))
    print_values(inside, MOST_LISTED)


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

    With --prose, it uses the sentences of the rulebook, and can compare two versions of a game.

    houserule diff ./mushrooms --with long_walk
    houserule diff old/game.yaml new/game.yaml --prose
    """
    chosen = settings(options)
    if later is None and not variants and not chosen:
        refuse_other_files(find_path(game), game)
        fail("a game does not differ from itself", typed("diff", game, "--with", "VARIANT"))
    if later is not None and not prose:
        fail("two versions of a game are compared in sentences", typed("diff", game, later, "--prose"))
    if prose:
        in_sentences(game, later or game, variants or [], chosen, spoken(lang))
        return
    loaded = load_game(game, variants or (), chosen)
    found = loaded.differences()
    for line in found or [f"nothing differs: every rule and option is as in '{loaded.id}'"]:
        tell(line)


def in_sentences(game: str, later: str, variants: list[str], chosen: dict[str, str], language: str) -> None:
    """Print the sentences that only one of the two rulebooks has."""
    from houserule.rulebook import changes, outdated, rulebook

    before = rulebook(load_game(game, (), {}), language, examples=False)
    changed = load_game(later, variants, chosen)
    after = rulebook(changed, language, examples=False)
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
        if outdated(changed, language):
            tell("rules behind their texts differ: `houserule rulebook --check` with the house rules lists these texts")
