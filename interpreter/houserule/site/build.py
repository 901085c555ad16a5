"""`houserule site`: a static site from a folder of games, which works from any path of any host, and without a network after the first visit."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import houserule
from houserule import Game, InvalidGame
from houserule.reading import files_below, is_inside, own, read
from houserule.rulebook import LANGUAGES, html
from houserule.serve.catalogue import cover, described, offered
from houserule.serve.protocol import written
from houserule.shelf import MANIFEST, Offer, found_in, index_of, offers_in, unpacked
from houserule.site.manual import Manual
from houserule.site.parts import EDITOR, PARTS, archive_of, engine, files_of, packed
from houserule.site.statics import (
    Shown,
    first_page,
    game_page,
    page,
    play_page,
    playground,
    room_page,
    shelf_page,
    shown,
    spoken,
    suffix,
)
from houserule.writing import in_utf8, is_well_formed, make_folder, write_file

OWN = Path(__file__).parent / "pages"
SHARED = Path(__file__).parent.parent / "serve" / "pages"
ROOMS = ("lobby", "room", "replay", "rules")
"""The pages that a server has as well."""
DEEPEST = 3
LARGEST_SITE = 15_000_000
OF_GAMES = (".yaml", ".yml", ".json", ".txt", ".md")
MOST_SENTENCES = 220
"""The most characters of a text that the search shows."""
SCRIPT = re.compile(r"<\s*script|\Won\w+\s*=|javascript:|http-equiv(?!=\"Content-Security-Policy\")", re.IGNORECASE)
"""What runs, or leads away. What http-equiv does may be written in many ways, so that only our own policy is let pass."""
SHUT = """<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
"""
"""The beginning of a published report: whatever a stranger has written into it, nothing in it runs or is loaded."""
Said = Callable[[str], None]


class NoSite(Exception):
    """A site cannot be written; the sentence says why."""


@dataclass(slots=True)
class Site:
    """The files of a site by their paths, before they are written."""

    title: str
    files: dict[str, bytes] = field(default_factory=dict)
    found: list[list[str]] = field(default_factory=list)
    """What the search finds: title, kind, address and text."""

    def put(self, path: str, content: str | bytes) -> None:
        self.files[path] = in_utf8(content) if isinstance(content, str) else content

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


def games_in(folder: Path) -> list[Path]:
    """The folders of games in a folder, or the folder itself. A game inside another game is none of them."""
    if (folder / "game.yaml").is_file():
        return [folder]
    patterns = ["/".join(["*"] * depth) + "/game.yaml" for depth in range(1, DEEPEST + 1)]
    found = sorted(
        {file.parent for pattern in patterns for file in files_below(folder, pattern, folder) if file.is_file()}
    )
    return [one for one in found if not any(other != one and one.is_relative_to(other) for other in found)]


def site_of(folder: Path, title: str, parts: Path | None = None, said: Said = lambda _: None) -> Site:
    """The site of a folder of games. Raises NoSite, NoPart, InvalidGame and OSError."""
    site = Site(title)
    said("the interpreter")
    put_engine(site, parts)  # what is not installed, or cannot be fetched, is told before the long work
    games = []
    for place in games_in(folder):
        said(place.name)
        games.append(of_game(place))
    if not games:
        raise NoSite(f"there is no game in '{folder}'")
    names = [one.id for one in games]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise NoSite(f"there are two games called '{twice}'")
    rule_files = {one.id: files_of_game(one.game.path) for one in games}
    for one in games:
        put_game(site, one, rule_files[one.id])
    for language in LANGUAGES:
        site.put(f"index{suffix(language)}.html", first_page(games, language, title))
    site.put(
        "games.zip",
        archive_of({f"{id}/{name}": text for id, files in rule_files.items() for name, text in files.items()}),
    )
    put_shelf(site, games, folder)
    said("the manual")
    texts = {
        id: {name: text.decode("utf-8", "replace") for name, text in files.items()} for id, files in rule_files.items()
    }
    put_manual(site, Manual(texts))
    put_pages(site, games)
    site.put("search.json", written(site.found))
    put_offline(site)
    return site


def of_game(folder: Path) -> Shown:
    """A game with its house rules, each by itself. Raises InvalidGame."""
    game = houserule.load(folder)
    with_rule: dict[str, Game] = {}
    for name in game.house_rules:
        try:
            with_rule[name] = houserule.load(folder, [name])
        except InvalidGame:  # it needs another one beside it
            continue
    found = shown(game, with_rule)
    found.reports = [file.name for file in reports_of(folder)]
    return found


def reports_of(folder: Path) -> list[Path]:
    """The reports of studies in the folder `reports` of a game. One that runs anything, or is not in UTF-8, is none of ours."""
    found = []
    for file in files_below(folder, "reports/*.html", folder):
        with suppress(UnicodeDecodeError):
            if is_inside(file, folder) and file.is_file() and not SCRIPT.search(read(file, "rulebook").decode("utf-8")):
                found.append(file)
    return found


def files_of_game(folder: Path) -> dict[str, bytes]:
    """The files of a game: rules, scenarios, house rules, drawings and licences."""
    listed = (file for file in files_below(folder, "**/*", folder) if file.suffix in OF_GAMES)
    found = {}
    for file in listed:
        if file.is_file() and is_inside(file, folder):
            name = file.relative_to(folder).as_posix()
            if not is_well_formed(name):
                raise NoSite(f"the name of the file '{in_utf8(name).decode()}' in '{folder.name}' is no text")
            found[name] = read(file, "rules")
    return found


def put_game(site: Site, one: Shown, files: Mapping[str, bytes]) -> None:
    """The pages of a game, its rulebooks and its archive."""
    base = f"games/{one.id}"
    site.found.append([one.title("en"), "game", f"{base}/index.html", one.text("en")[:MOST_SENTENCES]])
    for language in LANGUAGES:
        site.put(f"{base}/index{suffix(language)}.html", game_page(one, language, site.title))
        site.put(f"{base}/rules.{language}.html", lean(html(one.books[language])))
    for section in (section for chapter in one.books["en"].chapters for section in chapter.sections if section.title):
        text = " ".join([*section.paragraphs, *(line.text for line in section.lines)])[:MOST_SENTENCES]
        site.found.append([section.title, one.title("en"), f"{base}/rules.en.html#{section.anchor}", text])
    for id, title in one.game.titles_of_house_rules("en").items():
        text = " ".join(text for change in one.house_rules["en"].get(id, ()) for text in change.new)[:MOST_SENTENCES]
        site.found.append([title or id, one.title("en"), f"{base}/index.html#{id}", text])
    site.put(f"{base}/{one.id}.zip", archive_of({f"{one.id}/{name}": text for name, text in files.items()}))
    for name in one.reports:
        site.put(f"{base}/reports/{name}", SHUT.encode() + read(one.game.path / "reports" / name, "rulebook"))


PATTERN = re.compile(r'<pattern id="([^"]+)"(.*?</pattern>)', re.DOTALL)


def patterned(page: str) -> str:
    """A page that has each pattern once."""
    first: dict[str, str] = {}
    same: dict[str, str] = {}

    def kept(found: re.Match[str]) -> str:
        same[found[1]] = first.setdefault(found[2], f"p{len(first)}")
        return f'<pattern id="{same[found[1]]}"{found[2]}' if list(same.values()).count(same[found[1]]) == 1 else ""

    page = PATTERN.sub(kept, page)
    return re.sub(r"url\(#([^)]+)\)", lambda found: f"url(#{same.get(found[1], found[1])})", page)


TAG = re.compile(r"<(?:rect|circle|text|path|use|g) (?![^>]*class=)[^>]*>")
LOOK = re.compile(
    r' (fill|stroke|stroke-width|opacity|fill-opacity|stroke-opacity|text-anchor|font-family|font-size|font-weight)="([^"(]*)"'
)
"""What a drawing says of colours and letters, which a style can say once."""
UNITS = ("font-size", "stroke-width")


def classed(page: str) -> str:
    """A page whose drawings name their looks, which its style says once."""
    names: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        looks = LOOK.findall(found[0])
        if len(looks) < FEWEST_LOOKS:
            return found[0]
        style = ";".join(
            f"{name}:{value}{'px' if name in UNITS and value.replace('.', '').isdigit() else ''}"
            for name, value in looks
        )
        head, sign, rest = LOOK.sub("", found[0]).partition(" ")
        return f'{head} class="{names.setdefault(style, f"k{len(names)}")}"{sign}{rest}'

    page = TAG.sub(named, page)
    style = "".join(f".{name}{{{look}}}\n" for look, name in names.items())
    return page.replace("</style>", f"{style}</style>", 1)


def put_shelf(site: Site, games: Sequence[Shown], folder: Path) -> None:
    """What can be added by `houserule add`: an index of the games and house rules, and its page. Raises NotOffered."""
    root = next((place for place in (folder, folder.parent) if (place / MANIFEST).is_file()), None)
    said = {one.at: one for one in offers_in(read(root / MANIFEST, "offers"), MANIFEST)} if root else {}
    offers = []
    titles: dict[str, dict[str, str]] = {}
    """By place and by language."""
    for one in games:
        place = one.game.path.relative_to(root or folder).as_posix()
        about = said.get(place, Offer(one.id, place))
        at = f"games/{one.id}/{one.id}.zip"
        found = found_in(unpacked(site.files[at], at))
        offers.append(replace(about, name=one.id, at=at, title=one.title("en"), sha256=found.sha256))
        titles[at] = {language: one.title(language) for language in LANGUAGES}
        rules = {language: one.game.titles_of_house_rules(spoken(one.game, language)) for language in LANGUAGES}
        for id, title in rules["en"].items():
            file = one.game.path / "variants" / f"{id}.yaml"
            if file.is_file() and is_inside(file, one.game.path):
                at = f"games/{one.id}/rules/{id}.yaml"
                site.put(at, read(file, "rules"))
                digest = found_in({file.name: site.files[at]}).sha256
                offers.append(replace(about, name=id, at=at, title=title or id, requires=(one.id,), sha256=digest))
                titles[at] = {language: listed.get(id) or id for language, listed in rules.items()}
    site.put("shelf.json", index_of(offers))
    for language in LANGUAGES:
        listed = [replace(offer, title=titles[offer.at][language]) for offer in offers]
        site.put(f"shelf{suffix(language)}.html", shelf_page(listed, language, site.title))


FEWEST_LOOKS = 2
DRAWN = re.compile(r'<path d="([^"]+)"')
SHAPES = re.compile(r"(?:<(?:rect|circle|path|use) [^>]*/>){2,}")
"""Shapes on top of one another, as most pieces are."""
FEWEST_LETTERS = 80
"""A drawing, or shapes, of so many letters is worth being said once."""


def lean(page: str) -> str:
    """A rulebook that draws each icon and each piece once, and uses it wherever it stands."""
    page = classed(patterned(page))
    icons, page = once(page, DRAWN, "drawing", "<use href={}")
    pieces, page = once(page, SHAPES, "piece", "<use href={}/>")
    if not (icons or pieces):
        return page
    drawn = "".join(f'<path id="{id}" d="{data}"/>' for data, id in icons.items())
    drawn += "".join(f'<g id="{id}">{shapes}</g>' for shapes, id in pieces.items())
    defined = f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{drawn}</defs></svg>'
    return page.replace("<body>", f"<body>{defined}", 1)


def once(page: str, wanted: re.Pattern[str], name: str, use: str) -> tuple[dict[str, str], str]:
    """What stands several times in a page, with an id for each, and the page that uses it in place of it."""
    counted = Counter(wanted.findall(page))
    known = {
        text: f"{name}-{number}"
        for number, text in enumerate(counted)
        if counted[text] > 1 and len(text) >= FEWEST_LETTERS
    }

    def used(found: re.Match[str]) -> str:
        id = known.get(found[wanted.groups])
        return found[0] if id is None else use.format(f'"#{id}"')

    return known, wanted.sub(used, page)


def put_manual(site: Site, manual: Manual) -> None:
    """Manual, cookbook and reference as pages."""
    for name, title, body in manual.pages():
        site.put(
            f"manual/{name}.html",
            page(f"{title} · {site.title}", body, "../", "en", ("app/search.js", "app/offline.js"), "manual"),
        )
    site.found += [list(one) for one in manual.found()]
    tries = json.dumps(manual.tries, ensure_ascii=False, separators=(",", ":"))
    site.put("manual/tries.json.gz", gzip.compress(tries.encode("utf-8"), 9, mtime=0))


def put_engine(site: Site, parts: Path | None) -> None:
    """Pyodide, the editor and the interpreter. Raises NoPart."""
    licences = [
        "This site contains parts of others. They are unchanged, but import one another from where they lie, and Python's standard library,",
        "Lark, PyYAML and segno are compiled to bytecode if Node.js was there when the site was built.",
        "",
    ]
    for part in EDITOR:
        for place, content in files_of(part, packed(part, parts)):
            site.put(f"app/{place}", content)
    licences += [f"{part.name} {part.version}: {part.licence}" for part in PARTS]
    licences += ["", "Lark, PyYAML: MIT", "segno: BSD-3-Clause", "Python's standard library: PSF-2.0"]
    site.put("app/licences.txt", "\n".join(licences) + "\n")
    for place, content in engine(parts).items():
        site.put(f"app/{place}", content)


def put_pages(site: Site, games: Sequence[Shown]) -> None:
    """The pages that run: those of rooms, as a server has them, and the site's own."""
    for file in (*sorted(SHARED.iterdir()), *sorted(OWN.iterdir())):
        site.put(f"app/{file.name}", own(file))
    site.files["app/games.zip"] = site.files.pop("games.zip")
    for language in LANGUAGES:
        about = offered([described(one.game, language) for one in games])
        site.put(f"app/games.{language}.json", written(about))
    site.put("app/covers.json", written({one.id: cover(one.game) for one in games}))
    for name in ROOMS:
        site.put(f"app/{name}.html", room_page(name))
    site.put("play.html", play_page())
    site.put("playground.html", playground())
    manifest = {"name": site.title, "short_name": site.title, "start_url": "./index.html", "display": "minimal-ui"}
    icons = [{"src": "app/icon.svg", "sizes": "any", "type": "image/svg+xml"}]
    site.put("site.webmanifest", json.dumps({**manifest, "icons": icons}))
    site.put(".nojekyll", "")


def put_offline(site: Site) -> None:
    """The service worker, which keeps all files of this version of the site for when there is no network."""
    del site.files["app/keeper.js"]
    listed = sorted(name for name in site.files if not name.startswith("."))
    digest = hashlib.sha256(b"".join(hashlib.sha256(site.files[name]).digest() for name in listed)).hexdigest()[:16]
    values: dict[str, Any] = {"VERSION": digest, "FILES": listed}
    text = own(OWN / "keeper.js")
    for name, value in values.items():
        text = text.replace(f'"{name}"', json.dumps(value), 1)
    site.put("keeper.js", text)


def write(site: Site, folder: Path) -> Iterator[Path]:
    """Write the files of a site into a folder, which is made if it is missing. Raises OSError."""
    for name, content in sorted(site.files.items()):
        file = folder / name
        make_folder(file.parent)
        write_file(file, content)
        yield file


def largest(site: Site) -> Sequence[tuple[str, int]]:
    """The parts of a site by size, the largest first: its folders, and the engine by itself."""
    sizes: dict[str, int] = {}
    for name, content in site.files.items():
        top = "/".join(name.split("/")[: 2 if name.startswith("app/e") else 1])
        sizes[top] = sizes.get(top, 0) + len(content)
    return sorted(sizes.items(), key=lambda one: -one[1])
