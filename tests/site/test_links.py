"""What stands in the links of a site comes from strangers: letters of another deal are refused, and no link keeps a page busy."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "interpreter" / "houserule" / "site" / "pages"
START = """
import { packed } from "./sharing.js";
const kept = new Map();
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
globalThis.location = { href: "https://example.org/play.html" };
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
globalThis.refused = async (work) => { try { return await work(); } catch (wrong) { return wrong.message; } };
"""
LETTERS = """
const { Letters, seedOf } = await import("./letters.js");
const shown = [], made = [];
const shell = { known: new Set(), keep() {}, engine: { request: async (name, body) => ({ ok: true, found: name === "kept" ? made.at(-1) : (made.push({ settings: { game: body.body.game, seats: body.body.seats, seed: body.body.seed, house_rules: [], options: {}, clock: null, asks_anyway: false }, entries: [] }), { room: "r" }) }) } };
const player = () => {
  const own = new Letters(shell, {}, () => shown.push("open"));
  own.offer = async (letter) => { own.sent = letter; };
  own.say = (_, actions) => { own.press = actions; };
  return own;
};
const anna = player(), ben = player();
const sides = { anna: new Map(), ben: new Map() };
const at = (side) => { globalThis.localStorage = { getItem: (name) => sides[side].get(name) ?? null, setItem: (name, value) => sides[side].set(name, value) }; };
at("anna"); await anna.invite("pig", 2, "Anna");
const invitation = anna.sent;
at("ben"); await ben.read(await packed(invitation)); await ben.press();
const answer = ben.sent;
at("anna"); await anna.read(await packed(answer));
const dealt = JSON.parse(sides.anna.get(`letter:${invitation.id}`)).match;
const tell = async (name, change) => {
  at("ben");
  const copy = structuredClone(dealt);
  await change(copy);
  console.log(name, await refused(async () => { const seen = shown.length; await ben.read(await packed(copy)); return shown.length > seen ? "opened" : "nothing"; }));
};
const hash = async (text) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))].map((one) => one.toString(16).padStart(2, "0")).join("");
await tell("own halves:", async (one) => { one.A = "0".repeat(24); one.a = await hash(one.A); one.b = "1".repeat(24); one.kept.settings.seed = await seedOf(one.A, one.b); });
await tell("another half:", async (one) => { one.b = "1".repeat(24); one.kept.settings.seed = await seedOf(one.A, one.b); });
await tell("another seed:", (one) => { one.kept.settings.seed += 1; });
await tell("another game:", (one) => { one.game = one.kept.settings.game = "nim"; });
await tell("house rules:", (one) => { one.kept.settings.house_rules = ["mine"]; });
await tell("a setting:", (one) => { one.kept.settings.options = { goal: 10 }; });
await tell("taking back:", (one) => { one.kept.entries.push(["relieve", { seat: 0, away: 1, is_decided: true }], ["undo", { seat: 0, to: 0 }], ["back", { seat: 1 }]); });
await tell("a race without him:", (one) => { one.kept.entries.push(["race", { order: [[0, "slap"], [1, "pass"]] }]); });
await tell("an answer of his own:", (one) => { one.kept.entries.push(["given", { seat: 1, key: "hold" }]); });
await tell("the deal:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }]); });
await tell("other settings later:", (one) => { one.kept.settings.options = { goal: 1 }; });
await tell("the deal again:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }]); });
await tell("his own answer later:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }], ["given", { seat: 1, key: "hold" }]); });
await tell("a race without need of him:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }], ["react", { seat: 0, slap: true, after: 1 }], ["race", { order: [[0, "slap"]] }]); });
const mine = JSON.parse(sides.ben.get(`letter:${invitation.id}`));
mine.match.kept.entries.push(["react", { seat: 1, slap: true, after: 1 }]);
sides.ben.set(`letter:${invitation.id}`, JSON.stringify(mine));
for (const key of ["pass", "slap"]) await tell(`${key} for him who slapped:`, (one) => { one.kept.entries = [...mine.match.kept.entries, ["race", { order: [[0, "slap"], [1, key]] }]]; });
"""
CHANGES = """
const { applied, changedBy, differences, filesOf, mark, packed: pack } = await import("./sharing.js");
const text = Array.from({ length: 600 }, (_, at) => `line ${at}`).join("\\n"), now = text.replace("line 7\\n", "other\\n");
const fits = (change) => refused(() => changedBy({ v: 1, c: { "game.yaml": change } }, { "game.yaml": text }).files["game.yaml"] === now);
console.log(await fits([mark(text), differences(text, now)]));
console.log(await fits([mark(text), Array.from({ length: 200000 }, () => [0, 300, "x", "", []])]));
const moving = Array.from({ length: 8 }, (_, at) => [-100000 * at, 0, mark(""), "", Array(100000).fill("")]);
for (let at = 0; at < 20000; at += 1) moving.push([-800000 - at, 0, mark(""), "", [""]]);
console.log(await fits([mark(text), moving]));
console.log(await fits([mark(text), [[0, 0, mark(""), "", ["x".repeat(2000000)]], ...Array.from({ length: 1000 }, () => [0, 0, mark(""), "no", []])]]));
for (const wrong of [5, ["x"], ["x", [[0, 1, "x", "", null]]], ["x", [["0", -1, "x", "", []]]]]) console.log(await fits(wrong));
const long = Array.from({ length: 200 }, () => [0, 1, "x", "", []]);
for (const line of [5, null, { length: -1 }, ["x"]]) console.log(await fits([mark(text), [[0, 0, mark(""), "", ["x".repeat(2000000), line]], ...long]]));
for (const wrong of [[5, []], [mark(text), [[0, 1, 5, "", []]]], [mark(text), [[0, 1, "x", null, []]]], [mark(text), [[0.5, 1, "x", "", []]]]]) console.log(await fits(wrong));
for (const wrong of [null, "x", ["x"], 5]) console.log(await refused(() => changedBy({ v: 1, c: wrong }, {})));
for (const wrong of [null, "x", ["x"], 5, { a: 5 }]) console.log(await refused(() => filesOf({ v: 1, f: wrong })));
console.log(changedBy({ v: 1, c: JSON.parse('{"constructor": ["x", []], "__proto__": ["x", []]}') }, {}).said.join());
"""


def said(script: str, folder: Path) -> list[str]:
    """The lines that a script prints beside the pages' modules."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    for name in ("letters.js", "sharing.js"):
        shutil.copy(PAGES / name, folder)
    (folder / "phrases.js").write_text("export const arranged = (key) => key;\n", encoding="utf-8")
    dom = """
export const element = (tag, about, ...children) => {
  const join = children.find((one) => one?.id === "letter-join");
  return join ? join.onclick : { value: "Ben", ...about };
};
"""
    (folder / "dom.js").write_text(dom, encoding="utf-8")
    (folder / "script.mjs").write_text(START + script, encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    done = subprocess.run([node, "script.mjs"], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_letter_goes_on_with_the_deal_that_both_have_made_or_is_refused(tmp_path: Path) -> None:
    assert said(LETTERS, tmp_path) == [
        "own halves: other_deal",
        "another half: other_deal",
        "another seed: other_deal",
        "another game: other_deal",
        "house rules: other_deal",
        "a setting: other_deal",
        "taking back: answers_for_you",
        "a race without him: answers_for_you",
        "an answer of his own: answers_for_you",
        "the deal: opened",
        "other settings later: other_deal",
        "the deal again: opened",
        "his own answer later: answers_for_you",
        "a race without need of him: opened",
        "pass for him who slapped: answers_for_you",
        "slap for him who slapped: opened",
    ]


def test_changes_in_a_link_are_applied_or_refused_soon(tmp_path: Path) -> None:
    assert said(CHANGES, tmp_path) == [
        "true",
        *["no_changes_in_link"] * (7 + 8 + 4),
        *["no_game_in_link"] * 5,
        "file_gone,file_gone",
    ]
