"""`houserule add` and `publish`: what comes from somebody else is checked, shown, copied and locked."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import shutil
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from houserule import shelf
from houserule.shelf import (
    LOCK,
    MANIFEST,
    NotOffered,
    cloned,
    files_at,
    found_in,
    offers_in,
    place_in,
    read_in_time,
    unpacked,
)
from tests.cli.conftest import Houserule
from tests.modules import ROOT

RULE = "variant: short_way\nof: pig\ntitle: A short way\noptions: {goal: 20}\n"


@pytest.fixture
def here(houserule: Houserule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to add to, beside a repository with a game and a house rule."""
    shutil.copytree(ROOT / "games" / "classics" / "pig", tmp_path / "friends" / "swine", dirs_exist_ok=True)
    (tmp_path / "friends" / "rules").mkdir()
    (tmp_path / "friends" / "rules" / "short_way.yaml").write_text(RULE, "utf-8")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def offer(here: Path, text: str) -> None:
    (here.parent / "friends" / MANIFEST).write_text(text, "utf-8")


def test_a_game_is_copied_locked_and_looked_at_again(here: Path, houserule: Houserule) -> None:
    (here.parent / "friends" / "swine" / "variants").mkdir()
    (here.parent / "friends" / "swine" / "variants" / "short_way.yaml").write_text(RULE, "utf-8")
    done = houserule("add", "../friends/swine")
    assert done.exit_code == 0 and "Pig: 2 to 8 players, 1 house rule, 3 files\n" in done.output
    (entry,) = json.loads((here / LOCK).read_text())["added"]
    assert entry["name"] == "pig" and "pig/game.yaml" in entry["files"]
    assert houserule("validate", "pig").exit_code == 0
    assert houserule("add").output == "Nothing has changed since it was added: pig\n"
    (here / "pig" / "game.yaml").write_text("game: pig\n")
    done = houserule("add")
    assert (done.exit_code, done.output.strip()) == (1, "pig: pig/game.yaml has changed")
    done = houserule("add", "../friends/swine")
    assert done.exit_code == 2 and "has changed since it was added" in done.output
    assert houserule("add", "../friends/swine", "--force").exit_code == 0
    assert houserule("add").exit_code == 0


def test_a_house_rule_goes_to_its_game_and_says_what_it_changes(here: Path, houserule: Houserule) -> None:
    houserule("add", "../friends/swine", "--to", "pig")
    offer(here, "author: Anna\nlicence: MIT\noffers:\n- {path: swine}\n- {path: rules/short_way.yaml, requires: pig}\n")
    done = houserule("add", "../friends")
    assert done.exit_code == 2 and "swine, short_way" in done.output
    done = houserule("add", "../friends#short_way")
    assert done.exit_code == 0, done.output
    assert "by Anna, licence MIT" in done.output and "+ " in done.output and "20" in done.output
    assert (here / "pig" / "variants" / "short_way.yaml").read_text() == RULE
    (here.parent / "friends" / "rules" / "short_way.yaml").write_text(RULE.replace("20", "many"))
    done = houserule("add", "../friends#short_way")
    assert done.exit_code == 1 and "has errors, and was not added" in done.output
    assert done.stderr.startswith("pig/variants/short_way.yaml:")


def test_a_name_that_is_not_offered_adds_nothing(here: Path, houserule: Houserule) -> None:
    for place in ("../friends/swine#short_way", "../friends/rules/short_way.yaml#pig"):
        done = houserule("add", place)
        assert done.exit_code == 2 and f"it offers no '{place.partition('#')[2]}', but " in done.stderr
    assert not list(here.iterdir())
    assert houserule("add", "../friends/swine#pig").exit_code == 0


def test_archives_and_indexes_are_read_and_hashes_are_held_to(here: Path, houserule: Houserule) -> None:
    friends = here.parent / "friends"
    with zipfile.ZipFile(friends / "pig.zip", "w") as archive:
        for file in (friends / "swine").rglob("*.yaml"):
            archive.write(file, f"pig-main/{file.relative_to(friends / 'swine')}")
    assert houserule("add", "../friends/pig.zip").exit_code == 0
    offer(here, "author: Anna\nlicence: MIT\noffers:\n- {path: swine, name: pig}\n")
    done = houserule("publish", "../friends", "--index", "../friends/index.json")
    assert done.exit_code == 0, done.output
    assert houserule("add", "pig", "--index", "../friends/index.json", "--to", "again").exit_code == 0
    index = json.loads((friends / "index.json").read_text())
    index["offers"][0]["sha256"] = "0" * 64
    (friends / "index.json").write_text(json.dumps(index))
    done = houserule("add", "pig", "--index", "../friends/index.json", "--to", "other")
    assert done.exit_code == 2 and "is not what the index says" in done.output
    assert houserule("add", "cow", "--index", "../friends/index.json").exit_code == 2


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=Anna", "-c", "user.email=anna@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def commit_of(repository: Path, ref: str) -> str:
    done = subprocess.run(["git", "rev-parse", ref], cwd=repository, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def bare(here: Path) -> Path:
    """The friends' folder as a bare repository with a tag, after which the goal has changed; it has a hook, a link and a submodule."""
    friends = here.parent / "friends"
    (friends / "swine" / "link.yaml").symlink_to("/etc/passwd")
    (friends / ".gitmodules").write_text('[submodule "x"]\n\tpath = x\n\turl = ../x\n')
    git(friends, "init", "-q")
    git(friends, "add", ".")
    git(friends, "commit", "-qm", "one")
    git(friends, "tag", "-am", "one", "v1")
    (friends / "rules" / "short_way.yaml").write_text(RULE.replace("20", "30"), "utf-8")
    git(friends, "commit", "-qam", "two")
    git(here.parent, "clone", "-q", "--bare", "friends", "friends.git")
    for name in ("post-checkout", "pre-receive", "post-upload-pack"):
        hook = here.parent / "friends.git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {here.parent}/hooked\n")
        hook.chmod(0o755)
    return here.parent / "friends.git"


def test_a_repository_is_added_from_and_nothing_of_it_runs(here: Path, houserule: Houserule, bare: Path) -> None:
    houserule("add", "pig")
    offers = "offers:\n- {path: swine}\n- {path: rules/short_way.yaml}\n"
    offer(here, offers)
    git(here.parent / "friends", "add", ".")
    git(here.parent / "friends", "commit", "-qm", "offers")
    git(here.parent / "friends", "push", "-q", str(bare), "HEAD:main")
    (here.parent / "hooked").unlink()  # pushing runs them
    done = houserule("add", f"{bare.as_uri()}#short_way")
    assert done.exit_code == 0, done.output
    assert "goal: 30" in (here / "pig" / "variants" / "short_way.yaml").read_text("utf-8")
    entries = json.loads((here / LOCK).read_text())["added"]
    assert [one["source"] for one in entries] == ["pig", f"{bare.as_uri()}#short_way"]
    commit = commit_of(bare, "main")
    assert f"its commit, {commit[:12]}" in done.output
    assert [one.get("commit") for one in entries] == [None, commit]
    assert houserule("add", "../friends.git#short_way").exit_code == 0
    assert cloned(bare.as_uri(), "v1")[1] == commit_of(bare, "v1^{commit}")  # the commit, and not the tag
    old = files_at(f"{bare}@v1")
    assert b"goal: 20" in old["rules/short_way.yaml"] and MANIFEST not in old
    assert "swine/game.yaml" in old and "swine/link.yaml" not in old
    assert not (here.parent / "hooked").exists()


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://example.org/a/rules", ("https://example.org/a/rules", "HEAD")),
        ("https://example.org/a/rules.git@v1.2", ("https://example.org/a/rules.git", "v1.2")),
        ("git@example.org:a/rules.git", ("git@example.org:a/rules.git", "HEAD")),
        ("git@example.org:rules.git@feature/x", ("git@example.org:rules.git", "feature/x")),
        ("https://anna@example.org/a/rules", ("https://anna@example.org/a/rules", "HEAD")),
        ("https://example.org/a/rules.zip", None),
        ("https://example.org/a/rule.yaml", None),
        ("http://example.org/a/rules", None),
        ("ext::sh -c touch% x", None),
        ("--upload-pack=touch x", None),
        ("ssh://-oProxyCommand=touch/x", None),
        ("git@-oProxyCommand=x:y", None),
        ("https://example.org/rules@--upload-pack=x", ("https://example.org/rules@--upload-pack=x", "HEAD")),
    ],
)
def test_addresses_of_repositories_are_known_by_their_form(address: str, expected: object) -> None:
    assert shelf.repository(address) == expected


def test_a_repository_that_cannot_be_had_is_told_in_a_sentence(
    here: Path, houserule: Houserule, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for address in (f"file://{here}/none.git", f"{bare}@never"):
        done = houserule("add", address)
        assert done.exit_code == 2 and "git cannot fetch" in done.output and "Traceback" not in done.output
    monkeypatch.setattr(shelf, "LONGEST_CLONE", -1)
    with pytest.raises(NotOffered, match="takes longer"):
        files_at(str(bare))
    monkeypatch.setattr(shelf, "LONGEST_CLONE", 60)
    monkeypatch.setattr(shelf, "MOST_UNPACKED", 10)
    with pytest.raises(NotOffered, match="too large"):
        files_at(str(bare))


def test_publish_says_what_is_missing(here: Path, houserule: Houserule) -> None:
    assert houserule("publish", "--check").exit_code == 2
    assert houserule("publish").exit_code == 2
    offer(here, "offers:\n- {path: swine}\n- {path: rules/short_way.yaml}\n- {path: nothing}\n")
    done = houserule("publish", "../friends", "--check")
    assert done.exit_code == 1
    for said in ("swine: it has no licence", "short_way: it is for 'pig'", "nothing: there is no 'nothing'"):
        assert said in done.output
    offer(
        here, "author: Anna\nlicence: MIT\noffers:\n- {path: swine}\n- {path: rules/short_way.yaml, requires: [pig]}\n"
    )
    done = houserule("publish", "../friends", "--check")
    assert (done.exit_code, done.output.strip()) == (0, "Nothing is missing: swine, short_way")


@pytest.mark.parametrize("path", ["../out.yaml", "/etc/out.yaml", "a/../../out.yaml", "a\\..\\out.yaml"])
def test_an_archive_keeps_to_its_folder(path: str) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("game.yaml", "game: x")
        archive.writestr(path, "x")
    with contextlib.suppress(NotOffered):
        assert not any(".." in name or name.startswith("/") for name in unpacked(content.getvalue(), "x.zip"))


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_an_archive_of_any_form_is_unpacked(form: int) -> None:
    long = "/".join(["a" * 60, "b" * 60, f"{'c' * 60}.yaml"])
    names = ["game.yaml", long] if form == tarfile.USTAR_FORMAT else ["game.yaml", long, f"{'d' * 110}.yaml", "ü.yaml"]
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=form, pax_headers={"comment": "all"}) as archive:
        for name in ["x.md", *names]:
            entry = tarfile.TarInfo(f"./{name}" if name == "x.md" else name)
            entry.size = len(name.encode()) * 50
            archive.addfile(entry, io.BytesIO(name.encode() * 50))
    found = unpacked(content.getvalue(), "x.tar")
    assert found == {name: name.encode() * 50 for name in ["x.md", *names]}
    for cut in (100, 700, len(content.getvalue()) // 2 + 7):
        with contextlib.suppress(NotOffered):
            assert unpacked(content.getvalue()[:cut], "x.tar").keys() < found.keys()


def test_the_headers_of_an_archive_are_read_in_a_time_that_grows_with_their_length() -> None:
    head = tarfile.TarInfo("././@PaxHeader")
    head.type, head.size = tarfile.XHDTYPE, 80_000
    began = time.process_time()
    with pytest.raises(NotOffered, match="a header cannot be read"):
        unpacked(head.tobuf(tarfile.USTAR_FORMAT) + b"1" * 80_384 + bytes(1024), "x.tar")
    assert time.process_time() - began < 1


def test_an_archive_of_links_or_of_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        link = tarfile.TarInfo("game.yaml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert unpacked(content.getvalue(), "x.tar.gz") == {}
    monkeypatch.setattr(shelf, "MOST_FILES", 1)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name in "ab":
            packed.writestr(f"{name}.yaml", "x")
    with pytest.raises(NotOffered, match="too large"):
        unpacked(content.getvalue(), "x.zip")
    with pytest.raises(NotOffered, match="no archive"):
        unpacked(b"nothing", "x.zip")


@pytest.mark.parametrize(
    "manifest",
    [
        b"[",
        b"offers: []",
        b"offers: [3]",
        b"offers: [{path: 3}]",
        b"offers: [{path: x, requires: 3}]",
        b"offers: [{path: x}]",
    ],
)
def test_a_manifest_that_says_nothing_is_refused(manifest: bytes) -> None:
    with pytest.raises(NotOffered):
        found_in({MANIFEST: manifest})


def test_links_lead_to_no_file_outside(here: Path) -> None:
    (here / "game").mkdir()
    (here / "game" / "game.yaml").write_text("game: x\n")
    (here / "game" / "out.yaml").symlink_to(here.parent / "friends" / "swine" / "game.yaml")
    assert set(files_at("game")) == {"game.yaml"}


def test_an_archive_that_unpacks_without_end_or_is_damaged_is_refused() -> None:
    with pytest.raises(NotOffered, match="too large"):
        unpacked(gzip.compress(bytes(100_000_000), 1), "x.tar.gz")
    for content in (gzip.compress(b"x" * 5000)[:40], b"\x1f\x8b" + b"\xa5" * 90, b""):
        with pytest.raises(NotOffered, match="no archive"):
            unpacked(content, "x.tgz")


@pytest.mark.parametrize(
    "text",
    [
        "offers: [{path: a, edition: 0x" + "f" * 6000 + "}]",
        'offers: [{path: a, title: !!int ""}]',
        "offers: [{path: a}]\nx: !!bool maybe",
        'offers: [{path: a}]\nx: !!timestamp ""',
    ],
    ids=["a number of thousands of digits", "no number", "no truth", "no day"],
)
def test_values_of_a_manifest_are_texts(text: str) -> None:
    (found,) = offers_in(text.encode(), MANIFEST)
    assert found.name == "a"


def test_a_manifest_has_a_size(here: Path, houserule: Houserule) -> None:
    offer(here, "offers:\n" + "- {path: swine}\n" * 30_000)
    for call in (("add", "../friends"), ("publish", "../friends", "--check")):
        done = houserule(*call)
        assert done.exit_code == 2 and "too large" in done.output


def test_a_manifest_offers_what_is_in_its_folder(here: Path, houserule: Houserule) -> None:
    (here / "own").mkdir()
    (here / "own" / "game.yaml").write_text("game: own\nedition: 2026\n")
    offer(
        here, f"author: Anna\nlicence: MIT\noffers:\n- {{path: ../here/own}}\n- {{path: {here / 'own'}, name: whole}}\n"
    )
    done = houserule("publish", "../friends", "--check")
    assert done.exit_code == 1 and done.output.count("is not in this folder") == 2


def test_an_archive_that_is_packed_otherwise_is_refused() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("game.yaml", "game: x")
    with pytest.raises(NotOffered, match="not known here"):
        unpacked(content.getvalue(), "x.zip")


@pytest.mark.parametrize(
    "entry", ['{"name": 1}', '{"name": "a", "kind": "game", "source": "", "sha256": "", "files": [1]}', "7", '"x"']
)
def test_a_forged_lock_is_one_sentence(entry: str, here: Path, houserule: Houserule) -> None:
    (here / LOCK).write_text(f'{{"houserule": 1, "added": [{entry}]}}')
    done = houserule("add")
    assert done.exit_code == 2 and "cannot be read; remove it" in done.output


def test_a_lock_names_no_files_elsewhere(here: Path, houserule: Houserule) -> None:
    files = {"/etc/passwd": "0", "../friends/swine/game.yaml": "0", "a\0b": "0", "x" * 5000: "0"}
    entry = {"name": "a", "kind": "game", "source": "", "sha256": "", "files": files}
    (here / LOCK).write_text(json.dumps({"houserule": 1, "added": [entry]}))
    done = houserule("add")
    assert done.exit_code == 1 and done.output.count("is gone") == 4


@pytest.mark.parametrize("at", ["/etc", "../secret", "swine/../../secret", "file:///etc", "https://example.org/x.zip"])
def test_an_index_names_what_is_in_its_folder(at: str, here: Path, houserule: Houserule) -> None:
    index = here / "index.json"
    index.write_text(json.dumps({"offers": [{"name": "pig", "path": at}]}), encoding="utf-8")
    done = houserule("add", "pig", "--index", "index.json")
    assert done.exit_code == 2 and ("not in its folder" in done.output or "there is no" in done.output)


@pytest.mark.parametrize(
    ("at", "place"),
    [
        ("games/pig.zip", "https://example.org/shelf/games/pig.zip"),
        ("https://example.com/pig", "https://example.com/pig"),
        ("http://example.com/pig.zip", None),
        ("file:///home/anna/pig", None),
        ("ssh://git@example.org/pig", None),
    ],
)
def test_an_index_on_the_web_names_what_is_on_the_web(at: str, place: str | None) -> None:
    index = "https://example.org/shelf/index.json"
    if place is not None:
        assert place_in(index, at) == place
        return
    with pytest.raises(NotOffered, match="not on the web"):
        place_in(index, at)


def test_a_file_that_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dripping(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            now[0] += 2
            return b"x"

    now = [0.0]
    monkeypatch.setattr(shelf.time, "monotonic", lambda: now[0])
    with pytest.raises(OSError, match="longer than 120 s"):
        read_in_time(Dripping(), 1 << 20)
