"""Which variants are tried out: the folder of a game in, each of its variants alone out, or the pairs as well."""

from __future__ import annotations

from pathlib import Path

from houserule.workshop.together import alone, alone_and_in_pairs


def variants_to_try(folder: Path, pairs: bool = False) -> list[tuple[str, ...]]:
    """No variant, each alone, and with `pairs` each two of which neither refuses the other."""
    return [(), *(alone_and_in_pairs(folder) if pairs else alone(folder))]
