// The worker of a page: the interpreter under Pyodide. It answers one question after another, and reaches nothing but its own files.

import { loadPyodide } from "./engine/pyodide.mjs";
import { host } from "./host.js";

const here = new URL(".", import.meta.url);
const PACKED = ["pyodide.asm.wasm", "python_stdlib.zip"];
const fetched = globalThis.fetch.bind(globalThis);

/** A file that is kept compressed, since few hosts compress them. */
async function unzipped(name, type = "application/octet-stream") {
  const answer = await fetched(new URL(`${name}.gz`, here));
  if (!answer.ok) throw new Error(`${answer.status}: ${name}.gz`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } });
}

/** What Pyodide asks for. */
globalThis.fetch = (address, options) => {
  const name = String(address.url ?? address).split("/").pop();
  return PACKED.includes(name) ? unzipped(`engine/${name}`, name.endsWith(".wasm") ? "application/wasm" : "application/zip") : fetched(address, options);
};

/** The part of Pyodide that is a module by itself, kept compressed as well. */
async function factory() {
  const text = await (await unzipped("engine/pyodide.asm.mjs", "text/javascript")).blob();
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function loaded(name) {
  const answer = await fetched(new URL(name, here));
  if (!answer.ok) throw new Error(`${answer.status}: ${name}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function start() {
  const [python, engine, games] = await Promise.all([
    factory().then((createPyodideModule) => loadPyodide({ createPyodideModule, indexURL: new URL("engine/", here).href, env: { HOME: "/home/web", PYTHONDONTWRITEBYTECODE: "1" } })),
    unzipped("engine/houserule.zip").then((answer) => answer.arrayBuffer()), loaded("games.zip"),
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
