// Steps through a finished match, or the match of a record on this page.

import { arrange, element } from "./dom.js";
import { lookClosely } from "./look.js";
import { sheet } from "./log.js";
import { ask, head, notice } from "./page.js";
import { HOME, roomAt, roomHere } from "./place.js";
import { patterns } from "./shapes.js";
import { Table } from "./table.js";
import { currentLanguage, say } from "./words.js";

const id = roomHere();
const record = id ? null : recordHere();
const table = new Table(() => {});
lookClosely(table);
const events = element("ul", { class: "events", "aria-live": "polite", tabindex: 0 });
/** Milliseconds between two steps that follow by themselves. */
const PACE = 1200;
let playing = null;
const main = element("main", { class: "room-main" });
const side = element("aside", { class: "side" });
const status = element("p", { class: "status", role: "status" });
let now = 0;
let shown = null;

/** The record that the first page has opened; null if there is none, which is refused in words. */
function recordHere() {
  try {
    return JSON.parse(sessionStorage.getItem("record"));
  } catch {
    return null;
  }
}

async function go(step) {
  try {
    shown = id
      ? await ask(`/api/rooms/${encodeURIComponent(id)}/replay/${step}?language=${encodeURIComponent(currentLanguage())}`)
      : await ask("/api/replay", { record, step, language: currentLanguage() });
    now = shown.step;
    history.replaceState(null, "", `#${now}`);
    draw();
  } catch (wrong) {
    stop();
    notice(wrong.message);
  }
}

/** Goes on step by step, until the end or until somebody stops it. */
function play() {
  playing = setTimeout(async () => {
    await go(now + 1);
    if (!playing) return;
    if (now < shown.steps) play();
    else stop();
  }, PACE);
  draw();
}

function stop() {
  clearTimeout(playing);
  playing = null;
  if (shown) draw();
}

function draw() {
  const { scene, steps } = shown;
  if (!document.querySelector("header")) {
    arrange(document.body, [head(scene.title, () => { document.querySelector("header").remove(); go(now); }, undefined,
      element("nav", { class: "links", "aria-label": say("replay") }, element("a", { href: id ? roomAt(id) : HOME }, say(id ? "to_room" : "to_lobby")))), status, main, patterns()]);
  }
  status.textContent = `${say("step", { n: now, all: steps })} · ${shown.by ? say("answered_by", { name: shown.by }) : say("beginning")}`;
  const focused = document.activeElement?.id;
  const steer = (name, to, isOff) => element("button", { type: "button", id: name, disabled: isOff, onclick: () => { stop(); go(to); } }, say(name));
  events.replaceChildren(...shown.log.map((one) => element("li", { class: one.kind }, one.text)));
  side.replaceChildren(
    element("p", { class: "actions" }, steer("back", now - 1, now === 0), steer("forward", now + 1, now === steps),
      element("button", { type: "button", id: "play", disabled: now === steps, "aria-pressed": String(Boolean(playing)), onclick: () => (playing ? stop() : play()) }, say(playing ? "stop" : "play"))),
    element("label", { class: "field" }, say("step", { n: now, all: steps }), element("input", { type: "range", id: "step", min: 0, max: steps, value: now, onchange: (event) => { stop(); go(Number(event.target.value)); } })),
    element("section", { class: "log" }, element("h2", {}, say("changed")), events),
    ...(scene.is_over ? sheet(scene) : []));
  arrange(main, [side, table.root]);
  if (focused) document.getElementById(focused)?.focus();
  table.show(scene, null, new Set());
}

go(/^#\d{1,9}$/.test(location.hash) ? Number(location.hash.slice(1)) : 0);
