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
const names = args.collection ?? (args.labels ? ['licences'] : Object.keys(collections));
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

function sum(results) {
  const add = (counts) =>
    Object.fromEntries(Object.keys(counts[0]).map((key) => [key, addAll(counts.map((c) => c[key]))]));
  const addAll = (values) => (typeof values[0] === 'number' ? values.reduce((a, b) => a + b) : add(values));
  return add(results);
}

if (args.labels) {
  for (const name of names) {
    const documents = documentsOf(name);
    if (!documents) continue;
    row('threshold', 'dropped', 'with the same label as the kept document');
    row('---:', '---:', '---:');
    for (const { minResemblance, dropped, same } of await compareLabels(documents, [0.67, 0.8, 0.9, 0.95])) {
      row(minResemblance, number(dropped), `${number((100 * same) / dropped)} %`);
    }
  }
  process.exit();
}

const results = {};
for (const name of names) {
  const documents = documentsOf(name);
  if (documents) results[name] = await measure(documents);
}
const measured = Object.entries(results);
if (args.json) console.log(JSON.stringify(results));
else if (measured.length > 0) {
  const totals = measured.map(([name, { all }]) => [name, all]);
  if (totals.length > 1) totals.push(['all', sum(totals.map(([, all]) => all))]);
  printTable('collection', totals);
  const ofBand = (band) => measured.flatMap(([, { bands }]) => bands[band] ?? []);
  const bands = bandNames.filter((band) => ofBand(band).length > 0);
  printTable(
    'features',
    bands.map((band) => [band, sum(ofBand(band))]),
  );
  for (const [name, { groups, bands }] of measured) {
    if (measured.length > 1)
      printTable(
        `${name}, features`,
        bandNames.filter((band) => bands[band]).map((band) => [band, bands[band]]),
      );
    if (Object.keys(groups).length > 0) printTable(name, Object.entries(groups).sort());
  }
}

for (const [name, { all }] of measured) {
  for (const [mistake, limit] of Object.entries(limits)) {
    const rate = (1e5 * all.methods.nearprint[mistake]) / all.documents;
    if (rate > Number(limit)) fail(`${name}: ${mistake} must be at most ${limit} per 100,000, got ${rate.toFixed(1)}`);
  }
}
