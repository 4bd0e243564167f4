// Shows plain copies to the validator in Rust: the children on the way to the one at hand, a name as a number.

const { defineProperty, hasOwn, keys } = Object;
const { isArray } = Array;
const { min } = Math;
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const charCodeAt = uncurry(String.prototype.charCodeAt);
const getItem = uncurry(Map.prototype.get);
const setItem = uncurry(Map.prototype.set);
const exec = uncurry(RegExp.prototype.exec);
const Pattern = RegExp;

// Kinds as numbers, as `live.rs` reads them. Above the lowest three bits stands what is nearly always asked for next: the
// length of a text or an array, how many members an object has, and a small whole number, plus one.
const NULL = 1;
const FALSE = 2;
const TRUE = 3;
const NUMBER = 4;
const TEXT = 5;
const ARRAY = 6;
const OBJECT = 7;

const MAX_LENGTH = 2 ** 29 - 1;
const SMALL = 2 ** 28 - 1;
const NO_ID = 2 ** 32 - 1;

// A slot a level, and one for a name below the deepest; the validator uses up one child before it asks for its sibling.
// All exist from the start, so that nothing a page puts on a prototype gets in the way.
const slots = Array(66).fill(undefined);
const lists = Array(66).fill(undefined);
const names = [];
const ids = new Map();
const patterns = [];
let deepest = 0;

function show(slot, value) {
  slots[slot] = value;
  if (slot > deepest) deepest = slot;
  switch (typeof value) {
    case "string":
      return TEXT | size(value.length);
    case "number":
      return value === (value & SMALL) ? NUMBER | ((value + 1) << 3) : NUMBER;
    case "boolean":
      return value ? TRUE : FALSE;
    default:
      if (value === null || value === undefined) return NULL;
      return isArray(value) ? ARRAY | size(value.length) : OBJECT | size(keys(value).length);
  }
}

function size(length) {
  return min(length, MAX_LENGTH) << 3;
}

function append(list, id, value) {
  defineProperty(list, id, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
}

/** Numbers a name. */
export function learn(id, name) {
  append(names, id, name);
  setItem(ids, name, id);
}

/** Numbers a pattern. */
export function learnPattern(id, source) {
  append(patterns, id, new Pattern(source, "u"));
}

/** Whether the source of a pattern compiles. */
export function isPattern(source) {
  try {
    return new Pattern(source, "u") !== undefined;
  } catch {
    return false;
  }
}

/** Shows the outermost value in slot 0. */
export function open(value) {
  return show(0, value);
}

/** Lets go of everything that was shown. */
export function close() {
  for (let slot = 0; slot <= deepest; slot++) {
    slots[slot] = undefined;
    lists[slot] = undefined;
  }
  deepest = 0;
}

/** Shows an item in the next slot. */
export function item(slot, index) {
  return show(slot + 1, slots[slot][index]);
}

/** Shows a member in the next slot; 0 when there is none. */
export function member(slot, id) {
  const value = slots[slot];
  const name = names[id];
  return hasOwn(value, name) ? show(slot + 1, value[name]) : 0;
}

/** Makes the names of the members ready to be shown and returns how many there are. */
export function list(slot) {
  lists[slot] = keys(slots[slot]);
  return lists[slot].length;
}

/** The name of a listed member. */
export function nameText(slot, index) {
  return lists[slot][index];
}

/** The number of the name of a listed member, one that is never given to any when it has none. */
export function nameId(slot, index) {
  const id = getItem(ids, lists[slot][index]);
  return id === undefined ? NO_ID : id;
}

/** Shows the name of a listed member in the next slot. */
export function nameAt(slot, index) {
  return show(slot + 1, lists[slot][index]);
}

/** Shows a listed member in the next slot. */
export function memberAt(slot, index) {
  return show(slot + 1, slots[slot][lists[slot][index]]);
}

/** The number in the slot. */
export function numberIn(slot) {
  return slots[slot];
}

/** The text in the slot. */
export function textIn(slot) {
  return slots[slot];
}

/** Whether the slot holds the text of that number. */
export function isText(slot, id) {
  return slots[slot] === names[id];
}

/** Whether the text in the slot matches the pattern of that number. */
export function matches(slot, id) {
  return exec(patterns[id], slots[slot]) !== null;
}

/** The code points of the text in the slot. */
export function codePoints(slot) {
  const text = slots[slot];
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    const unit = charCodeAt(text, at);
    if (unit >= 0xdc00 && unit < 0xe000) count--;
  }
  return count;
}
