"""Texts of strangers are printed without commands to terminals and services; whole numbers are those of ten digits."""

from __future__ import annotations

import pytest

from houserule.printable import printable, whole_number


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Mushrooms für alle 蘑菇 🍄", "Mushrooms für alle 蘑菇 🍄"),
        ("a\x1b]0;t\x07b", "a\ufffd]0;t\ufffdb"),
        ("a\x9b31mb", "a\ufffd31mb"),
        ("one\ntwo\r\nthree\u2028four\x85five", "one two three four five"),
        ("evil\u202etxt\u2066", "evil\ufffdtxt\ufffd"),
        ("\u200f\u061c", "\ufffd\ufffd"),
        ("half \ud800", "half \ufffd"),
        ("::error::x", "\\::error::x"),
        ("  ::error::x", "  \\::error::x"),
        ("\n::error::x", " \\::error::x"),
        ("a::b and a: b", "a::b and a: b"),
        ("x ##[add-mask]y ##vso[task]", "x ##\\[add-mask]y ##\\vso[task]"),
    ],
)
def test_a_text_is_one_line_without_commands(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_lines_stay_where_they_may() -> None:
    assert printable("a\n ::error::b\r\n\x1bc\td", lines=True) == "a\n \\::error::b\n\ufffdc\td"


@pytest.mark.parametrize(("text", "number"), [("0", 0), (" 12 ", 12), ("-7", -7), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_a_whole_number_is_read(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["", "-", "²", "٣", "1²", "9" * 19, "9" * 5000, "1.0", "1e3", "1_000", "+1", "--1"])
def test_what_is_none_is_none(text: str) -> None:
    assert whole_number(text) is None
