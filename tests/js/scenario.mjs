// Calls of every function of the package, for tests of calls that follow one another and of calls without memory.
import { nearprint, simhash } from './instances.mjs';
import { saltedSet } from './salted.mjs';
import { entriesOf } from './values.mjs';

const { compare, Deduplicator, Sketch, Sketcher, sketch, sketchAll } = nearprint;
const { compareBits, features, Fingerprinter, fingerprint, fingerprintAll, NearIndex } = simhash;

/** Returns words that differ from each other. */
export const words = (count, prefix = 'w') => Array.from({ length: count }, (_, at) => prefix + at).join(' ');

/**
 * Returns `calls`, functions of objects by name, and `made`, which makes the objects. A call returns the same whatever calls were
 * before it: it leaves the objects as they are.
 */
export function scenario() {
  const small = 'The river burst its banks early on Tuesday, the council said, and the road is closed.';
  const large = words(8000);
  const huge = `${words(45_000)} 网页`;
  const bytes = new TextEncoder().encode(large);
  const scheme = { features: { chars: 3 } };
  const other = new Fingerprinter(scheme);
  const [a, b, c] = sketchAll([small, small.replace('closed', 'open'), large]);
  const made = () => {
    const kept = saltedSet(Deduplicator).add('a', a).add('b', b).add('c', c).add('short', 'Good news');
    const index = new NearIndex().addAll(['x', 'y', 'z'], [1n, 3n, 2n ** 60n]);
    const [prints, sketches] = [new Fingerprinter().stream(), new Sketcher().stream()];
    return { kept, index, prints: prints.update(small), sketches: sketches.update(small) };
  };
  const calls = {
    'a small fingerprint': () => fingerprint(small),
    'a large fingerprint': () => fingerprint(large),
    'a huge fingerprint': () => fingerprint(huge),
    'of 128 bits': () => fingerprint(large, { bits: 128 }),
    'of bytes': () => fingerprint(bytes),
    'with another scheme': () => other.fingerprint(small),
    'many fingerprints': () => fingerprintAll([small, large, '', small]),
    'a sketch': () => sketch(small).toHex(),
    'a huge sketch': () => sketch(huge).toHex(),
    'many sketches': () => sketchAll([small, '', 'Good news', bytes.subarray(0, 60_000), small]).map((s) => s.toHex()),
    features: () => features(small),
    'many features': () => features(large).length,
    comparison: () => compare(small, small.toLowerCase()),
    'a large comparison': () => compare(large, huge).exactResemblance,
    'a comparison of bits': () => compareBits(small, small.toLowerCase()).distance,
    'a large comparison of bits': () => compareBits(large, huge).distance,
    weighted: () => other.fingerprintFeatures(['a', ['b', 2], small]),
    'a large feature': () => other.fingerprintFeatures([large]),
    hashes: () => other.fingerprintHashes(BigUint64Array.of(1n, 2n)),
    resemblance: () => a.resemblance(b),
    'from bytes': () => Sketch.fromBytes(c.toBytes()).toHex(),
    keys: () => a.keys,
    'a query of a text': ({ kept }) => kept.query(small, { limit: 9 }),
    'a query of a sketch': ({ kept }) => kept.query(c),
    'a query of a large text': ({ kept }) => kept.query(bytes),
    'a query of a short text': ({ kept }) => kept.query('GOOD NEWS'),
    'a decision': ({ kept }) => kept.observe('b', small),
    'decisions on a new document': ({ kept }) => [
      kept.observe(9, 'No news at all'),
      kept.observe(9, 'No news'),
      kept.observe(9, 'NO NEWS'),
      kept.delete(9),
    ],
    'an added document': ({ kept }) => kept.add(9, c, { now: 0, expiresIn: 5 }).prune({ now: 5 }),
    'a stored sketch': ({ kept }) => kept.get('a').toHex(),
    iteration: ({ kept }) => entriesOf(kept),
    snapshot: ({ kept }) => kept.toBytes(),
    'a snapshot read': ({ kept }) => Deduplicator.fromBytes(kept.toBytes()).query(small),
    'index query': ({ index }) => index.query(1n),
    'an added fingerprint': () => new NearIndex().add('w', 7n).size,
    'index pairs': ({ index }) => [...index.pairs()],
    'index bytes': ({ index }) => index.bytes,
    'index snapshot': ({ index }) => NearIndex.fromBytes(index.toBytes()).get('z'),
    'new objects': () => [
      new Fingerprinter({ features: 'words' }).id,
      new Sketcher({ features: { words: 1 } }).id,
      new Deduplicator().scheme,
      new NearIndex().scheme,
    ],
    streams: ({ prints, sketches }) => [prints.digest(), sketches.sketch().toHex()],
    'a new stream of a fingerprint': () => new Fingerprinter().stream().update(large).digest(),
    'a new stream of a sketch': () => new Sketcher().stream().update(large).sketch().toHex(),
  };
  return { calls, made };
}
