// A room: first its seats, then its table.

import { followArrows } from "./arrows.js";
import { arrange, element } from "./dom.js";
import { keep } from "./kept.js";
import { Line } from "./line.js";
import { lookClosely } from "./look.js";
import { EventLog, sheet } from "./log.js";
import { choices } from "./motion.js";
import { botName, clockWords, forgetRoom, head, keepRoom, notice } from "./page.js";
import { HOME, codeAt, invitation, isLocal, recordAt, replayAt, request, roomAt, roomHere, rulesAt, takeRecord } from "./place.js";
import { Question, asksFirst, remember } from "./question.js";
import { cover, patterns } from "./shapes.js";
import { Table } from "./table.js";
import { currentLanguage, listed, say, why } from "./words.js";

const id = roomHere();
const key = new URLSearchParams(location.hash.slice(1)).get("token");
if (key) history.replaceState(null, "", location.pathname + location.search);

const PARTS = ["room", "scene", "question", "undo", "fault", "chosen", "clock", "raced"];
const shown = { ...Object.fromEntries(PARTS.map((part) => [part, null])), fault: "", seat: null };
const table = new Table((...picked) => question.pickOnTable(...picked));
const log = new EventLog();
const question = new Question(
  (number, keys) => {
    log.seen();
    return line.send({ type: "answer", question: number, answer: keys }) || (notice(say("lost"), "lost"), false);
  },
  () => drawTable(),
);
const main = element("main");
followArrows();
lookClosely(table);
const status = element("p", { class: "status", role: "status", "aria-live": "polite" });
const time = element("span", { class: "time", role: "timer" });
/** What has happened last, where the log is out of sight. It is announced by the log. */
const news = element("p", { class: "news", "aria-hidden": "true" });
const bar = element("div", { class: "bar" }, status, news, time);
const SMALL = matchMedia("(max-width: 59.99rem)");
/** Pixels between the status bar and what can be picked. */
const MARGIN = 24;
let clock = null;
let endsAt = null; // when the time for the question is over
setInterval(drawTime, 500);

const line = new Line(id, currentLanguage(), heard, (isUp) => {
  document.body.classList.toggle("lost", !isUp);
  notice(isUp ? "" : say("lost"), isUp ? "" : "lost");
}, key);

function heard(message) {
  switch (message.type) {
    case "welcome":
    case "seated":
      shown.seat = message.seat;
      if (message.type === "welcome") {
        log.forget();
        question.isSent = false; // a message in transit when the connection was lost may be lost as well
      }
      break;
    case "room": {
      const before = shown.question;
      for (const part of PARTS) if (part in message) shown[part] = message[part];
      if ("clock" in message) endsAt = message.clock && performance.now() + message.clock.left * 1000;
      if (message.changes) shown.scene = withChanges(shown.scene, message.changes);
      if (message.log) log.add(message.log.from, message.log.events);
      draw(shown.question !== null && shown.question !== before);
      break;
    }
    case "refused":
      notice(say("refused", { why: why(message) }));
      if (message.question) question.open();
      if (message.code === "no-room") forgetRoom(id);
      if (line.isOver) arrange(document.body, [head(say("rooms"), () => location.reload()), element("main", {}, element("h2", { class: "sentence" }, why(message)), element("p", {}, element("a", { class: "button main", href: HOME }, say("to_lobby"))))]);
      break;
  }
}

const LISTED = { seats: "seat", regions: "id", things: "id", variables: "id", places: "id" };

/** A scene, or a part of it, after changes: for lists, changed and new things, and all ids if they differ. */
function withChanges(before, changes) {
  const found = { ...before, ...changes };
  for (const [name, id] of Object.entries(LISTED).filter(([one]) => one in changes)) {
    const known = new Map(before[name].map((one) => [one[id], one]));
    for (const one of changes[name].new) known.set(one[id], known.has(one[id]) ? withChanges(known.get(one[id]), one) : one);
    found[name] = (changes[name].ids ?? [...known.keys()]).map((one) => known.get(one));
  }
  return found;
}

function draw(isNew) {
  const { room } = shown;
  if (!room) return;
  const title = room.titles[currentLanguage()] ?? Object.values(room.titles)[0];
  const links = element("nav", { class: "links", "aria-label": say("rules") },
    element("a", { href: rulesAt(room.game, room.house_rules), target: "_blank", rel: "noopener", title: say("read_rules", { title }) }, say("rules")));
  if (!document.querySelector("header") || drawn.title !== title || drawn.language !== currentLanguage()) {
    drawn.title = title;
    drawn.language = currentLanguage();
    arrange(document.body, [element("a", { class: "skip", href: "#question" }, say("skip")),
      head(title, () => { line.speak(currentLanguage()); draw(); }, room.languages, links, settings), banner, bar, main, patterns()]);
  }
  if (shown.seat !== null) keepRoom(id, { title, names: room.seats.map((seat) => seat.name || "…"), over: room.over });
  if (room.rematch && wantsRematch) goOn();
  if (!room.started) drawSeats();
  else drawMatch(isNew);
}
const drawn = {};

// --- before the match -------------------------------------------------------------------------------------------------

let shownCode = false;
const pieces = element("div", { class: "cover" });

/** A few pieces of the game, above the seats. */
async function showCover(game) {
  if (pieces.dataset.game === game) return;
  pieces.dataset.game = game;
  const { ok, found } = await request(`/api/games/${encodeURIComponent(game)}/cover`);
  pieces.replaceChildren(cover(ok ? found : {}));
}

function drawSeats() {
  const { room } = shown;
  main.className = "seats-main";
  const isFull = room.seats.every((seat) => seat.taken);
  status.textContent = shown.fault ? say("fault", { why: shown.fault }) : isFull ? "" : say("waiting_seats");
  const kept = main.querySelector("#name")?.value ?? localStorage.getItem("name") ?? "";
  const hadFocus = document.activeElement?.id === "name";
  const link = invitation(id);
  const invites = element("section", { class: "invite" }, element("h2", {}, say("invite")),
      element("p", { class: "actions" }, element("input", { readonly: true, value: link, id: "link", "aria-label": say("invite"), onfocus: (event) => event.target.select() }),
        element("button", { type: "button", onclick: (event) => copy(link, event.target) }, say("copy")),
        navigator.share && element("button", { type: "button", id: "share", onclick: () => navigator.share({ title: document.title, url: link }).catch(() => {}) }, say("share"))),
      element("details", { class: "code", open: shownCode, ontoggle: (event) => { shownCode = event.target.open; } }, element("summary", {}, say("qr")),
        element("img", { src: codeAt(id), alt: say("qr"), width: 220, height: 220, loading: "lazy" })),
      room.seed_chosen && element("p", { class: "small" }, say("seed_chosen")),
      room.house_rules.length > 0 && element("p", { class: "small" }, `${say("house_rules")}: ${listed(room.house_rule_titles[currentLanguage()] ?? Object.values(room.house_rule_titles)[0])}`),
      room.clock && element("p", { class: "small" }, `${say("clock")}: ${clockWords(room.clock)}`));
  const places = element("section", { class: "places" }, element("h2", {}, say("players")),
    shown.seat === null && !isFull && element("label", { class: "field" }, say("your_name"), element("input", { id: "name", maxlength: 24, value: kept, autocomplete: "nickname", onkeydown: (event) => { if (event.key === "Enter") main.querySelector(".sit")?.click(); } })),
    element("ol", { class: "sitting" }, room.seats.map(seatRow)),
    shown.seat !== null && element("p", { class: "actions" },
      element("button", { type: "button", class: "main", id: "start", disabled: !isFull, onclick: () => line.send({ type: "start" }) }, say("start")),
      element("button", { type: "button", onclick: () => { line.send({ type: "leave" }); line.token = null; shown.seat = null; } }, say("leave"))));
  showCover(room.game);
  arrange(main, [pieces, ...(shown.seat !== null && !isFull ? [invites, places] : [places, invites])]);
  if (hadFocus) main.querySelector("#name")?.focus();
}

function seatRow(seat, at) {
  const name = seat.bot ? botName(seat.bot, seat.level) : seat.name;
  const away = seat.taken && !seat.bot && !seat.here ? ` · ${say("away")}` : "";
  return element("li", { class: seat.taken ? "taken" : "" },
    element("i", { class: `seat-mark fill-${seat.taken ? "teal" : "none"}`, "aria-hidden": "true" }, at + 1),
    element("span", { class: "who" }, seat.taken ? name + (at === shown.seat ? ` (${say("you")})` : away) : say("free")),
    !seat.taken && shown.seat === null && element("button", { type: "button", class: "sit main", "data-seat": at, onclick: () => sit(at) }, say("sit")));
}

function sit(seat) {
  const name = main.querySelector("#name").value.trim();
  keep("name", name);
  line.send({ type: "claim", seat, name });
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = say("copied");
  } catch {
    main.querySelector("#link")?.select();
  }
}

// --- the match --------------------------------------------------------------------------------------------------------

const side = element("aside", { class: "side" });
const banner = element("div", { class: "banner" });
const extras = element("div", { class: "extras" });
const settings = element("div");
const mine = element("section", { class: "my-choice", "aria-live": "polite" });
let wantsRematch = false;
const raced = element("p", { class: "raced" });

function drawMatch(isNew) {
  const { scene, room } = shown;
  if (!scene) {
    status.textContent = shown.fault ? say("fault", { why: shown.fault }) : "";
    return;
  }
  main.className = "room-main";
  const asked = scene.question && shown.question !== null ? scene.question : null;
  const wasHere = question.root.contains(document.activeElement) || table.root.contains(document.activeElement) || document.activeElement === document.body;
  question.show(asked, shown.question, asked?.kind === "slap" ? room.race_seconds : null);
  drawStatus(asked);
  drawTime();
  drawBanner();
  if (shown.raced !== drawn.raced) {
    if (drawn.raced !== undefined && shown.raced) notice(raceWords(), "race");
    drawn.raced = shown.raced;
  }
  raced.hidden = !shown.raced;
  raced.textContent = shown.raced ? raceWords() : "";
  drawExtras();
  drawSettings();
  drawMine();
  const [ending, scores] = scene.is_over ? sheet(scene) : [];
  arrange(side, [question.root, mine, ending, raced, extras, scores, log.root].filter(Boolean));
  arrange(main, [side, table.root]);
  drawTable();
  log.draw();
  if (scene.is_over && drawn.isOver === false) scrollTo({ top: 0, behavior: "instant" });
  drawn.isOver = scene.is_over;
  if (isNew) {
    if (asked?.kind === "slap") document.querySelector("dialog.look[open]")?.close(); // nothing hides a race
    if (wasHere) question.focus();
    showPickable();
    startClock(asked);
  }
}

/** Brings what can be picked into view, between the status bar and the question, if none of it is there. */
function showPickable() {
  const boxes = [...table.root.querySelectorAll(".pickable")].map((made) => made.getBoundingClientRect());
  if (!boxes.length) return;
  const top = bar.getBoundingClientRect().bottom;
  const sheet = question.root.getBoundingClientRect();
  const bottom = SMALL.matches ? Math.min(sheet.top, innerHeight) : innerHeight;
  const [first, last] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  if (first >= top && last <= bottom) return;
  const isBelow = last > bottom && last - first < bottom - top - MARGIN; // then no further than it must
  scrollBy({ top: isBelow ? last - bottom + MARGIN : first - top - MARGIN, behavior: "instant" });
}

function drawTable() {
  const asked = shown.scene.question && shown.question !== null && !question.isSent ? shown.scene.question : null;
  table.show(marked(shown.scene), asked, question.chosen, question.left);
}

function drawStatus(asked) {
  const { scene } = shown;
  const names = scene.turn.map((seat) => scene.seats[seat].name);
  let text = scene.step ? `${scene.step} · ` : "";
  if (shown.fault) text = say("fault", { why: shown.fault });
  else if (scene.is_over) text = scene.ending;
  else if (asked) text += say("your_turn");
  else text += say("waits_for", { names: listed(names) });
  if (shown.seat === null && !scene.is_over) text += ` ${say("watching")}`;
  if (status.textContent !== text) status.textContent = text;
  news.textContent = scene.is_over ? "" : scene.changes.at(-1) ?? "";
  document.body.classList.toggle("my-turn", Boolean(asked));
  document.title = `${asked ? "● " : ""}${scene.title} · Houserule`;
}

/** Who was first in the last race, and by how much. */
function raceWords() {
  const [first, second] = shown.raced.map(({ seat, after }) => ({ name: shown.scene.seats[seat].name, after }));
  if (!first) return say("nobody_raced");
  const seconds = (milliseconds) => new Intl.NumberFormat(currentLanguage(), { style: "unit", unit: "second", minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(milliseconds / 1000);
  return second ? say("raced", { name: first.name, time: seconds(first.after), by: seconds(second.after - first.after), other: second.name }) : say("raced_alone", { name: first.name, time: seconds(first.after) });
}

/** What I have chosen and nobody else knows yet. */
function drawMine() {
  const { chosen } = shown;
  mine.replaceChildren(...(chosen ? [
    element("p", {}, say("you_chose", { what: listed(chosen.labels) })),
    element("p", { class: "actions" }, element("button", { type: "button", id: "change", onclick: () => line.send({ type: "change", question: chosen.question }) }, say("change"))),
  ] : []));
}

/** What is left of the time for the question. */
function drawTime() {
  const left = endsAt === null || shown.question === null ? null : Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
  const text = left === null ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  if (time.textContent !== text) time.textContent = text;
  time.classList.toggle("short", left !== null && left < 11);
}

/** Seats with a mark for those who are away. */
function marked(scene) {
  const { seats } = shown.room;
  const mark = (seat) => (seat.bot ? null : seat.relieved ? say("stand_in") : seat.here ? null : say("away"));
  return { ...scene, seats: scene.seats.map((seat, at) => (mark(seats[at]) ? { ...seat, name: `${seat.name} · ${mark(seats[at])}` } : seat)) };
}

/** Who is away, and what the others may do about it. */
function awayRow(seat, at) {
  if (seat.bot || at === shown.seat || shown.scene.is_over || (seat.here && !seat.relieved)) return null;
  if (seat.relieved) return element("p", {}, say("is_relieved", { name: seat.name }));
  const waits = seat.votes.filter((one) => one !== at).map((one) => shown.scene.seats[one].name);
  return element("p", { class: "actions" }, element("span", {}, say("is_away", { name: seat.name }), waits.length ? ` ${say("bot_wanted", { names: listed(waits) })}` : ""),
    shown.seat !== null && !seat.votes.includes(shown.seat) && element("button", { type: "button", class: "relieve", "data-seat": at, onclick: () => line.send({ type: "relieve", seat: at }) }, say("relieve")));
}

/** Goes to the room of the next match, with the key of this one. */
function goOn() {
  const { rematch } = shown.room;
  location.href = line.token && !isLocal ? invitation(rematch, line.token) : roomAt(rematch);
}

/** What the table has to decide, above everything. */
function drawBanner() {
  const { room, scene, undo } = shown;
  const parts = room.seats.map(awayRow).filter(Boolean);
  if (room.rematch) parts.push(element("p", { class: "actions" }, say("next_match"), element("button", { type: "button", class: "main", id: "next", onclick: goOn }, say("go_there"))));
  if (undo) {
    parts.push(element("p", { role: "alert" }, say("asks_undo", { name: scene.seats[undo.seat].name })));
    if (undo.asks) parts.push(element("p", { class: "actions" }, [true, false].map((consents) => element("button", { type: "button", id: consents ? "allow" : "refuse", class: consents ? "main" : "", onclick: () => line.send({ type: "consent", consents }) }, say(consents ? "allow" : "refuse")))));
  }
  const wanted = JSON.stringify([undo, room.rematch, room.seats, scene.is_over, shown.seat, currentLanguage()]);
  if (banner.dataset.shown === wanted) return;
  banner.dataset.shown = wanted;
  banner.replaceChildren(...parts);
}

function drawExtras() {
  const { scene, undo, room } = shown;
  const parts = [];
  if (shown.seat !== null && !scene.is_over) {
    parts.push(element("button", { type: "button", id: "undo", class: "quietly", disabled: Boolean(undo), hidden: Boolean(shown.chosen) || scene.question?.number === 0, onclick: () => line.send({ type: "undo" }) }, say("undo")));
  }
  if (scene.is_over) {
    parts.push(element("p", { class: "actions" },
      shown.seat !== null && !room.rematch && element("button", { type: "button", class: "main", id: "rematch", onclick: () => { wantsRematch = true; line.send({ type: "rematch" }); } }, say("rematch")),
      element("a", { class: "button", href: replayAt(id) }, say("replay")),
      element("a", { class: "button", href: recordAt(id), onclick: takeRecord, download: `${room.game}.record.json` }, say("record"))));
  }
  extras.replaceChildren(...parts.filter(Boolean));
}

/** The settings of this page, in its menu: drawn anew only when they say something else. */
function drawSettings() {
  const said = JSON.stringify([shown.seat, currentLanguage(), line.token]);
  if (settings.dataset.said === said) return;
  settings.dataset.said = said;
  settings.replaceChildren(...[
    shown.seat !== null && element("label", { class: "check" }, element("input", { type: "checkbox", id: "ask-first", checked: asksFirst(), onchange: (event) => { remember("ask", event.target.checked); question.draw(); } }), say("ask_first")),
    choices(),
    shown.seat !== null && !isLocal && element("label", { class: "key" }, say("seat_key"), element("input", { readonly: true, value: invitation(id, line.token), onfocus: (event) => event.target.select() })),
  ].filter(Boolean));
}

/** Shows how much time a race leaves. */
function startClock(asked) {
  clearInterval(clock);
  if (asked?.kind !== "slap") return;
  const began = performance.now();
  clock = setInterval(() => {
    const left = Math.max(0, 1 - (performance.now() - began) / (shown.room.race_seconds * 1000));
    const [bar, seconds] = ["progress", ".seconds"].map((one) => question.root.querySelector(one));
    if (bar) bar.value = left;
    if (seconds) seconds.textContent = Math.ceil(left * shown.room.race_seconds);
    if (left === 0 || !bar) clearInterval(clock);
  }, 100);
}
