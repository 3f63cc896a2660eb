// Finds documents that resemble each other, independently of fingerprints and sketches: by a MinHash of many permutations
// with banding (Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, section 3.4). It misses one in 90,000 pairs
// with a resemblance of .75, and one in 7 pairs with a resemblance of .5.
import { randomNumbers } from './sample.js';

const BANDS = 30;
/** Documents are candidates if all the minima of a band are equal. */
const ROWS = 4;
const SEED = 2;

/** The maximum number of candidates in one band that are visited for a document. */
const MAX_VISITED = 2000;

/**
 * The maximum number of exact comparisons for one document. Pages of one template that share half of their words are
 * candidates of each other, and comparing all of them would take the square of their number.
 */
const MAX_COMPARED = 256;

const SLICE = 1024;

/** Returns the minima of the high halves of a `FeatureSet` under `ROWS` permutations, mixed into one number. */
function bandKey(set: Uint32Array, multipliers: number[]): number {
  let key = 0;
  for (const multiplier of multipliers) {
    let least = 0xffffffff;
    for (let at = 1; at < set.length; at += 2) {
      // The finaliser of MurmurHash3 in part: the multiplication alone would keep the order of the low bits.
      let hash = Math.imul(set[at] ^ (set[at] >>> 15), multiplier);
      hash = (hash ^ (hash >>> 13)) >>> 0;
      if (hash < least) least = hash;
    }
    key = Math.imul(key ^ least, 0x9e3779b1);
    key ^= key >>> 15;
  }
  return key;
}

/** Decides which pairs of sets are examined. Sets are named by their positions. */
interface Examiner {
  /** Returns whether no more pairs of a set are needed. */
  isDone(at: number): boolean;
  /** Returns whether a set can be the other one of a pair. */
  isOther(other: number): boolean;
  /** Returns whether it compared the sets, which is the expensive part. */
  examine(at: number, other: number): boolean;
}

/**
 * Calls `examine(at, other)` for pairs of sets that may resemble each other until `isDone(at)`. A pair may be examined
 * several times, and a set is compared with at most 256 others. The time is linear in the number of sets. Yields the share
 * of the work that is done. Returns the number of sets with too many pairs, which were not all examined.
 */
export function* eachPair(
  sets: Uint32Array[],
  { isDone, isOther, examine }: Examiner,
): Generator<number, number, undefined> {
  const random = randomNumbers(SEED);
  const keys = new Int32Array(sets.length);
  const next = new Int32Array(sets.length);
  const compared = new Uint16Array(sets.length);
  const cut = new Set<number>();
  for (let band = 0; band < BANDS; band++) {
    const multipliers = Array.from({ length: ROWS }, () => random(2 ** 32) | 1);
    const first = new Map<number, number>();
    for (let at = sets.length - 1; at >= 0; at--) {
      if (at % SLICE === 0) yield (band + 1 - at / sets.length) / BANDS;
      if (sets[at].length === 0 || (isDone(at) && !isOther(at))) continue;
      keys[at] = bandKey(sets[at], multipliers);
      if (!isOther(at)) continue;
      next[at] = first.get(keys[at]) ?? -1;
      first.set(keys[at], at);
    }
    for (let at = 0; at < sets.length; at++) {
      if (sets[at].length === 0 || compared[at] === MAX_COMPARED || isDone(at)) continue;
      let visited = 0;
      for (let other = first.get(keys[at]) ?? -1; other >= 0 && !isDone(at); other = next[other]) {
        if (other === at) continue;
        if (visited++ === MAX_VISITED || compared[at] === MAX_COMPARED) {
          cut.add(at);
          break;
        }
        if (examine(at, other)) compared[at]++;
      }
    }
  }
  return cut.size;
}
