// The playground: the files of a game in an editor, and beside them its table, scenarios, rulebook and figures.

import { element } from "./dom.js";
import { Editor } from "./editor.js";
import { Engine, Stopped } from "./engine.js";
import { arranged, translate } from "./phrases.js";
import { changedBy, filesOf, fragment, unpacked } from "./sharing.js";
import { Shell, save } from "./shell.js";
import { currentLanguage, follow, speak } from "./words.js";

const $ = (id) => document.getElementById(id);
/** Milliseconds after the last key until the language service looks, until the table follows, and until everything is checked. */
const SOON = 120, THEN = 500, LATER = 1500;
const START = `edition: 2026
game: my_game
title: My game
`;
const work = { files: {}, base: null, open: "game.yaml", wrong: {}, game: null, room: null, isSound: false };
let slow = null;
const behind = new Set(); // files that the slow engine has not seen as they are
const shell = new Shell({ status: $("status"), game: () => work.game?.game ?? null, prepare: () => restore(), heard: (room) => { work.room = room; } });
const { engine } = shell;

// --- the language service ---------------------------------------------------------------------------------------------

const service = {
  complete: async (at) => { await sent(); return quietly(engine.ask("complete", { name: work.open, ...at }), []); },
  hover: async (at) => { await sent(); return quietly(engine.ask("hover", { name: work.open, ...at }), null); },
  go: async (at) => { const [found] = await quietly(engine.ask("definition", { name: work.open, ...at }), []); if (found) go(found.file, found.line, found.column); },
  save: () => { looking(0); },
  format: () => format(),
};
const editor = new Editor($("editor"), service, (name, text) => edited(name, text));

async function quietly(promise, otherwise) {
  try {
    return await promise;
  } catch (wrong) {
    if (!(wrong instanceof Stopped)) console.warn(wrong.message);
    return otherwise;
  }
}

const unsent = new Set();
let timers = {};

function edited(name, text) {
  work.files[name] = text;
  unsent.add(name);
  behind.add(name);
  looking(SOON);
}

/** Looks at what was typed after a moment, and follows at the table once nothing is wrong. */
function looking(wait) {
  for (const timer of Object.values(timers)) clearTimeout(timer);
  timers = { look: setTimeout(look, wait), keep: setTimeout(keepLink, 1000) };
}

async function sent() {
  for (const name of [...unsent]) {
    unsent.delete(name);
    await engine.ask("edit", { name, text: work.files[name] });
  }
}

async function look() {
  const name = work.open, text = work.files[name];
  const began = performance.now();
  try {
    await sent();
    const found = await engine.ask("diagnostics", { name, whole: false });
    if (work.files[name] !== text) return;
    for (const [file, listed] of Object.entries(found)) work.wrong[file] = listed;
    document.body.dataset.looked = Math.round(performance.now() - began);
    showWrong();
    const tokens = await engine.ask("tokens", { name });
    if (work.open === name && work.files[name] === text) editor.colour(tokens);
    timers.use = setTimeout(use, THEN);
    timers.whole = setTimeout(lookAtAll, LATER);
  } catch (wrong) {
    if (!(wrong instanceof Stopped)) tell(wrong.message, "wrong");
  }
}

/** Everything that `houserule validate` says, in the background. */
async function lookAtAll() {
  const before = JSON.stringify(work.files);
  const found = await quietly(behindTheScenes("diagnostics", { name: "game.yaml", whole: true }), null);
  if (!found || JSON.stringify(work.files) !== before) return;
  work.wrong = found;
  showWrong();
}

/** Plays by the rules as they are now, if they can be played. */
async function use() {
  if (Object.values(work.wrong).flat().some((one) => one.severity === "error")) return;
  const began = performance.now();
  const { ok, found } = await quietly(engine.request("use"), { ok: false, found: {} });
  work.isSound = ok;
  if (!ok) {
    if (found.sentence) tell(found.sentence, "wrong");
    return;
  }
  const isNew = work.game?.game !== found.game;
  work.game = found;
  document.title = `${found.title} · Houserule`;
  $("players").replaceChildren(...Array.from({ length: found.players[1] - found.players[0] + 1 }, (_, at) => element("option", { value: found.players[0] + at, selected: at + found.players[0] === Math.max(2, found.players[0]) }, String(found.players[0] + at))));
  const kept = found.rooms[work.room];
  if (kept && !isNew) {
    tell(kept.answers === kept.of ? arranged("goes_on") : arranged("goes_on_from", kept));
    shell.pages.get(work.room)?.();
  } else await newMatch();
  document.body.dataset.used = Math.round(performance.now() - began);
  for (const panel of ["rulebook", "scenarios", "study"]) $(`panel-${panel}`).dataset.isOld = "";
  const here = document.querySelector('#views [aria-selected="true"]').dataset.view;
  if (here === "rulebook") rulebook();
}

async function newMatch() {
  const low = Math.max(2, work.game.players[0]) <= work.game.players[1] ? Math.max(2, work.game.players[0]) : work.game.players[0];
  const seats = [null, ...Array(low - 1).fill("random")];
  const { ok, found } = await engine.request("request", { path: "/api/rooms", body: { game: work.game.game, seats, names: ["Anna"] } });
  if (!ok) {
    tell(found.sentence, "wrong");
    return;
  }
  work.room = found.room;
  shell.known.add(found.room);
  shell.pages.clear();
  $("frame").src = `app/room.html?${new URLSearchParams({ room: found.room })}`;
}

// --- the second engine, for what takes long ---------------------------------------------------------------------------

async function behindTheScenes(name, asked = {}) {
  if (!slow) {
    slow = new Engine((state, what) => { if (state === "stopped" || state === "failed") shell.say(state, what); }, async () => { slow.isOpen = false; });
  }
  await slow.ready;
  if (!slow.isOpen) {
    behind.clear();
    await slow.ask("open", { files: work.files });
    slow.isOpen = true;
  }
  for (const file of [...behind]) {
    behind.delete(file);
    await (work.files[file] === undefined ? slow.ask("drop", { name: file }) : slow.ask("edit", { name: file, text: work.files[file] }));
  }
  return slow.ask(name, asked);
}

/** Opens in a new worker what the old one had open. */
async function restore() {
  unsent.clear();
  await quietly(engine.ask("open", { files: work.files }), null);
  const kept = work.room && shell.kept(work.room);
  work.wrong = {};
  editor.mark([]);
  if (await quietly(engine.ask("use"), null) && kept) await engine.request("restore", { room: work.room, kept });
}

// --- files ------------------------------------------------------------------------------------------------------------

const shown = (name) => /\.ya?ml$/.test(name);
const order = (name) => [name !== "game.yaml", name.includes("/"), name].join();

function drawFiles() {
  const names = Object.keys(work.files).filter(shown).sort((one, other) => order(one).localeCompare(order(other)));
  $("files").replaceChildren(...names.map((name) => {
    const worst = (work.wrong[name] ?? []).some((one) => one.severity === "error") ? "error" : (work.wrong[name] ?? []).length ? "warning" : "";
    return element("button", { type: "button", role: "tab", id: `file-${name}`, "aria-selected": String(name === work.open), "aria-controls": "editor", tabindex: name === work.open ? 0 : -1, class: worst, onclick: () => openFile(name) },
      name, worst && element("span", { class: "unseen" }, ` ${arranged(worst === "error" ? "has_errors" : "has_warnings")}`));
  }));
  $("drop").disabled = work.open === "game.yaml";
}

function openFile(name) {
  work.open = name;
  editor.open(name, work.files[name]);
  drawFiles();
  editor.mark(work.wrong[name] ?? []);
  if (engine && document.body.dataset.engine === "ready") quietly(sent().then(() => engine.ask("tokens", { name })), []).then((found) => { if (work.open === name) editor.colour(found); });
  $(`file-${name}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function go(file, line, column) {
  if (work.files[file] === undefined) return;
  if (file !== work.open) openFile(file);
  showSide("editor");
  editor.jump(line, column);
}

/** The lists of files and of views move with the arrow keys. */
for (const id of ["files", "views"]) {
  $(id).addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    const all = [...$(id).children], at = all.indexOf(document.activeElement);
    const next = all[(at + way + all.length) % all.length];
    next.click();
    (document.getElementById(next.id) ?? next).focus();
    event.preventDefault();
  });
}

$("add").onclick = () => {
  const name = prompt(arranged("name_of_file", { name: "variants/my_rule.yaml" }), "variants/my_rule.yaml")?.trim();
  if (!name || work.files[name] !== undefined) return;
  if (!/^(?!\.)[\w][\w.-]*(\/(?!\.)[\w][\w.-]*)*\.ya?ml$/.test(name)) {
    tell(arranged("no_name", { name }), "wrong");
    return;
  }
  const game = work.game?.game ?? "my_game", id = name.split("/").pop().replace(/\.ya?ml$/, "");
  edited(name, name.startsWith("variants/") ? `variant: ${id}\nof: ${game}\ntitle: ${id.replaceAll("_", " ")}\n` : name.startsWith("scenarios/") ? `of: ${game}\nplayers: [anna, ben]\n---\nscenario: \nexpect: []\n` : "");
  openFile(name);
};

$("drop").onclick = async () => {
  const name = work.open;
  if (name === "game.yaml" || !confirm(arranged("sure_to_delete", { name }))) return;
  delete work.files[name];
  delete work.wrong[name];
  unsent.delete(name);
  behind.add(name);
  await quietly(engine.ask("drop", { name }), null);
  openFile("game.yaml");
  looking(0);
};

async function format() {
  await sent();
  const name = work.open, found = await quietly(engine.ask("format", { name }), null);
  if (found !== null && work.open === name) editor.replace(found);
  else tell(arranged("nothing_to_format"));
}
$("format").onclick = format;

// --- what is wrong ----------------------------------------------------------------------------------------------------

function showWrong() {
  const all = Object.entries(work.wrong).flatMap(([file, listed]) => listed.map((one) => ({ file, ...one })));
  all.sort((one, other) => (one.severity !== "error") - (other.severity !== "error") || (one.file !== work.open) - (other.file !== work.open));
  const errors = all.filter((one) => one.severity === "error").length;
  $("count").textContent = all.length ? arranged("counted", { errors, warnings: all.length - errors }) : arranged("nothing_wrong");
  $("wrong").replaceChildren(...all.slice(0, 60).map((one) => element("li", { class: one.severity },
    element("button", { type: "button", onclick: () => go(one.file, one.line, one.column) }, `${one.file}:${one.line}`), ` ${one.message} `,
    one.help && element("span", { class: "small" }, one.help, " "),
    one.fix && element("button", { type: "button", class: "fix", onclick: () => { go(one.fix.file, one.fix.line, one.fix.column); editor.fix(one.fix); } }, arranged("fix_it")),
    element("a", { class: "small", href: `manual/messages.html#${one.code.toLowerCase()}`, target: "_blank" }, one.code))));
  editor.mark(work.wrong[work.open] ?? []);
  drawFiles();
}

let silence = null;

function tell(text, kind = "") {
  $("said").className = kind;
  $("said").textContent = text;
  clearTimeout(silence);
  silence = setTimeout(() => { $("said").textContent = ""; }, kind === "wrong" ? 15000 : 6000);
}

// --- the views --------------------------------------------------------------------------------------------------------

const opening = { rulebook: () => rulebook(), scenarios: () => scenarios(), table: () => {}, study: () => {}, editor: () => {} };

function showSide(view) {
  for (const button of $("views").children) {
    const is = button.dataset.view === view;
    button.setAttribute("aria-selected", String(is));
    button.tabIndex = is ? 0 : -1;
  }
  for (const panel of document.querySelectorAll(".panel")) panel.hidden = panel.id !== `panel-${view === "editor" ? document.body.dataset.side ?? "table" : view}`;
  if (view !== "editor") document.body.dataset.side = view;
  document.body.classList.toggle("editing", view === "editor");
  opening[view]();
}
for (const button of $("views").children) button.onclick = () => showSide(button.dataset.view);

async function rulebook() {
  const panel = $("panel-rulebook");
  if (panel.dataset.isOld === undefined && panel.dataset.language === $("tongue").value) return;
  delete panel.dataset.isOld;
  panel.dataset.language = $("tongue").value;
  $("writing").textContent = "…";
  const page = await behindTheScenes("rulebook", { language: $("tongue").value }).catch((wrong) => (tell(wrong.message, "wrong"), null));
  $("writing").textContent = "";
  if (page !== null) $("book").srcdoc = page;
}
$("tongue").onchange = rulebook;

async function scenarios() {
  const panel = $("panel-scenarios"), list = $("results");
  if (panel.dataset.isOld === undefined && list.children.length) return;
  delete panel.dataset.isOld;
  list.replaceChildren();
  $("tally").textContent = "…";
  try {
    let [passed, all] = [0, 0];
    for (const name of await behindTheScenes("scenarios")) {
      for (const one of await behindTheScenes("scenarios", { name })) {
        all += 1;
        passed += one.passed;
        list.append(element("li", { class: one.passed ? "passed" : "failed" },
          element("button", { type: "button", onclick: () => go(one.file, one.line, 1) }, one.name), one.passed ? "" : element("pre", {}, one.message)));
      }
      $("tally").textContent = arranged("hold", { passed, all });
    }
    if (!all) $("tally").textContent = arranged("no_scenarios", { name: "scenarios/first.yaml" });
  } catch (wrong) {
    $("tally").textContent = wrong instanceof Stopped ? arranged("were_stopped") : wrong.message;
  }
}
$("again").onclick = () => { $("panel-scenarios").dataset.isOld = ""; scenarios(); };

let matches = "";
$("save").onclick = () => save(`${work.game?.game ?? "game"}-matches.csv`, matches, "text/csv");

async function study() {
  $("figures").replaceChildren(element("p", {}, "…"));
  $("run").disabled = true;
  const began = performance.now();
  try {
    const found = await behindTheScenes("study", { matches: Number($("matches").value), players: Number($("players").value), seats: $("bots").value, engine: "auto", csv: true });
    matches = found.csv;
    $("save").disabled = false;
    showFigures(found, (performance.now() - began) / 1000);
  } catch (wrong) {
    $("figures").replaceChildren(element("p", { class: "wrong" }, wrong instanceof Stopped ? arranged("were_stopped") : wrong.message));
  }
  $("run").disabled = false;
}
$("run").onclick = study;

function showFigures(found, seconds) {
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  $("figures").replaceChildren(
    element("p", {}, arranged("played", { matches: found.matches, seconds: seconds.toFixed(1), mean: found.length.mean.toFixed(1), lowest: found.length.lowest, highest: found.length.highest })),
    element("div", { class: "wide", tabindex: 0, role: "group", "aria-label": arranged("seat") }, element("table", {},
      element("thead", {}, element("tr", {}, ["seat", "wins", "score", "from", "to"].map((head) => element("th", { scope: "col" }, arranged(head))))),
      element("tbody", {}, found.seats.map((one) => element("tr", {}, element("th", { scope: "row" }, String(one.seat)),
        [percent(one.share), one.score.mean.toFixed(1), String(one.score.lowest), String(one.score.highest)].map((cell) => element("td", {}, cell))))))),
    element("p", { class: "small" }, arranged("about_random")));
}

// --- opening, sharing and saving --------------------------------------------------------------------------------------

async function openGame(files, base, open) {
  Object.assign(work, { files, base, wrong: {}, game: null, room: null, open: typeof open === "string" && Object.hasOwn(files, open) ? open : "game.yaml" });
  unsent.clear();
  behind.clear();
  if (slow) slow.isOpen = false;
  editor.forget();
  openFile(work.open);
  const { ok, found } = await engine.request("open", { files });
  if (!ok) {
    tell(found.sentence, "wrong");
    return;
  }
  for (const panel of ["rulebook", "scenarios"]) $(`panel-${panel}`).dataset.isOld = "";
  $("frame").removeAttribute("src");
  await use();
  looking(0);
}

/** Opens what the link says: a game, a changed game, a whole game, or an example of the manual. */
async function openLink() {
  try {
    const said = decodeURIComponent(location.hash.slice(1));
    const change = said.match(/^([\w-]+)\+([\w-]+)$/);
    if (said.startsWith("try/")) {
      const [first, ...rest] = said.slice(4).split("/");
      const listed = await fetch("manual/tries.json.gz");
      const tries = await new Response(listed.body.pipeThrough(new DecompressionStream("gzip"))).json();
      const name = [first, ...rest].join("/"), found = Object.hasOwn(tries, name) && tries[name];
      if (!found) throw new Error(arranged("no_example"));
      const base = found.base && { id: found.base, files: await engine.ask("files", { game: found.base }) };
      await openGame({ ...base?.files, ...found.files }, base ?? null, found.open);
    } else if (said.startsWith("g=")) {
      const found = await unpacked(said.slice(2)).catch(() => null);
      await openGame(filesOf(found), null, found?.o);
    } else {
      const id = (change ? change[1] : said) || $("game").options[0].value;
      const files = await engine.ask("files", { game: id });
      const base = { id, files: { ...files } };
      $("game").value = id;
      if (!change) await openGame(files, base, "game.yaml");
      else {
        const found = await unpacked(change[2]).catch(() => null);
        const changed = changedBy(found, files);
        await openGame(changed.files, base, found.o);
        if (changed.said.length) note(changed.said);
      }
    }
  } catch (wrong) {
    note([arranged("not_opened", { why: wrong.message })]);
    if (!Object.keys(work.files).length) await openGame({ "game.yaml": START }, null, "game.yaml");
  }
}

/** Says what the reader must have seen. */
function note(lines) {
  $("notes").replaceChildren(...lines.map((line) => element("p", {}, line)), element("button", { type: "button", onclick: () => { $("notes").hidden = true; } }, arranged("close")));
  $("notes").hidden = false;
}

async function link() {
  return `${location.href.split("#")[0]}#${await fragment(work.files, work.base, work.open)}`;
}

/** Keeps the link in the address, so that loading the page again loses nothing. */
async function keepLink() {
  history.replaceState(null, "", await link());
}

$("share").onclick = async () => {
  const address = await link();
  history.replaceState(null, "", address);
  $("link").value = address;
  $("length").textContent = `${arranged("length", { n: address.length })}${address.length > 8000 ? ` ${arranged("too_long")}` : ""}`;
  $("qr").hidden = true;
  $("sharing").showModal();
  $("link").select();
  const code = await quietly(engine.ask("code", { link: address }), null);
  if (code) {
    $("qr").src = `data:image/svg+xml,${encodeURIComponent(code)}`;
    $("qr").hidden = false;
  }
};
$("copy").onclick = async () => {
  await navigator.clipboard.writeText($("link").value).catch(() => $("link").select());
  $("copy").textContent = arranged("copied");
  setTimeout(() => { $("copy").textContent = arranged("copy"); }, 2000);
};
$("send").hidden = !navigator.share;
$("send").onclick = () => navigator.share({ title: document.title, url: $("link").value }).catch(() => {});
$("close").onclick = () => $("sharing").close();

$("download").onclick = async () => {
  await sent();
  const title = work.game?.game ?? "game";
  const found = await quietly(engine.ask("packed", { title }), null);
  if (found) save(`${title}.zip`, Uint8Array.from(atob(found), (sign) => sign.charCodeAt(0)), "application/zip");
};

/** Opens a folder of this machine: by its handle where there is one, else by the browser's chooser of folders. */
$("folder").onclick = async () => {
  if (!globalThis.showDirectoryPicker) {
    $("chooser").click();
    return;
  }
  try {
    const files = {};
    const walk = async (handle, base) => {
      for await (const [name, one] of handle.entries()) {
        if (name.startsWith(".") || Object.keys(files).length > 400) continue;
        if (one.kind === "directory") await walk(one, `${base}${name}/`);
        else if (/\.(ya?ml|json|txt|md)$/.test(name)) files[base + name] = await (await one.getFile()).text();
      }
    };
    await walk(await showDirectoryPicker(), "");
    await openGame(files, null, "game.yaml");
  } catch (wrong) {
    if (wrong.name !== "AbortError") tell(wrong.message, "wrong");
  }
};
$("chooser").onchange = async (event) => {
  const files = {};
  for (const file of event.target.files) {
    const name = file.webkitRelativePath.split("/").slice(1).join("/") || file.name;
    if (/\.(ya?ml|json|txt|md)$/.test(name) && !/(^|\/)\./.test(name)) files[name] = await file.text();
  }
  await openGame(files, null, "game.yaml");
};
$("game").onchange = () => { location.hash = $("game").value; };
addEventListener("hashchange", openLink);

/** The page in a language: its own words, the titles of games, and the table. */
async function inLanguage() {
  translate();
  $("language").value = $("tongue").value = currentLanguage();
  const [{ games }, chosen] = [await (await fetch(`app/games.${currentLanguage()}.json`)).json(), $("game").value];
  $("game").replaceChildren(...games.map((one) => element("option", { value: one.id, selected: one.id === chosen }, one.title)));
  showWrong();
}
$("language").onchange = async () => {
  speak($("language").value);
  await inLanguage();
  $("frame").contentWindow?.location.reload();
  for (const panel of ["rulebook", "scenarios"]) $(`panel-${panel}`).dataset.isOld = "";
};
follow(inLanguage);

await inLanguage();
openLink();
