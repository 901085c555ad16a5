"""Houserule runs tabletop games from rule files: load a game, start a match, answer its choices.

>>> import houserule
>>> game = houserule.load("my_game")
>>> match = game.start(players=["Anna", "Ben", "Carla"], seed=7)
>>> while not match.is_over:
...     choice = match.pending[0]
...     match.answer(choice.player, choice.options[0])

Each name is imported when it is first used, so that validating a file does not load what plays matches.
"""

from houserule import core

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from houserule.core import *  # noqa: F403  all of its names are public here too
    from houserule.study.compare import Comparison, Sweep, compare, sweep
    from houserule.study.ladder import Ladders, ladder
    from houserule.study.report import report
    from houserule.study.simulate import Study, simulate

__all__ = ["Comparison", "Ladders", "Study", "Sweep", "compare", "ladder", "report", "simulate", "sweep"]
__all__ += core.__all__

_HOMES = {
    "study.compare": ("Comparison", "Sweep", "compare", "sweep"),
    "study.ladder": ("Ladders", "ladder"),
    "study.report": ("report",),
    "study.simulate": ("Study", "simulate"),
}


def __getattr__(name: str) -> "Any":
    return core.taken(name, _HOMES | {"core": tuple(core.__all__)}, globals())


def __dir__() -> "list[str]":
    """The public names, for `dir()` and for completion."""
    return sorted({*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"})
