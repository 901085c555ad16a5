"""The manual as pages: Markdown in HTML, with links between pages, and what its blocks and those of the cookbook open in the playground."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from html import escape
from typing import Any

from houserule.bundled import PAGES, Section, bundled, headings, sections_of
from houserule.extras import library
from houserule.reading import own
from houserule.site.statics import header, search_box

BLOCK = re.compile(r"^```(?P<kind>[\w ]+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
HEAD = ("edition", "game", "title", "text", "players", "sources")
SECTIONS = (
    *("options", "enums", "components", "zones", "variables", "tables", "functions", "actions", "triggers"),
    *("flow", "scoring", "winner"),
)
"""The keys of the example game, in the order of a rulebook."""

# What the examples find on the table: cards everywhere, and the first player's turn.
TABLE = """\
flow:
  table:
    do: |
      shuffle forest
      for h in habitat: draw 4 from forest to patch[h]
      for p in players: draw 4 from forest to p.basket
"""
TURN = """\
flow:
  example:
    turns: p in players where p == starter
    do: |
"""


# --- the manual as blocks ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A block of the manual: what it is, where it stands, and what the manual says is said about it."""

    kind: str
    text: str
    line: int
    chapter: int
    section: int
    said: str | None = None

    def __str__(self) -> str:
        return f"line {self.line}"


def blocks_of(manual: str) -> list[Block]:
    """All blocks in order; a `text` block is part of the one before it."""
    found: list[Block] = []
    for match in BLOCK.finditer(manual):
        before = manual[: match.start()]
        line = before.count("\n") + 1
        chapter, section = (len(re.findall(heading, before, re.MULTILINE)) for heading in (r"^## ", r"^##"))
        if match["kind"] == "text":
            found[-1] = replace(found[-1], said=match["text"])
        else:
            found.append(Block(match["kind"], match["text"], line, chapter, section))
    return found


# --- rule files as outlines -------------------------------------------------------------------------------------------


@dataclass
class Entry:
    """A key with the lines under it: entries of its own, or text."""

    head: str
    inside: dict[str, Entry] | None
    text: str = ""


def outline(text: str) -> dict[str, Entry]:
    """A rule file by its keys, as deep as each key has a line of its own."""
    lines = text.rstrip("\n").split("\n")
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    entries: dict[str, Entry] = {}
    above: list[str] = []
    here: list[str] = []
    for line in [*lines, " " * margin + "end:"]:
        starts = bool(line[margin : margin + 1].strip())
        if not starts:
            here.append(line)
            continue
        if here:
            key, entry = entry_of(above, here)
            entries[key] = entry
            above, here = [], []
        (above if line.lstrip().startswith("#") else here).append(line)
    return entries


def entry_of(above: list[str], lines: list[str]) -> tuple[str, Entry]:
    head, body = lines[0], "\n".join(lines[1:]).rstrip()
    found = re.match(r'\s*("[^"]*"|[^:]+?):(\s+#.*)?(?:\s(.*))?$', head)
    assert found, head
    opened = not found[3] and body and not body.lstrip().startswith("- ")
    return found[1], Entry("\n".join([*above, head]), outline(body) if opened else None, body)


def merged(first: dict[str, Entry], second: dict[str, Entry]) -> dict[str, Entry]:
    """Both, by depth; the second wins, and has its order where it has everything that the first has."""
    found = (
        {key: first.get(key, entry) for key, entry in second.items()} if first.keys() <= second.keys() else dict(first)
    )
    for key, entry in second.items():
        old = found.get(key)
        if old is not None and old.inside is not None and entry.inside is not None:
            found[key] = Entry(old.head, merged(old.inside, entry.inside))
        else:
            found[key] = entry
    return found


def written(entries: dict[str, Entry]) -> str:
    parts = []
    for entry in entries.values():
        inside = written(entry.inside) if entry.inside is not None else f"{entry.text}\n" if entry.text else ""
        parts.append(f"{entry.head}\n{inside}")
    return "".join(parts)


class Example:
    """The example game of a manual, which grows from block to block."""

    def __init__(self, manual: str) -> None:
        self.blocks = blocks_of(manual)
        self.grown = cache(self._grown)

    def of_kind(self, *kinds: str) -> list[Block]:
        return [block for block in self.blocks if block.kind in kinds]

    def _grown(self, line: int | None = None) -> str:
        """The game as it has grown up to a line of the manual, or the whole of it, in the order of a rulebook."""
        game: dict[str, Entry] = {}
        for block in self.of_kind("yaml game"):
            if line is None or block.line <= line:
                game = merged(game, outline(block.text))
        head = {key: game[key] for key in HEAD if key in game}
        sections = [written({key: game[key]}) for key in SECTIONS if key in game]
        assert len(head) + len(sections) == len(game)
        return "\n".join([written(head), *sections])

    def around(self, block: Block) -> dict[str, Entry]:
        """The whole game with what the section of a block has added to it so far."""
        game = outline(self.grown())
        for aside in self.of_kind("yaml aside"):
            if aside.section == block.section and aside.said is None and aside.line < block.line:
                game = merged(game, outline(aside.text))
        return game

    def files(self, block: Block) -> dict[str, str] | None:
        """The files that a block opens, with the block among them; None if it is no example by itself."""
        match block.kind:
            case "yaml game":
                last = [one for one in self.of_kind("yaml game") if one.chapter == block.chapter][-1]
                return {"game.yaml": self.grown(last.line)}
            case "yaml whole":
                parts = [one.text for one in self.of_kind("yaml part") if one.section == block.section]
                return {"game.yaml": block.text, **({"parts.yaml": parts[0]} if parts else {})}
            case "yaml aside":
                return {"game.yaml": written(merged(self.around(block), outline(block.text)))}
            case "effect":
                return {"game.yaml": on_the_table(self.around(block), block.text)}
            case "yaml scenario":
                return {"game.yaml": self.grown(), "scenarios/example.yaml": block.text}
            case "yaml variant":
                named = {str(name(one.text)): one.text for one in self.of_kind("yaml variant")}
                return {"game.yaml": self.grown(), **{f"variants/{id}.yaml": text for id, text in named.items()}}
        return None


def name(variant: str) -> str:
    found = re.search(r"(?m)^variant: *(\w+)", variant)
    return found[1] if found else "example"


def on_the_table(game: dict[str, Entry], effect: str) -> str:
    """A game of three in which the first player performs an effect, right after the set-up."""
    indented = "".join(f"      {line}\n" if line else "\n" for line in effect.rstrip("\n").split("\n"))
    steps = {**outline(TABLE)["flow"].inside, **(outline(TURN + indented)["flow"].inside or {})}  # type: ignore[dict-item]
    flow = game["flow"].inside or {}
    inside = {"setup": flow["setup"], **steps, **{key: step for key, step in flow.items() if key != "setup"}}
    return written({**game, "players": Entry("players: 3", None), "flow": Entry("flow:", inside)})


# --- recipes ----------------------------------------------------------------------------------------------------------

STEP = re.compile(
    r"(?:`(?P<file>[\w/.]+\.yaml)`[^`\n]*:\n\n)?```(?P<language>yaml|diff|console)\n(?P<body>.*?)```", re.DOTALL
)
COPIED = re.compile(r"^\$ houserule new game mine/(\w+) --from (\w+)$", re.MULTILINE)
OF = re.compile(r"(?m)^of: *([\w-]+)")


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a recipe: the line of its block, the game that it changes, the files changed so far, and the one to look at."""

    line: int
    game: str
    files: dict[str, str]
    open: str


def steps(cookbook: str, games: Mapping[str, Mapping[str, str]]) -> Iterator[Step]:
    """The steps of all recipes that change the files of known games. A recipe begins with the copies of the opening."""
    opening, *recipes = re.split(r"(?m)^(?=## )", cookbook)
    kitchen: dict[str, tuple[str, dict[str, str]]] = {}
    line = 1
    for recipe in (opening, *recipes):
        cooking = {name: (base, dict(files)) for name, (base, files) in kitchen.items()}
        for block in STEP.finditer(recipe):
            for copy, base in COPIED.findall(block["body"]):
                cooking[copy] = base, {}
            made = cooked(block, cooking, games)
            if made is not None:
                fence = recipe.index("```", block.start())
                yield Step(line + recipe[:fence].count("\n"), *made)
        if recipe is opening:
            kitchen = cooking
        line += recipe.count("\n")


def cooked(
    block: re.Match[str], cooking: Any, games: Mapping[str, Mapping[str, str]]
) -> tuple[str, dict[str, str], str] | None:
    """What a block makes of the files: the game, what has changed in it, and where to look; None if it is no file of a known game."""
    heading = block["body"].partition("\n")[0]
    place = heading.removeprefix("--- ") if block["language"] == "diff" else block["file"] or ""
    folder, _, file = place.removeprefix("mine/").partition("/")
    if block["language"] == "console" or not place:
        return None
    of = OF.search(block["body"])
    if folder in cooking:
        base, files = cooking[folder]
    elif block["language"] == "yaml" and of is not None:
        base, files = cooking.setdefault(f"of {of[1]}", (of[1], {}))
        kind = "scenarios" if "scenario:" in block["body"] else "variants"
        file = f"{kind}/{place.rpartition('/')[2]}"
    else:
        return None
    if base not in games:
        return None
    files[file] = (
        OF.sub(f"of: {base}", block["body"])
        if block["language"] == "yaml"
        else changed(files.get(file) or games[base].get(file, ""), block["body"])
    )
    return base, dict(files), file


def changed(text: str, listing: str) -> str:
    """A text after a listing: its lines without + stand in it, once and together."""
    _, *lines = listing.rstrip("\n").split("\n")
    before = "\n".join(line[1:] for line in lines if line[0] in " -")
    after = "\n".join(line[1:] for line in lines if line[0] in " +")
    return text.replace(before, after, 1)


LINK = re.compile(r"(?:(?:\.\./)*(?:[\w-]+/)*)([\w-]+)\.md(#.*)?")
CODE = re.compile(r'(<h[23] id=")(hr[0-9]{3})(?=-)')
"""The heading of a message, which the playground finds by its code alone."""
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
LONGEST = 220
DEEPEST = 3


class Manual:
    """The pages of the manual, and what each of their blocks opens in the playground."""

    def __init__(self, games: Mapping[str, Mapping[str, str]]) -> None:
        self.games = games
        self.tries: dict[str, Any] = {}
        """By the name of a page and the line of a block: the files that it opens."""
        self._files = {file.rpartition("/")[2].removesuffix(".md"): name for name, file in PAGES.items()}

    @cached_property
    def markdown(self) -> Any:
        made = library("markdown_it", "site").MarkdownIt("commonmark", {"html": False}).enable("table")
        made.add_render_rule("fence", lambda _self, tokens, at, *_: self.fence(tokens[at]))
        made.add_render_rule(
            "table_open", lambda *_: '<div class="wide" tabindex="0" role="group" aria-label="table"><table>'
        )
        made.add_render_rule("table_close", lambda *_: "</table></div>")
        return made

    def pages(self) -> Iterator[tuple[str, str, list[str]]]:
        """Each page: its name, its title and its body."""
        for name in PAGES:
            text = own(bundled("docs") / PAGES[name])
            self.page = name
            self.tries |= self.examples(name, text)
            body = [*header("en", "../"), '<div class="reading">', *self.contents(name), "<main>", *search_box("en")]
            body += [self.rendered(text), "</main>", "</div>"]
            yield name, title_of(name), body

    def examples(self, name: str, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """What the blocks of a page open, by the name of the page and the line of the block."""
        if name == "language":
            example = Example(text)
            for block in example.blocks:
                files = example.files(block)
                if files is not None:
                    yield f"{name}.{block.line}", {"files": files, "open": opens(block.kind, files)}
        elif name == "cookbook":
            for step in steps(text, self.games):
                yield f"{name}.{step.line}", {"base": step.game, "files": step.files, "open": step.open}

    def contents(self, name: str) -> Iterator[str]:
        """The headings of a page, and the other pages."""
        yield '<nav class="contents" aria-label="Contents"><ul class="pages">'
        for other in PAGES:
            now = ' aria-current="page"' if other == name else ""
            yield f'<li><a href="{other}.html"{now}>{escape(title_of(other))}</a></li>'
        yield "</ul><details open><summary>On this page</summary><ul>"
        for section in sections_of(name)[1:]:
            if section.level <= DEEPEST - (name not in ("language", "cookbook")):
                yield f'<li class="level{section.level}"><a href="#{escape(section.anchor)}">{escape(plain_title(section.title))}</a></li>'
        yield "</ul></details></nav>"

    def rendered(self, text: str) -> str:
        tokens = self.markdown.parse(
            COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
        )  # blocks keep their lines
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", Section("", 1, tokens[at + 1].content, "").anchor)
            for inner in token.children or ():
                if inner.type == "link_open":
                    inner.attrSet("href", self.link(str(inner.attrGet("href") or "")))
                elif inner.type == "image":
                    inner.type, inner.children = "text", []
        made = str(self.markdown.renderer.render(tokens, self.markdown.options, {}))
        return CODE.sub(r'<span id="\2"></span>\1\2', made)

    def link(self, address: str) -> str:
        """A link between pages of the manual; a page that the site does not have is a place on its first page."""
        found = LINK.fullmatch(address)
        if found is None:
            return address if address.startswith(("#", "https://")) else "../index.html"
        name = self._files.get(found[1])
        return f"{name}.html{found[2] or ''}" if name is not None else "../index.html"

    def fence(self, token: Any) -> str:
        """A block, with a link that opens it in the playground where it can be opened."""
        kind, _, more = token.info.partition(" ")
        line = (token.map or [0])[0] + 1
        made = f'<pre tabindex="0" class="{escape(kind)}"><code>{escape(token.content)}</code></pre>'
        key = f"{self.page}.{line}"
        if key in self.tries:
            made += f'<p class="try"><a class="button" href="../playground.html#try/{key}">Try it</a></p>'
        return f'<div class="block">{made}</div>\n' if more or key in self.tries else f"{made}\n"

    def found(self) -> Iterator[tuple[str, str, str, str]]:
        """What the search finds in the manual: title, kind, address and text."""
        for name in PAGES:
            for section in sections_of(name)[1:]:
                lines = (line for line in section.text.splitlines()[1:] if line.strip() and line[:1] not in "#`|<")
                yield (
                    plain_title(section.title),
                    name,
                    f"manual/{name}.html#{section.anchor}",
                    plain_text(" ".join(lines))[:LONGEST],
                )


def opens(kind: str, files: Mapping[str, str]) -> str:
    """The file that is shown first."""
    folder = {"yaml scenario": "scenarios/", "yaml variant": "variants/"}.get(kind, "game.yaml")
    return next(name for name in files if name.startswith(folder))


@cache
def title_of(name: str) -> str:
    text = own(bundled("docs") / PAGES[name])
    return plain_title(next((title for _, _, title in headings(text.splitlines())), name))


def plain_title(title: str) -> str:
    return re.sub(r"[`*]", "", title)


def plain_text(text: str) -> str:
    """Markdown without its signs."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"[`*]", "", text))
