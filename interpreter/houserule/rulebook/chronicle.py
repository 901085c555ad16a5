"""Tells what happens in sentences, with the words and forms of the phrase books; also in worked examples, from scenarios."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby, zip_longest
from typing import assert_never

from houserule import Event, Match
from houserule import examples as examples_of
from houserule.language.checked import Family, Variable, Zone
from houserule.language.scope import Meanings
from houserule.language.types import Bool, Int, Member, Piece, Type, none_of
from houserule.language.types import plain as plain_type
from houserule.rulebook.book import Chapter, Drawing, Section, Worked
from houserule.rulebook.page import Writer
from houserule.rulebook.phrasebook import WAYS, Words, phrasebook, plain
from houserule.rulebook.pictures import drawn_area
from houserule.rulebook.terms import Terms, said_at
from houserule.source import Yaml
from houserule.table.compose import scene
from houserule.table.scene import Region, Scene, Thing
from houserule.telling.events import Became, Drawn, Happened, Mixed, Names, Picked, Seen, Went
from houserule.telling.labels import LANGUAGES, Labels

OF_KIND = ("components", "kind")
"""How the path of a kind looks; that of a piece with a title of its own is longer."""
MOST_VALUES = 20
"""The widest range of a number that is told as a value, and not as an amount that goes up and down."""

ASIDE = re.compile(r" ?[(（][^()（）]*[)）]$")


class Chronicle:
    """The sentences of one match in its language; in one without a phrase book, events are told as they are."""

    def __init__(self, tree: Yaml, labels: Labels) -> None:
        self.labels = labels
        self.book = phrasebook(labels.language)
        self.is_spoken = labels.language in LANGUAGES
        self.program = labels.program
        self.terms = Terms(self.book, self.program, labels, tree, Meanings(), {})
        self.kept: dict[Happened, str] = {}

    def text(self, event: Event) -> str:
        """An event as a sentence."""
        if event.happened is None or not self.is_spoken:
            return event.text
        found = self.kept.get(event.happened)
        if found is None:
            found = self.kept[event.happened] = self.told(event.happened)
        return found

    def to_json(self, event: Event) -> dict[str, str]:
        return event.to_json() | {"text": self.text(event)}

    def told(self, happened: Happened) -> str:
        """What has happened."""
        match happened:
            case Went():
                return self.moved(happened)
            case Became():
                return self.changed(happened)
            case Drawn(words, is_number):
                drawn = self.pieces(words, 1) if words in self.paths else words
                return self.sentence("draw" if is_number else "lot", value=words if is_number else drawn)
            case Seen(names, slot, who):
                what = self.together([self.pieces(name, number) for name, number in names])
                if who:
                    target = self.zone(slot, is_owned=True) if slot >= 0 else None
                    if target is not None and target.forms.get("quoted"):
                        target = None  # a place that has words of its own, such as behind the screen
                    return self.sentence("shown", len(who) > 1, who=self.book.listed(who), what=what, target=target)
                return self.sentence("seen", is_many(names, what), what=what, target=self.zone(slot, is_owned=True))
            case Mixed(slot, source) if source >= 0:
                parts = {"source": self.zone(source, is_owned=True), "target": self.zone(slot, is_owned=True)}
                return self.sentence("exchange", **parts)
            case Mixed(slot):
                zone = self.program.zone_of[slot]
                return self.sentence(
                    "shuffle", self.is_plural(self.terms.family(zone)), target=self.zone(slot, is_owned=True)
                )
            case Picked(player, line):
                return self.sentence("pick" if line else "passes", player=player, line=line)
        assert_never(happened)

    def sentence(self, name: str, is_many: bool = False, /, **parts: Words | str | int | None) -> str:
        """A phrase of the log; in the plural if the language tells it."""
        many = f"{name}_many"
        return self.book.tidy(
            self.book.sentence("log", many if is_many and self.book.has("log", many) else name, **parts)
        )

    def moved(self, went: Went) -> str:
        """Who takes, puts or gets what, and where from."""
        listed, source, target, to_family = went
        names, owner_of = self.labels.names, self.program.zone_owner
        giver, taker = owner_of[source], owner_of[target]
        what = self.together([self.pieces(name, number) for name, number in listed])
        many = is_many(listed, what)
        if source == target:
            return self.sentence("inside", many, what=what, target=self.zone(target, is_owned=True))
        parts: dict[str, Words | str | int | None] = {
            "what": what,
            "source": self.zone(source),
            "target": self.zone(target, is_family=to_family),
            "owner": names[max(giver, taker) if min(giver, taker) < 0 else taker] if max(giver, taker) >= 0 else None,
            "other": names[giver] if giver >= 0 else None,
        }
        if giver == taker and (way := self.along(source, target)) is not None:
            return self.sentence("along", many, what=what, source=way[0], target=way[1])
        if giver == taker:
            return self.sentence("shift" if giver >= 0 else "go", many and giver < 0, **parts)
        return self.sentence("put" if taker < 0 else self.having("take" if giver < 0 else "get", target), **parts)

    def having(self, name: str, target: int) -> str:
        """The phrase for something that a player takes or gets; it names the place if others of this player could hold it as well."""
        owner_of, zone_of = self.program.zone_owner, self.program.zone_of
        own = (zone_of[slot] for slot, owner in enumerate(owner_of) if owner == owner_of[target] and slot != target)
        is_one = not any(could_hold(zone, zone_of[target]) for zone in own if not zone.quiet)
        return name if is_one else f"{name}_to"

    def story(self, events: Sequence[Event]) -> Iterator[str]:
        """Events as a reader wants them: moves to one place in one sentence, and without what a move shows anyway."""
        lines = [one.happened for one in events if isinstance(one.happened, Picked)]
        told: list[Event] = []
        for one, after in zip_longest(events, events[1:]):
            shows_it = after is not None and isinstance(after.happened, Went)
            match one.happened:
                case Picked() as picked if picked.line and shows_it and lines.count(picked) > 1:
                    continue
                case Became(_, slot, value) if value == none_of(self.program.variable_of[slot].type):
                    continue
            told.append(one)
        for target, some in groupby(told, self.goes_to):
            moves = list(some)
            if target is None or len(moves) == 1:
                yield from map(self.text, moves)
            else:
                yield self.gathered([one.happened for one in moves if isinstance(one.happened, Went)])

    def goes_to(self, event: Event) -> tuple[Family, int] | None:
        """The zones from which, and the zone to which something moves that lay elsewhere."""
        went = event.happened
        if not isinstance(went, Went) or went.to_family or went.source == went.target or not self.is_spoken:
            return None
        return self.program.zone_of[went.source], went.target

    def gathered(self, moves: Sequence[Went]) -> str:
        """Several moves to one zone, from one or from several of a family."""
        counts: Counter[str] = Counter()
        for one in moves:
            for name, number in one.names:
                counts[name] += number
        first, sources = moves[0], {one.source for one in moves}
        if len(sources) == 1:
            return self.moved(first._replace(names=tuple(counts.items())))
        taker = self.program.zone_owner[first.target]
        what = self.together([self.pieces(name, number) for name, number in counts.items()])
        source, target = self.zone(first.source, is_family=True), self.zone(first.target)
        if taker >= 0:
            name = self.having("take", first.target)
            return self.sentence(name, owner=self.labels.names[taker], what=what, source=source, target=target)
        return self.sentence("go", True, what=what, source=source, target=target)

    def along(self, source: int, target: int) -> tuple[str, str] | None:
        """From where to where something moves among places of one family that have names of their own, as those of a board have."""
        family = self.program.zone_of[source]
        if self.program.zone_of[target] is not family:
            return None
        types = [plain_type(parameter.type) for parameter in family.parameters[family.owned :]]
        if not types or (len(types) == 1 and isinstance(types[0], Member)):
            return None
        comma, index = self.labels.phrase("comma"), self.labels.index
        one, two = (comma.join(index(family, at)[family.owned :]) for at in (source, target))
        if (one.isdecimal() or two.isdecimal()) and not self.has_own_names(types):
            return None  # a mere number is no name of a place
        return one, two

    def has_own_names(self, types: Sequence[Type]) -> bool:
        """Whether places are pieces that are listed one by one, so that even a number is the name of one."""
        kinds = [self.program.symbols.kinds.get(type.kind or "") for type in types if isinstance(type, Piece)]
        return any(kind is not None and not kind.product for kind in kinds)

    def changed(self, became: Became) -> str:
        """The new value of a variable: how far a number goes up or down, whether a condition holds, or what it is."""
        kind, slot, value, words, before = became
        variable = self.program.variable_of[slot]
        type, owner = plain_type(variable.type), self.owner(slot)
        at = self.labels.index(variable, slot)[owner is not None :]
        path, is_number = self.terms.path_of(self.labels.definition.variables[variable.name]), isinstance(type, Int)
        if isinstance(type, Bool) and (told := self.settled(kind, variable, slot, at, owner, bool(value))):
            return told
        if kind == "roll" and owner is not None:
            return self.rolled(variable, at, owner, words)
        is_plural = self.is_plural(self.terms.family(variable))
        name = self.member_of(variable, slot, path, at, owner, is_quoted=is_plural and not is_number)
        is_plural = is_plural and is_number
        if kind == "light" or (kind == "roll" and is_number):
            return self.sentence(kind, is_plural, name=name, value=words)
        is_amount = isinstance(type, Int) and type.high - type.low > MOST_VALUES
        if is_amount and before is not None and none_of(variable.type) not in (value, before):
            return self.sentence(
                "up" if value > before else "down", is_plural, name=name, by=abs(value - before), value=words
            )
        if value == none_of(variable.type):
            return self.sentence("unset", is_plural, name=name)
        return self.sentence("is", is_plural, name=name, value=words)

    def rolled(self, variable: Variable, at: tuple[str, ...], owner: Words | str, words: str) -> str:
        """What somebody, or something such as a die, shows after a roll."""
        if "counter" in self.book.tables and not words.isdecimal():
            words = str(self.book.phrase("nouns", "quoted", noun=words))
        if not variable.owned:
            return self.sentence("roll_piece", owner=owner, value=words)
        return self.sentence("roll_own", owner=owner, index=self.labels.phrase("comma").join(at) or None, value=words)

    def settled(
        self, kind: str, variable: Variable, slot: int, at: tuple[str, ...], owner: Words | str | None, holds: bool
    ) -> str:
        """That something holds from now on, or no longer; or that this comes to light, empty if there is no clause for it."""
        is_light = kind == "light"
        flag, subject = self.terms.flag(variable.name), spoken(owner)
        type = plain_type(variable.parameters[-1].type) if variable.parameters else None
        if len(at) == 1 and isinstance(type, Member):  # such as Anna’s grey die
            subject = self.terms.member(self.program.symbols.kinds[type.kind], variable.index(slot)[-1])
            how = "definite" if owner is None else "of"
            subject = self.book.determined(how, subject, owner=owner)
        is_told = len(at) < 2 and (not at or flag.clause)
        if is_told and not is_light and (change := self.terms.change(flag, subject, holds)) is not None:
            return self.sentence("begins", clause=change)
        clause = self.terms.clause(flag, subject, not holds) if is_told else None
        if clause is not None:
            return self.sentence("light_that" if is_light else "clause", clause=clause)
        if is_light:
            return ""
        path = self.terms.path_of(self.labels.definition.variables[variable.name])
        name = self.member_of(variable, slot, path, at, None, is_quoted=True)
        return self.sentence("yes" if holds else "no", name=name, owner=owner)

    def owner(self, slot: int) -> Words | str | None:
        """The player, piece or member that a variable belongs to; None if it stands for itself."""
        variable = self.program.variable_of[slot]
        if variable.owned:
            return self.labels.index(variable, slot)[0]
        type = plain_type(variable.parameters[0].type) if variable.parameters else None
        name = type.kind if isinstance(type, Piece) else variable.of_kind
        if name is None:
            return None
        kind, number = self.program.symbols.kinds[name], variable.index(slot)[0]
        if kind.is_piece:
            return self.pieces(self.labels.pieces[number], 1)
        return self.book.determined("definite", self.terms.member(kind, number))

    def is_plural(self, noun: Words) -> bool:
        """Whether a title is in the plural: by its grammar key, or in English by its ending."""
        return noun.forms.get("gender") == "pl" or self.book.is_plural(str(noun))

    def called(
        self, noun: Words, path: tuple[str, ...], title: str, owner: Words | str | None = None, is_quoted: bool = False
    ) -> Words:
        """A title in a sentence, with its owner: in quotation marks if its forms are not known."""
        unknown = self.is_gendered and not self.is_declined(path, noun)
        if is_quoted or unknown or noun.forms.get("quoted"):
            ways = {way: noun.forms[way] for way in WAYS if noun.has(way)}
            noun = Words({**self.book.phrase("nouns", "quoted", noun=title).forms, "quoted": "yes", **ways})
        if owner is None:
            return self.book.determined("definite", noun)
        found = self.book.determined("of", noun, owner=owner)
        if noun.forms.get("quoted"):
            return found.having(quoted="yes")
        is_plain = noun.form("weak") == str(noun)  # no adjective, which would be inflected
        if isinstance(owner, str) and owner.isalpha() and is_plain and (ending := self.book.tables.get("possessive")):
            front = f"{owner}’" if owner[-1] in ending["after"] else f"{owner}{ending['else']}"
            return found.having(**{case: f"{front} {noun.form(case)}" for case in ending["cases"]})
        return found

    def together(self, nouns: list[Words]) -> Words:
        """Nouns as a list, in each case of the language; what three or more have in brackets stands once, at its end."""
        if len(nouns) == 1:
            return nouns[0]
        found = {}
        for case in self.book.cases:
            forms = [noun.form(case) for noun in nouns]
            asides = {aside[0] if (aside := ASIDE.search(form)) else "" for form in forms}
            shared = next(iter(asides)) if len(asides) == 1 and len(forms) > 2 else ""
            found[case] = self.book.listed([form.removesuffix(shared) for form in forms]) + shared
        return Words(found)

    def pieces(self, name: str, number: int) -> Words:
        """Pieces of one name: with an article if it is one, and if the name is a noun of which the gender is known."""
        path, piece = self.paths.get(name, ((), None))
        is_back = bool(path) and piece is None
        noun = self.book.noun(name, self.terms.grammar(path)) if path else plain(name)
        if piece is not None and self.is_name(piece) and "counter" not in self.book.tables:
            return plain(name if number == 1 else f"{number} × {name}")
        if piece is not None and len(path) > len(OF_KIND):
            noun = self.own_name(piece)
        of_nobody = name
        for player in self.labels.names:
            of_nobody = of_nobody.replace(player, "")
        is_word = name[:1].isalpha() and not any(map(str.isdigit, of_nobody))  # a number of its own is a name: Run 5
        if number > 1:
            return self.several(name, noun, number, is_word)
        if piece is not None and len(path) > len(OF_KIND) and "counter" in self.book.tables:
            return noun
        if not is_word or (self.is_gendered and not noun.forms.get("gender")):
            return plain(name)
        return self.book.determined("indefinite" if is_back else "definite", noun)

    def several(self, name: str, noun: Words, number: int, is_word: bool) -> Words:
        if "counter" in self.book.tables:
            return self.book.phrase("nouns", "several", count=number, noun=noun)
        plural = noun.forms.get("pl", "")
        if not is_word or not plural or (plural == str(noun) and self.book.language != "en"):
            return plain(f"{number} × {name}")
        return Words({case: f"{number} {noun.form(f'pl.{case}')}" for case in self.book.cases})

    def is_name(self, piece: int) -> bool:
        """Whether the rules say that the title of a piece is a name, which takes no article."""
        return self.terms.member(self.program.kind_of[piece], piece).forms.get("quoted") == "no"

    def own_name(self, piece: int) -> Words:
        """A piece by a title of its own: without an article, only quotation marks tell it from the words around it."""
        noun = self.terms.member(self.program.kind_of[piece], piece)
        if "counter" not in self.book.tables:
            return noun
        quoted = self.book.phrase("nouns", "quoted", noun=noun)
        return quoted.having(counter=noun.form("counter")) if noun.has("counter") else quoted

    @cached_property
    def is_gendered(self) -> bool:
        return self.book.has("nouns", "definite_f")

    @cached_property
    def paths(self) -> dict[str, tuple[tuple[str, ...], int | None]]:
        """Where the rules declare what has a name, and a piece with it; none if it is that of a back."""
        found: dict[str, tuple[tuple[str, ...], int | None]] = {}
        for piece, kind in enumerate(self.program.kind_of):
            found.setdefault(self.labels.backs[piece], (("components", kind.name), None))
        for piece, kind in enumerate(self.program.kind_of):
            own: tuple[str, ...] = ("components", kind.name, "pieces", kind.id_of(piece))
            if self.terms.at(*own, "title") is None:  # it is called after its kind
                title = self.labels.definition.kinds[kind.name].title
                own = own[:2] if title is None or not title.shows_values else own
            found[self.labels.pieces[piece]] = (own, piece)
        return found

    def is_declined(self, path: tuple[str, ...], noun: Words) -> bool:
        """Whether all forms of a title are known; a plural, or one of several words without an adjective, needs them written."""
        title, gender = str(noun), noun.forms.get("gender", "")
        is_simple = " " not in title and gender != "pl"
        return bool(gender) and (is_simple or noun.form("dat") != title or "dat" in self.terms.grammar(path))

    def zone(self, slot: int, *, is_owned: bool = False, is_family: bool = False) -> Words:
        """A zone, with its owner if wanted; or its whole family."""
        zone = self.program.zone_of[slot]
        at = () if is_family else self.labels.index(zone, slot)
        owner = at[0] if is_owned and zone.owned and at else None
        return self.member_of(zone, slot, ("zones", zone.name), at[zone.owned :], owner)

    def member_of(
        self,
        family: Family,
        slot: int,
        path: tuple[str, ...],
        at: tuple[str, ...],
        owner: Words | str | None,
        is_quoted: bool = False,
    ) -> Words:
        """One of a family, by its title, its indices and its owner: the gold chest, Anna’s basket (2)."""
        noun = self.terms.family(family)
        found = self.called(noun, path, self.labels.titled(family), owner, is_quoted)
        if not at:
            return found
        type = plain_type(family.parameters[-1].type)
        if len(at) == 1 and owner is None and isinstance(type, Member) and not found.forms.get("quoted"):
            index = self.terms.member(self.program.symbols.kinds[type.kind], family.index(slot)[-1])
            return self.book.determined("at", noun, index=index)
        shown = self.labels.phrase("at", zone="", index=self.labels.phrase("comma").join(at)).strip()
        forms = (*self.book.cases, *(way for way in WAYS if found.has(way)))
        return Words({form: f"{found.form(form)}{self.book.blank}{shown}" for form in forms})


def spoken(owner: Words | str | None) -> Words | None:
    return plain(owner) if isinstance(owner, str) else owner


def could_hold(zone: Zone, other: Zone) -> bool:
    """Whether what lies in one zone could lie in another one as well."""
    return zone.holds == other.holds or zone.holds is None or other.holds is None


def is_many(names: Names, what: Words) -> bool:
    """Whether these are several pieces, or one whose title is a plural."""
    return len(names) > 1 or names[0][1] > 1 or what.forms.get("number") == "pl"


def chronicle(match: Match) -> Chronicle:
    """The sentences of a match."""
    found: Chronicle | None = match.labels.kept.get(Chronicle)
    if found is None:
        found = match.labels.kept[Chronicle] = Chronicle(match.game.tree, match.labels)
    return found


APART = ("step", "turn", "shuffle")
"""What happens without being told in an example."""
MOST_TOLD = 24


def worked(writer: Writer) -> Iterator[tuple[str, Worked]]:
    """The examples of a game with the anchors of their rules."""
    for example in examples_of(writer.game):
        before, after = example.tables(writer.language)
        happened = [event for event in after.events[len(before.events) :] if event.kind not in APART]
        told = chronicle(after)
        lines = tuple(told.story(happened))[:MOST_TOLD]
        pictures = changed(scene(before), scene(after), after) if lines else []
        pictures = pictures or counted(scene(after), after)
        lines = lines or tuple(sheet(writer, after))
        title = said_at(example.title, writer.language) or example.name
        text = said_at(example.text, writer.language)
        yield (
            anchor_of(example.rule),
            Worked(
                writer.words("example", title=title),
                (writer.book.tidy(text),) if text else (),
                tuple(one for one, _ in pictures),
                lines,
                tuple(two for one, two in pictures if two is not one),
            ),
        )


def anchor_of(rule: str) -> str:
    """The anchor of a rule: that of a step has `steps` between its parts."""
    part, _, path = rule.partition(".")
    return f"flow.{path.replace('.steps.', '.').replace('.', '.steps.')}" if part == "flow" else rule


def changed(before: Scene, after: Scene, match: Match) -> list[tuple[Drawing, Drawing]]:
    """The areas of the table in which something is not as before, drawn at both moments."""
    found = []
    earlier = {region.id: region for region in before.regions}
    for region in after.regions:
        was, now = things_in(before, region), things_in(after, region)
        if region.id not in earlier or [look(one) for one in was] == [look(one) for one in now]:
            continue
        title = region.title if region.seat is None else f"{region.title} ({match.players[region.seat]})"
        found.append((drawn_area(region, was, title), drawn_area(region, now, title)))
    return found


def counted(after: Scene, match: Match) -> list[tuple[Drawing, Drawing]]:
    """What each player has, for an example of a score."""
    regions = [(region, things_in(after, region)) for region in after.regions if region.seat is not None]
    drawings = [
        drawn_area(region, things, f"{region.title} ({match.players[region.seat or 0]})")
        for region, things in regions
        if things
    ]
    return [(one, one) for one in drawings]


def sheet(writer: Writer, match: Match) -> Iterator[str]:
    """The score sheet, a line for each of its lines, and the sum."""
    for line in match.sheet:
        if any(line.points.values()):
            yield writer.words("sheet_line", title=line.title, points=points_of(writer, line.points))
    yield writer.words("sum_line", points=points_of(writer, match.scores))


def points_of(writer: Writer, points: Mapping[str, int]) -> str:
    comma: str = writer.book.tables["list"]["comma"]
    return comma.join(f"{name} {points}" for name, points in points.items())


def things_in(table: Scene, region: Region) -> list[Thing]:
    return [thing for thing in table.things if thing.region == region.id]


def look(thing: Thing) -> tuple[object, ...]:
    return thing.words, thing.x, thing.y, thing.count, thing.is_face_up, thing.fill, thing.icon, tuple(thing.marks)


def with_examples(writer: Writer, chapters: Iterable[Chapter]) -> Iterator[Chapter]:
    """Chapters whose sections have their examples, after what follows without a heading. What has no section of its own comes at the end."""
    waiting: dict[str, list[Worked]] = {}
    for anchor, one in worked(writer):
        waiting.setdefault(anchor, []).append(one)
    for chapter in chapters:
        sections = []
        found: list[Worked] = []
        for section, after in zip_longest(chapter.sections, chapter.sections[1:]):
            found += waiting.pop(section.anchor, [])
            goes_on = after is not None and not after.title
            sections.append(replace(section, examples=tuple(found)) if found and not goes_on else section)
            found = found if goes_on else []
        yield replace(chapter, sections=tuple(sections))
    left = [one for some in waiting.values() for one in some]
    if left:
        yield Chapter("chapter.examples", writer.words("examples"), (Section("examples", examples=tuple(left)),))
