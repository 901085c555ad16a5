// The page around the pages of a room: it has the interpreter, and keeps rooms in this browser.

import { Engine } from "./engine.js";
import { keep, kept } from "./kept.js";
import { arranged } from "./phrases.js";

const MOST_KEPT = 20;
/** Milliseconds for which a page says that something was stopped. */
const LONGEST_SAID = 30000;

/** What the pages in its frame see as `parent.houserule`. */
export class Shell {
  /** `isSite` says that it shows all games of the site, `prepare` opens in a new worker what the old one had open; `game` says which game is chosen first. */
  constructor({ status, isSite = false, prepare = async () => {}, game = () => null, heard = () => {} }) {
    this.isSite = isSite;
    this.status = status;
    this.game = game;
    this.heard = heard;
    this.pages = new Map();
    this.known = new Set();
    this.engine = new Engine((state, what = "") => this.say(state, what), async () => {
      this.known.clear();
      await prepare();
      for (const connect of this.pages.values()) connect();
    });
    window.houserule = this;
  }

  say(state, what) {
    document.body.dataset.engine = state;
    if (state === "ready") dispatchEvent(new Event("engine-ready"));
    if (["starting", "ready"].includes(state) && this.status.dataset.state === "stopped") return; // what was stopped stays to be read
    this.status.dataset.state = state;
    if (state === "stopped") setTimeout(() => { this.status.dataset.state = ""; this.status.textContent = ""; }, LONGEST_SAID);
    this.status.textContent = state === "ready" ? "" : arranged(state, { what });
  }

  /** A room's page is there, and wants to be told when everything has to be shown anew. */
  join(room, connect) {
    this.pages.set(room, connect);
  }

  async hear(room, message, now) {
    await this.atWork(room);
    return this.told(room, await this.engine.ask("hear", { room, message: JSON.stringify(message), now }));
  }

  async step(room, now) {
    return this.told(room, await this.engine.ask("step", { room, now }));
  }

  told(room, found) {
    this.keep(room, found.kept);
    this.known.add(room);
    this.heard(room, found);
    return found;
  }

  /** Makes sure that the interpreter has a room that this browser has kept. */
  async atWork(room) {
    if (!room || this.known.has(room)) return;
    const kept = this.kept(room);
    if (kept) await this.engine.request("restore", { room, kept, own: kept.own });
    this.known.add(room);
  }

  kept(room) {
    const found = kept(`match:${room}`);
    return typeof found === "object" && !Array.isArray(found) ? found : null;
  }

  keep(room, about) {
    const before = this.kept(room), found = kept("matches");
    const all = (Array.isArray(found) ? found : []).filter((one) => typeof one === "string" && one !== room);
    for (const old of all.splice(MOST_KEPT - 1)) localStorage.removeItem(`match:${old}`);
    if (keep("matches", JSON.stringify([room, ...all]))) keep(`match:${room}`, JSON.stringify({ ...before, ...about }));
  }

  save(name, content, type) {
    save(name, content, type);
  }
}

/** Saves a file by the browser's own means. */
export function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
