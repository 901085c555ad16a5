"""Removes diagnostics that only follow from an earlier mistake, and places a mistake in the variant that caused it.

What could not be read leaves a mark: the names that it may declare, and its place. Whatever touches a mark says nothing. The files
beside a game that it does not include are looked at too: one of them may declare what is missing.

If a rule of the game names what a variant removes, or lacks what a variant adds, that is not the game's mistake: the
diagnostic shows the place in the variant first, and the place in the game below it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from houserule.definition.variant import Variant, stem
from houserule.diagnostics import ABOVE, CALLED, EFFECTS, LINE, RULES, USES, Diagnostic, Meant, Related, Span
from houserule.language.words import IS_A_WORD
from houserule.reading import beginning, files_below, line_of, lines_of_file
from houserule.source import Mapping, Scalar, Yaml, entries_at, text_at, value_at, walk

MOST_ALIKE = 5
MOST_OF_ONE_CAUSE = 2
"""Diagnostics that say the same, or the same of one name, are told one by one up to here, then as one."""
MOST_EXAMINED = 1_000
"""With more diagnostics than these, nobody asks which of them follow from others."""
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def without_consequences(
    found: list[Diagnostic],
    tree: Mapping | None,
    is_cut: bool = False,
    beside: Iterable[Path] = (),
    variants: Iterable[Variant] = (),
) -> list[Diagnostic]:
    """The diagnostics without those that disappear when the others are fixed.

    `is_cut` says that a file of the game could not be read. `beside` are files in the folder of the game; if one that is
    not included declares what is missing, the help says so. What `variants` remove is not misspelt.
    """
    gone = {name for variant in variants for name, _ in removed_by(variant)}
    found = [
        replace(one, help="change or remove what still names it", fix=None)
        if is_unknown(one) and one.subject in gone
        else one
        for one in found
    ]
    if len(found) > MOST_EXAMINED or not any(d.severity == "error" for d in found):
        return gathered(found)
    left_out = list(parts_left_out(found, tree, beside)) if tree is not None else []
    every = [*found, *(told for told, _ in left_out)]
    marks = Marks([d for d in every if d.severity == "error"], tree, is_cut or bool(left_out))
    kept = [d for d in every if not marks.explain(d)]
    if tree is not None:
        unused = [d for d in found if USES in d.follows_from and d.severity == "warning"]
        kept = with_unused(told_where_declared(reserved_told_once(kept, tree), tree), unused)
    return gathered(kept)


class Marks:
    """What could not be read: names that may be declared there, and places."""

    def __init__(self, errors: list[Diagnostic], tree: Mapping | None, is_cut: bool) -> None:
        refused = [d for d in errors if is_refusal(d)]
        self.is_hiding = any(d.hides_all for d in errors)
        self.misread = Places(d.span for d in filter(is_misreading, errors))
        self.refusing = {id(d) for d in refused}
        self.unread = [d.span for d in refused]
        self.refused = set(self.unread)
        self.incomplete = {span for d in refused if d.stage == 2 for span in shown_by(d)}
        self.lines = {row_of(d.span) for d in errors if LINE not in d.follows_from}
        self.meant = {d.meant for d in errors}
        self.has_errors = any(d.subject is None or LINE not in d.follows_from for d in errors)
        self.is_cut = is_cut or any(hides_a_section(d) for d in errors)
        self.names: set[str] = set()
        # Texts with lines that could not be read, keys with something unread below them, and the first of two with one name.
        self.above = [span for d in refused for span in shown_by(d)]
        if tree is not None:
            self.look(tree)

    def look(self, node: Yaml) -> bool:
        """Whether anything in a node could not be read; marks the names that it declares, and the words that nobody read."""
        if isinstance(node, Mapping):
            return sum(self.look_at(entry.key, entry.value) for entry in node.entries.values()) > 0
        if isinstance(node, Scalar):
            span = extent(node)
            if not self.misread.any_in(span):
                return False
            self.names.update(names_in(node))
            if node.style == "literal":
                self.above.append(span)
                for number, line in enumerate(node.text.split("\n"), 1):
                    if self.misread.any_in(node.fragment.span(number, 1, number, len(line) + 1)):
                        self.names.update(WORD.findall(line))
            return True
        return sum(self.look(item) for item in node.items) > 0

    def look_at(self, key: Scalar, value: Yaml) -> bool:
        """Look at an entry of a map, and tell whether it contains what was misread."""
        is_refused = value.span in self.refused
        if key.span in self.refused:
            self.names.update(names_in(key), names_in(value))
            self.unread.append(extent(value) if isinstance(value, Scalar) else value.span)
        if is_refused:
            self.names.update(words_in(value))
        if key.span in self.incomplete:
            self.names.update(names_in(key))
        is_misread = self.misread.any_in(key.span)
        if not (self.look(value) | is_misread | is_refused):
            return False
        self.names.update(names_in(key), WORD.findall(key.text) if is_misread else ())
        self.above.append(key.span)
        return True

    def explain(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic touches a mark, or is beside one that hides all others."""
        if self.is_hiding:
            return not diagnostic.hides_all
        if diagnostic.stage == 5 and self.is_cut and diagnostic.meant is None:
            return True
        is_text = diagnostic.stage >= 4 and id(diagnostic) not in self.refusing
        if is_text and any(unread.holds(diagnostic.span) for unread in self.unread):
            return True
        leans_on = [one for one in (diagnostic.subject, *diagnostic.follows_from) if one is not None]
        # What is not used, because its use is misspelt, has been told there.
        is_unused = (LINE in leans_on or USES in leans_on) and not self.meant.isdisjoint(leans_on)
        return is_unused or any(self.hide(one, diagnostic) for one in leans_on)

    def hide(self, leant_on: str, diagnostic: Diagnostic) -> bool:
        """Whether something that a diagnostic leans on could not be read."""
        if leant_on == CALLED:
            return any(key.holds(span) for span in shown_by(diagnostic) for key in self.above)
        if leant_on == ABOVE:
            return any(above.holds(diagnostic.span) for above in self.above)
        if leant_on == LINE:
            return any(row_of(span) in self.lines for span in (diagnostic.span, *shown_by(diagnostic)))
        if leant_on == EFFECTS:
            return bool(self.misread.starts)
        if leant_on in (RULES, USES):
            return self.has_errors
        return diagnostic.stage == 5 and leant_on in self.names


def shown_by(diagnostic: Diagnostic) -> list[Span]:
    """The other places that a diagnostic shows."""
    return [other.span for other in diagnostic.related]


def is_misreading(error: Diagnostic) -> bool:
    """Whether a part of its line has not been read."""
    return error.stage < 5 and LINE not in error.follows_from


def is_refusal(error: Diagnostic) -> bool:
    """Whether what stands at the place of an error is not read at all: it has the wrong shape, or its lines run together."""
    return error.stage < 4 or (error.stage == 4 and error.span.end_line > error.span.line)


def hides_a_section(error: Diagnostic) -> bool:
    """Whether because of an error more is missing than stands there: a variant is not applied, or of a section given twice one is not read."""
    return error.stage == 7 or (
        error.stage == 1 and any(r.span.column == error.span.column == 1 for r in error.related)
    )


class Places:
    """Where diagnostics begin, to ask whether one begins inside a span."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.starts: dict[str, list[tuple[int, int]]] = {}
        for span in spans:
            self.starts.setdefault(span.file, []).append((span.line, span.column))
        for starts in self.starts.values():
            starts.sort()

    def any_in(self, span: Span) -> bool:
        """Whether one begins inside the span, or at its end."""
        starts = self.starts.get(span.file, [])
        at = bisect_left(starts, (span.line, span.column))
        return at < len(starts) and starts[at] <= (span.end_line, span.end_column)


# --- names that mean nothing ------------------------------------------------------------------------------------------


def is_unknown(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic is about a name that the rules do not declare."""
    return diagnostic.stage == 5 and diagnostic.subject is not None and LINE not in diagnostic.follows_from


def told_where_declared(found: list[Diagnostic], tree: Mapping) -> list[Diagnostic]:
    """The diagnostics, with those of an unknown word that is used repeatedly moved to its declaration, if the mistake is there.

    The declaration is misspelt if its name is used nowhere else. A word that is used twice is no slip, so it has no fix.
    """
    counts = Counter(words_in(tree))
    declared = set(words_of_keys(tree))
    by_meaning: dict[str, list[tuple[str, Diagnostic]]] = {}
    kept: list[Diagnostic] = []
    for one in found:
        word, meant = one.subject, one.meant
        if word is None or meant is None or not is_unknown(one):
            kept.append(one)
            continue
        if counts[word] > 1 or (counts[meant] == 1 and meant in declared):
            one = replace(one, fix=None)
        if counts[meant] == 1:
            by_meaning.setdefault(meant, []).append((word, one))
        else:
            kept.append(one)
    for meant, uses in by_meaning.items():
        place = place_of(meant, tree)
        used, told = {word for word, _ in uses}, [one for _, one in uses]
        if place is None:
            kept += told
        elif len(used) != 1 or len(told) < 2 or counts[min(used)] < 2:
            here = Related(f"'{meant}' is declared here", place)
            kept += [one if one.related else replace(one, related=(here,)) for one in told]
        else:
            first, word = min(told, key=lambda one: one.span.place), min(used)
            message = f"'{meant}' is declared here, but the rules speak of '{word}'"
            related = (Related("here, for example", first.span),)
            kept = [one for one in kept if one.span != place]
            kept.append(Diagnostic(first.code, "error", message, place, Meant(word), related))
    return kept


NAMING = ("options", "enums", "components", "zones", "variables", "tables", "functions", "actions")


def reserved_told_once(found: list[Diagnostic], tree: Mapping) -> list[Diagnostic]:
    """The diagnostics, with a word of the language that a section declares told once, where it is declared."""
    keys = [(stem(key), entry.key.span) for section in NAMING for key, entry in entries_at(tree, section).items()]
    declared = {IS_A_WORD.format(name): span.first(len(name)) for name, span in keys}
    told = {one.span for one in found}
    kept = []
    for one in found:
        span = declared.get(one.message, one.span)
        if span not in told:
            told.add(span)
            kept.append(replace(one, span=span, related=(Related("here, for example", one.span),)))
        elif span == one.span:
            kept.append(one)
    return kept


def with_unused(found: list[Diagnostic], unused: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics, each unknown name with the declaration that nothing uses, if only these two fit each other."""
    takers = {
        id(one): [
            other
            for other in unused
            if not {one.meant, *(() if one.meant else one.among)}.isdisjoint(other.follows_from)
        ]
        for one in found
        if is_unknown(one) and not one.related and (one.meant or not one.help)
    }
    names = {id(one): one.subject for one in found}
    made = []
    for one in found:
        alone = takers.get(id(one), [])
        if len(alone) == 1 and len({names[key] for key, others in takers.items() if alone[0] in others}) == 1:
            one = replace(one, related=(Related("this is declared and never used", alone[0].span),))
        made.append(one)
    return made


def place_of(declared: str, tree: Mapping) -> Span | None:
    """The place of a name's declaration: a key, or an entry in a list of names."""
    for key, value in (pair for entry in tree.entries.values() for pair in walk(entry.value)):
        scalar = key if key is not None else value
        if isinstance(scalar, Scalar) and (word := WORD.match(scalar.text)) and word[0] == declared:
            return scalar.span
    return None


def gathered(found: list[Diagnostic]) -> list[Diagnostic]:
    """Merge diagnostics with the same words at many places: a slip in a declaration shows at every use."""
    alike: dict[object, list[Diagnostic]] = {}
    for one in sorted(found, key=lambda one: one.span.place):
        alike.setdefault(kin(one), []).append(one)
    kept = []
    for first, *others in alike.values():
        if len(others) < (MOST_ALIKE if first.subject is None else MOST_OF_ONE_CAUSE):
            kept += [first, *others]
        else:
            last = f"and in {len(others) - 1} more places, the last here" if len(others) > 2 else "and here"
            also = (Related("also here", others[0].span), Related(last, others[-1].span))
            kept.append(replace(first, related=(*first.related, *also)))
    return kept


def kin(one: Diagnostic) -> object:
    """What two diagnostics share that say the same of different places: an unknown name, or what can stand there."""
    if is_unknown(one):
        return one.subject
    if one.stage <= 2 and one.subject is not None and one.meant is None:
        return one.code, one.span.file, one.message.replace(f"'{one.subject}'", ""), one.help
    return one.code, one.message, one.help


# --- files that are not included --------------------------------------------------------------------------------------

DECLARING = re.compile(r"(?:(?m:^) *|[{,] *)(\w+)(?:\([\w, ]*\))?:")
SECTION = re.compile(
    r"(?m)^(options|enums|components|zones|variables|tables|functions|actions|windows|triggers|flow|scoring|translations|layout):"
)
BY_ITSELF = re.compile(r"(?m)^(?:game|variant|scenario|of):")
"""In a file that no game includes."""


def parts_left_out(
    found: list[Diagnostic], tree: Mapping, beside: Iterable[Path]
) -> Iterator[tuple[Diagnostic, list[str]]]:
    """Help about each file beside a game that declares names which are unknown and similar to no other, and which these are."""
    unknown = {one.subject for one in found if one.subject and is_unknown(one) and one.meant is None}
    read = {key.span.file for key, _ in walk(tree) if key is not None} | {one.span.file for one in found}
    # Including one under a wrong name has its own diagnostic.
    known = {Path(file).name for file in read} | {one.meant for one in found}
    for path in (path for path in beside if unknown and path.name not in known):
        text = beginning(path)
        declared = sorted(unknown.intersection(DECLARING.findall(text)))
        if declared and not BY_ITSELF.search(text):
            names = ", ".join(f"'{name}'" for name in declared)
            message = f"no file includes '{path.name}', which declares {names}"
            place = place_of_parts(tree.span.file)
            yield Diagnostic("HR305", "error", message, place, f"include: [{path.name}]"), declared


MISPLACED = ("*.yml", "variants/*.yml", "scenarios/**/*.yml", "variant/*.y*ml", "scenario/*.y*ml")
"""Where files are that mean to be read with a game, and are not."""


def misplaced(game: str, folder: Path) -> Iterator[Diagnostic]:
    """Warnings about files beside a game whose ending or whose folder is another than that of its house rules and scenarios."""
    for path in (path for pattern in MISPLACED for path in files_below(folder, pattern, folder)):
        text = beginning(path)
        if BY_ITSELF.search(text) or SECTION.search(text):
            where = path.relative_to(folder)
            meant = Path(*(part + "s" if part in ("variant", "scenario") else part for part in where.parts))
            message = (
                f"'{where.as_posix()}' is not read: house rules are 'variants/….yaml', scenarios 'scenarios/….yaml'"
            )
            help = f"call it {meant.with_suffix('.yaml').as_posix()}, or remove it"
            yield Diagnostic("HR597", "warning", message, place_of_parts(game), help)


def never_included(game: str, known: Collection[str], beside: Iterable[Path]) -> Iterator[Diagnostic]:
    """Warnings about each file beside a game that holds a part of rules and is not included; `known` are file names."""
    for path in (path for path in beside if path.name not in known):
        text = beginning(path)
        section = SECTION.search(text)
        if section is not None and not BY_ITSELF.search(text):
            message = f"no file includes '{path.name}', which has a section '{section[1]}'"
            yield Diagnostic("HR597", "warning", message, place_of_parts(game), f"include: [{path.name}], or remove it")
    if Path(game).name == "game.yaml":
        yield from misplaced(game, Path(game).parent)


def place_of_parts(game: str) -> Span:
    """The line of a file that includes others, or its first line."""
    lines = lines_of_file(game) or [""]
    number = next((number for number, line in enumerate(lines, 1) if line.startswith("include")), 1)
    return Span(game, number, 1, number, len(lines[number - 1]) + 1)


# --- words of a tree --------------------------------------------------------------------------------------------------


def row_of(span: Span) -> tuple[str, int]:
    return span.file, span.line


def extent(scalar: Scalar) -> Span:
    """The extent of the whole text; a block of text has the place of its `|`."""
    lines = scalar.text.split("\n")
    return scalar.span.to(scalar.fragment.span(1, 1, len(lines), len(lines[-1]) + 1))


def names_in(node: Yaml) -> Iterator[str]:
    """The names that keys and items declare, at every depth: the first word of each."""
    for key, value in walk(node):
        declaring = key if key is not None else value
        if isinstance(declaring, Scalar) and (match := WORD.search(declaring.text)):
            yield match[0]
            yield re.sub(r"\W+", "_", declaring.text)  # a name written with hyphens or spaces


def words_of_keys(node: Yaml) -> Iterator[str]:
    for key, _ in walk(node):
        if key is not None:
            yield from WORD.findall(key.text)


def words_in(node: Yaml) -> Iterator[str]:
    """All words in keys and values, at every depth."""
    yield from words_of_keys(node)
    for _, value in walk(node):
        if isinstance(value, Scalar):
            yield from WORD.findall(value.text)


# --- mistakes of variants ---------------------------------------------------------------------------------------------


def told_of_variants(found: list[Diagnostic], variants: Iterable[Variant]) -> list[Diagnostic]:
    """The diagnostics, with errors in the game's files placed where a variant removes, adds or changes what they mention."""
    files = set()
    touched: dict[str, Span] = {}
    for variant in variants:
        files.add(variant.tree.span.file)
        for name, span in touched_by(variant):
            touched.setdefault(name, span)
    moved: dict[tuple[str, Span], Diagnostic] = {}
    for diagnostic in found:
        key = (diagnostic.message, diagnostic.span)
        if diagnostic.severity == "error" and diagnostic.span.file not in files:
            line = line_of(diagnostic.span.file, diagnostic.span.line) or ""
            names = (diagnostic.subject, *diagnostic.follows_from, *re.findall(r"\w+", line))
            shown = (span for span in shown_by(diagnostic) if span.file in files)
            place = next(shown, None) or next((touched[name] for name in names if name in touched), None)
            if place is not None:
                key = (diagnostic.message, place)
                before = moved[key].related if key in moved else ()
                here = Related("it shows here", diagnostic.span)
                others = (other for other in diagnostic.related if other not in before and other.span != place)
                diagnostic = replace(diagnostic, span=place, related=(*before, here, *others))
        moved[key] = diagnostic
    return list(moved.values())


def warned_of_variants(
    found: list[Diagnostic], variants: list[Variant], without: Callable[[int], list[Diagnostic]]
) -> list[Diagnostic]:
    """The diagnostics, with warnings about the game's own files placed at the variant that causes them.

    `without(n)` gives the diagnostics with the first n variants only; a warning without any variant is the game's own.
    If there is an error, these warnings are omitted: what a mistaken rule would have used is unknown. So are those about what
    nothing uses any more: a house rule need not tidy the game that it changes. A step that it removes, though, is missed by what reads
    the variables that nothing sets without it.
    """
    files = {variant.tree.span.file for variant in variants}
    strange = [other for other in found if other.severity == "warning" and other.span.file not in files]
    blamed: dict[tuple[str, Span], Variant] = {}
    for number in range(len(variants)) if strange else ():
        known = {(one.message, span) for one in without(number) for span in (one.span, *shown_by(one))}
        blamed |= {key: variants[number] for other in strange if (key := (other.message, other.span)) not in known}
    is_mistaken = any(other.severity == "error" for other in found)
    kept = []
    for other in found:
        by = blamed.get((other.message, other.span))
        if by is not None:
            steps = steps_removed_by(by) if {RULES, USES}.issubset(other.follows_from) else []
            if is_mistaken or (not steps and not {EFFECTS, USES}.isdisjoint(other.follows_from)):
                continue
            here, place = Related("it shows here", other.span), steps[0] if len(steps) == 1 else by.span
            help = "set it in another rule, or change what reads it" if steps else other.help
            other = replace(other, span=place, help=help, related=(here, *other.related))
        kept.append(other)
    return kept


def touched_by(variant: Variant) -> Iterator[tuple[str, Span]]:
    """The names that a variant removes, adds or changes, with their places."""
    yield from removed_by(variant)
    for section in ("add", "change"):
        if (value := value_at(variant.tree, section)) is not None:
            yield from listed_names(value)


def removed_by(variant: Variant) -> Iterator[tuple[str, Span]]:
    """The names that a variant removes, with their places."""
    removed = value_at(variant.tree, "remove")
    for item in removed.items if removed is not None else ():
        if isinstance(item, Scalar):
            yield text_at(item).split(".")[-1], item.span


def steps_removed_by(variant: Variant) -> list[Span]:
    """The places where a variant removes steps."""
    removed = value_at(variant.tree, "remove")
    return [item.span for item in removed.items if text_at(item).startswith("flow.")] if removed is not None else []


def listed_names(node: Yaml) -> Iterator[tuple[str, Span]]:
    """The keys and listed words of a tree, innermost first, since these are the most specific."""
    for key, entry in node.entries.items():
        yield from listed_names(entry.value)
        yield stem(key), entry.key.span
    for item in node.items:
        if isinstance(item, Scalar):
            yield text_at(item), item.span
