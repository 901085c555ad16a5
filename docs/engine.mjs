// A client of `houserule engine`: plays one match with the first legal number of each question, and prints how it ends.
// node engine.mjs GAME [HOUSERULE…]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

class Engine {
  constructor(command = ["houserule"]) {
    this.process = spawn(command[0], [...command.slice(1), "engine"], { stdio: ["pipe", "pipe", "inherit"] });
    this.waiting = new Map();
    this.last = 0;
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      const { id, ok, result, error } = JSON.parse(line);
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      ok ? resolve(result) : reject(Object.assign(new Error(error.message), { code: error.code }));
    });
  }

  ask(command, keys = {}) {
    const id = ++this.last;
    this.process.stdin.write(JSON.stringify({ id, do: command, ...keys }) + "\n");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}

const [name = "nim", ...command] = process.argv.slice(2);
const engine = new Engine(command.length ? command : undefined);
const { protocol } = await engine.ask("hello");
if (protocol !== 1) throw new Error(`protocol ${protocol} is not understood`);
const { game, players } = await engine.ask("load", { game: name });
let state = await engine.ask("new", { game, players: players[0], seed: 1 });
const { match } = state;
await engine.ask("answer", { match, player: 0, answer: "no such thing" }).catch(({ code }) => console.log(code));
while (!state.is_over) {
  const { player } = state.asked[0];
  const taken = [];
  for (;;) {
    const { numbers } = await engine.ask("options", { match, player, taken });
    if (numbers.length === 0) break;
    taken.push(numbers[0]);
  }
  state = await engine.ask("answer", { match, player, numbers: taken });
}
console.log(JSON.stringify({ ending: state.ending, winners: state.winners, answers: state.answers }));
await engine.ask("quit");
