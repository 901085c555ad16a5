"""Reports why YAML fails on a text, and hides the mistake so that reading can continue."""

from __future__ import annotations

import re

from houserule.diagnostics import Related
from houserule.frozen import by_value
from houserule.source.lines import (
    BLOCK_SIGN,
    CLOSING,
    KEY,
    Frame,
    Line,
    MendedText,
    after_closing,
    balanced_end,
    explain_lines,
    flow_parts,
    line_at,
    needs_quotes,
    quoted,
    shortened,
)
from houserule.source.nodes import Style

KEY_WITHOUT_BLANK = re.compile(r"(?P<key>[A-Za-z_]\w*(?:\([\w, ]*\))?):(?!//)(?P<value>\S.*)")
NEXT_KEY = re.compile(r",\s*\w+:\s")
MISSING_COMMA = re.compile(r"\s+(?=(?P<key>[a-z_]\w*):\s)")
"""Between a value in braces and the next key."""
FINISHED_VALUE = re.compile(r"-?\d+(\s*\.\.\s*\d+)?|true|false|none")
"""What no sentence and no effect begins with."""
NAME_OF_A_VALUE = re.compile(r"(?!(as|choose|else|elif|for|if|race|say|together|while)\b)[a-z_]\w*")
"""What is likely a value by itself; an effect or a sentence may begin with it, so there is no fix."""
DASHES = re.compile(r"[-–—=_*]{2,}|-(?: +-)+")
"""Characters that people write between two parts of a text."""
MOST_LOOKED_AT = 200
"""Lines above one in a wrong column among which the misplaced key is looked for."""
ODD_BLANK = re.compile(r"(?m)^ *(?:[\w-]+(?:\([\w, ]*\))?:)?[\u00a0\u2007\u202f]")
"""A blank that looks like a space, before a key or after its colon."""
WITH_PARAMETERS = re.compile(r"(?m)^ *(?P<name>[a-z_]\w*)\((?P<inside>[^()\n]*)\)(?= *:)")
"""A key with parameters, perhaps with their types behind a colon."""
KEY_BEFORE_BRACE = re.compile(r"(?P<key>[\w-]+)\s+[{\[]")


@by_value
class Token:
    """The last scalar that was read."""

    start: int
    end: int
    style: Style


class Mender(MendedText):
    """Reports a mistake where YAML fails, and hides it."""

    def mend(self, reason: Exception, frames: list[Frame], last: Token | None) -> bool:
        """Report the mistake where YAML failed; returns whether the text is worth reading again."""
        before = self.text
        problem, context = getattr(reason, "problem_mark", None), getattr(reason, "context_mark", None)
        if problem is None:
            self.say("HR108", "the file is nested too deeply", 0, 0)
            return False
        place = min(problem.index, len(self.text))
        wording = f"{getattr(reason, 'context', '')} {getattr(reason, 'problem', '')}"
        started = context.index if context is not None else place
        self._explain(place, started, wording, frames, last)
        return self.text != before and self._hide is not None

    # --- explanations ------------------------------------------------------------------------------------------------

    def _explain(self, place: int, started: int, wording: str, frames: list[Frame], last: Token | None) -> None:
        if self._explain_blanks() or self._explain_annotations():
            return
        line_start = self.text.rfind("\n", 0, place) + 1
        leading = re.compile(r"[ \t]*").match(self.text, line_start)
        assert leading is not None
        if "\t" in leading[0]:
            self._explain_tabs(line_start, line_start + leading[0].index("\t"), "block scalar" in wording)
            return
        if "quoted scalar" in wording:
            if "escape" in wording:
                self._explain_escape(self.text.rfind("\\", 0, place + 1))
                return
            self._unclosed_quote(started, frames)
            return
        if last and last.style in ("single", "double") and self._swallowed_a_key(last):
            self._unclosed_quote(last.start, frames)
            return
        if frames and frames[-1].flow and self._explain_flow(place, frames[-1]):
            return
        previous = len(self.text[:line_start].rstrip())
        if explain_lines(self, [started, place, max(0, previous - 1)], frames):
            return
        if "simple key" in wording and self._explain_line(started, frames):
            return
        if self._explain_line(place, frames):
            return
        if previous and self._explain_line(previous - 1, frames):
            return
        line_end = self._line_end(line_start)
        self.say(
            "HR139",
            "this line cannot be read",
            line_start + len(leading[0]),
            line_end,
            "a line is 'key: value' or '- value'; quote a value that contains signs",
        )
        self.is_whole = False

    def _explain_blanks(self) -> bool:
        """Blanks that look like spaces but are none in YAML: all of them are reported, and read as spaces."""
        found = list(ODD_BLANK.finditer(self.text))
        for one in found:
            at = one.end() - 1
            message = f"there is a blank here that is no space for YAML (U+{ord(self.text[at]):04X})"
            self.say("HR105", message, at, at + 1, "type a space in its place", (at, at + 1, " "))
        for one in found:
            self.overwrite(one.end() - 1, " ", keeps=False)
        return bool(found)

    def _explain_annotations(self) -> bool:
        """Parameters such as `c: crate`: all of them are reported, and read as `crate c`."""
        found = [one for one in WITH_PARAMETERS.finditer(self.text) if re.search(r"\w: ", one["inside"])]
        for one in found:
            typed = re.sub(r"\b(\w+): *(\w+(?: or none)?)", r"\2 \1", one["inside"])
            meant = f"{one['name']}({typed})"
            start, end = one.start("name"), one.end()
            message = f"': ' ends a key, so the parameters of '{one['name']}' may not contain it"
            self.say("HR123", message, start, end, f"the type before the name: {meant}", (start, end, meant))
            self.text = self.text[:start] + meant.ljust(end - start)[: end - start] + self.text[end:]
        return bool(found)

    def _explain_tabs(self, line_start: int, at: int, in_block: bool) -> None:
        """A tab in an indentation, and with it all others."""
        every_tab = re.compile(r"^[ ]*\t[ \t]*", re.M)
        stop = max(found.end() for found in every_tab.finditer(self.text))
        indented = every_tab.sub(lambda found: found[0].replace("\t", "  "), self.source.text[line_start:stop])
        is_mixed = re.search(r"^ ", self.source.text, re.M) is not None
        mends = None if is_mixed else (line_start, stop, indented)
        message = "there is a tab here; YAML counts only spaces"
        self.say("HR114", message, at, at + 1, self._without_tabs(line_start, is_mixed), mends)
        self.is_whole = False
        if in_block:
            # A blank in place of a tab would end the block, and its surroundings would be reported.
            self.text = re.sub(r"(?m)^ *\t.*", lambda found: " " * len(found[0]), self.text)
        else:
            self.text = every_tab.sub(lambda found: found[0].replace("\t", " "), self.text)

    def _explain_escape(self, at: int) -> None:
        """A backslash in double quotes before a character that it cannot escape."""
        message = f"'{self.text[at : at + 2]}' means nothing in double quotes"
        self.say("HR128", message, at, at + 2, "write \\\\ for a backslash", (at, at + 1, "\\\\"))
        self.hide(at, at + 1)

    def _without_tabs(self, line_start: int, is_mixed: bool) -> str:
        """The indentation of a line with a tab: that of the line above, or deeper if that opens a block."""
        above = self.text[:line_start].rstrip().rpartition("\n")[2].split(" #")[0].rstrip()
        column = len(above) - len(above.lstrip())
        if "\t" in above[:column]:
            return "indent with spaces, two for each level" if is_mixed else "indent with two spaces for each tab"
        if above.endswith((":", "|")):
            return f"indent it with {column + 2} spaces, two more than the line above"
        return f"indent it with spaces; the line above has {column}"

    def _swallowed_a_key(self, token: Token) -> bool:
        """Whether a text in quotes includes a line that looks like a key: then its first quote was never closed."""
        rest = self.text[token.start : token.end].split("\n")[1:]
        return any(KEY.match(line.strip()) for line in rest)

    def _unclosed_quote(self, start: int, frames: list[Frame]) -> None:
        """In braces the text ends, for its author, where the braces do or the next key begins; otherwise at the end of its line."""
        end = self._line_end(start)
        sign = self.text[start]
        is_in_braces = bool(frames) and frames[-1].flow
        if is_in_braces:
            closing = CLOSING.get(self.text[frames[-1].start], "}")
            line = self.text[:end]
            end = balanced_end(line, start + 1, closing, ())
            if found := NEXT_KEY.search(line, start, end):
                end = found.start()
        advice = f"{self.text[start:end].rstrip()}{sign}"
        self.say("HR127", f"the quote {sign} that opens here is not closed on this line", start, end, advice)
        self.is_whole = self.is_whole and is_in_braces
        self.hide(start, end)

    def _line_end(self, index: int) -> int:
        end = self.text.find("\n", index)
        return end if end >= 0 else len(self.text)

    # --- in braces ---------------------------------------------------------------------------------------------------

    def _explain_flow(self, place: int, frame: Frame) -> bool:
        parts, closed = flow_parts(self.text, frame.start)
        for part in parts:
            value = self.text[part.start : part.end]
            if "[" in part.key and part.key_start <= place and part.key[0] not in "\"'":
                end = part.key_start + len(part.key)
                message = f"'[' in the key '{part.key}' means something else to YAML inside braces"
                mends = (part.key_start, end, quoted(part.key))
                self.say("HR125", message, part.key_start, end, f"{quoted(part.key)}: {shortened(value)}", mends)
                self.hide(part.key_start, end)
                return True
            if part.start <= place + 1 and (sign := needs_quotes(value)):
                if self._misses_a_comma(part.start, value):
                    return True
                name = f"'{part.key}'" if part.key else "this entry"
                message = f"'{sign}' in the value of {name} means something else to YAML inside braces"
                if sign in "|>":
                    advice = (
                        f"write what is in the braces on lines below one another, the last of them: {part.key}: {sign}"
                    )
                    self.say(
                        "HR125", f"the lines after '{sign}' cannot stand in braces", part.start, part.start + 1, advice
                    )
                    self.hide(part.start, part.end)
                    return True
                if sign in "\"'":
                    if NEXT_KEY.search(value):
                        self._unclosed_quote(part.start, [frame])
                        return True
                    message = f"the {sign} inside ends the text that begins with {sign}"
                    value = value[1:].removesuffix(sign)
                advice = (f"{part.key}: " if part.key else "") + quoted(shortened(value))
                whole = (part.start, part.end, quoted(value)) if "\n" not in value else None
                self.say("HR125", message, part.start, part.end, advice, whole)
                self.hide(part.start, part.end)
                return True
        if not closed:
            sign = self.text[frame.start]
            self.say(
                "HR126",
                f"the '{sign}' that opens here is never closed",
                frame.start,
                frame.start + 1,
                f"close it with '{CLOSING.get(sign, '}')}'",
            )
            self.is_whole = False
            self.hide(frame.start, self._line_end(frame.start))
            return True
        return False

    def _misses_a_comma(self, start: int, value: str) -> bool:
        """A value in braces that clearly ends before the next key."""
        if value[0] in "{[\"'":
            at = len(value) - len(after_closing(value))
            at = len(value[:at].rstrip())
        elif finished := FINISHED_VALUE.match(value) or NAME_OF_A_VALUE.match(value):
            at = finished.end()
        else:
            return False
        found = MISSING_COMMA.match(value, at)
        # A comma in place of a line break would move all that follows.
        if found is None or not (gap := found[0].rstrip("\n")):
            return False
        advice = f"{shortened(value[:at])}, {shortened(value[found.end() :])}"
        message = f"a comma is missing before '{found['key']}:'"
        self.say(
            "HR125", message, start + found.end(), start + found.end("key") + 1, advice, (start + at, start + at, ",")
        )
        self.overwrite(start + at + len(gap) - 1, ",", keeps=False)
        return True

    # --- outside of braces -------------------------------------------------------------------------------------------

    def _explain_line(self, index: int, frames: list[Frame]) -> bool:
        """Report the mistake in one line; False if there is none."""
        line = line_at(self.text, index)
        if line is None:
            return False
        return (
            self._explain_drawing(line)
            or self._explain_first_sign(line)
            or self._explain_colon(line)
            or self._explain_indentation(line, frames)
        )

    def _explain_drawing(self, line: Line) -> bool:
        """Dashes between two parts of a text, or a key with a brace and no colon between them."""
        start, end = line.start + line.column, line.value_end
        if line.key is None and DASHES.fullmatch(whole := self.text[start:end]):
            advice = "separate scenarios with '---' at the left edge; a decorative line begins with '#'"
            self.say("HR133", f"'{whole}' means nothing here", start, end, advice)
            divides = line.column == 0 and len(whole) > 2 and re.search(r"^scenario:", self.text, re.M) is not None
            self.text = self.text[: line.start] + ("---" if divides else "#").ljust(end - line.start) + self.text[end:]
            return True
        if line.key and (bare := KEY_BEFORE_BRACE.match(line.key)):
            at, key = start + bare.end("key"), bare["key"]
            advice = f"{key}: {shortened(self.text[at:end])}"
            self.say("HR133", f"a ':' is missing after '{key}'", at - len(key), at, advice, (at, at, ":"))
            self.blank(line.start, end)
            return True
        return False

    def _explain_first_sign(self, line: Line) -> bool:
        """A value that begins with a character that has a meaning in YAML."""
        value, start, end = line.value, line.value_start, line.value_end
        first, key = value[:1], f"{line.key}: " if line.key else ""
        fixed = f"{key}{quoted(shortened(value))}"
        if not first:
            return False
        if first in "%@`" or (first in "*&!" and not value[1:2].isalnum()):
            mends = (start, end, quoted(value))
            self.say("HR124", f"a value cannot begin with '{first}'", start, start + 1, fixed, mends)
        elif first in "|>" and not BLOCK_SIGN.fullmatch(value):
            advice = f"{key}|, and the text on the lines below, indented"
            self.say("HR132", f"the text of a '{first}' block begins on the next line", start + 1, end, advice)
            self.is_whole = False
            return True
        elif first in "\"'" and value[-1] == first and after_closing(value):
            message = f"the {first} inside ends the text that begins with {first}"
            self.say("HR124", message, start, end, f"{key}{quoted(value[1:-1])}")
        elif first in "{[\"'" and (rest := after_closing(value)):
            closing = CLOSING.get(first, first)
            if first in "{[" and value.count(closing) > value.count(first) and "#" not in value:
                message = f"there is one '{closing}' too many in this line"
                at = start + len(value) - len(rest) - 1
                self.say("HR126", message, at, at + 1, f"each '{first}' is closed by one '{closing}'")
                self.blank(line.start, end)
                return True
            message = f"YAML reads a value that begins with {first} only up to its end, and '{shortened(rest)}' follows"
            self.say("HR124", message, start, end, fixed, (start, end, quoted(value)) if first in "{[" else None)
            if KEY.fullmatch(rest):
                # The line break before a key is gone, so it is unknown where the lines below belong.
                self.is_whole = False
                return True
        elif first in "]}":
            self.say("HR126", f"the '{first}' here closes nothing", start, start + 1, "remove it, or open it before")
        else:
            return False
        self.hide(start, end)
        return True

    def _explain_colon(self, line: Line) -> bool:
        """A colon without a key or a blank, a second one in a line, or a list that begins beside its key."""
        value, start, end = line.value, line.value_start, line.value_end
        if line.key is None and (value == ":" or value.startswith(": ")):
            self.say("HR117", "a key is missing before this ':'", start, start + 1, "key: value")
            self.is_whole = False
        elif line.key and value.startswith("- "):
            advice = f"leave out the '- ', or write the list in brackets: {line.key}: [{shortened(value[2:])}]"
            self.say("HR131", "a list begins on the line below its key", start, end, advice)
            self.is_whole = False
        elif line.key and (": " in value or value.endswith(":")) and value[0] not in "{[\"'":
            at = start + (value.find(": ") if ": " in value else len(value) - 1)
            message = f"': ' ends a key, so the value of '{line.key}' may not contain it"
            advice = f"{line.key}: {quoted(shortened(value))}, or an effect below '{line.key}: |'"
            self.say("HR123", message, at, at + 1, advice, (start, end, quoted(value)))
        elif line.key is None and (found := KEY_WITHOUT_BLANK.match(value)):
            advice = f"{found['key']}: {shortened(found['value'])}"
            colon = start + len(found["key"]) + 1
            message = f"a space is missing after '{found['key']}:'"
            self.say("HR122", message, start, colon, advice, (colon, colon, " "))
            if len(found["key"]) > 1:
                # The colon moves one column to the left, so that the value is read.
                self.overwrite(colon - 2, ":")
                self.overwrite(colon - 1, " ", keeps=False)
            else:
                self.blank(start, end)
            return True
        else:
            return False
        self.hide(start, end)
        return True

    def _blank_those_below(self, line: Line, columns: list[int]) -> None:
        """Lines below that are indented at least as far and where nothing begins either: they depend on the reported line."""
        at = self.text.find("\n", line.value_end) + 1
        while 0 < at < len(self.text):
            end = self._line_end(at)
            below = self.text[at:end]
            column = len(below) - len(below.lstrip(" "))
            if below.strip():
                if column < line.column:
                    return
                if column not in columns:
                    self.blank(at + column, end)
            at = end + 1

    def _closed_by(self, line: Line) -> list[Related]:
        """The key above, further to the left, that ended a map or list of this column: it may be the misplaced one."""
        closing, at = None, line.start
        for _ in range(MOST_LOOKED_AT):
            if at <= 0:
                break
            above, at = line_at(self.text, at - 1), self.text.rfind("\n", 0, at - 1) + 1
            if above is not None and above.column < line.column:
                closing = above
            elif above is not None and above.column == line.column and closing is not None and closing.key:
                start = closing.start + closing.column
                what = f"with '{closing.key}', what began at column {line.column + 1} has ended"
                return [Related(what, self.source.span(start, start + len(closing.key)))]
        return []

    def _explain_indentation(self, line: Line, frames: list[Frame]) -> bool:
        """A line that begins in a column where nothing begins, or is neither key nor entry like its neighbours."""
        above = line_at(self.text, line.start - 1) if line.start else None
        inner = frames[-1] if frames else None
        columns = [frame.column for frame in frames if not frame.flow]
        if above and self._lacks_blank(above, line.column):
            return self._explain_colon(above)
        start, end = line.start + line.column, line.value_end
        is_word = line.key is None and not line.dash and line.value
        if is_word and inner and inner.is_map and line.column in columns:
            message = f"'{shortened(line.value)}' is neither a key with a value nor part of the line above"
            advice = "write 'key: value', or indent it to continue the value above; an effect of several lines begins with '|'"
            self.say("HR133", message, start, end, advice)
        elif not self._explain_below_value(line, above, columns) and not self._explain_column(line, above, columns):
            if inner is None or line.column != inner.column or line.dash != inner.is_map:
                return False
            if self._explain_mixture(line, start, end):
                return True
        self.blank(start, end)
        return True

    def _lacks_blank(self, line: Line, column: int) -> bool:
        """Whether a line in this column is a key of which the blank after the colon is missing."""
        return line.key is None and line.column == column and KEY_WITHOUT_BLANK.fullmatch(line.value) is not None

    def _explain_below_value(self, line: Line, above: Line | None, columns: list[int]) -> bool:
        """A key further right than the one above, which has a value on its own line."""
        if not above or not above.key or not above.value or not line.key or line.column <= above.column:
            return False
        start = line.start + line.column
        message = f"'{above.key}' has a value on its own line, so nothing can stand below it"
        advice = f"move it to the column of '{above.key}', or remove that value"
        self.say("HR130", message, start, start + len(line.key), advice, related=self._closed_by(line))
        self._blank_those_below(line, columns)
        return True

    def _explain_column(self, line: Line, above: Line | None, columns: list[int]) -> bool:
        """A line in a column where nothing begins. Tabs are reported already, and their intended depth is unknown."""
        if line.column in columns or not columns or not (line.key or line.dash):
            return False
        start = line.start + line.column
        if "\t" in self.source.text[line.start : start]:
            return True
        message = f"this line begins at column {line.column + 1}, where no open map or list begins"
        fitting = " or ".join(str(column + 1) for column in sorted(set(columns)))
        advice = f"entries of the maps and lists above begin at column {fitting}"
        if above and above.key and above.column > line.column:
            advice = f"begin it at column {above.column + 1}, as '{above.key}' above; or, further left, at {fitting}"
        self.say("HR129", message, start, max(line.value_end, start + 1), advice, related=self._closed_by(line))
        self._blank_those_below(line, columns)
        return True

    def _explain_mixture(self, line: Line, start: int, end: int) -> bool:
        """A key among entries of a list, or an entry among keys; and whether it can be read as one of them."""
        what = "there is an entry of a list among keys" if line.dash else "there is a key among the entries of a list"
        advice = "a map has 'key: value' lines only, a list '- value' lines only"
        whole = self.text[start:end]
        is_key = line.dash and line.key is not None and whole[2] not in "- "
        if is_key:
            advice = f"without '- ' it is a key like those around it: {shortened(whole[2:])}"
        elif line.key and not line.dash:
            advice = f"with '- ' before it, it is an entry like those around it: - {shortened(whole)}"
        self.say("HR131", what, start, end, advice)
        if is_key:  # two columns to the left it is a key, and the lines below it remain its own
            self.is_whole = False
            self.text = f"{self.text[:start]}{whole[2:]}  {self.text[end:]}"
        return is_key
