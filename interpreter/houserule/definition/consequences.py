"""Removes diagnostics that only follow from an earlier mistake, so that each mistake has one.

A declaration that cannot be read makes a name unknown, and an effect that cannot be read uses nothing: neither
is a second mistake of the author.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from houserule.definition.left_out import parts_left_out
from houserule.diagnostics import Diagnostic, Meant, Related, Span, near
from houserule.reading import line_of, lines_of_file
from houserule.secrecy.labels import start_of
from houserule.source import Mapping, Scalar, Sequence, Yaml, walk

UNKNOWN_NAMES = frozenset({"HR501", "HR502", "HR503", "HR506"})
# What an unreadable line would have shown, set or left: below it these codes are uncertain.
LEAN_ON_LINES_ABOVE = frozenset({"HR520", "HR521", "HR541", "HR561"})
TYPE_ERRORS = frozenset({"HR510", "HR511", "HR512", "HR520", "HR521", "HR522"})
# Where a part was not read at all, the types of its names are unknown, and whether they can be none.
LEAN_ON_TYPES = TYPE_ERRORS | {"HR560"}
# What is used, and what becomes public, is only known of rules without errors.
UNUSED = frozenset({"HR570", "HR571"})
WAITS = UNUSED | {"HR582", "HR583"}
WITHOUT_ITS_REST = frozenset(
    {"HR101", "HR102", "HR103", "HR104", "HR105", "HR106", "HR107", "HR108", "HR109", "HR141", "HR303", "HR305"}
)
SECTIONS = frozenset(
    {"options", "enums", "components", "zones", "variables", "tables", "functions", "actions", "triggers", "flow"}
)
MOST_ALIKE = 5
MOST_OF_ONE_CAUSE = 2
OF_ONE_CAUSE = UNKNOWN_NAMES | {"HR113", "HR129", "HR131", "HR137", "HR201", "HR204", "HR591", "HR601", "HR610"}
MOST_EXAMINED = 1_000
"""With more diagnostics than these, nobody asks which of them follow from others."""
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
QUOTED = re.compile(r"'([A-Za-z_][A-Za-z0-9_]*)'")
CALLED = re.compile(r"'(\w+)(?=\(|')")


def without_consequences(
    found: list[Diagnostic], tree: Mapping | None, beside: Iterable[Path] = ()
) -> list[Diagnostic]:
    """The diagnostics without those that disappear when the others are fixed.

    `beside` are files in the folder of the game; if one that is not included declares what is missing, the help says so.
    """
    errors = {start_of(d.span) for d in found if d.severity == "error"}
    if not errors or len(found) > MOST_EXAMINED:
        return gathered(found)
    unused = [d for d in found if d.code in UNUSED]
    found = certain_without_errors(found, errors)
    if tree is None:
        gaps = Gaps(found)
        return gathered(narrowest([d for d in found if not gaps.explains(d)]))
    files = {key.span.file for key, _ in walk(tree) if key is not None}
    left_out = list(parts_left_out(strangers(found), tree.span.file, names_of_files(files, found), beside))
    found += [told for told, _ in left_out]
    gaps = Gaps(found)
    gaps.look(tree)
    gaps.declared.update(name for _, names in left_out for name in names)
    gaps.leave_out(gaps.misread_files - files)
    kept = [d for d in only_certain(found, tree) if not gaps.explains(d)]
    return gathered(narrowest(with_unused(told_where_declared(kept, tree), unused)))


def certain_without_errors(found: list[Diagnostic], errors: Container[tuple[str, int, int]]) -> list[Diagnostic]:
    """The diagnostics without those that hold only for rules without errors; HR572, an unused local name, does not count as an error."""
    waits = any(d.severity == "error" and d.code != "HR572" for d in found)
    found = [d for d in found if not (waits and d.code in WAITS)]
    return [d for d in found if d.code not in ("HR580", "HR595") or start_of(d.span) not in errors]


def strangers(found: list[Diagnostic]) -> set[str]:
    """The names that are unknown and similar to no other."""
    strange = [d for d in found if d.code in UNKNOWN_NAMES and d.meant is None]
    return {name for d in strange for name in QUOTED.findall(d.message)[:1]}


def names_of_files(files: Iterable[str], found: list[Diagnostic]) -> set[str]:
    """The names of files that were read or mentioned: including one under a wrong name has its own diagnostic."""
    spoken = {word for d in found if d.code == "HR101" for word in re.findall(r"'([^']+)'", d.help or "")}
    return spoken | {Path(file).name for file in (*files, *(d.span.file for d in found))}


def told_where_declared(found: list[Diagnostic], tree: Mapping) -> list[Diagnostic]:
    """The diagnostics, with those of an unknown word that is used repeatedly moved to its declaration, if the mistake is there.

    The declaration is misspelt if its name is used nowhere else.
    """
    counts = Counter(words_in(tree))
    moved: list[Diagnostic] = []
    for declared, told in uses_of(found, counts).items():
        used = {word for diagnostic in told for word in QUOTED.findall(diagnostic.message)[:1]}
        place = place_of(declared, tree)
        if place is None:
            continue
        if len(used) != 1 or len(told) < 2 or counts[min(used)] < 2:
            here = Related(f"'{declared}' is declared here", place)
            found = [replace(d, related=(*d.related, here)) if d in told and not d.related else d for d in found]
            continue
        message = f"'{declared}' is declared here, but the rules speak of '{min(used)}'"
        first = min(told, key=lambda d: (d.span.file, d.span.line, d.span.column))
        related = (Related("here, for example", first.span),)
        found = [d for d in found if d not in told and declared not in QUOTED.findall(d.message)]
        moved.append(Diagnostic(first.code, "error", message, place, Meant(min(used)), related))
    return [*moved, *found]


def uses_of(found: list[Diagnostic], counts: Counter[str]) -> dict[str, list[Diagnostic]]:
    """The diagnostics of unknown names, by the name that was probably meant, if that occurs once in the rules."""
    uses: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        meant = diagnostic.meant if diagnostic.code in UNKNOWN_NAMES else None
        if meant is not None and counts[meant] == 1:
            uses.setdefault(meant, []).append(diagnostic)
    return uses


def with_unused(found: list[Diagnostic], unused: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics, each unknown name with the declaration that nothing uses, if it is the only one of its sort."""
    sorts = Counter(map(first_word, unused))
    unknown = {name for d in found if d.code in UNKNOWN_NAMES for name in QUOTED.findall(d.message)[:1]}
    is_only_one = len(unknown) == len(unused) == 1 and sorts["effect"] == 0
    made = []
    for diagnostic in found:
        alone = [d for d in unused if sorts[sort := first_word(d)] == 1 and f"no {sort} '" in diagnostic.message]
        if "nothing called" in diagnostic.message and is_only_one:
            alone = unused
        if diagnostic.code in UNKNOWN_NAMES and not diagnostic.related and alone:
            here = Related("this is declared and never used", alone[0].span)
            diagnostic = replace(diagnostic, related=(here,))
        made.append(diagnostic)
    return made


def first_word(diagnostic: Diagnostic) -> str:
    return diagnostic.message.partition(" ")[0]


def place_of(declared: str, tree: Mapping) -> Span | None:
    """The place of a name's declaration: a key, or an entry in a list of names."""
    for key, value in (pair for entry in tree.entries.values() for pair in walk(entry.value)):
        scalar = key if key is not None else value
        if isinstance(scalar, Scalar) and (word := WORD.match(scalar.text)) and word[0] == declared:
            return scalar.span
    return None


def only_certain(found: list[Diagnostic], tree: Mapping) -> list[Diagnostic]:
    """The diagnostics without fixes that may be wrong.

    A word that is misspelt twice is no slip: its declaration is misspelt. If the declaration is used nowhere else, neither
    is certain.
    """
    if not any(d.fix is not None and d.code.startswith("HR5") for d in found):
        return found
    counts = Counter(words_in(tree))
    declared = set(words_of_keys(tree))
    kept = []
    for diagnostic in found:
        meant = diagnostic.fix.text if diagnostic.fix is not None else ""
        wrong = [word for word in QUOTED.findall(diagnostic.message) if word in near(meant, [word])] if meant else []
        if diagnostic.code.startswith("HR5") and any(
            counts[word] > 1 or (counts[meant] == 1 and meant in declared) for word in wrong[:1]
        ):
            kept.append(replace(diagnostic, fix=None))
        else:
            kept.append(diagnostic)
    return kept


def gathered(found: list[Diagnostic]) -> list[Diagnostic]:
    """Merge diagnostics with the same words at many places: a slip in a declaration shows at every use."""
    alike: dict[tuple[str, str], list[Diagnostic]] = {}
    for diagnostic in sorted(found, key=lambda d: (d.span.file, d.span.line, d.span.column)):
        code = "HR501" if diagnostic.code in UNKNOWN_NAMES else diagnostic.code
        alike.setdefault((code, sentence_of(diagnostic)), []).append(diagnostic)
    kept = []
    for first, *others in alike.values():
        if len(others) < (MOST_OF_ONE_CAUSE if first.code in OF_ONE_CAUSE else MOST_ALIKE):
            kept += [first, *others]
        else:
            last = f"and in {len(others) - 1} more places, the last here" if len(others) > 2 else "and here"
            also = (Related("also here", others[0].span), Related(last, others[-1].span))
            kept.append(replace(first, related=(*first.related, *also)))
    return kept


def narrowest(found: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics without those of a whole of which a part has the wrong type: the type of the whole is unknown then."""
    of_types: dict[tuple[str, int], list[Diagnostic]] = {}
    for diagnostic in found:
        if diagnostic.code in TYPE_ERRORS and diagnostic.severity == "error":
            of_types.setdefault((diagnostic.span.file, diagnostic.span.line), []).append(diagnostic)
    wholes = {
        id(whole)
        for alike in of_types.values()
        for number, whole in enumerate(alike)
        for at, part in enumerate(alike)
        if is_within(part.span, whole.span) and (part.span != whole.span or at < number)
    }
    return [d for d in found if id(d) not in wholes]


def is_within(part: Span, whole: Span) -> bool:
    """Whether a span lies within another."""
    ends = (part.end_line, part.end_column) <= (whole.end_line, whole.end_column)
    return ends and (part == whole or begins_in(part, whole))


def sentence_of(diagnostic: Diagnostic) -> str:
    """What two diagnostics share that say the same of different places: an unknown name, or what can stand there."""
    code, message, help = diagnostic.code, diagnostic.message, diagnostic.help or ""
    if code in ("HR113", "HR201", "HR204", "HR591") and diagnostic.meant is None:
        same = re.sub("'[^']*'", "'", message)
        return f"{diagnostic.span.file} {same} {help if code == 'HR201' else ''}"
    return min(QUOTED.findall(message)[:1], default=message) if code in UNKNOWN_NAMES else message


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


class Gaps:
    """What later stages could not see because of earlier mistakes."""

    def __init__(self, found: list[Diagnostic]) -> None:
        errors = [d for d in found if d.severity == "error"]
        misread = [d.span for d in errors if d.code < "HR500"]
        refused = [d for d in errors if d.code < "HR400"]
        run_together = [d.span for d in errors if d.code == "HR425" and d.span.end_line > d.span.line]
        self.misread = Places(misread)
        self.misread_lines = lines_of(misread)
        self.misread_files = {d.span.file for d in refused if d.code < "HR200"}
        self.misread_effects: list[Span] = []
        self.refused = [*(d.span for d in refused), *run_together]
        self.refused_keys = {d.span for d in refused} | {
            r.span for d in refused if d.code == "HR203" for r in d.related
        }
        self.refused_values = {d.span for d in refused if d.code == "HR202" or d.code < "HR200"}
        self.unreadable_lines = lines_of(d.span for d in refused if d.code < "HR200")
        self.is_cut = any(d.code in WITHOUT_ITS_REST or is_second_section(d) or d.code >= "HR701" for d in errors)
        self.endless = [d.span for d in errors if d.code == "HR561"]
        self.togethers = [d.span for d in errors if d.code == "HR532"]
        self.ends = {(d.span.file, d.span.end_line, d.span.end_column) for d in errors if d.code > "HR500"}
        self.unread: list[Span] = []  # under keys that are not allowed there
        self.misread_keys: set[Span] = set()
        self.unknown = {name for d in errors if d.code in UNKNOWN_NAMES for name in QUOTED.findall(d.message)}
        self.lines = lines_of(d.span for d in errors if d.code != "HR572")
        self.helped = {name for d in errors for name in QUOTED.findall(d.help or "")}
        self.unknown_lines = lines_of(d.span for d in errors if d.code in UNKNOWN_NAMES)
        self.says_less = any(d.code < "HR590" and d.code != "HR501" for d in errors)  # an effect may be lost
        self.shapeless: set[Span] = set()  # keys with a value that is not allowed there
        self.declared: set[str] = set()

    def leave_out(self, files: Iterable[str]) -> None:
        for file in files:
            self.is_cut = True
            self.declared.update(word for line in lines_of_file(file) for word in WORD.findall(line))

    def look(self, node: Yaml) -> bool:
        """Whether anything in a node was misread; collects the names it declares, and the words nobody read."""
        match node:
            case Mapping(entries=entries):
                found = False
                for entry in entries.values():
                    if entry.key.span in self.refused_keys:
                        self.declared.update(names_in(entry.key), names_in(entry.value))
                        value = entry.value
                        self.unread.append(extent(value) if isinstance(value, Scalar) else value.span)
                    if entry.value.span in self.refused_values:
                        self.shapeless.add(entry.key.span)
                        self.declared.update(words_in(entry.value))
                    if (
                        self.look(entry.value)
                        | self.misread.any_in(entry.key.span)
                        | (entry.value.span in self.refused_values)
                    ):
                        self.declared.update(names_in(entry.key))
                        self.misread_keys.add(entry.key.span)
                        found = True
                return found
            case Sequence(items=items):
                return sum(self.look(item) for item in items) > 0
            case Scalar():
                span = extent(node)
                if self.misread.any_in(span):
                    self.declared.update(names_in(node))
                    if node.style == "literal":
                        self.misread_effects.append(span)
                        self.declared.update(self.words_on_misread_lines(node))
                    return True
                return False

    def words_on_misread_lines(self, effect: Scalar) -> Iterator[str]:
        """The words of lines that could not be read: names that are declared only there."""
        for number, line in enumerate(effect.text.split("\n"), 1):
            place = effect.fragment.span(number, 1, number, 1)
            if (place.file, place.line) in self.misread_lines:
                yield from WORD.findall(line)

    def explains(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic only repeats what another has said."""
        code, names = diagnostic.code, QUOTED.findall(diagnostic.message)
        if code.startswith("HR4") or code == "HR585":
            return any(
                begins_in(diagnostic.span, span) for span in self.refused if span != diagnostic.span or code != "HR425"
            )
        if code == "HR302":
            places = (diagnostic.span, *(related.span for related in diagnostic.related))
            return any((place.file, place.line) in self.unreadable_lines for place in places)
        if code == "HR560" and any(begins_in(span, r.span) for r in diagnostic.related for span in self.endless):
            return True
        if code in WAITS:
            return any(name in self.helped for name in names[:1])
        if code == "HR572":
            line = (diagnostic.span.file, diagnostic.span.line)
            return (
                bool(self.misread.starts) or self.is_cut or line in self.lines or any(n in self.helped for n in names)
            )
        if code == "HR591":
            return self.says_less
        if code == "HR585":
            return not self.unknown.isdisjoint(WORD.findall(line_of(diagnostic.span.file, diagnostic.span.line) or ""))
        if self.is_cut and code in LEAN_ON_TYPES:
            return True
        if code >= "HR400" and any(begins_in(diagnostic.span, span) for span in self.unread):
            return True
        if code in TYPE_ERRORS and any(name in self.declared for name in CALLED.findall(diagnostic.message)):
            return True
        if code in LEAN_ON_LINES_ABOVE:
            is_above = any(begins_in(diagnostic.span, span) for span in self.misread_effects)
            return is_above or diagnostic.span in self.misread_keys
        if code == "HR515":
            return (diagnostic.span.file, diagnostic.span.line) in self.unknown_lines
        if code in ("HR519", "HR527"):
            return diagnostic.span in self.misread_keys
        if code in UNKNOWN_NAMES:
            # A name similar to an existing one is a slip, whatever other mistakes there are.
            is_slip = diagnostic.meant is not None and "something unknown" not in diagnostic.message
            return (self.is_cut and not is_slip) or any(name in self.declared for name in names)
        if code == "HR531":
            return any(begins_in(diagnostic.span, span) for span in self.togethers)
        if code == "HR416":
            return (diagnostic.span.file, diagnostic.span.line, diagnostic.span.column) in self.ends
        if code == "HR525":
            return self.is_cut or "starts_in" in self.declared
        if code == "HR530":
            return bool(self.declared & {"turns", "together"})
        if code == "HR517":
            return diagnostic.span in self.shapeless or any(name in self.declared for name in names[1:2])
        return False


def lines_of(spans: Iterable[Span]) -> set[tuple[str, int]]:
    return {(span.file, span.line) for span in spans}


def is_second_section(diagnostic: Diagnostic) -> bool:
    """Whether a whole section of the file is not read because it is a duplicate."""
    return diagnostic.code == "HR113" and any(name in SECTIONS for name in QUOTED.findall(diagnostic.message))


def begins_in(inner: Span, outer: Span) -> bool:
    """Whether a span begins inside another."""
    start = (inner.line, inner.column)
    return inner.file == outer.file and (outer.line, outer.column) <= start < (outer.end_line, outer.end_column)


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
