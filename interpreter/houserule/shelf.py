"""What repositories offer, and what was taken from them: `houserule.yaml`, `houserule.lock` and indexes.

What is added is a file of a stranger: it is checked where it cannot do harm before it is copied, and its hash is kept.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.error import URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import Request, urlopen

import yaml

from houserule.reading import MOST_BYTES, files_below, is_file, is_id, is_inside, read

MANIFEST, LOCK = "houserule.yaml", "houserule.lock"
FORMAT = 1
KINDS = (".yaml", ".yml", ".json", ".txt", ".md")
MOST_FILES = 2_000
MOST_UNPACKED = 32 * 1024 * 1024
MOST_OFFERS = 200
LONGEST_TEXT = 300
PATIENCE = 30
ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")
PART = re.compile(r"(?!\.)[\w][\w .()+-]{0,119}")
"""A name in an archive: nothing hidden, and no way out."""

REMOTE = re.compile(r"git@(?!-)[\w.-]+:(?!-)|ssh://(?!-)|file:///")
"""How the address of a repository begins; one that begins with https may be a file as well."""
REF = re.compile(r"(?!.*\.\.)\w[\w./+-]{0,119}")
SETTINGS = (
    "core.hooksPath=", "core.fsmonitor=false", "core.symlinks=false", "credential.helper=", "fetch.unpackLimit=1", "fetch.recurseSubmodules=false",
    "protocol.allow=never", "protocol.https.allow=always", "protocol.ssh.allow=always", "protocol.file.allow=always", "http.followRedirects=initial",
)  # fmt: skip
"""What git may not do with the repository of a stranger."""
LONGEST_CLONE = 120
"""The seconds that a repository or a file may take to be fetched."""

Files = dict[str, bytes]


class NotOffered(Exception):
    """Something cannot be added; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A game or a house rule that a repository offers. `at` is its place: a path inside it, or an address."""

    name: str
    at: str
    title: str = ""
    author: str = ""
    licence: str = ""
    edition: str = ""
    requires: tuple[str, ...] = ()
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A game or a house rule as files, before it is copied: `kind` is `game` or `variant`."""

    name: str
    kind: str
    files: Files
    of: str = ""
    """The game that a house rule is for."""
    offer: Offer | None = None

    @property
    def sha256(self) -> str:
        return hash_of(self.files)


@dataclass(slots=True)
class Locked:
    """What `houserule.lock` says of something that was added: where it came from, and what its files were."""

    name: str
    kind: str
    source: str
    sha256: str
    files: dict[str, str] = field(default_factory=dict)
    """The hash of each file, by its path from the folder of the lock."""
    commit: str = ""
    """The commit that it was taken from, if it came from a git repository."""


def hash_of(files: Mapping[str, bytes]) -> str:
    listed = sorted((name, hashlib.sha256(content).hexdigest()) for name, content in files.items())
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


# --- reading ----------------------------------------------------------------------------------------------------------


def is_address(source: str) -> bool:
    """Whether it is an address: of a file, or of a repository."""
    return source.startswith(("https://", "http://")) or REMOTE.match(source) is not None


def repository(source: str) -> tuple[str, str] | None:
    """The address of a git repository and what is wanted of it: a branch, a tag or a commit, else `HEAD`; None for anything else."""
    at = source.rfind("@")
    has_ref = (at > source.rfind("/") or source[:at].endswith(".git")) and REF.fullmatch(source[at + 1 :]) is not None
    place, ref = (source[:at], source[at + 1 :]) if has_ref else (source, "HEAD")
    if REMOTE.match(place) or (place.startswith("https://") and not urlsplit(place).path.endswith((*ARCHIVES, *KINDS))):
        return place, ref
    folder = Path(place)
    if ((folder / "HEAD").is_file() and (folder / "objects").is_dir()) or (has_ref and (folder / ".git").exists()):
        return folder.absolute().as_uri(), ref
    return None


def files_at(source: str) -> Files:
    """The files of a folder, of a repository, of an archive, or a single file, here or at an address. Raises NotOffered and OSError."""
    if (of_git := repository(source)) is not None:
        return cloned(*of_git)[0]
    if is_address(source):
        path = urlsplit(source).path
        content = fetched(source)
        return (
            unpacked(content, path) if path.endswith(ARCHIVES) else {PurePosixPath(path).name or "file.yaml": content}
        )
    place = Path(source)
    if place.is_dir():
        listed = (file for file in files_below(place, "**/*", place) if file.suffix in KINDS)
        found = [file for file in listed if file.is_file() and is_inside(file, place)]
        if len(found) > MOST_FILES:
            raise NotOffered(f"'{source}' has {len(found)} files, and at most {MOST_FILES} are added")
        return {file.relative_to(place).as_posix(): read(file, "rules") for file in found}
    if not place.is_file():
        raise NotOffered(f"there is no '{source}' here")
    if source.endswith(ARCHIVES):
        return unpacked(read(place, "library"), source)
    return {place.name: read(place, "rules")}


def fetched(address: str) -> bytes:
    """The file at an address. Raises NotOffered."""
    try:
        with urlopen(Request(address, headers={"user-agent": "houserule"}), timeout=PATIENCE) as answer:
            content = read_in_time(answer, MOST_BYTES["library"] + 1)
    except (URLError, OSError, ValueError) as wrong:
        raise NotOffered(f"{address} cannot be reached: {getattr(wrong, 'reason', wrong)}") from wrong
    if len(content) > MOST_BYTES["library"]:
        raise NotOffered(f"{address} is too large")
    return content


def read_in_time(answer: Any, most: int) -> bytes:
    """What comes from an address, up to so many bytes. Raises OSError if it goes on for too long."""
    began, content = time.monotonic(), bytearray()
    while len(content) < most and (part := answer.read1(most - len(content))):
        content += part
        if time.monotonic() - began > LONGEST_CLONE:
            raise OSError(f"it takes longer than {LONGEST_CLONE} s")
    return bytes(content)


def cloned(address: str, ref: str) -> tuple[Files, str]:
    """The rule files of a git repository at a branch, tag or commit, and the commit that this is. Nothing is checked out, and nothing of it runs. Raises NotOffered."""
    git = shutil.which("git")
    if git is None:
        raise NotOffered(f"git, which fetches '{address}', is not installed")
    with tempfile.TemporaryDirectory() as folder:
        quiet = [git, *(part for setting in SETTINGS for part in ("-c", setting))]
        said = done_by([git, "init", "--quiet", "--bare", "--template=", folder], folder)
        fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", address, ref]
        said = said or done_by([*quiet, "-C", folder, *fetch], folder)
        if said:
            raise NotOffered(f"git cannot fetch '{address}'{'' if ref == 'HEAD' else f' at {ref}'}: {said}")
        content = Path(folder) / "files.tar"
        said = done_by([*quiet, "-C", folder, "archive", "--format=tar", f"--output={content}", "FETCH_HEAD"], folder)
        if said:
            raise NotOffered(f"git cannot read '{address}': {said}")
        packed = content.read_bytes()
        of_all = next((body for kind, _, body in tarred(packed) if kind == b"g"), b"")
        return unpacked(packed, content.name), records(of_all).get("comment", "")  # git writes it into the archive


def done_by(command: list[str], folder: str) -> str:
    """Run git, which asks nobody anything, as long as it takes neither too much time nor too much room; returns what went wrong."""
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "GIT_ALLOW_PROTOCOL": "https:ssh:file"}  # fmt: skip
    environment |= {"GIT_SSH_COMMAND": "ssh -o BatchMode=yes", "LC_ALL": "C"}
    began = time.monotonic()
    with (
        tempfile.TemporaryFile() as told,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=told, stderr=told, env=environment) as git,
    ):
        while git.poll() is None:
            size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file() and file.exists())
            if size > 2 * MOST_UNPACKED or time.monotonic() - began > LONGEST_CLONE:
                git.kill()
                return "it is too large" if size > 2 * MOST_UNPACKED else f"it takes longer than {LONGEST_CLONE} s"
            time.sleep(0.02)
        told.seek(0)
        lines = told.read(4000).decode("utf-8", "replace").strip().splitlines()
    return "" if git.returncode == 0 else (lines[-1] if lines else f"it ends with {git.returncode}")


UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)
"""What is raised by archives that are damaged, encrypted, or packed in a way that is not known here."""


def unpacked(content: bytes, name: str) -> Files:
    """The rule files in an archive, without the folder around all of them. Raises NotOffered."""
    found: Files = {}
    try:
        for path, size, opened in members(content, name):
            if not path.endswith(KINDS) or any(part.startswith(".") for part in PurePosixPath(path).parts):
                continue
            if not all(PART.fullmatch(part) for part in PurePosixPath(path).parts):
                raise NotOffered(f"'{name}' has a file outside of its folder: {path[:80]!r}")
            if (
                len(found) == MOST_FILES
                or size > MOST_BYTES["rules"]
                or sum(map(len, found.values())) + size > MOST_UNPACKED
            ):
                raise NotOffered(f"'{name}' is too large")
            found[path] = opened()
    except UNREADABLE as wrong:
        raise NotOffered(f"'{name}' is no archive that can be read: {wrong}") from wrong
    tops = {path.partition("/")[0] for path in found}
    if len(tops) == 1 and all("/" in path for path in found):
        return {path.partition("/")[2]: text for path, text in found.items()}
    return found


def members(content: bytes, name: str) -> Iterator[tuple[str, int, Any]]:
    """The files of an archive: path, size, and how to read each."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for one in archive.infolist():
                if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise zipfile.BadZipFile("it is packed in a way that is not known here")
                if not one.is_dir():
                    yield one.filename, one.file_size, lambda one=one: archive.read(one)
        return
    if not name.endswith(".tar"):
        with gzip.open(io.BytesIO(content)) as unzipped:
            content = unzipped.read(2 * MOST_UNPACKED + 1)
        if len(content) > 2 * MOST_UNPACKED:
            raise NotOffered(f"'{name}' is too large")
    longer = ""
    for kind, short_name, body in tarred(content):
        if kind == b"x":
            longer = records(body).get("path", longer)
        elif kind == b"L":
            longer = text_in(body[:LONGEST_HEADER])
        elif kind not in (b"g", b"K"):
            if kind in (b"0", b"\0"):
                yield (longer or short_name).removeprefix("./"), len(body), lambda body=body: bytes(body)
            longer = ""


BLOCK, LONGEST_HEADER = 512, 64 * 1024


def tarred(content: bytes) -> Iterator[tuple[bytes, str, memoryview]]:
    """The entries of a tar archive: type, name and content. Raises ValueError.

    Python's own module searches headers in time that grows with the square of their length: CVE-2024-6232.
    """
    at, whole = 0, memoryview(content)
    while any(head := content[at : at + BLOCK]) or not at:
        if len(head) < BLOCK or sum(head[:148]) + sum(head[156:]) + 8 * 32 != octal(head[148:156]):
            raise ValueError("it is no tar archive, or cut off")
        start, size = at + BLOCK, octal(head[124:136])
        if start + size > len(content):
            raise ValueError("it is cut off")
        folder = text_in(head[345:500]) if head[257:263] == b"ustar\0" else ""
        yield (
            head[156:157],
            f"{folder}/{text_in(head[:100])}" if folder else text_in(head[:100]),
            whole[start : start + size],
        )
        at = start + -(-size // BLOCK) * BLOCK


def octal(field: bytes) -> int:
    digits = field.strip(b" \0")
    if digits.strip(b"01234567"):
        raise ValueError("a header has no number where there should be one")
    return int(digits or b"0", 8)


def text_in(field: bytes | memoryview) -> str:
    return bytes(field).partition(b"\0")[0].decode("utf-8", "replace")


def records(header: bytes | memoryview) -> dict[str, str]:
    """The values in a header of a tar archive, by name: each is its length, a blank, `name=value`, and the end of the line."""
    found, at, said = {}, 0, bytes(header[:LONGEST_HEADER])
    while at < len(said):
        length, blank, _ = said[at : at + 8].partition(b" ")
        if not blank or not length.isdigit() or int(length) <= len(length):
            raise ValueError("a header cannot be read")
        name, _, value = said[at + len(length) + 1 : at + int(length) - 1].decode("utf-8", "replace").partition("=")
        found[name] = value
        at += int(length)
    return found


# --- offers -----------------------------------------------------------------------------------------------------------


def offers_in(text: bytes, what: str) -> list[Offer]:
    """The offers of a manifest or of an index. Raises NotOffered."""
    if len(text) > MOST_BYTES["offers"]:
        raise NotOffered(f"'{what}' is too large")
    try:
        said = yaml.load(text, yaml.BaseLoader)  # every value is a text
    except (yaml.YAMLError, RecursionError, ValueError) as wrong:
        raise NotOffered(f"'{what}' cannot be read: {str(wrong).splitlines()[0]}") from wrong
    listed = said.get("offers") if isinstance(said, dict) else None
    if not isinstance(listed, list) or not listed:
        raise NotOffered(f"'{what}' has no list `offers`")
    if len(listed) > MOST_OFFERS:
        raise NotOffered(f"'{what}' offers more than {MOST_OFFERS} things")
    return [offer_of(one, said, what) for one in listed]


def offer_of(one: Any, all_of: Mapping[str, Any], what: str) -> Offer:
    """An offer; what it does not say, the file says for all."""
    at = one.get("path", one.get("at")) if isinstance(one, dict) else None
    if not isinstance(one, dict) or not isinstance(at, str):
        raise NotOffered(f"each of `offers` in '{what}' has a `path`")
    told = {key: short(one.get(key, all_of.get(key, ""))) for key in ("title", "author", "licence", "edition")}
    if "title" not in one:
        told["title"] = ""
    requires = one.get("requires", [])
    requires = [requires] if isinstance(requires, str) else requires
    if not isinstance(requires, list) or not all(isinstance(name, str) for name in requires):
        raise NotOffered(f"`requires` in '{what}' is a list of ids")
    name = short(one.get("name", PurePosixPath(at).name.removesuffix(".yaml")))
    return Offer(name, at, **told, requires=tuple(requires), sha256=short(one.get("sha256", "")))


def short(value: Any) -> str:
    return value[:LONGEST_TEXT] if isinstance(value, str) else ""


def found_in(files: Files, wanted: str = "") -> Found:
    """The game or house rule among files; `wanted` names one of several that a manifest offers. Raises NotOffered."""
    if MANIFEST in files:
        offers = offers_in(files[MANIFEST], MANIFEST)
        named = [one for one in offers if not wanted or one.name == wanted]
        if len(named) != 1:
            names = ", ".join(one.name for one in offers)
            raise NotOffered(
                f"it offers {names}: add one of them, as PATH#NAME"
                if not wanted
                else f"it offers no '{wanted}', but {names}"
            )
        offer = named[0]
        base = offer.at.strip("/")
        below = {name.removeprefix(f"{base}/"): text for name, text in files.items() if name.startswith(f"{base}/")}
        below = below or ({PurePosixPath(base).name: files[base]} if base in files else {})
        if not below:
            raise NotOffered(f"'{MANIFEST}' offers '{offer.at}', which is not there")
        found = alone_in({name: text for name, text in below.items() if name != MANIFEST})
        return Found(found.name, found.kind, found.files, found.of, offer)
    found = alone_in(files)
    if wanted not in ("", found.name):
        raise NotOffered(f"it offers no '{wanted}', but {found.name}")
    return found


def alone_in(files: Files) -> Found:
    """The game or house rule that files are, without a manifest. Raises NotOffered."""
    if "game.yaml" in files:
        return Found(id_in(files["game.yaml"], "game"), "game", files)
    rules = [name for name in files if name.endswith((".yaml", ".yml")) and id_in(files[name], "variant", must=False)]
    if len(rules) != 1:
        raise NotOffered("there is no game.yaml, and not one house rule by itself")
    text = files[rules[0]]
    return Found(id_in(text, "variant"), "variant", {f"{id_in(text, 'variant')}.yaml": text}, id_in(text, "of"))


def id_in(text: bytes, key: str, must: bool = True) -> str:
    """The id that a rule file says at its beginning of a line. Raises NotOffered if it must have one."""
    found = re.search(rf"(?m)^{key}: *[\"']?([\w-]{{1,80}})", text.decode("utf-8", "replace"))
    if found is not None and is_id(found[1]):
        return found[1]
    if must:
        raise NotOffered(f"a file has no line `{key}: …` with an id")
    return ""


def in_index(index: str, name: str) -> tuple[str, Offer]:
    """The place of something that an index offers. Raises NotOffered and OSError."""
    text = fetched(index) if is_address(index) else read(Path(index), "offers")
    offers = offers_in(text, index)
    for one in offers:
        if one.name == name:
            return place_in(index, one.at), one
    raise NotOffered(f"'{index}' does not offer '{name}', but {', '.join(one.name for one in offers[:20])}")


def place_in(index: str, at: str) -> str:
    """Where something is that an index names: on the web if the index is there, else in its folder. Raises NotOffered."""
    if is_address(index):
        place = urljoin(index, at)
        if not place.startswith("https://") and not (place.startswith("http://") and index.startswith("http://")):
            raise NotOffered(f"'{index}' names '{at}', which is not on the web")
        return place
    folder = Path(index).parent
    if not is_inside(folder / at, folder):
        raise NotOffered(f"'{index}' names '{at}', which is not in its folder")
    return str(folder / at)


def index_of(offers: list[Offer]) -> str:
    """An index, which anybody can host as a file."""
    listed = [{key: value for key, value in asdict(one).items() if value} for one in offers]
    return json.dumps({"houserule": FORMAT, "offers": listed}, ensure_ascii=False, indent=1) + "\n"


# --- the lock ---------------------------------------------------------------------------------------------------------


def locked(folder: Path) -> list[Locked]:
    """What the lock of a folder says. Raises NotOffered and OSError."""
    file = folder / LOCK
    if not file.is_file():
        return []
    try:
        said = json.loads(read(file, "manifest"))
        return [locked_of(**one) for one in said["added"]]
    except (ValueError, TypeError, KeyError, RecursionError) as wrong:
        raise NotOffered(f"'{file}' cannot be read; remove it, and add again what it names") from wrong


def locked_of(name: str, kind: str, source: str, sha256: str, files: Mapping[str, str], commit: str = "") -> Locked:
    """An entry of a lock. Raises ValueError and TypeError."""
    if not all(isinstance(one, str) for one in (name, kind, source, sha256, commit, *dict(files).values())):
        raise TypeError("each of these is a text")
    return Locked(name, kind, source, sha256, dict(files), commit)


def lock_text(entries: list[Locked]) -> str:
    listed = [asdict(one) for one in sorted(entries, key=lambda one: one.name)]
    said = {"houserule": FORMAT, "added": [{key: value for key, value in one.items() if value != ""} for one in listed]}
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def differences(entry: Locked, folder: Path) -> Iterator[str]:
    """What is no longer as it was added, as sentences."""
    for name, digest in entry.files.items():
        file = folder / name
        if not is_inside(file, folder) or not is_file(file):
            yield f"{name} is gone"
        elif hashlib.sha256(read(file, "rules")).hexdigest() != digest:
            yield f"{name} has changed"
