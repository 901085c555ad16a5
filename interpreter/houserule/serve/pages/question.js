// The question to this seat: its text, what has been chosen so far, and the options as a list.

import { arrange, element } from "./dom.js";
import { keep } from "./kept.js";
import { say } from "./words.js";

const SHORT_LIST = 8;
/** On a small screen the question is a sheet at the bottom, of one line if the table itself can be picked. */
const SMALL = matchMedia("(max-width: 59.99rem)");

export class Question {
  /** `answer` sends the keys of the options that were chosen; `redraw` draws the table anew. */
  constructor(answer, redraw) {
    this.answer = answer;
    this.redraw = redraw;
    this.chosen = new Set();
    this.root = element("section", { class: "question", "aria-label": say("choose") });
    this.title = element("h2", { tabindex: -1, id: "question" });
    this.isSent = false;
    SMALL.addEventListener("change", () => this.draw());
    for (const name of ["pointerover", "pointerout", "focusin", "focusout"]) this.root.addEventListener(name, (event) => pointOut(event.type.endsWith("out") ? null : event.target.closest(".option")));
  }

  /** Shows a question, or none; `number` is sent with the answer. */
  show(question, number, race) {
    if (number !== this.number) {
      this.chosen.clear();
      this.left = null; // the combined options that contain everything picked so far
      this.isSent = false;
      this.isAsking = false;
    }
    this.number = number;
    this.root.dataset.number = number ?? "";
    this.question = question;
    this.race = race;
    this.draw();
  }

  /** Handles a pick on the table of these options, or of a part of them: the first pick leaves the options that contain it. */
  pickOnTable(at, options, asked) {
    if (this.isSent || !this.question || asked !== this.question) return; // a table that still moves shows the last question
    if (this.question.parts < 2) {
      this.pick(at);
      return;
    }
    const left = options.filter((one) => !this.left || this.left.includes(one));
    if (left.length === 1) {
      this.left = null;
      this.pick(left[0]);
      return;
    }
    this.left = left.length === 0 ? options : left.length === this.left?.length ? null : left;
    this.redraw();
  }

  /** Handles the pick of an option. */
  pick(at) {
    if (this.isSent || !this.question) return;
    if (this.question.kind === "several") {
      if (this.chosen.has(at)) this.chosen.delete(at);
      else if (this.question.at_most === 1) this.chosen = new Set([at]);
      else if (this.chosen.size < this.question.at_most) this.chosen.add(at);
    } else {
      this.chosen = new Set([at]);
      if (!asksFirst() || this.question.kind === "slap") {
        this.send();
        return;
      }
    }
    this.redraw();
    this.draw();
  }

  /** Sends the answer. */
  send() {
    const { kind, options } = this.question;
    const keys = [...this.chosen].sort((one, other) => one - other).map((at) => options[at].key);
    this.isSent = this.answer(this.number, kind === "several" ? keys : keys[0]);
    this.draw();
  }

  /** The server has refused the answer, so another can be given. */
  open() {
    this.isSent = false;
    this.chosen.clear();
    this.draw();
    this.redraw();
  }

  get amount() {
    const { at_least: low, at_most: high } = this.question;
    if (low === high) return String(low);
    return low === 0 ? say("up_to", { high }) : say("from_to", { low, high });
  }

  draw() {
    const { question } = this;
    const hadFocus = this.root.contains(document.activeElement) || document.activeElement === document.body;
    const focused = document.activeElement?.dataset?.at;
    this.root.classList.toggle("asked", Boolean(question) && !this.isSent);
    if (!question) {
      this.title.textContent = "";
      this.root.replaceChildren();
      return;
    }
    this.title.textContent = question.prompt || say(question.kind === "slap" ? "race" : "choose");
    this.root.classList.toggle("slap", question.kind === "slap");
    const isSeveral = question.kind === "several";
    const onTable = question.options.filter((one) => one.at !== "button").length;
    const isLong = onTable > 0 && (question.options.length > SHORT_LIST || SMALL.matches);
    this.root.classList.toggle("compact", isLong && SMALL.matches);
    const texts = new Set(question.options.filter((one) => !one.is_pass).map((one) => one.text));
    const shared = texts.size === 1 && question.options.length > 2 ? [...texts][0] : null; // said once, not by every option
    const buttons = question.options.map((one, at) => [one, this.button(one, at, one.text === shared ? null : one.text)]);
    const parts = [
      this.title,
      question.text && element("p", { class: "text" }, question.text),
      shared && element("p", { class: "text" }, shared),
      isSeveral && element("p", { class: "small amount" }, say("take", { amount: this.amount })),
      onTable > 0 && element("p", { class: "small hint" }, say("on_table")),
      question.kind === "slap" && this.race && element("p", { class: "seconds", "aria-hidden": "true" }, this.race),
      question.kind === "slap" && this.race && element("progress", { class: "clock", "aria-label": say("race"), max: 1, value: 1 }),
      isLong && buttons.some(([one]) => one.at === "button") && element("div", { class: "options" }, buttons.filter(([one]) => one.at === "button").map(([, made]) => made)),
    ];
    const list = element("div", { class: "options", id: "options" }, (isLong ? buttons.filter(([one]) => one.at !== "button") : buttons).map(([, made]) => made));
    if (isLong) {
      const folded = element("details", { class: "list", open: this.isListOpen, ontoggle: (event) => this.keepList(event.target.open) },
        element("summary", { "aria-label": say("all_options", { n: question.options.length }) }, SMALL.matches ? `☰ ${question.options.length}` : say("all_options", { n: question.options.length })), list);
      parts.push(folded);
    } else parts.push(list);
    if (isSeveral || (asksFirst() && question.kind !== "slap")) parts.push(this.confirmation(isSeveral));
    arrange(this.root, parts.filter(Boolean));
    if (hadFocus && focused !== undefined) this.root.querySelector(`[data-at="${focused}"]`)?.focus();
  }

  /** Whether the list is open: on a small screen only for this question, else as it was left. */
  get isListOpen() {
    return SMALL.matches ? this.opened === this.number : remembered("list");
  }

  keepList(isOpen) {
    if (SMALL.matches) this.opened = isOpen ? this.number : null;
    else remember("list", isOpen);
  }

  button(option, at, text) {
    const isChosen = this.chosen.has(at);
    return element("button", {
      type: "button", class: `option${option.is_pass ? " pass" : ""}${isChosen ? " chosen" : ""}`, "data-at": at, "data-key": option.key,
      "aria-pressed": this.question.kind === "several" ? String(isChosen) : null, disabled: this.isSent,
      onclick: () => this.pick(at),
      onpointerdown: this.question.kind === "slap" ? () => this.pick(at) : null, // not only when the finger is lifted
    }, element("span", {}, option.label), text && element("span", { class: "small" }, text));
  }

  confirmation(isSeveral) {
    const size = this.chosen.size;
    const { at_least: low, at_most: high, may_pass: mayPass } = this.question;
    const fits = isSeveral ? (size >= low && size <= high) || (size === 0 && mayPass) : size === 1;
    const names = [...this.chosen].map((at) => this.question.options[at].label).join(", ");
    return element("p", { class: "actions" },
      element("button", { type: "button", class: "main", id: "confirm", disabled: !fits || this.isSent, onclick: () => this.send() }, names ? `${say("confirm")}: ${names}` : say("confirm")),
      size > 0 && element("button", { type: "button", onclick: () => { this.chosen.clear(); this.draw(); this.redraw(); } }, say("clear")));
  }

  /** Moves the focus to the question, for those who answer with the keyboard. */
  focus() {
    this.title.focus({ preventScroll: true });
  }
}

/** Marks on the table what an option of the list is about; nothing without an option. */
function pointOut(option) {
  for (const made of document.querySelectorAll(".table .pickable")) made.classList.toggle("pointed", option !== null && made.dataset.options.split(" ").includes(option.dataset.at));
}

/** Whether answers are confirmed: as the person has chosen, or else on touch, where a finger slips. */
export function asksFirst() {
  return localStorage.getItem("ask") === null ? matchMedia("(pointer: coarse)").matches : remembered("ask");
}

export function remembered(name) {
  return localStorage.getItem(name) === "yes";
}

export function remember(name, is) {
  keep(name, is ? "yes" : "no");
}
