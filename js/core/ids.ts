// The ids of a set's documents, which the module knows by number: 0, 1, 2 and so on.
//
// A snapshot has the ids themselves, as the Rust crate writes them, if they are numbers from 0 on. Otherwise its ids are the
// positions of the documents, and its *note* has a line for each document: the id as JSON. The note is made of bytes, since all
// ids together may exceed the maximum length of a string.

import { ArgumentError } from './argument-error.js';
import { isId } from './check.js';
import type { Exchange } from './exchange.js';
import type { Id } from './types.js';
import { encoder } from './utf8.js';

const LINE_FEED = 10;

/** The ids of a snapshot: a number for each document, and the note. */
type Written = [ids: Float64Array, note: Uint8Array];

function encode(ids: readonly Id[]): Uint8Array {
  let note = new Uint8Array(0);
  let end = 0;
  for (const id of ids) {
    const line = `${JSON.stringify(id)}\n`;
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

/** Yields the ids of a note. Throws any error if the note is not valid. */
function* decode(note: Uint8Array): Generator<Id, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let at = 0; at < note.length; ) {
    const end = note.indexOf(LINE_FEED, at);
    const id: unknown = JSON.parse(decoder.decode(note.subarray(at, end < 0 ? 0 : end)));
    if (!isId(id)) throw new RangeError('id');
    yield id;
    at = end + 1;
  }
}

export class Ids<I extends Id = Id> {
  /** The id of each number; undefined for a free number. */
  readonly #ids: (I | undefined)[] = [];
  /** The number of each id that is not its own number: positions, as ids, need no map. */
  readonly #numbers = new Map<I, number>();
  readonly #free: number[] = [];

  /** Returns the number of an id; undefined for an unknown id. */
  numberOf(id: I): number | undefined {
    if (typeof id === 'number' && id >= 0 && id < this.#ids.length && this.#ids[id] === id) return id + 0; // not -0
    return this.#numbers.get(id);
  }

  /** Returns the number of an id. Assigns one to an unknown id. */
  enter(id: I): number {
    return this.numberOf(id) ?? this.assign(id);
  }

  /** Assigns a number to an unknown id. */
  assign(id: I): number {
    const number = this.#free.pop() ?? this.#ids.length;
    // Not -0.
    this.#ids[number] = id === 0 ? (0 as I) : id;
    if (number !== id) this.#numbers.set(id, number);
    return number;
  }

  /** Calls `add` with the number of an id. If that throws, an id that was unknown is removed again. */
  add(id: I, add: (number: number) => void): void {
    const known = this.numberOf(id);
    const number = known ?? this.assign(id);
    try {
      add(number);
    } catch (error) {
      if (known === undefined) this.remove(id);
      throw error;
    }
  }

  /** Returns the id of a number that is not free. */
  idOf(number: number): I {
    return this.#ids[number] as I;
  }

  /** Removes an id. Its number is reused. */
  remove(id: I): void {
    const number = this.numberOf(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#ids[number] = undefined;
    this.#free.push(number);
  }

  /** Returns the ids of documents, given by their numbers, for a snapshot. */
  write(numbers: Uint32Array, exchange: Exchange): Written {
    const ids = Array.from(numbers, (number) => this.idOf(number));
    const written: Written = ids.every((id) => typeof id === 'number' && id >= 0)
      ? [Float64Array.from(ids as number[]), new Uint8Array(0)]
      : [Float64Array.from(ids.keys()), encode(ids)];
    exchange.checkMemory(written[0].byteLength + written[1].length, 'the snapshot');
    return written;
  }

  /** Returns the ids of a snapshot of `size` documents, which the module has just written: see `write_ids` in wasm/src/ids.rs. */
  static read<I extends Id>(size: number, exchange: Exchange): Ids<I> {
    const [length] = exchange.floats(1);
    const note = exchange.read(8 + length).slice(8);
    const listed = length > 0 ? decode(note) : exchange.floats(1 + size).slice(1, 1 + size);
    const ids = new Ids<I>();
    let count = 0;
    try {
      for (const id of listed) if (ids.enter(id as I) !== count++) throw new RangeError('an id twice');
      if (count === size) return ids;
    } catch {}
    throw new ArgumentError('bytes', 'a snapshot made by toBytes()', note, 'a snapshot whose ids are not valid');
  }
}
