// Links that hold a game: its whole text, or what differs from a game of this site. Nothing of it is sent to anybody: it stands after the #.

import { arranged } from "./phrases.js";

export const VERSION = 1;
/** The most characters of all files in a link, once unpacked. */
const MOST = 2000000, MOST_COMPARED = 4000000;
/** The most lines that are looked at for the places of all changes in a link; so many letters count as one. */
const MOST_LOOKED_AT = 4000000, LETTERS = 40;
/** The most files that a link may hold or change, and the most sentences about changes that no longer fit. */
const MOST_FILES = 300, MOST_SAID = 20;

async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new Error("too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A value in the letters of a link. */
export async function packed(value) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The value in the letters of a link. Raises Error if they hold none, or too much. */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"), MOST * 3)));
}

/** A short mark of a text, by which a link knows whether it meets what it was made for. */
export function mark(text) {
  let found = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) found = Math.imul(found ^ text.charCodeAt(at), 0x01000193);
  return (found >>> 0).toString(36);
}

// --- differences ------------------------------------------------------------------------------------------------------

/** What differs between two texts: from which line on, how many lines go, marks of them and of the line before, and the new lines. */
export function differences(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const [left, right] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  return runs(left, right).map(([at, count, lines]) => {
    const from = start + at;
    return [from, count, mark(old.slice(from, from + count).join("\n")), from ? mark(old[from - 1]) : "", lines];
  });
}

/** The runs of lines that differ, by the longest common subsequence. */
function runs(left, right) {
  if (!left.length && !right.length) return [];
  if (left.length * right.length > MOST_COMPARED) return [[0, left.length, right]];
  const width = right.length + 1;
  const longest = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = left[i] === right[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const found = [];
  let [i, j, open] = [0, 0, null];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      [i, j, open] = [i + 1, j + 1, null];
      continue;
    }
    if (!open) found.push(open = [i, 0, []]);
    if (j >= right.length || (i < left.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) { open[1] += 1; i += 1; }
    else { open[2].push(right[j]); j += 1; }
  }
  return found;
}

/**
 * A text with differences applied, and those that have no place in it. They find their place also where the text has changed since.
 * `looked` counts the lines that are looked at, and those that a change may move, 200 of which take as long. Raises Error where that takes too long.
 */
export function applied(text, hunks, looked = { lines: 0 }) {
  const lines = text.split("\n"), lost = [];
  let shift = 0;
  for (const [from, count, gone, before, now] of hunks) {
    const look = (some) => {
      looked.lines += some.length / LETTERS;
      return mark(some);
    };
    const fits = (at) => at >= 0 && at + count <= lines.length && look(lines.slice(at, at + count).join("\n")) === gone && (count > 1 || (at ? look(lines[at - 1]) : "") === before);
    let place = null;
    looked.lines += lines.length / 200;
    for (let far = 0; far <= lines.length && place === null; far += 1) {
      looked.lines += 2 * (count + 1);
      if (looked.lines > MOST_LOOKED_AT) throw new Error(arranged("no_changes_in_link"));
      if (fits(from + shift + far)) place = from + shift + far;
      else if (fits(from + shift - far)) place = from + shift - far;
    }
    if (place === null) {
      lost.push({ line: from + 1, lines: now });
      continue;
    }
    lines.splice(place, count, ...now);
    shift = place - from + now.length - count;
  }
  return { text: lines.join("\n"), lost };
}

// --- games in links ---------------------------------------------------------------------------------------------------

/** What stands after the # for files: only what differs where they come from a game of the site. */
export async function fragment(files, base, open) {
  if (base) {
    const changed = {};
    for (const name of new Set([...Object.keys(files), ...Object.keys(base.files)])) {
      if (files[name] === base.files[name]) continue;
      if (files[name] === undefined) changed[name] = null;
      else if (base.files[name] === undefined) changed[name] = files[name];
      else changed[name] = [mark(base.files[name]), differences(base.files[name], files[name])];
    }
    return Object.keys(changed).length ? `${base.id}+${await packed({ v: VERSION, c: changed, o: open })}` : base.id;
  }
  return `g=${await packed({ v: VERSION, f: files, o: open })}`;
}

export const isText = (one) => typeof one === "string";
/** Whether a value has values by name; a list has not. */
export const isTable = (one) => typeof one === "object" && one !== null && !Array.isArray(one);
const areFew = (one) => Object.keys(one).length <= MOST_FILES;

/** The files of a whole link. Raises Error. */
export function filesOf(found) {
  if (found?.v !== VERSION || !isTable(found.f) || !areFew(found.f) || !Object.values(found.f).every(isText)) throw new Error(arranged("no_game_in_link"));
  return found.f;
}

const isHunk = (one) => Array.isArray(one) && Number.isInteger(one[0]) && Number.isInteger(one[1]) && one[1] >= 0 && isText(one[2]) && isText(one[3]) && Array.isArray(one[4]) && one[4].every(isText);
const isChange = (one) => one === null || isText(one) || (Array.isArray(one) && isText(one[0]) && Array.isArray(one[1]) && one[1].every(isHunk));

/** The files of a game of the site with the changes of a link, and sentences about what has changed since the link was made. Raises Error. */
export function changedBy(found, base) {
  if (found?.v !== VERSION || !isTable(found.c) || !areFew(found.c) || !Object.values(found.c).every(isChange)) throw new Error(arranged("no_changes_in_link"));
  const files = { ...base }, said = [], looked = { lines: 0 };
  for (const [name, change] of Object.entries(found.c)) {
    if (change === null) delete files[name];
    else if (typeof change === "string") files[name] = change;
    else if (!Object.hasOwn(base, name)) said.push(arranged("file_gone", { name }));
    else {
      const [known, hunks] = change;
      const { text, lost } = applied(base[name], hunks, looked);
      files[name] = text;
      if (known !== mark(base[name])) said.push(arranged(lost.length ? "some_fit" : "all_fit", { name, fit: hunks.length - lost.length, all: hunks.length }));
      for (const { line, lines } of lost) said.push(arranged("has_no_place", { name, line, text: lines.join(" / ").slice(0, 300) || arranged("lines_that_go") }));
    }
  }
  const more = said.splice(MOST_SAID).length;
  return { files, said: more ? [...said, arranged("and_more", { n: more })] : said };
}
