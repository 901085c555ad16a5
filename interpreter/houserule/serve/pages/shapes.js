// Draws pieces: the outline of each shape, its colour, and a pattern beside the colour.

import { drawn } from "./dom.js";

const OUTLINES = {
  card: () => [drawn("rect", { x: 14, y: 3, width: 72, height: 94, rx: 9 })],
  tile: () => [drawn("rect", { x: 4, y: 4, width: 92, height: 92, rx: 10 })],
  cube: () => [drawn("path", { d: "M12 26 L50 8 L88 26 L88 74 L50 92 L12 74 Z" })],
  pawn: () => [drawn("path", { d: "M50 6 a19 19 0 0 1 11 34 c13 8 18 24 20 52 h-62 c2 -28 7 -44 20 -52 a19 19 0 0 1 11 -34 z" })],
  die: () => [drawn("rect", { x: 9, y: 9, width: 82, height: 82, rx: 18 })],
  stone: () => [drawn("circle", { cx: 50, cy: 50, r: 43 })],
};
const CREASES = { cube: "M12 26 L50 44 L88 26 M50 44 L50 92" };

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

/** The definitions of all patterns, once per page. */
export function patterns() {
  const kept = drawn("svg", { class: "patterns", "aria-hidden": "true", width: 0, height: 0 });
  for (const [name, lines] of Object.entries(PATTERNS)) {
    kept.append(drawn("pattern", { id: `pattern-${name}`, width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: "scale(1.6)" },
      ...lines.map((line) => line.cloneNode())));
  }
  return kept;
}

/** The drawing of a piece. */
export function shape(thing) {
  const name = thing.shape in OUTLINES ? thing.shape : "tile";
  const made = drawn("svg", { viewBox: "0 0 100 100", class: "shape", "aria-hidden": "true", focusable: "false" });
  const outline = OUTLINES[name]();
  for (const line of outline) line.setAttribute("class", "body");
  made.append(...outline);
  if (thing.pattern && thing.pattern in PATTERNS) {
    for (const line of OUTLINES[name]()) {
      line.setAttribute("class", "pattern");
      line.setAttribute("fill", `url(#pattern-${thing.pattern})`);
      made.append(line);
    }
  }
  if (CREASES[name]) made.append(drawn("path", { d: CREASES[name], class: "crease" }));
  if (!thing.is_face_up) made.append(drawn("path", { d: "M32 34 l36 32 M68 34 l-36 32 M50 24 l22 26 l-22 26 l-22 -26 z", class: "back" }));
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
    if (thing.is_face_up && thing.symbol) whole.append(drawn("circle", { cx: 50, cy: 50, r: 27, class: "under" }), drawn("text", { x: 50, y: 66, class: "sign" }, thing.symbol));
    if (thing.count > 1) whole.append(drawn("circle", { cx: 82, cy: 80, r: 19, class: "badge" }), drawn("text", { x: 82, y: 89, class: "amount" }, String(thing.count)));
    made.append(whole);
  }
  return made;
}
