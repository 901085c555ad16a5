"""Two keys that are made up, each a row of `model.py`, and what follows from it. Run as a program, since classes are declared at import."""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "interpreter" / "houserule" / "definition" / "model.py"
BESIDE = "    refill: Word | None = key("
ROWS = """\
    smells_of: Word | None = key(name_of("zone"), "The zone whose smell hangs in it.", "forest", default=None)
    fear: MaybeExpression = key(EXPRESSION, "How frightening it is.", 3, default=None)
"""


class WithRows(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the model with the rows added."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        is_model = name == "houserule.definition.model"
        return importlib.util.spec_from_loader(name, self) if is_model else None

    def exec_module(self, module: ModuleType) -> None:
        text = MODEL.read_text(encoding="utf-8")
        assert text.count(BESIDE) == 1
        exec(compile(text.replace(BESIDE, ROWS + BESIDE), str(MODEL), "exec"), module.__dict__)


def main(folder: Path) -> None:
    """Write a game with the keys, and look at it from all sides."""
    sys.meta_path.insert(0, WithRows())
    sys.path[:0] = [str(ROOT), str(ROOT / "docs")]
    import generate

    import houserule
    from houserule.language_service import Workspace
    from tests.language_service.woods import GAME, write

    text = GAME.replace("visible: all}", "visible: all, smells_of: forest, fear: 1+count(forest)}")
    file = write(folder)
    file.write_text(text, encoding="utf-8")

    basket = houserule.load(file).definition.zones["basket"]
    assert basket.smells_of == "forest"
    assert basket.fear is not None
    zone = generate.schemas()["game.schema.json"]["$defs"]["zone"]["properties"]
    assert zone["smells_of"]["description"] == "The zone whose smell hangs in it."
    assert "| `fear` | an expression | How frightening it is. |" in generate.files_page()

    workspace = Workspace()
    for slip, code in (("smels_of: forest", "HR201"), ("smells_of: [forest]", "HR202")):
        workspace.open(file, text.replace("smells_of: forest", slip))
        assert [one.code for one in workspace.diagnostics(file)[file]] == [code]
    workspace.open(file, text)
    row = next(number for number, line in enumerate(text.split("\n"), 1) if "smells_of" in line)
    line = text.split("\n")[row - 1]

    def offered(at: str) -> set[str]:
        return {one.label for one in workspace.complete(file, row, line.index(at) + len(at) + 1)}

    assert {"forest", "basket"} <= offered("smells_of: ")
    assert "count" in offered("fear: 1+")
    workspace.open(file, GAME)
    workspace.open(file, text.replace(", smells_of: forest, fear: 1+count(forest)}", ", "))
    assert {"smells_of", "fear"} <= offered("visible: all, ")
    workspace.open(file, text)
    hover = workspace.hover(file, row, line.index("smells_of") + 1)
    assert hover is not None
    assert "The zone whose smell hangs in it." in hover.text

    places = {
        one.span.column for one in workspace.rename(file, row, line.index("forest") + 1, "wood") if one.span.line == row
    }
    assert places == {line.index("forest") + 1, line.rindex("forest") + 1}
    assert "fear: 1 + count(forest)" in (workspace.format(file) or "")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
