"""Variants as written, and which can be played together."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path

from houserule.definition.readings import Readings
from houserule.diagnostics import Related, Report, Span, did_you_mean
from houserule.reading import files_below, is_id, root_of
from houserule.source import Mapping, Scalar, Sequence

MOST_LISTED = 8
"""The most variants that a help lists if none has a similar name."""


@dataclass(slots=True, eq=False)
class Variant:
    """A variant as written."""

    name: str
    file: Path
    tree: Mapping
    game: str = ""
    requires: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)

    @property
    def span(self) -> Span:
        """Where its name is."""
        entry = self.tree.entries.get("variant")
        return entry.value.span if entry is not None else self.tree.span

    def title(self, language: str) -> str:
        """The title in a language, else in the first one given; empty if it has none."""
        entry = self.tree.entries.get("title")
        if entry is None or not isinstance(entry.value, Mapping):
            return text(self.tree, "title")
        return text(entry.value, language) or next(
            filter(None, (text(entry.value, one) for one in entry.value.entries)), ""
        )


def read_variant(path: Path, report: Report, display: str, readings: Readings | None = None) -> Variant | None:
    """The variant of a file, or None after diagnostics."""
    tree, good = (readings or Readings()).document(path, root_of(path), "variant", report, display)
    if tree is None or not good:
        return None
    options = tree.entries.get("options")
    settings = options.value.entries if options is not None and isinstance(options.value, Mapping) else {}
    name = text(tree, "variant") or path.stem
    if path.resolve().parent.name == "variants" and name != path.stem:
        own, advice = tree.entries["variant"].value.span, f"variant: {path.stem}"
        report.error("HR712", f"'{name}' is in a file with another name, so it cannot be found", own, advice)
    return Variant(
        name=name,
        game=text(tree, "of"),
        file=path,
        tree=tree,
        requires=words(tree, "requires"),
        conflicts=words(tree, "conflicts"),
        options={name: entry.value.text for name, entry in settings.items() if isinstance(entry.value, Scalar)},
    )


def text(node: Mapping, key: str) -> str:
    """The word under a key, or ""."""
    entry = node.entries.get(key)
    return entry.value.text.strip() if entry is not None and isinstance(entry.value, Scalar) else ""


def words(node: Mapping, key: str) -> tuple[str, ...]:
    """The list of words under a key, or a single one."""
    entry = node.entries.get(key)
    if entry is None:
        return ()
    if isinstance(entry.value, Sequence):
        return tuple(item.text.strip() for item in entry.value.items if isinstance(item, Scalar))
    return (entry.value.text.strip(),) if isinstance(entry.value, Scalar) else ()


def check_together(variants: list[Variant], game: str, folder: Path, report: Report) -> None:
    """Check that variants belong to the game in that folder and may be played together."""
    names = [variant.name for variant in variants]
    for variant in variants:
        of = variant.tree.entries.get("of")
        if of is not None and isinstance(of.value, Scalar) and of.value.text.strip() != game:
            report.error(
                "HR701",
                f"'{variant.name}' is a variant of '{of.value.text.strip()}', not of '{game}'",
                of.value.span,
                f"of: {game}",
            )
        beside = {
            path.stem
            for place, root in ((folder / "variants", folder), (variant.file.parent, root_of(variant.file)))
            for path in files_below(place, "*.yaml", root)
        }
        known = sorted({*names, *beside} - {variant.name, "game"})
        for other in variant.requires:
            if other in names:
                continue
            message = f"'{variant.name}' requires '{other}'"
            if other in known:
                report.error("HR702", message, variant.span, f"--with {other}")
                continue
            place, advice = named_place(variant, "requires", other), "'requires' takes the ids of variants"
            if is_id(other):
                advice = f"--with PATH/{other}.yaml, if it lies elsewhere"
            report.misnamed("HR702", f"{message}, which does not exist", place, other, known, advice)
        for other in variant.conflicts:
            # Two that exclude each other are one mistake, reported for the first of them.
            before = variants[: variants.index(variant)]
            if other not in (*known, variant.name):
                listed = f"there are {', '.join(known)}" if 0 < len(known) <= MOST_LISTED else "leave it out"
                report.warning(
                    "HR713",
                    f"'{variant.name}' conflicts with '{other}', and there is no such variant",
                    named_place(variant, "conflicts", other),
                    did_you_mean(other, known) or listed,
                )
            if other in names and not any(v.name == other and variant.name in v.conflicts for v in before):
                report.error(
                    "HR703",
                    f"'{variant.name}' cannot be played with '{other}'",
                    variant.span,
                    "leave out one of the two",
                )
        if names.count(variant.name) > 1:
            report.error("HR704", f"'{variant.name}' is named twice", variant.span, "name each once")


def named_place(variant: Variant, key: str, name: str) -> Span:
    """The place where a variant names another under a key."""
    value = variant.tree.entries[key].value
    items = value.items if isinstance(value, Sequence) else ()
    return next((item.span for item in items if isinstance(item, Scalar) and item.text.strip() == name), value.span)


def check_settings(variants: list[Variant], settled: Container[str], report: Report) -> None:
    """Check that no two variants set one option to different values.

    A variant that requires the other may, and an option `settled` from outside may have any.
    """
    for number, variant in enumerate(variants):
        for other in variants[:number]:
            if other.name in (variant.name, *variant.requires):
                continue
            for name, value in variant.options.items():
                if name not in settled and other.options.get(name, value) != value:
                    report.error(
                        "HR705",
                        f"'{variant.name}' and '{other.name}' both set '{name}', to different values",
                        option_span(variant, name),
                        f"--set {name}={value} decides; `conflicts:` in a variant says that they do not go together",
                        [Related(f"'{other.name}' does so here", option_span(other, name))],
                    )


def option_span(variant: Variant, name: str) -> Span:
    """The place where a variant sets an option."""
    options = variant.tree.entries["options"].value
    return options.entries[name].key.span if isinstance(options, Mapping) else variant.span
