// What has changed on the table moves, in the order of the events: dice tumble, pieces turn over and are dealt, points rise. Any key or
// touch ends it. A sound and a notification say whose turn it is, for those who want them.

import { element } from "./dom.js";
import { keep } from "./kept.js";
import { ICON } from "./place.js";
import { shape } from "./shapes.js";
import { say } from "./words.js";

const TUMBLE = 620, FACE = 90, TURN = 320, DEAL = 260, RISE = 1300;
/** The delay between things that are dealt one after the other, and how many are. */
const NEXT = 45, MOST_DEALT = 30;
/** The phases of what happens, by the kinds of events that they show. */
const PHASES = { roll: "roll", move: "deal", exchange: "deal", light: "turn", show: "turn", set: "rise" };
const LENGTHS = { roll: TUMBLE, deal: DEAL, turn: TURN, rise: 0 };

/** Whether nothing should move. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

/** What has happened since the last drawing: the log tells it. */
const news = [];

export function tell(events) {
  news.push(...events);
}

/** The moment at which each phase begins, in milliseconds: in the order of the events. */
export function timeline(events) {
  const order = [...new Set([...events.map((one) => PHASES[one.kind]).filter(Boolean), ...Object.keys(LENGTHS)])];
  let at = 0;
  return Object.fromEntries(order.map((phase) => {
    const begins = at;
    if (events.some((one) => PHASES[one.kind] === phase)) at += LENGTHS[phase];
    return [phase, begins];
  }));
}

const running = new Set();

function move(made, frames, options) {
  const animation = made.animate(frames, { fill: "backwards", easing: "ease-out", ...options });
  running.add(animation);
  animation.finished.catch(() => {}).finally(() => running.delete(animation));
  return animation;
}

/** Ends all that moves. */
export function skip() {
  for (const animation of [...running]) animation.finish();
}
for (const name of ["pointerdown", "keydown"]) addEventListener(name, skip, true);

/** Shows what has changed from one scene to the next; `find` gives the element of a thing or a value by its id. */
export function animate(before, now, find) {
  const events = news.splice(0);
  if (!before || before.game !== now.game || isCalm()) return;
  const begins = timeline(events);
  const old = new Map(before.things.map((thing) => [thing.id, thing]));
  const oldValues = new Map(before.variables.map((value) => [value.id, value]));
  let dealt = 0, isRolled = false;
  for (const thing of now.things) {
    const made = find(`thing ${thing.id}`), was = old.get(thing.id);
    if (!made) continue;
    if (was && isDie(thing) && (was.icon !== thing.icon || was.symbol !== thing.symbol || (thing.is_up && !was.is_up))) {
      tumble(made, thing, now, begins.roll);
      isRolled = true;
    } else if (was && was.is_face_up !== thing.is_face_up) {
      move(made, [{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: TURN, delay: begins.turn });
    } else if (!was && dealt < MOST_DEALT) {
      move(made, [{ opacity: 0, transform: "translateY(-1.2rem) scale(1.15)" }, { opacity: 1, transform: "none" }], { duration: DEAL, delay: begins.deal + NEXT * dealt });
      dealt += 1;
    }
  }
  for (const value of now.variables) {
    const made = find(`value ${value.id}`), was = oldValues.get(value.id);
    const isAgain = value.show === "die" && value.is_changed && events.some((one) => one.kind === "roll");
    if (!made || (!was && !isAgain) || (was?.words === value.words && !isAgain)) continue;
    if (value.show === "die") isRolled = true;
    if (value.show === "spinner") spin(made, value, begins.roll);
    else if (value.show === "die") move(made, [{ rotate: "-1turn", scale: 0.7 }, { rotate: "0turn", scale: 1 }], { duration: TUMBLE, delay: begins.roll });
    else if (value.number !== null && was.number !== null) rise(made, value.number - was.number, begins.rise);
  }
  if (isRolled) rattle();
}

function isDie(thing) {
  return thing.shape === "die" && thing.is_face_up;
}

/** A die tumbles over other faces of its own and stops at the one that it shows. */
function tumble(made, thing, scene, delay) {
  const others = scene.things.filter((one) => one.region === thing.region && one.place === thing.place && isDie(one));
  const faces = others.length > 1 && thing.is_up ? others : thing.icon.startsWith("pips/") ? [1, 2, 3, 4, 5, 6].map((pips) => ({ ...thing, icon: `pips/${pips}` })) : [thing];
  const still = made.querySelector(".shape");
  let at = 0, tick = null;
  const animation = move(made, [{ rotate: "-1.5turn", translate: "0 -70%" }, { rotate: "-.4turn", translate: "0 0", offset: 0.7 }, { rotate: "0turn" }], { duration: TUMBLE, delay });
  const show = (drawing) => made.querySelector(".shape")?.replaceWith(drawing);
  tick = setInterval(() => { at += 1; show(shape(faces[(at * 3 + faces.length - 1) % faces.length])); }, FACE);
  animation.finished.catch(() => {}).finally(() => {
    clearInterval(tick);
    show(still);
  });
}

function spin(made, value, delay) {
  const needle = made.querySelector(".needle");
  if (needle) move(needle, [{ rotate: "-3turn" }, { rotate: needle.style.rotate || "0deg" }], { duration: 2 * TUMBLE, delay, easing: "cubic-bezier(.1, .7, .1, 1)" });
}

/** A gain or a loss rises from a number. */
function rise(made, by, delay) {
  if (!by) return;
  const shown = element("span", { class: `gain${by < 0 ? " loss" : ""}`, "aria-hidden": "true" }, by > 0 ? `+${by}` : `${by}`);
  made.append(shown);
  move(shown, [{ opacity: 0, transform: "translateY(40%)" }, { opacity: 1, transform: "translateY(-40%)", offset: 0.3 }, { opacity: 0, transform: "translateY(-160%)" }], { duration: RISE, delay })
    .finished.catch(() => {}).finally(() => shown.remove());
}

// --- sounds and notifications, off until somebody wants them --------------------------------------------------------------

export function wants(name) {
  return localStorage.getItem(`wants:${name}`) === "yes";
}

/** The choices of sounds and notifications. */
export function choices() {
  const choice = (name) => element("label", { class: "check" },
    element("input", { type: "checkbox", id: `wants-${name}`, checked: wants(name), onchange: (event) => {
      keep(`wants:${name}`, event.target.checked ? "yes" : "no");
      if (name === "sounds" && event.target.checked) chime();
      if (name === "notices" && event.target.checked) globalThis.Notification?.requestPermission?.();
    } }), say(name));
  return element("p", { class: "signals" }, choice("sounds"), globalThis.Notification ? choice("notices") : null);
}

let sounds = null;

function tone(frequency, begins, length, kind = "sine", loud = 0.12) {
  sounds ??= new AudioContext();
  const [wave, volume] = [sounds.createOscillator(), sounds.createGain()];
  const at = sounds.currentTime + begins;
  wave.type = kind;
  wave.frequency.value = frequency;
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  wave.connect(volume).connect(sounds.destination);
  wave.start(at);
  wave.stop(at + length);
}

function chime() {
  tone(660, 0, 0.25);
  tone(880, 0.14, 0.4);
}

function rattle() {
  if (wants("sounds")) for (let at = 0; at < 7; at += 1) tone(180 + 90 * (at % 3), at * 0.08, 0.06, "square", 0.05);
}

/** Says that somebody is asked, if that is news. */
export function yourTurn(scene) {
  if (wants("sounds")) chime();
  if (wants("notices") && document.hidden && globalThis.Notification?.permission === "granted") {
    const made = new Notification(say("your_turn"), { body: `${scene.title}: ${scene.question?.prompt || say("choose")}`, tag: scene.game, icon: ICON });
    made.onclick = () => { focus(); made.close(); };
  }
}
