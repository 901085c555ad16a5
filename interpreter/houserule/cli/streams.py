"""Guards the output: no terminal and no service takes it for a command, and a failure to write ends with a sentence."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NoReturn, TextIO

from houserule.cli.report import is_coloured, render_fault
from houserule.diagnostics import InvalidGame
from houserule.extras import STOPPING
from houserule.printable import printable

COLOURS = re.compile("(\033\\[[0-9;]*m)")
received: list[int] = []
"""The signals that have asked this process to stop."""


class OutputLost(Exception):
    """Output can no longer be written; no command can do anything about it."""


class Guarded(io.TextIOWrapper):
    """Standard output or the error stream: characters that it cannot show are replaced, and no text is a command to a service.

    A terminal gets everything: texts are made printable before they get here, and the rest is our own.
    """

    def __init__(self, stream: io.TextIOWrapper, errors: str) -> None:
        super().__init__(
            stream.buffer,
            encoding=stream.encoding,
            errors=errors,
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )
        self.is_terminal = stream.isatty()
        self.is_coloured = is_coloured(stream)
        self.before = ""

    def write(self, text: str) -> int:
        """Write a text, made safe. Raises OutputLost."""
        parts = [text] if self.is_terminal else COLOURS.split(text) if self.is_coloured else [text]
        if not self.is_terminal:
            parts[::2] = [self.safe(part) for part in parts[::2]]
        return self.write_as_it_is("".join(parts))

    def safe(self, text: str) -> str:
        """The next part of the output, without unprintable characters, and with no command at the beginning of a line."""
        made = printable(self.before + text, lines=True)[len(self.before) :]
        line = (self.before + text).rpartition("\n")[2]
        # For a line that has begun it only matters whether it has anything but blanks.
        self.before = "x" if line.strip() else line[:1]
        return made

    def write_as_it_is(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as reason:
            raise lost(reason) from reason

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as reason:
            raise lost(reason) from reason


def lost(reason: OSError) -> OutputLost:
    """A sentence that a stream cannot be written to any more."""
    if reason.errno == errno.EPIPE:
        return OutputLost("nobody reads this output any more")
    return OutputLost(f"the output cannot be written: {reason.strerror or reason}")


def print_commands(text: str) -> None:
    """Print lines for a service to execute, on standard output."""
    write: Callable[[str], Any] = getattr(sys.stdout, "write_as_it_is", sys.stdout.write)
    write(text)


# --- from the beginning of a process to its end -----------------------------------------------------------------------


def prepare() -> None:
    """Guard the streams of this process, and let it stop cleanly on a signal."""
    for name, errors in (("stdout", "replace"), ("stderr", "backslashreplace")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, nowhere("w"))
        elif isinstance(stream, io.TextIOWrapper):
            setattr(sys, name, Guarded(stream, errors))
    if sys.stdin is None:
        sys.stdin = nowhere("r")
    stop_by(stop)


def stop_by(end: Callable[[int, object], NoReturn]) -> None:
    """Handle the signals to stop, except those that the parent ignores: `nohup` lets a process outlive its terminal."""
    for number in STOPPING:
        if number in (signal.SIGINT, signal.SIGTERM) or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def nowhere(mode: Literal["r", "w"]) -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8")


def stop(number: int, _frame: object) -> NoReturn:
    """Treat a signal to stop like Ctrl-C."""
    received.append(number)
    raise KeyboardInterrupt


def end_in_good_order() -> None:
    """Turn the hang-up of a terminal into SIGTERM, after which a server shuts down properly."""
    for number in STOPPING[2:]:
        if signal.getsignal(number) is stop:
            signal.signal(number, lambda *_: signal.raise_signal(signal.SIGTERM))


@contextmanager
def leaving_when_told() -> Iterator[None]:
    """Exit at once on a signal to stop, where nothing has to be saved and other threads may wait for ever.

    A thread of its own does so: the main thread handles no signal that arrives just as it begins to wait.
    """
    before = {number: signal.getsignal(number) for number in STOPPING}
    stop_by(leave)
    told, tells = os.pipe()
    if sys.platform != "win32":
        os.set_blocking(tells, False)
    other = signal.set_wakeup_fd(tells, warn_on_full_buffer=False)
    threading.Thread(target=leave_on, args=(told,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(other)
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        os.close(tells)


def leave(number: int, _frame: object) -> NoReturn:
    os._exit(128 + number)


def leave_on(told: int) -> None:
    """Wait for signals, and leave on those that nobody else handles meanwhile, until the other end is closed."""
    while came := os.read(told, 1):
        if signal.getsignal(came[0]) is leave:
            leave(came[0], None)
    os.close(told)


def ended(command: Callable[[], object]) -> int:
    """Run a command; returns the exit code of the process. Failures around it are reported in a sentence."""
    code = 0
    try:
        command()
        sys.stdout.flush()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except KeyboardInterrupt:
        code = 1
    except InvalidGame as reason:
        complaint(str(reason))
        code = 1
    except OutputLost as reason:
        code = complaint(str(reason))
    except OSError as reason:
        code = complaint(said_of(reason))
    except Exception as wrong:  # noqa: BLE001  a fault of rules is looked for in it; anything else is raised again
        code = fault_told(wrong)
    try:
        sys.stdout.flush()
    except (OutputLost, ValueError) as reason:
        code = code or complaint(str(reason))
        let_go(1)
    return 128 + received[0] if received and code else code


def said_of(reason: OSError) -> str:
    try:
        Path.cwd()
    except OSError:
        return "the current folder no longer exists"
    name = f"'{reason.filename}': " if reason.filename else ""
    return printable(f"{name}{reason.strerror or reason}")


def fault_told(wrong: Exception) -> int:
    """Say which rule could not be carried out, where a command plays on the way; the exit code. Anything else is raised again."""
    from houserule import RuleFault

    if not isinstance(wrong, RuleFault):
        raise wrong
    print(render_fault(wrong), file=sys.stderr)
    return 1


def complaint(sentence: str) -> int:
    """Print a sentence on the error stream, if possible; returns the exit code."""
    try:
        print(f"houserule: {sentence}", file=sys.stderr, flush=True)
    except (OutputLost, ValueError):
        let_go(2)
    return 2


def let_go(descriptor: int) -> None:
    """Discard what is buffered for a lost stream, so that Python does not complain of it at the end."""
    with nowhere("w") as other:
        os.dup2(other.fileno(), descriptor)
