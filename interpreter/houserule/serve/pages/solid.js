// Draws a box as a solid: its levels above each other, its sides around, its lid on top. People turn it; the match turns it, too.

import { drawn, element, set } from "./dom.js";
import { sign } from "./shapes.js";
import { say } from "./words.js";

const LEAN = -22, BEGIN = -32;
/** The degrees for each pixel that a finger moves. */
const DRAG = 0.7;
const SLOW = 700;

/** A solid of a region, made anew when what is on it has changed. `things` have their side as x and their level as y. */
export class Solid {
  constructor() {
    this.turn = BEGIN;
    this.body = element("div", { class: "body" });
    this.left = element("button", { type: "button", onclick: () => this.turned(90) }, "↺");
    this.right = element("button", { type: "button", onclick: () => this.turned(-90) }, "↻");
    this.view = element("div", { class: "view", role: "img" }, this.body);
    this.root = element("div", { class: "solid" }, this.view, element("p", { class: "turns" }, this.left, this.right));
    let from = null;
    this.view.onpointerdown = (event) => { from = event.clientX; this.view.setPointerCapture(event.pointerId); };
    this.view.onpointermove = (event) => {
      if (from === null) return;
      this.turned((event.clientX - from) * DRAG, true);
      from = event.clientX;
    };
    this.view.onpointerup = this.view.onpointercancel = () => { from = null; };
  }

  turned(by, atOnce = false) {
    this.turn += by;
    set(this.body, { class: atOnce ? "body held" : "body", style: { "--turn": `${this.turn}deg` } });
  }

  show(region, things, isCalm, hasIcons) {
    set(this.left, { "aria-label": say("turn_left") });
    set(this.right, { "aria-label": say("turn_right") });
    const sides = Math.max(3, ...things.map((thing) => thing.x + 1));
    const levels = [...new Set(things.map((thing) => thing.y))].sort((one, two) => one - two).map((y) => things.filter((thing) => thing.y === y).sort((one, two) => one.x - two.x));
    const look = JSON.stringify([things, region.lid, hasIcons]);
    if (look === this.look) return this.root;
    const before = this.order;
    this.look = look;
    this.order = levels.map((level) => level.map((thing) => thing.id));
    const deep = 0.5 / Math.tan(Math.PI / sides);
    set(this.root, { style: { "--levels": levels.length, "--deep": deep, "--sides": sides } });
    set(this.view, { "aria-label": `${region.title}: ${things.map((thing) => [thing.words, ...thing.marks].join(" ")).join(", ")}` });
    const made = levels.map((level, at) => element("div", { class: "level", style: { "--level": at } }, level.map((thing) => face(thing))));
    this.body.replaceChildren(...made, ...["lid", "floor"].map((name) => lid(name, region, sides)));
    this.turned(0);
    if (!isCalm && before) this.animate(before, made, sides, region.lid?.title);
    this.lid = region.lid?.title;
    return this.root;
  }

  /** Levels whose faces are the same in a turned order turn; a solid whose lid has changed turns over. */
  animate(before, made, sides, lid) {
    if (lid !== this.lid) {
      this.body.animate([{ rotate: "x 180deg" }, { rotate: "x 0deg" }], { duration: SLOW, easing: "ease-in-out" });
      return;
    }
    made.forEach((level, at) => {
      const [old, now] = [before[at] ?? [], this.order[at]];
      const by = now.indexOf(old[0]);
      if (by <= 0 || old.length !== now.length || old.some((id, k) => now[(k + by) % now.length] !== id)) return;
      const steps = by > now.length / 2 ? by - now.length : by;
      level.animate([{ rotate: `y ${(steps * 360) / sides}deg` }, { rotate: "y 0deg" }], { duration: SLOW, easing: "ease-in-out" });
    });
  }
}

/** A face: what lies there, pulled out a little if it has something to say. */
function face(thing) {
  const made = element("div", { class: `face fill-${thing.fill}${thing.marks.length ? " out" : ""}${thing.is_changed ? " changed" : ""}`, style: { "--side": thing.x } });
  const drawing = drawn("svg", { viewBox: "0 0 100 100", class: "shape", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" });
  if (thing.pattern) drawing.append(drawn("rect", { width: 100, height: 100, class: "pattern", fill: `url(#pattern-${thing.pattern})` }));
  const found = thing.icon ? sign(thing.icon, 44) : null;
  drawing.append(drawn("g", { class: "ink" }, found ?? drawn("text", { x: 50, y: 62, class: "large" }, thing.symbol)));
  made.append(drawing);
  return made;
}

function lid(name, region, sides) {
  const made = element("div", { class: `${name} fill-${region.fill ?? "brown"}` });
  if (name === "floor" || !region.lid) return made;
  const round = drawn("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
  const found = region.lid.icon ? sign(region.lid.icon, 62) : null;
  round.append(drawn("g", { class: "ink" }, found ?? drawn("text", { x: 50, y: 60, class: "large" }, region.lid.symbol)));
  made.append(round);
  if (sides !== 4) made.style.setProperty("border-radius", "50%");
  return made;
}
