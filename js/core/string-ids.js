// String ids. The crate's index stores numbers: a safe integer stands for itself, and string number n for n + 1/2.
//
// The note of a snapshot has the strings by number. All of them together may be longer than the longest string, so the
// note is binary, little-endian:
//
// | bytes | content |
// | --- | --- |
// | 1 | version, 2 |
// | 4 | numbers, *n* |
// | *n* × 4 | twice the bytes of each string; plus 1 for UTF-16; 2^32 - 1 for a free number |
// | | the strings: in UTF-8, or in UTF-16 if it has a lone surrogate |
//
// Version 1 is a JSON array of strings and null. Its first byte is that of `[`.

const VERSION = 2;
const HEADER = 5;
const FREE = 2 ** 32 - 1;
const JSON_ARRAY = 0x5b;
/** Strings are encoded in pieces of about this many bytes. */
const PIECE = 1 << 20;

const hasLoneSurrogate = (string) => /\p{Surrogate}/u.test(string);

function toUtf16(string) {
  const view = new DataView(new ArrayBuffer(2 * string.length));
  for (let at = 0; at < string.length; at++) view.setUint16(2 * at, string.charCodeAt(at), true);
  return new Uint8Array(view.buffer);
}

function fromUtf16(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let string = '';
  for (let at = 0; at < bytes.length; at += 2) string += String.fromCharCode(view.getUint16(at, true));
  return string;
}

/** The note of version 2. `names` are strings and undefined. */
function encode(names) {
  const encoder = new TextEncoder();
  const head = new DataView(new ArrayBuffer(HEADER + 4 * names.length));
  head.setUint8(0, VERSION);
  head.setUint32(1, names.length, true);
  const pieces = [new Uint8Array(head.buffer)];
  let piece = new Uint8Array(PIECE);
  let used = 0;
  names.forEach((name, number) => {
    let length = FREE;
    if (name !== undefined && hasLoneSurrogate(name)) {
      pieces.push(piece.subarray(0, used), toUtf16(name));
      [piece, used] = [piece.subarray(used), 0];
      length = 4 * name.length + 1;
    } else if (name !== undefined) {
      if (3 * name.length > piece.length - used) {
        pieces.push(piece.subarray(0, used));
        [piece, used] = [new Uint8Array(Math.max(PIECE, 3 * name.length)), 0];
      }
      const { written } = encoder.encodeInto(name, piece.subarray(used));
      used += written;
      length = 2 * written;
    }
    head.setUint32(HEADER + 4 * number, length, true);
  });
  pieces.push(piece.subarray(0, used));
  const note = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of pieces) {
    note.set(each, at);
    at += each.length;
  }
  return note;
}

/** The strings of a note, null for a free number. Throws any error if the note is not valid. */
function decode(note) {
  const options = { fatal: true, ignoreBOM: true };
  const decoder = new TextDecoder('utf-8', options);
  if (note[0] === JSON_ARRAY) return JSON.parse(decoder.decode(note));
  const view = new DataView(note.buffer, note.byteOffset, note.length);
  const count = view.getUint32(1, true);
  let at = HEADER + 4 * count;
  if (note[0] !== VERSION || at > note.length) throw new RangeError('note');
  const names = [];
  for (let number = 0; number < count; number++) {
    const length = view.getUint32(HEADER + 4 * number, true);
    if (length === FREE) {
      names.push(null);
      continue;
    }
    const bytes = note.subarray(at, at + Math.floor(length / 2));
    at += Math.floor(length / 2);
    if (at > note.length) throw new RangeError('note');
    names.push(length % 2 === 0 ? decoder.decode(bytes) : fromUtf16(bytes));
  }
  // The module pads the note with spaces to whole cells of 8 bytes.
  const rest = note.subarray(at);
  if (rest.length > 7 || rest.some((byte) => byte !== 0x20)) throw new RangeError('note');
  return names;
}

export class StringIds {
  /** The string of each number; undefined where the number is free. */
  #names = [];
  #numbers = new Map();
  #free = [];

  /** The number under which the index stores an id; undefined for an unknown string. */
  numberOf(id) {
    if (typeof id !== 'string') return id;
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : number + 0.5;
  }

  /** The same. An unknown string gets a number. */
  enter(id) {
    const known = this.numberOf(id);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#names.length;
    this.#names[number] = id;
    this.#numbers.set(id, number);
    return number + 0.5;
  }

  /** The id that the index stores under a number. */
  idOf(number) {
    return Number.isInteger(number) ? number : this.#names[number - 0.5];
  }

  /** Removes a string; its number is used again. */
  remove(id) {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#names[number] = undefined;
    this.#free.push(number);
  }

  /** The note of a snapshot. */
  toNote() {
    return encode(this.#names);
  }

  /** The strings of a snapshot's note, which are exactly those that its index stores under `numbers`. */
  static fromNote(note, numbers) {
    const takes = 'takes a snapshot made by toBytes()';
    if (note.length === 0) {
      throw new RangeError(`nearprint: bytes: a snapshot of the Rust crate, which numbers ids differently; ${takes}`);
    }
    const invalid = () => new RangeError(`nearprint: bytes: its string ids are not valid; ${takes}`);
    let names;
    try {
      names = decode(note);
    } catch {
      throw invalid();
    }
    if (!Array.isArray(names)) throw invalid();
    const ids = new StringIds();
    names.forEach((name, number) => {
      ids.#names.push(name ?? undefined);
      if (name === null) ids.#free.push(number);
      else if (typeof name !== 'string' || ids.#numbers.has(name)) throw invalid();
      else ids.#numbers.set(name, number);
    });
    let used = 0;
    for (const number of numbers) {
      if (Number.isInteger(number)) continue;
      if (ids.idOf(number) === undefined) throw invalid();
      used++;
    }
    if (used !== ids.#numbers.size) throw invalid();
    return ids;
  }
}
