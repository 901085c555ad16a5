"""Tables: constant look-up tables with one or two indices."""

from __future__ import annotations

from houserule.definition.constants import Draft, constant
from houserule.definition.model import TableDefinition, TableValues
from houserule.diagnostics import Related, Span
from houserule.language import nodes
from houserule.language.checked import Kind, Table
from houserule.language.typecheck import expr
from houserule.language.types import NUMBER, UNKNOWN, Type, Unknown, join


def table(draft: Draft, definition: TableDefinition) -> Table:
    """A table with its indices and entries; without entries, after a diagnostic."""
    name, span = definition.name, definition.span
    entries, index = level(draft, definition, definition.values)
    rows = [e for e in entries if isinstance(e, tuple | dict)]
    if not rows:
        values, type = cell_values(draft, name, cells(entries))
        return Table(name, span, (index,), (0,), values, type)
    unknown = Table(name, span, (index,), (0,), (), UNKNOWN)
    if len(rows) != len(entries):
        draft.report.error("HR524", f"table '{name}' mixes entries and rows", odd_one(entries, span))
        return unknown
    if are_single(definition.values):
        message = f"table '{name}' is a list of maps with one entry each; its entries are keys of one map"
        keys = ", ".join(f"{word}: …" for row in rows if isinstance(row, dict) for word in row)
        draft.report.error("HR524", message, span, f"{name}: {{{keys}}}")
        return unknown
    found = [level(draft, definition, row) for row in rows]
    if any(isinstance(of_row, Unknown) for _, of_row in found) or not are_alike(draft, name, span, found):
        return unknown
    values, type = cell_values(draft, name, [cell for row, _ in found for cell in cells(row)])
    size = len(found[0][0])
    cut = tuple(values[number * size : (number + 1) * size] for number in range(len(rows)))
    return Table(name, span, (index, found[0][1]), (0, 0), cut, type)


def odd_one(entries: list[TableValues], span: Span) -> Span:
    """The place of the first entry among rows, or the first row among entries, whichever are fewer."""
    single = cells(entries)
    in_rows = [cell for row in entries if isinstance(row, tuple) for cell in cells(list(row))]
    return next((cell.span for cell in (single if 2 * len(single) < len(entries) else in_rows)), span)


def are_single(written: TableValues) -> bool:
    """Whether what should be one map is a list of maps with one entry each, all different."""
    if not isinstance(written, tuple) or len(written) < 2:
        return False
    words = [word for row in written if isinstance(row, dict) and len(row) == 1 for word in row]
    return len(set(words)) == len(written)


def cells(entries: list[TableValues]) -> list[nodes.Expression]:
    """The entries that are values, not rows."""
    return [entry for entry in entries if not isinstance(entry, tuple | dict)]


def are_alike(draft: Draft, name: str, span: Span, rows: list[tuple[list[TableValues], Type]]) -> bool:
    """Whether all rows of a table have the same index and length, and no row as an entry; reports it if not."""
    first, index = rows[0]
    for row, other in rows:
        place = next((cell.span for cell in cells(row)), span)
        if len(cells(row)) < len(row):
            message, help = f"the rows of table '{name}' have rows in them", "a table has one index or two"
        elif other != index:
            message = f"the rows of table '{name}' must be alike: the index of one is {index}, of another {other}"
            help = "a table for each"
        elif len(row) != len(first):
            message = f"the rows of table '{name}' must be of one length: {len(first)} and {len(row)} entries"
            help = "as many entries in each row"
        else:
            continue
        draft.report.error("HR524", message, place, help)
        return False
    return True


def level(draft: Draft, definition: TableDefinition, written: TableValues) -> tuple[list[TableValues], Type]:
    """The entries of a table or a row in the order of the index, and the type of the index."""
    name, span = definition.name, definition.span
    if isinstance(written, tuple):
        return list(written), NUMBER
    if not isinstance(written, dict):
        message = f"table '{name}' is a list or a map from every member"
        draft.report.error("HR524", message, span, "[0, 1, 3, 6]")
        return [], UNKNOWN
    enums = [kind for kind in draft.symbols.kinds.values() if not kind.is_piece]
    homes = [enum for enum in enums if all(word in enum.ids for word in written)]
    if not homes:
        report_stranger(draft, definition, written, enums)
        return [], UNKNOWN
    enum = next((enum for enum in homes if len(enum.ids) == len(written)), homes[0])
    enum.uses += 1
    missing = next((id for id in enum.ids if id not in written), None)
    if missing is not None:
        message, related = (
            f"table '{name}' has no entry for '{missing}'",
            [Related(f"members of '{enum.name}'", enum.span)],
        )
        draft.report.error("HR524", message, span, f"{missing}: …", related)
        return [], UNKNOWN
    return [written[id] for id in enum.ids], enum.type


def report_stranger(
    draft: Draft, definition: TableDefinition, written: dict[str, TableValues], enums: list[Kind]
) -> None:
    """Report an entry for a word that is no member of the enum that was probably meant."""
    near = max(enums, key=lambda enum: sum(word in enum.ids for word in written), default=None)
    stranger = next((word for word in written if near is None or word not in near.ids), "")
    of = f"{near.name!r}" if near else "any enum"
    message = f"table '{definition.name}' has an entry for '{stranger}', which is not a member of {of}"
    place = definition.places.get(stranger, definition.span)
    known = [*(near.ids if near else ()), *([] if near and set(near.ids) & set(written) else ["values"])]
    draft.report.error("HR524", message, place, draft.report.did_you_mean(stranger, known))


def cell_values(draft: Draft, name: str, written: list[nodes.Expression]) -> tuple[tuple[int, ...], Type]:
    """The values of entries and their type; no values, after a diagnostic, if their types differ."""
    type: Type = UNKNOWN
    for cell in written:
        expression = expr(draft.analysis.context(), cell)
        joined = join(type, expression.type)
        if joined is None:
            message = f"the entries of table '{name}' must be alike: {type} and {expression.type}"
            draft.report.error("HR510", message, cell.span)
            return (), UNKNOWN
        type = joined
    found = [constant(draft, cell, type, f"an entry of table '{name}'") for cell in written]
    return tuple(value if isinstance(value, int) else 0 for value in found), type
