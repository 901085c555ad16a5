"""The symbol table of a game for one number of players: every name that its rules can use, with its slot and size."""

from __future__ import annotations

from houserule.definition.attributes import add_attribute_types, add_attribute_values
from houserule.definition.clashes import check_names
from houserule.definition.constants import Draft
from houserule.definition.model import KindDefinition
from houserule.definition.options import declare_options
from houserule.definition.pieces import MOST_PIECES, add_pieces, check_ids
from houserule.definition.routines import declare_routines
from houserule.definition.tables import table
from houserule.definition.visibility import add_visibility_and_starts
from houserule.definition.zones_and_variables import declare_zones_and_variables
from houserule.language.checked import Kind


def fill_symbol_table(draft: Draft) -> bool:
    """Declare everything in order of dependence; False if there are too many pieces."""
    kinds = [(definition, declared_kind(definition)) for definition in draft.game.kinds.values()]
    draft.symbols.kinds.update((kind.name, kind) for _, kind in kinds)
    declare_options(draft)
    for definition, kind in kinds:
        add_attribute_types(draft, definition, kind)
    base = 0
    for definition, kind in sorted(kinds, key=lambda one: one[0].is_piece):
        kind.base = base if kind.is_piece else 0
        add_pieces(draft, definition, kind)
        base += len(kind.ids) if kind.is_piece else 0
        if base > MOST_PIECES:
            draft.report.error("HR551", f"there are more than {MOST_PIECES} pieces", definition.span)
            kind.ids.clear()
            return False
        # How many pieces there are may depend on printed values of the members of an enum: those come first.
        if not kind.is_piece:
            add_attribute_values(draft, definition, kind, before_pieces=True)
    check_ids(draft)
    for definition, kind in kinds:
        add_attribute_values(draft, definition, kind)
    declare_zones_and_variables(draft)
    for written in draft.game.tables.values():
        draft.symbols.tables[written.name] = table(draft, written)
    declare_routines(draft)
    add_visibility_and_starts(draft)
    check_names(draft.symbols, draft.analysis.verbs, draft.analysis.operations, draft.report)
    return True


def declared_kind(definition: KindDefinition) -> Kind:
    """An enum with its members, or a kind of piece without pieces yet."""
    kind = Kind(definition.name, definition.is_piece, definition.span, lies=definition.starts_in is not None)
    if not definition.is_piece:
        kind.ids = [member.name for member in definition.members]
        kind.spans = [member.span for member in definition.members]
    return kind
