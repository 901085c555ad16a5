"""Codes 6xx: mistakes in scenarios that can be read but do not fit their game."""

from __future__ import annotations

from houserule.codes.row import Code

PLAYED_GAME = """\
edition: 2026
game: tiny
players: 2..3
options: {bonus: {type: 0..9, default: 2}}
components: {card: {attributes: {rank: 1..3}, each: {rank: 1..3}, starts_in: deck}}
zones: {deck: {holds: card, visible: none}, hand(player): {holds: card, visible: owner}}
variables: {"score(player)": int, "drawn(player)": {type: 0..9, reset: round}}
flow:
  setup: {do: shuffle deck}
  round:
    turns: players
    steps:
      deal: {do: draw 1 from deck to me.hand; me.drawn += 1}
      throw: {do: "roll pips from 1..6; me.score += pips"}
scoring: {score: me.score + me.drawn + bonus}
winner: {most: points}
"""
"""The game that the examples play."""


def scenario(more: str) -> str:
    """A scenario of that game for two."""
    return f"scenario: A short match\nof: tiny\nplayers: [anna, ben]\n{more}"


SCENARIOS = (
    Code(
        "HR601",
        "error",
        "A step that a scenario cannot begin with",
        "`from:` names a step of the game, by its name or its path.",
        scenario("from: thorw\n"),
        scenario("from: throw\n"),
        "scenario",
    ),
    Code(
        "HR602",
        "error",
        "The wrong number of players",
        "A scenario has as many players as its game allows, each with a different name.",
        scenario("").replace("anna, ben", "anna"),
        scenario(""),
        "scenario",
    ),
    Code(
        "HR603",
        "error",
        "An option that the game does not have, or not with this value",
        "The game declares its options, each with a type.",
        scenario("options: {bnous: 3}\n"),
        scenario("options: {bonus: 3}\n"),
        "scenario",
    ),
    Code(
        "HR604",
        "error",
        "A document that is not a scenario",
        "Only the first document of a file may lack `scenario:`; it applies to all others.",
        scenario("") + "---\nfrom: throw\n",
        scenario("") + "---\n" + scenario("from: throw\n"),
        "scenario",
    ),
    Code(
        "HR605",
        "error",
        "A choice in `given`",
        "`given` arranges the table before anybody is asked. Questions belong in `play`.",
        scenario("given: anna chooses card from anna.hand\n"),
        scenario("given: draw 2 from deck to anna.hand\n"),
        "scenario",
    ),
    Code(
        "HR606",
        "error",
        "A scenario of another game",
        "A scenario in the folder of a game is about that game.",
        scenario("").replace("of: tiny", "of: small"),
        scenario(""),
        "scenario",
    ),
    Code(
        "HR607",
        "error",
        "A scenario of a game that cannot be found",
        "The variants under `with:` must exist. So must the game, if the scenario lies in no game's folder.",
        scenario("with: [riches]\n"),
        scenario(""),
        "scenario",
    ),
    Code(
        "HR608",
        "error",
        "Something that is not a pile, or cannot be seen",
        "`deck:` puts pieces on a single pile. `unseen:` names a variable, a zone or a piece.",
        scenario("play:\n  - unseen: {ben: anna}\n"),
        scenario("play:\n  - unseen: {ben: anna.hand}\n"),
        "scenario",
    ),
    Code(
        "HR609",
        "error",
        "A roll that never comes",
        "`roll:` gives the results of chance, by the name or place that the game rolls into.",
        scenario("play:\n  - roll: {pisp: 6}\n"),
        scenario("play:\n  - roll: {pips: 6}\n"),
        "scenario",
    ),
    Code(
        "HR610",
        "error",
        "A player who is not at the table",
        "A scenario names its players under `players:`.",
        scenario("play:\n  - pending: ana\n"),
        scenario("play:\n  - expect: score[anna] == 0\n"),
        "scenario",
    ),
    Code(
        "HR611",
        "error",
        "A scenario that continues an unknown one",
        "`continues:` names an earlier scenario of the same file, by its sentence.",
        scenario("") + "---\n" + scenario("continues: A long match\n"),
        scenario("") + "---\n" + scenario("continues: A short match\n").replace("A short match", "More of it", 1),
        "scenario",
    ),
    Code(
        "HR612",
        "warning",
        "A `given` that is lost at once",
        "The step that a scenario begins with resets the variables that name it under `reset:`, after `given`.",
        scenario("given: drawn[anna] = 2\nfrom: round\nuntil: end\n"),
        scenario("given: drawn[anna] = 2\nfrom: throw\nuntil: end\n"),
        "scenario",
    ),
)
