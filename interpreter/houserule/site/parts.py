"""What a site is made of beside its games: packages of npm, each checked by its hash, and the interpreter with its libraries.

A packed file stays in the user's cache, and is checked again whenever it is used. Nothing is loaded from elsewhere when
somebody opens the site.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from houserule.bundled import PACKAGE, bundled
from houserule.extras import MissingExtra
from houserule.reading import read
from houserule.site.bytecode import DATED
from houserule.writing import cache_folder, kept_file, write_file


class NoPart(Exception):
    """A package cannot be had, or is not what it should be; the sentence says which and why."""


@dataclass(frozen=True, slots=True)
class Part:
    """A package of npm: its hash as npm packs it, and its files with their places in the site."""

    name: str
    version: str
    digest: str
    files: Mapping[str, str] = field(default_factory=dict)
    licence: str = "MIT"
    module: str = "dist/index.js"
    """The module that other modules mean by its name."""

    @property
    def archive(self) -> str:
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}.tgz"

    @property
    def is_module(self) -> bool:
        """Whether it is a module of the editor."""
        return not self.files


PYODIDE = Part(
    "pyodide",
    "314.0.7",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    {
        "pyodide.mjs": "engine/pyodide.mjs",
        "pyodide.asm.mjs": "engine/pyodide.asm.mjs.gz",
        "pyodide.asm.wasm": "engine/pyodide.asm.wasm.gz",
        "python_stdlib.zip": "engine/python_stdlib.zip.gz",
        "pyodide-lock.json": "engine/pyodide-lock.json",
    },
    "MPL-2.0",
)
EDITOR = (
    Part("@codemirror/autocomplete", "6.20.4", "40b9657b137284426bcd829cdee7dc78a748337de997a12b10b5c725f67aa0d0"),
    Part("@codemirror/commands", "6.11.1", "f477f46d8c00278e1b387baebd53bd6556fd5f3c7401ebe2a05543600fcbff0f"),
    Part("@codemirror/lang-yaml", "6.1.3", "1ca03b21045ffbc35146ab068ca5c79b78da9197bdbfaa432718786563ac0712"),
    Part("@codemirror/language", "6.13.1", "e711ec28da046f6c163e777c5466d8ac805ee9ef5f51c511e8729c6789be7f83"),
    Part("@codemirror/lint", "6.9.8", "637290fb6a6633a1a08f44c721afb75e0387d86c9b7c42d723a00a974811aae8"),
    Part("@codemirror/search", "6.7.2", "cea9bcf62e34f89f2a49bc5e37bcf6d4f32049892f5a0b1cbd0b8160094dec97"),
    Part("@codemirror/state", "6.7.6", "91d75acc955ceeaf86af9396c11cda7694fe6222aac8427fa033d89eff5ac839"),
    Part("@codemirror/streamparser", "6.0.0", "b4888c5ab40350e7a1747d765948a8fa45cfd127c479dd4cdef8097046efe14a"),
    Part("@codemirror/view", "6.43.15", "f0d5921406f841d211fa0887aabf10626c47676bfc63a4abed2a4d207e27c5ac"),
    Part("@lezer/common", "1.5.5", "ed93cee36403124f51eae638b8a032d6694914c19704de7610db7f2a9441c963"),
    Part("@lezer/highlight", "1.2.5", "e349eec1ff4382439c1e6286ae937e0203a8349c5192e2e133863391775ac7ff"),
    Part("@lezer/lr", "1.4.12", "64382ee7f144221e4c655f2034393c6be9cecaf5ea2ec1c1edeb99424defb272"),
    Part("@lezer/yaml", "1.0.4", "6423ff4510ce7e573b5666b0025be6516709e6285ee07d781dffc3218093b009"),
    Part(
        "@marijn/find-cluster-break",
        "1.0.4",
        "5d12b770b64d46632c84fcd18e1d4c09f195ed0f5dbc71f94a41f0af333eaeae",
        module="src/index.js",
    ),
    Part(
        "crelt", "1.0.7", "3542299c0278fdc26aceb2b13d31bffbcb89d7367706bbc457130e3fd103c03e", module="index.js"
    ),
    Part(
        "style-mod",
        "4.1.5",
        "c4a44844213a141da55c51a2f81d701acdb9944465328b4a2a6b9626c6d9fc39",
        module="src/style-mod.js",
    ),
    Part(
        "w3c-keyname", "2.2.8", "05d21484026d1f2dd842c843181e391e66d60f1d5dff292d562c3f40302dab36", module="index.js"
    ),
)  # fmt: skip
"""The modules of CodeMirror."""
PARTS = (PYODIDE, *EDITOR)
LONGEST_FETCH = 300


def packed(part: Part, folder: Path | None = None) -> bytes:
    """The archive of a package: from a folder, from the cache, or from npm. Raises NoPart."""
    kept = cache_folder() if folder is None else folder
    if kept is not None and (kept / part.archive).is_file():
        with suppress(OSError):
            content = read(kept / part.archive, "library")
            if hashlib.sha256(content).hexdigest() == part.digest:
                return content
    if folder is not None:
        raise NoPart(f"'{folder / part.archive}' is not {part.name} {part.version} as npm packs it")
    content = fetched(part)
    if hashlib.sha256(content).hexdigest() != part.digest:
        raise NoPart(f"what npm has fetched is not {part.name} {part.version} as it was when it was chosen")
    if kept is not None:
        with suppress(OSError):
            write_file(kept / part.archive, content)
    return content


def fetched(part: Part) -> bytes:
    """What `npm pack` makes of a package. Raises NoPart."""
    npm = shutil.which("npm")
    if npm is None:
        raise NoPart("npm, which fetches Pyodide and the editor, is not installed")
    with tempfile.TemporaryDirectory() as place:
        file, otherwise = Path(place) / part.archive, f"npm could not fetch {part.name} {part.version}"
        run([npm, "pack", f"{part.name}@{part.version}", "--ignore-scripts", "--silent"], place, file, otherwise)
        return read(file, "library")


def run(command: list[str], place: str, made: Path, otherwise: str) -> None:
    """Run a program in a folder, which makes a file there. Raises NoPart with what happened otherwise, and why."""
    try:
        done = subprocess.run(command, cwd=place, capture_output=True, check=False, timeout=LONGEST_FETCH)
    except (OSError, subprocess.TimeoutExpired) as wrong:
        raise NoPart(f"{otherwise}: {wrong}") from wrong
    if done.returncode or not made.is_file():
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoPart(f"{otherwise}: {said[-1][:300] if said else 'it says nothing'}")


def files_of(part: Part, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of a package with their places in the site."""
    wanted = dict(part.files) or {part.module: place_of(part)}
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for name, target in wanted.items():
            found = content_in(archive, name)
            if name == "pyodide-lock.json":
                found = json.dumps({"info": json.loads(found)["info"], "packages": {}}).encode()
            if part.is_module:
                found = with_paths(found)
            if name == "python_stdlib.zip":
                found = needed_of(found)
            yield target, found


def content_in(archive: tarfile.TarFile, name: str) -> bytes:
    member = archive.extractfile(f"package/{name}")
    assert member is not None  # the digest says so
    return member.read()


def place_of(part: Part) -> str:
    return f"editor/{part.name.removeprefix('@').replace('/', '-')}.js"


COMMENTS = re.compile(rb"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n|^[ \t]*//[^\n]*\n", re.DOTALL | re.MULTILINE)
"""Comments on lines of their own, which are a third of the editor."""
UNNEEDED = re.compile(
    "(?:_pyrepl|doctest|ensurepip|idlelib|imaplib|mailbox|multiprocessing/dummy|optparse|pdb|pickletools|poplib|profile|pstats|pydoc|pydoc_data|smtplib|"
    "sqlite3|test|tkinter|trace|turtle|turtledemo|unittest|venv|webbrowser|wsgiref|xmlrpc)[./]"
    r"|encodings/(?:cp(?!437|1252)|mac_|iso8859|koi8|kz1048|ptcp|tis|hp_roman|palmos|big5|euc|gb|hz|iso2022|johab|shift)"
)
"""Modules of Python's library that rules and pages never need."""


def needed_of(library: bytes) -> bytes:
    """Python's library without what nobody asks for in a page."""
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        names = [name for name in archive.namelist() if not UNNEEDED.match(name) and not name.endswith("/")]
        return archive_of({name: archive.read(name) for name in names}, zipfile.ZIP_STORED)


IMPORTED = re.compile(rb"""(\bfrom\s*|\bimport\s*)(['"])([@\w/.-]+)\2""")
"""Where a module imports another one by its name."""


def with_paths(module: bytes) -> bytes:
    """A module of the editor that imports the others as the files beside it, which needs no map of imports."""
    known = {part.name.encode(): Path(place_of(part)).name.encode() for part in EDITOR}

    def path(found: re.Match[bytes]) -> bytes:
        place = known.get(found[3])
        return found[0] if place is None else found[1] + found[2] + b"./" + place + found[2]

    return IMPORTED.sub(path, COMMENTS.sub(b"", module))


# --- the interpreter --------------------------------------------------------------------------------------------------

LIBRARIES = ("lark", "yaml", "segno")
"""The libraries that the interpreter needs in a browser; all of them are Python alone."""
LEFT_OUT = ("bridges", "cli", "lsp", "engine", "printing", "trial", "pytest_plugin.py", "_data", "__pycache__", "pages", "__main__.py")  # fmt: skip
NOT_IN_BROWSER = ("serve/app.py", "serve/hub.py", "serve/line.py", "serve/storage.py", "serve/limits.py", "serve/thinking.py", "site/build.py", "site/parts.py", "site/statics.py", "site/bytecode.py", "site/compile.mjs", "native/in_wasmtime.py", "native/records.py")  # fmt: skip
TRANSLATED = ("houserule/operations/", "houserule/running/", "houserule/compiler/", "houserule/native/")
"""The modules whose sources are read: native play translates them."""
ENGINE, LIBRARY = "engine/houserule.zip.gz", "engine/python_stdlib.zip.gz"
ROOT = "/lib/houserule"
"""Where the archive of the interpreter is unpacked in a page."""


def engine(parts: Path | None = None) -> dict[str, bytes]:
    """The files of the engine by their places: Pyodide and the interpreter, compiled where Node.js is, and compressed. Raises NoPart and MissingExtra."""
    pyodide = packed(PYODIDE, parts)
    files = dict(files_of(PYODIDE, pyodide)) | {ENGINE: archive_of(dict(interpreter_files()), zipfile.ZIP_STORED)}
    files |= compiled(pyodide, {ENGINE: files[ENGINE], LIBRARY: files[LIBRARY]})
    return {place: gzip.compress(one, 9, mtime=0) if place.endswith(".gz") else one for place, one in files.items()}


def compiled(pyodide: bytes, archives: Mapping[str, bytes]) -> dict[str, bytes]:
    """Archives with the bytecode of the Python in Pyodide; as they are where there is no Node.js to run it. Kept in the cache. Raises NoPart."""
    node = shutil.which("node")
    if node is None:
        return dict(archives)
    own = [read(Path(__file__).with_name(name), "own") for name in ("bytecode.py", "compile.mjs")]
    made_of = hashlib.sha256(b"".join(hashlib.sha256(one).digest() for one in (pyodide, *own, *archives.values())))
    names = {place: Path(place).stem for place in archives}
    kept = {place: kept_file(f"site-{made_of.hexdigest()[:32]}-{name}") for place, name in names.items()}
    with suppress(OSError):
        return {place: gzip.decompress(read(file, "library")) for place, file in kept.items() if file is not None}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with tarfile.open(fileobj=io.BytesIO(pyodide)) as archive:
            for name in PYODIDE.files:
                (place / name).write_bytes(content_in(archive, name))
        for name, text in zip(("bytecode.py", "compile.mjs"), own, strict=True):
            (place / name).write_bytes(text)
        jobs = []
        for at, name in names.items():
            (place / f"own-{name}").write_bytes(archives[at])
            is_own = at == ENGINE
            root, sources = (ROOT, TRANSLATED) if is_own else (f"/lib/{name}", ())
            jobs.append({"name": f"own-{name}", "root": root, "sources": sources, "docs": is_own})
        (place / "jobs.json").write_text(json.dumps(jobs), "utf-8")
        made, otherwise = place / f"own-{names[ENGINE]}", "the interpreter could not be compiled for pages"
        run([node, str(place / "compile.mjs"), folder], folder, made, otherwise)
        found = {at: (place / f"own-{name}").read_bytes() for at, name in names.items()}
    for at, file in kept.items():
        if file is not None:
            with suppress(OSError):
                write_file(file, gzip.compress(found[at], 1, mtime=0))
    return found


def interpreter_files() -> Iterator[tuple[str, bytes]]:
    for file in below(PACKAGE):
        relative = file.relative_to(PACKAGE)
        is_needed = relative.parts[0] not in LEFT_OUT and "pages" not in relative.parts
        if is_needed and relative.as_posix() not in NOT_IN_BROWSER:
            yield f"houserule/{relative.as_posix()}", read(file, "own")
    schemas = bundled("schema")
    for file in below(schemas):
        yield f"houserule/_data/schema/{file.relative_to(schemas).as_posix()}", read(file, "own")
    for name in LIBRARIES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise MissingExtra(name, "site")
        folder = Path(spec.origin).parent
        for file in below(folder):
            if file.suffix in (".py", ".lark"):
                yield f"{name}/{file.relative_to(folder).as_posix()}", read(file, "own")


def below(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def archive_of(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Files as an archive, the same for the same files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, file in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, DATED), file, method, 9)
    return content.getvalue()
