"""Which variants of a game can be played together."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from houserule.definition.variant import Variant, read_variant
from houserule.diagnostics import Report
from houserule.workshop.library import display, variants_of


def combinations_of(folder: Path, most: int = 1) -> list[tuple[str, ...]]:
    """The combinations of up to `most` of a game's variants, each after those that it requires; first the empty one.

    Each combination occurs once; variants that exclude each other are not combined.
    """
    report = Report()
    written: dict[str, Variant] = {}
    for name in variants_of(folder):
        path = folder / "variants" / f"{name}.yaml"
        variant = read_variant(path, report, display(path))
        if variant is not None:
            written[name] = variant
    found = [whole(names, written) for count in range(most + 1) for names in combinations(written, count)]
    return [names for names in dict.fromkeys(found) if agree(names, written)]


def whole(names: tuple[str, ...], written: dict[str, Variant]) -> tuple[str, ...]:
    """Variants, each after those that it requires; a missing one is left out, and reported elsewhere."""
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
    """Whether no variant excludes another."""
    return not any(other in written[name].conflicts for name in names for other in names)
