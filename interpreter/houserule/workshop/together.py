"""Which variants a game can be played with: its folder in, each one alone and each pair of them out."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from houserule.definition.variant import Variant, read_variant
from houserule.diagnostics import Report
from houserule.workshop.library import display, variants_of


def alone(folder: Path) -> list[tuple[str, ...]]:
    """Each variant that lies with a game, behind those that it requires."""
    return tables_with(folder, 1)


def alone_and_in_pairs(folder: Path) -> list[tuple[str, ...]]:
    """The same, and each pair of which neither refuses the other."""
    return tables_with(folder, 2)


def tables_with(folder: Path, most: int) -> list[tuple[str, ...]]:
    """Up to so many variants together, each once."""
    report = Report()
    written: dict[str, Variant] = {}
    for name in variants_of(folder):
        path = folder / "variants" / f"{name}.yaml"
        variant = read_variant(path, report, display(path))
        if variant is not None:
            written[name] = variant
    found = [whole(names, written) for count in range(1, most + 1) for names in combinations(written, count)]
    return [names for names in dict.fromkeys(found) if agree(names, written)]


def whole(names: tuple[str, ...], written: dict[str, Variant]) -> tuple[str, ...]:
    """Variants behind those that they require; one that is not there is left out, and complained of elsewhere."""
    ordered: list[str] = []
    begun: set[str] = set()

    def put(name: str) -> None:
        if name in written and name not in begun:
            begun.add(name)
            for needed in written[name].requires:
                put(needed)
            ordered.append(name)

    for name in names:
        put(name)
    return tuple(ordered)


def agree(names: tuple[str, ...], written: dict[str, Variant]) -> bool:
    """Whether none of them refuses another."""
    return not any(other in written[name].conflicts for name in names for other in names)
