"""Tables as written go in; their entries, by what they are looked up with, come out."""

from __future__ import annotations

from collections.abc import Mapping

from houserule.definition.model import TableValues
from houserule.definition.sights import Sights
from houserule.diagnostics import Related, Span, did_you_mean
from houserule.language import nodes
from houserule.language.scope import Table
from houserule.language.types import NUMBER, UNKNOWN, Type, Unknown, join


class LookUps(Sights):
    """Reads tables, with one index or two."""

    def tables(self) -> None:
        """Constant look-ups."""
        for definition in self.game.tables.values():
            self.words.tables[definition.name] = self.table(
                definition.name, definition.span, definition.values, definition.places
            )

    def table(self, name: str, span: Span, written: TableValues, places: Mapping[str, Span]) -> Table:
        """One table: its indices, and its entries as tuples."""
        entries, index = self.entries(name, span, written, places)
        rows = [e for e in entries if isinstance(e, tuple | dict)]
        if not rows:
            values, type = self.values(name, plain(entries))
            return Table(name, span, (index,), (0,), values, type)
        unknown = Table(name, span, (index,), (0,), (), UNKNOWN)
        if len(rows) != len(entries):
            self.report.error("HR524", f"table '{name}' mixes entries and rows", span)
            return unknown
        found = [self.entries(name, span, row) for row in rows]
        if any(isinstance(of_row, Unknown) for _, of_row in found) or not self.are_alike(name, span, found):
            return unknown
        values, type = self.values(name, [cell for cells, _ in found for cell in plain(cells)])
        size = len(found[0][0])
        cut = tuple(values[number * size : (number + 1) * size] for number in range(len(rows)))
        return Table(name, span, (index, found[0][1]), (0, 0), cut, type)

    def are_alike(self, name: str, span: Span, rows: list[tuple[list[TableValues], Type]]) -> bool:
        """Whether all rows of a table have the same index and as many entries, none of which is a row again."""
        first, index = rows[0]
        for cells, other in rows:
            place = next((cell.span for cell in plain(cells)), span)
            if len(plain(cells)) < len(cells):
                message, help = f"the rows of table '{name}' have rows in them", "a table has one index or two"
            elif other != index:
                message = f"the rows of table '{name}' must be alike: the index of one is {index}, of another {other}"
                help = "a table for each"
            elif len(cells) != len(first):
                message = f"the rows of table '{name}' must be of one length: {len(first)} and {len(cells)} entries"
                help = "as many entries in each row"
            else:
                continue
            self.report.error("HR524", message, place, help)
            return False
        return True

    def entries(
        self, name: str, span: Span, written: TableValues, places: Mapping[str, Span] | None = None
    ) -> tuple[list[TableValues], Type]:
        """The entries of one level, in the order of the index, and the type of the index."""
        if isinstance(written, tuple):
            return list(written), NUMBER
        if isinstance(written, dict):
            homes = [k for k in self.words.kinds.values() if not k.is_piece and all(word in k.ids for word in written)]
            homes = [k for k in homes if len(k.ids) == len(written)] or homes
            if not homes:
                near = max(
                    (k for k in self.words.kinds.values() if not k.is_piece),
                    key=lambda k: sum(w in k.ids for w in written),
                    default=None,
                )
                stranger = next((w for w in written if near is None or w not in near.ids), "")
                self.report.error(
                    "HR524",
                    f"table '{name}' has an entry for '{stranger}', which is no member of {f'{near.name!r}' if near else 'any enum'}",
                    (places or {}).get(stranger, span),
                    did_you_mean(stranger, near.ids) if near else None,
                )
                return [], UNKNOWN
            enum = homes[0]
            enum.uses += 1
            missing = [id for id in enum.ids if id not in written]
            if missing:
                self.report.error(
                    "HR524",
                    f"table '{name}' has no entry for '{missing[0]}'",
                    span,
                    f"{missing[0]}: …",
                    [Related(f"members of '{enum.name}'", enum.span)],
                )
                return [], UNKNOWN
            return [written[id] for id in enum.ids], enum.type
        self.report.error("HR524", f"table '{name}' is a list or a map from every member", span, "[0, 1, 3, 6]")
        return [], UNKNOWN

    def values(self, name: str, cells: list[nodes.Expression]) -> tuple[tuple[int, ...], Type]:
        """The values of entries and their type; none where they are not alike."""
        type: Type = UNKNOWN
        for cell in cells:
            self.checker.scopes.append({})
            expression = self.checker.expr(cell)
            self.checker.scopes.pop()
            joined = join(type, expression.type)
            if joined is None:
                self.report.error(
                    "HR510", f"the entries of table '{name}' must be alike: {type} and {expression.type}", cell.span
                )
                return (), UNKNOWN
            type = joined
        found = [self.constant(cell, type, f"an entry of table '{name}'") for cell in cells]
        return tuple(value if isinstance(value, int) else 0 for value in found), type


def plain(entries: list[TableValues]) -> list[nodes.Expression]:
    """Those of some entries that are not rows."""
    return [entry for entry in entries if not isinstance(entry, tuple | dict)]
