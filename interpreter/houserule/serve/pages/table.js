// Draws the table from a scene: regions with places and things, and what lies before each player.

import { Kept, arrange, drawn, element, set } from "./dom.js";
import { STACKED, inline, loadIcons, shape, spinner } from "./shapes.js";
import { animate, isCalm, yourTurn } from "./motion.js";
import { Solid } from "./solid.js";
import { say } from "./words.js";

const LONGEST_MOVE = 80;
/** From how many places on a track is folded on a small screen. */
const LONG_TRACK = 24;
const SMALL = matchMedia("(max-width: 59.99rem)");
const LABEL = 1.5;
/** How many different things are drawn in a place. */
const MOST_BESIDE = 9;
/** How far apart cards of a hand lie whose corners say what they are, in cells: of a large hand, and of one that is seen whole. */
const FANNED = 0.5, WHOLE = 0.76, MOST_WHOLE = 9;
const FEWEST_FANNED = 4, FEWEST_LAID = 6;
/** How many pieces lie beside each other in a row: on a small screen, before their owner or everybody, and before others. */
const LONGEST_ROW = { small: 7, own: 12, others: 9 };
/** The places of the faces of a die that is cut open: opposite ones are two apart, or meet around the back. */
const NET = [[1, 0], [0, 1], [1, 1], [3, 1], [2, 1], [1, 2]];
/** The distance of dice beside each other, and the room for their titles below. */
const DIE = 1.5, DIE_TITLE = 0.45;
/** The longest word before letters become smaller. */
const USUAL_WORD = 7;

/** The table in the page. `picked` is called with the options that somebody has picked on the table, and the question that it shows. */
export class Table {
  constructor(picked) {
    this.picked = picked;
    this.kept = new Kept();
    this.root = element("div", { class: "table" });
    this.places = new Map(); // by id of a thing: its position in the last scene
    this.numbers = new Map(); // by id of a thing
    this.moving = null;
    this.credit = element("p", { class: "credit" });
    this.icons = null; // whose icons have been asked for
    this.unfolded = new Set(); // regions of dice that people want to see from all sides
  }

  /** Draws a scene; pieces move from their old positions if the page and its reader allow it. */
  show(scene, question, chosen, left = null) {
    this.left = left;
    this.latest = [scene, question, chosen];
    if (this.icons !== scene.game) {
      this.icons = scene.game;
      loadIcons(scene.game).then((credit) => {
        this.credit.textContent = credit;
        if (credit) this.draw(...this.latest);
      }).catch(() => {});
    }
    const moved = this.moved(scene);
    const calm = isCalm() || !document.startViewTransition;
    const isNews = JSON.stringify(scene) !== this.last;
    this.last = JSON.stringify(scene);
    const before = this.scene;
    if (isNews && before && question && before.question?.number !== question.number) yourTurn(scene);
    if (calm || !isNews || moved.length === 0 || moved.length > LONGEST_MOVE || this.moving?.isStarting) this.draw(...this.latest);
    else this.move(moved);
    if (isNews && this.scene === scene) animate(before, scene, (id) => this.kept.elements.get(id));
  }

  /** Moves pieces in one transition; the browser cuts short one that still runs, and what comes while it starts is drawn at once. */
  move(ids) {
    const moving = { isStarting: true, named: [] };
    const name = () => {
      moving.named = ids.map((id) => this.kept.elements.get(`thing ${id}`)).filter(Boolean);
      for (const made of moving.named) made.style.setProperty("view-transition-name", `piece-${this.numberOf(made.dataset.id)}`);
    };
    this.unname();
    name();
    this.moving = moving;
    const before = this.scene;
    moving.change = document.startViewTransition(() => {
      this.draw(...this.latest);
      animate(before, this.scene, (id) => this.kept.elements.get(id));
      name();
    });
    moving.change.ready.catch(() => {}).finally(() => { moving.isStarting = false; });
    moving.change.finished.catch(() => {}).finally(() => {
      if (this.moving !== moving) return;
      this.unname();
      this.moving = null;
    });
  }

  unname() {
    for (const made of this.moving?.named ?? []) made.style.removeProperty("view-transition-name");
  }

  /** A number for each piece, so that no two ever have one name. */
  numberOf(id) {
    if (!this.numbers.has(id)) this.numbers.set(id, this.numbers.size);
    return this.numbers.get(id);
  }

  /** The ids of the things that have moved since the last scene. */
  moved(scene) {
    const now = new Map(scene.things.map((thing) => [thing.id, `${thing.region} ${thing.place} ${thing.x} ${thing.y}`]));
    const found = [...now].filter(([id, place]) => this.places.has(id) && this.places.get(id) !== place).map(([id]) => id);
    this.places = now;
    return found;
  }

  draw(scene, question, chosen) {
    this.scene = scene;
    this.question = question;
    this.chosen = chosen;
    this.things = Map.groupBy ? Map.groupBy(scene.things, (thing) => thing.region) : grouped(scene.things);
    this.byId = new Map([...scene.regions.map((region) => [region.id, region]), ...scene.variables.map((value) => [value.id, value])]);
    const shared = scene.table.map((row, at) => {
      const made = this.kept.get(`row ${at}`, () => element("div", { class: "band" }));
      arrange(made, row.map((id) => this.part(id)).filter(Boolean));
      made.classList.toggle("values", !made.querySelector(":scope > .region"));
      return made;
    });
    const common = this.kept.get("common", () => element("section", { class: "common" }));
    set(common, { "aria-label": say("table") });
    arrange(common, shared);
    const from = scene.seats.findIndex((seat) => seat.is_viewer);
    const around = from < 0 ? scene.seats : [...scene.seats.slice(from), ...scene.seats.slice(0, from)];
    const seats = this.kept.get("seats", () => element("div", { class: "seats" }));
    arrange(seats, around.map((seat) => this.seat(seat)));
    arrange(this.root, [common, seats, this.credit]);
    this.kept.forget();
  }

  /** A region or a value by its id. */
  part(id) {
    const found = this.byId.get(id);
    if (!found) return null;
    if (found.arrangement === "sheet") return this.sheet(found);
    if ("arrangement" in found) return isEmpty(found, this.things) ? null : this.region(found);
    return saysNothing(found) ? null : this.value(found);
  }

  seat(seat) {
    const made = this.kept.get(`seat ${seat.seat}`, () => element("section", { class: "seat" }, element("h3"), element("div", { class: "band values" }), element("div", { class: "band" })));
    const isOver = this.scene.is_over;
    set(made, {
      class: `seat fill-${seat.fill}${seat.is_viewer ? " own" : ""}${seat.is_next && !isOver ? " next" : ""}${this.scene.winners.includes(seat.seat) ? " won" : ""}`,
      "aria-label": seat.is_viewer ? `${seat.name} (${say("you")})` : seat.name,
    });
    const [title, values, regions] = made.children;
    arrange(title, [
      this.kept.get(`seat ${seat.seat} mark`, () => element("span", { "aria-hidden": "true" })),
      this.kept.get(`seat ${seat.seat} name`, () => element("span", { class: "name" })),
    ]);
    set(title.children[0], { class: `seat-mark fill-${seat.fill}` });
    title.children[0].textContent = seat.seat + 1;
    title.children[1].textContent = seat.is_viewer ? `${seat.name} (${say("you")})` : seat.name;
    this.pick(title, seat.options, `${seat.name}`);
    this.level(title, 2);
    const parts = seat.lies_here.map((id) => [this.byId.get(id), this.part(id)]).filter(([, part]) => part);
    arrange(values, parts.filter(([found]) => !("arrangement" in found)).map(([, part]) => part));
    arrange(regions, parts.filter(([found]) => "arrangement" in found).map(([, part]) => part));
    values.hidden = values.children.length === 0;
    made.classList.toggle("bare", regions.children.length === 0);
    return made;
  }

  value(value) {
    const made = this.kept.get(`value ${value.id}`, () => element("p", { class: "value" }));
    set(made, { class: `value ${value.show}${value.is_changed ? " changed" : ""}${value.is_default ? " default" : ""}` });
    const words = value.show === "flag" ? [element("span", {}, value.title)] : [element("span", { class: "what" }, value.title), element("b", {}, value.words || "–")];
    if (value.show === "flag" && value.number === 0) words[0] = element("s", {}, value.title);
    const isDie = value.show === "die" && value.icon.startsWith("pips/");
    if (value.fill && !isDie && !["flag", "spinner"].includes(value.show)) words.push(element("i", { class: `swatch fill-${value.fill}`, "aria-hidden": "true" }, inline(value.icon) ?? value.symbol));
    if (value.show === "gauge" && value.number !== null && value.high !== null) {
      words.push(element("meter", { min: value.low ?? 0, max: value.high, value: value.number, "aria-label": value.title }));
    }
    const sign = value.show === "spinner" ? spinner(value) : value.icon && (isDie || !value.fill) ? inline(value.icon, value.fill) : null;
    if (sign) words.splice(1, isDie ? 1 : 0, sign, ...(isDie ? [element("b", { class: "unseen" }, value.words)] : []));
    made.replaceChildren(...words);
    return made;
  }

  /** A sheet: a line for each title, a column for each player. */
  sheet(region) {
    const made = this.kept.get(`region ${region.id}`, () => element("section", { class: "region sheet-region", "data-region": region.id }, element("h4"), element("table", {}, element("thead"), element("tbody"))));
    const [title, table] = made.children;
    title.textContent = region.title;
    this.level(title, 2);
    set(made, { "aria-label": region.title });
    const looked = JSON.stringify([region.rows, region.columns, this.credit.textContent]);
    if (made.looked !== looked) {
      made.looked = looked;
      table.children[0].replaceChildren(element("tr", {}, element("td"), region.columns.map((one) => element("th", { scope: "col" }, one.fill && element("i", { class: `seat-dot fill-${one.fill}` }), one.title))));
      table.children[1].replaceChildren(...region.rows.map((one) => element("tr", {}, element("th", { scope: "row" }, inline(one.icon), element("span", {}, one.title)))));
    }
    const rows = region.rows.map((_, at) => region.places.filter((place) => place.y === at));
    [...table.children[1].children].forEach((line, at) => {
      const cells = region.columns.map((_, x) => {
        const place = rows[at].find((one) => one.x === x);
        if (!place) return this.kept.get(`no place ${region.id} ${x} ${at}`, () => element("td"));
        const cell = this.kept.get(`place ${place.id}`, () => element("td", { "data-id": place.id }));
        set(cell, { class: place.is_changed ? "changed" : "" });
        cell.textContent = place.title;
        this.pick(cell, place.options, `${region.columns[place.x].title}: ${region.rows[at].title} ${place.title}`);
        return cell;
      });
      arrange(line, [line.firstChild, ...cells]);
    });
    return made;
  }

  /** How a region is drawn where the page knows better than its cells: a die shows one face until it is unfolded, cards overlap, and rows are no longer than can be read. */
  laidOut(region, things) {
    if (region.arrangement === "die") return this.dice(region, things);
    const isHeld = ["hand", "fan"].includes(region.arrangement);
    if (!isHeld && !["heap", "row"].includes(region.arrangement) || region.places.length) return null;
    const cells = [...new Set(things.map((thing) => thing.y * region.width + thing.x))].sort((one, two) => one - two);
    const isSaid = (thing) => isHeld || ((!thing.icon || thing.icon.startsWith("suit/")) && !thing.marks.length); // by the corner that is seen
    const mayOverlap = things.every((thing) => isSaid(thing) && thing.shape === "card" && (!thing.is_face_up || (thing.corner && thing.count === 1)));
    const own = region.seat === null || region.seat === this.scene.viewer;
    const most = things.every((thing) => !thing.is_face_up) ? region.width : LONGEST_ROW[SMALL.matches ? "small" : own ? "own" : "others"];
    const rows = isHeld && mayOverlap && !SMALL.matches ? 1 : Math.ceil(cells.length / most);
    const width = Math.ceil(cells.length / rows);
    const overlap = mayOverlap && width > (isHeld ? FEWEST_FANNED : FEWEST_LAID);
    if (!things.length || (!overlap && rows === region.height)) return null;
    const step = !overlap ? 1 : width > MOST_WHOLE ? FANNED : WHOLE;
    const at = (thing) => cells.indexOf(thing.y * region.width + thing.x);
    return { width: (width - 1) * step + 1, height: rows, thing: (thing) => [(at(thing) % width) * step, Math.floor(at(thing) / width)] };
  }

  /** Dice beside each other with the face that is up, or cut open. */
  dice(region, things) {
    const isAsked = things.some((thing) => thing.options.length > 0);
    const isOpen = isAsked || this.unfolded.has(region.id);
    const rows = [...new Set(things.map((thing) => thing.y))].sort((one, two) => one - two);
    const shown = new Map(rows.map((y) => [y, things.find((thing) => thing.y === y && thing.is_up) ?? things.find((thing) => thing.y === y)]));
    const isNet = isOpen && things.every((thing) => thing.x < NET.length);
    if (isOpen && !isNet) return null;
    const column = (y) => rows.indexOf(y);
    const step = isNet ? 4.4 : DIE;
    return {
      isOpen, isAsked, isFolded: !isNet,
      width: step * rows.length - (step - (isNet ? 4 : 1)), height: (isNet ? 3 : 1) + DIE_TITLE,
      things: isNet ? things : [...shown.values()],
      thing: (thing) => isNet ? [column(thing.y) * step + NET[thing.x][0], NET[thing.x][1]] : [column(thing.y) * step, 0],
      place: (place) => [Math.max(0, column(place.y)) * step, 0],
      span: isNet ? 4 : 1,
    };
  }

  region(region) {
    const made = this.kept.get(`region ${region.id}`, () => element("section", { class: "region" }, element("h4"), element("div", { class: "cells" })));
    const [title, cells] = [made.firstChild, made.querySelector(":scope > .cells")];
    const lie = this.things.get(region.id) ?? [];
    const laid = this.laidOut(region, lie);
    const beside = !laid && isOfRows(region) ? LABEL : 0; // rows of dice or of a box are named at their left
    const isCounted = region.amount !== null && region.places.length === 0 && region.arrangement !== "ring" && lie.length > 1;
    const amount = isCounted ? ` · ${region.amount}` : "";
    title.textContent = region.title + amount;
    title.classList.toggle("unseen", (region.board !== null || region.is_solid) && region.options.length === 0);
    set(made, {
      class: ["region", region.arrangement, region.places.length && "placed", lie.some((thing) => thing.count > 1 && STACKED.has(thing.shape)) && "stacks", region.is_changed && "changed", region.board && `board board-${region.board}`, region.is_kept && lie.length === 0 && "kept", laid?.isFolded && "folded", laid?.isOpen && "unfolded"].filter(Boolean).join(" "), "aria-label": region.title, "data-region": region.id,
      style: { "--title": title.textContent.length, "--w": Math.max(1, laid?.width ?? region.width) + beside, "--left": beside, "--h": region.amount === 0 && region.places.length === 0 && !region.is_kept ? 0.1 : Math.max(laid?.height ?? region.height, 0.4) },
    });
    set(cells, { class: `cells${region.fill ? ` fill-${region.fill}` : ""}`, style: { "--dark": darkFirst(region) } });
    if (isLong(region)) this.track(made, region, cells, lie);
    else if (!region.is_solid) this.fold(made, region, laid);
    this.pick(title, region.options, region.title);
    this.level(title, region.seat === null ? 2 : 3);
    if (region.is_solid) this.solid(made, region, cells, lie);
    const children = region.places.map((place) => this.place(region, place, laid));
    if (region.lines.length) children.unshift(this.lines(region));
    const lying = this.beside(laid?.things ?? lie).map(([thing, among]) => [thing, this.thing(region, thing, among, laid)]);
    // Screen readers and the keyboard follow rows, from left to right.
    arrange(cells, [...children, ...lying.map(([, child]) => child)]);
    return made;
  }

  /** A box that stands on the table, and beside it its sides unfolded: when they are asked about, have something on them, or are wanted. */
  solid(made, region, cells, things) {
    const isAsked = things.some((thing) => thing.options.length > 0) || region.places.some((place) => place.options.length > 0) || this.scene.things.some((thing) => thing.region === region.id && thing.on !== null);
    made.solid ??= new Solid();
    const whole = made.solid.show(region, things.filter((thing) => thing.on === null), isCalm(), this.credit.textContent !== "");
    if (whole.parentNode !== made) cells.before(whole);
    cells.hidden = !isAsked && !this.unfolded.has(region.id);
    made.classList.toggle("standing", cells.hidden);
    this.fold(made, region, { isOpen: !cells.hidden, isAsked });
  }

  /** A long track: on a small screen only where everything stands, until somebody is asked about it or wants to see it. */
  track(made, region, cells, things) {
    const isAsked = !SMALL.matches || [...things, ...region.places].some((one) => one.options.length > 0);
    const titles = new Map(region.places.map((place) => [place.id, place.title]));
    cells.hidden = !isAsked && !this.unfolded.has(region.id);
    const where = this.kept.get(`where ${region.id}`, () => element("p", { class: "where small" }));
    where.hidden = !cells.hidden;
    where.replaceChildren(...things.map((thing) => element("span", {}, element("i", { class: `seat-dot fill-${thing.fill ?? "none"}` }), thing.words.endsWith(titles.get(thing.place)) ? thing.words : `${thing.words}: ${titles.get(thing.place) ?? "–"}`)));
    if (where.parentNode !== made) cells.after(where);
    this.fold(made, region, { isOpen: !cells.hidden, isAsked, words: "whole" });
  }

  /** The button that unfolds dice, boxes and long tracks. */
  fold(made, region, laid) {
    const button = made.querySelector(":scope > .unfold");
    if ((region.arrangement !== "die" && !region.is_solid && !isLong(region)) || laid?.isAsked) return button?.remove();
    const turn = button ?? element("button", { type: "button", class: "unfold" });
    turn.textContent = say(laid?.isOpen || !laid ? "fold" : laid.words ?? "unfold");
    turn.onclick = () => {
      if (!this.unfolded.delete(region.id)) this.unfolded.add(region.id);
      this.draw(...this.latest);
    };
    if (!button) made.append(turn);
    return turn;
  }

  /** The lines between the places of a graph. */
  lines(region) {
    const made = this.kept.get(`lines ${region.id}`, () => drawn("svg", { class: "lines", "aria-hidden": "true", focusable: "false" }));
    const known = JSON.stringify([region.lines, region.width, region.height]);
    if (made.dataset.lines !== known) {
      made.dataset.lines = known;
      made.setAttribute("viewBox", `0 0 ${region.width} ${region.height}`);
      made.replaceChildren(...region.lines.map(([one, two]) => {
        const [from, to] = [region.places[one], region.places[two]];
        return drawn("line", { x1: from.x + 0.5, y1: from.y + 0.5, x2: to.x + 0.5, y2: to.y + 0.5 });
      }));
    }
    return made;
  }

  place(region, place, laid = null) {
    const made = this.kept.get(`place ${place.id}`, () => element("div", { class: "place" }, element("span", { class: "place-title" })));
    set(made, { class: `place${place.is_changed ? " changed" : ""}`, "data-id": place.id, style: { "--x": laid?.place?.(place)[0] ?? place.x, "--y": laid?.place?.(place)[1] ?? place.y, "--layer": place.layer, "--span": laid?.span ?? 1, "--longest": longest(place.title) }, title: region.board ? place.title : null });
    made.classList.toggle("first-column", place.x === 0);
    made.classList.toggle("first-row", place.y === 0);
    made.firstChild.textContent = place.title;
    const isOccupied = region.board !== null || ((place.amount ?? 0) > 0 && !isOfRows(region));
    set(made.firstChild, { class: `place-title${isOccupied ? " hidden" : ""}` });
    this.pick(made, place.options, `${region.title}: ${place.title}`, "group");
    return made;
  }

  /** Things, how many lie in their place, which of them each is, and how many below are only counted, so that none hides another one. */
  beside(things) {
    const spots = new Map();
    for (const thing of things) {
      const spot = `${thing.place ?? thing.layer} ${thing.x} ${thing.y} ${thing.on}`;
      if (!spots.has(spot)) spots.set(spot, []);
      spots.get(spot).push(thing);
    }
    return [...spots.values()].flatMap((pile) => {
      const below = pile.slice(0, -MOST_BESIDE).reduce((sum, thing) => sum + thing.count, 0);
      return pile.slice(-MOST_BESIDE).map((thing, at, shown) => [thing, { of: shown.length, at, below: at === shown.length - 1 ? below : 0 }]);
    });
  }

  thing(region, thing, { of, at, below }, laid = null) {
    const made = this.kept.get(`thing ${thing.id}`, () => element("div", { class: "thing", "data-id": thing.id }));
    const look = JSON.stringify([this.credit.textContent !== "", thing.shape, thing.fill, thing.pattern, thing.symbol, thing.icon, thing.ink, thing.corner, thing.words, thing.is_face_up, thing.count, thing.marks, thing.mark_icons, below]);
    const isPile = region.arrangement === "stack" && thing.count > 1; // those below the topmost differ from it
    const across = Math.ceil(Math.sqrt(of)); // those in one place share it, in rows and columns
    const amount = isPile ? `${thing.count}` : `×${thing.count}`;
    if (made.look !== look) {
      made.look = look;
      const drawing = shape(thing, region.arrangement === "hex");
      const isSigned = drawing.classList.contains("has-sign") || thing.corner !== "";
      made.replaceChildren(drawing, element("span", { class: `symbol${thing.ink ? ` fill-${thing.ink}` : ""}`, "aria-hidden": "true" }, isSigned ? "" : thing.symbol),
        element("span", { class: "title", "aria-hidden": "true" }, thing.words),
        ...(thing.count > 1 ? [element("span", { class: "count", "aria-hidden": "true" }, amount)] : []),
        ...(below ? [element("span", { class: "below", "aria-hidden": "true" }, `+${below}`)] : []),
        ...(thing.marks.length ? [marksOf(thing)] : []));
    }
    const classes = ["thing", ...(made.firstChild.classList.contains("has-sign") || thing.corner ? ["signed"] : []), ...(thing.words === thing.symbol ? ["named"] : []), `shape-${thing.shape}`, `fill-${thing.fill ?? "none"}`];
    for (const [name, is] of [["face-down", !thing.is_face_up], ["pile", isPile], ["covered", thing.is_covered], ["up", thing.is_up], ["changed", thing.is_changed], ["upon", thing.on !== null]]) if (is) classes.push(name);
    const words = [thing.words, thing.count > 1 ? amount : "", below ? `+${below}` : "", ...thing.marks, thing.is_changed ? say("new") : ""].filter(Boolean).join(", ");
    set(made, { class: classes.join(" "), style: { "--x": laid?.thing?.(thing)[0] ?? thing.x, "--y": laid?.thing?.(thing)[1] ?? thing.y, "--layer": thing.layer, "--across": across, "--column": at % across, "--row": Math.floor(at / across), "--longest": longest(thing.words) }, title: thing.text ? `${thing.words}: ${thing.text}` : thing.words });
    this.pick(made, thing.options, words, "img");
    return made;
  }

  /** The level of a heading below the title of the page; one that can be picked is a button. */
  level(title, level) {
    set(title, { "aria-level": title.getAttribute("role") === "button" ? null : level });
  }

  /** Makes an element pickable if it is an option of the question. */
  pick(made, options, words, role = null) {
    const open = this.question ? options : [];
    if (open.length === 0) {
      set(made, { role: role === "group" ? null : role, tabindex: null, "aria-label": role === "img" ? words : null, "aria-pressed": null, "data-options": null, onclick: null, onkeydown: null });
      made.classList.remove("pickable", "chosen", "other");
      return;
    }
    const taken = open.filter((at) => this.chosen.has(at));
    const isPart = this.left !== null && this.left.every((at) => open.includes(at));
    made.classList.toggle("other", this.left !== null && !this.left.some((at) => open.includes(at)));
    const pick = () => this.picked(open.find((at) => !this.chosen.has(at)) ?? open[0], open, this.question);
    set(made, {
      role: "button", tabindex: 0, "aria-label": `${words} – ${say(taken.length || isPart ? "chosen" : "offered")}`, "aria-pressed": taken.length > 0 || isPart ? "true" : "false", "data-options": open.join(" "),
      onclick: (event) => { event.stopPropagation(); pick(); },
      onkeydown: (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          event.stopPropagation();
          pick();
        }
      },
    });
    made.classList.add("pickable");
    made.classList.toggle("chosen", taken.length > 0 || isPart);
  }
}

/** The length of the longest word, if it is long. */
function longest(words) {
  return Math.max(USUAL_WORD, ...words.split(/[\s-]/u).map((word) => word.length));
}

/** The values of a piece's variables: as icons, if they have some. */
function marksOf(thing) {
  const signs = thing.mark_icons.map((icon) => icon ? inline(icon) : null);
  if (signs.some(Boolean)) return element("span", { class: "marks signs", "aria-hidden": "true" }, thing.marks.map((mark, at) => signs[at] ?? mark));
  return element("span", { class: "marks", "aria-hidden": "true" }, thing.marks.join(" · "));
}

/** Whether the squares of a chequered board begin with a dark one: those with places are dark, where not all have one; else the lower left one. */
function darkFirst(region) {
  if (region.board !== "chequered" || !region.places.length) return 0;
  const isWhole = region.places.length >= region.width * region.height;
  const { x, y } = isWhole ? { x: 0, y: region.height - 1 } : region.places[0];
  return (x + y) % 2 === 0 ? 1 : 0;
}

function grouped(things) {
  const found = new Map();
  for (const thing of things) found.set(thing.region, [...(found.get(thing.region) ?? []), thing]);
  return found;
}

/** Whether a value is none and was so at the start: it would only fill the table. */
function saysNothing(value) {
  return value.is_default && value.show !== "score" && (value.show === "mark" ? !value.symbol : !value.number);
}

/** Whether a region has a row for each of its places, with a title beside it. */
function isOfRows(region) {
  return ["box", "die", "piles"].includes(region.arrangement) && region.places.length > 0;
}

/** Whether a region is a track that fills a small screen. */
function isLong(region) {
  return region.arrangement === "track" && region.places.length >= LONG_TRACK;
}

/** Whether a region is empty, so that it takes up no room. */
function isEmpty(region, things) {
  return !region.is_kept && region.amount === 0 && region.places.length === 0 && !things.has(region.id) && region.options.length === 0;
}
