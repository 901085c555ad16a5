"""Writes the effective rules, with variants and settings applied, as one YAML file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Settings

from houserule.definition.load import Loaded
from houserule.source import Mapping, Scalar, Sequence, Yaml

WIDEST = 110
SIMPLE = re.compile(r"[\w.+*/ -]*[\w.]", re.ASCII)


def merged(loaded: Loaded, settings: Settings[str, int | str]) -> str:
    """The whole game as one file, with its variants applied and its options set."""
    assert loaded.definition is not None
    assert loaded.tree is not None
    title = ", ".join([loaded.definition.name, *(variant.name for variant in loaded.variants)])
    listed = ", ".join(f"{name}: {value}" for name, value in settings.items())
    lines = [f"# {title}" + (f"; {listed}" if listed else "")]
    for key, entry in loaded.tree.entries.items():
        if key == "options" and isinstance(entry.value, Mapping):
            lines.append("options:")
            for name, option in entry.value.entries.items():
                lines += as_lines(option.key, option.value, "  ", str(settings.get(name, "")))
        else:
            lines += as_lines(entry.key, entry.value, "")
    return "\n".join(lines) + "\n"


def as_lines(key: Scalar, value: Yaml, indent: str, default: str = "") -> Iterator[str]:
    """The lines of an entry of a map; `default` replaces the value of that key."""
    before = f"{indent}{scalar(key)}:"
    if isinstance(value, Scalar):
        yield from text_lines(before, value, indent)
    elif (short := in_line(value)) is not None and len(before) + len(short) < WIDEST and not default:
        yield f"{before} {short}"
    elif isinstance(value, Mapping):
        yield before
        for name, entry in value.entries.items():
            if name == "default" and default:
                yield f"{indent}  default: {default}"
            else:
                yield from as_lines(entry.key, entry.value, f"{indent}  ")
    else:
        yield before
        for item in value.items:
            yield from item_lines(item, f"{indent}  ")


def item_lines(item: Yaml, indent: str) -> Iterator[str]:
    """The lines of an entry of a list."""
    if isinstance(item, Scalar):
        yield from text_lines(f"{indent}-", item, indent)
        return
    short = in_line(item)
    if short is not None:
        yield f"{indent}- {short}"
    elif isinstance(item, Mapping):
        first = True
        for entry in item.entries.values():
            for line in as_lines(entry.key, entry.value, f"{indent}  "):
                yield f"{indent}- {line[len(indent) + 2 :]}" if first else line
                first = False
    else:
        yield f"{indent}-"
        for inner in item.items:
            yield from item_lines(inner, f"{indent}  ")


def text_lines(before: str, value: Scalar, indent: str) -> Iterator[str]:
    """A text after its key: on the same line, or as a block if it has several lines."""
    if "\n" not in value.text:
        yield f"{before} {scalar(value)}".rstrip()
        return
    lines = value.text.split("\n")
    ending = "" if lines[-1] == "" and lines[-2:] != ["", ""] else "-" if lines[-1] else "+"
    digit = "2" if value.text[:1] in (" ", "\n") else ""
    yield f"{before} |{digit}{ending}"
    for line in lines[:-1] if lines[-1] == "" else lines:
        yield f"{indent}  {line}" if line else ""


def scalar(value: Scalar) -> str:
    """A text on one line: plain if it was plain, otherwise in quotes."""
    if value.style == "plain" and "\n" not in value.text:
        return value.text
    return json.dumps(value.text, ensure_ascii=False)


def in_line(value: Yaml) -> str | None:
    """A value in brackets or braces; None if it has texts that need quotes."""
    if isinstance(value, Scalar):
        return value.text if value.style == "plain" and SIMPLE.fullmatch(value.text) else None
    if isinstance(value, Sequence):
        items = [in_line(item) for item in value.items]
        found = [item for item in items if item is not None]
        return f"[{', '.join(found)}]" if len(found) == len(items) else None
    pairs = [(in_line(entry.key), in_line(entry.value)) for entry in value.entries.values()]
    if any(key is None or inner is None or inner.startswith(("{", "[")) for key, inner in pairs):
        return None if pairs else "{}"
    return "{" + ", ".join(f"{key}: {inner}" for key, inner in pairs) + "}"
