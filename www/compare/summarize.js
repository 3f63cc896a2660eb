// Compares two texts and keeps only the features that the page shows: a long text has a hundred thousand.
import { compare, sketch } from 'nearprint';

const SHOWN = 300;

/** The heaviest features; equal weights keep the order of the text. */
function heaviest(features, weightOf) {
  const top = features.toSorted((x, y) => weightOf(y) - weightOf(x)).slice(0, SHOWN);
  return { count: features.length, top };
}

/**
 * Returns the result of `compare` with shortened feature lists, `estimate`, the resemblance that the sketches give, and
 * `took` in milliseconds. Each side also has its sketch in hexadecimal and `isShort`.
 */
export function summarize(a, b, options) {
  const began = performance.now();
  const comparison = compare(a, b, options);
  const sketches = { a: sketch(a, options), b: sketch(b, options) };
  const estimate = sketches.a.resemblance(sketches.b);
  const took = performance.now() - began;
  // Keyed by hash: two features can read the same and have different word borders.
  const [inA, inB] = [comparison.a, comparison.b].map(({ features }) => new Map(features.map((f) => [f.hash, f])));
  const shared = comparison.a.features
    .filter(({ hash }) => inB.has(hash))
    .map(({ feature, weight, hash }) => ({ feature, a: weight, b: inB.get(hash).weight }));
  const side = ({ fingerprint, features }, sketch, other) => {
    const own = features.filter(({ hash }) => !other.has(hash)).map(({ feature, weight }) => ({ feature, weight }));
    return {
      fingerprint,
      sketch: sketch.toHex(),
      isShort: sketch.isShort,
      features: features.length,
      own: heaviest(own, ({ weight }) => weight),
    };
  };
  return {
    ...comparison,
    estimate,
    took,
    a: side(comparison.a, sketches.a, inB),
    b: side(comparison.b, sketches.b, inA),
    shared: heaviest(shared, (feature) => feature.a + feature.b),
  };
}
