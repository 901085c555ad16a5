// Compiles archives of modules by the Python that runs in pages: node compile.mjs FOLDER, with Pyodide, bytecode.py and jobs.json in the folder.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: folder });
python.runPython(readFileSync(join(folder, "bytecode.py"), "utf8"));
for (const { name, root, sources, docs } of JSON.parse(readFileSync(join(folder, "jobs.json"), "utf8"))) {
  python.FS.writeFile("/in.zip", new Uint8Array(readFileSync(join(folder, name))));
  python.globals.set("job", python.toPy([root, sources, docs]));
  python.runPython(`
with open("/in.zip", "rb") as file:
    archive = file.read()
with open("/out.zip", "wb") as file:
    file.write(compiled(archive, *job))`);
  writeFileSync(join(folder, name), python.FS.readFile("/out.zip"));
}
process.exit(0);
