// Draws pieces: the outline of each shape, its colour, and a pattern beside the colour.

import { drawn } from "./dom.js";
import { request } from "./place.js";

const OUTLINES = {
  card: () => [drawn("rect", { x: 14, y: 3, width: 72, height: 94, rx: 9 })],
  tile: () => [drawn("rect", { x: 4, y: 4, width: 92, height: 92, rx: 10 })],
  cube: () => [drawn("path", { d: "M12 26 L50 8 L88 26 L88 74 L50 92 L12 74 Z" })],
  pawn: () => [drawn("path", { d: "M50 6 a19 19 0 0 1 11 34 c13 8 18 24 20 52 h-62 c2 -28 7 -44 20 -52 a19 19 0 0 1 11 -34 z" })],
  die: () => [drawn("rect", { x: 9, y: 9, width: 82, height: 82, rx: 18 })],
  stone: () => [drawn("circle", { cx: 50, cy: 50, r: 43 })],
  disc: () => [drawn("circle", { cx: 50, cy: 50, r: 44 })],
  gem: () => [drawn("path", { d: "M30 10 L70 10 L94 38 L50 92 L6 38 Z" })],
  coin: () => [drawn("circle", { cx: 50, cy: 50, r: 42 })],
};
/** A tile on a board of hexagons: as wide as its place, and higher by what its neighbours leave free. */
const HEXAGON = "M50 -6 L98.5 22 L98.5 78 L50 106 L1.5 78 L1.5 22 Z";
const CREASES = new Map([
  ["cube", "M12 26 L50 44 L88 26 M50 44 L50 92"],
  ["disc", "M50 14 a36 36 0 1 1 -0.1 0 M50 24 a26 26 0 1 1 -0.1 0"],
  ["gem", "M6 38 L94 38 M30 10 L34 38 L50 92 L66 38 L70 10 M34 38 L50 10 L66 38"],
  ["coin", "M50 15 a35 35 0 1 1 -0.1 0"],
]);
const SUITS = new Map([
  ["club", "M50 6 a19 19 0 0 1 16 30 a19 19 0 1 1 -10 34 C57 82 60 88 68 94 H32 C40 88 43 82 44 70 a19 19 0 1 1 -10 -34 a19 19 0 0 1 16 -30 Z"],
  ["diamond", "M50 6 L84 50 L50 94 L16 50 Z"],
  ["heart", "M50 90 C20 62 8 46 8 30 a20 20 0 0 1 42 -6 a20 20 0 0 1 42 6 C92 46 80 62 50 90 Z"],
  ["spade", "M50 6 C64 30 92 42 92 62 a19 19 0 0 1 -36 8 C57 80 60 88 68 94 H32 C40 88 43 80 44 70 a19 19 0 0 1 -36 -8 C8 42 36 30 50 6 Z"],
]);
/** The dots of each number, among nine places in three rows. */
const PIPS = ["", "4", "26", "246", "0268", "02468", "023568", "0234568", "01235678", "012345678"];
/** The size of the drawing of an icon. */
const SIZE = 512;

const PATTERNS = {
  dots: [drawn("circle", { cx: 5, cy: 5, r: 1.9 })],
  waves: [drawn("path", { d: "M0 5 q2.5 -4 5 0 t5 0", class: "stroke" })],
  stripes: [drawn("path", { d: "M-2 2 l4 -4 M0 10 l10 -10 M8 12 l4 -4", class: "stroke" })],
  checks: [drawn("path", { d: "M0 0 h5 v5 h-5 z M5 5 h5 v5 h-5 z" })],
  cross: [drawn("path", { d: "M5 1.5 v7 M1.5 5 h7", class: "stroke" })],
  bricks: [drawn("path", { d: "M0 0 h10 M0 5 h10 M3 0 v5 M8 5 v5", class: "stroke" })],
  rings: [drawn("circle", { cx: 5, cy: 5, r: 3, class: "stroke" })],
  steps: [drawn("path", { d: "M0 8 h3 v-3 h3 v-3 h4", class: "stroke" })],
  stars: [drawn("path", { d: "M5 1 l1.2 2.8 3 .2 -2.3 2 .8 3 -2.7 -1.7 -2.7 1.7 .8 -3 -2.3 -2 3 -.2 z" })],
};

/** Light from above: how much of white or black lies on a piece, from its top to its bottom. */
const LIGHT = [[0, "#fff", 0.42], [0.3, "#fff", 0.08], [0.65, "#000", 0.02], [1, "#000", 0.24]];
/** The printed part of a card, within its rim. */
const PRINTED = { x: 18, y: 7, width: 64, height: 86, rx: 6 };

/** The definitions of all patterns and of the light, once per page. */
export function patterns() {
  const kept = drawn("svg", { class: "patterns", "aria-hidden": "true", width: 0, height: 0 });
  kept.append(drawn("linearGradient", { id: "light", x2: 0, y2: 1 }, ...LIGHT.map(([offset, color, much]) => drawn("stop", { offset, "stop-color": color, "stop-opacity": much }))));
  for (const [name, lines] of Object.entries(PATTERNS)) {
    kept.append(drawn("pattern", { id: `pattern-${name}`, width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: "scale(1.6)" },
      ...lines.map((line) => line.cloneNode())));
  }
  return kept;
}

/** Shapes of which several are drawn as a stack. */
export const STACKED = new Set(["disc", "coin", "stone"]), MOST_STACKED = 4;
const known = new Map(); // icons by name: the data of their paths

/** Loads the icons of a game, once in a page; returns whether it has any. The licence asks that they are credited. */
export async function loadIcons(game) {
  if (!loadIcons.asked) loadIcons.asked = request(`/api/games/${encodeURIComponent(game)}/icons`).then(({ ok, found }) => ok ? found : {});
  const found = await loadIcons.asked;
  for (const [name, data] of Object.entries(found.icons ?? {})) known.set(name, data);
  return found.credit && known.size ? found.credit : "";
}

/** How far apart pieces on a cover lie. */
const APART = 76;

/** Pieces beside each other, leaning to both sides, for the cover of a game: those that a server names, or two pawns. */
export function cover({ icons = {}, things = [] }) {
  for (const [name, data] of Object.entries(icons)) known.set(name, data);
  const shown = things.length ? things : ["red", "blue"].map((fill) => ({ shape: "pawn", fill, icon: "", symbol: "", corner: "", is_face_up: true, count: 1 }));
  const middle = (shown.length - 1) / 2;
  const made = drawn("svg", { viewBox: `${-50 - APART * middle} -14 ${100 + 2 * APART * middle} 128`, class: "pieces", "aria-hidden": "true", focusable: "false" });
  shown.forEach((thing, at) => {
    const lean = (at - middle) * 7;
    const whole = drawn("g", { class: `fill-${thing.fill ?? "none"}`, transform: `translate(${(at - middle) * APART - 50} ${Math.abs(at - middle) * 5}) rotate(${lean} 50 90)` });
    const piece = shape(thing);
    for (const [name, size] of Object.entries({ x: 0, y: 0, width: 100, height: 100 })) piece.setAttribute(name, size);
    whole.append(piece);
    if (thing.symbol && thing.shape !== "gem" && !thing.corner && !piece.classList.contains("has-sign")) whole.append(drawn("g", { class: thing.ink ? `ink fill-${thing.ink}` : "ink" }, drawn("text", { x: 50, y: 65, class: "large" }, thing.symbol)));
    made.append(whole);
  });
  return made;
}

/** What is drawn on a piece in place of its letter, in a square of this size around its middle; null if it cannot be drawn. */
export function sign(icon, size = 100, x = 50, y = 50) {
  const cut = icon.lastIndexOf("/"), name = icon.slice(cut + 1), kind = icon.slice(0, Math.max(0, cut));
  const at = (whole) => ({ transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / whole})`, class: "sign" });
  if (kind === "pips" && PIPS[name] !== undefined) {
    return drawn("g", at(100), ...[...PIPS[name]].map((place) => drawn("circle", { cx: 20 + 30 * (place % 3), cy: 20 + 30 * Math.floor(place / 3), r: 10 })));
  }
  if (kind === "suit" && SUITS.has(name)) return drawn("path", { d: SUITS.get(name), ...at(100) });
  return known.has(icon) ? drawn("path", { d: known.get(icon), ...at(SIZE) }) : null;
}

/** A sign by itself, as large as a letter; null if it cannot be drawn. */
export function inline(icon, fill = "") {
  const isDie = icon?.startsWith("pips/");
  const made = icon ? sign(icon, isDie ? 84 : 100) : null;
  return made && drawn("svg", { viewBox: "0 0 100 100", class: `inline${isDie ? " die" : ""}${fill ? ` fill-${fill}` : ""}`, "aria-hidden": "true", focusable: "false" }, ...(isDie ? [drawn("rect", { x: 3, y: 3, width: 94, height: 94, rx: 20, class: "body" })] : []), made);
}

/** A spinner: its sectors, and an arrow at the one that it shows. */
export function spinner(value) {
  const part = (2 * Math.PI) / Math.max(1, value.sectors.length);
  const point = (angle, far) => `${50 + far * Math.sin(angle)} ${50 - far * Math.cos(angle)}`;
  const made = drawn("svg", { viewBox: "0 0 100 100", class: "wheel", "aria-hidden": "true", focusable: "false" });
  value.sectors.forEach((one, at) => {
    const middle = (at + 0.5) * part;
    const [x, y] = point(middle, 32).split(" ").map(Number);
    const outline = value.sectors.length === 1 ? "M50 4 a46 46 0 1 1 -0.1 0 Z" : `M50 50 L${point(at * part, 46)} A46 46 0 ${part > Math.PI ? 1 : 0} 1 ${point((at + 1) * part, 46)} Z`;
    const sector = drawn("g", { class: `fill-${one.fill}` }, drawn("path", { d: outline, class: "body" }));
    sector.append(drawn("g", { class: "ink" }, (one.icon && sign(one.icon, 22, x, y)) || drawn("text", { x, y: y + 6, class: "small" }, one.symbol || one.title.slice(0, 3))));
    made.append(sector);
  });
  const at = value.sectors.findIndex((one) => one.title === value.words);
  if (at >= 0) {
    const needle = drawn("g", { class: "needle" }, drawn("path", { d: "M46 66 L50 14 L54 66 Z" }));
    needle.style.rotate = `${((at + 0.5) * part * 180) / Math.PI}deg`;
    made.append(needle);
  }
  made.append(drawn("circle", { cx: 50, cy: 50, r: 5, class: "hub" }));
  return made;
}

/** What is written in a corner with more than one character, within the edge of the card. */
const NARROW = { x: 29, textLength: 21, lengthAdjust: "spacingAndGlyphs" };

/** What is drawn and written on the face of a piece, beside its letter. Returns whether there is a drawing. */
function face(thing, made) {
  const isPips = thing.icon.startsWith("pips/");
  const found = thing.icon ? sign(thing.icon, isPips ? 78 : thing.corner ? 46 : 60) : null;
  const inked = drawn("g", { class: `ink${thing.ink ? ` fill-${thing.ink}` : ""}` });
  if (found) inked.append(found);
  for (const turn of thing.corner ? [0, 180] : []) {
    const corner = drawn("g", { transform: `rotate(${turn} 50 50)`, class: "corner" }, drawn("text", { x: 27, y: 27, ...(thing.corner.length > 1 ? NARROW : {}) }, thing.corner));
    const small = thing.icon.startsWith("suit/") ? sign(thing.icon, 14, 27, 38) : null;
    if (small) corner.append(small);
    inked.append(corner);
  }
  if (thing.corner && !found && thing.symbol) inked.append(drawn("text", { x: 50, y: 64, class: thing.symbol.length > 1 ? "large long" : "large" }, thing.symbol));
  if (inked.childElementCount) made.append(inked);
  return found !== null;
}

/** The drawing of a piece. Its letter is left to the page, unless a sign stands for it (`has-sign`). */
export function shape(thing, isHexagon = false) {
  const name = thing.shape in OUTLINES ? thing.shape : "tile";
  const outlineOf = isHexagon && name === "tile" ? () => [drawn("path", { d: HEXAGON })] : OUTLINES[name];
  const made = drawn("svg", { viewBox: "0 0 100 100", class: "shape", "aria-hidden": "true", focusable: "false" });
  const below = thing.count > 1 && STACKED.has(name) ? Math.min(thing.count - 1, MOST_STACKED) : 0;
  for (let at = below; at > 0; at -= 1) {
    for (const line of outlineOf()) {
      line.setAttribute("class", "body lower");
      line.setAttribute("transform", `translate(0 ${at * 7})`);
      made.append(line);
    }
  }
  const add = (lines, name, fill) => {
    for (const line of lines) {
      line.setAttribute("class", name);
      if (fill) line.setAttribute("fill", `url(#${fill})`);
      made.append(line);
    }
  };
  const printed = name === "card" ? () => [drawn("rect", PRINTED)] : outlineOf;
  if (name === "card") add(outlineOf(), "rim");
  add(printed(), "body");
  if (thing.pattern && thing.pattern in PATTERNS) add(printed(), "pattern", `pattern-${thing.pattern}`);
  if (name !== "card") add(outlineOf(), "shine", "light");
  if (CREASES.has(name)) made.append(drawn("path", { d: CREASES.get(name), class: "crease" }));
  if (face(thing, made)) made.classList.add("has-sign");
  if (!thing.is_face_up && !made.classList.contains("has-sign")) made.append(drawn("path", { d: "M32 34 l36 32 M68 34 l-36 32 M50 24 l22 26 l-22 26 l-22 -26 z", class: "back" }));
  return made;
}

const ALONE = 2.4, TOGETHER = 3.2, WIDEST = 42;

/** Pieces as a drawing of the rulebook; a single piece is small, and floats beside the text. */
export function drawing(shown) {
  const isAlone = shown.width * shown.height === 1;
  const wide = isAlone ? ALONE : Math.min(WIDEST, TOGETHER * shown.width);
  const made = drawn("svg", { viewBox: `0 0 ${shown.width * 100} ${shown.height * 100}`, class: isAlone ? "drawing alone" : "drawing", role: "img", "aria-label": shown.words, width: `${wide}rem` });
  for (const thing of shown.things) {
    const piece = shape(thing);
    for (const [name, size] of Object.entries({ x: 0, y: 0, width: 100, height: 100 })) piece.setAttribute(name, size);
    const whole = drawn("g", { class: `fill-${thing.fill ?? "none"}`, transform: `translate(${thing.x * 100} ${thing.y * 100}) scale(${thing.size})` },
      drawn("g", { transform: `rotate(${thing.rotation} 50 50)` }, piece));
    if (thing.is_face_up && thing.symbol && !piece.classList.contains("has-sign")) whole.append(drawn("circle", { cx: 50, cy: 50, r: 27, class: "under" }), drawn("text", { x: 50, y: 66, class: "sign" }, thing.symbol));
    if (thing.count > 1) whole.append(drawn("circle", { cx: 82, cy: 80, r: 19, class: "badge" }), drawn("text", { x: 82, y: 89, class: "amount" }, String(thing.count)));
    made.append(whole);
  }
  return made;
}
