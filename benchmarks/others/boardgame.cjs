// Plays games on boardgame.io at random for the benchmark: requests as lines of JSON in, times as lines of JSON out.
//
// The games are written here as its documentation recommends: moves that change G, and endIf. A match is a local client
// without a server or a page.
"use strict";

const { createInterface } = require("node:readline");
const { Client } = require("boardgame.io/client");
const { INVALID_MOVE } = require("boardgame.io/core");
const package_ = require("boardgame.io/package.json");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const ticTacToe = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (LINES.some(([a, b, c]) => G.cells[a] !== null && G.cells[a] === G.cells[b] && G.cells[a] === G.cells[c]))
      return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

const fourFrom = (columns, column, row) =>
  [[1, 0], [0, 1], [1, 1], [1, -1]].some(([across, up]) => {
    const owner = columns[column][row];
    let count = 1;
    for (const way of [1, -1])
      for (let n = 1; n < 4; n++) {
        const beside = columns[column + way * n * across];
        if (beside === undefined || beside[row + way * n * up] !== owner) break;
        count++;
      }
    return count >= 4;
  });

const connectFour = {
  setup: () => ({ columns: Array.from({ length: 7 }, () => []), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      if (G.columns[column].length === 6) return INVALID_MOVE;
      G.columns[column].push(playerID);
      G.last = column;
    },
  },
  endIf: ({ G, ctx }) => {
    if (G.last !== null && fourFrom(G.columns, G.last, G.columns[G.last].length - 1)) return { winner: ctx.currentPlayer };
    if (G.columns.every((column) => column.length === 6)) return { draw: true };
  },
};

const pig = {
  setup: () => ({ scores: [0, 0], pot: 0 }),
  moves: {
    roll: ({ G, random, events }) => {
      const pips = random.D6();
      if (pips > 1) {
        G.pot += pips;
        return;
      }
      G.pot = 0;
      events.endTurn();
    },
    hold: ({ G, playerID, events }) => {
      G.scores[playerID] += G.pot;
      G.pot = 0;
      events.endTurn();
    },
  },
  endIf: ({ G }) => {
    const winner = G.scores.findIndex((score) => score >= 100);
    if (winner >= 0) return { winner };
  },
};

const GAMES = {
  tic_tac_toe: [ticTacToe, (G) => G.cells.flatMap((cell, n) => (cell === null ? [["mark", n]] : []))],
  connect_four: [connectFour, (G) => G.columns.flatMap((column, n) => (column.length < 6 ? [["drop", n]] : []))],
  pig: [pig, () => [["roll"], ["hold"]]],
};

// mulberry32: so that a seed plays the same match again
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function play(game, options, seed, matches) {
  let decisions = 0;
  const random = chance(seed);
  const begun = process.hrtime.bigint();
  for (let match = 0; match < matches; match++) {
    const client = Client({ game: { ...game, seed: seed + match }, numPlayers: 2, debug: false });
    client.start();
    for (;;) {
      const { G, ctx } = client.getState();
      if (ctx.gameover !== undefined) break;
      const possible = options(G);
      const [move, ...words] = possible[Math.floor(random() * possible.length)];
      client.moves[move](...words);
      decisions++;
    }
    client.stop();
  }
  return [Number(process.hrtime.bigint() - begun) / 1e9, decisions];
}

const ways = Object.fromEntries(Object.keys(GAMES).map((game) => [game, ["loop"]]));
console.log(JSON.stringify({ version: `boardgame.io ${package_.version} on Node.js ${process.versions.node}`, ways }));
createInterface({ input: process.stdin }).on("line", (line) => {
  const asked = JSON.parse(line);
  const [seconds, decisions] = play(...GAMES[asked.game], asked.seed, asked.matches);
  console.log(JSON.stringify({ seconds, games: asked.matches, decisions }));
});
