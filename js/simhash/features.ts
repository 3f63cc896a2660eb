// The features of a text, as the module writes them.
import type { Exchange } from '../common/exchange.js';
import { lineReader } from '../common/line-reader.js';
import type { Bits } from '../common/types.js';

/** A feature of a text. */
export interface Feature {
  /**
   * Its words or characters, for display. Different features can look the same if their words end in different places.
   */
  feature: string;
  /** How often it occurs in the text. */
  count: number;
  /** Its weight, derived from the count. */
  weight: number;
  /** Its hash. Bit *i* is its vote on bit *i* of the fingerprint. An unsigned bigint of 64 or 128 bits. */
  hash: bigint;
}

/** Returns the number of 128 bits of two halves. */
export const join = (low: bigint, high: bigint): bigint => (high << 64n) | low;

/** Returns features from a reader of their names and three cells each: count and weight, and both halves of the hash. */
export function featuresOf(nextName: () => string, cells: BigUint64Array, bits: Bits): Feature[] {
  const numbers = new Uint32Array(cells.buffer, cells.byteOffset, 2 * cells.length);
  // Millions of features fill a list of the final length in two thirds of the time of `Array.from`.
  const features = new Array<Feature>(cells.length / 3);
  for (let at = 0; at < features.length; at++) {
    features[at] = {
      feature: nextName(),
      count: numbers[6 * at],
      weight: numbers[6 * at + 1],
      hash: bits === 128 ? join(cells[3 * at + 1], cells[3 * at + 2]) : cells[3 * at + 1],
    };
  }
  return features;
}

/** Reads the features that the module has written. `names` has their names, each on a line. */
export function readFeatures(exchange: Exchange, names: string, bits: Bits): Feature[] {
  const [count] = exchange.floats(1);
  return featuresOf(lineReader(names), exchange.cells(count).subarray(1, count), bits);
}
