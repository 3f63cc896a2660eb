// Deduplication of a stream of documents.
import { ArgumentError } from './argument-error.js';
import { checkAnyIterable, checkId, checkOptions, checkText } from './check.js';
import { addQueried, checkMinResemblance, Deduplicator, result } from './deduplicator.js';
import { sharedFingerprinter } from './fingerprinter.js';
import { HammingRule } from './hamming-rule.js';
import { checkMaxDistance, defaultMaxDistance } from './max-distance.js';
import { NearIndex } from './near-index.js';
import { schemeOptions } from './scheme.js';
import { summarize } from './short-text.js';

const known = ['minResemblance', 'maxDistance', 'keep', 'against', ...schemeOptions];

function checkDocument(document, at) {
  if (typeof document !== 'object' || document === null)
    throw new ArgumentError(`source[${at}]`, '{ id, text }', document);
  const { id, text } = document;
  // The names of the arguments are made only for an error.
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) checkId(id, `source[${at}].id`);
  if (typeof text !== 'string') checkText(text, `source[${at}].text`);
}

/** Near-duplicates by resemblance. */
class Resemblance {
  #kept;
  #fingerprinter;

  constructor(kept, fingerprinter) {
    this.#kept = kept;
    this.#fingerprinter = fingerprinter;
  }

  /** All that is kept of a text until it is decided on. */
  summarize(text) {
    return this.#fingerprinter.sketch(text);
  }

  /** Returns the result for a text or its summary, document `at` of the source, and keeps it if it is new. */
  decide(id, document, at) {
    const hit = this.#kept.query(document);
    if (hit === undefined) addQueried(this.#kept, id, at);
    return result(id, hit);
  }
}

/** Near-duplicates by resemblance, among the documents of a store. Results are promises. */
class InStore {
  #store;
  #fingerprinter;
  /** The ids of the documents that this run has kept. */
  #kept = new Set();

  constructor(store, fingerprinter) {
    this.#store = store;
    this.#fingerprinter = fingerprinter;
  }

  summarize(text) {
    return this.#fingerprinter.sketch(text);
  }

  async decide(id, document, at) {
    if (typeof id !== 'string') throw new ArgumentError(`source[${at}].id`, 'a string, with a store', id);
    const isText = typeof document === 'string' || ArrayBuffer.isView(document);
    const sketch = isText ? this.summarize(document) : document;
    // To the store, a document that comes again is a call that is repeated. Within a run it is a duplicate of itself.
    if (this.#kept.has(id)) {
      const [hit] = await this.#store.query(sketch);
      if (hit !== undefined) return result(id, hit);
    }
    const [added] = await this.#store.addIfNew([{ id, sketch }]);
    if (added.duplicateOf === null) this.#kept.add(id);
    return added;
  }
}

const isStore = (value) =>
  !(value instanceof Deduplicator) && typeof value?.addIfNew === 'function' && typeof value.query === 'function';

/** Near-duplicates by the distance of fingerprints. */
class Distance {
  #rule;
  #fingerprinter;

  constructor(rule, fingerprinter) {
    this.#rule = rule;
    this.#fingerprinter = fingerprinter;
  }

  summarize(text) {
    return summarize(this.#fingerprinter, text);
  }

  decide(id, document, at) {
    const isText = typeof document === 'string' || ArrayBuffer.isView(document);
    const summary = isText ? this.summarize(document) : document;
    const hit = this.#rule.nearest(summary);
    if (hit === undefined) this.#rule.keep(id, summary, `source[${at}].id`);
    return result(id, hit);
  }
}

/** Returns the rule of the options, and what to free at the end. */
function open({ minResemblance, maxDistance, against, ...choices }) {
  const fingerprinter = sharedFingerprinter(choices);
  const { bits, id: scheme } = fingerprinter;
  const byDistance = maxDistance !== undefined || against instanceof NearIndex;
  if (byDistance && minResemblance !== undefined) {
    const other = maxDistance === undefined ? 'a NearIndex as against' : 'maxDistance';
    throw new ArgumentError('minResemblance', `no value beside ${other}`, minResemblance);
  }
  if (byDistance) {
    const distance = checkMaxDistance(maxDistance ?? defaultMaxDistance(bits), bits);
    if (against !== undefined) {
      if (!(against instanceof NearIndex))
        throw new ArgumentError('against', 'a NearIndex beside maxDistance', against);
      if (against.scheme !== scheme)
        throw new ArgumentError('against', `an index of the scheme ${scheme}`, against.scheme);
      if (against.bits !== bits) throw new ArgumentError('against', `an index of ${bits} bits`, against.bits);
    }
    const index = against ?? new NearIndex({ bits, maxDistance: distance, scheme });
    return [new Distance(new HammingRule(index, distance, against === undefined), fingerprinter), index];
  }
  if (minResemblance !== undefined) checkMinResemblance(minResemblance);
  if (against !== undefined) {
    if (!(against instanceof Deduplicator) && !isStore(against)) {
      throw new ArgumentError('against', 'a Deduplicator, a store or a NearIndex', against);
    }
    const own = scheme.replace(/^v1:\d+/, 'v1:64');
    if (against.scheme !== own) throw new ArgumentError('against', `one of the scheme ${own}`, against.scheme);
    if (minResemblance !== undefined && minResemblance !== against.minResemblance) {
      throw new ArgumentError(
        'minResemblance',
        `${against.minResemblance}, that of against, or no value`,
        minResemblance,
      );
    }
  }
  if (isStore(against)) return [new InStore(against, fingerprinter), against];
  const kept = against ?? new Deduplicator({ minResemblance, scheme });
  return [new Resemblance(kept, fingerprinter), kept];
}

export async function* dedupe(source, options) {
  const { keep = 'first', ...others } = checkOptions(options, known);
  checkAnyIterable(source, 'source', 'an iterable or async iterable of { id, text }');
  if (keep !== 'first' && keep !== 'longest') {
    throw new ArgumentError('keep', "'first' or 'longest'", keep);
  }
  const [rule, state] = open(others);
  try {
    let at = 0;
    if (keep === 'longest') {
      yield* longest(source, rule);
    } else if (source[Symbol.asyncIterator] === undefined) {
      // There is nothing to wait for: no promise is made for a document.
      for (const document of source) yield decide(rule, isPromise(document) ? await document : document, at++);
    } else {
      for await (const document of source) yield decide(rule, document, at++);
    }
  } finally {
    if (others.against === undefined) state.free();
  }
}

const isPromise = (value) => typeof value?.then === 'function';

function decide(rule, document, at) {
  checkDocument(document, at);
  return rule.decide(document.id, document.text, at);
}

async function* longest(source, rule) {
  const documents = [];
  for await (const document of source) {
    checkDocument(document, documents.length);
    const { id, text } = document;
    documents.push({ id, length: text.length, summary: rule.summarize(text) });
  }
  const results = [];
  for (const at of byLength(documents)) {
    const { id, summary } = documents[at];
    const result = rule.decide(id, summary, at);
    results[at] = isPromise(result) ? await result : result;
  }
  yield* results;
}

/** The positions of the documents, the longest first, those of equal length in their order. */
const byLength = (documents) => [...documents.keys()].sort((a, b) => documents[b].length - documents[a].length);
