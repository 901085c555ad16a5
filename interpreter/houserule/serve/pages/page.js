// What all pages share: the header with the choice of language, the status line, and requests to the server.

import { element } from "./dom.js";
import { keep, kept } from "./kept.js";
import { HOME, ICON, request } from "./place.js";
import { LANGUAGES, NAMES, currentLanguage, say, speak, why } from "./words.js";

/** Requests JSON from the server. Raises an Error with the reason in words. */
export async function ask(path, body) {
  const { ok, found } = await request(path, body);
  if (!ok) throw new Error(why(found));
  return found;
}

/** The header of a page: its links, its title, and the language, among the settings if there are some; `changed` is called when the language changes. */
export function head(title, changed, languages = LANGUAGES, links = null, settings = null) {
  document.documentElement.lang = currentLanguage();
  document.title = `${title} · Houserule`;
  const known = [...new Set([...LANGUAGES, ...languages])];
  const choice = element("select", {
    id: "language", "aria-label": say("language"),
    onchange: (event) => {
      speak(event.target.value);
      document.documentElement.lang = currentLanguage();
      changed();
    },
  }, known.filter((one) => LANGUAGES.includes(one)).map((one) => element("option", { value: one, selected: one === currentLanguage(), lang: one }, NAMES[one])));
  return element("header", { class: "head" },
    element("a", { href: HOME, class: "home", "aria-label": say("to_lobby") }, element("img", { src: ICON, alt: "", width: 28, height: 28 })),
    element("h1", {}, title), links, settings ? menu(choice, settings) : choice);
}

/** A menu of settings: it closes when somebody turns to something else. */
function menu(...parts) {
  const made = element("details", { class: "menu" }, element("summary", { "aria-label": say("settings"), title: say("settings") }, "⚙"), element("div", { class: "settings" }, parts));
  made.onkeydown = (event) => { if (event.key === "Escape" && made.open) { made.open = false; made.firstChild.focus(); } };
  document.addEventListener("pointerdown", (event) => { if (!made.contains(event.target)) made.open = false; });
  return made;
}

const MOST_ROOMS = 12;
const isText = (one) => typeof one === "string";

/** The rooms in which this browser has a seat, the last one first. */
export function myRooms() {
  const found = kept("rooms");
  return Array.isArray(found) ? found.filter((one) => isText(one?.id) && isText(one.title) && Array.isArray(one.names) && one.names.every(isText)) : [];
}

/** Keeps a room among them. */
export function keepRoom(id, about) {
  keep("rooms", JSON.stringify([{ id, ...about }, ...myRooms().filter((one) => one.id !== id)].slice(0, MOST_ROOMS)));
}

export function forgetRoom(id) {
  keep("rooms", JSON.stringify(myRooms().filter((one) => one.id !== id)));
}

/** The time to think, in words. */
export function clockWords({ per, seconds }) {
  const [unit, n] = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]].map(([name, size]) => [name, seconds / size]).find(([, size]) => Number.isInteger(size));
  const long = new Intl.NumberFormat(currentLanguage(), { style: "unit", unit, unitDisplay: "long" }).format(n);
  return say(per === "turn" ? "per_turn" : "per_match", { time: long });
}

/** What a bot is called: its level, with its name in small print. */
export function botName(bot, level) {
  return level ? `${say(level)} (${bot})` : say("bot", { name: bot });
}

/** A line that says what went wrong, announced at once. */
export function notice(text, kind = "wrong") {
  let line = document.getElementById("notice");
  if (!line) {
    line = element("div", { id: "notice", role: "alert" });
    document.body.append(line);
  }
  line.className = kind;
  line.textContent = text;
  clearTimeout(line.timer);
  if (kind !== "lost") line.timer = setTimeout(() => { line.textContent = ""; }, 6000);
}
