"""The key of a seat in a browser: a link may bring one, and takes none away."""

from __future__ import annotations

from pathlib import Path

from tests.node import said

SCRIPT = """
const kept = new Map();
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name) };
globalThis.location = { protocol: "https:", host: "example.org" };
globalThis.addEventListener = () => {};
globalThis.document = { addEventListener() {} };
globalThis.setInterval = () => 0;
const SEATS = ["anna", "ben"];
globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  send(text) {
    const { type, token } = JSON.parse(text);
    if (type !== "hello") return;
    asked.push(token);
    const message = token === null || SEATS.includes(token) ? { type: "welcome", seat: token === null ? null : SEATS.indexOf(token) } : { type: "refused", code: "token" };
    this.onmessage({ data: JSON.stringify(message) });
  }
};
let asked = [];
const { Line } = await import("./line.js");
const visit = (own, lent, leaves = false) => {
  kept.clear();
  if (own !== null) kept.set("seat:r", own);
  asked = [];
  const line = new Line("r", "en", () => {}, () => {}, lent);
  line.socket.onopen();
  if (leaves) line.token = null;
  // the keys that the page says hello with, the one that is kept then, and the one that is used
  console.log(asked.join(), "->", kept.get("seat:r"), line.token);
};
"""


def test_a_key_in_a_link_is_kept_once_it_has_opened_a_seat_and_takes_no_other_away(tmp_path: Path) -> None:
    visits = """
visit("anna", null);
visit("anna", "x");
visit("anna", "x".repeat(100000));
visit("anna", "ben");
visit("anna", "ben", true);
visit("anna", "anna");
visit("anna", "anna", true);
visit(null, "anna");
visit(null, "x");
visit("old", "x");
visit("old", "anna");
visit("x".repeat(100000), "anna");
visit("{}", null);
"""
    assert said(SCRIPT + visits, tmp_path, "serve/line.js", "serve/kept.js", others={}) == [
        "anna -> anna anna",
        "x,anna -> anna anna",
        "anna -> anna anna",
        "ben -> anna ben",
        "ben -> anna anna",
        "anna -> anna anna",
        "anna -> undefined null",
        "anna -> anna anna",
        "x, -> undefined null",
        "x,old, -> undefined null",
        "anna -> old anna",
        "anna -> anna anna",
        " -> {} null",
    ]


def test_a_seat_in_a_browser_that_is_full_lasts_as_long_as_its_page(tmp_path: Path) -> None:
    visits = """
localStorage.setItem = () => { throw new Error("full"); };
visit(null, "anna");
"""
    assert said(SCRIPT + visits, tmp_path, "serve/line.js", "serve/kept.js", others={}) == ["anna -> undefined anna"]
