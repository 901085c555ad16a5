"""Leaves out diagnostics that only follow from an earlier mistake, so that there is one for each mistake.

A declaration that cannot be read is a name that nobody knows, and an effect that cannot be read uses nothing: neither
is a second mistake of the author.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from houserule.diagnostics import Diagnostic, Related, Span, near
from houserule.secrecy.summaries import start_of
from houserule.source import Mapping, Scalar, Sequence, Yaml, walk

UNKNOWN_NAMES = frozenset({"HR501", "HR502", "HR503", "HR506"})
# What a line that cannot be read would have shown, set or left: below it nothing is sure about these.
LEAN_ON_LINES_ABOVE = frozenset({"HR520", "HR521", "HR541", "HR560", "HR561"})
# Where a part was not read at all, nobody knows which types its names have, nor whether they can be none.
LEAN_ON_TYPES = frozenset({"HR520", "HR521", "HR522"})
COMING_TO_LIGHT = frozenset({"HR582", "HR583"})
UNUSED = frozenset({"HR570", "HR571", "HR572"})
WITHOUT_ITS_REST = frozenset(
    {"HR101", "HR102", "HR103", "HR104", "HR105", "HR106", "HR107", "HR108", "HR109", "HR141", "HR303"}
)
SECTIONS = frozenset(
    {"options", "enums", "components", "zones", "variables", "tables", "functions", "actions", "triggers", "flow"}
)
MOST_IN_THE_SAME_WORDS = 5
MOST_OF_ONE_NAME = 2
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MEANT = re.compile(r"did you mean '(\w+)'\?")
QUOTED = re.compile(r"'([A-Za-z_][A-Za-z0-9_]*)'")


def without_consequences(found: list[Diagnostic], tree: Mapping | None) -> list[Diagnostic]:
    """The diagnostics without those that go away by themselves when the others are mended."""
    if not any(d.severity == "error" for d in found):
        return found
    found = without_secrets(found)
    gaps = Gaps(found)
    if tree is not None:
        gaps.look(tree)
        read = {key.span.file for key, _ in walk(tree) if key is not None}
        gaps.is_cut = gaps.is_cut or not gaps.misread_files <= read
        found = only_certain(found, tree)
    found = [d for d in found if not gaps.explains(d)]
    return gathered(found if tree is None else told_where_declared(found, tree))


def told_where_declared(found: list[Diagnostic], tree: Mapping) -> list[Diagnostic]:
    """The diagnostics, those of a word that is used again and again told where it is declared, if it is misspelt there.

    It is misspelt there if what is declared stands nowhere else. And what stands elsewhere is not unused: those rules lean on others.
    """
    counts = Counter(words_in(tree))
    moved: list[Diagnostic] = []
    for declared, told in uses_of(found, counts).items():
        used = {word for diagnostic in told for word in QUOTED.findall(diagnostic.message)[:1]}
        place = place_of(declared, tree)
        if place is None or len(used) != 1 or len(told) < 2 or counts[min(used)] < 2:
            continue
        message = f"'{declared}' is declared here, but the rules speak of '{min(used)}'"
        first = min(told, key=lambda d: (d.span.file, d.span.line, d.span.column))
        related = (Related("here, for example", first.span),)
        found = [d for d in found if d not in told and declared not in QUOTED.findall(d.message)]
        moved.append(Diagnostic(first.code, "error", message, place, f"did you mean '{min(used)}'?", related))
    if moved or any(d.severity == "error" and d.code >= "HR500" and d.code not in UNUSED for d in found):
        found = [d for d in found if not (d.code in UNUSED and is_elsewhere(d, counts))]
    return [*moved, *found]


def uses_of(found: list[Diagnostic], counts: Counter[str]) -> dict[str, list[Diagnostic]]:
    """The diagnostics of unknown names by the name that was probably meant, where that stands once in the rules."""
    uses: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        meant = MEANT.match(diagnostic.help or "") if diagnostic.code in UNKNOWN_NAMES else None
        if meant is not None and counts[meant[1]] == 1:
            uses.setdefault(meant[1], []).append(diagnostic)
    return uses


def is_elsewhere(diagnostic: Diagnostic, counts: Counter[str]) -> bool:
    """Whether what is said to be unused stands in the rules more often than where it is declared."""
    return any(counts[name] > 1 for name in QUOTED.findall(diagnostic.message)[:1])


def place_of(declared: str, tree: Mapping) -> Span | None:
    """Where a name is declared: by a key, or in a list of names."""
    for key, value in walk(tree):
        scalar = key if key is not None else value
        if isinstance(scalar, Scalar) and (word := WORD.match(scalar.text)) and word[0] == declared:
            return scalar.span
    return None


def without_secrets(found: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics without what comes to light: it is told of rules without errors, but for filters that can be read."""
    errors = {start_of(d.span) for d in found if d.severity == "error"}
    return [
        d for d in found if d.code not in COMING_TO_LIGHT and not (d.code == "HR580" and start_of(d.span) in errors)
    ]


def only_certain(found: list[Diagnostic], tree: Mapping) -> list[Diagnostic]:
    """The diagnostics without those fixes that may be wrong.

    A word that stands there twice is no slip of the pen: then the name is misspelt where it is declared. Neither can be
    told where the name is declared and stands nowhere else.
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
    """What is said in the very same words of many places is said once: a slip in a declaration shows at every use."""
    alike: dict[tuple[str, str], list[Diagnostic]] = {}
    for diagnostic in sorted(found, key=lambda d: (d.span.file, d.span.line, d.span.column)):
        named = QUOTED.findall(diagnostic.message)[:1] if diagnostic.code == "HR501" else []
        alike.setdefault((diagnostic.code, named[0] if named else diagnostic.message), []).append(diagnostic)
    kept = []
    for first, *others in alike.values():
        if len(others) < (MOST_OF_ONE_NAME if first.code == "HR501" else MOST_IN_THE_SAME_WORDS):
            kept += [first, *others]
        else:
            also = (
                Related("also here", others[0].span),
                Related(f"and in {len(others) - 1} more places, the last here", others[-1].span),
            )
            kept.append(replace(first, related=(*first.related, *also)))
    return kept


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
    """What later stages could not see, because of what earlier ones found."""

    def __init__(self, found: list[Diagnostic]) -> None:
        errors = [d for d in found if d.severity == "error"]
        used = [d.span for d in errors if d.code not in UNUSED]
        misread = [d.span for d in errors if d.code < "HR500"]
        refused = [d for d in errors if d.code < "HR400"]
        run_together = [d.span for d in errors if d.code == "HR425" and d.span.end_line > d.span.line]
        self.errors = Places(used)
        self.lines_with_errors = lines_of(used)
        self.misread = Places(misread)
        self.misread_lines = lines_of(misread)
        self.misread_files = {d.span.file for d in refused if d.code < "HR200"}
        self.misread_effects: list[Span] = []
        self.refused = [*(d.span for d in refused), *run_together]
        self.refused_keys = {d.span for d in refused}
        self.refused_values = {d.span for d in refused if d.code == "HR202"}
        self.is_cut = any(d.code in WITHOUT_ITS_REST or is_second_section(d) for d in refused)
        self.endless = [d.span for d in errors if d.code == "HR561"]
        self.togethers = [d.span for d in errors if d.code == "HR532"]
        self.set_aside = {d.span for d in errors if d.code == "HR563"}
        self.ends = {(d.span.file, d.span.end_line, d.span.end_column) for d in errors if d.code > "HR500"}
        self.shapeless: set[Span] = set()  # keys whose value is nothing that can stand there
        self.declared: set[str] = set()
        self.mentioned = {word for d in errors for word in QUOTED.findall(d.help or "")}

    def look(self, node: Yaml) -> bool:
        """Whether anything in a node was misread; keeps the names that it declares, and the words nobody read."""
        match node:
            case Mapping(entries=entries):
                found = False
                for entry in entries.values():
                    if entry.key.span in self.refused_keys:
                        self.declared.update(names_in(entry.key), names_in(entry.value))
                        self.mentioned.update(words_in(entry.value))
                    if entry.value.span in self.refused_values:
                        self.shapeless.add(entry.key.span)
                        if isinstance(entry.value, Scalar):
                            self.declared.update(words_in(entry.value))
                        self.mentioned.update(words_in(entry.value))
                    if entry.key.span in self.set_aside:
                        self.mentioned.update(words_in(entry.value))
                    if self.errors.any_in(entry.key.span):
                        self.mentioned.update(words_in(entry.key))
                    if self.look(entry.value) | self.misread.any_in(entry.key.span):
                        self.declared.update(names_in(entry.key))
                        found = True
                return found
            case Sequence(items=items):
                return sum(self.look(item) for item in items) > 0
            case Scalar():
                span = extent(node)
                if self.errors.any_in(span):
                    self.mentioned.update(words_in(node))
                if self.misread.any_in(span):
                    self.declared.update(names_in(node))
                    if node.style == "literal":
                        self.misread_effects.append(span)
                        self.declared.update(self.words_on_misread_lines(node))
                    return True
                return False

    def words_on_misread_lines(self, effect: Scalar) -> Iterator[str]:
        """The words of the lines that could not be read: names that are made there are nowhere else."""
        for number, line in enumerate(effect.text.split("\n"), 1):
            place = effect.fragment.span(number, 1, number, 1)
            if (place.file, place.line) in self.misread_lines:
                yield from WORD.findall(line)

    def explains(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic only says what another has said already."""
        code, names = diagnostic.code, QUOTED.findall(diagnostic.message)
        if code.startswith("HR4") or code == "HR585":
            return any(
                begins_in(diagnostic.span, span) for span in self.refused if span != diagnostic.span or code != "HR425"
            )
        if code in UNUSED:
            line = (diagnostic.span.file, diagnostic.span.line)
            return self.is_cut or line in self.lines_with_errors or any(name in self.mentioned for name in names[:1])
        if code == "HR560" and any(begins_in(span, r.span) for r in diagnostic.related for span in self.endless):
            return True
        if self.is_cut and code in LEAN_ON_TYPES:
            return True
        if code in LEAN_ON_LINES_ABOVE:
            return any(begins_in(diagnostic.span, span) for span in self.misread_effects)
        if code in UNKNOWN_NAMES:
            # What is nearly the name of something that is there is a slip of the pen, whatever else there may be.
            is_slip = (diagnostic.help or "").startswith(
                "did you mean"
            ) and "something unknown" not in diagnostic.message
            return (self.is_cut and not is_slip) or any(name in self.declared for name in names)
        if code == "HR531":
            return any(begins_in(diagnostic.span, span) for span in self.togethers)
        if code == "HR416":
            return (diagnostic.span.file, diagnostic.span.line, diagnostic.span.column) in self.ends
        if code == "HR525":
            return self.is_cut or ("starts_in" in self.declared and names[0] in self.declared)
        if code == "HR530":
            return bool(self.declared & {"turns", "together"})
        if code == "HR517":
            return diagnostic.span in self.shapeless or all(name in self.declared for name in names[:2])
        return False


def lines_of(spans: Iterable[Span]) -> set[tuple[str, int]]:
    """The lines in which spans begin."""
    return {(span.file, span.line) for span in spans}


def is_second_section(diagnostic: Diagnostic) -> bool:
    """Whether a whole section of the file is not read because it stands there twice."""
    return diagnostic.code == "HR113" and any(name in SECTIONS for name in QUOTED.findall(diagnostic.message))


def begins_in(inner: Span, outer: Span) -> bool:
    """Whether a span begins inside another."""
    start = (inner.line, inner.column)
    return inner.file == outer.file and (outer.line, outer.column) <= start < (outer.end_line, outer.end_column)


def extent(scalar: Scalar) -> Span:
    """The place of the whole text; a block of text is itself placed where its sign stands."""
    lines = scalar.text.split("\n")
    return scalar.span.to(scalar.fragment.span(1, 1, len(lines), len(lines[-1]) + 1))


def names_in(node: Yaml) -> Iterator[str]:
    """The names that keys and items declare, at every depth: the first word of each."""
    for key, value in walk(node):
        declaring = key if key is not None else value
        if isinstance(declaring, Scalar) and (match := WORD.search(declaring.text)):
            yield match[0]


def words_of_keys(node: Yaml) -> Iterator[str]:
    """The words in keys, at every depth."""
    for key, _ in walk(node):
        if key is not None:
            yield from WORD.findall(key.text)


def words_in(node: Yaml) -> Iterator[str]:
    """All words in keys and values, at every depth."""
    yield from words_of_keys(node)
    for _, value in walk(node):
        if isinstance(value, Scalar):
            yield from WORD.findall(value.text)
