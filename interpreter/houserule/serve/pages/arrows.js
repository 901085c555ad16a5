// Moves the focus with the arrow keys between things that can be picked, on the table and in the list.

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const PICKED = ".table .pickable, .question .option:enabled";
/** The extra weight of distance to the side. */
const ASIDE = 2.5;

/** Listens to the arrow keys while the focus is on something that can be picked. */
export function followArrows() {
  document.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    const from = document.activeElement;
    if (!way || event.altKey || event.ctrlKey || event.metaKey || !from?.matches(PICKED)) return;
    const found = nearest(from, way);
    if (!found) return;
    event.preventDefault();
    found.focus();
  });
}

/** The nearest thing that can be picked in a direction, among those on the table or in the list. */
function nearest(from, [across, down]) {
  const area = from.closest(".table, .question");
  const here = middle(from);
  let found = null;
  let least = Infinity;
  const all = [...area.querySelectorAll(PICKED)];
  for (const one of all) {
    const there = middle(one);
    const [x, y] = [there.x - here.x, there.y - here.y];
    const ahead = x * across + y * down;
    const far = ahead + ASIDE * Math.abs(x * down + y * across);
    if (one !== from && ahead > 1 && far < least) [found, least] = [one, far];
  }
  if (found || area.matches(".table")) return found;
  return all[all.indexOf(from) + across + down] ?? null; // in a list every arrow leads forward or back
}

function middle(made) {
  const { left, right, top, bottom } = made.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}
