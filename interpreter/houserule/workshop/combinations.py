"""Which variants of a game can be played together."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from houserule.definition.variant import Variant, read_variant
from houserule.diagnostics import Report
from houserule.workshop.library import display, variants_of


def combinations_of(folder: Path, most: int = 1) -> list[tuple[str, ...]]:
    """No variant, then each that lies with a game, then up to `most` of them together, behind those that they require.

    Each combination comes once, and none in which a variant refuses another.
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
