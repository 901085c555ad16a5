"""Tells what happens in sentences, with the words and forms of the phrase books."""

from __future__ import annotations

from functools import cached_property
from weakref import WeakKeyDictionary

from houserule import Event, Match
from houserule.language.scope import Meanings
from houserule.language.types import Member
from houserule.language.types import plain as plain_type
from houserule.rulebook.phrasebook import LANGUAGES, Words, phrasebook, plain
from houserule.rulebook.terms import Terms
from houserule.source import Yaml
from houserule.telling.events import Went
from houserule.telling.labels import Labels


class Chronicle:
    """The sentences of one match in its language; in one without a phrase book, events are told as they are."""

    def __init__(self, tree: Yaml, labels: Labels) -> None:
        self.labels = labels
        self.book = phrasebook(labels.language)
        self.is_spoken = labels.language in LANGUAGES
        self.program = labels.program
        self.terms = Terms(self.book, self.program, labels, tree, Meanings(), {})
        self.kept: dict[Went, str] = {}

    def text(self, event: Event) -> str:
        """An event as a sentence."""
        if event.went is None or not self.is_spoken:
            return event.text
        found = self.kept.get(event.went)
        if found is None:
            found = self.kept[event.went] = self.moved(event.went)
        return found

    def to_json(self, event: Event) -> dict[str, str]:
        return event.to_json() | {"text": self.text(event)}

    def moved(self, went: Went) -> str:
        """Who takes, puts or gets what, and where from."""
        listed, source, target = went
        names, owner_of = self.labels.names, self.program.zone_owner
        giver, taker = owner_of[source], owner_of[target]
        parts: dict[str, Words | str | int | None] = {
            "what": self.together([self.pieces(name, number) for name, number in listed]),
            "source": self.zone(source),
            "target": self.zone(target),
            "owner": names[max(giver, taker) if min(giver, taker) < 0 else taker] if max(giver, taker) >= 0 else None,
            "other": names[giver] if giver >= 0 else None,
        }
        if giver == taker:
            many = len(listed) > 1 or listed[0][1] > 1
            name = "shift" if giver >= 0 else "go_many" if many else "go"
        else:
            name = "take" if giver < 0 else "put" if taker < 0 else "get"
        return self.book.tidy(self.book.sentence("log", name, **parts))

    def together(self, nouns: list[Words]) -> Words:
        """Nouns as a list, in each case of the language."""
        if len(nouns) == 1:
            return nouns[0]
        return Words({case: self.book.listed([noun.form(case) for noun in nouns]) for case in self.book.cases})

    def pieces(self, name: str, number: int) -> Words:
        """Pieces of one name: with an article if it is one, and if the name is a noun of which the gender is known."""
        if number > 1:
            return plain(f"{number} × {name}")
        path, is_back = self.paths.get(name, ((), False))
        noun = self.book.noun(name, self.terms.grammar(path)) if path else plain(name)
        if any(map(str.isdigit, name)) or (self.is_gendered and not noun.forms.get("gender")):
            return plain(name)
        return self.book.determined("indefinite" if is_back else "definite", noun)

    @cached_property
    def is_gendered(self) -> bool:
        return self.book.has("nouns", "definite_f")

    @cached_property
    def paths(self) -> dict[str, tuple[tuple[str, ...], bool]]:
        """Where the rules declare what has a name, and whether it is that of a back."""
        found: dict[str, tuple[tuple[str, ...], bool]] = {}
        for piece, kind in enumerate(self.program.kind_of):
            found.setdefault(self.labels.backs[piece], (("components", kind.name), True))
        for piece, kind in enumerate(self.program.kind_of):
            own: tuple[str, ...] = ("components", kind.name, "pieces", kind.id_of(piece))
            if self.terms.at(*own, "title") is None:  # it is called after its kind
                title = self.labels.definition.kinds[kind.name].title
                own = own[:2] if title is None or not title.shows_values else own
            found[self.labels.pieces[piece]] = (own, False)
        return found

    def is_declined(self, name: str, title: str, gender: str) -> bool:
        """Whether all forms of the title of a zone are known; a plural, or one of several words, needs them written."""
        is_simple = " " not in title and gender != "pl"
        return bool(gender) and (is_simple or "dat" in self.terms.grammar(("zones", name)))

    def zone(self, slot: int) -> Words:
        """A zone, without its owner."""
        zone = self.program.zone_of[slot]
        noun, at = self.terms.family(zone), zone.index(slot)[zone.owned :]
        if self.is_gendered and not self.is_declined(zone.name, str(noun), noun.forms.get("gender", "")):
            noun = self.book.phrase(
                "nouns", "quoted", noun=self.labels.prose(self.labels.definition.zones[zone.name].title, zone.name)
            )
            noun = Words({**noun.forms, "quoted": "yes"})
        definite = self.book.determined("definite", noun)
        if not at:
            return definite
        type = plain_type(zone.parameters[-1].type)
        if len(at) == 1 and isinstance(type, Member) and not noun.forms.get("quoted"):
            return self.book.determined(
                "at", noun, index=self.terms.member(self.program.symbols.kinds[type.kind], at[0])
            )
        index = self.labels.phrase("comma").join(self.labels.index(zone, slot)[zone.owned :])
        shown = self.labels.phrase("at", zone="", index=index).strip()
        blank = " " if self.book.tables["capitals"] else ""
        return Words({case: f"{definite.form(case)}{blank}{shown}" for case in self.book.cases})


_kept: WeakKeyDictionary[Labels, Chronicle] = WeakKeyDictionary()


def chronicle(match: Match) -> Chronicle:
    """The sentences of a match."""
    found = _kept.get(match.labels)
    if found is None:
        assert match.game.loaded.tree is not None  # what is played has been read
        found = _kept[match.labels] = Chronicle(match.game.loaded.tree, match.labels)
    return found
