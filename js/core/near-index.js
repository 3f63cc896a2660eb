// Exact search for near fingerprints. This file checks arguments and numbers string ids; src/index is the search.
import { free, instance } from '../boot/instance.js';
import { ArgumentError } from './argument-error.js';
import {
  checkBits,
  checkFingerprint,
  checkId,
  checkIterable,
  checkLimit,
  checkOptions,
  isBytes,
  isTypedArray,
} from './check.js';
import { dispose } from './dispose.js';
import { checkMaxDistance, defaultMaxDistance } from './max-distance.js';
import { StringIds } from './string-ids.js';
import { checkRoom, tooLarge } from './text.js';

const PAIRS_AT_ONCE = 1024;
/** Documents copied to the module at once. The module's memory never shrinks, so a copy of all would stay. */
const DOCUMENTS_AT_ONCE = 2 ** 13;
/** What `nextPairs` of the module returns instead of a count. */
const [END, CHANGED, NO_ROOM] = [-1, -2, -3];
/** What `documents` of the module returns instead of a position, as an unsigned number. */
const NO_MEMORY = 2 ** 32 - 1;

/** Views of the module's memory in 64-bit cells. When it grows, they are detached. */
let floatCells = new Float64Array(0);
let cells = new BigUint64Array(0);

function refreshViews() {
  if (floatCells.length > 0) return;
  const { buffer } = instance().memory;
  floatCells = new Float64Array(buffer);
  cells = new BigUint64Array(buffer);
}

const outOfMemory = () => tooLarge('the index');

export class NearIndex {
  /** The index in the module. Its results are in cells from its address `rows` on. */
  #index;
  #bits;
  #maxDistance;
  #scheme;
  #ids = new StringIds();

  constructor(options) {
    const known = ['bits', 'maxDistance', 'scheme'];
    const { bits = 64, maxDistance = defaultMaxDistance(bits), scheme = `v1:${bits}` } = checkOptions(options, known);
    checkMaxDistance(maxDistance, checkBits(bits));
    if (typeof scheme !== 'string') throw new ArgumentError('scheme', "a scheme's id", scheme);
    this.#open(new (instance().bindings.Index)(bits, maxDistance, scheme));
  }

  #open(index) {
    this.#index = index;
    this.#bits = index.bits;
    this.#maxDistance = index.maxDistance;
    this.#scheme = index.scheme;
  }

  get bits() {
    return this.#bits;
  }

  get maxDistance() {
    return this.#maxDistance;
  }

  get scheme() {
    return this.#scheme;
  }

  get size() {
    return this.#index.size;
  }

  #distance({ maxDistance = this.#maxDistance }) {
    return checkMaxDistance(maxDistance, this.#bits);
  }

  /** The cells of a fingerprint: two for 128 bits, else one. */
  get #cellsEach() {
    return this.#bits === 128 ? 2 : 1;
  }

  add(id, fingerprint) {
    checkId(id);
    checkFingerprint(fingerprint, 'fingerprint', this.#bits);
    const high = this.#bits === 128 ? fingerprint >> 64n : 0n;
    const isNew = this.#ids.numberOf(id) === undefined;
    if (!this.#index.add(this.#ids.enter(id), fingerprint, high)) {
      if (isNew) this.#ids.remove(id);
      throw outOfMemory();
    }
    return this;
  }

  addAll(ids, fingerprints) {
    const packed = this.#pack(fingerprints);
    checkIterable(ids, 'ids', 'an iterable of strings and safe integers');
    // A copy, checked as a whole: a call that throws adds nothing.
    const list = Array.from(ids, (id) => checkId(id));
    const count = packed.length / this.#cellsEach;
    if (list.length !== count) {
      throw new ArgumentError('fingerprints', `as many as there are ids, ${list.length}`, count);
    }
    return this.#addAll(list, packed);
  }

  #addAll(ids, packed) {
    const newIds = [];
    for (let at = 0; at < ids.length; at += DOCUMENTS_AT_ONCE) {
      const part = ids.slice(at, at + DOCUMENTS_AT_ONCE);
      for (const id of part) if (this.#ids.numberOf(id) === undefined) newIds.push(id);
      if (!this.#addPart(part, packed.subarray(at * this.#cellsEach), ids.length - at - part.length)) {
        for (const id of newIds) if (!this.has(id)) this.#ids.remove(id);
        throw outOfMemory();
      }
    }
    return this;
  }

  /** Adds documents, of which `left` more follow. Returns false if there is not enough memory. */
  #addPart(ids, packed, left) {
    const size = this.#cellsEach * ids.length;
    if (!this.#index.room(ids.length + size)) return false;
    refreshViews();
    const base = this.#index.rows / 8;
    for (let at = 0; at < ids.length; at++) floatCells[base + at] = this.#ids.enter(ids[at]);
    cells.set(packed.subarray(0, size), base + ids.length);
    return this.#index.addAll(ids.length, left);
  }

  /** Fingerprints as 64-bit cells. */
  #pack(fingerprints) {
    const bits = this.#bits;
    if (bits === 32 && isTypedArray(fingerprints, 'Uint32Array')) return BigUint64Array.from(fingerprints, BigInt);
    if (bits !== 32 && isTypedArray(fingerprints, 'BigUint64Array')) {
      if (bits === 128 && fingerprints.length % 2) {
        throw new ArgumentError('fingerprints', 'two elements for each fingerprint of 128 bits', fingerprints.length);
      }
      return fingerprints;
    }
    const array = bits === 32 ? 'Uint32Array' : 'BigUint64Array';
    checkIterable(fingerprints, 'fingerprints', `a ${array} or an iterable of bigints`);
    const packed = [];
    for (const fingerprint of fingerprints) {
      checkFingerprint(fingerprint, `fingerprints[${packed.length / this.#cellsEach}]`, bits);
      packed.push(fingerprint);
      if (bits === 128) packed.push(fingerprint >> 64n);
    }
    return BigUint64Array.from(packed);
  }

  delete(id) {
    const number = this.#ids.numberOf(checkId(id));
    if (number === undefined) return false;
    const isDeleted = this.#index.delete(number);
    this.#ids.remove(id);
    return isDeleted;
  }

  has(id) {
    const number = this.#ids.numberOf(checkId(id));
    return number !== undefined && this.#index.get(number);
  }

  get(id) {
    if (!this.has(id)) return undefined;
    refreshViews();
    return this.#read(this.#index.rows / 8);
  }

  /** The fingerprint in the cells at `at`. */
  #read(at) {
    return this.#bits === 128 ? cells[at] | (cells[at + 1] << 64n) : cells[at];
  }

  clear() {
    free(this.#index);
    this.#index = new (instance().bindings.Index)(this.#bits, this.#maxDistance, this.#scheme);
    this.#ids = new StringIds();
  }

  query(fingerprint, options) {
    const bits = this.#bits;
    checkFingerprint(fingerprint, 'fingerprint', bits);
    const given = checkOptions(options, ['maxDistance', 'limit']);
    const limit = checkLimit(given.limit);
    const high = bits === 128 ? fingerprint >> 64n : 0n;
    const count = this.#index.query(fingerprint, high, this.#distance(given), limit);
    const hits = [];
    if (count === 0) return hits;
    if (count < 0) throw outOfMemory();
    refreshViews();
    for (let at = this.#index.rows / 8, end = at + 4 * count; at < end; at += 4) {
      hits.push({ id: this.#ids.idOf(floatCells[at]), fingerprint: this.#read(at + 2), distance: floatCells[at + 1] });
    }
    return hits;
  }

  pairs(options) {
    const distance = this.#distance(checkOptions(options, ['maxDistance']));
    return { [Symbol.iterator]: () => this.#pairs(distance) };
  }

  *#pairs(distance) {
    const index = this.#index;
    const cursor = index.pairs(distance);
    try {
      for (;;) {
        const count = index === this.#index ? index.nextPairs(cursor, PAIRS_AT_ONCE) : CHANGED;
        if (count === END) return;
        if (count === CHANGED) {
          throw new Error('nearprint: the index has changed since this iteration over its pairs began');
        }
        if (count === NO_ROOM) throw outOfMemory();
        refreshViews();
        // A copy: between two pairs, the caller may call methods that overwrite the rows.
        const rows = floatCells.slice(index.rows / 8, index.rows / 8 + 3 * count);
        for (let at = 0; at < rows.length; at += 3) {
          yield { a: this.#ids.idOf(rows[at]), b: this.#ids.idOf(rows[at + 1]), distance: rows[at + 2] };
        }
      }
    } finally {
      free(cursor);
    }
  }

  clusters(options) {
    const given = checkOptions(options, ['linkage', 'maxDistance']);
    const { linkage = 'star' } = given;
    if (linkage !== 'star' && linkage !== 'single') {
      const takes = "'star' or 'single'";
      throw new ArgumentError('linkage', takes, linkage);
    }
    if (!this.#index.clusters(linkage === 'star', this.#distance(given))) throw outOfMemory();
    refreshViews();
    const base = this.#index.rows / 8;
    const clusters = [];
    const places = new Map();
    for (let at = base; at < base + 2 * this.size; at += 2) {
      let place = places.get(floatCells[at + 1]);
      if (place === undefined) {
        place = clusters.push([]) - 1;
        places.set(floatCells[at + 1], place);
      }
      clusters[place].push(this.#ids.idOf(floatCells[at]));
    }
    return clusters;
  }

  stats() {
    this.#index.stats();
    refreshViews();
    const base = this.#index.rows / 8;
    const [size, distinct, largestBucket, bytes, ...tables] = Array.from(
      cells.subarray(base, base + this.#index.cells),
      Number,
    );
    const shape = [];
    for (let at = 0; at < tables.length; at += 2) shape.push({ blockBits: tables[at], bucketBits: tables[at + 1] });
    return { size, distinct, largestBucket, bytes, tables: shape };
  }

  merge(other) {
    if (!isNearIndex(other)) throw new ArgumentError('other', 'a NearIndex', other);
    if (other.bits !== this.bits || other.scheme !== this.scheme) {
      const takes = `an index of ${this.bits} bits and the scheme ${this.scheme}`;
      throw new ArgumentError('other', takes, `${other.bits} bits, ${other.scheme}`);
    }
    const { numbers, packed } = other.#documents();
    return this.#addAll(
      Array.from(numbers, (number) => other.#ids.idOf(number)),
      packed,
    );
  }

  /** All documents in insertion order: the numbers of their ids, and their fingerprints as cells. */
  #documents() {
    const each = this.#cellsEach;
    const numbers = new Float64Array(this.size);
    const packed = new BigUint64Array(each * this.size);
    let count = 0;
    let from = 0;
    do {
      from = this.#index.documents(from);
      if (from === NO_MEMORY) throw outOfMemory();
      refreshViews();
      const base = this.#index.rows / 8;
      for (let at = base, end = base + this.#index.cells; at < end; at += 3, count++) {
        numbers[count] = floatCells[at];
        packed.set(cells.subarray(at + 1, at + 1 + each), each * count);
      }
    } while (from > 0);
    return { numbers, packed };
  }

  toBytes() {
    const note = this.#ids.toNote();
    checkRoom(note.length, 'the snapshot');
    return this.#index.toBytes(note);
  }

  static fromBytes(bytes) {
    if (!isBytes(bytes)) throw new ArgumentError('bytes', 'a Uint8Array', bytes);
    checkRoom(bytes.length, 'bytes');
    const index = emptyIndex();
    index.free();
    const read = instance().bindings.Index.fromBytes(bytes);
    try {
      refreshViews();
      const note = new Uint8Array(floatCells.buffer, read.rows, 8 * read.cells).slice();
      index.#open(read);
      index.#ids = StringIds.fromNote(note, index.#documents().numbers);
      return index;
    } catch (error) {
      free(read);
      throw error;
    }
  }

  free() {
    free(this.#index);
  }

  [dispose]() {
    this.free();
  }
}

// Outside the class, since the bundler renames a class whose body names it.
const emptyIndex = () => new NearIndex();
const isNearIndex = (value) => value instanceof NearIndex;
