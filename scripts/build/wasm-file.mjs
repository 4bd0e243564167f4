// Reads the parts of a WebAssembly binary that the build needs: its sections, function sizes and names.

const custom = 0;
const importSection = 2;
const codeSection = 10;

/** @typedef {{ id: number, name?: string, from: number, start: number, end: number }} Section bytes `from..end`; contents at `start` */

/** A cursor over the binary. */
class Reader {
  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   */
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new Error("the wasm binary ends early");
    return value;
  }

  /** An unsigned LEB128 number. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  text() {
    const length = this.number();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {Section[]}
 */
export function sections(bytes) {
  const found = [];
  for (const reader = new Reader(bytes, 8); reader.at < bytes.length; ) {
    const from = reader.at;
    const id = reader.byte();
    const length = reader.number();
    const end = reader.at + length;
    const name = id === custom ? reader.text() : undefined;
    found.push({ id, ...(name !== undefined && { name }), from, start: reader.at, end });
    reader.at = end;
  }
  return found;
}

/**
 * The binary without its custom sections: names, producers, target features. The engine reads none of them.
 *
 * @param {Uint8Array} bytes
 */
export function withoutCustomSections(bytes) {
  const kept = sections(bytes).filter(({ id }) => id !== custom);
  return Buffer.concat([bytes.subarray(0, 8), ...kept.map(({ from, end }) => bytes.subarray(from, end))]);
}

/**
 * Every function with a body: its name (empty without a name section) and how many bytes it takes.
 *
 * @param {Uint8Array} bytes
 * @returns {{ name: string, size: number }[]}
 */
export function functions(bytes) {
  const all = sections(bytes);
  const names = functionNames(
    bytes,
    all.find(({ name }) => name === "name"),
  );
  const code = all.find(({ id }) => id === codeSection);
  if (!code) return [];
  const reader = new Reader(bytes, code.start);
  const first = importedFunctions(
    bytes,
    all.find(({ id }) => id === importSection),
  );
  return Array.from({ length: reader.number() }, (_, index) => {
    const from = reader.at;
    const length = reader.number();
    reader.at += length;
    return { name: names.get(first + index) ?? "", size: reader.at - from };
  });
}

/**
 * @param {Uint8Array} bytes
 * @param {Section | undefined} section
 */
function functionNames(bytes, section) {
  /** @type {Map<number, string>} */
  const names = new Map();
  if (!section) return names;
  for (const reader = new Reader(bytes, section.start); reader.at < section.end; ) {
    const kind = reader.byte();
    const end = reader.number() + reader.at;
    if (kind === 1) {
      for (let left = reader.number(); left > 0; left--) names.set(reader.number(), reader.text());
    }
    reader.at = end;
  }
  return names;
}

/**
 * Imported functions come first in the numbering that names use.
 *
 * @param {Uint8Array} bytes
 * @param {Section | undefined} section
 */
function importedFunctions(bytes, section) {
  if (!section) return 0;
  const reader = new Reader(bytes, section.start);
  let functions = 0;
  for (let left = reader.number(); left > 0; left--) {
    reader.text();
    reader.text();
    const kind = reader.byte();
    if (kind === 0) functions++;
    skipImport(reader, kind);
  }
  return functions;
}

/**
 * @param {Reader} reader
 * @param {number} kind function, table, memory, global or tag
 */
function skipImport(reader, kind) {
  const limits = () => {
    const flags = reader.byte();
    reader.number();
    if (flags & 1) reader.number();
  };
  if (kind === 0) reader.number();
  else if (kind === 1) {
    reader.byte();
    limits();
  } else if (kind === 2) limits();
  else {
    reader.byte();
    reader.number();
  }
}
