// A match by letters: each answer makes the link longer, and two people send it to and fro by any messenger.
//
// Nobody chooses the deal: the first letter has only the hash of one half of the seed, the answer brings the other half, and the
// third shows the first. From then on a letter holds the whole match. Pages show each player their own side; who takes a letter
// apart can see the other one as well, since there is no server to keep a secret.

import { element } from "./dom.js";
import { keep as written, kept } from "./kept.js";
import { arranged } from "./phrases.js";
import { isTable, isText, packed, unpacked } from "./sharing.js";

const VERSION = 1;
const SEEDS = 2 ** 31;
/** The entries with which a match begins, and those that a seat makes for itself. Others, such as what is taken back, are in no letter. */
const BEGINNING = ["claim", "start"], ACTS = ["answer", "given", "change", "react"];
/** What an invitation does not say of a room, as it is then. */
const USUAL = { house_rules: [], options: {}, clock: null, asks_anyway: false, race_seconds: 10 };

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
}

function half() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

/** The seed that two halves make. */
export async function seedOf(first, second) {
  return parseInt((await digest(`${first} ${second}`)).slice(0, 12), 16) % SEEDS;
}

const isHalf = (one) => isText(one) && /^[0-9a-f]{24}$/.test(one);
const isListOf = (is) => (all) => Array.isArray(all) && all.every(is);
const isOrder = isListOf((one) => Array.isArray(one) && one.length === 2 && Number.isInteger(one[0]) && ["slap", "pass"].includes(one[1]));

/** Whether a value is an entry of a room, as far as letters look into it. */
function isEntry(one) {
  if (!Array.isArray(one) || one.length !== 2 || !isText(one[0]) || !isTable(one[1])) return false;
  const [kind, { seat, slap, after, order }] = one;
  return (seat === undefined ? !ACTS.includes(kind) : Number.isInteger(seat)) && (kind !== "race" || isOrder(order))
    && (kind !== "react" || (typeof slap === "boolean" && typeof after === "number"));
}

const isKept = (one) => isTable(one) && isTable(one.settings) && isListOf(isEntry)(one.entries);
const people = (letter) => letter.seats.map((seat, at) => seat === null ? at : -1).filter((at) => at >= 0);
const isLetter = (one) => isTable(one) && one.v === VERSION && isHalf(one.id) && isText(one.game) && isText(one.a) && /^[0-9a-f]{64}$/.test(one.a)
  && isListOf(isText)(one.names) && one.names.length > 0 && isListOf((seat) => seat === null || isText(seat))(one.seats) && people(one).length === 2
  && (one.b === undefined || isHalf(one.b)) && (one.kept === undefined || (isHalf(one.A) && isHalf(one.b) && isKept(one.kept)));
/** Whether a value is what this browser keeps of a match; other pages of this host may have written something else there. */
const isKnown = (one) => isTable(one) && [0, 1].includes(one.own) && (one.secret === undefined || isHalf(one.secret))
  && (one.invitation === undefined || isLetter(one.invitation)) && (one.match === undefined || (isLetter(one.match) && one.match.kept !== undefined));

function known(id) {
  const found = kept(`letter:${id}`);
  return isKnown(found) ? found : null;
}

/** Keeps something about a match. Raises Error with a sentence if there is no room: without it, the next letter would be refused. */
function keep(id, about) {
  if (!written(`letter:${id}`, JSON.stringify({ ...known(id), ...about }))) throw new Error(arranged("no_room"));
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a letter belongs to the invitation that was sent or answered here: the same game and seats, and the same halves of the seed. */
function fits(letter, invitation) {
  return !invitation || ["game", "seats", "a", "b"].every((part) => invitation[part] === undefined || same(letter[part], invitation[part]));
}

/** Whether a match begins with another one, entry by entry. */
function extends_(now, before) {
  return before.length <= now.length && before.every((one, at) => same(one, now[at]));
}

/** Whether a race ends as the reactions to it decide: the fastest slap first, those who let pass last, and of each who has not reacted. */
function follows(order, reactions) {
  const ranks = order.map(([seat, key]) => [key === "pass" ? 1 : 0, reactions.get(seat)?.after ?? Infinity, seat]);
  const isAfter = (rank, before) => rank.map((part, at) => part - before[at] || 0).find((by) => by !== 0) > 0; // Infinity less itself is no number
  return ranks.every((rank, at) => !at || isAfter(rank, ranks[at - 1]))
    && [...reactions].every(([seat, { slap }]) => order.some(([one, key]) => one === seat && key === (slap ? "slap" : "pass")));
}

/** Whether entries from a place on leave it to the person in a seat what happens there. A race needs their reaction if they are asked in it. */
function leaves(entries, from, seat) {
  const reactions = new Map();
  return entries.every(([kind, content], at) => {
    const is = (at < from) || (BEGINNING.includes(kind) && !from) || (ACTS.includes(kind) && content.seat !== seat)
      || (kind === "race" && follows(content.order, reactions) && (reactions.has(seat) || content.order.every(([one]) => one !== seat)));
    if (kind === "race") reactions.clear();
    else if (kind === "react") reactions.set(content.seat, content);
    return is;
  });
}

export class Letters {
  /** `shell` has the interpreter, `root` shows what to do, and `open` shows a room. */
  constructor(shell, root, open) {
    this.shell = shell;
    this.root = root;
    this.open = open;
  }

  say(...children) {
    this.root.hidden = false;
    this.root.replaceChildren(...children.map((one) => typeof one === "string" ? element("p", {}, one) : one),
      element("button", { type: "button", class: "small", onclick: () => { this.root.hidden = true; } }, arranged("close")));
  }

  /** Does something, or says why it cannot be done. */
  tried(work) {
    return work().catch((wrong) => this.say(wrong.message));
  }

  /** Shows the link to send. */
  async offer(letter, sentence) {
    const link = `${location.href.split("#")[0]}#letter=${await packed(letter)}`;
    const box = element("input", { readonly: true, value: link, id: "letter-link", "aria-label": arranged("the_letter"), onfocus: (event) => event.target.select() });
    const copy = element("button", { type: "button", class: "main", id: "letter-copy", onclick: async () => { await navigator.clipboard.writeText(link).catch(() => box.select()); copy.textContent = arranged("copied"); } }, arranged("copy"));
    this.say(sentence, element("p", { class: "actions" }, box, copy,
      navigator.share && element("button", { type: "button", onclick: () => navigator.share({ url: link }).catch(() => {}) }, arranged("send"))));
  }

  /** Begins a match: the first letter. `players` is the fewest number of the game. */
  async invite(game, players, name) {
    const id = half(), secret = half();
    const seats = [null, null, ...Array(Math.max(0, players - 2)).fill("greedy")];
    const invitation = { v: VERSION, id, game, seats, names: [name || "Anna"], a: await digest(secret) };
    keep(id, { secret, own: 0, invitation });
    await this.offer(invitation, arranged("first_letter"));
  }

  /** Opens a letter. Raises Error with a sentence if it is none. */
  async read(text) {
    const letter = await unpacked(text).catch(() => null);
    if (!isLetter(letter)) throw new Error(arranged("no_letter"));
    const mine = known(letter.id);
    if (letter.kept) return this.goOn(letter, mine);
    if (letter.b) return this.deal(letter, mine);
    if (mine?.secret) return this.offer(letter, arranged("own_invitation"));
    return this.join(letter);
  }

  /** The other player answers the first letter. */
  join(letter) {
    const name = element("input", { id: "letter-name", maxlength: 24, "aria-label": arranged("your_name"), placeholder: arranged("your_name") });
    this.say(arranged("invites", { name: letter.names[0] }), element("p", { class: "actions" }, name,
      element("button", { type: "button", class: "main", id: "letter-join", onclick: () => this.tried(async () => {
        const other = name.value.trim() || "Ben";
        const answer = { ...letter, b: half(), names: [letter.names[0], other === letter.names[0] ? `${other} 2` : other] };
        keep(letter.id, { own: 1, invitation: answer });
        await this.offer(answer, arranged("send_back", { name: letter.names[0] }));
      }) }, arranged("join"))));
  }

  /** Who began reveals their half, and the match begins. */
  async deal(letter, mine) {
    if (!mine?.secret) throw new Error(arranged("letter_of_other", { name: letter.names[0] }));
    if (await digest(mine.secret) !== letter.a || !fits(letter, mine.invitation)) throw new Error(arranged("other_invitation"));
    if (mine.match) throw new Error(arranged("dealt_already"));
    const made = { ...letter, A: mine.secret };
    const seed = await seedOf(made.A, made.b);
    const { room } = await this.asked("request", { path: "/api/rooms", body: { game: letter.game, seats: letter.seats, names: letter.names, seed } });
    await this.show({ ...made, kept: await this.asked("kept", { room }) }, 0);
  }

  /** A letter with a match in it. */
  async goOn(letter, mine) {
    const { settings } = letter.kept;
    if (await digest(letter.A) !== letter.a || settings.seed !== await seedOf(letter.A, letter.b)) throw new Error(arranged("other_deal"));
    if (!mine) throw new Error(arranged("not_in_match"));
    const isPlain = settings.game === letter.game && same(settings.seats, letter.seats) && Object.entries(USUAL).every(([name, usual]) => same(settings[name], usual));
    if (!isPlain || !fits(letter, mine.match ?? mine.invitation) || (mine.match && !same(settings, mine.match.kept.settings))) throw new Error(arranged("other_deal"));
    const before = mine.match?.kept.entries, seat = people(letter)[mine.own];
    if (before && !extends_(letter.kept.entries, before)) {
      if (extends_(before, letter.kept.entries)) return this.show(mine.match, mine.own);
      throw new Error(arranged("takes_back"));
    }
    if (!leaves(letter.kept.entries, before?.length ?? 0, seat)) throw new Error(arranged("answers_for_you"));
    await this.seeAllowed(letter, seat);
    return this.show(letter, mine.own);
  }

  /** Refuses a letter with entries that the rules do not allow: kept, they would make every later letter one that takes back answers. */
  async seeAllowed(letter, own) {
    const room = `letter-${letter.id}`;
    this.shell.known.delete(room); // whatever is found, the page restores the room from what it keeps
    const { entries, of } = await this.asked("restore", { room, kept: letter.kept, own });
    if (entries < of) throw new Error(arranged("not_allowed"));
  }

  async asked(name, body) {
    const { ok, found } = await this.shell.engine.request(name, body);
    if (!ok) throw new Error(found.sentence);
    return found;
  }

  async show(letter, own) {
    const room = `letter-${letter.id}`;
    keep(letter.id, { own, match: letter });
    this.shell.keep(room, { ...letter.kept, own: people(letter)[own] });
    this.shell.known.delete(room);
    this.root.hidden = true;
    this.open(room);
  }

  /** After each message: whether there is a letter to send. */
  async heard(room, found) {
    const mine = room.startsWith("letter-") && known(room.slice(7));
    if (!mine?.match) return;
    const isNew = !same(found.kept.entries, mine.match.kept.entries);
    const letter = { ...mine.match, kept: found.kept };
    if (isNew) keep(letter.id, { match: letter });
    if (found.wait === null && !found.asked && (isNew || this.root.hidden)) {
      await this.offer(letter, arranged("send_letter", { name: letter.names[1 - mine.own] }));
    } else if (found.asked) this.root.hidden = true;
  }
}
