// The line of a room's page to the interpreter of the page around it, with the messages of the line to a server.

import { element } from "./dom.js";
import { arranged } from "./phrases.js";

const VERSION = 1;
const shell = parent.houserule;

export class Line {
  constructor(room, language, heard, state) {
    this.room = room;
    this.language = language;
    this.heard = heard;
    this.state = state;
    this.isOver = false;
    this.token = null;
    shell?.join(room, () => this.connect());
    this.connect();
  }

  connect() {
    this.lift();
    return this.tell({ type: "hello", version: VERSION, token: this.token, language: this.language });
  }

  async tell(message) {
    try {
      this.take(await shell.hear(this.room, message, performance.now()));
    } catch {
      this.state(false); // the interpreter was stopped; the page around this one starts another
    }
  }

  take({ messages, wait }) {
    clearTimeout(this.timer);
    for (const text of messages) {
      const message = JSON.parse(text);
      if (message.type === "curtain") this.fall(message);
      else if (message.type !== "accepted") {
        if (message.type === "welcome") this.state(true);
        this.heard(message);
      }
    }
    if (wait !== null && wait !== undefined && !this.curtain) this.timer = setTimeout(() => this.step(), wait);
  }

  async step() {
    try {
      this.take(await shell.step(this.room, performance.now()));
    } catch {
      this.state(false);
    }
  }

  /** Sends a message; an answer is never lost on this line. */
  send(message) {
    this.tell(message);
    return true;
  }

  speak(language) {
    this.language = language;
    this.tell({ type: "language", language });
  }

  // --- the curtain between two people at one device -------------------------------------------------------------------

  /** Hides the table until the next person is there. */
  fall({ seat, name }) {
    this.lift();
    const begin = element("button", { type: "button", class: "main", id: "reveal", onclick: () => { this.token = String(seat); this.connect(); } }, arranged("i_am", { name }));
    this.curtain = element("div", { class: "curtain", role: "dialog", "aria-modal": "true", "aria-label": arranged("pass_to", { name }) },
      element("p", {}, arranged("pass_to", { name })), element("p", { class: "actions" }, begin));
    for (const other of document.body.children) other.inert = true;
    document.body.classList.add("covered");
    document.body.append(this.curtain);
    begin.focus();
  }

  lift() {
    if (!this.curtain) return;
    this.curtain.remove();
    this.curtain = null;
    document.body.classList.remove("covered");
    for (const other of document.body.children) other.inert = false;
  }
}
