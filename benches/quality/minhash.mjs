// MinHash of 128 permutations with LSH, as users of datasketch run it: 14 bands of 9 numbers, which datasketch 2.0.0 computes
// for a threshold of .7. The features are the shingles by which the truth is defined. A document is dropped if LSH finds a
// kept one, or, with `verify`, if one that LSH finds has an estimate of .7 or more.
const PERMUTATIONS = 128;
const BANDS = 14;
const ROWS = 9;
const THRESHOLD = 0.7;

/** The finaliser of MurmurHash3, a permutation of 32 bits. */
function fmix32(x) {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

const seeds = Uint32Array.from({ length: PERMUTATIONS }, (_, at) => fmix32(at + 1));

function minhashOf(shingles) {
  const smallest = new Uint32Array(PERMUTATIONS).fill(0xffffffff);
  for (const shingle of shingles) {
    const hash = fmix32(shingle + 1);
    for (let at = 0; at < PERMUTATIONS; at++) {
      const value = fmix32(hash ^ seeds[at]);
      if (value < smallest[at]) smallest[at] = value;
    }
  }
  return smallest;
}

function estimate(a, b) {
  let equal = 0;
  for (let at = 0; at < PERMUTATIONS; at++) if (a[at] === b[at]) equal++;
  return equal / PERMUTATIONS;
}

/** Returns for each set the position of the kept one that it resembles, or undefined. */
export function dropByMinHash(sets, { verify }) {
  const buckets = new Map();
  const kept = [];
  return sets.map((set, position) => {
    const own = minhashOf(set);
    const keys = Array.from({ length: BANDS }, (_, band) => `${band} ${own.subarray(band * ROWS, (band + 1) * ROWS)}`);
    let [best, highest] = [undefined, verify ? THRESHOLD : 0];
    for (const other of new Set(keys.flatMap((key) => buckets.get(key) ?? []))) {
      const similarity = estimate(own, kept[other]);
      if (similarity > highest || (similarity === highest && best === undefined)) [best, highest] = [other, similarity];
    }
    if (best === undefined) {
      kept[position] = own;
      for (const key of keys) {
        const found = buckets.get(key);
        if (found) found.push(position);
        else buckets.set(key, [position]);
      }
    }
    return best;
  });
}
