// The features of a text, as the module writes them.
import type { Exchange } from '../common/exchange.js';

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

/** Returns features from their names and three cells each: count and weight, and both halves of the hash. */
export function featuresOf(names: readonly string[], cells: BigUint64Array): Feature[] {
  const numbers = new Uint32Array(cells.buffer, cells.byteOffset, 2 * cells.length);
  return Array.from({ length: cells.length / 3 }, (_, at) => ({
    feature: names[at],
    count: numbers[6 * at],
    weight: numbers[6 * at + 1],
    hash: join(cells[3 * at + 1], cells[3 * at + 2]),
  }));
}

/** Reads the features that the module has written. `names` has their names, each on a line. */
export function readFeatures(exchange: Exchange, names: string): Feature[] {
  if (names === '') return [];
  const lines = names.split('\n');
  const count = 3 * lines.length;
  return featuresOf(lines, exchange.cells(count).subarray(0, count));
}
