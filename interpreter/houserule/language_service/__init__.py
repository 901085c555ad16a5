"""What an editor, a page or a notebook can ask about rule files while they are being written.

>>> from houserule.language_service import Workspace
>>> workspace = Workspace()
>>> workspace.open("my_game/game.yaml", text)
>>> workspace.diagnostics("my_game/game.yaml")

Lines and columns count from 1, in characters, as everywhere in Houserule.
"""

from houserule.language_service.workspace import (
    Completion,
    Hint,
    Hover,
    Refused,
    Symbol,
    Token,
    Trial,
    Workspace,
)

__all__ = ["Completion", "Hint", "Hover", "Refused", "Symbol", "Token", "Trial", "Workspace"]
