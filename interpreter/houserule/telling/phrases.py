"""The interpreter's own phrases, in each of its languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LANGUAGES = ("en", "de", "zh-Hant", "ja")
Row = tuple[str, str, str, str]
PHRASES: dict[str, Row] = {
    # options, and values
    "pass": ("pass", "passen", "跳過", "パス"),
    "slap": ("slap", "zugreifen", "搶", "取る"),
    "nothing": ("nothing", "nichts", "什麼都不選", "何も選ばない"),
    "nobody": ("nobody", "niemand", "沒有人", "なし"),
    "none": ("none", "keine", "無", "なし"),
    "true": ("yes", "ja", "是", "はい"),
    "false": ("no", "nein", "否", "いいえ"),
    "arrow": (" → ", " → ", " → ", " → "),
    "comma": (", ", ", ", "、", "、"),
    "and": (" and ", " und ", "和", "と"),
    # names of players, zones and pieces
    "player": ("Player {number}", "Spieler {number}", "玩家 {number}", "プレイヤー {number}"),
    "of": ("{zone} of {owner}", "{zone} von {owner}", "{owner}的{zone}", "{owner}の{zone}"),
    "at": ("{zone} ({index})", "{zone} ({index})", "{zone}（{index}）", "{zone}（{index}）"),
    "nth": ("no. {number}", "Nr. {number}", "第 {number} 個", "{number}番目"),
    "hidden": ("face-down {kind}", "{kind} (verdeckt)", "{kind}（背面）", "{kind}（裏向き）"),
    "back": (
        "face-down {kind} ({shown})",
        "{kind} (verdeckt: {shown})",
        "{kind}（背面：{shown}）",
        "{kind}（裏向き：{shown}）",
    ),
    # events
    "turn": ("{player}'s turn", "{player} ist am Zug", "輪到{player}", "{player}の番"),
    "again": ("{title} {number}", "{title} {number}", "{title} {number}", "{title} {number}"),
    "move": (
        "{what}: {source} → {target}",
        "{what}: {source} → {target}",
        "{what}：{source} → {target}",
        "{what}：{source} → {target}",
    ),
    "inside": (
        "{what}: moved within {zone}",
        "{what}: verlegt innerhalb von {zone}",
        "{what}：在{zone}內移動",
        "{what}：{zone}の中で移動",
    ),
    "several": ("{number} × {what}", "{number} × {what}", "{what} × {number}", "{what} × {number}"),
    "more": ("{number} more", "{number} weitere", "另外 {number} 張", "ほか {number} 枚"),
    "exchange": ("{source} → {target}", "{source} → {target}", "{source} → {target}", "{source} → {target}"),
    "shuffle": ("Shuffled: {zone}", "Gemischt: {zone}", "洗牌：{zone}", "シャッフル：{zone}"),
    "roll": (
        "Rolled {value} ({name})",
        "Gewürfelt: {value} ({name})",
        "擲出 {value}（{name}）",
        "ダイス {value}（{name}）",
    ),
    "set": ("{name}: {value}", "{name}: {value}", "{name}：{value}", "{name}：{value}"),
    "belongs": ("{owner} · {name}", "{owner} · {name}", "{owner}・{name}", "{owner}・{name}"),
    "show": ("Shown to {who}: {what}", "{who} sieht: {what}", "{who}看到：{what}", "{who}に見せる：{what}"),
    "light": (
        "Revealed in {zone}: {what}",
        "Aufgedeckt in {zone}: {what}",
        "{zone}翻開：{what}",
        "{zone}で公開：{what}",
    ),
}
"""The interpreter's own phrases, a row for each, in the order of LANGUAGES."""


def column(language: str) -> int:
    """The column of a language; that of English for an unknown language."""
    return LANGUAGES.index(language) if language in LANGUAGES else 0


def spoken(row: Row, language: str, values: Mapping[str, object]) -> str:
    """A phrase with its values; in English for an unknown language."""
    said = row[column(language)]
    return said.format(**values) if "{" in said else said


def phrase(language: str, key: str, /, **values: object) -> str:
    """One of these phrases with its values."""
    return spoken(PHRASES[key], language, values)


def read_out(language: str, words: Sequence[str]) -> str:
    """Words as a list in a sentence: `Parasol, Truffle and Boletus`."""
    if len(words) < 2:
        return "".join(words)
    return phrase(language, "comma").join(words[:-1]) + phrase(language, "and") + words[-1]
