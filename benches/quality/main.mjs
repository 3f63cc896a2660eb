// npm run bench:quality: how many documents deduplication drops wrongly, and how many near-duplicates it leaves.
//
//     npm run bench:quality                                # all collections: 1.5 GB of downloads, then some minutes
//     npm run bench:quality -- --collection declarations   # one of them; the option can be repeated
//     npm run bench:quality -- --thresholds                # nearprint alone, with other thresholds, and the labels of people
//     npm run bench:quality -- --folder DIR --count 100000 # the documents of a folder that benches/corpus.mjs describes
//     npm run bench:quality -- --json                      # all counts, as JSON
//     npm run bench:quality -- --max-wrong 0 --max-left 9  # fails if nearprint makes more mistakes in a collection
//
// All mistakes are per 100,000 documents. judge.mjs defines them, and shingles.mjs the exact resemblance. The documents
// come in a random order, the same in every run. A collection that cannot be downloaded is skipped.
import { failWithUsage, readArguments } from '../../scripts/arguments.mjs';
import { build } from '../../scripts/build.mjs';
import { fail, say } from '../../scripts/run.mjs';
import { random } from '../../tests/js/random.mjs';
import { corpus } from '../corpus.mjs';
import { collections } from './collections.mjs';
import { load, Unavailable } from './download.mjs';

const SYNOPSIS =
  '[--collection NAME ...] [--folder DIR] [--count N] [--thresholds] [--json] [--max-wrong N] [--max-left N]';
const args = readArguments(SYNOPSIS);
const names = args.folder ? [] : (args.collection ?? Object.keys(collections));
const THRESHOLDS = [0.5, 0.6, 0.65, 0.67, 0.7, 0.8, 0.9, 0.95];
const limits = { wrong: args['max-wrong'], left: args['max-left'] };
const isBounded = Object.values(limits).some((limit) => limit !== undefined);
for (const name of names) {
  if (collections[name]) continue;
  failWithUsage(`--collection must be one of ${Object.keys(collections).join(', ')}, got '${name}'`, SYNOPSIS);
}

await build();
const { bandNames, measure, measureThresholds, methodNames } = await import('./measure.mjs');

/** Returns the documents of a collection in a random order, or undefined if it cannot be downloaded. */
function documentsOf(name) {
  say(`${name}: ${collections[name].what}`);
  try {
    const documents = load(name, collections[name]);
    const below = random(1);
    for (let at = documents.length - 1; at > 0; at--) {
      const other = below(at + 1);
      [documents[at], documents[other]] = [documents[other], documents[at]];
    }
    return documents;
  } catch (error) {
    if (!(error instanceof Unavailable) || isBounded) throw error;
    console.error(`${name}: skipped: ${error.message}`);
    return undefined;
  }
}

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const number = (value) => Math.round(value).toLocaleString('en');
const rateOf = (count, documents) => number((1e5 * count) / documents);

function printTable(title, rows) {
  row(title, 'documents', 'near-duplicates', ...methodNames.flatMap((name) => [`${name}: wrong`, `${name}: left`]));
  row('---', ...Array(2 + 2 * methodNames.length).fill('---:'));
  for (const [name, { documents, duplicates, methods }] of rows) {
    const counts = methodNames.flatMap((method) => [methods[method].wrong, methods[method].left]);
    row(name, number(documents), number(duplicates), ...counts.map((count) => rateOf(count, documents)));
  }
  console.log();
}

/** Adds counts, which can be nested. */
function sum(values) {
  if (typeof values[0] === 'number') return values.reduce((a, b) => a + b);
  return Object.fromEntries(Object.keys(values[0]).map((key) => [key, sum(values.map((value) => value[key]))]));
}

function printThresholds(rows) {
  const share = (part, whole) => (whole > 0 ? `${number((100 * part) / whole)} %` : '');
  row('`minResemblance`', 'dropped', 'wrong', 'left', 'same label', 'same label, 16 features or more');
  row(...Array(6).fill('---:'));
  for (const [threshold, counts] of Object.entries(rows)) {
    const rates = [counts.dropped, counts.wrong, counts.left].map((count) => rateOf(count, counts.documents));
    row(threshold, ...rates, share(counts.same, counts.labelled), share(counts.longSame, counts.longLabelled));
  }
}

function printMethods(measured) {
  const inOrder = (bands) => bandNames.filter((name) => bands[name]).map((name) => [name, bands[name]]);
  if (measured.length > 1) {
    const totals = measured.map(([name, { all }]) => [name, all]);
    printTable('collection', [...totals, ['all', sum(totals.map(([, all]) => all))]]);
    const byBand = bandNames.map((band) => [band, measured.flatMap(([, { bands }]) => bands[band] ?? [])]);
    printTable(
      'features',
      byBand.filter(([, counts]) => counts.length > 0).map(([band, counts]) => [band, sum(counts)]),
    );
  }
  for (const [name, { all, bands, groups }] of measured) {
    printTable(name, [...inOrder(bands), ...Object.entries(groups).sort(), ['all', all]]);
  }
}

const given = names.map((name) => [name, documentsOf(name)]);
if (args.folder) {
  const { texts } = corpus(args.folder, args.count);
  given.push([args.folder, texts.map((text) => ({ text }))]);
}
const results = {};
for (const [name, documents] of given) {
  if (!documents) continue;
  results[name] = await (args.thresholds ? measureThresholds(documents, THRESHOLDS) : measure(documents));
}
const measured = Object.entries(results);
if (args.json) console.log(JSON.stringify(results));
else if (measured.length === 0) fail('no collection can be downloaded');
else if (args.thresholds) printThresholds(sum(Object.values(results)));
else printMethods(measured);

for (const [mistake, limit] of args.thresholds ? [] : Object.entries(limits)) {
  for (const [name, { all }] of measured) {
    const rate = (1e5 * all.methods.nearprint[mistake]) / all.documents;
    if (rate > limit) fail(`${name}: ${mistake} must be at most ${limit} per 100,000, got ${rate.toFixed(1)}`);
  }
}
