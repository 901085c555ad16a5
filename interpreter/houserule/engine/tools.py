"""The tools of `houserule mcp`: what an assistant needs to write rules with an author, inside one folder.

Every path is inside the folder that was opened, links followed, or the id of a bundled game. Files are written by `write_file` alone, and
only if the author allowed that. Rules have the same limits as everywhere, and matches are few.
"""

from __future__ import annotations

import functools
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import houserule
from houserule import Diagnostic, Game, InvalidGame, RuleFault, UnknownGame
from houserule.bundled import PAGES, bundled_game, index, plain, sections_of
from houserule.codes import CODES, page
from houserule.extras import library
from houserule.printable import printable
from houserule.reading import LONGEST_NAME, is_id, is_inside, read, yaml_below
from houserule.writing import HALVES, make_folder, write_file

MOST_TEXT = 1_000_000
"""The longest text that a tool takes, in characters."""
MOST_SHOWN = 100
MOST_MATCHES = 5_000
MOST_THOUGHT = 100
"""The most matches with bots that think."""
LONGEST = 60.0
"""Seconds that the matches, scenarios or games of a call take at most, give or take one of them."""
SEATS = ("random", "first", "greedy")


class Refused(ValueError):
    """A call that cannot be met, in a sentence."""


class Workshop:
    """The tools, for one folder."""

    def __init__(self, folder: Path, may_write: bool = False) -> None:
        self.folder = folder.resolve()
        self.may_write = may_write

    # --- files --------------------------------------------------------------------------------------------------------------

    def inside(self, path: str) -> Path:
        """A path inside the folder that is not hidden. Raises Refused."""
        if len(path) > LONGEST_NAME:
            raise Refused(f"a path has at most {LONGEST_NAME} characters")
        found = self.folder / path
        if "\0" in path or not is_inside(found, self.folder):
            raise Refused(f"'{path}' is not inside the folder that was opened")
        if any(part.startswith(".") for part in found.resolve().relative_to(self.folder).parts):
            raise Refused(f"'{path}' is hidden")
        try:
            found.exists()
        except OSError as wrong:
            raise Refused(f"'{path}' names no file: {wrong.strerror}") from wrong
        return found

    def game(self, name: str, variants: Sequence[str] = (), options: dict[str, int | str] | None = None) -> Game:
        """A valid game of the folder, or a bundled one, which reads nothing outside. Raises Refused."""
        place = self.inside(name)
        packed = bundled_game(name) if not place.exists() else None
        path = packed or place
        listed = [one if is_id(one) else str(self.inside(one)) for one in variants]
        try:
            wrong = houserule.validate(path, listed, options, rules_only=True, root=None if packed else self.folder)
            errors = [one for one in wrong if one.severity == "error"]
            if errors:
                raise Refused("these rules cannot be played:\n" + "\n".join(self.told(errors)))
            return houserule.load(path, listed, options)
        except UnknownGame as unknown:
            raise Refused(str(unknown).replace(f"'{place}'", f"'{name}'")) from unknown
        except InvalidGame as invalid:
            raise Refused("these rules cannot be played:\n" + "\n".join(self.told(invalid.diagnostics))) from invalid

    def told(self, diagnostics: Sequence[Diagnostic], root: Path | None = None) -> list[str]:
        """Diagnostics as lines: place, code, message, and help."""
        lines = []
        for one in diagnostics[:MOST_SHOWN]:
            file = self.shown(one.span.file, root)
            help = f" (help: {one.help})" if one.help else ""
            lines.append(
                printable(f"{file}:{one.span.line}:{one.span.column}: {one.severity} {one.code}: {one.message}{help}")
            )
        if len(diagnostics) > MOST_SHOWN:
            lines.append(f"and {len(diagnostics) - MOST_SHOWN} more")
        return lines

    def shown(self, file: str, root: Path | None = None) -> str:
        """A file as the tools name it, relative to the folder, wherever the server was started."""
        path, root = Path(file).absolute(), root or self.folder
        return str(path.relative_to(root)) if path.is_relative_to(root) else file

    def list_files(self) -> str:
        """List the rule files of the folder, and the bundled games, which can be named by id."""
        found = [str(file.relative_to(self.folder)) for file in self.files_at(self.folder)]
        return "\n".join([*found[:1000], "", f"bundled games: {', '.join(houserule.games())}"])

    def files_at(self, place: Path) -> list[Path]:
        """The file at a place, or the YAML files below it. Raises Refused."""
        look = in_time("the names of these files", "name a smaller folder")
        files = [place] if place.is_file() else sorted(yaml_below(place, look))
        return [file for file in files if is_inside(file, self.folder)]

    def read_file(self, path: str) -> str:
        """Read a file of the folder, or, as `bundled/ID/FILE`, one of a bundled game."""
        if path.startswith("bundled/"):
            _, id, rest = (*path.split("/", 2), "")[:3]
            home = bundled_game(id)
            if home is None:
                raise Refused(f"there is no bundled game '{id}'")
            file = home / (rest or "game.yaml")
            if not is_inside(file, home):
                raise Refused(f"'{path}' is not in that game")
        else:
            file = self.inside(path)
        try:
            return read(file, "rules").decode("utf-8")
        except (OSError, UnicodeDecodeError) as wrong:
            raise Refused(f"'{path}' cannot be read") from wrong

    def write_file(self, path: str, text: str) -> str:
        """Write a rule file (YAML or Markdown) of the folder. Do this only when the author asks for it."""
        if not self.may_write:
            raise Refused("nothing may be written here: the author starts the server with --write to allow it")
        file = self.inside(path)
        if file.suffix not in (".yaml", ".md") or any(part.startswith(".") for part in Path(path).parts):
            raise Refused("only .yaml and .md files are written, and none that is hidden")
        if len(text) > MOST_TEXT:
            raise Refused("the text is too long")
        try:
            make_folder(file.parent)
            write_file(file, text)
        except OSError as wrong:
            raise Refused(f"'{path}' cannot be written: {wrong.strerror or wrong}") from wrong
        return f"wrote {path}"

    # --- rules --------------------------------------------------------------------------------------------------------------

    def validate(self, path: str = "", text: str = "", name: str = "game.yaml") -> str:
        """Validate a game, a variant, a scenario file or a folder; or a text, as the file `name`: `game.yaml`, or `variants/ID.yaml` of a bundled game."""
        if text:
            with tempfile.TemporaryDirectory() as made:
                root = Path(made).resolve()
                file = self.placed(root, text, name)
                found = self.told(houserule.validate(file, root=root), root)
        else:
            place, look = self.inside(path or "."), in_time("these files", "validate fewer")
            several = houserule.subjects(place, look) if place.is_dir() and not (place / "game.yaml").exists() else []
            wrong: list[Diagnostic] = []
            try:
                for one in several or [place]:
                    look()
                    wrong += houserule.validate(one, root=self.folder)
            except UnknownGame as unknown:
                raise Refused(str(unknown).replace(f"'{place}'", f"'{path or '.'}'")) from unknown
            found = self.told(wrong)
        return "\n".join(found) or "valid: nothing to say"

    def placed(self, folder: Path, text: str, name: str) -> Path:
        """A text as a file of a folder for a moment. Raises Refused."""
        file = folder / name
        if len(text) > MOST_TEXT or len(name) > LONGEST_NAME or file.suffix != ".yaml" or not is_inside(file, folder):
            raise Refused("a text is at most a million characters, and its name ends in .yaml")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        except OSError as wrong:
            raise Refused(f"a text cannot have this name: {wrong.strerror}") from wrong
        return file

    def format(self, text: str) -> str:
        """Format the text of a rule file; returns the new text, and writes nothing."""
        with tempfile.TemporaryDirectory() as made:
            root = Path(made).resolve()
            found = houserule.format(self.placed(root, text, "game.yaml"))
            if found.diagnostics:
                raise Refused("\n".join(self.told(found.diagnostics, root)))
            return found.after

    def explain(self, code: str) -> str:
        """Explain the code of a message, such as HR512: why it matters, with a broken and a fixed example."""
        row = CODES.get(code.upper())
        if row is None:
            raise Refused(f"there is no code '{code}': they go from {min(CODES)} to {max(CODES)}")
        return page(row)

    def manual(self, topic: str = "") -> str:
        """Look up the manual and the reference: a page, a heading, or a word of the index; without a topic, list the topics."""
        if not topic:
            return "\n".join(
                f"{name}: {', '.join(s.topic for s in sections_of(name) if s.level <= 2)}" for name in PAGES
            )
        wanted = plain(topic)
        if wanted in PAGES:
            return sections_of(wanted)[0].text[: MOST_TEXT // 20]
        every = [section for name in PAGES for section in sections_of(name)]
        found = index(sections_of("language")).get(wanted) or [
            one for one in every if wanted in (one.topic, one.anchor)
        ]
        found = found or [one for one in every if wanted and wanted in one.topic]
        if not found:
            raise Refused(f"the manual has nothing about '{topic}'; without a topic, the topics are listed")
        return "\n\n".join(dict.fromkeys(one.text for one in found[:3]))

    def test(self, path: str) -> str:
        """Run a file of scenarios of the folder, or all below a folder."""
        place = self.inside(path)
        files = [
            file
            for file in self.files_at(place)
            if file == place or "scenarios" in file.parent.resolve().relative_to(self.folder).parts
        ]
        if not files:
            raise Refused(f"there are no scenarios at '{path}'")
        lines: list[str] = []
        passed, failed, budget, look = 0, 0, houserule.ScenarioBudget(), in_time("these scenarios", "run fewer files")
        for file in files:
            look()
            wrong = [one for one in houserule.validate(file, root=self.folder) if one.severity == "error"]
            if wrong:
                raise Refused("\n".join(self.told(wrong)))
            for result in houserule.rehearse(file, lambda _: look(), budget=budget):
                passed, failed = passed + result.passed, failed + (not result.passed)
                if not result.passed:
                    lines.append(printable(f"{self.shown(result.path)}:{result.line}: {result.name}: {result.message}"))
        left_out = f"; not run to the end: {len(budget.left_out)} of {len(files)} files" if budget.left_out else ""
        return "\n".join([*lines, *self.told(budget.found), f"{passed} passed, {failed} failed{left_out}"])

    def show(self, game: str, players: int = 0, variants: list[str] | None = None) -> str:
        """Show the table of a game after its set-up, with every face up, and the first question."""
        loaded = self.game(game, variants or ())
        match = loaded.start(players or loaded.players[0], seed=0)
        view = match.view()
        zones = [f"{zone.title}: {', '.join(piece.label for piece in zone.pieces) or '-'}" for zone in view.zones]
        values = [f"{one.title}: {one.value_label}" for one in view.variables]
        asked = [
            f"{one.player}: {one.prompt or one.name} ({', '.join(o.label for o in one.single[:20])})"
            for one in match.pending
        ]
        return "\n".join(printable(line) for line in [f"{loaded.title()} ({loaded.id})", *zones, *values, *asked])

    def simulate(
        self, game: str, matches: int = 500, players: int = 0, seats: str = "random", variants: list[str] | None = None
    ) -> dict[str, Any]:
        """Play matches between bots: wins by seat, scores and lengths. `seats` names bots: random, first, greedy."""
        number = self.few(matches, seats)
        return houserule.simulate(
            self.game(game, variants or ()), number, players or None, seats, seed=1, engine="python", progress=in_time()
        ).to_json()

    def compare(self, game: str, variants: list[str], matches: int = 500, players: int = 0) -> dict[str, Any]:
        """Compare a game with house rules to the game without them, in matches at random: what changes in wins, scores and lengths."""
        one, other = self.game(game, variants), self.game(game)
        number = self.few(matches, "random")
        return houserule.compare(
            one, other, matches=number, players=players or None, seed=1, engine="python", progress=in_time()
        ).to_json()

    @staticmethod
    def few(matches: int, seats: str) -> int:
        """A number of matches that does not take long. Raises Refused."""
        words = {word.strip() for word in seats.split(",")}
        if not words <= set(SEATS):
            raise Refused(f"seats are {', '.join(SEATS)}")
        most = MOST_THOUGHT if "greedy" in words else MOST_MATCHES
        if not 1 <= matches <= most:
            raise Refused(f"between 1 and {most} matches are played")
        return matches


def in_time(what: str = "these matches", instead: str = "ask for fewer") -> Callable[..., None]:
    """What is told of the progress of a call, and ends it where it takes too long: a client that has given up is not heard meanwhile. Raises Refused."""
    begun = time.monotonic()

    def look(_: int = 0) -> None:
        if time.monotonic() > begun + LONGEST:
            raise Refused(f"{what} take longer than {LONGEST:.0f} seconds: {instead}")

    return look


TOOLS = (
    "list_files",
    "read_file",
    "write_file",
    "validate",
    "format",
    "explain",
    "manual",
    "test",
    "show",
    "simulate",
    "compare",
)
"""The tools by name; each is a method of a workshop, with its docstring as its description."""
INSTRUCTIONS = (
    "Houserule runs tabletop games from rule files. Look up the manual before you write rules, validate every text, explain the codes "
    "of messages, and test with scenarios. Write files only when the author asks for it."
)


def server(workshop: Workshop) -> Any:
    """The server of the Model Context Protocol with all tools. Raises MissingExtra."""
    made = library("mcp.server.mcpserver", "mcp").MCPServer(
        "houserule", version=houserule.__version__, instructions=INSTRUCTIONS, log_level="ERROR"
    )
    for name in TOOLS:
        made.tool(name=name)(told_as_tool(getattr(workshop, name)))
    return made


def told_as_tool(tool: Callable[..., Any]) -> Callable[..., Any]:
    """A tool whose refusals are results that say so, without a traceback."""
    error = library("mcp.server.mcpserver.exceptions", "mcp").ToolError
    workshop: Workshop = tool.__self__  # type: ignore[attr-defined]  # a method

    @functools.wraps(tool)
    def called(*words: Any, **named: Any) -> Any:
        try:
            found = tool(*words, **named)
        except InvalidGame as invalid:
            raise error("\n".join(workshop.told(invalid.diagnostics))) from None
        except (ValueError, LookupError, OSError, RuleFault) as refused:
            raise error(well_formed(str(refused).replace(f"{workshop.folder}/", ""))) from None
        return well_formed(found) if isinstance(found, str) else found

    return called


def well_formed(text: str) -> str:
    """A text without halves of characters, which names of files may have: sending one would end the server."""
    return HALVES.sub("\ufffd", text)
