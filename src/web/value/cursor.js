// Reads a JavaScript value node by node for the walk in Rust: each property once, own enumerable string keys only.
// It copies what it reads and decides nothing. What it needs of the platform is taken when this module loads.

const { defineProperty, keys } = Object;
const { isArray } = Array;
const { min } = Math;
const { parse, stringify } = JSON;
const objectPrototype = Object.prototype;
const arrayPrototype = Array.prototype;
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const charCodeAt = uncurry(String.prototype.charCodeAt);
const slice = uncurry(String.prototype.slice);
const exec = uncurry(RegExp.prototype.exec);
const startsWith = uncurry(String.prototype.startsWith);
const isWellFormed = String.prototype.isWellFormed
  ? uncurry(String.prototype.isWellFormed)
  : (text) => exec(/\p{Surrogate}/u, text) === null;

// Nodes as numbers, as `cursor.rs` reads them; the units stand above the lowest four bits.
const END = 0;
const UNDEFINED = 1;
const NULL = 2;
const FALSE = 3;
const TRUE = 4;
const NUMBER = 5;
const TEXT = 6;
const ARRAY = 7;
const OBJECT = 8;
const BAD_NUMBER = 9;
const BAD_TEXT = 10;
const BAD_NAME = 11;
const BAD_PROTO = 12;
const BAD_TYPE = 13;
const BAD_GETTER = 14;

const MAX_UNITS = 2 ** 28 - 1;
// Below the first length a loop is fastest, from the second on `JSON.stringify`, which copies, still beats a pattern.
const SHORT = 10;
const LONG = 400;
const special = /["\\\x00-\x1f\ud800-\udfff]/;

/** UTF-16 units of the text as JSON, 0 when it has a lone surrogate. */
function textUnits(text) {
  const { length } = text;
  if (length > MAX_UNITS - 2) return MAX_UNITS;
  if (length < SHORT) {
    let at = 0;
    while (at < length) {
      const unit = charCodeAt(text, at);
      if (unit < 32 || unit === 34 || unit === 92 || (unit >= 0xd800 && unit < 0xe000)) break;
      at++;
    }
    if (at === length) return length + 2;
  } else if (length < LONG && exec(special, text) === null) {
    return length + 2;
  }
  return isWellFormed(text) ? stringify(text).length : 0;
}

function numberUnits(number) {
  if (number === (number | 0) && number >= 0) {
    return number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10000 ? 4 : `${number}`.length;
  }
  return `${number}`.length;
}

/** The text's first `length` units at most, with an ellipsis when it is longer; no surrogate pair is split. */
function cutText(text, length) {
  if (text.length <= length) return text;
  const last = charCodeAt(text, length - 2);
  return `${slice(text, 0, last >= 0xd800 && last < 0xdc00 ? length - 2 : length - 1)}…`;
}

/** The walk under way. A getter may start another one, which ends before the getter returns. */
let walk;

/** Starts a walk. Texts longer than `cut` units are cut; with `copying` a copy is made of what is read. */
export function begin(value, copying, limit, cut) {
  walk = { outer: walk, copying, limit, cut, leaf: value, name: "", frame: undefined, copy: undefined, marked: false };
}

/** Whether a name began like those of approval material. */
export function marked() {
  return walk.marked;
}

/** Ends the innermost walk and returns its copy. */
export function end() {
  const { copy, outer } = walk;
  walk = outer;
  return copy;
}

/** Moves on by one node. */
export function next() {
  const current = walk;
  try {
    return step(current);
  } catch {
    // A walk that the page code started may have been left open by a stack overflow.
    walk = current;
    return BAD_GETTER;
  }
}

/**
 * Moves on to the next container, end or fault, or to the leaf that takes more than the units that are `left`. The
 * units of the leaves before it are added to its own.
 */
export function skim(left) {
  let units = 0;
  for (;;) {
    const event = next();
    const node = event & 15;
    units += event >>> 4;
    const { frame } = walk;
    const isLeaf = node >= NULL && node <= TEXT;
    const isDropped = node === UNDEFINED && frame !== undefined && frame.names !== undefined;
    if ((!isLeaf && !isDropped) || frame === undefined || units > left) return code(node, units);
  }
}

function step(walk) {
  const { frame } = walk;
  let value = walk.leaf;
  let units = 0;
  if (frame !== undefined) {
    const { at, names } = frame;
    if (at === frame.length) {
      walk.frame = frame.outer;
      return END;
    }
    frame.at = at + 1;
    if (names === undefined) {
      value = frame.source[at];
    } else {
      const name = names[at];
      walk.name = name;
      if (name === "__proto__") return BAD_PROTO;
      units = textUnits(name);
      if (units === 0) return BAD_NAME;
      units += 1 + frame.commas;
      if (charCodeAt(name, 0) === 97 && startsWith(name, "approval")) walk.marked = true;
      value = frame.source[name];
    }
  }
  switch (typeof value) {
    case "string": {
      if (value.length > walk.cut) value = cutText(value, walk.cut);
      const own = value.length > walk.limit ? MAX_UNITS : textUnits(value);
      if (own === 0) return BAD_TEXT;
      return leaf(walk, value, TEXT, units + own);
    }
    case "number":
      if (value - value !== 0) return BAD_NUMBER;
      return leaf(walk, value, NUMBER, units + numberUnits(value));
    case "boolean":
      return value ? leaf(walk, value, TRUE, units + 4) : leaf(walk, value, FALSE, units + 5);
    case "undefined":
      return UNDEFINED;
    case "object":
      if (value === null) return leaf(walk, value, NULL, units + 4);
      if (isArray(value)) {
        const { length } = value;
        // Only a proxy can say something else, and it is not asked twice.
        if (typeof length !== "number" || length !== length >>> 0) return BAD_GETTER;
        enter(walk, value, undefined, length);
        return code(ARRAY, units + 2 + (length > 0 ? length - 1 : 0));
      }
      {
        const names = keys(value);
        enter(walk, value, names, names.length);
      }
      return code(OBJECT, units + 2);
    default:
      return BAD_TYPE;
  }
}

function code(node, units) {
  return node | (min(units, MAX_UNITS) << 4);
}

function leaf(walk, value, node, units) {
  walk.leaf = value;
  if (walk.frame !== undefined) walk.frame.commas = 1;
  if (walk.copying) place(walk, value);
  return code(node, units);
}

function enter(walk, source, names, length) {
  let copy;
  if (walk.copying) {
    copy = names === undefined ? [] : {};
    place(walk, copy);
  }
  const { frame } = walk;
  let level = 0;
  if (frame !== undefined) {
    frame.commas = 1;
    level = frame.level + 1;
  }
  walk.frame = { outer: frame, level, source, names, length, at: 0, commas: 0, copy };
}

/** Puts a copied node where it belongs; what a page put on a prototype neither runs nor gets in the way. */
function place(walk, value) {
  const { frame } = walk;
  if (frame === undefined) {
    walk.copy = value;
    return;
  }
  const isItem = frame.names === undefined;
  const key = isItem ? frame.at - 1 : walk.name;
  if (key in (isItem ? arrayPrototype : objectPrototype)) {
    defineProperty(frame.copy, key, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
  } else {
    frame.copy[key] = value;
  }
}

/** The number at the current node. */
export function number() {
  return walk.leaf;
}

/** The text at the current node. */
export function text() {
  return walk.leaf;
}

/** The name of the current node. */
export function name() {
  return walk.name;
}

function frameAt(level) {
  let { frame } = walk;
  while (frame !== undefined && frame.level > level) frame = frame.outer;
  return frame;
}

/** The name or index that leads on from the open container at `level`. */
export function segment(level) {
  const { at, names } = frameAt(level);
  return names === undefined ? `${at - 1}` : names[at - 1];
}

/**
 * The string member `name` of the outermost object after a walk that failed: what was read, or, if its turn had not
 * come yet, what it is now. Nothing when the object has a name with a lone surrogate.
 */
export function rescue(name) {
  const frame = frameAt(0);
  if (frame?.names === undefined) return undefined;
  const { at, copy, names, source } = frame;
  let found = -1;
  for (let index = 0; index < names.length; index++) {
    if (textUnits(names[index]) === 0) return undefined;
    if (names[index] === name) found = index;
  }
  if (found < 0 || found === at - 1) return undefined;
  try {
    const value = found < at && walk.copying ? copy[name] : source[name];
    return typeof value === "string" && isWellFormed(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The number as ECMAScript prints it. */
export function numberText(number) {
  return `${number}`;
}

/** Parses JSON text that Rust wrote. */
export function parseText(text) {
  return parse(text);
}
