// npm run bench:quality: how many documents deduplication drops wrongly, and how many near-duplicates it leaves.
//
//     npm run bench:quality                                # all collections: 1.5 GB of downloads, then some minutes
//     npm run bench:quality -- --collection declarations   # one of them; the option can be repeated
//     npm run bench:quality -- --labels                    # what thresholds do to licences, which people have labelled
//     npm run bench:quality -- --json                      # all counts, as JSON
//     npm run bench:quality -- --max-wrong 0 --max-left 9  # fails if nearprint makes more mistakes in a collection
//
// All mistakes are per 100,000 documents. measure.mjs defines them, and shingles.mjs the exact resemblance. The documents
// come in a random order, the same in every run. A collection that cannot be downloaded is skipped.
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.mjs';
import { fail, say } from '../../scripts/run.mjs';
import { random } from '../../tests/js/random.mjs';
import { collections } from './collections.mjs';
import { load, Unavailable } from './download.mjs';

const { values: args } = parseArgs({
  options: {
    collection: { type: 'string', multiple: true },
    labels: { type: 'boolean' },
    json: { type: 'boolean' },
    'max-wrong': { type: 'string' },
    'max-left': { type: 'string' },
  },
});
const names = args.labels ? ['licences'] : (args.collection ?? Object.keys(collections));
const limits = { wrong: args['max-wrong'], left: args['max-left'] };
const isBounded = Object.values(limits).some((limit) => limit !== undefined);
for (const name of names) {
  if (!collections[name]) fail(`--collection must be one of ${Object.keys(collections).join(', ')}, got ${name}`);
}

await build();
const { bandNames, compareLabels, measure, methodNames } = await import('./measure.mjs');

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

function printTable(title, rows) {
  row(title, 'documents', 'near-duplicates', ...methodNames.flatMap((name) => [`${name}: wrong`, 'left']));
  row('---', ...Array(2 + 2 * methodNames.length).fill('---:'));
  for (const [name, { documents, duplicates, methods }] of rows) {
    const counts = methodNames.flatMap((method) => [methods[method].wrong, methods[method].left]);
    row(name, number(documents), number(duplicates), ...counts.map((count) => number((1e5 * count) / documents)));
  }
  console.log();
}

/** Adds counts, which can be nested. */
function sum(values) {
  if (typeof values[0] === 'number') return values.reduce((a, b) => a + b);
  return Object.fromEntries(Object.keys(values[0]).map((key) => [key, sum(values.map((value) => value[key]))]));
}

async function printLabels(documents) {
  row('threshold', 'dropped', 'same label', 'dropped, of 16 features or more', 'same label');
  row(...Array(5).fill('---:'));
  for (const { minResemblance, all, long } of await compareLabels(documents, [0.67, 0.8, 0.9, 0.95])) {
    const cells = [all, long].flatMap(({ dropped, same }) => [number(dropped), `${number((100 * same) / dropped)} %`]);
    row(minResemblance, ...cells);
  }
}

const results = {};
for (const name of names) {
  const documents = documentsOf(name);
  if (!documents) continue;
  if (args.labels) await printLabels(documents);
  else results[name] = await measure(documents);
}
const measured = Object.entries(results);
const inOrder = (bands) => bandNames.filter((name) => bands[name]).map((name) => [name, bands[name]]);
if (args.json) console.log(JSON.stringify(results));
else if (measured.length > 1) {
  const totals = measured.map(([name, { all }]) => [name, all]);
  printTable('collection', [...totals, ['all', sum(totals.map(([, all]) => all))]]);
  const byBand = bandNames.map((band) => [band, measured.flatMap(([, { bands }]) => bands[band] ?? [])]);
  printTable(
    'features',
    byBand.filter(([, counts]) => counts.length > 0).map(([band, counts]) => [band, sum(counts)]),
  );
}
for (const [name, { all, bands, groups }] of args.json ? [] : measured) {
  printTable(name, [...inOrder(bands), ...Object.entries(groups).sort(), ['all', all]]);
}

for (const [name, { all }] of measured) {
  for (const [mistake, limit] of Object.entries(limits)) {
    const rate = (1e5 * all.methods.nearprint[mistake]) / all.documents;
    if (rate > Number(limit)) fail(`${name}: ${mistake} must be at most ${limit} per 100,000, got ${rate.toFixed(1)}`);
  }
}
