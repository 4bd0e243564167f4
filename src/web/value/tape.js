// Builds a plain value from a tape that Rust wrote: one crossing for the whole value.

const { defineProperty } = Object;
const arrayPrototype = Array.prototype;
const objectPrototype = Object.prototype;
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const slice = uncurry(String.prototype.slice);

// Entries as numbers, as `tape.rs` writes them; each but the first three is followed by one more number.
const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const TEXT = 4;
const ARRAY = 5;

/** Builds the value. Texts are named by their length and follow each other in `text`, names as texts before values. */
export function build(tape, text) {
  let at = 0;
  let start = 0;
  function take() {
    const end = start + tape[at++];
    const part = slice(text, start, end);
    start = end;
    return part;
  }
  function put(target, key, value, prototype) {
    if (key in prototype) {
      defineProperty(target, key, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
    } else {
      target[key] = value;
    }
  }
  function read() {
    switch (tape[at++]) {
      case NULL:
        return null;
      case FALSE:
        return false;
      case TRUE:
        return true;
      case NUMBER:
        return tape[at++];
      case TEXT:
        return take();
      case ARRAY: {
        const length = tape[at++];
        const items = [];
        for (let index = 0; index < length; index++) put(items, index, read(), arrayPrototype);
        return items;
      }
      default: {
        const length = tape[at++];
        const members = {};
        for (let index = 0; index < length; index++) put(members, take(), read(), objectPrototype);
        return members;
      }
    }
  }
  return read();
}
