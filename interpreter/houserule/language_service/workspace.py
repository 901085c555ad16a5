"""Rule files being edited: unsaved texts, diagnostics while typing, and answers about places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import RLock

from houserule.diagnostics import Diagnostic, Fix, Span
from houserule.frozen import frozen
from houserule.language.scope import Name
from houserule.language.scope import Symbol as Scoped
from houserule.language.types import Type
from houserule.language_service import completion
from houserule.language_service.checking import Checking, GoOn, Hint, Trial, Trials, carry_on, stamp_of
from houserule.language_service.completion import Completion
from houserule.language_service.names import (
    NAME,
    Declaration,
    Document,
    Refused,
    Token,
    declarations,
    end_of,
    foldable,
    is_at,
    keys,
    last_word,
    locals_of,
    named,
    occurrences,
    parsed,
    placed,
    read,
    refuse,
    said_with,
    texts_with,
    translated,
    until,
    words_in,
    words_of,
)
from houserule.language_service.places import Places, declared_at
from houserule.mending import with_fixes
from houserule.reading import (
    LONGEST_NAME,
    game_folder,
    is_inside,
    keep_unsaved,
    lines_of_file,
    real,
    root_of,
    shown_as,
    yaml_below,
)
from houserule.rehearsing.scenarios import ScenarioResult
from houserule.workshop.formatting import format as formatted

MOST_FILES = 500
WRITTEN = re.compile(r"\w+", re.ASCII)


@frozen
class Hover:
    """What is known about a place, as Markdown."""

    text: str
    span: Span


@frozen
class Symbol:
    """A name that a file declares, for outlines and searches."""

    name: str
    what: str
    span: Span
    whole: Span
    inside: str = ""


class Workspace:
    """The rule files that an editor works on. For an open file, the text in the editor counts, not the saved one.

    Nothing here raises on bad input: what cannot be understood has no answer. `rename` raises Refused.
    """

    def __init__(self) -> None:
        self._open: set[Path] = set()
        self._documents: dict[Path, tuple[str, Document, list[Declaration]]] = {}
        self._whole: dict[Path, tuple[Document, list[Declaration]]] = {}  # from before something was incomplete
        self._checking = Checking()
        self._found: dict[Path, tuple[str, list[Diagnostic]]] = {}
        self._trials = Trials()
        self._turn = RLock()  # for checking, or trying other texts

    # --- texts --------------------------------------------------------------------------------------------------------

    def open(self, path: str | Path, text: str) -> None:
        """Use a text instead of a file's content, saved or not; call it again after each change."""
        file = real(path)
        before = stamp_of(file)
        self._open.add(file)
        keep_unsaved(file, text)
        self._read(file)
        if stamp_of(file) != before:
            self._trials.forget(game_folder(file) or file)

    def close(self, path: str | Path) -> None:
        """Read a file from the disk again."""
        file = real(path)
        self._open.discard(file)
        keep_unsaved(file, None)
        folder = game_folder(file)
        if not any(is_inside(one, folder or file) for one in self._open):
            self._checking.forget(folder or file)

    def opened(self) -> list[Path]:
        return sorted(self._open)

    def document(self, path: str | Path) -> Document:
        return self._read(real(path))[0]

    def _read(self, file: Path) -> tuple[Document, list[Declaration]]:
        """A file and its declarations, read again only when it has changed."""
        stamp = stamp_of(file)
        kept = self._documents.get(file)
        if kept is None or kept[0] != stamp:
            document = read(file)
            kept = self._documents[file] = (stamp, document, list(declarations(document)))
            if document.is_whole or file not in self._whole:
                self._whole[file] = kept[1:]
        return kept[1], kept[2]

    def lines(self, path: str | Path) -> list[str]:
        """The lines of a file in the editor, also of one that is refused for a character; none if it cannot be read."""
        document = self.document(path)
        return document.source.lines if document.source is not None else [*lines_of_file(str(document.path))]

    def line(self, path: str | Path, number: int) -> str:
        """A line of a file in the editor; empty if there is none with that number."""
        lines = self.lines(path)
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def files(self, path: str | Path) -> list[Path]:
        """The rule files of the game that a file belongs to, including itself."""
        file = real(path)
        folder = game_folder(file)
        if folder is None:
            return [file]
        root = real(folder)
        found = {real(one) for one in yaml_below(folder)} | self._open
        return sorted({file} | {one for one in found if one.is_relative_to(root)})[:MOST_FILES]

    # --- diagnostics --------------------------------------------------------------------------------------------------

    def diagnostics(self, path: str | Path, whole: bool = True, go_on: GoOn = carry_on) -> dict[Path, list[Diagnostic]]:
        """The diagnostics in the files of a game, by file, in order of place; files without any are omitted.

        With `whole`, those of `houserule validate` for the game that a file belongs to, its variants and scenarios.
        Without, those that the file affects at once: in the rules, or in the variant or the
        scenarios that it contains. `go_on` is called between the steps of the work; an exception from it ends the work.
        """
        file = real(path)
        with self._turn:
            stamps = {one: stamp_of(one) for one in self.files(file)}
            by_file = self._look(file, whole, go_on)
            for one, wrong in by_file.items():
                self._found[one] = (stamps.get(one, ""), wrong)
        return by_file

    def _look(self, file: Path, whole: bool, go_on: GoOn) -> dict[Path, list[Diagnostic]]:
        """The diagnostics in the files of a game, by file, once the lock is held."""
        folder, files = game_folder(file), self.files(file)
        if whole or folder is None:
            found, about = self._checking.whole(folder or file, files, go_on), files
        else:
            found, about = self._checking.at_hand(folder, file, files, go_on)
        by_file: dict[Path, list[Diagnostic]] = {one: [] for one in about}
        for diagnostic in found:
            by_file.setdefault(real(diagnostic.span.file), []).append(diagnostic)
        return by_file

    def last_found(self, path: str | Path) -> list[Diagnostic] | None:
        """The last diagnostics of a file; None if it has changed since, or was never checked."""
        file = real(path)
        stamp, found = self._found.get(file, (None, []))
        return found if stamp == stamp_of(file) else None

    def mended(self, path: str | Path) -> list[tuple[Diagnostic, Fix]]:
        """The last diagnostics of a file that have a fix; of two fixes that overlap only the first."""
        document = self.document(path)
        found = self.last_found(path)
        if document.source is None or found is None:
            return []
        shown = document.source.path
        here = [one for one in found if one.fix is not None and real(one.fix.span.file) == real(shown)]
        _, done = with_fixes(document.source.text, here)
        return [(one, one.fix) for one in done if one.fix is not None]

    def suggested(self, path: str | Path) -> list[tuple[Diagnostic, Fix]]:
        """The last diagnostics of a file that suggest another word: not a certain fix, but one to choose."""
        found = []
        for one in self.last_found(path) or ():
            meant, span = one.meant, one.span
            is_one = one.fix is None and meant is not None and span.line == span.end_line
            word = self.line(path, span.line)[span.column - 1 : span.end_column - 1] if is_one else ""
            if meant is not None and WRITTEN.fullmatch(meant) and NAME.fullmatch(word):
                found.append((one, Fix(span, meant)))
        return found

    # --- scenarios and house rules ------------------------------------------------------------------------------------

    def scenarios(self, path: str | Path) -> list[Trial]:
        """The scenarios of a file, each with its result if it was run since the last change in the game."""
        return self._trials.of_file(self.document(path))

    def run(self, path: str | Path, line: int | None = None) -> list[ScenarioResult]:
        """Run the scenarios of a file with its current text, or the one that begins in a line."""
        return self._trials.run(real(path), line)

    def failures(self, path: str | Path) -> list[Diagnostic]:
        """What has failed in a file when its scenarios were run, at the place of each."""
        return self._trials.failures(real(path))

    def hints(self, path: str | Path) -> list[Hint]:
        """What the house rules of the game change in a file, each by itself: `gold_fever: 14`."""
        file = real(path)
        folder = game_folder(file)
        found = self._checking.hints(folder, self.files(file)) if folder is not None else []
        return [hint for hint in found if real(hint.span.file) == file]

    # --- names --------------------------------------------------------------------------------------------------------

    def declarations(self, path: str | Path) -> Iterator[Declaration]:
        """The declarations in the rules of a game, and in the file itself."""
        for file in with_rules(real(path), self.files(path)):
            yield from self._read(file)[1]

    def names(self, path: str | Path, files: list[Path]) -> list[Declaration]:
        """The declarations from before something was incomplete, for completion."""
        rules = with_rules(real(path), files)
        return [one for file in rules if self._read(file) for one in self._whole[file][1]]

    def globals(self, path: str | Path) -> frozenset[str]:
        return frozenset(one.name for one in self.declarations(path))

    def name_at(self, path: str | Path, line: int, column: int) -> tuple[str, Span] | None:
        for found in NAME.finditer(self.line(path, line)):
            if found.start() < column <= found.end() + 1:
                source = self.document(path).source
                shown = source.path if source is not None else str(path)
                return found[0], Span(shown, line, found.start() + 1, line, found.end() + 1)
        return None

    def definition(self, path: str | Path, line: int, column: int) -> list[Span]:
        """The declaration of the name at a place, or the beginning of the file that is named there."""
        found = self.name_at(path, line, column)
        if found is None:
            return []
        local = self.local_at(path, line, column, found[0])
        if local is not None:
            return [local[0]]
        return [one.span for one in self.meant(path, line, column, found[0])] or self.file_named(path, line, column)

    def places(self, path: str | Path, is_now: bool = True) -> Places | None:
        """What the checker knows about the places of a file: as it is now, or last, which never waits for a check under way."""
        file = real(path)
        folder = game_folder(file)
        if folder is None:
            return None
        last = self._checking.last_places(folder, file)
        if last is not None and not is_now:
            return last
        # Before a check of everything, which may take long, this file was checked as it is now.
        if not self._turn.acquire(blocking=last is None):
            return last
        try:
            return self._checking.places(folder, file, self.files(file))
        finally:
            self._turn.release()

    def known_at(self, path: str | Path, line: int, column: int, name: str) -> tuple[Scoped, Type | None] | None:
        """What the checker knows of the name at a place: its symbol and its type."""
        places = self.places(path)
        return places.at(real(path), line, column, name) if places is not None else None

    def meant(self, path: str | Path, line: int, column: int, name: str) -> list[Declaration]:
        """The declaration of the name at a place; all of that name where the checker does not know which is meant."""
        declared = [one for one in self.declarations(path) if one.name == name]
        if len(declared) < 2:
            return declared
        here = (one for one in self.document(path).values if is_at(one.scalar.span, line, column))
        mentions = next((one.mentions for one in here), ())
        if asked := [one for one in declared if one.what in mentions]:
            return asked
        found = self.known_at(path, line, column, name)
        place = declared_at(found[0]) if found is not None else None
        if place is None:
            return declared
        file = real(place.file)
        same = {
            (one.what, one.inside)
            for one in declared
            if (one.span.line, one.span.column) == (place.line, place.column) and real(one.span.file) == file
        }
        return [one for one in declared if (one.what, one.inside) in same] or declared

    def file_named(self, path: str | Path, line: int, column: int) -> list[Span]:
        """The beginning of the file that a value names: an included file, a variant, or a game."""
        file = real(path)
        folder = root_of(file)
        name = next((one.scalar.text for one in self.document(path).values if is_at(one.scalar.span, line, column)), "")
        meant = [file.parent / name, folder / "variants" / f"{name}.yaml"] if 0 < len(name) < LONGEST_NAME else []
        meant += [folder / "game.yaml"] if name == folder.name else []
        known = self.files(path)
        return [Span(str(one)) for one in map(real, meant) if one in known]

    def local_at(self, path: str | Path, line: int, column: int, name: str) -> tuple[Span, list[Span]] | None:
        """For a local name: its declaration, and all its places in the text and the translations of its sentences."""
        text = self.document(path).text_at(line, column)
        if text is None:
            return None
        node = parsed(text.scalar.fragment, text.starts)
        if node is None:
            return None
        places = self.places(path)
        known = places.at(real(path), line, column, name) if places is not None else None
        if known is not None and places is not None and isinstance(known[0], Name) and known[0].word == name:
            made, *others = places.uses(known[0])
        elif known is None and (declared := locals_of(text, self.globals(path)).get(name)) is not None:
            made, others = declared, list(named(node, name))
        else:
            return None
        if not self.line(made.file, made.line).startswith(
            name, made.column - 1
        ):  # it is declared together with others: `of p, q`
            return None
        said = said_with(node, name)
        files = self.files(path) if said else ()
        inside = (span for file in files for span in translated(self.document(file), name, said))
        return made, sorted(dict.fromkeys([made, *others, *inside]))

    def references(self, path: str | Path, line: int, column: int) -> list[Span]:
        """Every occurrence of the name at a place: in its text if it is local, else in all files of the game."""
        found = self.name_at(path, line, column)
        if found is None:
            return []
        local = self.local_at(path, line, column, found[0])
        if local is not None:
            return local[1]
        name, files = found[0], self.files(path)
        kinds = {one.what for one in self.meant(path, line, column, name)}
        declared = [one for one in self.declarations(path) if one.name == name]
        meant = [one.span for one in declared if one.what in kinds]

        places_of = cache(self.places)

        def means(span: Span, otherwise: bool) -> bool:
            places = places_of(span.file)
            known = places.at(real(span.file), span.line, span.column, name) if places is not None else None
            place = declared_at(known[0]) if known is not None else None
            if known is None or place is None:
                return known is None and otherwise
            file = real(place.file)
            return any(is_at(one, place.line, place.column) and real(one.file) == file for one in meant)

        documents = [self.document(file) for file in files]
        return [span for one in documents for span in occurrences(one, name, kinds, means, len(meant) == len(declared))]

    def rename(self, path: str | Path, line: int, column: int, name: str) -> list[Fix]:
        """The changes that rename the name at a place, in all files of the game.

        Raises Refused if the new name is invalid or taken, if several things have the old one, and
        if the rules would be wrong afterwards.
        """
        found = self.name_at(path, line, column)
        spans = self.references(path, line, column)
        if found is None or not spans:
            raise Refused("there is no name here")
        is_local = self.local_at(path, line, column, found[0]) is not None
        declared = [] if is_local else self.meant(path, line, column, found[0])
        refuse(found[0], name, is_local, declared, self.globals(path))
        changes = [Fix(span, name) for span in spans]
        # The rules, and the variants and scenarios in which one of the names occurs: no others can be affected.
        files = [one for one in self.files(path) if {found[0], name} & words_in(self.document(one))]
        documents = {real(span.file): self.document(span.file) for span in spans}
        with self._turn:
            before = self.wrong(files)
            with self._checking.trial(), shown_as(texts_with(documents, changes)):
                after = self.wrong(files)
        if after > before:
            raise Refused(f"with '{name}' the rules would be wrong: it stands in places that cannot be seen through")
        return changes

    def wrong(self, files: list[Path]) -> int:
        """The number of diagnostics in the rules of a game and in some of its files."""
        found: dict[Path, list[Diagnostic]] = {}
        for file in files:
            found |= self._look(file, whole=False, go_on=carry_on)
        return sum(map(len, found.values()))

    # --- answers ------------------------------------------------------------------------------------------------------

    def complete(self, path: str | Path, line: int, column: int) -> list[Completion]:
        """Completions at a place, without duplicates; editors filter them by what is typed already."""
        document = self.document(path)
        lines = document.source.lines if document.source is not None else []
        if not 1 <= line <= len(lines):
            return []
        beginning = lines[line - 1][: column - 1]
        text = document.text_at(line, column) or document.text_at(line, max(1, len(beginning.rstrip())))
        files = self.files(path)
        values = (found for tree in document.trees for found in placed(tree)) if text is not None else ()
        keys_above = next((above for above, _, value in values if text is not None and value is text.scalar), ())
        scope = completion.Scope(self.names(path, files), self.places(path, is_now=False), keys_above, tuple(files))
        before = until(text.scalar.fragment.text, text.scalar.span, lines, line, column) if text is not None else None
        if text is not None and before is not None:
            found = completion.in_effect(scope, text.starts, before)
        else:
            found = completion.of_file(self._whole[document.path][0], scope, lines[: line - 1], beginning)
        once: dict[str, Completion] = {}
        for one in found:
            once.setdefault(one.label, one)
        return list(once.values())

    def hover(self, path: str | Path, line: int, column: int) -> Hover | None:
        """Information about a place: a name of the game, an operation, a reserved word, or a key."""
        found = self.name_at(path, line, column)
        if found is None:
            return None
        name, span = found
        document = self.document(path)
        text = document.text_at(line, column)
        if text is not None and self.local_at(path, line, column, name) is not None:
            known = self.known_at(path, line, column, name)
            return Hover(f"**{name}**: a local name" + (f" for {known[1]}" if known and known[1] else ""), span)
        told = [completion.declaration(one) for one in self.meant(path, line, column, name)]
        if text is None:
            every = (found for tree in document.trees for found in keys(tree))
            at = next(((where, key) for where, key in every if is_at(key.span, line, column)), None)
            told += completion.of_key(document, *at) if at is not None else []
        elif not told:
            told = completion.of_word(name)
        return Hover("\n\n---\n\n".join(dict.fromkeys(told)), span) if told else None

    def signature(self, path: str | Path, line: int, column: int) -> tuple[str, int] | None:
        """The function whose brackets are open at a place, with its signature, and the index of the current argument, from 0."""
        before, depth, commas = self.line(path, line)[: column - 1], 0, 0
        for at in range(len(before) - 1, -1, -1):
            sign = before[at]
            depth += (sign in ")]") - (sign in "([")
            commas += sign == "," and depth == 0
            if depth < 0:
                word = last_word(before[:at]) if sign == "(" else ""
                shown = self.called(path, word) if word else None
                return (shown, commas) if shown else None
        return None

    def called(self, path: str | Path, name: str) -> str | None:
        """The signature of a function or action."""
        own = next((one.key.text for one in self.declarations(path) if one.name == name and "(" in one.key.text), None)
        return own or completion.signature(name)

    def symbols(self, path: str | Path) -> list[Symbol]:
        return [
            Symbol(one.name, one.what, one.span, one.key.span.to(end_of(one.value)), one.inside)
            for one in declarations(self.document(path))
        ]

    def folding(self, path: str | Path) -> list[tuple[int, int]]:
        """The first and last line of each foldable part."""
        found = (place for tree in self.document(path).trees for place in foldable(tree))
        return [(first, last) for first, last in found if last > first]

    def tokens(self, path: str | Path) -> list[Token]:
        """The words of the effects of a file, in the order of the file."""
        kinds = {one.name: one.what for one in self.declarations(path)}
        found: list[Token] = []
        for text in self.document(path).texts:
            found += words_of(text.scalar.fragment.text, text.scalar.fragment.span, kinds)
        return sorted(found, key=lambda token: token.span)

    def format(self, path: str | Path) -> str | None:
        """The formatted file; None if nothing changes."""
        made = formatted(real(path))
        return made.after if made.is_changed else None


def with_rules(here: Path, files: list[Path]) -> list[Path]:
    """The files of the rules of a game, and this one."""
    return [one for one in files if one == here or not {"scenarios", "variants"} & set(one.parts)]


__all__ = ["Completion", "Hint", "Hover", "Refused", "Symbol", "Token", "Trial", "Workspace"]
