// Counts the documents that a method drops wrongly, and the near-duplicates that it leaves.
import { dedupe, MIN_FEATURES } from '../../pkg/index.js';
import { features } from '../../pkg/simhash.js';
import { judge, NEAR } from './judge.mjs';
import { dropByMinHash } from './minhash.mjs';
import { SimilarityIndex, Truth } from './truth.mjs';

async function dropByNearprint(texts, options = {}) {
  const dropped = [];
  for await (const { duplicatePosition } of dedupe(texts, options)) dropped.push(duplicatePosition);
  return dropped;
}

/** Drops each document that has an exact resemblance of `NEAR` or more to a kept one: nothing wrong, and nothing left. */
function dropByTruth(truth) {
  const kept = new SimilarityIndex(truth, NEAR);
  return truth.kinds.map((_, document) => {
    const found = kept.find(document);
    if (found === undefined) kept.add(document);
    return found;
  });
}

/** The methods. Each returns for each document the kept document that it duplicates, or undefined. */
const methods = {
  nearprint: ({ texts }) => dropByNearprint(texts),
  'MinHash LSH': ({ truth }) => dropByMinHash(truth.ownSets(), { verify: false }),
  'MinHash, verified': ({ truth }) => dropByMinHash(truth.ownSets(), { verify: true }),
};

export const methodNames = Object.keys(methods);

const bands = [
  ['fewer than 8', MIN_FEATURES],
  ['8 to 15', 16],
  ['16 to 63', 64],
  ['64 or more', Number.POSITIVE_INFINITY],
];

export const bandNames = bands.map(([name]) => name);

/** The number of different features of nearprint, on which its rules for short texts depend, as a band. */
function bandOf(text) {
  const count = features(text).length;
  return bands.find(([, end]) => count < end)[0];
}

/**
 * Counts documents, near-duplicates and the mistakes of each method: `{ all, bands, groups }`. The near-duplicates are those
 * that exact resemblance drops.
 */
export async function measure(documents) {
  const texts = documents.map(({ text }) => text);
  const truth = new Truth(texts);
  const duplicates = dropByTruth(truth);
  const verdicts = {};
  for (const [name, drop] of Object.entries(methods)) verdicts[name] = judge(truth, await drop({ texts, truth }));

  const makeCounts = () => ({
    documents: 0,
    duplicates: 0,
    methods: Object.fromEntries(methodNames.map((name) => [name, { wrong: 0, left: 0 }])),
  });
  const result = { all: makeCounts(), bands: {}, groups: {} };
  for (const [at, { text, group }] of documents.entries()) {
    const band = bandOf(text);
    result.bands[band] ??= makeCounts();
    if (group !== undefined) result.groups[group] ??= makeCounts();
    for (const counts of [result.all, result.bands[band], ...(group === undefined ? [] : [result.groups[group]])]) {
      counts.documents++;
      if (duplicates[at] !== undefined) counts.duplicates++;
      for (const name of methodNames) if (verdicts[name][at]) counts.methods[name][verdicts[name][at]]++;
    }
  }
  return result;
}

/**
 * Counts for each threshold what nearprint does: `{ documents, dropped, wrong, left, labelled, same, longLabelled, longSame }`.
 * The last four count dropped documents that have a label, and those with the label of the kept document; `long` ones have
 * 16 features or more.
 */
export async function measureThresholds(documents, thresholds) {
  const texts = documents.map(({ text }) => text);
  const truth = new Truth(texts);
  const isLong = texts.map((text) => features(text).length >= 16);
  const rows = {};
  for (const minResemblance of thresholds) {
    const partners = await dropByNearprint(texts, { minResemblance });
    const verdicts = judge(truth, partners);
    const count = (isCounted) => documents.reduce((sum, _, at) => sum + (isCounted(at) ? 1 : 0), 0);
    const isLabelled = (at) => partners[at] !== undefined && documents[at].label !== undefined;
    const isSame = (at) => isLabelled(at) && documents[at].label === documents[partners[at]].label;
    rows[minResemblance] = {
      documents: documents.length,
      dropped: count((at) => partners[at] !== undefined),
      wrong: count((at) => verdicts[at] === 'wrong'),
      left: count((at) => verdicts[at] === 'left'),
      labelled: count(isLabelled),
      same: count(isSame),
      longLabelled: count((at) => isLong[at] && isLabelled(at)),
      longSame: count((at) => isLong[at] && isSame(at)),
    };
  }
  return rows;
}
