// A collection in the Worker: its fingerprints, the index over them, and the distances of all pairs.
import { Fingerprinter, NearIndex } from './pkg/index.js';

const AT_ONCE = 200;

let bits;
let index;
/** The fingerprints in 32-bit words, `bits / 32` of them each. */
let words;
/**
 * Which text each fingerprint is of. One without a single word casts no votes, and has none: all such texts would be
 * near to each other, whatever they are.
 */
let positions;

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

/** Takes a new collection. Returns how many milliseconds its fingerprints and its index took. */
export function load(texts, options, progress) {
  const fingerprinter = new Fingerprinter(options);
  bits = fingerprinter.bits;
  const began = performance.now();
  const each = Math.max(1, bits / 64);
  const fingerprints = bits === 32 ? new Uint32Array(texts.length) : new BigUint64Array(texts.length * each);
  for (let at = 0; at < texts.length; at += AT_ONCE) {
    fingerprints.set(fingerprinter.fingerprintAll(texts.slice(at, at + AT_ONCE)), at * each);
    progress(Math.min(1, (at + AT_ONCE) / texts.length));
  }
  const indexing = performance.now();
  const zero = bits === 32 ? 0 : 0n;
  positions = Array.from(texts.keys()).filter((at) =>
    fingerprints.subarray(at * each, (at + 1) * each).some((word) => word !== zero),
  );
  positions.forEach((from, to) => {
    fingerprints.copyWithin(to * each, from * each, (from + 1) * each);
  });
  const voting = fingerprints.slice(0, positions.length * each);
  words = new Uint32Array(voting.buffer);
  index?.free();
  index = new NearIndex({ bits, scheme: fingerprinter.id });
  index.addAll(positions.keys(), voting);
  return { fingerprints: indexing - began, index: performance.now() - indexing };
}

/** The clusters of two or more: the document that is kept, and the others with how far they are from it. */
export function clustersWithin(maxDistance) {
  const began = performance.now();
  const clusters = index.clusters({ maxDistance }).filter(({ length }) => length > 1);
  const took = performance.now() - began;
  const withDistances = clusters.map(([first, ...others]) => ({
    first: positions[first],
    others: others.map((at) => ({ at: positions[at], distance: apart(first, at) })),
  }));
  return { clusters: withDistances.sort((x, y) => y.others.length - x.others.length), took };
}

/** All pairs of so many documents are counted, some 72 million; of more, those of an even sample. */
const MOST_COUNTED = 12_000;

/** How many pairs are apart by 0, 1, 2 ... bits, and of how many documents. */
export function distances(progress) {
  const size = index.size;
  const counted = Math.min(size, MOST_COUNTED);
  const counts = new Float64Array(bits + 1);
  const width = bits / 32;
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
