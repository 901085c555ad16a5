"""`houserule print`: what is written, and what a wrong call is told."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Houserule


def test_without_a_file_it_says_what_there_is_to_print(houserule: Houserule) -> None:
    result = houserule("print", "ali_baba")
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "Ali Baba: tile: 60, board: 1 (8 sheets)"
    assert "   1  Pink magic carpet (46 x 46 mm)" in result.output.splitlines()


def test_things_of_one_title_are_listed_with_their_ids(houserule: Houserule) -> None:
    lines = houserule("print", "goofspiel").output.splitlines()
    assert "   1  Prize 1 (20 x 20 mm)" in lines
    assert len(set(lines)) == len(lines)


def test_only_what_a_house_rule_adds_is_printed(houserule: Houserule) -> None:
    result = houserule("print", "aladdin", "--with", "desert_wind", "--only-new", "--json")
    told = json.loads(result.output)
    assert told["kinds"] == {"lamp card": 5}
    assert {item["id"]: item["copies"] for item in told["items"]} == {"open_sesame": 2, "sandstorm": 1, "oasis": 2}


def test_pictures_are_written_with_their_table(houserule: Houserule, tmp_path: Path) -> None:
    assert houserule("print", "kuhn_poker", "--format", "svg", "-o", "pictures").exit_code == 0
    names = sorted(file.name for file in (tmp_path / "pictures").iterdir())
    assert names == ["card-jack-back.svg", "card-jack.svg", "card-king.svg", "card-queen.svg", "pieces.csv"]
    assert (
        (tmp_path / "pictures" / "card-king.svg")
        .read_text("utf-8")
        .startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    )


def test_letters_that_are_hard_to_read_are_a_warning(houserule: Houserule, storms: str) -> None:
    file = Path(storms) / "layout.yaml"
    game = Path(storms) / "game.yaml"
    rules = game.read_text("utf-8")
    kind = rules.split("components:\n")[1].split(":")[0].strip()
    game.write_text(
        rules.rstrip("\n") + f"\nlayout: {{pieces: {{{kind}: {{print: {{size: 8 x 8, title: {{at: 1 1 6 1}}}}}}}}}}\n",
        "utf-8",
    )
    assert not file.exists()
    result = houserule("print", storms)
    assert result.exit_code == 0
    assert "are hard to read" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "tiles.png"], "sheets cannot be written as 'tiles.png'"),
        (["--only-new"], "--only-new compares with the game without house rules"),
        (["--players", "9"], "not for 9"),
        (["--lang", "fr"], "has no titles in 'fr'"),
        (["--aid"], "a player's aid is written to a file"),
        (["--aid", "--format", "png", "-o", "aid"], "leave out --format: --aid -o aid.pdf"),
        (["--format", "svg", "-o", "none\0"], "cannot be written"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(houserule: Houserule, words: list[str], said: str) -> None:
    if "\0" in words[-1]:
        Path("taken").write_text("", "utf-8")
        words = [*words[:-1], "taken/pictures"]
    result = houserule("print", "ali_baba", *words)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("module", "words"), [("weasyprint", ["-o", "a.pdf"]), ("pypdfium2", ["--format", "png", "-o", "a"])]
)
def test_without_its_extra_it_says_what_to_install(
    houserule: Houserule, monkeypatch: pytest.MonkeyPatch, module: str, words: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    result = houserule("print", "kuhn_poker", *words)
    assert result.exit_code == 2
    assert f"houserule[{'rulebook' if module == 'weasyprint' else 'png'}]" in result.output


def test_sheets_are_pages_and_pictures_have_their_size(houserule: Houserule, tmp_path: Path) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    pytest.importorskip("weasyprint")
    assert houserule("print", "kuhn_poker", "-o", "cards.pdf").exit_code == 0
    document = pdfium.PdfDocument(tmp_path / "cards.pdf")
    assert [[round(side / 72 * 25.4) for side in page.get_size()] for page in document] == [[210, 297]] * 2
    document.close()
    assert houserule("print", "kuhn_poker", "--format", "tgc", "-o", "crafted").exit_code == 0
    content = (tmp_path / "crafted" / "PokerDeck-king.png").read_bytes()
    assert [int.from_bytes(content[at : at + 4]) for at in (16, 20)] == [825, 1125]
    assert houserule("print", "kuhn_poker", "--aid", "-o", "aid.pdf").exit_code == 0
    document = pdfium.PdfDocument(tmp_path / "aid.pdf")
    assert len(document) == 1
    document.close()
