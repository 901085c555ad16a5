// The rulebook of a game.

import { arrange, element } from "./dom.js";
import { ask, head, notice } from "./page.js";
import { rulesHere } from "./place.js";
import { drawing, loadIcons, patterns } from "./shapes.js";
import { currentLanguage, say } from "./words.js";

const [id, used] = rulesHere();

async function load() {
  if (!document.querySelector("header")) arrange(document.body, [head(say("rules"), () => {}), element("main", { class: "reading", "aria-busy": "true" }, element("p", { class: "small" }, "…"))]);
  const game = await ask(`/api/games/${encodeURIComponent(id)}/rules?${new URLSearchParams({ language: currentLanguage(), with: used })}`);
  const credit = await loadIcons(id).catch(() => "");
  arrange(document.body, [
    head(game.title, () => load().catch(failed)),
    element("main", { class: "reading", lang: game.language },
      element("nav", { "aria-label": game.title }, element("ul", { class: "contents" }, game.chapters.map((one) => element("li", {}, element("a", { href: `#${one.anchor}` }, one.title))))),
      game.chapters.map((chapter) => element("section", {},
        element("h2", { id: chapter.anchor }, chapter.title),
        chapter.sections.map(section))),
      credit && element("p", { class: "credit" }, credit)),
    patterns(),
  ]);
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

function section(one) {
  return element("section", { id: one.anchor, class: [one.mark && "marked", one.is_entry && "entry"].filter(Boolean).join(" ") || null },
    one.title && element(`h${Math.min(4, one.level)}`, {}, one.title),
    one.mark && element("p", { class: "small" }, one.mark),
    one.drawing && isAlone(one.drawing) && drawing(one.drawing),
    one.paragraphs.map((text) => element("p", {}, text)),
    one.drawing && !isAlone(one.drawing) && element("div", { class: "sheet", tabindex: 0, role: "group", "aria-label": one.drawing.words }, drawing(one.drawing)),
    one.rows.length > 0 && element("div", { class: "sheet", tabindex: 0, role: "group", "aria-label": one.title || one.anchor }, element("table", {},
      one.head.length > 0 && element("thead", {}, element("tr", {}, hasPictures(one) && element("th"), one.head.map((title) => element("th", { scope: "col" }, title)))),
      element("tbody", {}, one.rows.map((row, at) => element("tr", {}, hasPictures(one) && element("td", {}, one.beside[at] && drawing(one.beside[at])), row.map((cell) => element("td", {}, cell))))))),
    figures(one.figures),
    lines(one.lines),
    one.examples.map(example));
}

function example(one) {
  return element("aside", { class: "example" },
    element("p", { class: "small" }, one.title),
    one.paragraphs.map((text) => element("p", {}, text)),
    figures(one.before),
    element("ul", {}, one.lines.map((text) => element("li", {}, text))),
    figures(one.after));
}

function figures(drawings) {
  return drawings.map((one) => element("figure", {}, element("figcaption", { class: "small" }, one.words), one.things.length > 0 && drawing(one)));
}

function isAlone(shown) {
  return shown.width * shown.height === 1;
}

function hasPictures(one) {
  return one.beside.some((shown) => shown !== null);
}

function lines(found) {
  return found.length > 0 && element("ul", {}, found.map((line) => element("li", {}, line.text, lines(line.inner))));
}

function failed(wrong) {
  notice(wrong.message);
}

load().catch(failed);
