// The page to play on: a frame with the pages of rooms, around which the interpreter is.

import { Shell } from "./shell.js";

const frame = document.getElementById("frame");
const wanted = new URLSearchParams(location.search);
new Shell({ isSite: true, status: document.getElementById("status"), game: () => wanted.get("game") });

/** What the address asks for: rules to read, a room, or the first page. */
function show() {
  const [what, id, more] = location.hash.slice(1).split("/");
  const name = what === "rules" && id ? `app/rules.html?${new URLSearchParams({ game: decodeURIComponent(id), with: decodeURIComponent(more ?? "") })}`
    : what === "room" && id ? `app/room.html?${new URLSearchParams({ room: decodeURIComponent(id) })}`
      : `app/lobby.html${wanted.get("game") ? `?${new URLSearchParams({ game: wanted.get("game") })}` : ""}`;
  frame.src = new URL(`../${name}`, import.meta.url).href;
}

frame.addEventListener("load", () => {
  const room = new URLSearchParams(frame.contentWindow.location.search).get("room");
  if (room && frame.contentWindow.location.pathname.endsWith("room.html")) history.replaceState(null, "", `#room/${encodeURIComponent(room)}`);
  document.title = frame.contentDocument.title || document.title;
});
addEventListener("hashchange", show);
show();
