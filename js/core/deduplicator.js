// The deduplicator: kept documents, and the search for the one that a text resembles most. This file checks arguments and
// numbers string ids; src/dedupe is the search.
import { free, instance } from '../boot/instance.js';
import { ArgumentError } from './argument-error.js';
import { checkId, checkLimit, checkOptions, checkText, isBytes } from './check.js';
import { dispose } from './dispose.js';
import { schemeId, schemeOptions } from './scheme.js';
import { lastSketch, readSketch, Sketch } from './sketch.js';
import { StringIds } from './string-ids.js';
import { checkRoom, sketchText } from './text.js';

const MOST_PROBES = 256;

export function checkMinResemblance(value) {
  const takes = 'a number above 0 and up to 1';
  if (typeof value !== 'number') throw new ArgumentError('minResemblance', takes, value);
  if (!(value > 0 && value <= 1)) throw new ArgumentError('minResemblance', takes, value);
  return value;
}

function checkProbes(value) {
  const takes = `a whole number from 1 to ${MOST_PROBES}`;
  if (typeof value !== 'number') throw new ArgumentError('probes', takes, value);
  if (!Number.isInteger(value) || value < 1 || value > MOST_PROBES) throw new ArgumentError('probes', takes, value);
  return value;
}

const idTaken = (argument, id) => new ArgumentError(argument, 'an id that no other kept document has', id);

let addQueried;

export class Deduplicator {
  /** The documents in the module. */
  #documents;
  /** The engine that makes and reads sketches. */
  #engine;
  #ids = new StringIds();

  constructor(options) {
    const { minResemblance, probes, ...choices } = checkOptions(options, [
      'minResemblance',
      'probes',
      ...schemeOptions,
    ]);
    if (minResemblance !== undefined) checkMinResemblance(minResemblance);
    if (probes !== undefined) checkProbes(probes);
    this.#open(new (instance().bindings.Documents)(schemeId(choices), minResemblance, probes));
  }

  static {
    addQueried = (deduplicator, id, at) => deduplicator.#addQueried(id, at);
  }

  #open(documents) {
    this.#documents = documents;
    this.#engine = new (instance().bindings.Engine)(documents.scheme);
  }

  get scheme() {
    return this.#documents.scheme;
  }

  get minResemblance() {
    return this.#documents.minResemblance;
  }

  get probes() {
    return this.#documents.probes;
  }

  get size() {
    return this.#documents.size;
  }

  /** Allocated memory in the module, in bytes. */
  get bytes() {
    return this.#documents.bytes;
  }

  /** Makes or reads the sketch of `document`. */
  #read(document) {
    if (document instanceof Sketch) readSketch(this.#engine, document);
    else sketchText(this.#engine, document);
  }

  /** The hit of the last call that returned this number. */
  #hit(number) {
    const { resemblance, distance } = this.#documents;
    return { id: this.#ids.idOf(number), resemblance, distance };
  }

  query(document, options) {
    const { limit } = checkOptions(options, ['limit']);
    if (limit !== undefined) return this.#queryAll(document, checkLimit(limit));
    this.#read(document);
    const number = this.#documents.query(this.#engine);
    return Number.isNaN(number) ? undefined : this.#hit(number);
  }

  #queryAll(document, limit) {
    this.#read(document);
    this.#documents.queryAll(this.#engine, limit);
    const hits = [];
    for (;;) {
      const number = this.#documents.nextHit();
      if (Number.isNaN(number)) return hits;
      hits.push(this.#hit(number));
    }
  }

  /** Calls `add` with the number of an id. A new string id is forgotten again if that adds no document. */
  #enter(id, add) {
    const isNew = this.#ids.numberOf(id) === undefined;
    let isAdded = false;
    try {
      const result = add(this.#ids.enter(id));
      isAdded = result === undefined;
      return result;
    } finally {
      if (isNew && !isAdded) this.#ids.remove(id);
    }
  }

  add(id, document) {
    checkId(id);
    this.#read(document);
    this.#enter(id, (number) => this.#documents.add(number, this.#engine));
    return this;
  }

  addIfNew(id, document) {
    checkId(id);
    return this.#addIfNew(id, document, 'id');
  }

  /** Takes an id that is checked; `argument` is its name in an error. */
  #addIfNew(id, document, argument) {
    this.#read(document);
    const hit = this.#enter(id, (number) => {
      const found = this.#documents.addIfNew(number, this.#engine);
      if (found === Infinity) throw idTaken(argument, id);
      return Number.isNaN(found) ? undefined : this.#hit(found);
    });
    return result(id, hit);
  }

  addIfNewAll(ids, documents) {
    if (!Array.isArray(ids)) throw new ArgumentError('ids', 'an array of ids', ids);
    if (!Array.isArray(documents)) throw new ArgumentError('documents', 'an array of texts or Sketches', documents);
    if (documents.length !== ids.length) {
      throw new ArgumentError('documents', `${ids.length} documents, one for each id`, documents.length);
    }
    // One by one: a search for several documents at once is not faster (DESIGN.md).
    return Array.from(ids, (id, at) => {
      checkId(id, `ids[${at}]`);
      const document = documents[at];
      if (!(document instanceof Sketch)) checkText(document, `documents[${at}]`);
      return this.#addIfNew(id, document, `ids[${at}]`);
    });
  }

  /** Adds the document of the last query, number `at` of a source. */
  #addQueried(id, at) {
    if (this.has(id)) throw idTaken(`source[${at}].id`, id);
    this.#enter(id, (number) => this.#documents.add(number, this.#engine));
  }

  has(id) {
    const number = this.#ids.numberOf(checkId(id));
    return number !== undefined && this.#documents.has(number);
  }

  get(id) {
    const number = this.#ids.numberOf(checkId(id));
    if (number === undefined || !this.#documents.get(number, this.#engine)) return undefined;
    return lastSketch(this.#engine);
  }

  delete(id) {
    const number = this.#ids.numberOf(checkId(id));
    if (number === undefined) return false;
    this.#ids.remove(id);
    return this.#documents.delete(number);
  }

  clear() {
    this.#documents.clear();
    this.#ids = new StringIds();
  }

  merge(other) {
    if (!isDeduplicator(other)) throw new ArgumentError('other', 'a Deduplicator', other);
    if (other.scheme !== this.scheme)
      throw new ArgumentError('other', `one of the scheme ${this.scheme}`, other.scheme);
    if (other === this) return this;
    for (const number of other.#documents.ids()) {
      other.#documents.get(number, this.#engine);
      this.#enter(other.#ids.idOf(number), (own) => this.#documents.add(own, this.#engine));
    }
    return this;
  }

  *[Symbol.iterator]() {
    // The loop may delete documents, and the number of a deleted string stands for another one later.
    const ids = Array.from(this.#documents.ids(), (number) => this.#ids.idOf(number));
    for (const id of ids) {
      const sketch = this.get(id);
      if (sketch !== undefined) yield { id, sketch };
    }
  }

  toBytes() {
    const note = this.#ids.toNote();
    checkRoom(note.length, 'the snapshot');
    return this.#documents.toBytes(note);
  }

  static fromBytes(bytes) {
    if (!isBytes(bytes)) throw new ArgumentError('bytes', 'a Uint8Array', bytes);
    checkRoom(bytes.length, 'bytes');
    const documents = instance().bindings.Documents.fromBytes(bytes);
    try {
      const ids = StringIds.fromNote(documents.takeNote(), documents.ids());
      const deduplicator = emptyDeduplicator();
      deduplicator.free();
      deduplicator.#open(documents);
      deduplicator.#ids = ids;
      return deduplicator;
    } catch (error) {
      free(documents);
      throw error;
    }
  }

  /** Frees the memory now; otherwise it is freed some time after the last reference is gone. */
  free() {
    free(this.#documents);
    free(this.#engine);
  }

  [dispose]() {
    this.free();
  }
}

// Outside the class, since the bundler renames a class whose body names it.
const emptyDeduplicator = () => new Deduplicator();
const isDeduplicator = (value) => value instanceof Deduplicator;

/** The result for a document: `hit` is undefined if it is kept. */
export const result = (id, hit) => ({
  id,
  duplicateOf: hit?.id ?? null,
  resemblance: hit?.resemblance ?? null,
  distance: hit?.distance ?? null,
});

export { addQueried };
