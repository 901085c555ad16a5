// What the interpreter imports as `houserule_host`: translated rules as modules of the browser's own WebAssembly.

import { assembled } from "./assembler.js";

/** A module with a memory of its own, which imports nothing. */
class Sandbox {
  constructor({ module, takes }) {
    this.takes = takes;
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.trapped = "";
  }

  /** What a function returns; `trapped` says why it has not returned. */
  call(name, ...given) {
    this.trapped = "";
    try {
      return this.exports[name](...given.map((one, at) => (this.takes[name][at] === "i64" ? BigInt(one) : Number(one))));
    } catch (wrong) {
      this.trapped = String(wrong);
      return null;
    }
  }

  get names() {
    return Object.keys(this.takes).join(" ");
  }

  get size() {
    return this.exports.memory.buffer.byteLength;
  }

  view(start, stop) {
    return new Uint8Array(this.exports.memory.buffer, start, stop - start);
  }

  number(name) {
    return this.exports[name].value;
  }
}

export const host = {
  module(text) {
    const { bytes, takes } = assembled(text);
    return { module: new WebAssembly.Module(bytes), takes };
  },
  sandbox: (made) => new Sandbox(made),
};
