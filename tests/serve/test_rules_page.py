"""The page of the rules in a room reads only what a rulebook has."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib.resources import files

from houserule.rulebook.book import Chapter, Drawing, Section, Worked
from houserule.rulebook.terms import Line

READ = {
    "chapter": (Chapter,),
    "line": (Line,),
    "shown": (Drawing,),
    "one": (Chapter, Section, Worked, Drawing),
}
"""The names of the page's values, and what they can be."""


def test_the_page_reads_fields_that_are_there() -> None:
    page = files("houserule.serve").joinpath("pages", "rules.js").read_text(encoding="utf-8")
    found = set(re.findall(rf"\b({'|'.join(READ)})\.([a-z_]+)", page))
    assert len(found) > 20
    for name, read in found:
        assert any(read == field.name for kind in READ[name] for field in fields(kind)), f"{name}.{read}"
