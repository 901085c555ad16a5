// The engine of a page: a worker with the interpreter, questions to it, and an end to one that does not answer.

/** Milliseconds that an answer may take, and those of slow questions. */
const LONGEST = 20000, SLOW = { study: 120000, scenarios: 60000, step: 60000, diagnostics: 45000, use: 30000, rulebook: 45000 };
/** Milliseconds until the interpreter must be there. */
const START = 90000;

export class Stopped extends Error {}

export class Engine {
  /** `changed` hears the state: "starting", "ready", "stopped" or "failed", with a sentence; `prepare` brings a new worker to where the old one was. */
  constructor(changed = () => {}, prepare = async () => {}) {
    this.changed = changed;
    this.prepare = prepare;
    this.waiting = new Map();
    this.number = 0;
    this.start();
  }

  start() {
    this.changed("starting");
    const worker = this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.ready = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("the interpreter did not start")), START);
      worker.onerror = (event) => reject(new Error(event.message || "the interpreter did not start"));
      worker.onmessage = ({ data }) => {
        if (this.worker !== worker) return;
        if (data.ready) { clearTimeout(late); resolve(); }
        else if (data.failed) reject(new Error(data.failed));
        else this.hear(data);
      };
    });
    this.ready.then(() => this.changed("ready"), (wrong) => this.changed("failed", wrong.message));
  }

  hear({ number, begun, answer, broken }) {
    if (begun !== undefined) {
      const asked = this.waiting.get(begun);
      if (asked) asked.timer = setTimeout(() => this.stop(asked.name), SLOW[asked.name] ?? LONGEST);
      return;
    }
    const asked = this.waiting.get(number);
    if (!asked) return;
    clearTimeout(asked.timer);
    this.waiting.delete(number);
    if (broken) asked.reject(new Error(broken));
    else asked.resolve(JSON.parse(answer));
  }

  /** Ends a worker that does not answer, and starts another one. */
  async stop(name) {
    this.worker.terminate();
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of lost) { clearTimeout(one.timer); one.reject(new Stopped(name)); }
    this.changed("stopped", name);
    this.start();
    await this.prepare();
  }

  /** What the desk answers: whether it could, and what it found, or why not. Raises Stopped. */
  async request(name, asked = {}) {
    await this.ready;
    return new Promise((resolve, reject) => {
      const number = this.number += 1;
      this.waiting.set(number, { name, resolve, reject });
      this.worker.postMessage({ number, question: JSON.stringify({ do: name, ...asked }) });
    });
  }

  /** The same, and an Error with the reason if it could not. */
  async ask(name, asked = {}) {
    const { ok, found } = await this.request(name, asked);
    if (!ok) throw Object.assign(new Error(found.sentence), found);
    return found;
  }
}
