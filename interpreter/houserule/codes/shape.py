"""Codes 2xx: mistakes in the keys and values of a file."""

from __future__ import annotations

from houserule.codes.row import Code, tiny_game

SHAPE = (
    Code(
        "HR201",
        "error",
        "An unknown key",
        "Nothing that an author writes is silently ignored, so a key without a meaning is an error.",
        tiny_game("zones: {deck: {holds: piece, visible: none, capcity: 5}}\n"),
        tiny_game("zones: {deck: {holds: piece, visible: none, capacity: 5}}\n"),
    ),
    Code(
        "HR202",
        "error",
        "The wrong kind of value",
        "There is a text in place of a list, a map or a number, or the other way round.",
        tiny_game("zones: {deck: none}\n"),
        tiny_game("zones: {deck: {holds: piece, visible: none}}\n"),
    ),
    Code(
        "HR203",
        "error",
        "A key is missing",
        "Without this key, the entry has no meaning.",
        tiny_game("zones: {deck: {holds: piece}}\n"),
        tiny_game("zones: {deck: {holds: piece, visible: none}}\n"),
    ),
    Code(
        "HR204",
        "error",
        "Not a name",
        "Effects use the name, so it consists of letters, digits and _. A language is written as en, de or zh-Hant.",
        tiny_game("zones: {draw-pile: {holds: piece, visible: none}}\n"),
        tiny_game("zones: {draw_pile: {holds: piece, visible: none}}\n"),
    ),
    Code(
        "HR205",
        "error",
        "Not one of the possible words",
        "The key takes one of a few words.",
        tiny_game("winner: {most: points, tie: share}\n"),
        tiny_game("winner: {most: points, tie: shared}\n"),
    ),
    Code(
        "HR206",
        "error",
        "A key without a value",
        "Nothing follows the colon or stands below it.",
        tiny_game("title:\n"),
        tiny_game("title: Tiny\n"),
    ),
    Code(
        "HR208",
        "error",
        "A key of variants",
        "`after`, `before` and `was` say where a variant puts an entry and what it replaces. In a game, the "
        "order of the file counts, and a changed entry keeps its place.",
        tiny_game("zones:\n  deck: {holds: piece, visible: none, after: hand}\n  hand: {holds: piece, visible: all}\n"),
        tiny_game("zones:\n  hand: {holds: piece, visible: all}\n  deck: {holds: piece, visible: none}\n"),
    ),
    Code(
        "HR212",
        "error",
        "Not a number of players",
        "A game is for one number of players or for a range: at least 1, at most 20, the smaller number first.",
        tiny_game("").replace("players: 2", "players: 4..2"),
        tiny_game("").replace("players: 2", "players: 2..4"),
    ),
    Code(
        "HR213",
        "error",
        "Two rules for who wins",
        "The most, the least or a condition decides. `then:` lists tie-breakers.",
        tiny_game("winner: {most: points, least: points}\n"),
        tiny_game("winner: {most: points, then: [0 - points]}\n"),
    ),
)
