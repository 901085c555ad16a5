"""Codes 7xx: mistakes in a house rule, or in several played together."""

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
        "A variant changes the rules of one game, which it names.",
        "variant: rich\nof: tinny\n",
        "variant: rich\nof: tiny\n",
        "variant",
    ),
    Code(
        "HR702",
        "error",
        "A required variant is missing",
        "The variant builds on what another one adds or changes, so name that one first.",
        tiny_variant("richer", "requires: [rich]\nchange: {tables: {prize: {blue: 9}}}\n"),
        both(RICH, tiny_variant("richer", "requires: [rich]\nchange: {tables: {prize: {blue: 9}}}\n")),
        "variant",
    ),
    Code(
        "HR703",
        "error",
        "Variants that conflict",
        "One of the two says that it never goes with the other.",
        both(RICH, tiny_variant("poor", "conflicts: [rich]\nchange: {tables: {prize: {blue: 0}}}\n")),
        tiny_variant("poor", "change: {tables: {prize: {blue: 0}}}\n"),
        "variant",
    ),
    Code(
        "HR704",
        "error",
        "A variant is named twice",
        "A house rule applies or does not apply; it cannot apply twice.",
        both(RICH, RICH),
        RICH,
        "variant",
    ),
    Code(
        "HR705",
        "error",
        "Two variants change one place in different ways",
        "The result would depend on the order in which they are named, and nobody would notice. Two that "
        "make the same change go together.",
        both(RICH, tiny_variant("poor", "change: {tables: {prize: {red: 0}}}\n")),
        both(RICH, tiny_variant("poor", "change: {tables: {prize: {blue: 0}}}\n")),
        "variant",
    ),
    Code(
        "HR706",
        "error",
        "What is removed does not exist",
        "A path with dots leads through the keys of the game to what is removed. If it leads nowhere, it "
        "has a typo or the game has changed.",
        tiny_variant("plain", "remove: [tables.prize.read]\n"),
        tiny_variant("plain", "remove: [scoring.score]\nadd: {scoring: {twice: 2 * me.score}}\n"),
        "variant",
    ),
    Code(
        "HR707",
        "error",
        "What is changed does not exist",
        "A typo must never become a new rule, so `change` takes only keys that the game has. New keys go under `add`.",
        tiny_variant("rich", "change: {tables: {prise: {red: 5}}}\n"),
        RICH,
        "variant",
    ),
    Code(
        "HR708",
        "error",
        "The game is not what the variant expects",
        "`was:` gives the value when the variant was written. The game now has another value, so the change "
        "may no longer make sense.",
        tiny_variant("rich", "change: {tables: {prize: {red: 5, was: {red: 3}}}}\n"),
        tiny_variant("rich", "change: {tables: {prize: {red: 5, was: {red: 1}}}}\n"),
        "variant",
    ),
    Code(
        "HR709",
        "error",
        "What is added exists already",
        "`add` takes only what is new; `change` gives existing keys another value.",
        tiny_variant("double", "add: {actions: {gain(int n): me.score += 2 * n}}\n"),
        tiny_variant("double", "change: {actions: {gain: me.score += 2 * n}}\n"),
        "variant",
    ),
    Code(
        "HR710",
        "error",
        "An unknown neighbour",
        "`after` and `before` name an entry of the same map, and the new one goes after or before it.",
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
        "More players than the game allows",
        "A variant can be for fewer numbers of players than its game, but not for others.",
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
        "A conflict with an unknown variant",
        "`conflicts` names variants by their ids. A misspelt id conflicts with nothing, and nobody would notice.",
        both(RICH, tiny_variant("poor", "conflicts: [ritch]\nchange: {tables: {prize: {blue: 0}}}\n")),
        both(RICH, tiny_variant("poor", "change: {tables: {prize: {blue: 0}}}\n")),
        "variant",
    ),
    Code(
        "HR526",
        "error",
        "A local name that a house rule makes a variable",
        "The rule with the local name would suddenly change what all players share.",
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
