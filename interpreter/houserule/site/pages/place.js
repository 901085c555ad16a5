// Where things are on a site without a server: the pages of rooms stand in a frame of another page, which has the interpreter.

const shell = parent.houserule;
if (!shell && document.body.dataset.root === undefined) location.replace(new URL("../play.html", location.href));
const here = new URLSearchParams(location.search);

export const isLocal = true;
export const ICON = "icon.svg";
export const HOME = "lobby.html";

export function roomHere() {
  return here.get("room") ?? "";
}

export function gameHere() {
  return here.get("game") ?? shell?.game?.() ?? null;
}

export function houseRulesHere() {
  return (here.get("with") ?? "").split(",");
}

export function rulesHere() {
  return [here.get("game") ?? "", here.get("with") ?? ""];
}

export function roomAt(id) {
  return `room.html?${new URLSearchParams({ room: id })}`;
}

export function invitation() {
  return new URL("../", location.href).href;
}

export function codeAt() {
  return ICON;
}

export function replayAt(id = "") {
  return id ? `replay.html?${new URLSearchParams({ room: id })}` : "replay.html";
}

export function recordAt() {
  return "#record";
}

/** Writes the record of the match into a file. */
export async function takeRecord(event) {
  event.preventDefault();
  const { ok, found } = await request(`/api/rooms/${encodeURIComponent(roomHere())}/record`);
  if (ok) shell.save(event.target.download, JSON.stringify(found, null, 1), "application/json");
}

export function rulesAt(game, houseRules = []) {
  return `../play.html#rules/${encodeURIComponent(game)}/${houseRules.map(encodeURIComponent).join(",")}`;
}

/** The covers of all games by their ids, drawn up when the site was built. */
export async function covers() {
  return (await fetch(new URL("covers.json", import.meta.url))).json();
}

/** Asks the interpreter of the page around this one, as if it were a server. */
export async function request(path, body) {
  const list = path.match(/^\/api\/games\?language=([\w-]+)$/);
  if (list && shell.isSite) { // it is known without loading every game
    const answer = await fetch(`games.${list[1]}.json`);
    if (answer.ok) return { ok: true, found: await answer.json() };
  }
  const cover = path.match(/^\/api\/games\/(.+)\/cover$/);
  if (cover) return { ok: true, found: (await covers())[decodeURIComponent(cover[1])] ?? {} };
  await shell.atWork(roomHere());
  return shell.engine.request("request", body === undefined ? { path } : { path, body });
}
