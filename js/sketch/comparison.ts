// The exact comparison of two texts.
import type { Exchange } from '../common/exchange.js';

/** A feature of one of two texts, or of both. */
export interface ComparedFeature {
  /**
   * Its folded words or characters, for display. Different features can look the same if their words end in different places.
   */
  feature: string;
  /** How often it occurs in each text. */
  counts: { a: number; b: number };
  /** Whether it decides the resemblance: all features do, but without the option `features`, single words do not. */
  decides: boolean;
}

/** The result of {@link compare}. */
export interface Comparison {
  /** The id of the scheme. */
  scheme: string;
  /** The resemblance as the sketches estimate it: see {@link resemblance}. From 0 to 1. */
  resemblance: number;
  /**
   * The exact resemblance: the number of different features that both texts have, divided by the number that either has. Only
   * features that decide count. From 0 to 1; for a blank text it is 0. Words are hashed with a secret random key, so texts for which
   * it is wrong cannot be prepared.
   */
  exactResemblance: number;
  /**
   * The exact share of the features of each text that the other has; 1 if it has none. A text quoted in full by the other has 1,
   * however long the other is.
   */
  containment: { a: number; b: number };
  /** The features that both texts have, in the order in which they first end in the first text. */
  shared: ComparedFeature[];
  /** The features that only the first text has, in the order in which they first end. */
  onlyA: ComparedFeature[];
  /** The features that only the second text has, in the order in which they first end. */
  onlyB: ComparedFeature[];
}

/** The number of cells before the features: see `compare` in wasm/src/sketcher.rs. */
const HEAD = 6;

/** Reads what the module has written for two texts. `names` has the names of all features, each on a line. */
export function readComparison(exchange: Exchange, names: string): Omit<Comparison, 'scheme' | 'resemblance'> {
  const [count, exactResemblance, a, b, ofA, ofB] = exchange.floats(HEAD);
  const hashes = exchange.cells(count).slice(0, count);
  const numbers = new Uint32Array(hashes.buffer);
  const lines = names.split('\n');
  const features = new Map<bigint, ComparedFeature>();
  for (let at = 0; at < ofA + ofB; at++) {
    const cell = HEAD + 2 * at;
    const side = at < ofA ? 'a' : 'b';
    const known = features.get(hashes[cell]);
    const feature = known ?? { feature: lines[at], counts: { a: 0, b: 0 }, decides: numbers[2 * cell + 3] === 1 };
    feature.counts[side] = numbers[2 * cell + 2];
    features.set(hashes[cell], feature);
  }
  const all = [...features.values()];
  return {
    exactResemblance,
    containment: { a, b },
    shared: all.filter(({ counts }) => counts.a > 0 && counts.b > 0),
    onlyA: all.filter(({ counts }) => counts.b === 0),
    onlyB: all.filter(({ counts }) => counts.a === 0),
  };
}
