// The log of a match in words, and its score sheet.

import { element } from "./dom.js";
import { isCalm, tell } from "./motion.js";
import { say } from "./words.js";

const MOST_SHOWN = 400;

export class EventLog {
  constructor() {
    this.events = [];
    this.title = element("h2");
    this.fresh = 0; // from which event on they are new to the viewer
    this.list = element("ol", { class: "events", tabindex: 0 });
    this.isAtEnd = true;
    this.list.onscroll = () => { this.isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40; };
    globalThis.ResizeObserver && new ResizeObserver(() => this.keepEnd()).observe(this.list);
    this.live = element("div", { class: "unseen", role: "log", "aria-live": "polite" });
    this.root = element("section", { class: "log" }, this.title, this.list, this.live);
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

  /** Whoever answers has seen what is there. */
  seen() {
    this.fresh = this.events.length;
  }

  draw() {
    this.title.textContent = say("log");
    const begun = Math.max(this.list.childElementCount ? this.drawn ?? 0 : 0, this.events.length - MOST_SHOWN);
    this.events.slice(begun).forEach((one, at) => this.write(one, begun + at));
    while (this.list.childElementCount > MOST_SHOWN) this.list.firstChild.remove();
    this.drawn = this.events.length;
    for (const line of this.list.children) line.classList.toggle("old", line.at < this.fresh);
    this.keepEnd();
  }

  /** Writes an event; what happens again and again is one line, with how often. */
  write(one, at) {
    let line = this.list.lastElementChild;
    if (line?.text === one.text && line.classList.contains(one.kind) && !["step", "turn"].includes(one.kind)) line.often += 1;
    else {
      line = Object.assign(element("li", { class: one.kind }), { text: one.text, often: 1 });
      this.list.append(line);
    }
    line.at = at;
    line.textContent = line.often > 1 ? `${one.text} ×${line.often}` : one.text;
  }

  /** Whoever reads the last lines goes on to see the last ones; whoever has scrolled back stays there. */
  keepEnd() {
    if (this.isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }
}

const CONFETTI = 28;
const ended = { look: "", made: [] };

/** Who has won a finished match, and its score sheet; the same elements as long as they say the same. */
export function sheet(scene) {
  const look = JSON.stringify([scene.ending, scene.winners, scene.sheet, scene.seats.map((seat) => seat.name), say("sheet")]);
  if (ended.look !== look) Object.assign(ended, { look, made: [celebration(scene), scores(scene)] });
  return ended.made;
}

/** Who has won, with confetti for those who like it. */
function celebration(scene) {
  const won = scene.winners.map((at) => scene.seats[at]);
  const falling = won.length && !isCalm() ? [...Array(CONFETTI).keys()].map((at) => element("i", { class: `fill-${won[at % won.length].fill}`, style: { "--at": `${(at * 61) % 100}%`, "--late": `${(at * 37) % 900}ms`, "--spin": `${(at % 5) - 2}turn` } })) : [];
  return element("section", { class: `celebration${won.some((seat) => seat.is_viewer) ? " mine" : ""}` },
    element("span", { class: "confetti", "aria-hidden": "true" }, falling),
    element("span", { class: "medals", "aria-hidden": "true" }, won.map((seat) => element("i", { class: `seat-mark fill-${seat.fill}` }, "★"))),
    element("h2", {}, scene.ending));
}

function scores(scene) {
  const total = scene.seats.map((_, at) => scene.sheet.reduce((sum, row) => sum + row.points[at], 0));
  const row = (title, points, name = "td") => element("tr", {}, element("th", { scope: "row" }, title), points.map((one) => element(name, {}, String(one))));
  if (!scene.sheet.length) return ranking(scene);
  return element("section", { class: "sheet", tabindex: 0, "aria-label": say("sheet") }, element("table", {},
    element("caption", {}, say("sheet")),
    element("thead", {}, element("tr", {}, element("td"), scene.seats.map((seat) => element("th", { scope: "col", class: scene.winners.includes(seat.seat) ? "won" : "" }, seat.name)))),
    element("tbody", {}, scene.teams.some((team) => team.title) && row("", scene.seats.map(({ seat }) => scene.teams.find((team) => team.seats.includes(seat))?.title ?? "")), scene.sheet.map((one) => row(one.title, one.points))),
    scene.sheet.length > 1 && element("tfoot", {}, row(say("total"), total))));
}

/** Who has won and who has not, where nobody counts points. */
function ranking(scene) {
  const hasWon = (seat) => scene.winners.includes(seat.seat);
  const rows = [...scene.seats].sort((one, other) => hasWon(other) - hasWon(one));
  return element("section", { class: "sheet", tabindex: 0, "aria-label": say("sheet") }, element("ul", { class: "ranking" }, rows.map((seat) =>
    element("li", { class: hasWon(seat) ? "won" : "" }, element("i", { class: `seat-mark fill-${seat.fill}`, "aria-hidden": "true" }, seat.seat + 1), seat.name))));
}
