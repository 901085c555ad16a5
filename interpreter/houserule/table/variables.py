"""The visible variables of a scene, in the look of the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.language.checked import Variable
from houserule.language.types import Bool, Int, Piece, none_of, plain
from houserule.table.looks import changes
from houserule.table.scene import Value
from houserule.telling.view import shown_with_pieces

if TYPE_CHECKING:
    from houserule.table.eyes import Eyes
    from houserule.table.looks import Looks
    from houserule.telling.following import Following


def show_variables(looks: Looks, eyes: Eyes, following: Following, begun: int) -> list[Value]:
    """All variables that the viewer sees, except those of pieces, which are shown with them."""
    found = []
    for variable in looks.program.symbols.variables.values():
        if looks.layout.variables[variable.name].show == "none" or shown_with_pieces(looks.program, variable):
            continue
        for slot in range(variable.base, variable.base + variable.size):
            if eyes.reads(slot):
                found.append(shown(looks, eyes, variable, slot, following.set.get(slot, -1) > begun))
    return found


def shown(looks: Looks, eyes: Eyes, variable: Variable, slot: int, is_changed: bool) -> Value:
    """One variable, reused if its look depends only on its value."""
    said = looks.layout.variables[variable.name]
    if isinstance(plain(variable.type), Piece) or changes(said.fill) or changes(said.symbol):
        return show(looks, eyes, variable, slot, is_changed)
    key = slot, eyes.state.v[slot], is_changed
    found = looks.values.get(key)
    if found is None:
        found = looks.values[key] = show(looks, eyes, variable, slot, is_changed)
    return found


def show(looks: Looks, eyes: Eyes, variable: Variable, slot: int, is_changed: bool) -> Value:
    labels, value = looks.labels, eyes.state.v[slot]
    said = looks.layout.variables[variable.name]
    index = variable.index(slot)
    seat = index[0] if variable.owned else None
    title = labels.definition.variables[variable.name].title
    look = looks.of_value(variable.type, value) if not isinstance(plain(variable.type), Int | Bool) else None
    names = {f"index_{position}": one for position, one in enumerate(index)}
    fill = looks.of(said.fill, eyes, names)
    symbol = looks.of(said.symbol, eyes, names)
    has_number = isinstance(plain(variable.type), Int | Bool) and value != none_of(variable.type)
    return Value(
        ":".join([f"={variable.name}", *map(str, index)]),
        labels.family(variable, slot, title, owned=False),
        seat,
        said.show,
        labels.value(variable.type, value, eyes.sees),
        value if has_number else None,
        said.low,
        said.high,
        fill.fill if fill is not None else look.fill if look is not None else None,
        ((symbol.symbol if symbol is not None else None) or (look.symbol if look is not None else None)) or "",
        value == looks.program.variables[slot],
        is_changed,
    )
