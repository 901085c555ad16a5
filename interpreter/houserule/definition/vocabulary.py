"""Makes the vocabulary of a game for one number of players: every piece, zone, variable and table with its place and size."""

from __future__ import annotations

from houserule.definition.callables import Callables
from houserule.definition.names import check_names
from houserule.definition.pieces import MOST_PIECES
from houserule.language.scope import Kind


class VocabularyBuilder(Callables):
    """Fills a vocabulary from a definition; each of the classes that this one stands on makes one part of it."""

    def build(self) -> bool:
        """Everything, in the order in which one thing needs another; whether there is everything."""
        for definition in self.game.kinds.values():
            made = Kind(definition.name, definition.is_piece, definition.span, lies=definition.starts_in is not None)
            if not definition.is_piece:
                made.ids = [member.name for member in definition.members]
                made.spans = [member.span for member in definition.members]
            self.words.kinds[definition.name] = made
        self.options()
        for definition in self.game.kinds.values():
            self.attribute_types(definition)
        base = 0
        for definition in sorted(self.game.kinds.values(), key=lambda d: d.is_piece):
            kind = self.words.kinds[definition.name]
            kind.base = base if definition.is_piece else 0
            self.expand(definition, kind)
            base += len(kind.ids) if definition.is_piece else 0
            if base > MOST_PIECES:
                self.report.error("HR551", f"there are more than {MOST_PIECES} pieces", definition.span)
                kind.ids.clear()
                return False
            # How many pieces there are may depend on what is printed on the members of an enum: those come first.
            if not definition.is_piece:
                self.attribute_values(definition, kind, early=True)
        self.check_ids()
        for definition in self.game.kinds.values():
            self.attribute_values(definition, self.words.kinds[definition.name])
        self.families()
        self.tables()
        self.callables()
        self.sights()
        check_names(self.words, self.checker.verbs, self.checker.operations, self.report)
        return True
