// String ids. The crate's index stores numbers: a safe integer represents itself, and n + 1/2 represents string number n.
//
// A snapshot stores the string ids in a *note*: its version, 3, as a byte, and a line for each number, with the string as JSON
// or empty for a free number. It is made of bytes, since all strings together may exceed the maximum length of a string.
import { setsExchange } from '../boot/sets.js';
import { ArgumentError } from './argument-error.js';
import type { Id } from './types.js';
import { encoder } from './utf8.js';

const VERSION = 3;
const [NEWLINE, QUOTE] = [0x0a, 0x22];

/** The string of each number; undefined for a free number. */
type Names = (string | undefined)[];

function encode(names: Names): Uint8Array {
  let note = Uint8Array.of(VERSION);
  let end = note.length;
  for (const name of names) {
    const line = name === undefined ? '\n' : `${JSON.stringify(name)}\n`;
    // A UTF-16 unit takes at most three bytes.
    if (3 * line.length > note.length - end) {
      const longer = new Uint8Array(2 * note.length + 3 * line.length);
      longer.set(note);
      note = longer;
    }
    end += encoder.encodeInto(line, note.subarray(end)).written;
  }
  return note.subarray(0, end);
}

/** Returns the names of a note. Throws any error if the note is not valid. */
function decode(note: Uint8Array): Names {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  if (note[0] !== VERSION) throw new RangeError('version');
  const names: Names = [];
  for (let at = 1; at < note.length; ) {
    const end = note.indexOf(NEWLINE, at);
    if (end < 0 || (at < end && note[at] !== QUOTE)) throw new RangeError('line');
    names.push(at === end ? undefined : JSON.parse(decoder.decode(note.subarray(at, end))));
    at = end + 1;
  }
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

  /** Returns the number under which the index stores an id. Assigns a number to an unknown string. */
  enter(id: Id): number {
    if (typeof id !== 'string') return id;
    const known = this.#numbers.get(id);
    return known === undefined ? this.assign(id) : known + 0.5;
  }

  /** Assigns a number to an unknown string. */
  assign(id: string): number {
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
    ids.#names = names;
    for (const [number, name] of names.entries()) {
      if (name === undefined) ids.#free.push(number);
      else ids.#numbers.set(name, number);
    }
    let unused = names.length - ids.#free.length;
    for (const number of numbers) {
      if (ids.idOf(number) === undefined) throw invalid();
      if (!Number.isInteger(number)) unused--;
    }
    // A repeated string has only one entry in the map.
    if (unused !== 0 || ids.#numbers.size + ids.#free.length !== names.length) throw invalid();
    return ids;
  }
}

/** Returns a copy of the note of a snapshot, which the last call has written after its length. */
export function readNote(): Uint8Array {
  const [length] = setsExchange().floats(1);
  return setsExchange()
    .read(8 + length)
    .slice(8);
}
