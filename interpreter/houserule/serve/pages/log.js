// The log of a match in words, and its score sheet.

import { element } from "./dom.js";
import { choices, isCalm, tell } from "./motion.js";
import { listed, say } from "./words.js";

const MOST_SHOWN = 400;

export class EventLog {
  constructor() {
    this.events = [];
    this.summary = element("summary");
    this.list = element("ol", { class: "events", tabindex: 0 });
    this.live = element("div", { class: "unseen", role: "log", "aria-live": "polite" });
    this.box = element("details", { open: matchMedia("(min-width: 60rem)").matches }, this.summary, this.list);
    this.signals = element("div");
    this.root = element("section", { class: "log" }, this.box, this.live, this.signals);
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
    if (from > 0) tell(events);
    if (from > 0) this.live.replaceChildren(...events.filter((one) => one.kind !== "step").slice(-6).map((one) => element("p", {}, one.text)));
  }

  draw() {
    this.summary.textContent = say("log");
    if (this.language !== say("log")) {
      this.language = say("log");
      this.signals.replaceChildren(choices());
    }
    const begun = Math.max(this.list.childElementCount ? this.drawn ?? 0 : 0, this.events.length - MOST_SHOWN);
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    this.list.append(...this.events.slice(begun).map((one) => element("li", { class: one.kind }, one.text)));
    while (this.list.childElementCount > MOST_SHOWN) this.list.firstChild.remove();
    this.drawn = this.events.length;
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
  }
}

const CONFETTI = 28;
const ended = { look: "", made: null };

/** The score sheet of a finished match, with its winners; the same element as long as it says the same. */
export function sheet(scene) {
  const look = JSON.stringify([scene.winners, scene.sheet, scene.seats.map((seat) => seat.name), say("sheet")]);
  if (ended.look !== look) Object.assign(ended, { look, made: element("div", { class: "ending" }, celebration(scene), scores(scene)) });
  return ended.made;
}

/** Who has won, with confetti for those who like it. */
function celebration(scene) {
  const won = scene.winners.map((at) => scene.seats[at]);
  const words = won.length ? say(won.length === 1 ? "wins" : "share", { names: listed(won.map((seat) => seat.name)) }) : say("nobody_wins");
  const falling = won.length && !isCalm() ? [...Array(CONFETTI).keys()].map((at) => element("i", { class: `fill-${won[at % won.length].fill}`, style: { "--at": `${(at * 61) % 100}%`, "--late": `${(at * 37) % 900}ms`, "--spin": `${(at % 5) - 2}turn` } })) : [];
  return element("section", { class: `celebration${won.some((seat) => seat.is_viewer) ? " mine" : ""}` },
    element("span", { class: "confetti", "aria-hidden": "true" }, falling),
    element("span", { class: "medals", "aria-hidden": "true" }, won.map((seat) => element("i", { class: `seat-mark fill-${seat.fill}` }, "★"))),
    element("h2", {}, words));
}

function scores(scene) {
  const total = scene.seats.map((_, at) => scene.sheet.reduce((sum, row) => sum + row.points[at], 0));
  const row = (title, points, name = "td") => element("tr", {}, element("th", { scope: "row" }, title), points.map((one) => element(name, {}, String(one))));
  return element("section", { class: "sheet", tabindex: 0, "aria-label": say("sheet") }, element("table", {},
    element("caption", {}, say("sheet")),
    element("thead", {}, element("tr", {}, element("td"), scene.seats.map((seat) => element("th", { scope: "col", class: scene.winners.includes(seat.seat) ? "won" : "" }, seat.name)))),
    element("tbody", {}, scene.teams.some((team) => team.title) && row("", scene.seats.map(({ seat }) => scene.teams.find((team) => team.seats.includes(seat))?.title ?? "")), scene.sheet.map((one) => row(one.title, one.points))),
    element("tfoot", {}, row(say("total"), total))));
}

