// A comparison, cut down to what can be shown: a long text has a hundred thousand features.
import { compare } from './pkg/index.js';

const SHOWN = 300;

/** The heaviest first; of equals, those that come first in the text. */
function heaviest(features, weight) {
  const top = features.toSorted((x, y) => weight(y) - weight(x)).slice(0, SHOWN);
  return { count: features.length, top };
}

/** Compares two texts; `took` is in milliseconds. */
export function measured(a, b, options) {
  const began = performance.now();
  const comparison = compare(a, b, options);
  const took = performance.now() - began;
  // By hash and not by name: two features may look the same and differ in where their words end.
  const [inA, inB] = [comparison.a, comparison.b].map(({ features }) => new Map(features.map((f) => [f.hash, f])));
  const shared = comparison.a.features
    .filter(({ hash }) => inB.has(hash))
    .map(({ feature, weight, hash }) => ({ feature, a: weight, b: inB.get(hash).weight }));
  const own = ({ features }, other) => features.filter(({ hash }) => !other.has(hash));
  const bare = ({ feature, weight }) => ({ feature, weight });
  const side = (which, other) => {
    const mine = heaviest(own(which, other).map(bare), ({ weight }) => weight);
    return { fingerprint: which.fingerprint, features: which.features.length, own: mine };
  };
  return {
    ...comparison,
    took,
    a: side(comparison.a, inB),
    b: side(comparison.b, inA),
    shared: heaviest(shared, (feature) => feature.a + feature.b),
  };
}
