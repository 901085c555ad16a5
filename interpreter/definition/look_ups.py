"""Tables as written go in; their entries, by what they are looked up with, come out."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.definition.model import TableValues
from interpreter.definition.sights import Sights
from interpreter.diagnostics import Related, Span, did_you_mean
from interpreter.language.scope import Table
from interpreter.language.types import NUMBER, UNKNOWN, Type, join


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
        nested = [e for e in entries if isinstance(e, tuple | dict)]
        if nested and len(nested) != len(entries):
            self.report.error("HR524", f"table '{name}' mixes entries and rows", span)
            return Table(name, span, (index,), (0,), (), UNKNOWN)
        if nested:
            rows: list[tuple[int, ...]] = []
            row_index: Type = UNKNOWN
            kinds: Type = UNKNOWN
            for row in nested:
                cells, row_index = self.entries(name, span, row)
                values, kinds = self.row(name, cells)
                rows.append(values)
            return Table(name, span, (index, row_index), (0, 0), tuple(rows), kinds)
        values, type = self.row(name, entries)
        return Table(name, span, (index,), (0,), values, type)

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

    def row(self, name: str, cells: list[TableValues]) -> tuple[tuple[int, ...], Type]:
        """The values of one row and their type."""
        values: list[int] = []
        type: Type = UNKNOWN
        for cell in cells:
            if isinstance(cell, tuple | dict):
                continue
            self.checker.scopes.append({})
            expression = self.checker.expr(cell)
            self.checker.scopes.pop()
            joined = join(type, expression.type)
            if joined is None:
                self.report.error(
                    "HR510", f"the entries of table '{name}' must be alike: {type} and {expression.type}", cell.span
                )
                continue
            type = joined
        for cell in cells:
            if not isinstance(cell, tuple | dict):
                value = self.constant(cell, type, f"an entry of table '{name}'")
                values.append(value if isinstance(value, int) else 0)
        return tuple(values), type
