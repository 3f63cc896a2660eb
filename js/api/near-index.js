// Exact near-duplicate search. String ids are numbered here, all else is the core's (src/index).
import { free, instance } from '../boot/instance.js';
import { checkBits, checkFingerprint, checkOptions, checkWhole, outOfRange, wrongType } from './check.js';
import { dispose } from './dispose.js';
import { checkMaxDistance, defaultMaxDistance } from './max-distance.js';

const PAIRS_AT_ONCE = 1024;
/** Documents that cross at once: copies of all of them would stay with the module's memory, which never shrinks. */
const DOCUMENTS_AT_ONCE = 2 ** 13;
const LIMIT = 2 ** 32 - 1;
/** What `nextPairs` of the core tells instead of a count. */
const [END, CHANGED] = [-1, -2];

/** Views of the module's memory. When it grows, the old ones are emptied. */
let floatCells = new Float64Array(0);
let cells = new BigUint64Array(0);

function refreshViews() {
  if (floatCells.length > 0) return;
  const { buffer } = instance().memory;
  floatCells = new Float64Array(buffer);
  cells = new BigUint64Array(buffer);
}

const outOfMemory = () => new RangeError('nearprint: the index takes more memory than there is');

/** An index of fingerprints that finds everything within a Hamming distance, always. */
export class NearIndex {
  #index;
  #bits;
  #maxDistance;
  #scheme;
  /** A string id is known to the core by its number: `#names[number]`, and `number + 1/2` as an id. */
  #names = [];
  #numbers = new Map();
  #unused = [];

  constructor(options) {
    const known = ['bits', 'maxDistance', 'scheme'];
    const { bits = 64, maxDistance = defaultMaxDistance(bits), scheme = `v1:${bits}` } = checkOptions(options, known);
    checkMaxDistance(maxDistance, checkBits(bits));
    if (typeof scheme !== 'string') throw wrongType('scheme', "a scheme's id", scheme);
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

  /** The id as the core knows it; `undefined` for a string that is not held. */
  #known(id) {
    if (typeof id === 'number' && Number.isSafeInteger(id)) return id;
    if (typeof id === 'string') return this.#numbers.get(id);
    const takes = 'a string or a safe integer';
    throw (typeof id === 'number' ? outOfRange : wrongType)('id', takes, id);
  }

  /** The id as the core knows it; a new string gets a number. */
  #enter(id) {
    const known = this.#known(id);
    if (known !== undefined) return known;
    const number = this.#unused.pop() ?? this.#names.length;
    this.#names[number] = id;
    this.#numbers.set(id, number + 0.5);
    return number + 0.5;
  }

  #outside(id) {
    return Number.isInteger(id) ? id : this.#names[id - 0.5];
  }

  #distance({ maxDistance = this.#maxDistance }) {
    return checkMaxDistance(maxDistance, this.#bits);
  }

  add(id, fingerprint) {
    this.#known(id);
    checkFingerprint(fingerprint, 'fingerprint', this.#bits);
    const high = this.#bits === 128 ? fingerprint >> 64n : 0n;
    if (!this.#index.add(this.#enter(id), fingerprint, high)) throw outOfMemory();
    return this;
  }

  addAll(ids, fingerprints) {
    const packed = this.#cellsOf(fingerprints);
    if (typeof ids?.[Symbol.iterator] !== 'function' || typeof ids === 'string') {
      throw wrongType('ids', 'an iterable of strings and safe integers', ids);
    }
    const list = Array.isArray(ids) || ArrayBuffer.isView(ids) ? ids : [...ids];
    const count = this.#bits === 128 ? packed.length / 2 : packed.length;
    if (list.length !== count) {
      throw outOfRange('fingerprints', `as many as there are ids, ${list.length}`, count);
    }
    // All are looked at before the first is entered: a call that throws adds nothing.
    for (let at = 0; at < list.length; at++) this.#known(list[at]);
    const entered = new Float64Array(list.length);
    for (let at = 0; at < list.length; at++) entered[at] = this.#enter(list[at]);
    return this.#addAll(entered, packed);
  }

  /** Adds documents whose ids are known to the core. */
  #addAll(ids, fingerprints) {
    const each = this.#bits === 128 ? 2 : 1;
    for (let at = 0; at < ids.length; ) {
      const end = Math.min(ids.length, at + DOCUMENTS_AT_ONCE);
      if (!this.#index.room((end - at) * (1 + each))) throw outOfMemory();
      refreshViews();
      const base = this.#index.rows / 8;
      floatCells.set(ids.subarray(at, end), base);
      cells.set(fingerprints.subarray(at * each, end * each), base + end - at);
      if (!this.#index.addAll(end - at, ids.length - end)) throw outOfMemory();
      at = end;
    }
    return this;
  }

  /** Fingerprints as 64-bit cells. */
  #cellsOf(fingerprints) {
    const bits = this.#bits;
    const takes =
      bits === 32 ? 'a Uint32Array or an iterable of bigints' : 'a BigUint64Array or an iterable of bigints';
    if (bits === 32 && fingerprints instanceof Uint32Array) {
      const packed = new BigUint64Array(fingerprints.length);
      const halves = new Uint32Array(packed.buffer);
      for (let at = 0; at < fingerprints.length; at++) halves[2 * at] = fingerprints[at];
      return packed;
    }
    if (bits !== 32 && fingerprints instanceof BigUint64Array) {
      if (bits === 128 && fingerprints.length % 2) {
        throw outOfRange('fingerprints', 'two elements a fingerprint of 128 bits', fingerprints.length);
      }
      return fingerprints;
    }
    if (typeof fingerprints?.[Symbol.iterator] !== 'function' || typeof fingerprints === 'string') {
      throw wrongType('fingerprints', takes, fingerprints);
    }
    const packed = [];
    for (const fingerprint of fingerprints) {
      checkFingerprint(fingerprint, `fingerprints[${bits === 128 ? packed.length / 2 : packed.length}]`, bits);
      packed.push(fingerprint);
      if (bits === 128) packed.push(fingerprint >> 64n);
    }
    return BigUint64Array.from(packed);
  }

  delete(id) {
    const known = this.#known(id);
    if (known === undefined) return false;
    if (typeof id === 'string') {
      this.#numbers.delete(id);
      this.#names[known - 0.5] = undefined;
      this.#unused.push(known - 0.5);
    }
    return this.#index.delete(known);
  }

  has(id) {
    const known = this.#known(id);
    return typeof id === 'string' ? known !== undefined : this.#index.get(known);
  }

  get(id) {
    const known = this.#known(id);
    if (known === undefined || !this.#index.get(known)) return undefined;
    refreshViews();
    return this.#read(this.#index.rows / 8);
  }

  /** The fingerprint whose cells are at `at`. */
  #read(at) {
    return this.#bits === 128 ? cells[at] | (cells[at + 1] << 64n) : cells[at];
  }

  clear() {
    free(this.#index);
    this.#index = new (instance().bindings.Index)(this.#bits, this.#maxDistance, this.#scheme);
    this.#names = [];
    this.#numbers.clear();
    this.#unused = [];
  }

  query(fingerprint, options) {
    const bits = this.#bits;
    checkFingerprint(fingerprint, 'fingerprint', bits);
    const given = checkOptions(options, ['maxDistance', 'limit']);
    const { limit = Infinity } = given;
    const most = limit === Infinity ? LIMIT : checkWhole(limit, 'limit', LIMIT);
    const high = bits === 128 ? fingerprint >> 64n : 0n;
    const count = this.#index.query(fingerprint, high, this.#distance(given), most);
    const hits = [];
    if (count === 0) return hits;
    refreshViews();
    for (let at = this.#index.rows / 8, end = at + 4 * count; at < end; at += 4) {
      hits.push({ id: this.#outside(floatCells[at]), fingerprint: this.#read(at + 2), distance: floatCells[at + 1] });
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
        if (count === CHANGED)
          throw new Error('nearprint: the index has changed since this iteration over its pairs began');
        refreshViews();
        // A copy: what the caller does between two pairs may use the buffer for something else.
        const rows = floatCells.slice(index.rows / 8, index.rows / 8 + 3 * count);
        for (let at = 0; at < rows.length; at += 3) {
          yield { a: this.#outside(rows[at]), b: this.#outside(rows[at + 1]), distance: rows[at + 2] };
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
      throw (typeof linkage === 'string' ? outOfRange : wrongType)('linkage', takes, linkage);
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
      clusters[place].push(this.#outside(floatCells[at]));
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
    if (!(other instanceof NearIndex)) throw wrongType('other', 'a NearIndex', other);
    if (other.bits !== this.bits || other.scheme !== this.scheme) {
      throw outOfRange('other', `an index of ${this.bits} bits and of the scheme ${this.scheme}`, other.scheme);
    }
    const { ids, fingerprints } = other.#documents();
    return this.#addAll(
      ids.map((id) => this.#enter(other.#outside(id))),
      fingerprints,
    );
  }

  /** All documents in insertion order, ids as the core knows them. */
  #documents() {
    const each = this.#bits === 128 ? 2 : 1;
    const ids = new Float64Array(this.size);
    const fingerprints = new BigUint64Array(each * this.size);
    let count = 0;
    let from = 0;
    do {
      from = this.#index.documents(from);
      refreshViews();
      const base = this.#index.rows / 8;
      for (let at = base, end = base + this.#index.cells; at < end; at += 3, count++) {
        ids[count] = floatCells[at];
        fingerprints.set(cells.subarray(at + 1, at + 1 + each), each * count);
      }
    } while (from > 0);
    return { ids, fingerprints };
  }

  toBytes() {
    return this.#index.toBytes(new TextEncoder().encode(JSON.stringify(this.#names)));
  }

  static fromBytes(bytes) {
    if (!(bytes instanceof Uint8Array)) throw wrongType('bytes', 'a Uint8Array', bytes);
    const read = instance().bindings.Index.fromBytes(bytes);
    try {
      refreshViews();
      const index = new NearIndex();
      const note = new Uint8Array(floatCells.buffer, read.rows, 8 * read.cells).slice();
      index.free();
      index.#open(read);
      index.#names = namesOf(note, index.#documents().ids);
      index.#names.forEach((name, number) => {
        if (name === undefined) index.#unused.push(number);
        else index.#numbers.set(name, number + 0.5);
      });
      return index;
    } catch (error) {
      free(read);
      throw error;
    }
  }

  /** Frees the memory now; otherwise it is freed some time after the last reference is gone. */
  free() {
    free(this.#index);
  }

  [dispose]() {
    this.free();
  }
}

/** The string ids of a snapshot by number, which must be those the index has. */
function namesOf(note, ids) {
  const takes = 'takes a snapshot made by toBytes()';
  if (note.length === 0)
    throw new RangeError(`nearprint: bytes: a snapshot of the Rust crate, whose ids are other numbers; ${takes}`);
  let names;
  try {
    names = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(note));
  } catch {
    names = undefined;
  }
  const wrong = () => new RangeError(`nearprint: bytes: its string ids are not valid; ${takes}`);
  if (!Array.isArray(names)) throw wrong();
  const seen = new Set();
  names.forEach((name, number) => {
    if (name === null) names[number] = undefined;
    else if (typeof name !== 'string' || seen.has(name)) throw wrong();
    else seen.add(name);
  });
  let used = 0;
  for (const id of ids) {
    if (Number.isInteger(id)) continue;
    if (names[id - 0.5] === undefined) throw wrong();
    used++;
  }
  if (used !== seen.size) throw wrong();
  return names;
}
