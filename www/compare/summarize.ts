// Compares two texts and keeps only the features that the page shows: a long text has a hundred thousand.
import { type Comparison, compare, type Feature, type SchemeOptions, type Sketch, sketch } from 'nearprint';
import type { Pair } from '../shared/pair.js';

const MAX_FEATURES = 300;

/** A feature for display. */
export type FeatureWeight = Pick<Feature, 'feature' | 'weight'>;

/** A feature of both texts, with its weight in each. */
export interface SharedFeature extends Pair<number> {
  feature: string;
}

/** The heaviest features of a list, and the length of the list. */
export interface Heaviest<F> {
  count: number;
  top: F[];
}

/** One text of a comparison. */
export interface TextSide {
  fingerprint: bigint;
  /** In hexadecimal. */
  sketch: string;
  isShort: boolean;
  hasFewFeatures: boolean;
  /** The number of different features, and the sum of their weights. */
  features: number;
  weight: number;
  /** The features that the other text does not have. */
  own: Heaviest<FeatureWeight>;
}

/** The result of `compare` with shortened lists of features. */
export interface TextComparison extends Omit<Comparison, 'a' | 'b'>, Pair<TextSide> {
  /** Whether the texts are the same, character by character. */
  isIdentical: boolean;
  /** Whether they have the same words and symbols in the same order. */
  hasSameWords: boolean;
  shared: Heaviest<SharedFeature>;
}

/** Returns the heaviest features; equal weights keep the order of the text. */
function heaviest<F>(features: F[], weightOf: (feature: F) => number): Heaviest<F> {
  const top = features.toSorted((x, y) => weightOf(y) - weightOf(x)).slice(0, MAX_FEATURES);
  return { count: features.length, top };
}

export function summarize(a: string, b: string, options: SchemeOptions): TextComparison {
  const comparison = compare(a, b, options);
  const sketches = { a: sketch(a, options), b: sketch(b, options) };
  // Keyed by hash: two features can read the same and have different word borders.
  const [inA, inB] = [comparison.a, comparison.b].map(({ features }) => new Map(features.map((f) => [f.hash, f])));
  const shared: SharedFeature[] = [];
  for (const { feature, weight, hash } of comparison.a.features) {
    const other = inB.get(hash);
    if (other !== undefined) shared.push({ feature, a: weight, b: other.weight });
  }
  const side = (
    { fingerprint, features }: Comparison['a'],
    sketch: Sketch,
    other: ReadonlyMap<bigint, Feature>,
  ): TextSide => {
    const own = features.filter(({ hash }) => !other.has(hash)).map(({ feature, weight }) => ({ feature, weight }));
    return {
      fingerprint,
      sketch: sketch.toHex(),
      isShort: sketch.isShort,
      hasFewFeatures: sketch.hasFewFeatures,
      features: features.length,
      weight: features.reduce((sum, { weight }) => sum + weight, 0),
      own: heaviest(own, ({ weight }) => weight),
    };
  };
  return {
    ...comparison,
    isIdentical: a === b,
    hasSameWords: sketches.a.equals(sketches.b),
    a: side(comparison.a, sketches.a, inB),
    b: side(comparison.b, sketches.b, inA),
    shared: heaviest(shared, (feature) => feature.a + feature.b),
  };
}
