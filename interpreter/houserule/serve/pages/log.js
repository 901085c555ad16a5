// The log of a match in words, and its score sheet.

import { element } from "./dom.js";
import { say } from "./words.js";

const MOST_SHOWN = 400;

export class EventLog {
  constructor() {
    this.events = [];
    this.summary = element("summary");
    this.list = element("ol", { class: "events", tabindex: 0 });
    this.live = element("div", { class: "unseen", role: "log", "aria-live": "polite" });
    this.box = element("details", { open: matchMedia("(min-width: 60rem)").matches }, this.summary, this.list);
    this.root = element("section", { class: "log" }, this.box, this.live);
  }

  forget() {
    this.events = [];
    this.list.replaceChildren();
  }

  /** Takes events from a number on; those that were there before are dropped, as after an undo. */
  add(from, events) {
    if (from < this.events.length) {
      this.events.length = from;
      this.list.replaceChildren();
      this.drawn = 0;
    }
    this.events.push(...events);
    if (from > 0) this.live.replaceChildren(...events.filter((one) => one.kind !== "step").slice(-6).map((one) => element("p", {}, one.text)));
  }

  draw() {
    this.summary.textContent = say("log");
    const begun = Math.max(this.list.childElementCount ? this.drawn ?? 0 : 0, this.events.length - MOST_SHOWN);
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    this.list.append(...this.events.slice(begun).map((one) => element("li", { class: one.kind }, one.text)));
    while (this.list.childElementCount > MOST_SHOWN) this.list.firstChild.remove();
    this.drawn = this.events.length;
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
  }
}

/** The score sheet of a finished match. */
export function sheet(scene) {
  const total = scene.seats.map((_, at) => scene.sheet.reduce((sum, row) => sum + row.points[at], 0));
  const row = (title, points, name = "td") => element("tr", {}, element("th", { scope: "row" }, title), points.map((one) => element(name, {}, String(one))));
  return element("section", { class: "sheet", tabindex: 0, "aria-label": say("sheet") }, element("table", {},
    element("caption", {}, say("sheet")),
    element("thead", {}, element("tr", {}, element("td"), scene.seats.map((seat) => element("th", { scope: "col", class: scene.winners.includes(seat.seat) ? "won" : "" }, seat.name)))),
    element("tbody", {}, scene.sheet.map((one) => row(one.title, one.points))),
    element("tfoot", {}, row(say("total"), total))));
}

