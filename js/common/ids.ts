// The ids of a set's documents, which the module knows by number: 0, 1, 2 and so on.
//
// A snapshot has the ids themselves if they are non-negative safe integers, as the Rust crate writes them. Otherwise its ids are
// the positions of the documents, and its *note* has a line for each document: the id as JSON. The note is made of bytes, since
// all ids together may exceed the maximum length of a string.
import { ArgumentError } from './argument-error.js';
import { isId } from './check.js';
import type { Exchange } from './exchange.js';
import type { Id } from './types.js';
import { encoder } from './utf8.js';

const LINE_FEED = 10;

/**
 * The maximum number of entries of a map. A `Map` of V8 has 2^24 places, and deleted entries keep theirs. It frees them only if
 * they are half of all places, and otherwise throws.
 */
const MAX_ENTRIES = 2 ** 23;

/** A number for each document, and the note. */
type SnapshotIds = [ids: Float64Array, note: Uint8Array];

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

/** Yields the ids of a note, `undefined` for a line that is not an id. */
function* decode(note: Uint8Array): Generator<Id | undefined, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let [at, end] = [0, 0]; at < note.length; at = end + 1) {
    end = note.indexOf(LINE_FEED, at);
    if (end < 0) return yield undefined;
    let id: unknown;
    try {
      id = JSON.parse(decoder.decode(note.subarray(at, end)));
    } catch {}
    yield isId(id) ? id : undefined;
  }
}

/** The numbers of ids. */
export type IdTable<I extends Id = Id> = Omit<Ids<I>, 'enter'>;

/** A table for ids that are numbers of 32 bits. An id is its own number, so the table keeps nothing. */
export class NumberedIds implements IdTable<number> {
  numberOf(id: number): number {
    return id;
  }

  assign(id: number): number {
    return id;
  }

  add(id: number, add: (number: number) => void): void {
    add(id);
  }

  idOf(number: number): number {
    return number;
  }

  remove(): void {}

  write(numbers: Uint32Array): SnapshotIds {
    return [Float64Array.from(numbers), new Uint8Array(0)];
  }
}

export class Ids<I extends Id = Id> implements IdTable<I> {
  /** The id of each number; undefined for a free number. */
  readonly #ids: (I | undefined)[] = [];
  /** Map ids to numbers, except ids that equal their number. */
  readonly #maps = [new Map<I, number>()];
  readonly #free: number[] = [];

  /** Returns the number of an id; undefined for an unknown id. */
  numberOf(id: I): number | undefined {
    if (typeof id === 'number' && id >= 0 && id < this.#ids.length && this.#ids[id] === id) return id + 0; // not -0
    for (const map of this.#maps) {
      const number = map.get(id);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  /** Returns the number of an id. Assigns one to an unknown id. */
  enter(id: I): number {
    return this.numberOf(id) ?? this.assign(id);
  }

  /** Assigns a number to an unknown id. */
  assign(id: I): number {
    const number = this.#free.at(-1) ?? this.#ids.length;
    if (number !== id) {
      let map = this.#maps.find(({ size }) => size < MAX_ENTRIES);
      if (map === undefined) {
        map = new Map();
        this.#maps.push(map);
      }
      map.set(id, number);
    }
    this.#free.pop();
    // Not -0.
    this.#ids[number] = id === 0 ? (0 as I) : id;
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
    for (const map of this.#maps) if (map.delete(id)) break;
    this.#ids[number] = undefined;
    this.#free.push(number);
  }

  /** Returns the ids of documents, given by their numbers, for a snapshot. */
  write(numbers: Uint32Array, exchange: Exchange): SnapshotIds {
    const ids = Array.from(numbers, (number) => this.idOf(number));
    const written: SnapshotIds = ids.every((id) => typeof id === 'number' && id >= 0)
      ? [Float64Array.from(ids as number[]), new Uint8Array(0)]
      : [Float64Array.from(ids.keys()), encode(ids)];
    exchange.checkMemory(written[0].byteLength + written[1].length, 'the snapshot');
    return written;
  }

  /** Returns the ids of a snapshot of `size` documents, which the module has just written: see `write_ids` in wasm/src/ids.rs. */
  static read<I extends Id>(size: number, exchange: Exchange): Ids<I> {
    const [length] = exchange.floats(1);
    const note = exchange.read(8 + length).slice(8);
    const all = Array.from<unknown>(length > 0 ? decode(note) : exchange.floats(1 + size).slice(1, 1 + size));
    const ids = new Ids<I>();
    // An id that occurs twice has the number of its first place.
    if (all.length === size && all.every((id, at) => id !== undefined && ids.enter(id as I) === at)) return ids;
    throw new ArgumentError('bytes', 'a snapshot made by toBytes()', note, 'a snapshot whose ids are not valid');
  }
}
