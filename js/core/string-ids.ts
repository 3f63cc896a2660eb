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
import { ArgumentError } from './argument-error.js';
import type { Id } from './types.js';

const VERSION = 2;
/** Bytes before the lengths. */
const HEADER = 5;
/** The length that marks a free number. */
const FREE = 2 ** 32 - 1;
/** Strings are encoded in pieces of about this many bytes. */
const PIECE = 1 << 20;

const hasLoneSurrogate = (string: string): boolean => /\p{Surrogate}/u.test(string);

function toUtf16(string: string): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * string.length));
  for (let at = 0; at < string.length; at++) view.setUint16(2 * at, string.charCodeAt(at), true);
  return new Uint8Array(view.buffer);
}

function fromUtf16(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let string = '';
  for (let at = 0; at < bytes.length; at += 2) string += String.fromCharCode(view.getUint16(at, true));
  return string;
}

/** The string of each number; undefined for a free number. */
type Names = (string | undefined)[];

/** Returns the note of names. */
function encode(names: Names): Uint8Array {
  const encoder = new TextEncoder();
  const head = new DataView(new ArrayBuffer(HEADER + 4 * names.length));
  head.setUint8(0, VERSION);
  head.setUint32(1, names.length, true);
  const pieces: Uint8Array[] = [new Uint8Array(head.buffer)];
  let piece: Uint8Array = new Uint8Array(PIECE);
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

/** The string ids of an index, and the numbers that stand for them. */
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

  /** Returns the id that the index stores under a number; undefined if the number is free. */
  idOf(number: number): Id | undefined {
    return Number.isInteger(number) ? number : this.#names[number - 0.5];
  }

  /** Removes a string, if the id is one. Its number is used again. */
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
