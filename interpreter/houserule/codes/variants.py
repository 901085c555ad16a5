"""Codes 7xx: what can be wrong with a house rule and with several played together."""

from __future__ import annotations

from houserule.codes.row import Code

CHANGED_GAME = """\
edition: 2026
game: tiny
players: 2..4
enums: {colour: [red, blue]}
tables: {prize: {red: 1, blue: 2}}
variables: {score(player): int}
actions: {gain(int n): me.score += n}
flow:
  round:
    repeat: 3
    steps:
      run: {turns: players, do: "perform gain(prize[red] + prize[blue])"}
scoring: {score: me.score}
winner: {most: points}
"""
"""The game that the examples change."""


def tiny_variant(name: str, more: str) -> str:
    """A variant of that game."""
    return f"variant: {name}\nof: tiny\n{more}"


def both(*variants: str) -> str:
    """Variants that are played together, in order."""
    return "---\n".join(variants)


RICH = tiny_variant("rich", "change: {tables: {prize: {red: 5}}}\n")

VARIANTS = (
    Code(
        "HR701",
        "error",
        "A variant of another game",
        "A variant changes the rules of one game, the one that it names.",
        "variant: rich\nof: tinny\n",
        "variant: rich\nof: tiny\n",
        "variant",
    ),
    Code(
        "HR702",
        "error",
        "A variant that it requires is missing",
        "It builds on what another one adds or changes, so it is played only with that one, which is named first.",
        tiny_variant("richer", "requires: [rich]\nchange: {tables: {prize: {blue: 9}}}\n"),
        both(RICH, tiny_variant("richer", "requires: [rich]\nchange: {tables: {prize: {blue: 9}}}\n")),
        "variant",
    ),
    Code(
        "HR703",
        "error",
        "Variants that do not go together",
        "One of the two says that it is never played with the other.",
        both(RICH, tiny_variant("poor", "conflicts: [rich]\nchange: {tables: {prize: {blue: 0}}}\n")),
        tiny_variant("poor", "change: {tables: {prize: {blue: 0}}}\n"),
        "variant",
    ),
    Code(
        "HR704",
        "error",
        "A variant is named twice",
        "A house rule holds or does not hold; it cannot hold twice.",
        both(RICH, RICH),
        RICH,
        "variant",
    ),
    Code(
        "HR705",
        "error",
        "Two variants change one place to different ends",
        "Which of the two holds would depend on the order in which they are named, and nobody would notice. Two that want "
        "the same there go together.",
        both(RICH, tiny_variant("poor", "change: {tables: {prize: {red: 0}}}\n")),
        both(RICH, tiny_variant("poor", "change: {tables: {prize: {blue: 0}}}\n")),
        "variant",
    ),
    Code(
        "HR706",
        "error",
        "What is removed is not there",
        "A path with dots leads through the keys of the game to what is to go. One that leads nowhere is a slip, or the "
        "game has changed since.",
        tiny_variant("plain", "remove: [tables.prize.read]\n"),
        tiny_variant("plain", "remove: [scoring.score]\nadd: {scoring: {twice: 2 * me.score}}\n"),
        "variant",
    ),
    Code(
        "HR707",
        "error",
        "What is changed is not there",
        "A slip of the pen must never become a new rule, so `change` takes only keys that the game has; what is new stands "
        "under `add`.",
        tiny_variant("rich", "change: {tables: {prise: {red: 5}}}\n"),
        RICH,
        "variant",
    ),
    Code(
        "HR708",
        "error",
        "The game is not what the variant expects",
        "`was:` says what a variant has found when it was written. The game has another value now, so the change may no "
        "longer be what was meant.",
        tiny_variant("rich", "change: {tables: {prize: {red: 5, was: {red: 3}}}}\n"),
        tiny_variant("rich", "change: {tables: {prize: {red: 5, was: {red: 1}}}}\n"),
        "variant",
    ),
    Code(
        "HR709",
        "error",
        "What is added is there already",
        "`add` takes only what the game does not have yet; `change` gives another value to what it has.",
        tiny_variant("double", "add: {actions: {gain(int n): me.score += 2 * n}}\n"),
        tiny_variant("double", "change: {actions: {gain: me.score += 2 * n}}\n"),
        "variant",
    ),
    Code(
        "HR710",
        "error",
        "There is nothing of that name to stand beside",
        "`after` and `before` name an entry of the same map: the new one stands behind or before it.",
        tiny_variant(
            "gifts", "add: {flow: {round: {steps: {gift: {after: runn, turns: players, do: me.score += 1}}}}}\n"
        ),
        tiny_variant(
            "gifts", "add: {flow: {round: {steps: {gift: {after: run, turns: players, do: me.score += 1}}}}}\n"
        ),
        "variant",
    ),
    Code(
        "HR711",
        "error",
        "For more players than the game",
        "A variant can be for fewer numbers of players than its game. What the game is not made for it cannot promise.",
        tiny_variant("crowd", "players: 2..9\n"),
        tiny_variant("duel", "players: 2\n"),
        "variant",
    ),
    Code(
        "HR712",
        "error",
        "A variant in a file of another name",
        "`--with` and `requires` find a variant by the name of its file in the folder `variants`.",
    ),
    Code(
        "HR713",
        "warning",
        "A variant refuses one that is not there",
        "`conflicts` names variants by their ids. A misspelt one refuses nothing, and nobody would notice.",
        both(RICH, tiny_variant("poor", "conflicts: [ritch]\nchange: {tables: {prize: {blue: 0}}}\n")),
        both(RICH, tiny_variant("poor", "change: {tables: {prize: {blue: 0}}}\n")),
        "variant",
    ),
    Code(
        "HR526",
        "error",
        "A local name that a house rule makes a variable",
        "The rule that has the local name would suddenly change what all share.",
        both(
            tiny_variant("double", "change: {actions: {gain: total = 2 * n; me.score += total}}\n"),
            tiny_variant("shared", "add: {variables: {total: int}}\nchange: {scoring: {score: me.score + total}}\n"),
        ),
        both(
            tiny_variant("double", "change: {actions: {gain: twice = 2 * n; me.score += twice}}\n"),
            tiny_variant(
                "shared",
                "add: {variables: {total: int}}\n"
                "change: {scoring: {score: me.score + total}, flow: {round: {steps: {run: {do: 'perform gain(prize[red]); total += 2'}}}}}\n",
            ),
        ),
        "variant",
    ),
)
