// Deduplication of a stream of documents.
import { checkAnyIterable, checkId, checkOptions, checkText, outOfRange, wrongType } from './check.js';
import { Deduplicator } from './deduplicator.js';
import { sharedFingerprinter } from './fingerprinter.js';
import { checkMaxDistance, defaultMaxDistance } from './max-distance.js';
import { NearIndex } from './near-index.js';
import { schemeOptions } from './scheme.js';
import { summarize } from './short-text.js';

const known = ['maxDistance', 'keep', 'against', ...schemeOptions];

function checkAgainst(against, bits, scheme) {
  if (!(against instanceof NearIndex)) throw wrongType('against', 'a NearIndex', against);
  if (against.scheme !== scheme) throw outOfRange('against', `an index of the scheme ${scheme}`, against.scheme);
  if (against.bits !== bits) throw outOfRange('against', `an index of ${bits} bits`, against.bits);
}

function checkDocument(document, at) {
  if (typeof document !== 'object' || document === null) throw wrongType(`source[${at}]`, '{ id, text }', document);
  const { id, text } = document;
  return { id: checkId(id, `source[${at}].id`), text: checkText(text, `source[${at}].text`) };
}

export async function* dedupe(source, options) {
  const { maxDistance, keep = 'first', against, ...choices } = checkOptions(options, known);
  checkAnyIterable(source, 'source', 'an iterable or async iterable of { id, text }');
  const fingerprinter = sharedFingerprinter(choices);
  const { bits, id: scheme } = fingerprinter;
  const distance = checkMaxDistance(maxDistance ?? defaultMaxDistance(bits), bits);
  if (keep !== 'first' && keep !== 'longest') {
    throw (typeof keep === 'string' ? outOfRange : wrongType)('keep', "'first' or 'longest'", keep);
  }
  if (against !== undefined) checkAgainst(against, bits, scheme);

  const index = against ?? new NearIndex({ bits, maxDistance: distance, scheme });
  try {
    const deduplicator = new Deduplicator(index, distance, against === undefined);
    yield* keep === 'first' ? first(source, fingerprinter, deduplicator) : longest(source, fingerprinter, deduplicator);
  } finally {
    if (against === undefined) index.free();
  }
}

/** Returns the result for one document, and keeps it if it is new. */
function decide(deduplicator, id, summary, at) {
  const hit = deduplicator.nearest(summary);
  if (hit === undefined) deduplicator.keep(id, summary, `source[${at}].id`);
  return { id, duplicateOf: hit?.id ?? null, distance: hit?.distance ?? null };
}

async function* first(source, fingerprinter, deduplicator) {
  let at = 0;
  for await (const document of source) {
    const { id, text } = checkDocument(document, at);
    yield decide(deduplicator, id, summarize(fingerprinter, text), at++);
  }
}

async function* longest(source, fingerprinter, deduplicator) {
  const documents = [];
  for await (const document of source) {
    const { id, text } = checkDocument(document, documents.length);
    documents.push({ id, length: text.length, summary: summarize(fingerprinter, text) });
  }
  const results = [];
  for (const at of byLength(documents)) {
    const { id, summary } = documents[at];
    results[at] = decide(deduplicator, id, summary, at);
  }
  yield* results;
}

/** The positions of the documents, the longest first, those of equal length in their order. */
const byLength = (documents) => [...documents.keys()].sort((a, b) => documents[b].length - documents[a].length);
