import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gameFolder, results, run, scenarios } from "../commands";

test("the folder of a game is the nearest with a game.yaml", () => {
  const there = new Set(["/a/game.yaml", "/a/b/c/game.yaml"]);
  const exists = (name: string): boolean => there.has(name);
  assert.equal(gameFolder("/a/b/c/variants/x.yaml", exists), "/a/b/c");
  assert.equal(gameFolder("/a/b/x.yaml", exists), "/a");
  assert.equal(gameFolder("/x/y.yaml", exists), undefined);
});

test("no folder that is opened names the command that runs", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf-8"));
  assert.equal(manifest.contributes.configuration.properties["houserule.command"].scope, "machine");
});

test("scenarios are found by name and line", () => {
  const text = "of: mushrooms\n---\nscenario: The first\nplay: []\n---\r\nscenario: \"A # b\"\n";
  assert.deepEqual(scenarios(text), [
    { name: "The first", line: 2 },
    { name: "A # b", line: 5 },
  ]);
});

test("results are read, and anything else is not", () => {
  const one = { name: "x", line: 3, passed: false, message: "no", seconds: 0.1 };
  assert.deepEqual(results(JSON.stringify({ scenarios: [one] })), [one]);
  assert.equal(results("error: no such file"), undefined);
  assert.equal(results("{}"), undefined);
});

test("a command that fails says why, and so does one that is not there", async () => {
  const node = process.execPath;
  assert.deepEqual(await run(node, ["-e", "console.log(1)"]), { succeeded: true, said: "1\n" });
  assert.deepEqual(await run(node, ["-e", "console.error('no'); process.exit(2)"]), { succeeded: false, said: "no\n" });
  const missing = await run("no-such-command", []);
  assert.equal(missing.succeeded, false);
  assert.match(missing.said, /no-such-command/);
});
