"""The rules of a game as text: the result of each stage, what house rules change, and which files and lines made a value."""

from __future__ import annotations

import ast
import difflib
import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Settings

from houserule.compiler.program import Program
from houserule.definition.check import CheckedGame
from houserule.definition.load import Loaded, load_game
from houserule.definition.model import GameDefinition, every_step
from houserule.definition.routines import asking
from houserule.definition.variant import path_in, stem, trees_with
from houserule.diagnostics import Report, Span, did_you_mean
from houserule.language import nodes
from houserule.language.checked import Family, Parameter, Routine
from houserule.language.format import format
from houserule.language.types import NoValue
from houserule.operations import PREPOSITIONS
from houserule.source import Entry, Mapping, Scalar, Sequence, Yaml, entries_at, in_language, plain, text_at, value_at
from houserule.workshop.library import display


def tree(definition: GameDefinition) -> Iterator[str]:
    """Every effect and expression in its canonical layout, under its name."""
    for section, routines in (("function", definition.functions), ("action", definition.actions)):
        for routine in routines.values():
            parameters = ", ".join(format(parameter) for parameter in routine.parameters)
            yield from entry(f"{section} {routine.name}({parameters})", routine.body)
    for window in definition.windows.values():
        parameters = ", ".join(format(parameter) for parameter in window.parameters)
        yield from entry(f"window {window.name}({parameters})", asking(definition, window, Report()))
    for kind in definition.kinds.values():
        for name, function in kind.functions.items():
            yield from entry(f"{kind.name}.{name}", function.body)
        for member in kind.members:
            bonus = {f"bonus.{name}": body for name, body in member.bonus.items()}
            for name, body in {**member.functions, **member.effects, **bonus}.items():
                yield from entry(f"{kind.name}.{member.name}.{name}", body)
    for trigger in definition.triggers.values():
        yield from entry(f"trigger {trigger.name}: whenever {format(trigger.event)}", trigger.body)
    for step in every_step(definition.flow):
        if step.do is not None:
            yield from entry(f"step {step.path}", step.do)
    for line in definition.scoring:
        yield from entry(f"points {line.name}", line.points)


def entry(name: str, body: nodes.Node) -> Iterator[str]:
    yield f"{name}:"
    yield from (f"    {line}" for line in format(body).splitlines())
    yield ""


def checked(game: CheckedGame) -> Iterator[str]:
    """The meaning of every name: types, slots in the state, routines that need `me` or ask."""
    symbols = game.symbols
    yield f"# with {symbols.players} players"
    for kind in symbols.kinds.values():
        sort = "pieces" if kind.is_piece else "members"
        attributes = ", ".join(f"{name}: {type}" for name, type in kind.attribute_types.items())
        yield f"{kind.name}: {len(kind.ids)} {sort} from {kind.base}" + (f" ({attributes})" if attributes else "")
    for zone in symbols.zones.values():
        holds = zone.holds or "piece"
        yield f"zone {shape(zone)}: {holds}, places {zone.base} to {zone.base + zone.size - 1}" + (
            f", capacity {zone.capacity}" if zone.capacity is not None else ""
        )
    for variable in symbols.variables.values():
        last = variable.base + variable.size - 1
        yield f"variable {shape(variable)}: {variable.type}, places {variable.base} to {last}"
    for table in symbols.tables.values():
        yield f"table {table.name}[{', '.join(str(index) for index in table.indices)}]: {table.type} = {table.values}"
    for option in symbols.options.values():
        yield f"option {option.name}: {option.type} = {option.value}"
    for routine in game.routines:
        yield signature(routine)


def shape(family: Family) -> str:
    return f"{family.name}({listed(family.parameters)})" if family.parameters else family.name


def listed(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(
        f"{parameter.name}: {parameter.type}" if parameter.name else str(parameter.type) for parameter in parameters
    )


def signature(routine: Routine) -> str:
    notes = [
        note
        for note, holds in (("needs me", routine.needs_me), ("asks", routine.asks), ("calls itself", routine.recursive))
        if holds
    ]
    result = f" → {routine.result}" if routine.result is not None and not isinstance(routine.result, NoValue) else ""
    name = routine.name.removeprefix("trigger ")
    sorts = ("function", routine.is_function), ("effect", routine.this is not None), ("trigger", name != routine.name)
    sort = next((sort for sort, is_one in sorts if is_one), "action")
    return f"{sort} {name}({listed(routine.parameters)}){result}" + (f"  # {', '.join(notes)}" if notes else "")


def segments(program: Program) -> Iterator[str]:
    yield f"# with {program.symbols.players} players: state v (variables), z (zones), w (where each piece is)"
    for function in program.functions:
        yield ""
        yield f"# {program.owners.get(function.name, 'who sees what, and the score sheet')}"
        yield ast.unparse(ast.fix_missing_locations(function))


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


NOUNS = {
    "box": "thing in the box",
    "options": "option",
    "enums": "enum",
    "components": "kind",
    "zones": "zone",
    "variables": "variable",
    "tables": "table",
    "functions": "function",
    "actions": "action",
    "windows": "window",
    "triggers": "trigger",
    "flow": "step",
    "scoring": "line of the score sheet",
}
ORDERED = ("flow", "steps", "scoring", "triggers", "members")
PROSE = ("title", "text")
NOTES = ("source", "assumed", "reveals")
"""Notes about the origin of a rule are not compared."""


def differences(loaded: Loaded, settings: Settings[str, int | str]) -> list[str]:
    """What variants and settings change: a sentence for each change, followed by changed lines of effects."""
    before, after = tree_without_variants(loaded), loaded.tree
    assert before is not None
    assert after is not None
    found = list(between(before, after, ()))
    for name, value in settings.items():
        default = at(before, ("options", name, "default")) or at(after, ("options", name, "default"))
        if default is not None and isinstance(default.value, Scalar) and default.value.text != str(value):
            found.append(f"option {name}: {default.value.text} -> {value}")
    return found


def tree_without_variants(loaded: Loaded) -> Mapping | None:
    path = loaded.path
    return load_game(path, Report(), PREPOSITIONS, display(path)).tree


def at(tree: Mapping, path: tuple[str, ...]) -> Entry | None:
    """The entry at a path; signatures are found by name."""
    node: Yaml = tree
    entry: Entry | None = None
    for word in path:
        inside = entries_at(node)
        entry = inside.get(word) or next((e for key, e in inside.items() if stem(key) == stem(word)), None)
        if entry is None:
            return None
        node = entry.value
    return entry


def between(before: Mapping, after: Mapping, path: tuple[str, ...]) -> Iterator[str]:
    if path == ("translations",):
        yield from translated(before, after)
        return
    old = {stem(key): entry for key, entry in before.entries.items() if key not in NOTES}
    new = {stem(key): entry for key, entry in after.entries.items() if key not in NOTES}
    for name, entry in old.items():
        if name not in new:
            yield f"removed: {named((*path, name))}{titled(entry.value)}"
    names = list(new)
    for number, (name, entry) in enumerate(new.items()):
        here = (*path, name)
        if name not in old:
            yield from added(here, entry, names[number - 1] if number else None)
        elif old[name] is not entry:
            yield from changed(here, old[name], entry)


def places_changed(
    before: Mapping, after: Mapping, around: Entry | None = None
) -> Iterator[tuple[Entry, Entry | None, bool]]:
    """The outermost entries that have changed or gone, each with its new content; without texts and notes.

    For a new entry the content is True, at the entry around it.
    """
    old = {stem(key): entry for key, entry in before.entries.items()}
    new = {stem(key): entry for key, entry in after.entries.items()}
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if name in (*PROSE, *NOTES, "translations") or was is now:
            continue
        if was is None:
            if around is not None and now is not None:
                yield around, now, True
        elif now is not None and isinstance(was.value, Mapping) and isinstance(now.value, Mapping):
            yield from places_changed(was.value, now.value, was)
        elif now is None or plain(was.value) != plain(now.value):
            yield was, now, False


def translated(before: Mapping, after: Mapping) -> Iterator[str]:
    """Translations are counted, not listed."""
    for language, entry in after.entries.items():
        known = before.entries.get(language)
        old = plain(known.value) if known is not None else {}
        number = sum(old.get(key) != text for key, text in plain(entry.value).items())
        if number:
            yield f"translations: {number} sentence{'' if number == 1 else 's'} in {language}"


def added(path: tuple[str, ...], entry: Entry, behind: str | None) -> Iterator[str]:
    """A new entry, its position if order matters, and its content."""
    place = ""
    if len(path) > 1 and path[-2] in ORDERED:
        place = f", after {behind}" if behind else ", at the beginning"
    value = entry.value
    if len(path) == 1 and isinstance(value, Mapping):
        for key, inner in value.entries.items():
            yield from added((*path, stem(key)), inner, None)
        return
    yield f"added: {named(path)}{titled(value)}{copies(value)}{place} ({where(entry.key.span)})"
    yield from (f"  + {line}" for line in as_lines(entry.key, without_prose(value), ""))


def changed(path: tuple[str, ...], old: Entry, new: Entry) -> Iterator[str]:
    before, after = old.value, new.value
    if path[-1] not in PROSE and isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from between(before, after, path)
        return
    if plain(before) == plain(after):
        return
    place = f" ({where(new.value.span)})"
    if isinstance(before, Sequence) and isinstance(after, Sequence) and (listed := changed_list(path, before, after)):
        yield listed
        return
    short_before, short_after = short(before), short(after)
    if short_before is not None and short_after is not None:
        yield f"changed: {named(path)}: {short_before} -> {short_after}{place}"
        return
    yield f"rewritten: {named(path)}{place}"
    for line in difflib.ndiff(lines_of(before), lines_of(after)):
        if line[0] in "+- ":
            yield f"  {line.rstrip()}"


def changed_list(path: tuple[str, ...], before: Sequence, after: Sequence) -> str | None:
    """What a list has gained at its end, or lost and kept the rest; None if it has changed in another way."""
    old, new = plain(before), plain(after)
    gone = [item for item in old if item not in new]
    come = [item for item in new if item not in old]
    if come and old == new[: len(old)]:
        last = before.items[-1] if before.items and path[0] == "enums" else None
        behind = f", after {last.text}" if isinstance(last, Scalar) else ""
        return f"added: {', '.join(map(str, come))} to {named(path)}{behind} ({where(after.items[len(old)].span)})"
    if gone and [item for item in old if item in new] == new:
        return f"removed: {', '.join(map(str, gone))} from {named(path)}"
    return None


def short(value: Yaml) -> str | None:
    """A value short enough for a sentence, or None."""
    text = value.text.strip() if isinstance(value, Scalar) else in_line(value)
    return text if text is not None and "\n" not in text and len(text) <= 50 else None


def lines_of(value: Yaml) -> list[str]:
    """The lines of an effect, or of any other value as it would be written."""
    if isinstance(value, Scalar):
        return value.text.rstrip().split("\n")
    if isinstance(value, Sequence):
        return [str(item) for item in plain(value)]
    return [line for entry in value.entries.values() for line in as_lines(entry.key, entry.value, "")]


def without_prose(value: Yaml) -> Yaml:
    """A new value without what the sentence says already, and without notes."""
    if not isinstance(value, Mapping):
        return value
    return Mapping({key: entry for key, entry in value.entries.items() if key not in (*PROSE, *NOTES)}, value.span)


def named(path: tuple[str, ...]) -> str:
    """The name of a place: a mushroom truffle, the step day.morning, the table price[wood]."""
    section, *rest = path
    noun = NOUNS.get(section, section)
    if section in ("components", "enums") and len(rest) >= 3 and rest[1] in ("pieces", "members"):
        return f"{rest[0]} {'.'.join(rest[2:])}"
    if section == "flow":
        return f"{noun} {'.'.join(word for word in rest if word != 'steps')}"
    return f"{noun} {'.'.join(rest)}" if rest else section


def titled(value: Yaml) -> str:
    """The title of an entry, in quotes."""
    title = in_language(value_at(value, "title"), "en")
    return f' "{title.text.strip()}"' if title is not None else ""


def copies(value: Yaml) -> str:
    """The number of copies of a new piece, if the file gives it."""
    count = text_at(value, "count")
    return f", {count} of them" if count else ""


def where(span: Span) -> str:
    return f"{span.file}:{span.line}"


MOST_NAMED = 20


class UnknownPlace(LookupError):
    """There is nothing at that path in the game or its variants; `suggestion` is the probable path."""

    def __init__(self, path: str, suggestion: str | None) -> None:
        self.suggestion = suggestion
        super().__init__(f"there is nothing at '{path}'")


def origin(loaded: Loaded, settings: Settings[str, int | str], path: str) -> list[str]:
    """The files and lines that made the value at a dotted path: first the game's own, then each variant's.

    Raises UnknownPlace.
    """
    tree = tree_without_variants(loaded)
    assert tree is not None
    assert loaded.definition is not None
    words = path_in(tree, path)
    if at(tree, words) is None and loaded.tree is not None:
        words = path_in(loaded.tree, path)
    entry = at(tree, words)
    found = [] if entry is None else [told(loaded.definition.name, "says", entry)]
    for variant, with_variant in trees_with(tree, loaded.variants, Report()):
        tree, now = with_variant, at(with_variant, words)
        if now is None and entry is not None:
            found.append(f"{variant.name} removes it ({removal(variant.tree, words)})")
        elif now is not None and (entry is None or plain(now.value) != plain(entry.value)):
            found += changes(variant.name, str(variant.tree.span.file), now, is_new=entry is None)
        entry = now
    found += set_by(loaded, settings, words)
    if not found:
        raise UnknownPlace(path, nearby(tree, words))
    return found


def told(who: str, does: str, entry: Entry) -> str:
    """A sentence that says which file sets what, and where; for a long value of a variant, the place is that of the value."""
    value = short(entry.value)
    said = f": {value}" if value is not None else " this"
    key, stands = entry.key.span, entry.value.span
    return f"{who} {does}{said} ({where(key if value is None and key.file == stands.file else stands)})"


def changes(variant: str, file: str, entry: Entry, is_new: bool) -> Iterator[str]:
    """How a variant changes an entry: as a whole, or part by part."""
    if is_new or entry.value.span.file == file or entry.key.span.file == file or isinstance(entry.value, Scalar):
        yield told(variant, "adds" if is_new else "changes it to", entry)
        return
    inside = list(from_file(entry.value, file, ()))
    for path, place in inside:
        yield f"{variant} changes {path} in it ({where(place)})"
    if not inside:
        yield f"{variant} takes something out of it ({file})"


def from_file(node: Yaml, file: str, path: tuple[str, ...]) -> Iterator[tuple[str, Span]]:
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            here = (*path, stem(key))
            if entry.key.span.file == file or entry.value.span.file == file:
                yield ".".join(here), entry.key.span if entry.key.span.file == file else entry.value.span
            else:
                yield from from_file(entry.value, file, here)
    elif isinstance(node, Sequence):
        for item in node.items:
            if item.span.file == file:
                yield short(item) or ".".join(path), item.span
            else:
                yield from from_file(item, file, path)


def removal(variant: Mapping, path: tuple[str, ...]) -> str:
    listed, wanted = value_at(variant, "remove"), stems(".".join(path))
    for item in listed.items if isinstance(listed, Sequence) else ():
        words = stems(item.text) if isinstance(item, Scalar) else []
        if words and words == wanted[: len(words)]:
            return where(item.span)
    return where(variant.span)


def stems(path: str) -> list[str]:
    return [stem(word.strip()) for word in path.split(".")]


def set_by(loaded: Loaded, settings: Settings[str, int | str], path: tuple[str, ...]) -> Iterator[str]:
    """Who sets an option: a variant, with the place, or the caller."""
    if path[0] != "options" or len(path) < 2 or path[1] not in settings:
        return
    value = str(settings[path[1]])
    for variant in reversed(loaded.variants):
        entry = at(variant.tree, ("options", path[1]))
        if entry is not None and isinstance(entry.value, Scalar) and entry.value.text.strip() == value:
            yield f"{variant.name} sets it to {value} ({where(entry.value.span)})"
            return
    yield f"it is set to {value} for these matches"


def inside_of(tree: Mapping, name: str) -> str | None:
    """A suggestion for a name that lacks the key above it, such as `worth` for `tables.worth`."""
    found = [
        f"{above}.{name}"
        for above, entry in tree.entries.items()
        if any(stem(key) == name for key in entries_at(entry.value))
    ]
    return f"did you mean '{found[0]}'?" if found else None


def nearby(tree: Mapping, path: tuple[str, ...]) -> str | None:
    """A suggestion for the first word of a path that leads nowhere."""
    for length in range(1, len(path) + 1):
        if at(tree, path[:length]) is None:
            above = at(tree, path[: length - 1])
            names = [stem(key) for key in entries_at(tree if above is None else above.value)]
            more = " and more" if len(names) > MOST_NAMED else ""
            listed = f"there are {', '.join(names[:MOST_NAMED])}{more}" if names else None
            below = inside_of(tree, path[0]) if length == 1 else None
            return below or did_you_mean(path[length - 1], names) or listed
    return None
