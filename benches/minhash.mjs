// The MinHash of benches/quality as a module for the evaluation, which compares it with `dedupe`:
//
//     node ../shared/eval/scale.mjs --module benches/minhash.mjs
import { dropByMinHash } from './quality/minhash.mjs';
import { Truth } from './quality/truth.mjs';

export function* dedupe(documents, { verify = false } = {}) {
  const partners = dropByMinHash(new Truth(documents.map(({ text }) => text)).ownSets(), { verify });
  for (const [at, partner] of partners.entries()) {
    yield { id: documents[at].id, duplicateOf: partner === undefined ? undefined : documents[partner].id };
  }
}

/** The evaluation measures its time, which is nothing here. */
export const fingerprintAll = () => [];
