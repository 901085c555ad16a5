// The page to play on: a frame with the pages of rooms, around which the interpreter is.

import { element } from "./dom.js";
import { Letters } from "./letters.js";
import { arranged, translate } from "./phrases.js";
import { Shell } from "./shell.js";
import { currentLanguage, follow } from "./words.js";

const frame = document.getElementById("frame");
const wanted = new URLSearchParams(location.search);
const letterBox = document.getElementById("letter");
const shell = new Shell({ isSite: true, status: document.getElementById("status"), game: () => wanted.get("game"), heard: (room, found) => letters.tried(() => letters.heard(room, found)) });
const letters = new Letters(shell, letterBox, (room) => { location.hash = `room/${encodeURIComponent(room)}`; });

document.getElementById("by-letters").onclick = async () => {
  const { games } = await (await fetch(new URL(`games.${currentLanguage()}.json`, import.meta.url))).json();
  const game = element("select", { id: "letter-game", "aria-label": arranged("game") }, games.map((one) => element("option", { value: one.id, selected: one.id === wanted.get("game") }, one.title)));
  const name = element("input", { id: "letter-from", maxlength: 24, "aria-label": arranged("your_name"), placeholder: arranged("your_name") });
  letters.say(arranged("about_letters"), element("p", { class: "actions" }, game, name,
    element("button", { type: "button", class: "main", id: "letter-begin", onclick: () => letters.tried(() => letters.invite(game.value, games.find((one) => one.id === game.value).players[0], name.value.trim())) }, arranged("make_invitation"))));
};

/** A part of the address as text; empty if it is none. */
function plain(part) {
  try {
    return decodeURIComponent(part ?? "");
  } catch {
    return "";
  }
}

/** What the address asks for: rules to read, a room, or the first page. */
function show() {
  if (location.hash.startsWith("#letter=")) {
    const text = location.hash.slice(8);
    history.replaceState(null, "", location.pathname + location.search);
    letters.tried(() => letters.read(text)).then(() => { if (!location.hash && !frame.getAttribute("src")) show(); });
    return;
  }
  const [what, id, more] = location.hash.slice(1).split("/");
  const name = what === "rules" && id ? `app/rules.html?${new URLSearchParams({ game: plain(id), with: plain(more) })}`
    : what === "room" && id ? `app/room.html?${new URLSearchParams({ room: plain(id) })}`
      : `app/lobby.html${wanted.get("game") ? `?${new URLSearchParams({ game: wanted.get("game"), with: wanted.get("with") ?? "" })}` : ""}`;
  frame.src = new URL(`../${name}`, import.meta.url).href;
}

frame.addEventListener("load", () => {
  const room = new URLSearchParams(frame.contentWindow.location.search).get("room");
  if (room && frame.contentWindow.location.pathname.endsWith("room.html")) history.replaceState(null, "", `#room/${encodeURIComponent(room)}`);
  document.title = frame.contentDocument.title || document.title;
});
translate();
follow(translate); // the table has the choice of language
addEventListener("hashchange", show);
show();
