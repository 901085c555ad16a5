// The first page: choose a game and who plays, and create a room.

import { element, arrange } from "./dom.js";
import { ask, botName, clockWords, head, myRooms, notice } from "./page.js";
import { gameHere, houseRulesHere, isLocal, replayAt, roomAt, rulesAt } from "./place.js";
import { cover, patterns } from "./shapes.js";
import { currentLanguage, listed, say, why } from "./words.js";

const chosen = { names: [], game: null, players: null, seats: [], house_rules: new Set(), options: {}, seed: "", clock: "", is_open: false };
const CLOCKS = [["turn", 60], ["turn", 180], ["turn", 86400], ["match", 600], ["match", 1800]];
const REFRESH = 8000;
const rooms = element("div", { class: "rooms" });
const credit = element("p", { class: "credit" });
const SMALL = matchMedia("(max-width: 59.99rem)");
const covers = new Map(); // by game: the element, drawn once it has been seen
const seen = globalThis.IntersectionObserver && new IntersectionObserver((found) => {
  for (const one of found) if (one.isIntersecting) showCover(one.target);
});
let known = { games: [], bots: [], levels: {} };

async function load() {
  known = await ask(`/api/games?language=${encodeURIComponent(currentLanguage())}`);
  if (!chosen.game && known.games.length) choose(known.games.find((one) => one.id === gameHere()) ?? known.games[0], houseRulesHere());
  draw();
  await showRooms();
}

/** The rooms of this browser, and those that are open to all. */
async function showRooms() {
  const { rooms: open } = await ask(`/api/rooms?language=${encodeURIComponent(currentLanguage())}`);
  const mine = myRooms();
  const others = open.filter((one) => !mine.some((own) => own.id === one.room));
  const list = (title, id, rows) => rows.length > 0 && element("section", { class: "list", id }, element("h2", {}, title), element("ul", {}, rows));
  const row = (room, title, names, note) => element("li", {}, element("a", { href: roomAt(room) }, title), element("span", { class: "names" }, names.length ? listed(names) : say("nobody_yet")), note && element("span", { class: "note small" }, note));
  rooms.replaceChildren(...[
    list(say("my_rooms"), "mine", mine.map((one) => row(one.id, one.title, one.names, one.over && say("over")))),
    list(say("open_rooms"), "open", others.map((one) => row(one.room, one.title, one.names, [say("free_seats", { n: one.free }), ...one.house_rules].join(" · ")))),
  ].filter(Boolean));
}

setInterval(() => { if (!document.hidden) showRooms().catch(() => {}); }, REFRESH);

function choose(game, houseRules = []) {
  Object.assign(chosen, { game: game.id, players: Math.max(2, game.players[0]), seats: [], house_rules: new Set(game.house_rules.map((rule) => rule.id).filter((id) => houseRules.includes(id))), options: {} });
}

function draw() {
  const game = known.games.find((one) => one.id === chosen.game);
  arrange(document.body, [
    head(say("rooms"), () => load().catch(failed)),
    element("main", {},
      element("p", { class: "welcome" }, say(isLocal ? "welcome_here" : "welcome")),
      rooms,
      element("form", { class: "making", onsubmit: create },
        element("fieldset", { class: "games" }, element("legend", {}, say("choose_game")), known.games.map(gameCard)),
        game && element("div", { class: "wishes" },
          element("h2", {}, game.title),
          seats(game),
          game.house_rules.length > 0 && element("fieldset", {}, element("legend", {}, say("house_rules")), game.house_rules.map(houseRule)),
          !isLocal && element("fieldset", {}, element("legend", {}, say("room")),
            element("label", { class: "field" }, say("clock"), element("select", { name: "clock", onchange: (event) => { chosen.clock = event.target.value; } },
              element("option", { value: "" }, say("no_clock")),
              CLOCKS.map(([per, seconds]) => element("option", { value: `${per} ${seconds}`, selected: chosen.clock === `${per} ${seconds}` }, clockWords({ per, seconds }))))),
            !isLocal && element("label", { class: "check" }, element("input", { type: "checkbox", name: "open", checked: chosen.is_open, onchange: (event) => { chosen.is_open = event.target.checked; } }), say("is_open"))),
          element("details", {}, element("summary", {}, say("options")), game.options.map(option),
            element("label", { class: "field" }, say("seed"),
              element("input", { type: "number", min: 0, max: 2147483647, value: chosen.seed, oninput: (event) => { chosen.seed = event.target.value; } }))),
          element("p", { class: "actions" },
            element("button", { type: "submit", class: "main", id: "create" }, say(isLocal ? "start" : "create")),
            element("a", { href: rulesAt(game.id) }, say("read_rules", { title: game.title }))))),
      element("p", { class: "actions" }, element("label", { class: "field" }, say("open_record"),
        element("input", { type: "file", id: "record", accept: ".json,application/json", onchange: openRecord }))),
      credit),
    patterns(),
  ]);
}

/** Requests what is on the cover of a game, and draws it. */
async function showCover(made) {
  seen.unobserve(made);
  try {
    const found = await ask(`/api/games/${encodeURIComponent(made.dataset.game)}/cover`);
    made.replaceChildren(cover(found));
    if (found.credit) credit.textContent = found.credit;
  } catch {
    made.replaceChildren(cover({}));
  }
}

function coverOf(game) {
  if (!covers.has(game.id)) {
    const made = element("span", { class: "cover", "data-game": game.id });
    covers.set(game.id, made);
    if (seen) seen.observe(made);
  }
  return covers.get(game.id);
}

function gameCard(game) {
  const [low, high] = game.players;
  const isChosen = game.id === chosen.game;
  return element("label", { class: isChosen ? "card chosen" : "card", onclick: showWishes },
    element("input", { class: "unseen", type: "radio", name: "game", value: game.id, checked: isChosen, onchange: () => { choose(game); draw(); document.querySelector("input[name=game]:checked").focus({ preventScroll: true }); } }),
    coverOf(game),
    element("strong", {}, game.title),
    element("span", { class: "small" }, low === high ? say("for_number", { low }) : say("for_players", { low, high })),
    game.text && element("span", { class: "about" }, game.text));
}

/** On a small screen, goes on to who plays what has been chosen; the arrow keys only choose. */
function showWishes(event) {
  if (!SMALL.matches || event.target.matches("input")) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  setTimeout(() => document.querySelector(".wishes")?.scrollIntoView({ behavior }));
}

/** The fewest and the most players, which a chosen house rule may change. */
function playersOf(game) {
  const changed = game.house_rules.filter((rule) => rule.players && chosen.house_rules.has(rule.id));
  return changed.length > 0 ? changed[changed.length - 1].players : game.players;
}

function seats(game) {
  const [low, high] = playersOf(game);
  chosen.players = Math.min(high, Math.max(low, chosen.players));
  const numbers = Array.from({ length: high - low + 1 }, (_, at) => low + at);
  return element("fieldset", {}, element("legend", {}, say("players")),
    element("div", { class: "numbers", role: "radiogroup", "aria-label": say("players") }, numbers.map((number) =>
      element("label", { class: "segment" }, element("input", { class: "unseen", type: "radio", name: "players", value: number, checked: number === chosen.players, onchange: () => { chosen.players = number; draw(); document.querySelector("input[name=players]:checked").focus(); } }), String(number)))),
    Array.from({ length: chosen.players }, (_, at) => element("label", { class: "field" }, say("seat", { n: at + 1 }),
      element("select", { name: `seat${at}`, onchange: (event) => { chosen.seats[at] = event.target.value; if (isLocal) draw(); } },
        element("option", { value: "", selected: !seatAt(at) }, say("person")),
        botChoices().map(([bot, level]) => element("option", { value: bot, selected: seatAt(at) === bot }, botName(bot, level)))),
      isLocal && !seatAt(at) && element("input", { name: `name${at}`, maxlength: 24, value: chosen.names[at] ?? "", placeholder: say("seat", { n: at + 1 }), "aria-label": `${say("seat", { n: at + 1 })}: ${say("your_name")}`, oninput: (event) => { chosen.names[at] = event.target.value; } }))));
}

/** Who plays at a seat: a bot, or "" for a person. Whoever opens a page without a server is mostly alone. */
function seatAt(at) {
  return chosen.seats[at] ?? (isLocal && at > 0 ? botChoices()[0]?.[0] ?? "" : "");
}

/** Bots by level, the easiest first, and then those without one. */
function botChoices() {
  const levels = Object.entries(known.levels).map(([level, bot]) => [bot, level]);
  return [...levels, ...known.bots.filter((bot) => !levels.some(([one]) => one === bot)).map((bot) => [bot, null])];
}

function houseRule(rule) {
  return element("label", { class: "check" },
    element("input", { type: "checkbox", checked: chosen.house_rules.has(rule.id), onchange: (event) => { event.target.checked ? chosen.house_rules.add(rule.id) : chosen.house_rules.delete(rule.id); if (rule.players) draw(); } }),
    rule.title || rule.id);
}

function option(one) {
  const value = chosen.options[one.name] ?? one.default;
  const note = (event) => { chosen.options[one.name] = event.target.value; };
  const words = [one.title, one.text && element("span", { class: "small" }, one.text)];
  if (one.choices) {
    return element("label", { class: "field" }, words, element("select", { onchange: note },
      one.choices.map((choice) => element("option", { value: choice.key, selected: choice.key === String(value) }, choice.title))));
  }
  return element("label", { class: "field" }, words,
    element("input", { value, oninput: note, ...(one.low === undefined ? {} : { type: "number", min: one.low, max: one.high }) }));
}

async function create(event) {
  event.preventDefault();
  const wanted = {
    game: chosen.game,
    house_rules: [...chosen.house_rules],
    options: chosen.options,
    seats: Array.from({ length: chosen.players }, (_, at) => seatAt(at) || null),
  };
  const [per, seconds] = chosen.clock.split(" ");
  if (per) wanted.clock = { per, seconds: Number(seconds) };
  if (isLocal) wanted.names = wanted.seats.map((seat, at) => seat ? "" : chosen.names[at]?.trim() || say("seat", { n: at + 1 }));
  if (chosen.is_open) wanted.is_open = true;
  if (chosen.seed !== "") wanted.seed = Number(chosen.seed);
  try {
    const made = await ask("/api/rooms", wanted);
    location.href = roomAt(made.room);
  } catch (wrong) {
    failed(wrong);
  }
}

const LARGEST_RECORD = 1000000;

/** Opens the record of a match; the file stays with this page, which requests one step after another. */
async function openRecord(event) {
  const file = event.target.files[0];
  if (!file) return;
  try {
    if (file.size > LARGEST_RECORD) throw new Error(why({ code: "record" }));
    const record = parsed(await file.text());
    await ask("/api/replay", { record, step: 0, language: currentLanguage() });
    sessionStorage.setItem("record", JSON.stringify(record));
    location.href = replayAt();
  } catch (wrong) {
    event.target.value = "";
    failed(wrong);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(why({ code: "record" }));
  }
}

function failed(wrong) {
  notice(say("refused", { why: wrong.message }));
}

load().catch(failed);
