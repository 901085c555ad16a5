// The worker of a page: the interpreter under Pyodide. It answers one question after another, and reaches nothing but its own files.

import { loadPyodide } from "./engine/pyodide.mjs";
import { host } from "./host.js";

const here = new URL(".", import.meta.url);
const WASM = "pyodide.asm.wasm";
const fetched = globalThis.fetch.bind(globalThis);

/** The compiled interpreter of Python is kept compressed, since few hosts compress it. */
globalThis.fetch = async (address, options) => {
  const url = String(address.url ?? address);
  if (!url.endsWith(WASM)) return fetched(address, options);
  const packed = await fetched(`${url}.gz`);
  if (!packed.ok) throw new Error(`${packed.status}: ${url}.gz`);
  return new Response(packed.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": "application/wasm" } });
};

async function loaded(name) {
  const answer = await fetched(new URL(name, here));
  if (!answer.ok) throw new Error(`${answer.status}: ${name}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function start() {
  const [python, engine, games] = await Promise.all([
    loadPyodide({ indexURL: new URL("engine/", here).href, env: { HOME: "/home/web", PYTHONDONTWRITEBYTECODE: "1" } }),
    loaded("engine/houserule.zip"), loaded("games.zip"),
  ]);
  python.unpackArchive(engine, "zip", { extractDir: "/lib/houserule" });
  python.unpackArchive(games, "zip", { extractDir: "/games" });
  python.registerJsModule("houserule_host", host);
  // From here on nothing in this worker asks for anything: rules of strangers could not, and now nobody can.
  for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "indexedDB", "caches", "Worker"]) {
    try { globalThis[name] = undefined; } catch { /* it stays as it is */ }
  }
  return python.runPython(`
import sys
sys.path.insert(0, "/lib/houserule")
from houserule.site.desk import opened
opened("/games", "/work")
`);
}

const ready = start();
ready.then(() => postMessage({ ready: true }), (wrong) => postMessage({ failed: String(wrong) }));
let last = ready;

onmessage = ({ data }) => {
  last = last.then(async () => {
    const ask = await ready;
    postMessage({ begun: data.number });
    postMessage({ number: data.number, answer: ask(data.question) });
  }).catch((wrong) => postMessage({ number: data.number, broken: String(wrong).slice(-600) }));
};
