// WebAssembly's text format to a module: the part of it that the translator of rules writes, in which instructions hold their operands.

const PLAIN = {
  unreachable: [0x00], drop: [0x1a], select: [0x1b], return: [0x0f], "memory.grow": [0x40, 0], "memory.size": [0x3f, 0],
  "memory.copy": [0xfc, 10, 0, 0], "memory.fill": [0xfc, 11, 0],
  ...numbered(0x45, "i32.eqz i32.eq i32.ne i32.lt_s i32.lt_u i32.gt_s i32.gt_u i32.le_s i32.le_u i32.ge_s i32.ge_u"),
  ...numbered(0x50, "i64.eqz i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u i64.le_s i64.le_u i64.ge_s i64.ge_u"),
  ...numbered(0x61, "f64.eq f64.ne f64.lt f64.gt f64.le f64.ge"),
  ...numbered(0x67, "i32.clz i32.ctz i32.popcnt i32.add i32.sub i32.mul i32.div_s i32.div_u i32.rem_s i32.rem_u i32.and i32.or i32.xor i32.shl i32.shr_s i32.shr_u i32.rotl i32.rotr"),
  ...numbered(0x79, "i64.clz i64.ctz i64.popcnt i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s i64.rem_u i64.and i64.or i64.xor i64.shl i64.shr_s i64.shr_u i64.rotl i64.rotr"),
  ...numbered(0x99, "f64.abs f64.neg f64.ceil f64.floor f64.trunc f64.nearest f64.sqrt f64.add f64.sub f64.mul f64.div f64.min f64.max f64.copysign"),
  ...numbered(0xa7, "i32.wrap_i64 i32.trunc_f32_s i32.trunc_f32_u i32.trunc_f64_s i32.trunc_f64_u i64.extend_i32_s i64.extend_i32_u i64.trunc_f32_s i64.trunc_f32_u i64.trunc_f64_s i64.trunc_f64_u"),
  ...numbered(0xb7, "f64.convert_i32_s f64.convert_i32_u f64.convert_i64_s f64.convert_i64_u f64.promote_f32 i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64"),
  ...numbered(0xc0, "i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s"),
  ...lanes({ "i32x4.splat": 17, "i64x2.splat": 18, "v128.not": 77, "v128.and": 78, "v128.andnot": 79, "v128.or": 80, "v128.xor": 81, "i32x4.shl": 171, "i32x4.shr_s": 172,
    "i32x4.shr_u": 173, "i32x4.add": 174, "i32x4.sub": 177, "i32x4.mul": 181, "i64x2.shl": 203, "i64x2.shr_s": 204, "i64x2.shr_u": 205, "i64x2.add": 206, "i64x2.sub": 209 }),
};
/** Instructions that reach the memory: their code, and by how many bits their address is aligned. */
const MEMORY = {
  ...aligned(0x28, { "i32.load": 2, "i64.load": 3, "f32.load": 2, "f64.load": 3, "i32.load8_s": 0, "i32.load8_u": 0, "i32.load16_s": 1, "i32.load16_u": 1, "i64.load8_s": 0,
    "i64.load8_u": 0, "i64.load16_s": 1, "i64.load16_u": 1, "i64.load32_s": 2, "i64.load32_u": 2, "i32.store": 2, "i64.store": 3, "f32.store": 2, "f64.store": 3, "i32.store8": 0,
    "i32.store16": 1, "i64.store8": 0, "i64.store16": 1, "i64.store32": 2 }),
  "v128.load": [[0xfd, 0], 4], "v128.load32_splat": [[0xfd, 9], 2], "v128.load64_splat": [[0xfd, 10], 3], "v128.store": [[0xfd, 11], 4],
};
const TYPES = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b, funcref: 0x70 };
const EMPTY = 0x40, END = 0x0b;

function numbered(first, names) {
  return Object.fromEntries(names.split(" ").map((name, at) => [name, [first + at]]));
}

function aligned(first, aligns) {
  return Object.fromEntries(Object.entries(aligns).map(([name, align], at) => [name, [[first + at], align]]));
}

function lanes(codes) {
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, code < 128 ? [0xfd, code] : [0xfd, code & 127 | 128, code >> 7]]));
}

/** Bytes that grow. */
class Bytes {
  constructor(room = 1 << 12) {
    this.all = new Uint8Array(room);
    this.size = 0;
  }

  get done() {
    return this.all.subarray(0, this.size);
  }

  room(more) {
    if (this.size + more <= this.all.length) return;
    const old = this.done;
    this.all = new Uint8Array(Math.max(this.all.length * 2, this.size + more));
    this.all.set(old);
  }

  put(...bytes) {
    this.add(bytes);
  }

  add(bytes) {
    this.room(bytes.length);
    this.all.set(bytes, this.size);
    this.size += bytes.length;
  }

  /** A whole number from 0 on, seven bits in each byte. */
  number(value) {
    this.room(5);
    while (value > 127) {
      this.all[this.size++] = value & 127 | 128;
      value >>>= 7;
    }
    this.all[this.size++] = value;
  }

  /** A number that may be negative, the same way. */
  signed(value) {
    let left = BigInt(value);
    for (;;) {
      const part = Number(left & 127n);
      left >>= 7n;
      const isLast = left === 0n && !(part & 64) || left === -1n && part & 64;
      this.put(isLast ? part : part | 128);
      if (isLast) return;
    }
  }

  small(value) {
    this.room(5);
    for (;;) {
      const part = value & 127;
      value >>= 7;
      const isLast = value === 0 && !(part & 64) || value === -1 && part & 64;
      this.all[this.size++] = isLast ? part : part | 128;
      if (isLast) return;
    }
  }

  text(value) {
    const bytes = new TextEncoder().encode(value);
    this.number(bytes.length);
    this.add(bytes);
  }

  /** A list with its length before it, as a part of the module. */
  section(id, count, bytes) {
    const head = new Bytes(8);
    head.number(count);
    this.put(id);
    this.number(head.size + bytes.size);
    this.add(head.done);
    this.add(bytes.done);
  }
}

/** The lists of a text, as arrays of words and arrays. */
function parsed(text) {
  const stack = [[]];
  for (const [token] of text.matchAll(/;;[^\n]*|"[^"]*"|[()]|[^\s()";]+/g)) {
    if (token === "(") stack.push([]);
    else if (token === ")") stack.at(-2).push(stack.pop());
    else if (!token.startsWith(";;")) stack.at(-1).push(token);
  }
  if (stack.length !== 1) throw new Error("a bracket is missing");
  return stack[0];
}

const float = (text) => {
  const hex = text.match(/^(-?)0x([0-9a-f]+)(?:p([+-]?\d+))?$/i);
  const value = hex ? (hex[1] ? -1 : 1) * parseInt(hex[2], 16) * 2 ** Number(hex[3] ?? 0) : Number(text);
  if (Number.isNaN(value)) throw new Error(`'${text}' is no number`);
  return value;
};
const vector = ([shape, ...parts]) => {
  const listed = { i32x4: () => Int32Array.from(parts, (one) => Number(one) | 0), i64x2: () => BigInt64Array.from(parts, (one) => BigInt.asIntN(64, whole(one))) }[shape];
  if (!listed) throw new Error(`there are no constants of '${shape}'`);
  return new Uint8Array(listed().buffer);
};
const whole = (text) => (text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text));
const quoted = (text) => text.slice(1, -1);

/** One module while it is written. */
class Assembler {
  constructor(text) {
    const [[head, ...fields]] = parsed(text);
    if (head !== "module") throw new Error("this is no module");
    this.types = [];
    this.known = new Map();
    this.named = new Map();
    this.functions = new Map();
    this.globals = new Map();
    this.exports = [];
    this.kinds = {};
    for (const kind of ["type", "func", "global", "table", "memory", "elem", "data"]) this.kinds[kind] = fields.filter(([name]) => name === kind);
    for (const [, name, [, ...parts]] of this.kinds.type) this.named.set(name, this.type(parts));
    this.heads = this.kinds.func.map((parts, at) => this.head(parts, at));
    this.kinds.global.forEach(([, name], at) => this.globals.set(name, at));
  }

  /** The number of a type of functions. */
  type(parts) {
    const of = (kind) => parts.filter((part) => part[0] === kind).flatMap((part) => part.slice(1)).filter((word) => !word.startsWith("$"));
    const [params, results] = [of("param"), of("result")];
    const key = `${params}>${results}`;
    if (!this.known.has(key)) {
      this.known.set(key, this.types.length);
      this.types.push({ params, results });
    }
    return this.known.get(key);
  }

  /** What stands before the body of a function: its name, its type, its parameters and locals. */
  head(parts, at) {
    let next = 1;
    const head = [], locals = new Map(), types = [];
    if (typeof parts[next] === "string") this.functions.set(parts[next++], at);
    for (; Array.isArray(parts[next]) && ["export", "param", "result", "local", "type"].includes(parts[next][0]); next += 1) {
      const [kind, ...words] = parts[next];
      head.push(parts[next]);
      if (kind === "export") this.exports.push([quoted(words[0]), 0, at]);
      if (kind !== "param" && kind !== "local") continue;
      if (words[0]?.startsWith("$")) locals.set(words.shift(), types.length);
      types.push(...words);
    }
    const used = head.find(([kind]) => kind === "type");
    const type = used ? this.named.get(used[1]) : this.type(head);
    return { type, locals, own: types.slice(this.types[type].params.length), body: parts.slice(next) };
  }

  module() {
    const made = new Bytes(1 << 18);
    made.put(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    const write = (id, listed, one) => {
      if (!listed.length) return;
      const bytes = new Bytes();
      for (const item of listed) one(bytes, item);
      made.section(id, listed.length, bytes);
    };
    write(1, this.types, (bytes, { params, results }) => {
      bytes.put(0x60);
      for (const listed of [params, results]) {
        bytes.number(listed.length);
        bytes.put(...listed.map((name) => TYPES[name]));
      }
    });
    write(3, this.heads, (bytes, { type }) => bytes.number(type));
    write(4, this.kinds.table, (bytes, [, size, kind]) => { bytes.put(TYPES[kind], 0); bytes.number(Number(size)); });
    write(5, this.kinds.memory, (bytes, parts) => {
      const [least, most] = this.exported(parts.slice(1), 2, 0);
      bytes.put(1);
      bytes.number(Number(least));
      bytes.number(Number(most));
    });
    write(6, this.kinds.global, (bytes, [, name, ...parts]) => {
      const [type, first] = this.exported(parts, 3, this.globals.get(name));
      bytes.put(TYPES[Array.isArray(type) ? type[1] : type], Array.isArray(type) ? 1 : 0);
      this.constant(bytes, first);
    });
    write(7, this.exports, (bytes, [name, kind, number]) => { bytes.text(name); bytes.put(kind); bytes.number(number); });
    write(9, this.kinds.elem, (bytes, [, at, ...names]) => {
      bytes.put(0);
      this.constant(bytes, at);
      bytes.number(names.length);
      for (const name of names) bytes.number(this.found(this.functions, name));
    });
    write(10, this.heads, (bytes, head) => this.code(bytes, head));
    write(11, this.kinds.data, (bytes, [, at, text]) => {
      bytes.put(0);
      this.constant(bytes, at);
      const content = Uint8Array.from(quoted(text).match(/[0-9a-f]{2}/g) ?? [], (two) => parseInt(two, 16));
      bytes.number(content.length);
      bytes.add(content);
    });
    return made.done;
  }

  /** What comes after the name under which something is exported, if it is. */
  exported(parts, kind, number) {
    if (parts[0][0] !== "export") return parts;
    this.exports.push([quoted(parts[0][1]), kind, number]);
    return parts.slice(1);
  }

  found(names, name) {
    const number = names.get(name);
    if (number === undefined) throw new Error(`nothing is called '${name}'`);
    return number;
  }

  constant(bytes, op) {
    this.write(bytes, op, null, []);
    bytes.put(END);
  }

  code(bytes, { locals, own, body }) {
    const code = new Bytes();
    const runs = [];
    for (const type of own) {
      if (runs.at(-1)?.[1] === type) runs.at(-1)[0] += 1;
      else runs.push([1, type]);
    }
    code.number(runs.length);
    for (const [times, type] of runs) { code.number(times); code.put(TYPES[type]); }
    for (const op of body) this.write(code, op, locals, []);
    code.put(END);
    bytes.number(code.size);
    bytes.add(code.done);
  }

  /** An instruction after its operands; `labels` are those of the blocks around it, the outermost first. */
  write(code, op, locals, labels) {
    const [name, ...parts] = op;
    const all = (from) => { for (let at = from; at < parts.length; at += 1) this.write(code, parts[at], locals, labels); };
    const label = () => {
      const at = labels.lastIndexOf(parts[0]);
      if (at < 0) throw new Error(`there is no block '${parts[0]}'`);
      return labels.length - 1 - at;
    };
    if (Object.hasOwn(PLAIN, name)) {
      all(0);
      code.add(PLAIN[name]);
    } else if (Object.hasOwn(MEMORY, name)) {
      const isMoved = typeof parts[0] === "string";
      all(isMoved ? 1 : 0);
      const [codes, align] = MEMORY[name];
      code.add(codes);
      code.number(align);
      code.number(isMoved ? Number(parts[0].replace("offset=", "")) : 0);
    } else switch (name) {
      case "local.get": code.put(0x20); code.number(this.found(locals, parts[0])); break;
      case "local.set": all(1); code.put(0x21); code.number(this.found(locals, parts[0])); break;
      case "local.tee": all(1); code.put(0x22); code.number(this.found(locals, parts[0])); break;
      case "global.get": code.put(0x23); code.number(this.found(this.globals, parts[0])); break;
      case "global.set": all(1); code.put(0x24); code.number(this.found(this.globals, parts[0])); break;
      case "i32.const": code.put(0x41); code.small(Number(parts[0]) | 0); break;
      case "i64.const": code.put(0x42); code.signed(BigInt.asIntN(64, whole(parts[0]))); break;
      case "f64.const": code.put(0x44); code.add(new Uint8Array(Float64Array.of(float(parts[0])).buffer)); break;
      case "v128.const": code.put(0xfd, 12); code.add(vector(parts)); break;
      case "i64x2.extract_lane": all(1); code.put(0xfd, 29, Number(parts[0])); break;
      case "i8x16.shuffle": all(16); code.put(0xfd, 13, ...parts.slice(0, 16).map(Number)); break;
      case "call": all(1); code.put(0x10); code.number(this.found(this.functions, parts[0])); break;
      case "call_indirect": all(1); code.put(0x11); code.number(this.found(this.named, parts[0][1])); code.put(0); break;
      case "br": all(1); code.put(0x0c); code.number(label()); break;
      case "br_if": all(1); code.put(0x0d); code.number(label()); break;
      case "block": case "loop": case "if": this.nested(code, name, parts, locals, labels); break;
      default: throw new Error(`there is no instruction '${name}'`);
    }
  }

  nested(code, name, parts, locals, labels) {
    let at = 0;
    const label = typeof parts[at] === "string" ? parts[at++] : null;
    const type = parts[at]?.[0] === "result" ? TYPES[parts[at++][1]] : EMPTY;
    const inside = [...labels, label];
    const each = (listed, around) => { for (const op of listed) this.write(code, op, locals, around); };
    if (name !== "if") {
      code.put(name === "block" ? 0x02 : 0x03, type);
      each(parts.slice(at), inside);
    } else {
      const then = parts.findIndex((part) => part[0] === "then");
      each(parts.slice(at, then), labels);
      code.put(0x04, type);
      each(parts[then].slice(1), inside);
      if (parts[then + 1]?.length > 1) {
        code.put(0x05);
        each(parts[then + 1].slice(1), inside);
      }
    }
    code.put(END);
  }
}

/** A module, and by name the types of what its exported functions take. */
export function assembled(text) {
  const assembler = new Assembler(text);
  const bytes = assembler.module();
  const takes = Object.fromEntries(assembler.exports.filter(([, kind]) => kind === 0).map(([name, , at]) => [name, assembler.types[assembler.heads[at].type].params]));
  return { bytes, takes };
}
