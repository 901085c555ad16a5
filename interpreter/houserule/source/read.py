"""From the text of a file to nodes with places; mistakes in the YAML go into the report."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

import yaml

from houserule.diagnostics import Diagnostic, Fix, Related, Report, Span
from houserule.source import traps
from houserule.source.files import open_source
from houserule.source.lines import BLOCK_SIGN, Frame, opened, quoted, shortened
from houserule.source.nodes import Entry, Fragment, Mapping, Scalar, Sequence, Source, Style, Yaml

DEEPEST = 50
MOST_MISTAKES = 40
MOST_NODES = 20_000
"""Keys, values, lists and maps in one file: twelve times as many as in all files of the largest known game."""
MOST_MENDED = 25
BEGUN = {"game": "a file for each", "variant": "a file for each", "scenario": "move it to the folder 'scenarios'"}
"""What helps where a file has a second document, by a key that it has."""
# An editor's text is read for its names and for its mistakes in turn.
MOST_KEPT = 4
LARGEST_KEPT = 100_000

STYLES: dict[str | None, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
NO_BLANK = re.compile(r"([A-Za-z_]\w*):(?!//)(\S.*)")
NUMBERED = re.compile(r"[ \t]+(#\d\S*)")
# No key is indented further than this: without a limit, a hostile line would be scanned again and again.
LONGEST_CUT = 1_000
"""The longest text in braces that is read as one key with commas."""
DEEPEST_COLUMN = 1000
STANDS_WHERE = "a rule must stand where it is read"

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_file(
    path: Path, root: Path, report: Report, display: str | None = None, *, named_at: Span | None = None
) -> Mapping | None:
    """The map in a file, or None after a diagnostic.

    `root` is the folder that must contain the file, links followed. `display` is the path that diagnostics show, and
    `named_at` the place that names the file, where a missing file is reported.
    """
    source = open_source(path, root, report, display, named_at)
    return document_of(source, report) if source else None


def documents_of(source: Source, report: Report) -> list[Mapping]:
    """The maps of a file with several documents, separated by `---` lines; those that cannot be read are omitted."""
    found = _read(source, report)
    if found == []:
        report.error("HR106", "the file is empty", Span(source.path))
    return [node for node in found or [] if _is_map(node, report)]


def document_of(source: Source, report: Report) -> Mapping | None:
    """The map of a file that has been opened; None after a diagnostic."""
    found = _read(source, report)
    if found == []:
        report.error("HR106", "the file is empty", Span(source.path), "a game begins with: game: its_id")
    if not found:
        return None
    if len(found) > 1:
        begun = next((help for key, help in BEGUN.items() if key in found[1].entries), "remove the line '---'")
        advice = f"{begun}; only a file of scenarios has several documents"
        report.error("HR115", "a second document begins here, but this file holds one", found[1].span, advice)
    first = found[0]
    return first if _is_map(first, report) else None


def _is_map(node: Yaml, report: Report) -> TypeGuard[Mapping]:
    """Whether a document is a map; reports what it is otherwise."""
    if isinstance(node, Mapping):
        return True
    if isinstance(node, Scalar) and (found := NO_BLANK.match(node.text)):
        report.error("HR122", f"a space is missing after '{found[1]}:'", node.span, f"{found[1]}: {found[2]}")
        return False
    what = "a list" if isinstance(node, Sequence) else f"'{shortened(node.text)}'"
    message = f"a file of rules is a map of keys and values, but here is {what}"
    report.error("HR116", message, node.span, "write: key: value")
    return False


class _Stop(Exception):
    """This file cannot be read any further; the report says why."""


def _read(source: Source, report: Report) -> list[Yaml] | None:
    """The documents of a text, or None if it cannot be read to its end."""
    is_kept = len(source.content) <= LARGEST_KEPT
    documents, found, source.nodes = (read_once if is_kept else read_once.__wrapped__)(source)
    for diagnostic in found:
        report.add(diagnostic)
    return documents


@lru_cache(maxsize=MOST_KEPT)
def read_once(source: Source) -> tuple[list[Yaml] | None, list[Diagnostic], int]:
    """The documents of a text, its mistakes, and how many nodes were read; the next reader of the same text gets the same nodes.

    A line that YAML rejects is reported, read as its author meant it, and the text is read again: so one
    mistake does not hide the next, as long as there are not too many nodes to read.
    """
    mender = traps.Mender(source)
    documents, nodes = None, 0
    for _ in range(MOST_MENDED):
        reading = _Reading(source, mender)
        failure: Exception | None = None
        try:
            documents = reading.documents()
        except _Stop:
            pass
        except (yaml.YAMLError, RecursionError) as reason:
            failure = reason
        nodes += reading.nodes
        if failure is None or not mender.mend(failure, reading.frames, reading.last) or nodes > MOST_NODES:
            break
    found = (mender.found + reading.found)[: MOST_MISTAKES + 1]
    return documents if mender.is_whole else None, found, nodes


@dataclass(slots=True, eq=False, repr=False)
class _Cut:
    """A value in braces that commas have split: its key, and the marks where it begins and where its last part ends."""

    key: Scalar
    start: Any
    end: Any


class _Reading:
    """One pass over the YAML events of a text."""

    def __init__(self, source: Source, mender: traps.Mender) -> None:
        self.source = source
        self.mender = mender
        self.events = Loader(mender.text)
        self.nodes = 0
        self.frames: list[Frame] = []
        self.last: traps.Token | None = None
        self.found: list[Diagnostic] = []
        self.divided: list[Yaml] = []  # documents without a separator before the next

    def documents(self) -> list[Yaml]:
        """Every document that is not empty."""
        found: list[Yaml] = []
        event = self.events.get_event()
        while not isinstance(event, yaml.StreamEndEvent):
            if isinstance(event, yaml.DocumentStartEvent):
                if event.version or event.tags:
                    self.error("HR111", "a line that begins with '%' is refused", self.directive(event), "remove it")
                node = self.node(self.events.get_event())
                found += self.divided
                self.divided = []
                if not (isinstance(node, Scalar) and node.value is None):
                    found.append(node)
            event = self.events.get_event()
        return found

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        advice: str | None = None,
        related: tuple[Related, ...] = (),
        fix: Fix | None = None,
    ) -> None:
        """Keep an error; it goes into the report only if this pass is the last one."""
        if len(self.found) >= MOST_MISTAKES:
            message = f"more than {MOST_MISTAKES} mistakes; the rest of the file is not read"
            self.found.append(Diagnostic("HR140", "error", message, span))
            raise _Stop
        self.found.append(Diagnostic(code, "error", message, span, advice, related, fix))

    def quoting(self, span: Span) -> Fix | None:
        """The content of a range of one line, in quotes."""
        if span.line != span.end_line:
            return None
        text = self.source.text[
            self.source.index(span.line, span.column) : self.source.index(span.end_line, span.end_column)
        ]
        return Fix(span, quoted(text))

    # --- places -----------------------------------------------------------------------------------------------------

    def span(self, start: Any, end: Any) -> Span:
        lines = self.source.lines
        if end.line < len(lines):
            return Span(self.source.path, start.line + 1, start.column + 1, end.line + 1, end.column + 1)
        # YAML ends a last line without a line break on a line of its own.
        return Span(self.source.path, start.line + 1, start.column + 1, len(lines), len(lines[-1]) + 1)

    def first_line(self, event: Any) -> Span:
        """The place of an event; only its first line if it has several."""
        start, end = event.start_mark, event.end_mark
        if end.line == start.line:
            return self.span(start, end)
        end_column = len(self.source.lines[start.line]) + 1
        return Span(self.source.path, start.line + 1, start.column + 1, start.line + 1, end_column)

    def directive(self, event: Any) -> Span:
        """The `%` line in front of a document."""
        start = self.source.text.rfind("%", 0, event.end_mark.index)
        return self.source.span(start, start + len(self.source.text[start:].split("\n")[0]))

    def property(self, event: Any, sign: str) -> Span:
        """The anchor or tag in front of a value."""
        found = re.compile(re.escape(sign) + r"[^\s,\[\]{}]*").search(self.mender.text, event.start_mark.index)
        return self.source.span(*found.span()) if found else self.first_line(event)

    # --- nodes ------------------------------------------------------------------------------------------------------

    def node(self, event: Any) -> Yaml:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            message = f"'{self.source.path}' has more than {MOST_NODES:,} keys and values; no rules have as many"
            self.error(
                "HR107", message, self.first_line(event), "divide it, or write ranges and `each` for what repeats"
            )
            raise _Stop
        if isinstance(event, yaml.AliasEvent):
            message = f"'*{event.anchor}' would repeat another part of the file; {STANDS_WHERE}"
            advice = "write it out; an effect that begins with '*' goes in quotes"
            self.error("HR110", message, self.first_line(event), advice)
            return self.plain(f"*{event.anchor}", event.start_mark, event.end_mark)
        if event.anchor:
            message = f"'&{event.anchor}' would name a part of the file to repeat it; {STANDS_WHERE}"
            advice = "remove it; an effect that begins with '&' goes in quotes"
            self.error("HR110", message, self.property(event, "&"), advice)
        if event.tag is not None:
            advice = "remove it; a value that begins with '!' goes in quotes"
            self.error("HR111", "a YAML tag ('!' before a value) is refused", self.property(event, "!"), advice)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if len(self.frames) >= DEEPEST:
            self.error("HR108", f"maps and lists are nested deeper than {DEEPEST}", self.first_line(event))
            raise _Stop
        is_map, start = isinstance(event, yaml.MappingStartEvent), event.start_mark
        self.frames.append(Frame(bool(event.flow_style), start.index, start.column, is_map))
        node = self.mapping(event) if is_map else self.sequence(event)
        self.frames.pop()
        return node

    def plain(self, text: str, start: Any, end: Any) -> Scalar:
        return self.written(text, self.span(start, end), "plain", start.index, end.index)

    def written(self, text: str, span: Span, style: Style, start: int, end: int) -> Scalar:
        """A scalar with its place, and with the range of the file where it is written."""
        return Scalar(text, span, style, Fragment(text, self.source, style, start, end))

    def scalar(self, event: Any) -> Scalar:
        """A scalar; the place of a `|` block is that of its `|`."""
        start, end = event.start_mark, event.end_mark
        style = STYLES.get(event.style or None, "plain")
        self.last = traps.Token(start.index, end.index, style)
        text = self.mender.restored(event.value)
        if style == "plain" and (letter := self.mender.letters.get(end.index)) is not None:
            span = self.source.span(start.index, end.index + 1)
            return self.written(text + letter, span, style, start.index, end.index + 1)
        if event.anchor or event.tag is not None:
            # The event begins with the anchor or tag; the text comes last.
            at = self.source.text.rfind(text, start.index, end.index) if text else end.index
            if style == "plain" and at >= 0:
                return self.written(text, self.source.span(at, end.index), style, at, end.index)
        if style in ("literal", "folded"):
            place = Span(self.source.path, start.line + 1, start.column + 1, start.line + 1, start.column + 2)
            return self.written(text, place, style, start.index, end.index)
        if style == "plain":
            self.look_for_comment(end)
            self.look_for_key(event, text)
        return self.written(text, self.span(start, end), style, start.index, end.index)

    def look_for_comment(self, end: Any) -> None:
        """Report `title: Card #1`, which loses its number."""
        line = self.source.lines[end.line] if end.line < len(self.source.lines) else ""
        found = NUMBERED.match(line, end.column)
        if found:
            column = found.start(1) + 1
            span = Span(self.source.path, end.line + 1, column, end.line + 1, column + len(found[1]))
            message = f"'{found[1]}' after a space begins a comment, so it is not part of the value"
            self.found.append(Diagnostic("HR134", "warning", message, span, "put the whole value in quotes"))

    def look_for_key(self, event: Any, text: str) -> None:
        """Report `key:value` on a line of its own, which is text in YAML."""
        if ":" not in text or not self.frames or not self.frames[-1].is_map:
            return
        start = event.start_mark
        found = NO_BLANK.match(text)
        if found and start.column < DEEPEST_COLUMN and not self.source.lines[start.line][: start.column].strip():
            span = Span(
                self.source.path, start.line + 1, start.column + 1, start.line + 1, start.column + found.end(1) + 2
            )
            message = f"a space is missing after '{found[1]}:'"
            block = BLOCK_SIGN.match(found[2].split(" ")[0])
            advice = f"{found[1]}: {block[0] if block else found[2]}"
            self.error("HR122", message, span, advice, fix=Fix(span.last(0), " "))

    # --- maps -------------------------------------------------------------------------------------------------------

    # complex: three ways to read on after a slip, in one pass over the events of a map
    def mapping(self, opening: Any) -> Yaml:
        """A map. If its author meant something else, a list or a sentence in braces, it is read as that."""
        flow = bool(opening.flow_style)
        entries: dict[str, Entry] = {}
        alone: list[Scalar] = []
        cut: _Cut | None = None
        last: Entry | None = None
        head: Any = None  # the event of a key that a comma has split inside its brackets
        start = value_start = opening.start_mark
        event = self.events.get_event()
        while not isinstance(event, yaml.MappingEndEvent):
            key = self.node(event)
            value_event = self.events.get_event()
            if flow and isinstance(key, Scalar) and self.lacks_colon(event, value_event):
                if cut is None and self.is_cut(head or event, event):
                    head = head or event
                    event = self.events.get_event()
                    continue
                if head is not None:
                    key, head = self.plain(head.value, head.start_mark, event.end_mark), None
                if found := NO_BLANK.fullmatch(key.text):
                    last = self.entry_without_blank(key, found, event.start_mark.index, entries)
                elif cut is not None:
                    cut.end = event.end_mark
                elif last and isinstance(last.value, Scalar) and last.value.style == "plain" and last.value.text:
                    cut = _Cut(last.key, value_start, event.end_mark)
                else:
                    alone.append(key)
            else:
                self.finish_cut(cut, entries)
                cut = None
                if head is not None:
                    key, head = self.whole_key(head, event), None
                value_start = value_event.start_mark
                last = self.entry(key, self.node(value_event), event, entries)
            event = self.events.get_event()
        self.finish_cut(cut, entries)
        if head is not None:
            alone.append(self.plain(head.value, head.start_mark, head.end_mark))
        if alone:
            return self.without_values(alone, last, entries, start, event.end_mark)
        if flow:
            return Mapping(entries, self.span(start, event.end_mark))
        if not entries:
            return Mapping(entries, self.first_line(opening))
        first, final = next(iter(entries.values())), next(reversed(entries.values()))
        return Mapping(entries, first.key.span.to(final.value.span))

    def lacks_colon(self, key: Any, value: Any) -> bool:
        """Whether a key in braces has no colon after it."""
        if not isinstance(value, yaml.ScalarEvent) or value.value or value.style in ("'", '"'):
            return False
        return not re.compile(r"\s*:").match(self.mender.text, key.end_mark.index)

    def entry_without_blank(
        self, key: Scalar, found: re.Match[str], index: int, entries: dict[str, Entry]
    ) -> Entry | None:
        """Report that `{a:1}` needs a blank, and read it with one."""
        blank = Fix(key.span.first(len(found[1]) + 1).last(0), " ")
        self.error("HR122", f"a space is missing after '{found[1]}:'", key.span, f"{found[1]}: {found[2]}", fix=blank)
        middle, end = index + len(found[1]), index + len(key.text)
        name, value = (
            self.written(text, self.source.span(a, b), "plain", a, b)
            for text, a, b in ((found[1], index, middle), (found[2], middle + 1, end))
        )
        return self.entry(name, value, key, entries)

    def without_values(
        self, alone: list[Scalar], last: Entry | None, entries: dict[str, Entry], start: Any, end: Any
    ) -> Yaml:
        """Report keys in braces without values; in braces with nothing else, a list or a sentence was meant."""
        span = self.span(start, end)
        names = [shortened(key.text) for key in alone]
        if last is not None or entries:
            advice = "every entry in braces is 'key: value'"
            first = next(iter(entries.values()), last)
            spoken = alone[0].text.partition(" ")
            if first is not None and alone[0].span < first.key.span and spoken[2]:
                advice = f"{shortened(spoken[0])}: {shortened(spoken[2].strip())}"
            elif last is not None:
                advice = f"put the comma and '{names[0]}' inside the value of '{last.key.text}', in quotes"
            self.error(
                "HR121", f"'{names[0]}' has no value: in braces every entry is 'key: value'", alone[0].span, advice
            )
            return Mapping(entries, span)
        listed = ", ".join(names)
        if len(alone) == 1:
            advice = f'{{{listed}: …}}, for a list [{listed}], or for a sentence "{{{listed}}}"'
            self.error("HR121", f"'{listed}' has no value: in braces every entry is 'key: value'", span, advice)
            return self.plain(self.source.text[start.index : end.index], start, end)
        advice = f"for a list: [{listed}]"
        if len(names) == 2 and all(name.isdigit() for name in names):
            advice += f"; for a range: {'..'.join(names)}"
        self.error("HR121", "braces hold entries 'key: value', but these have no values", span, advice)
        return Sequence(tuple(alone), span)

    def is_cut(self, first: Any, last: Any) -> bool:
        """Whether a bracket is open from one key in braces to another: `{basket(player, habitat): …}`."""
        is_plain = isinstance(first, yaml.ScalarEvent) and first.style not in ("'", '"')
        is_short = last.end_mark.index - first.start_mark.index < LONGEST_CUT
        return is_plain and is_short and opened(self.source.text[first.start_mark.index : last.end_mark.index]) > 0

    def whole_key(self, first: Any, last: Any) -> Scalar:
        """Report that a comma has split a key, and read it whole."""
        whole = " ".join(self.source.text[first.start_mark.index : last.end_mark.index].split())
        key = self.plain(whole, first.start_mark, last.end_mark)
        message = f"in braces a comma ends an entry, so the key is only '{shortened(whole.split(',')[0])}'"
        advice = f"{quoted(shortened(whole))}: …"
        self.error("HR120", message, key.span, advice, fix=self.quoting(key.span))
        return key

    def finish_cut(self, cut: _Cut | None, entries: dict[str, Entry]) -> None:
        """Report that a comma has split a value, and read it whole."""
        if cut is None:
            return
        whole = " ".join(self.source.text[cut.start.index : cut.end.index].split())
        value = self.plain(whole, cut.start, cut.end)
        message = f"in braces a comma ends a value, so '{cut.key.text}' is only '{shortened(whole.split(',')[0])}'"
        advice, fix = f"{cut.key.text}: {quoted(shortened(whole))}", self.quoting(value.span)
        if re.fullmatch(r"[a-z]\w*(, [a-z]\w*)+", whole):
            advice, fix = f"{cut.key.text}: [{shortened(whole)}], or for a text {advice}", None
        self.error("HR120", message, value.span, advice, fix=fix)
        entries[cut.key.text] = Entry(cut.key, value)

    def entry(self, key: Yaml, value: Yaml, event: Any, entries: dict[str, Entry]) -> Entry | None:
        """Keep an entry of a map, unless its key is invalid or a duplicate."""
        if not isinstance(key, Scalar):
            advice = "an effect or a sentence that begins with a bracket goes in quotes"
            self.error("HR117", "a key is a word, not a list or a map", self.first_line(event), advice)
        elif key.text == "<<" and key.style == "plain":
            message = f"'<<' would copy the entries of another map; {STANDS_WHERE}"
            self.error("HR112", message, key.span, "write them out")
            # Kept, so that its content is not reported as missing.
            entries.setdefault("<<", Entry(key, value))
        elif key.text == "":
            self.error("HR117", "a key is missing before this ':'", key.span, "key: value")
        elif key.text in entries and key.text == "scenario" and len(self.frames) == 1 and key.span.column == 1:
            first = Related("the one before begins here", entries[key.text].key.span)
            message = "another scenario begins here, without a line '---' before it"
            fix = Fix(key.span.first(0), "---\n")
            self.error("HR113", message, key.span, "put a line '---' between two scenarios", (first,), fix)
            self.divided.append(Mapping(dict(entries), next(iter(entries.values())).key.span.to(key.span.first(0))))
            entries.clear()
            entries[key.text] = Entry(key, value)
            return entries[key.text]
        elif key.text in entries:
            first = Related("the first is here", entries[key.text].key.span)
            self.error("HR113", f"'{shortened(key.text)}' appears twice in one map", key.span, related=(first,))
        else:
            entries[key.text] = Entry(key, value)
            return entries[key.text]
        return None

    # --- lists ------------------------------------------------------------------------------------------------------

    def sequence(self, opening: Any) -> Sequence:
        """A list. `[f(a, b)]` is one entry to its author and two in YAML: those are joined again."""
        flow = bool(opening.flow_style)
        items: list[Yaml] = []
        start = open_start = opening.start_mark
        depth = 0
        event = self.events.get_event()
        while not isinstance(event, yaml.SequenceEndEvent):
            item = self.node(event)
            is_plain = flow and isinstance(item, Scalar) and item.style == "plain"
            deeper = opened(item.text) if is_plain and isinstance(item, Scalar) else 0
            if depth == 0 and deeper > 0:
                open_start = event.start_mark
            if depth > 0 or deeper > 0:
                depth += deeper
                if depth <= 0:
                    depth = 0
                    whole = " ".join(self.source.text[open_start.index : event.end_mark.index].split())
                    items.append(self.plain(whole, open_start, event.end_mark))
                    message = f"in a list a comma ends an entry, so this is cut after '{whole.split(',')[0]}'"
                    place, advice = items[-1].span, quoted(shortened(whole))
                    self.error("HR120", message, place, advice, fix=self.quoting(place))
            else:
                items.append(item)
            event = self.events.get_event()
        if flow or not items:
            return Sequence(tuple(items), self.span(start, event.end_mark))
        return Sequence(tuple(items), self.span(start, start).to(items[-1].span))
