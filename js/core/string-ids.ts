// String ids. The crate's index stores numbers: a safe integer represents itself, and n + 1/2 represents string number n.
//
// The note of a snapshot has the strings by number. It is binary, since all strings together may exceed the maximum length
// of a string. Its numbers are little-endian:
//
// | bytes | content |
// | --- | --- |
// | 1 | version, 2 |
// | 4 | numbers, *n* |
// | *n* × 4 | twice the bytes of each string; plus 1 for UTF-16; 2^32 - 1 for a free number |
// | | the strings: in UTF-8, or in UTF-16 if it has a lone surrogate |
import { ArgumentError } from './argument-error.js';
import type { Id } from './types.js';

const VERSION = 2;
/** Bytes before the lengths. */
const HEADER = 5;
/** The length that marks a free number. */
const FREE = 2 ** 32 - 1;
const hasLoneSurrogate = (string: string): boolean => /\p{Surrogate}/u.test(string);

const toUtf16 = (string: string): Uint8Array =>
  Uint8Array.from({ length: 2 * string.length }, (_, at) => string.charCodeAt(at >> 1) >> (at % 2 === 0 ? 0 : 8));

const fromUtf16 = (bytes: Uint8Array): string =>
  Array.from({ length: bytes.length / 2 }, (_, at) =>
    String.fromCharCode(bytes[2 * at] | (bytes[2 * at + 1] << 8)),
  ).join('');

/** The string of each number; undefined for a free number. */
type Names = (string | undefined)[];

/** Returns the note of names. */
function encode(names: Names): Uint8Array {
  const encoder = new TextEncoder();
  let end = HEADER + 4 * names.length;
  let note = new Uint8Array(2 * end);
  const lengths = names.map((name) => {
    if (name === undefined) return FREE;
    // A UTF-16 unit takes at most three bytes.
    if (3 * name.length > note.length - end) {
      const longer = new Uint8Array(2 * note.length + 3 * name.length);
      longer.set(note.subarray(0, end));
      note = longer;
    }
    if (hasLoneSurrogate(name)) {
      note.set(toUtf16(name), end);
      end += 2 * name.length;
      return 4 * name.length + 1;
    }
    const { written } = encoder.encodeInto(name, note.subarray(end));
    end += written;
    return 2 * written;
  });
  const head = new DataView(note.buffer);
  head.setUint8(0, VERSION);
  head.setUint32(1, names.length, true);
  for (const [number, length] of lengths.entries()) head.setUint32(HEADER + 4 * number, length, true);
  return note.subarray(0, end);
}

/** Returns the names of a note. Throws any error if the note is not valid. */
function decode(note: Uint8Array): Names {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const view = new DataView(note.buffer, note.byteOffset, note.length);
  const count = view.getUint32(1, true);
  let at = HEADER + 4 * count;
  if (note[0] !== VERSION || at > note.length) throw new RangeError('note');
  const names: Names = [];
  for (let number = 0; number < count; number++) {
    const length = view.getUint32(HEADER + 4 * number, true);
    if (length === FREE) {
      names.push(undefined);
      continue;
    }
    const bytes = note.subarray(at, at + Math.floor(length / 2));
    at += Math.floor(length / 2);
    if (at > note.length) throw new RangeError('note');
    names.push(length % 2 === 0 ? decoder.decode(bytes) : fromUtf16(bytes));
  }
  if (at !== note.length) throw new RangeError('note');
  return names;
}

/** The string ids of an index, and the numbers that represent them. */
export class StringIds {
  #names: Names = [];
  #numbers = new Map<string, number>();
  #free: number[] = [];

  /** Returns the number under which the index stores an id; undefined for an unknown string. */
  numberOf(id: Id): number | undefined {
    if (typeof id !== 'string') return id;
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : number + 0.5;
  }

  /** Returns the number under which the index stores an id. An unknown string gets a number. */
  enter(id: Id): number {
    if (typeof id !== 'string') return id;
    const known = this.#numbers.get(id);
    if (known !== undefined) return known + 0.5;
    const number = this.#free.pop() ?? this.#names.length;
    this.#names[number] = id;
    this.#numbers.set(id, number);
    return number + 0.5;
  }

  /** Calls `add` with the number of an id. If that throws or returns false, a string that was unknown is removed again. */
  add(id: Id, add: (number: number) => unknown): void {
    const isNew = this.numberOf(id) === undefined;
    let isAdded = false;
    try {
      isAdded = add(this.enter(id)) !== false;
    } finally {
      if (isNew && !isAdded) this.remove(id);
    }
  }

  /** Returns the id that the index stores under a number; undefined if the number is free. */
  idOf(number: number): Id | undefined {
    return Number.isInteger(number) ? number : this.#names[number - 0.5];
  }

  /** Removes the id if it is a string. Its number is reused. */
  remove(id: Id): void {
    if (typeof id !== 'string') return;
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#names[number] = undefined;
    this.#free.push(number);
  }

  /** Returns the note of a snapshot. */
  toNote(): Uint8Array {
    return encode(this.#names);
  }

  /** Returns the strings of a snapshot's note, which must be exactly those that its index stores under `numbers`. */
  static fromNote(note: Uint8Array, numbers: Iterable<number>): StringIds {
    const refuse = (got: string) => new ArgumentError('bytes', 'a snapshot made by toBytes()', note, got);
    if (note.length === 0) throw refuse('a snapshot of the Rust crate, which numbers ids differently');
    const invalid = () => refuse('a snapshot whose string ids are not valid');
    let names: Names;
    try {
      names = decode(note);
    } catch {
      throw invalid();
    }
    const ids = new StringIds();
    names.forEach((name, number) => {
      ids.#names.push(name);
      if (name === undefined) ids.#free.push(number);
      else if (ids.#numbers.has(name)) throw invalid();
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
