"""What stands in the links of a site comes from strangers: letters of another deal are refused, and no link keeps a page busy."""

from __future__ import annotations

from pathlib import Path

from tests import node

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
const allowed = (entries) => { const at = entries.findIndex(([, { key }]) => key === "nonsense"); return at < 0 ? entries.length : at; };
const shell = { known: new Set(), keep() {}, engine: { request: async (name, body) => ({ ok: true, found: name === "restore" ? { entries: allowed(body.kept.entries), of: body.kept.entries.length } : name === "kept" ? made.at(-1) : (made.push({ settings: { game: body.body.game, seats: body.body.seats, seed: body.body.seed, house_rules: [], options: {}, clock: null, asks_anyway: false, race_seconds: 10 }, entries: [] }), { room: "r" }) }) } };
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
await tell("a shorter race:", (one) => { one.kept.settings.race_seconds = 3; });
await tell("taking back:", (one) => { one.kept.entries.push(["relieve", { seat: 0, away: 1, is_decided: true }], ["undo", { seat: 0, to: 0 }], ["back", { seat: 1 }]); });
await tell("a race without him:", (one) => { one.kept.entries.push(["race", { order: [[0, "slap"], [1, "pass"]] }]); });
await tell("an answer of his own:", (one) => { one.kept.entries.push(["given", { seat: 1, key: "hold" }]); });
await tell("what the rules do not allow:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }], ["given", { seat: 0, key: "nonsense" }]); });
await tell("the deal:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }]); });
await tell("other settings later:", (one) => { one.kept.settings.options = { goal: 1 }; });
await tell("the deal again:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }]); });
await tell("his own answer later:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }], ["given", { seat: 1, key: "hold" }]); });
await tell("a race without need of him:", (one) => { one.kept.entries.push(["given", { seat: 0, key: "hold" }], ["react", { seat: 0, slap: true, after: 1 }], ["race", { order: [[0, "slap"]] }]); });
const mine = JSON.parse(sides.ben.get(`letter:${invitation.id}`));
mine.match.kept.entries.push(["react", { seat: 1, slap: true, after: 1 }]);
const race = (name, entries) => { sides.ben.set(`letter:${invitation.id}`, JSON.stringify(mine)); return tell(name, (one) => { one.kept.entries = entries; }); };
for (const key of ["pass", "slap"]) await race(`${key} for him who slapped:`, [...mine.match.kept.entries, ["race", { order: [[1, key]] }]]);
const reacts = (after, slap = true) => [...mine.match.kept.entries, ["react", { seat: 0, slap, after }]];
for (const order of [[[0, "slap"], [1, "slap"]], [[1, "slap"], [0, "pass"]], [[1, "slap"]], [[0, "slap"]], [[1, "slap"], [1, "slap"], [0, "slap"]], [[1, "slap"], [true, "slap"]], [[2, "slap"], [1, "slap"], [0, "slap"]]]) {
  await race(`${JSON.stringify(order)}:`, [...reacts(5), ["race", { order }]]);
}
await race("who was first passes:", [...reacts(0.5, false), ["race", { order: [[0, "pass"], [1, "slap"]] }]]);
await race("who passes is last:", [...reacts(0.5, false), ["race", { order: [[1, "slap"], [0, "pass"]] }]]);
await race("at the same time:", [...reacts(1), ["race", { order: [[0, "slap"], [1, "slap"], [2, "slap"], [3, "slap"], [4, "pass"]] }]]);
await race("in the order of the reactions:", [...reacts(5), ["race", { order: [[1, "slap"], [0, "slap"]] }]]);
"""
SHAPES = """
const { Letters } = await import("./letters.js");
const letters = new Letters({ known: new Set(), keep() {}, engine: {} }, {}, () => {});
letters.say = (text) => { console.log(text); };
const id = "0".repeat(24), half = "1".repeat(24), hash = "2".repeat(64);
const invitation = { v: 1, id, game: "pig", seats: [null, null, "greedy"], names: ["Anna"], a: hash }, dealt = { ...invitation, A: half, b: half, kept: { settings: {}, entries: [] } };
const read = async (letter) => refused(async () => letters.read(await packed(letter)));
await read(invitation);
const wrong = [5, null, [], "x", {}, true, 0.5];
const all = [...wrong, ...wrong.flatMap((one) => Object.keys(dealt).filter((name) => !(name === "game" || name === "names") || one !== "x").map((name) => ({ ...dealt, [name]: one }))),
  ...[{ seats: [null] }, { seats: [null, null, null] }, { seats: [null, null, 5] }, { names: [] }, { names: [5] }, { a: [hash] }, { id: [id] }].map((one) => ({ ...invitation, ...one })),
  ...[{ entries: [] }, { settings: {} }, { settings: [], entries: [] }].map((kept) => ({ ...dealt, kept })),
  ...[5, null, {}, ["start"], ["start", null], ["start", []], [5, {}], ["given", { key: "hold" }], ["given", { seat: true }], ["react", { seat: 0, slap: 1, after: 1 }], ["react", { seat: 0, slap: true, after: "1" }],
    ...[null, 5, [5], [[0]], [[true, "pass"]], [[0, "hold"]], [[0, "slap", 1]]].map((order) => ["race", { order }])].map((one) => ({ ...dealt, kept: { settings: {}, entries: [one] } }))];
const found = new Set();
for (const one of all) found.add(await read(one));
console.log(all.length > 80, ...found);
for (const one of [5, "x", [], {}, { own: 2 }, { own: 0, secret: 5 }, { own: 0, invitation: {} }, { own: 0, match: {} }, { own: 0, match: invitation }]) {
  localStorage.setItem(`letter:${id}`, JSON.stringify(one));
  await letters.heard(`letter-${id}`, { kept: { entries: [] }, wait: null, asked: false });
  await read(invitation);
}
"""
FULL = """
const { Letters } = await import("./letters.js");
const letters = new Letters({ known: new Set(), keep() {}, engine: {} }, {}, () => {});
letters.say = (...all) => { console.log(typeof all.at(-1) === "string" ? all.at(-1) : "asks"); joins = all.at(-1); };
let joins;
const id = "0".repeat(24), half = "1".repeat(24), hash = "2".repeat(64);
const invitation = { v: 1, id, game: "pig", seats: [null, null], names: ["Anna"], a: hash }, match = { ...invitation, A: half, b: half, kept: { settings: {}, entries: [] } };
localStorage.setItem(`letter:${id}`, JSON.stringify({ own: 0, match }));
localStorage.setItem = () => { throw new Error("QuotaExceededError"); };
await letters.tried(() => letters.invite("pig", 2, "Anna"));
await letters.tried(() => letters.heard(`letter-${id}`, { kept: { entries: [["start", {}]] }, wait: null, asked: false }));
await letters.tried(async () => letters.read(await packed({ ...invitation, id: "3".repeat(24) })));
await joins();
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
const many = (count, one) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`variants/a${at}.yaml`, one]));
console.log(await refused(() => filesOf({ v: 1, f: many(301, "") })), Object.keys(filesOf({ v: 1, f: many(300, "") })).length);
console.log(await refused(() => changedBy({ v: 1, c: many(301, "") }, {})));
console.log(changedBy({ v: 1, c: { "game.yaml": [mark(text), Array.from({ length: 2500 }, () => [0, 0, "x", "", ["y"]])] } }, { "game.yaml": "" }).said.length);
console.log(changedBy({ v: 1, c: JSON.parse('{"constructor": ["x", []], "__proto__": ["x", []]}') }, {}).said.join());
"""


OTHERS = {
    "phrases.js": "export const arranged = (key) => key;\n",
    "dom.js": """
export const element = (tag, about, ...children) => {
  const join = children.find((one) => one?.id === "letter-join");
  return join ? join.onclick : { value: "Ben", ...about };
};
""",
}


def said(script: str, folder: Path) -> list[str]:
    """The lines that a script prints beside the modules that read links."""
    return node.said(START + script, folder, "site/letters.js", "site/sharing.js", "serve/kept.js", others=OTHERS)


def test_where_a_browser_has_no_room_for_a_match_a_sentence_says_so(tmp_path: Path) -> None:
    assert said(FULL, tmp_path) == ["no_room", "no_room", "asks", "no_room"]


def test_a_letter_goes_on_with_the_deal_that_both_have_made_or_is_refused(tmp_path: Path) -> None:
    assert said(LETTERS, tmp_path) == [
        "own halves: other_deal",
        "another half: other_deal",
        "another seed: other_deal",
        "another game: other_deal",
        "house rules: other_deal",
        "a setting: other_deal",
        "a shorter race: other_deal",
        "taking back: answers_for_you",
        "a race without him: answers_for_you",
        "an answer of his own: answers_for_you",
        "what the rules do not allow: not_allowed",
        "the deal: opened",
        "other settings later: other_deal",
        "the deal again: opened",
        "his own answer later: answers_for_you",
        "a race without need of him: opened",
        "pass for him who slapped: answers_for_you",
        "slap for him who slapped: opened",
        '[[0,"slap"],[1,"slap"]]: answers_for_you',
        '[[1,"slap"],[0,"pass"]]: answers_for_you',
        '[[1,"slap"]]: answers_for_you',
        '[[0,"slap"]]: answers_for_you',
        '[[1,"slap"],[1,"slap"],[0,"slap"]]: answers_for_you',
        '[[1,"slap"],[true,"slap"]]: no_letter',
        '[[2,"slap"],[1,"slap"],[0,"slap"]]: answers_for_you',
        "who was first passes: answers_for_you",
        "who passes is last: opened",
        "at the same time: opened",
        "in the order of the reactions: opened",
    ]


def test_what_is_no_letter_is_refused_and_what_is_no_match_of_this_browser_left_out(tmp_path: Path) -> None:
    assert said(SHAPES, tmp_path) == ["invites", "true no_letter", *["invites"] * 9]


def test_changes_in_a_link_are_applied_or_refused_soon(tmp_path: Path) -> None:
    assert said(CHANGES, tmp_path) == [
        "true",
        *["no_changes_in_link"] * (7 + 8 + 4),
        *["no_game_in_link"] * 5,
        "no_game_in_link 300",
        "no_changes_in_link",
        "21",
        "file_gone,file_gone",
    ]
