// Near-duplicates dropped from a stream of documents.
import { checkOptions, outOfRange, wrongType } from './check.js';
import { sharedFingerprinter } from './fingerprinter.js';
import { distance } from './hamming.js';

export async function* dedupe(source, options) {
  const { maxDistance = 8 } = checkOptions(options, ['maxDistance']);
  if (!Number.isInteger(maxDistance)) throw wrongType('maxDistance', 'a whole number from 0 to 16', maxDistance);
  if (maxDistance < 0 || maxDistance > 16) throw outOfRange('maxDistance', 'a whole number from 0 to 16', maxDistance);
  if (typeof (source?.[Symbol.asyncIterator] ?? source?.[Symbol.iterator]) !== 'function') {
    throw wrongType('source', 'an iterable or async iterable of { id, text }', source);
  }
  const fingerprinter = sharedFingerprinter();
  const kept = [];
  for await (const { id, text } of source) {
    const fingerprint = fingerprinter.fingerprint(text);
    let nearest = null;
    for (const other of kept) {
      const apart = distance(fingerprint, other.fingerprint);
      if (apart <= maxDistance && (nearest === null || apart < nearest.apart)) nearest = { id: other.id, apart };
    }
    if (nearest === null) kept.push({ id, fingerprint });
    yield { id, duplicateOf: nearest?.id ?? null, distance: nearest?.apart ?? null };
  }
}
