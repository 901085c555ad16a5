"""The manual as pages: Markdown in HTML, with links between pages, and the very text of each block to try."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from typing import Any

from houserule.bundled import PAGES, Section, bundled, headings, plain, sections_of
from houserule.extras import library
from houserule.reading import own
from houserule.site.statics import header, search_box
from houserule.site.teaching import Example, steps

LINK = re.compile(r"(?:(?:\.\./)*(?:[\w-]+/)*)([\w-]+)\.md(#.*)?")
CODE = re.compile(r'(<h[23] id=")(hr[0-9]{3})(?=-)')
"""The heading of a message, which the playground finds by its code alone."""
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
            title = next((title for _, _, title in headings(text.splitlines())), name)
            self.page = name
            self.tries |= self.examples(name, text)
            body = [*header("en", "../"), '<div class="reading">', *self.contents(name), "<main>", *search_box("en")]
            body += [self.rendered(text), "</main>", "</div>"]
            yield name, plain_title(title), body

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
            yield f'<li><a href="{other}.html"{now}>{escape(plain(other).capitalize())}</a></li>'
        yield "</ul><details open><summary>On this page</summary><ul>"
        for section in sections_of(name)[1:]:
            if section.level <= DEEPEST - (name not in ("language", "cookbook")):
                yield f'<li class="level{section.level}"><a href="#{escape(section.anchor)}">{escape(plain_title(section.title))}</a></li>'
        yield "</ul></details></nav>"

    def rendered(self, text: str) -> str:
        tokens = self.markdown.parse(text)
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


def plain_title(title: str) -> str:
    return re.sub(r"[`*]", "", title)


def plain_text(text: str) -> str:
    """Markdown without its signs."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"[`*]", "", text))
