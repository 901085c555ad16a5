"""`houserule docs` and `explain`: the manual, and the page of a code."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from houserule.bundled import bundled
from houserule.cli.colours import console
from houserule.cli.report import fail, tell
from houserule.codes import CODES, page
from houserule.diagnostics import did_you_mean, nearest
from houserule.manual import PAGES, Section, index, plain, sections_of
from houserule.numerals import whole_number

# --- explain ----------------------------------------------------------------------------------------------------------


def explain(code: Annotated[str, typer.Argument(metavar="CODE", help="The code of a message, such as HR512.")]) -> None:
    """Explain a message: why it matters, with a broken and a fixed example."""
    wanted = f"HR{code}" if whole_number(code) is not None else code.upper()
    row = CODES.get(wanted)
    if row is None:
        suggestion = nearest(wanted, CODES)
        fail(
            f"there is no code '{code}'",
            f"did you mean '{suggestion}'?" if suggestion else f"codes go from {min(CODES)} to {max(CODES)}",
        )
    tell(page(row))


# --- docs -------------------------------------------------------------------------------------------------------------


CODE = re.compile(r"hr[0-9]+")
DEEPEST_LISTED = 3
MOST_NAMED = 12


def docs(
    topic: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TOPIC]", help="A page, the heading of a section, or a word of the index.", show_default=False
        ),
    ] = None,
    path: Annotated[bool, typer.Option("--path", help="Print where the page is, or the folder of all pages.")] = False,
    is_opened: Annotated[bool, typer.Option("--open", help="Open the page in its usual program.")] = False,
) -> None:
    """Print a section of the manual; without a topic, list the topics.

    houserule docs triggers
    """
    folder = bundled("docs")
    if not (folder / PAGES["language"]).is_file():
        fail("the manual is not there", f"it should be in '{folder}'")
    wanted = " ".join(topic or ())
    found = [] if not wanted else sections_for(wanted)
    file = folder / PAGES[found[0].page] if found else folder
    if path:
        tell(str(file))
    elif is_opened:
        typer.launch(str(file if found else folder / PAGES["language"]))
    elif not found:
        list_topics()
    else:
        from rich.markdown import Markdown

        for section in found:
            console().print(Markdown(section.text))


def list_topics() -> None:
    """Print each page with its sections, as users type them."""
    for topic in PAGES:
        first, *others = sections_of(topic)
        tell(f"{topic}: {first.title}")
        if topic in ("language", "cookbook"):
            for section in others:
                if section.level <= DEEPEST_LISTED:
                    tell(f"{'  ' * (section.level - 1)}{section.topic}")
        tell("")
    tell("houserule docs TOPIC prints a section; houserule explain CODE explains a message.")


def sections_for(wanted: str) -> list[Section]:
    """The sections for a topic: a page, a heading, or those of a word in the index; exits with a sentence if that is not clear."""
    topic = plain(wanted)
    if topic in PAGES:
        return sections_of(topic)[:1]
    if CODE.fullmatch(topic):
        fail(f"'{wanted}' is the code of a message", f"houserule explain {topic.upper()}")
    every = [section for page in PAGES for section in sections_of(page)]
    indexed = index(sections_of("language"))
    for found in (
        [section for section in every if topic in (section.topic, section.anchor)][:1],
        indexed.get(topic, []),
        [section for section in every if topic and topic in section.topic],
    ):
        topics = list(dict.fromkeys(section.topic for section in found))
        if len(topics) == 1 or found is indexed.get(topic):
            return list(dict.fromkeys(found))[: len(topics)]
        if topics:
            more = ", …" if len(topics) > MOST_NAMED else ""
            fail(f"'{wanted}' could be several topics", f"one of: {', '.join(topics[:MOST_NAMED])}{more}")
    known = [*PAGES, *(section.topic for section in every), *indexed]
    fail(f"the manual has no topic '{wanted}'", did_you_mean(topic, known) or "`houserule docs` lists the topics")
