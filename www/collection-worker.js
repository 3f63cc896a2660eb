// A collection in the Worker: its fingerprints, the index over them, and the distances of all pairs.
import { Fingerprinter, MIN_FEATURES, NearIndex } from './pkg/index.js';

const AT_ONCE = 200;

let bits;
let index;
/** The fingerprints in 32-bit words, `bits / 32` of them each. */
let words;
/** The texts of too few features to be told by their fingerprints, those of the same words together. */
let short;

const ones = (x) => {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

function apart(a, b) {
  const width = bits / 32;
  let sum = 0;
  for (let word = 0; word < width; word++) sum += ones(words[a * width + word] ^ words[b * width + word]);
  return sum;
}

/**
 * Takes a new collection. As with the package's `dedupe`, short texts are duplicates if their words are the same.
 * Returns how many milliseconds the fingerprints and the index took.
 */
export function load(texts, options, progress) {
  const fingerprinter = new Fingerprinter(options);
  bits = fingerprinter.bits;
  const width = bits / 32;
  words = new Uint32Array(texts.length * width);
  short = new Map();
  const ids = [];
  const fingerprints = [];
  const began = performance.now();
  texts.forEach((text, at) => {
    const fingerprint = fingerprinter.fingerprint(text);
    for (let word = 0; word < width; word++) {
      words[at * width + word] = Number(BigInt.asUintN(32, fingerprint >> BigInt(32 * word)));
    }
    if (fingerprinter.distinct >= MIN_FEATURES) {
      ids.push(at);
      fingerprints.push(fingerprint);
    } else {
      const key = fingerprinter.words(text).join('\n') || fingerprint;
      if (!short.has(key)) short.set(key, []);
      short.get(key).push(at);
    }
    if (at % AT_ONCE === 0) progress(at / texts.length);
  });
  const indexing = performance.now();
  index?.free();
  index = new NearIndex({ bits, scheme: fingerprinter.id });
  index.addAll(ids, fingerprints);
  return { fingerprints: indexing - began, index: performance.now() - indexing };
}

/** The clusters of two or more: the document that is kept, and the others with how far they are from it. */
export function clustersWithin(maxDistance) {
  const began = performance.now();
  const clusters = [...index.clusters({ maxDistance }), ...short.values()].filter(({ length }) => length > 1);
  const took = performance.now() - began;
  const withDistances = clusters.map(([first, ...others]) => ({
    first,
    others: others.map((at) => ({ at, distance: apart(first, at) })),
  }));
  return { clusters: withDistances.sort((x, y) => y.others.length - x.others.length), took };
}

/** All pairs of so many documents are counted, some 72 million; of more, those of an even sample. */
const MOST_COUNTED = 12_000;

/** How many pairs are apart by 0, 1, 2 ... bits, and of how many documents. */
export function distances(progress) {
  const width = bits / 32;
  const size = words.length / width;
  const counted = Math.min(size, MOST_COUNTED);
  const counts = new Float64Array(bits + 1);
  const sample = new Uint32Array(counted * width);
  for (let at = 0; at < counted; at++) {
    const from = Math.floor((at * size) / counted) * width;
    sample.set(words.subarray(from, from + width), at * width);
  }
  for (let a = 0; a < sample.length; a += width) {
    for (let b = a + width; b < sample.length; b += width) {
      let sum = 0;
      for (let word = 0; word < width; word++) sum += ones(sample[a + word] ^ sample[b + word]);
      counts[sum]++;
    }
    // The first rows are the longest: done is the share of pairs, not of rows.
    if (a % (256 * width) === 0) progress(1 - (1 - a / sample.length) ** 2);
  }
  return { counts, counted };
}
