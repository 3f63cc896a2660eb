// Fingerprints of texts, and of features and hashes of the caller's own.
//
// An engine holds state during a call. So code of the caller (an iterator, a getter) runs before the engine is touched:
// it may call the same fingerprinter.
import { free, instance } from '../boot/instance.js';
import { ArgumentError } from './argument-error.js';
import { checkIterable, checkText, checkWeight, isTypedArray } from './check.js';
import { dispose } from './dispose.js';
import { EngineOwner } from './engine.js';
import { cosine, distance, similarity } from './hamming.js';
import { schemeId } from './scheme.js';
import { lastSketch, sketchBatch } from './sketch.js';
import { fingerprintText, isHighSurrogate, sketchText, updateText, write, writeBoth } from './text.js';

const join = (low, high) => (high << 64n) | low;

export class Fingerprinter {
  #engine;
  #id;
  #bits;

  constructor(options) {
    this.#id = schemeId(options);
    this.#engine = new EngineOwner(this.#id);
    this.#bits = Number(this.#id.split(':')[1]);
  }

  get id() {
    return this.#id;
  }

  get bits() {
    return this.#bits;
  }

  fingerprint(text) {
    const engine = this.#engine.current();
    return this.#joinHalves(engine, fingerprintText(engine, text));
  }

  get distinct() {
    return this.#engine.current().distinct();
  }

  fingerprintAll(texts) {
    checkIterable(texts, 'texts', 'an iterable of texts');
    const is32 = this.#bits === 32;
    // An array of bigints would take four times as much memory.
    let fingerprints = new (is32 ? Uint32Array : BigUint64Array)(64);
    let length = 0;
    const add = (half) => {
      if (length === fingerprints.length) fingerprints = doubled(fingerprints);
      fingerprints[length++] = is32 ? Number(half) : half;
    };
    for (const text of texts) {
      const engine = this.#engine.current();
      add(fingerprintText(engine, text));
      if (this.#bits === 128) add(engine.high());
    }
    return fingerprints.slice(0, length);
  }

  sketch(text) {
    const engine = this.#engine.current();
    sketchText(engine, text);
    return lastSketch(engine);
  }

  sketchAll(texts) {
    checkIterable(texts, 'texts', 'an iterable of texts');
    const sketches = [];
    for (const batch of batches(texts)) sketches.push(...sketchBatch(this.#engine.current(), batch));
    return sketches;
  }

  fingerprintFeatures(features) {
    checkIterable(features, 'features', 'an iterable of strings or [feature, weight] pairs');
    const pairs = [];
    for (const entry of features) {
      const at = pairs.length;
      const [feature, weight] = typeof entry === 'string' ? [entry, 1] : Array.isArray(entry) ? entry : [];
      if (typeof feature !== 'string') {
        throw new ArgumentError(`features[${at}]`, 'a string or a [feature, weight] pair', entry);
      }
      pairs.push([feature, checkWeight(weight, `features[${at}][1]`)]);
    }
    const engine = this.#engine.current();
    engine.reset();
    for (const [feature, weight] of pairs) engine.addFeature(write(engine, feature), weight);
    return this.#joinHalves(engine, engine.weightedDigest());
  }

  fingerprintHashes(hashes, weights) {
    if (!isTypedArray(hashes, 'BigUint64Array')) throw new ArgumentError('hashes', 'a BigUint64Array', hashes);
    const count = hashes.length;
    if (weights !== undefined && weights?.length !== count) {
      throw new ArgumentError('weights', `an array of ${count} numbers, one for each hash`, weights);
    }
    const checked =
      weights && Float64Array.from({ length: count }, (_, at) => checkWeight(weights[at], `weights[${at}]`));
    const engine = this.#engine.current();
    engine.reset();
    for (let at = 0; at < count; at++) engine.addHash(hashes[at], checked?.[at] ?? 1);
    return this.#joinHalves(engine, engine.weightedDigest());
  }

  words(text) {
    checkText(text);
    const engine = this.#engine.current();
    const joined = engine.words(write(engine, text));
    return joined === '' ? [] : joined.split('\n');
  }

  features(text) {
    checkText(text);
    const engine = this.#engine.current();
    const names = engine.features(write(engine, text));
    return featuresOf(names.split('\n'), engine.rows());
  }

  compare(a, b) {
    checkText(a, 'a');
    checkText(b, 'b');
    const engine = this.#engine.current();
    const names = engine.compare(...writeBoth(engine, a, b)).split('\n');
    const cells = engine.rows();
    const floatCells = new Float64Array(cells.buffer);
    const [exactCosine, jaccard, resemblance] = floatCells;
    let at = 3;
    const readSide = () => {
      const sumsAt = at + 3;
      const featuresAt = sumsAt + this.#bits;
      const [count, fingerprint] = [floatCells[at], join(cells[at + 1], cells[at + 2])];
      at = featuresAt + 3 * count;
      const features = featuresOf(names.splice(0, count), cells.slice(featuresAt, at));
      return { fingerprint, features, sums: floatCells.subarray(sumsAt, featuresAt) };
    };
    const sides = { a: readSide(), b: readSide() };
    const fingerprints = [sides.a.fingerprint, sides.b.fingerprint];
    const differing = fingerprints[0] ^ fingerprints[1];
    const votes = { a: votesOf(sides.a), b: votesOf(sides.b) };
    return {
      id: this.#id,
      bits: this.#bits,
      a: { fingerprint: sides.a.fingerprint, features: sides.a.features },
      b: { fingerprint: sides.b.fingerprint, features: sides.b.features },
      distance: distance(...fingerprints),
      similarity: similarity(...fingerprints, this.#bits),
      cosine: cosine(...fingerprints, this.#bits),
      exactCosine,
      jaccard,
      resemblance,
      perBit: Array.from({ length: this.#bits }, (_, bit) => ({
        bit,
        differs: ((differing >> BigInt(bit)) & 1n) === 1n,
        a: votes.a(bit),
        b: votes.b(bit),
      })),
    };
  }

  stream() {
    return new Stream(new (instance().bindings.Engine)(this.#id), this.#bits);
  }

  free() {
    this.#engine.free();
  }

  [dispose]() {
    this.free();
  }

  /** The fingerprint with this low half. The engine has the high one. */
  #joinHalves(engine, low) {
    return this.#bits === 128 ? join(low, engine.high()) : low;
  }
}

/** The most texts of a batch, and the length from which one has no more. */
const MOST_TEXTS = 64;
const LONG = 1 << 16;

/** Groups texts, so that a few calls return the sketches of each group. */
function* batches(texts) {
  let batch = [];
  let length = 0;
  for (const text of texts) {
    batch.push(checkText(text));
    length += text.length;
    if (batch.length < MOST_TEXTS && length < LONG) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  yield batch;
}

/** A copy with room for as many numbers again. */
function doubled(numbers) {
  const more = new numbers.constructor(2 * numbers.length);
  more.set(numbers);
  return more;
}

/** Features from their names and three cells each: count and weight, and both halves of the hash. */
function featuresOf(names, cells) {
  const numbers = new Uint32Array(cells.buffer);
  return Array.from({ length: cells.length / 3 }, (_, at) => ({
    feature: names[at],
    count: numbers[6 * at],
    weight: numbers[6 * at + 1],
    hash: join(cells[3 * at + 1], cells[3 * at + 2]),
  }));
}

/** A bit lists this many features for each of its values. */
const MOST_LISTED = 5;

/** Returns a function from a bit to its sum and the heaviest features that vote for 1 and for 0. */
function votesOf({ features, sums }) {
  const heaviest = features.toSorted((x, y) => y.weight - x.weight);
  return (bit) => {
    const ones = [];
    const zeros = [];
    for (const { feature, weight, hash } of heaviest) {
      const list = (hash >> BigInt(bit)) & 1n ? ones : zeros;
      if (list.length < MOST_LISTED) list.push({ feature, weight });
      if (ones.length === MOST_LISTED && zeros.length === MOST_LISTED) break;
    }
    return { sum: sums[bit], ones, zeros };
  };
}

/** Computes the fingerprint of a text that arrives in chunks. */
class Stream {
  #engine;
  #bits;
  /** A high surrogate at the end of the last chunk, or ''. */
  #half = '';

  constructor(engine, bits) {
    this.#engine = engine;
    this.#bits = bits;
  }

  update(chunk) {
    checkText(chunk, 'chunk');
    if (chunk.length === 0) return this;
    if (typeof chunk === 'string') {
      const text = this.#half + chunk;
      this.#half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
      this.#add(this.#half ? text.slice(0, -1) : text);
    } else {
      this.#flush();
      this.#add(chunk);
    }
    return this;
  }

  #add(chunk) {
    try {
      updateText(this.#engine, chunk);
    } catch (error) {
      // It may have a part of the chunk.
      this.free();
      throw error;
    }
  }

  digest() {
    this.#flush();
    const low = this.#engine.digest();
    return this.#bits === 128 ? join(low, this.#engine.high()) : low;
  }

  sketch() {
    this.#flush();
    this.#engine.sketchStream();
    return lastSketch(this.#engine);
  }

  free() {
    free(this.#engine);
  }

  [dispose]() {
    this.free();
  }

  #flush() {
    this.#add(this.#half);
    this.#half = '';
  }
}

const shared = new Map();

/** The fingerprinter of these options that the plain functions share. */
export function sharedFingerprinter(options) {
  const id = schemeId(options);
  let fingerprinter = shared.get(id);
  if (!fingerprinter) {
    fingerprinter = new Fingerprinter({ scheme: id });
    shared.set(id, fingerprinter);
  }
  return fingerprinter;
}

export const fingerprint = (text, options) => sharedFingerprinter(options).fingerprint(text);

export const fingerprintAll = (texts, options) => sharedFingerprinter(options).fingerprintAll(texts);

export const sketch = (text, options) => sharedFingerprinter(options).sketch(text);

export const sketchAll = (texts, options) => sharedFingerprinter(options).sketchAll(texts);

export const fingerprintFeatures = (features, options) => sharedFingerprinter(options).fingerprintFeatures(features);

export const fingerprintHashes = (hashes, weights, options) =>
  sharedFingerprinter(options).fingerprintHashes(hashes, weights);

export const features = (text, options) => sharedFingerprinter(options).features(text);

export const compare = (a, b, options) => sharedFingerprinter(options).compare(a, b);
