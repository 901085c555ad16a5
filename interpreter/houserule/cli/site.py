"""`houserule site`: a web site of games without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from houserule.bundled import bundled
from houserule.cli.report import Json, argument, fail, near_path, option, tell
from houserule.reading import entered
from houserule.writing import make_folder, write_file


def site(
    folder: Annotated[
        Path | None,
        argument("DIR", "A folder of games, or of one game; by default the bundled games.", show_default=False),
    ] = None,
    out: Annotated[Path, option("The folder that the site is written to.", "SITE", "--out", "-o")] = Path("site"),
    title: Annotated[str, option("What the site is called.", "TITLE")] = "Houserule",
    parts: Annotated[
        Path | None, option("Take the packages of npm from this folder, as `npm pack` makes them.", "FOLDER")
    ] = None,
    json: Json = False,
) -> None:
    """Write a web site that needs no server: rulebooks, tables with bots, and a playground to change the rules in.

    It works from any path of any host of files, and without a network after the first visit. Pyodide and the editor are
    fetched with npm once, and checked by their hashes.

    pip install 'houserule[site]'
    houserule site games --out public
    """
    import json as writer

    from houserule import InvalidGame
    from houserule.cli.report import complain
    from houserule.shelf import NotOffered
    from houserule.site.build import LARGEST_SITE, NoSite, largest, site_of, write
    from houserule.site.parts import NoPart

    place = entered(folder) if folder is not None else bundled("games")
    if not place.is_dir():
        fail(f"there is no folder '{folder}'", "name a folder with games in it")
    quiet = json
    try:
        made = site_of(place, title, parts, lambda said: None if quiet else tell(f"  {said}"))
        removed = clear(out, set(made.files))
        for _ in write(made, out):
            pass
    except InvalidGame as wrong:
        complain(wrong.diagnostics)
        raise SystemExit(1) from None
    except (NoSite, NoPart, NotOffered) as wrong:
        fail(str(wrong))
    except OSError as wrong:
        fail(f"'{wrong.filename or out}' could not be read or written: {wrong.strerror or wrong}")
    if json:
        tell(
            writer.dumps({"out": str(out), "files": len(made.files), "bytes": made.size, "parts": dict(largest(made))})
        )
        return
    tell(
        f"Wrote {len(made.files)} files to {near_path(str(out))}, {made.size / 1e6:.1f} MB"
        + (f"; {removed} old ones are gone" if removed else "")
    )
    for name, size in largest(made)[:6]:
        tell(f"  {size / 1e6:6.2f} MB  {name}")
    if made.size > LARGEST_SITE:
        tell(f"It is larger than {LARGEST_SITE / 1e6:.0f} MB: browsers may not keep it for when there is no network.")


MARK = ".houserule-site"


def clear(out: Path, wanted: set[str]) -> int:
    """Remove the files of an older site from a folder, which only this command has written to; exits with a sentence for another folder."""
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        fail(f"'{out}' is not empty, and is no site of this command", "name a new folder")
    removed = 0
    for file in sorted(out.rglob("*"), reverse=True) if (out / MARK).is_file() else ():
        if file.is_dir() and not file.is_symlink():
            if not any(file.iterdir()):
                file.rmdir()
        elif file.name != MARK and file.relative_to(out).as_posix() not in wanted:
            file.unlink()
            removed += 1
    make_folder(out)
    write_file(out / MARK, "Written by `houserule site`; what else is put here is removed when it runs again.\n")
    return removed
