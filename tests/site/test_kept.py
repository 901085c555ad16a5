"""What a browser keeps may be damaged, since every page of the same host can write there: it is left out, and the pages go on."""

from __future__ import annotations

from pathlib import Path

from tests.node import said

STORE = """
const kept = new Map();
let isFull = false;
const set = (name, value) => { if (isFull) throw new Error("full"); kept.set(name, value); };
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: set, removeItem: (name) => kept.delete(name) };
globalThis.window = {};
const WRONG = ["{}", "5", "null", "nonsense", '"x"', "true", "[5, null, {}, [], 0.5]", ""];
"""
MATCHES = """
const { Shell } = await import("./shell.js");
const shell = new Shell({ status: { dataset: {} } });
for (const wrong of WRONG) {
  kept.set("matches", wrong);
  kept.set("match:r", wrong);
  shell.known.clear();
  const { messages } = await shell.hear("r", {}, 0);
  console.log(messages.join(), kept.get("matches"), kept.get("match:r"));
}
kept.set("matches", JSON.stringify(["r", 5, ...Array.from({ length: 30 }, (_, at) => `old${at}`)]));
kept.set("match:old29", "{}");
kept.set("match:r", '{"own":1}');
await shell.hear("r", {}, 0);
console.log(JSON.parse(kept.get("matches")).length, kept.has("match:old29"), kept.get("match:r"));
isFull = true;
console.log((await shell.hear("r", {}, 0)).messages.join());
"""
ENGINE = """
export class Engine {
  async ask() { return { messages: ["shown"], kept: { entries: [] } }; }
  async request() { return { ok: false, found: {} }; }
}
"""
ROOMS = """
const { forgetRoom, keepRoom, myRooms } = await import("./page.js");
for (const wrong of [...WRONG, '[{"id": "a"}]', '[{"id": "a", "title": {}, "names": []}]', '[{"id": "a", "title": "A", "names": [5]}]']) {
  kept.set("rooms", wrong);
  keepRoom("r", { title: "R", names: ["Anna"], over: false });
  console.log(myRooms().map((one) => one.id).join());
}
isFull = true;
keepRoom("s", { title: "S", names: [], over: false });
forgetRoom("r");
console.log(myRooms().map((one) => one.id).join());
"""


def test_damaged_matches_are_left_out_and_the_match_goes_on(tmp_path: Path) -> None:
    others = {"engine.js": ENGINE, "phrases.js": "export const arranged = (key) => key;\n"}
    assert said(STORE + MATCHES, tmp_path, "site/shell.js", "serve/kept.js", others=others) == [
        *['shown ["r"] {"entries":[]}'] * 8,
        '20 false {"own":1,"entries":[]}',
        "shown",
    ]


def test_damaged_rooms_are_left_out_of_the_first_page(tmp_path: Path) -> None:
    words = "LANGUAGES NAMES currentLanguage say speak why".split()
    others = {
        "dom.js": "export const element = () => ({});\n",
        "place.js": 'export const HOME = "", ICON = "", request = null;\n',
        "words.js": "".join(f"export const {word} = null;\n" for word in words),
    }
    assert said(STORE + ROOMS, tmp_path, "serve/page.js", "serve/kept.js", others=others) == ["r"] * 12
