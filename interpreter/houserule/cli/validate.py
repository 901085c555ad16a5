"""`houserule validate` and `houserule format`: rule files checked, and written in one style."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.bundled import PACKAGE, bundled
from houserule.cli.report import (
    CLEAN,
    FAILED,
    Bundled,
    Names,
    Set,
    SkipOthers,
    With,
    code_after,
    complain,
    fail,
    flag,
    is_game,
    keys_of,
    named,
    near_path,
    no_variant,
    not_written,
    nothing_found,
    option,
    place,
    settings,
    subjects,
    tell,
)
from houserule.cli.reports import Findings, Format, Output, print_report, see_output
from houserule.mending import Mended, mend, patch
from houserule.reading import MOST_BYTES, is_inside, read
from houserule.writing import cache_folder, write_file

if TYPE_CHECKING:
    from houserule import Diagnostic, Span

# --- verdicts ---------------------------------------------------------------------------------------------------------


MOST_FILES = 2_000
MOST_VERDICTS = 1_000


def hash_of(game: Path, variants: Iterable[str], settings: Mapping[str, str], rules_only: bool) -> str | None:
    """A hash of everything that a verdict on a game depends on; None if that is too much to read or unreadable.

    The parts of a game are in its folder, so everything there is read; house rules may be elsewhere.
    """
    folder = game if game.is_dir() else game.parent
    if not (folder / "game.yaml").is_file() or (game.is_file() and game.name != "game.yaml"):
        return None
    found = sha256(repr((str(game), rules_only, list(variants), sorted(settings.items()))).encode())
    found.update(interpreter_as_it_is().encode())
    loose = [Path(name) for name in variants if Path(name).is_file()]
    if any("requires" in keys_of(file) for file in loose):
        return None  # what they require may be anywhere beside them
    try:
        left = MOST_BYTES["verdict"]
        for file in [*files_in(folder, MOST_FILES), *loose]:
            content = read(file, "verdict")
            left -= len(content)
            if left < 0:
                return None
            found.update(repr((str(file), len(content))).encode())
            found.update(content)
    except (OSError, OverflowError):
        return None
    return found.hexdigest()


def files_in(folder: Path, most: int) -> Iterator[Path]:
    """The files below a folder, in order. Raises OverflowError if there are too many, OSError if one is no file."""
    number = 0
    for around, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            number += 1
            file = Path(around, name)
            if number > most:
                raise OverflowError
            if file.is_symlink() or not file.is_file():
                raise OSError
            yield file


@cache
def interpreter_as_it_is() -> str:
    """The files of the interpreter, by size and time: another version may find other mistakes."""
    inside = [PACKAGE, bundled("schema")]
    made_of = [
        (entry.name, entry.stat().st_size, entry.stat().st_mtime_ns)
        for folder in inside
        for around, _, _ in os.walk(folder)
        if not around.endswith("__pycache__")
        for entry in sorted(os.scandir(around), key=lambda entry: entry.name)
        if entry.is_file()
    ]
    return repr((sys.version, made_of))


def was_clean(name: str | None) -> bool:
    """Whether the same rules were clean before."""
    folder = cache_folder("clean")
    return name is not None and folder is not None and (folder / name).is_file()


def keep_clean(name: str | None) -> None:
    """Remember that the rules are clean; does nothing if the folder cannot be written."""
    folder = cache_folder("clean")
    if name is None or folder is None:
        return
    with suppress(OSError):
        write_file(folder / name, b"")
        kept = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
        for file in kept[: max(0, len(kept) - MOST_VERDICTS)]:
            file.unlink(missing_ok=True)


# --- mend -------------------------------------------------------------------------------------------------------------


MOST_ROUNDS = 8


def folders_of(paths: Iterable[Path]) -> list[Path]:
    """The folders whose files may be fixed: those of the games, or of files that belong to none."""
    found = []
    for path in paths:
        folder = path.resolve() if path.is_dir() else path.resolve().parent
        games = [above for above in (folder, folder.parent) if (above / "game.yaml").is_file()]
        found.append(games[0] if games else folder)
    return found


def mend_files(paths: Iterable[Path], validate: Callable[[], list[Diagnostic]]) -> None:
    """Apply the certain fixes, report them on the error stream, and validate again.

    Another round fixes mistakes that were hidden by others. There are a few rounds at most, and none once a file repeats an
    earlier state.
    """
    folders = folders_of(paths)
    seen: set[tuple[str, str]] = set()
    diagnostics = validate()
    for _ in range(MOST_ROUNDS):
        mended = [m for m in mend(diagnostics, folders) if (m.file, m.after) not in seen]
        if not mended:
            break
        for file in mended:
            seen.update({(file.file, file.before), (file.file, file.after)})
            write(Path(file.file), file.after)
            say(file)
        diagnostics = validate()


def say(file: Mended) -> None:
    """One line for each fix."""
    for diagnostic in file.diagnostics:
        assert diagnostic.fix is not None
        now = diagnostic.fix.text.strip()
        put = f"'{shown(now)}'" if now else "a space" if diagnostic.fix.text else "nothing"
        tell(f"{place(diagnostic.fix.span)}: fixed {diagnostic.code}: now {put}", sys.stderr)


def shown(text: str) -> str:
    first = text.split("\n")[0]
    return first if first == text and len(first) <= 60 else first[:59] + "…"


def differences(paths: Iterable[Path], diagnostics: Iterable[Diagnostic]) -> str:
    """What the first round of `--fix` would change, as a unified diff of all files."""
    return "".join(file.difference(near_path(file.file)) for file in mend(diagnostics, folders_of(paths)))


# --- validate ---------------------------------------------------------------------------------------------------------


# complex: it checks which options contradict each other
def validate(  # long: most of it is options and their help
    games: Names = None,
    are_bundled: Bundled = False,
    format: Annotated[Format, option("The format of the report.")] = Format.text,
    output: Output = None,
    strict: Annotated[bool, flag("--strict", "Fail for warnings as well.")] = False,
    assumed: Annotated[bool, flag("--assumed", "Also list what the rulebook leaves open.")] = False,
    revealed: Annotated[bool, flag("--revealed", "Also list what is revealed on purpose.")] = False,
    rules_only: Annotated[
        bool, flag("--rules-only", "Check the rules of games, not their variants and scenarios.")
    ] = False,
    with_variants: Annotated[
        bool, flag("--variants", "Check each variant by itself, the default.", hidden=True)
    ] = False,
    cached: Annotated[
        bool, flag("--cache/--no-cache", "Skip rules that were clean before and have not changed.")
    ] = True,
    skip_others: SkipOthers = False,
    variants: With = None,
    options: Set = None,
    fix: Annotated[bool, flag("--fix", "Apply all certain fixes, and check again.")] = False,
    diff: Annotated[bool, flag("--diff", "Print what --fix would change, as a unified diff.")] = False,
) -> None:
    """Check rule files. Prints nothing if all is well. Errors fail, and with --strict also warnings.

    A game is checked with each of its variants by itself, and with its scenarios. With --with or --set, only its rules with
    these are checked. Without rule files, the command exits with 2.

    houserule validate ./mushrooms
    houserule validate ./mushrooms --with my_rule.yaml --strict
    """
    # A process of half a second need not collect garbage.
    gc.disable()

    import houserule

    see_output(format, output)
    if with_variants and rules_only:
        fail("--variants and --rules-only contradict each other", "leave out --rules-only")
    chosen = settings(options)
    if (variants or chosen) and not games and not is_game(Path()):
        wanted = " ".join(f"--with {name}" for name in variants or ())
        fail("--with and --set need a game", f"houserule validate GAME {wanted}".rstrip())
    found_at = subjects(games, are_bundled, skip_others)
    paths = [path for path in found_at if path.is_dir() or not rules_only or path == found_at[path][1]]
    findings = Findings("validate", is_strict=strict)

    def validated() -> list[Diagnostic]:
        findings.subjects = []
        for path in paths:
            name, root = found_at[path]
            verdict = hash_of(path, variants or (), chosen, rules_only) if cached and is_inside(path, root) else None
            try:
                known = was_clean(verdict)
                found = [] if known else houserule.validate(path, variants or (), chosen, rules_only, root)
            except houserule.UnknownGame as unknown:
                no_variant(unknown, name)
            if not found:
                keep_clean(verdict)
            findings.subjects.append((name, found))
        return findings.diagnostics

    if diff:
        sys.stdout.write(differences(paths, validated()))
    else:
        mend_files(paths, validated) if fix else validated()
        for key in [key for key, is_wanted in (("assumed", assumed), ("revealed", revealed)) if is_wanted]:
            findings.reasons[key] = [one for path in paths for one in reasons_of(key, path, variants or [], chosen)]
        print_findings(findings, format, output)
    raise typer.Exit(code_after(findings.diagnostics, chosen) if findings.failed else CLEAN)


def print_findings(findings: Findings, format: Format, output: Path | None) -> None:
    """Print the findings as text, or as a report that may go to a file."""
    if format is Format.text:
        complain(findings.diagnostics)
        for key, listed in findings.reasons.items():
            for span, reason in listed:
                tell(f"{place(span)}: {key}: {reason}")
    else:
        print_report(findings, format, output)


def reasons_of(key: str, path: Path, variants: list[str], options: dict[str, str]) -> list[tuple[Span, str]]:
    """What is assumed or revealed by the rules of a game; empty if they have errors, and for variants and scenarios."""
    import houserule

    if not path.is_dir():
        return []
    try:
        game = houserule.load(path, variants, dict(options))
    except houserule.InvalidGame:
        return []
    return game.assumptions if key == "assumed" else game.revelations


def format(
    paths: Names = None,
    are_bundled: Bundled = False,
    check: Annotated[bool, flag("--check", "Write nothing; fail if a file would change.")] = False,
    diff: Annotated[bool, flag("--diff", "Write nothing; show the changes, and fail if there are any.")] = False,
    skip_others: SkipOthers = False,
) -> None:
    """Give the effects in rule files one layout. Everything else stays the same, byte for byte.

    Spaces and indentation change; words, comments, brackets and line breaks stay, and the rules mean the same. What cannot
    be read stays as well, and is reported. Without rule files, the command exits with 2.

    houserule format ./mushrooms
    houserule format . --check
    """
    import houserule

    meant = named(paths, are_bundled, skip_others)
    files = [file for path in meant.values() for file in houserule.rule_files(path)]
    if not files and not skip_others:
        nothing_found("rule files", ", ".join(meant))
    diagnostics: list[Diagnostic] = []
    changed = 0
    for file in dict.fromkeys(files):
        done = houserule.format(file)
        diagnostics += done.diagnostics
        if not done.is_changed:
            continue
        changed += 1
        path = near_path(file)
        if diff:
            sys.stdout.write(patch(done.before, done.after, f"{path} before", f"{path} after"))
        if check:
            tell(f"{path} would change", sys.stderr)
        elif not diff:
            write(file, done.after)
            tell(f"{path} has been formatted")
    complain(diagnostics)
    has_errors = any(diagnostic.severity == "error" for diagnostic in diagnostics)
    raise typer.Exit(FAILED if has_errors or (changed and (check or diff)) else CLEAN)


def write(file: Path, text: str) -> None:
    """Write a file that was read in its folder, links followed; exits with a sentence if that fails."""
    try:
        write_file(file.resolve(), text)
    except OSError as reason:
        not_written(file, reason)
