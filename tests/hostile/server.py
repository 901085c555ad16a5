"""Runs commands of Houserule, each in a process of its own that may take only so much memory and time.

A line of standard input says what: the arguments, the file for what is said on standard error, and the bounds in bytes and seconds.
The answer is a line with the exit status. What every command needs is loaded once, before the first one.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import traceback
from pathlib import Path

from typer.testing import CliRunner

from houserule.cli import main
from houserule.cli.application import application

HARMLESS = str(Path(__file__).parent / "files" / "words_of_python.yaml")
COMMANDS = (["validate", HARMLESS], ["play", HARMLESS, "--seats", "random"], ["simulate", HARMLESS, "-n", "1"])


def serve() -> None:
    """Until the end of the input."""
    for words in COMMANDS:
        CliRunner().invoke(application, words, prog_name="houserule", catch_exceptions=False)
    gc.freeze()  # a process that goes through what all share would get its own copy of it
    for line in sys.stdin:
        arguments, file, memory, seconds = json.loads(line)
        child = os.fork()
        if child == 0:
            run(arguments, file, memory, seconds)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def run(arguments: list[str], file: str, memory: int, seconds: int) -> None:
    """Run a command in this process and end it at once: to take apart all that was loaded takes longer than most commands."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # for as long as the process lives
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    sys.argv = ["houserule", *arguments]
    status = 1
    try:
        main()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001  whatever it is, who asked looks for its traceback
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    serve()
