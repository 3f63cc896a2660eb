// The comparison of two fingerprints bit by bit.
import type { Exchange } from '../common/exchange.js';
import { lineReader } from '../common/line-reader.js';
import type { Bits } from '../common/types.js';
import { type Feature, featuresOf, join } from './features.js';
import { distance, similarity } from './hamming.js';

/** The result of {@link compareBits}. */
export interface BitComparison {
  /** The id of the scheme. */
  id: string;
  /** The width of the fingerprints in bits. */
  bits: Bits;
  /** The fingerprint and the features of the first text. */
  a: ComparedText;
  /** The fingerprint and the features of the second text. */
  b: ComparedText;
  /** The number of different bits. */
  distance: number;
  /** The share of equal bits, from 0 to 1. */
  similarity: number;
  /** One element for each bit, the lowest bit first. */
  perBit: ComparedBit[];
}

/** One of two texts that are compared bit by bit. */
export interface ComparedText {
  /** The fingerprint of the text. */
  fingerprint: bigint;
  /** The features of the text, as {@link features} returns them. */
  features: Feature[];
}

/** One bit of two fingerprints. */
export interface ComparedBit {
  /** The place of the bit, 0 for the lowest. */
  bit: number;
  /** Whether the bits of the two fingerprints differ. */
  differs: boolean;
  /** The votes of the first text. */
  a: BitVotes;
  /** The votes of the second text. */
  b: BitVotes;
}

/** The votes on one bit of a fingerprint. */
export interface BitVotes {
  /**
   * The total of the votes: the weights of features that vote for 1, minus the weights of features that vote for 0. The bit
   * is 1 if `sum > 0`.
   */
  sum: number;
  /** The features with the largest weights that vote for 1, at most five. */
  ones: Voter[];
  /** The features with the largest weights that vote for 0, at most five. */
  zeros: Voter[];
}

/** A feature that votes on a bit. */
export interface Voter {
  /** The name of the feature. */
  feature: string;
  /** The weight of its vote. */
  weight: number;
}

/** The maximum number of features that a bit lists for each of its values. */
const MAX_LISTED = 5;

/** Returns a function from a bit to its sum and the heaviest features that vote for 1 and for 0. */
function votesOf(features: readonly Feature[], sums: Float64Array): (bit: number) => BitVotes {
  const heaviest = features.toSorted((x, y) => y.weight - x.weight);
  return (bit) => {
    const ones: BitVotes['ones'] = [];
    const zeros: BitVotes['zeros'] = [];
    for (const { feature, weight, hash } of heaviest) {
      const list = (hash >> BigInt(bit)) & 1n ? ones : zeros;
      if (list.length < MAX_LISTED) list.push({ feature, weight });
      if (ones.length === MAX_LISTED && zeros.length === MAX_LISTED) break;
    }
    return { sum: sums[bit], ones, zeros };
  };
}

/** Reads what `compare` in wasm/src/fingerprinter.rs has written for two texts. `names` has the names of all features, each on a line. */
export function readBits(exchange: Exchange, names: string, bits: Bits): Omit<BitComparison, 'id' | 'bits'> {
  const nextName = lineReader(names);
  const [count] = exchange.floats(1);
  const cells = exchange.cells(count).slice(0, count);
  const floats = new Float64Array(cells.buffer);
  let at = 1; // After the number of cells.
  const readSide = () => {
    const [size, sums] = [floats[at], floats.subarray(at + 3, at + 3 + bits)];
    const start = at + 3 + bits;
    const fingerprint = join(cells[at + 1], cells[at + 2]);
    at = start + 3 * size;
    const features = featuresOf(nextName, cells.subarray(start, at), bits);
    return { side: { fingerprint, features }, votes: votesOf(features, sums) };
  };
  const [a, b] = [readSide(), readSide()];
  const differing = a.side.fingerprint ^ b.side.fingerprint;
  return {
    a: a.side,
    b: b.side,
    distance: distance(a.side.fingerprint, b.side.fingerprint),
    similarity: similarity(a.side.fingerprint, b.side.fingerprint, bits),
    perBit: Array.from({ length: bits }, (_, bit) => ({
      bit,
      differs: ((differing >> BigInt(bit)) & 1n) === 1n,
      a: a.votes(bit),
      b: b.votes(bit),
    })),
  };
}
