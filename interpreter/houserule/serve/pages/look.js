// Enlarges a piece with its title and its text: after a long press, or a tap on what cannot be picked.

import { arrange, element } from "./dom.js";
import { say } from "./words.js";

const LONG_PRESS = 450;
/** How far a finger may slip during a long press. */
const SLIP = 12;

/** Lets people look closely at the pieces of a table. */
export function lookClosely(table) {
  const { root } = table;
  let press = null;
  let isHeld = false;
  const end = () => { clearTimeout(press?.timer); press = null; };
  root.addEventListener("pointerdown", (event) => {
    end();
    isHeld = false;
    const made = event.target.closest(".thing");
    if (!made || event.button !== 0) return;
    press = { x: event.clientX, y: event.clientY, timer: setTimeout(() => { isHeld = true; enlarge(table, made); }, LONG_PRESS) };
  });
  root.addEventListener("pointermove", (event) => { if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLIP) end(); });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) root.addEventListener(name, end);
  root.addEventListener("contextmenu", (event) => {
    const made = event.target.closest(".thing");
    if (!made) return;
    event.preventDefault();
    end();
    enlarge(table, made);
  });
  root.addEventListener("click", (event) => {
    if (isHeld) { // it was a long press, and no pick
      isHeld = false;
      event.stopPropagation();
      event.preventDefault();
      return;
    }
    const made = event.target.closest(".thing");
    if (made && !event.target.closest(".pickable")) enlarge(table, made);
  }, true);
}

/** Shows a piece enlarged, over the table, until the next tap. */
function enlarge(table, made) {
  const thing = table.scene.things.find((one) => one.id === made.dataset.id);
  if (!thing || document.querySelector("dialog.look[open]")) return;
  const picture = made.cloneNode(true);
  for (const name of ["role", "tabindex", "data-id", "data-options", "aria-pressed", "title"]) picture.removeAttribute(name);
  picture.classList.remove("pickable", "chosen", "other", "changed", "covered");
  for (const [name, value] of Object.entries({ "--x": 0, "--y": 0, "--across": 1, "--column": 0, "--row": 0 })) picture.style.setProperty(name, value);
  const box = document.querySelector("dialog.look") ?? element("dialog", { class: "look" });
  arrange(box, [
    element("div", { class: "cells", "aria-hidden": "true" }, picture),
    element("h2", {}, thing.words || say("face_down")),
    ...(thing.text ? [element("p", {}, thing.text)] : []),
    ...thing.marks.map((mark) => element("p", { class: "small" }, mark)),
    element("button", { type: "button", onclick: () => box.close() }, say("close")),
  ]);
  box.onpointerdown = (event) => { if (event.target === box) box.close(); };
  document.body.append(box);
  box.showModal();
}
