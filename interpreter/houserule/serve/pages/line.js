// The connection to the server: it reconnects by itself, and passes messages on.

import { keep } from "./kept.js";

const VERSION = 1;
const SLOWEST = 5000;
const FULL = 30000;
/** After this long without a message the line is dead: the server pings a quiet line every five seconds. */
const SILENCE = 8500;

/** Whether a text can be the key of a seat, wherever it comes from. */
const isKey = (text) => /^[\w-]{1,99}$/.test(text ?? "");

export class Line {
  /** Listens to a room; `heard` gets each message, `state` whether the connection is up. `lent` is the key that a link has, if any. */
  constructor(room, language, heard, state, lent = null) {
    this.room = room;
    this.language = language;
    this.heard = heard;
    this.state = state;
    this.lent = isKey(lent) ? lent : null;
    this.wait = 300;
    this.connect();
    setInterval(() => this.listen(), 500);
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.hurry(); });
  }

  /** The key that this browser keeps. */
  get own() {
    const kept = localStorage.getItem(`seat:${this.room}`);
    return isKey(kept) ? kept : null;
  }

  /** The key that opens the seat: the one of a link, or that of this browser. */
  get token() {
    return this.lent ?? this.own;
  }

  set token(value) {
    if (value === null && this.lent) this.lent = null; // the other one may open a seat
    else if (value === null) localStorage.removeItem(`seat:${this.room}`);
    else if (!keep(`seat:${this.room}`, value)) this.lent = value; // the seat is theirs as long as the page stays
  }

  /** Keeps the key of a link that has opened a seat. It replaces no other key: anybody can send a link, and lost keys are lost for ever. */
  borrow() {
    if (!this.lent || (this.own ?? this.lent) !== this.lent) return;
    const key = this.lent;
    this.lent = null;
    this.token = key;
  }

  connect() {
    clearTimeout(this.timer);
    this.heardAt = performance.now();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/rooms/${encodeURIComponent(this.room)}/line`);
    this.socket = socket;
    socket.onopen = () => this.socket === socket && this.send({ type: "hello", version: VERSION, token: this.token, language: this.language });
    socket.onmessage = (event) => {
      if (this.socket !== socket) return;
      this.heardAt = performance.now();
      this.receive(JSON.parse(event.data));
    };
    socket.onclose = () => { if (this.socket === socket) this.lose(); };
  }

  /** The line is down: tries again soon. */
  lose() {
    this.socket = null;
    if (this.isOver) return; // it is not lost, and the page has said why
    this.state(false);
    this.timer = setTimeout(() => this.connect(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(SLOWEST, this.wait * 1.7);
  }

  /** Gives a line up that is silent, although nobody has closed it. */
  listen() {
    const { socket } = this;
    if (!socket || this.isOver || performance.now() - this.heardAt < SILENCE) return;
    this.lose();
    socket.close();
  }

  /** Reconnects at once if the connection is down: the page is visible again, or the network is back. */
  hurry() {
    this.listen();
    if (this.socket || this.isOver) return;
    this.wait = 300;
    this.connect();
  }

  receive(message) {
    if (message.type === "ping") {
      this.send({ type: "pong", ping: message.ping });
      return;
    }
    if (message.type === "welcome") {
      this.wait = 300;
      if (message.seat !== null) this.borrow();
      this.state(true);
    } else if (message.type === "seated") this.token = message.token;
    else if (message.type === "refused" && message.code === "token") {
      this.token = null;
      this.send({ type: "hello", version: VERSION, token: this.token, language: this.language });
      return;
    } else if (message.type === "refused" && ["no-room", "damaged", "version", "rules-changed", "pages"].includes(message.code)) this.isOver = true;
    else if (message.type === "refused" && message.code === "full") this.wait = FULL;
    this.heard(message);
  }

  /** Sends a message; false if the connection is down, so that nobody believes it was sent. */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  speak(language) {
    this.language = language;
    this.send({ type: "language", language });
  }
}
