// Where things are on this server: its pages and their links, and what a page asks for. A site without a server has another module of this name.

const { origin, pathname } = location;

/** Whether all players sit at this device: nobody is invited, and everybody has a name before the match. */
export const isLocal = false;
export const ICON = "/pages/icon.svg";
export const HOME = "/";

/** What else happens when somebody downloads a record: nothing, since its address has it. */
export const takeRecord = null;

/** The room that this page shows; empty if it shows none. */
export function roomHere() {
  const part = pathname.split("/")[2] ?? "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // it names no room
  }
}

/** The game that the first page has chosen when it opens; null if it is the first one. */
export function gameHere() {
  return null;
}

/** The house rules that are chosen with it. */
export function houseRulesHere() {
  return [];
}

/** The game whose rules this page shows, and the ids of house rules with commas. */
export function rulesHere() {
  return [roomHere(), new URLSearchParams(location.search).get("with") ?? ""];
}

export function roomAt(id) {
  return `/room/${encodeURIComponent(id)}`;
}

/** The link that others open; with a token, that of a seat. */
export function invitation(id, token = "") {
  return `${origin}${roomAt(id)}${token ? `#token=${token}` : ""}`;
}

export function codeAt(id) {
  return `${roomAt(id)}/code.svg`;
}

/** A match step by step: a finished one of a room, or that of the record in this page. */
export function replayAt(id = "") {
  return id ? `${roomAt(id)}/replay` : "/replay";
}

export function recordAt(id) {
  return `/api/rooms/${encodeURIComponent(id)}/record`;
}

export function rulesAt(game, houseRules = []) {
  return `/rules/${encodeURIComponent(game)}${houseRules.length ? `?${new URLSearchParams({ with: houseRules.join(",") })}` : ""}`;
}

/** Requests JSON from the server: whether it was given, and what was found, or why it was refused. */
export async function request(path, body) {
  const answer = await fetch(path, body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  return { ok: answer.ok, found: await answer.json() };
}
