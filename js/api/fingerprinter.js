import { free, instance, restarts } from '../boot/instance.js';
import { checkIterable, checkText, outOfRange, wrongType } from './check.js';
import { dispose } from './dispose.js';
import { cosine, distance, similarity } from './hamming.js';
import { schemeId } from './scheme.js';
import { fingerprintText, isHighSurrogate, updateText, write, writeBoth } from './text.js';

const whole = (low, high) => (high << 64n) | low;

export class Fingerprinter {
  #engine;
  #start;
  #id;
  #bits;

  constructor(options) {
    this.#id = schemeId(options);
    this.#open();
    this.#bits = Number(this.#id.split(':')[1]);
  }

  #open() {
    this.#engine = new (instance().bindings.Engine)(this.#id);
    this.#start = restarts;
  }

  /** It holds nothing between two calls, so another will do when a trap has taken this one. */
  get #ready() {
    if (this.#start !== restarts) this.#open();
    return this.#engine;
  }

  get id() {
    return this.#id;
  }

  get bits() {
    return this.#bits;
  }

  fingerprint(text) {
    return this.#joinHalves(fingerprintText(this.#ready, text));
  }

  get distinct() {
    return this.#ready.distinct();
  }

  fingerprintAll(texts) {
    checkIterable(texts, 'texts', 'an iterable of texts');
    const is32 = this.#bits === 32;
    let prints = new (is32 ? Uint32Array : BigUint64Array)(64);
    let length = 0;
    // Not an array of bigints, each of which takes four times as much memory.
    const add = (half) => {
      if (length === prints.length) prints = grown(prints);
      prints[length++] = is32 ? Number(half) : half;
    };
    for (const text of texts) {
      add(fingerprintText(this.#ready, text));
      if (this.#bits === 128) add(this.#ready.high());
    }
    return prints.slice(0, length);
  }

  fingerprintFeatures(features) {
    checkIterable(features, 'features', 'an iterable of strings or [feature, weight] pairs');
    this.#ready.reset();
    let at = 0;
    for (const entry of features) {
      const [feature, weight] = typeof entry === 'string' ? [entry, 1] : Array.isArray(entry) ? entry : [];
      if (typeof feature !== 'string')
        throw wrongType(`features[${at}]`, 'a string or a [feature, weight] pair', entry);
      this.#ready.addFeature(write(this.#ready, feature), checkWeight(weight, `features[${at}][1]`));
      at++;
    }
    return this.#joinHalves(this.#ready.weightedDigest());
  }

  fingerprintHashes(hashes, weights) {
    if (!(hashes instanceof BigUint64Array)) throw wrongType('hashes', 'a BigUint64Array', hashes);
    if (weights !== undefined && weights?.length !== hashes.length) {
      throw wrongType('weights', `an array of ${hashes.length} numbers, one a hash`, weights);
    }
    this.#ready.reset();
    hashes.forEach((hash, at) => {
      this.#ready.addHash(hash, weights === undefined ? 1 : checkWeight(weights[at], `weights[${at}]`));
    });
    return this.#joinHalves(this.#ready.weightedDigest());
  }

  words(text) {
    const joined = this.#ready.words(write(this.#ready, checkText(text)));
    return joined === '' ? [] : joined.split('\n');
  }

  features(text) {
    const names = this.#ready.features(write(this.#ready, checkText(text)));
    return featuresOf(names.split('\n'), this.#ready.rows());
  }

  compare(a, b) {
    const lengths = writeBoth(this.#ready, checkText(a, 'a'), checkText(b, 'b'));
    const names = this.#ready.compare(...lengths).split('\n');
    const words = this.#ready.rows();
    const cells = new Float64Array(words.buffer);
    const [exactCosine, jaccard] = cells;
    let at = 2;
    const side = () => {
      const sumsAt = at + 3;
      const featuresAt = sumsAt + this.#bits;
      const [count, fingerprint] = [cells[at], whole(words[at + 1], words[at + 2])];
      at = featuresAt + 3 * count;
      const features = featuresOf(names.splice(0, count), words.slice(featuresAt, at));
      return { sums: cells.subarray(sumsAt, featuresAt), told: { fingerprint, features } };
    };
    const [first, second] = [side(), side()];
    const sides = { a: first.told, b: second.told };
    const prints = [sides.a.fingerprint, sides.b.fingerprint];
    const numbers = {
      distance: distance(...prints),
      similarity: similarity(...prints, this.#bits),
      cosine: cosine(...prints, this.#bits),
      exactCosine,
      jaccard,
    };
    const differing = prints[0] ^ prints[1];
    const pushers = { a: pushersOf(sides.a), b: pushersOf(sides.b) };
    const perBit = Array.from({ length: this.#bits }, (_, bit) => ({
      bit,
      differs: ((differing >> BigInt(bit)) & 1n) === 1n,
      a: { sum: first.sums[bit], ...pushers.a(bit) },
      b: { sum: second.sums[bit], ...pushers.b(bit) },
    }));
    return { id: this.#id, bits: this.#bits, ...sides, ...numbers, perBit };
  }

  stream() {
    return new Stream(new (instance().bindings.Engine)(this.#id), this.#bits);
  }

  free() {
    free(this.#engine);
  }

  [dispose]() {
    this.free();
  }

  /** The fingerprint whose low half the engine has just told. */
  #joinHalves(low) {
    return this.#bits === 128 ? whole(low, this.#ready.high()) : low;
  }
}

/** The same numbers, and place for as many more. */
function grown(numbers) {
  const more = new numbers.constructor(2 * numbers.length);
  more.set(numbers);
  return more;
}

const LARGEST_WEIGHT = 2 ** 32;

function checkWeight(weight, argument) {
  const takes = 'a number from -2^32 to 2^32';
  if (typeof weight !== 'number') throw wrongType(argument, takes, weight);
  if (!(Math.abs(weight) <= LARGEST_WEIGHT)) throw outOfRange(argument, takes, weight);
  return weight;
}

/** Features by their names and, of each, three words: count and weight, and the halves of the hash. */
function featuresOf(names, words) {
  const votes = new Uint32Array(words.buffer);
  return Array.from({ length: words.length / 3 }, (_, at) => ({
    feature: names[at],
    count: votes[6 * at],
    weight: votes[6 * at + 1],
    hash: whole(words[3 * at + 1], words[3 * at + 2]),
  }));
}

/** How many features a bit names on either side. */
const PUSHERS = 5;

/** Tells of a bit the heaviest features that push it to 1, and those that push it to 0. */
function pushersOf({ features }) {
  const heaviest = features.toSorted((x, y) => y.weight - x.weight);
  return (bit) => {
    const ones = [];
    const zeros = [];
    for (const { feature, weight, hash } of heaviest) {
      const pushed = (hash >> BigInt(bit)) & 1n ? ones : zeros;
      if (pushed.length < PUSHERS) pushed.push({ feature, weight });
      if (ones.length === PUSHERS && zeros.length === PUSHERS) break;
    }
    return { ones, zeros };
  };
}

/** A fingerprint of a text that comes in chunks. */
class Stream {
  #engine;
  #bits;
  /** A high surrogate whose other half has not come yet. */
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
      updateText(this.#engine, this.#half ? text.slice(0, -1) : text);
    } else {
      this.#flush();
      updateText(this.#engine, chunk);
    }
    return this;
  }

  digest() {
    this.#flush();
    const low = this.#engine.digest();
    return this.#bits === 128 ? whole(low, this.#engine.high()) : low;
  }

  free() {
    free(this.#engine);
  }

  [dispose]() {
    this.free();
  }

  #flush() {
    updateText(this.#engine, this.#half);
    this.#half = '';
  }
}

const shared = new Map();

/** The fingerprinter of these options that the plain functions share. */
export function sharedFingerprinter(options) {
  const id = schemeId(options);
  let fingerprinter = shared.get(id);
  if (!fingerprinter) {
    fingerprinter = new Fingerprinter(options);
    shared.set(id, fingerprinter);
  }
  return fingerprinter;
}

export const fingerprint = (text, options) => sharedFingerprinter(options).fingerprint(text);

export const fingerprintAll = (texts, options) => sharedFingerprinter(options).fingerprintAll(texts);

export const fingerprintFeatures = (features, options) => sharedFingerprinter(options).fingerprintFeatures(features);

export const fingerprintHashes = (hashes, weights, options) =>
  sharedFingerprinter(options).fingerprintHashes(hashes, weights);

export const features = (text, options) => sharedFingerprinter(options).features(text);

export const compare = (a, b, options) => sharedFingerprinter(options).compare(a, b);
