// The exact comparison of two texts.
import type { Exchange } from '../common/exchange.js';
import { lineReader } from '../common/line-reader.js';

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
const HEAD = 4;

/** Reads what the module has written for two texts. `names` has the names of the features, each on a line. */
export function readComparison(exchange: Exchange, names: string): Omit<Comparison, 'scheme' | 'resemblance'> {
  const [count, exactResemblance, containmentOfA, containmentOfB] = exchange.floats(HEAD);
  const cells = exchange.halves(count);
  const nextName = lineReader(names);
  const [shared, onlyA, onlyB]: ComparedFeature[][] = [[], [], []];
  for (let at = 2 * HEAD; at < 2 * count; at += 4) {
    const counts = { a: cells[at], b: cells[at + 1] };
    const list = counts.a === 0 ? onlyB : counts.b === 0 ? onlyA : shared;
    list.push({ feature: nextName(), counts, decides: cells[at + 2] === 1 });
  }
  return { exactResemblance, containment: { a: containmentOfA, b: containmentOfB }, shared, onlyA, onlyB };
}
