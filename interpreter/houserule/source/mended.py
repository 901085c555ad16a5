"""A text with mistakes hidden from YAML, so that reading can continue after them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from houserule.diagnostics import Diagnostic, Fix, Related
from houserule.frozen import by_value
from houserule.source.nodes import Source

SIGNS = ",[]{}:#&*!|>'\"%@`\\?-"
# Private-use characters: they replace characters one for one while YAML reads.
HIDING_PLACES = (0xE000, 0xF0000, 0x100000)


@by_value
class Frame:
    """A map or list being read: in braces or not, its start, its column."""

    flow: bool
    start: int
    column: int
    is_map: bool


class MendedText:
    """A text in which every mistake found so far is hidden from YAML, character by character."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.found: list[Diagnostic] = []
        self.letters: dict[int, str] = {}  # what a colon replaces so that reading can continue
        self.is_whole = True  # False once a mistake cannot be read as its author meant it
        free = next(
            (base for base in HIDING_PLACES if not re.search(f"[{chr(base)}-{chr(base + 127)}]", source.text)), None
        )
        self._hide = {ord(sign): chr(free + ord(sign)) for sign in SIGNS} if free else None
        self._show = {ord(hidden): chr(sign) for sign, hidden in (self._hide or {}).items()}

    def restored(self, text: str) -> str:
        return text.translate(self._show) if self.found and self._show else text

    def say(
        self,
        code: str,
        message: str,
        start: int,
        end: int,
        help: str | None = None,
        mends: tuple[int, int, str] | None = None,
        related: Sequence[Related] = (),
    ) -> None:
        """Add an error about a range of the text; `mends` is a range and its certain replacement."""
        start = min(start, len(self.text))
        span = self.source.span(start, max(start, min(end, len(self.text))))
        fix = Fix(self.source.span(*mends[:2]), self.restored(mends[2])) if mends else None
        self.found.append(Diagnostic(code, "error", message, span, help, tuple(related), fix=fix))

    def hide(self, start: int, end: int) -> None:
        if self._hide:
            self.text = self.text[:start] + self.text[start:end].translate(self._hide) + self.text[end:]

    def overwrite(self, index: int, sign: str, *, keeps: bool = True) -> None:
        """Overwrite a character; one that is kept reappears at the end of the key before it."""
        if keeps:
            self.letters[index] = self.text[index]
        self.text = self.text[:index] + sign + self.text[index + 1 :]

    def blank(self, start: int, end: int) -> None:
        """Blank out a range; what depends on it is lost."""
        self.is_whole = False
        self.text = self.text[:start] + re.sub(r"[^\n]", " ", self.text[start:end]) + self.text[end:]
