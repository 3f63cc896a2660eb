// Measures how dropped documents, wrong drops and near-duplicates left grow with the size of a collection.
//
//     node benches/calibrate_study.mjs DIRECTORY [SIZES]
//
// DIRECTORY has docs.jsonl, as `node benches/corpus.mjs` writes it. `calibrate` counts by its own limits, .55 and .75.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calibrate } from '../pkg/calibrate.js';

const [folder, sizes = '10000,20000,50000,100000,200000'] = process.argv.slice(2);
const documents = readFileSync(join(folder, 'docs.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
  .sort((a, b) => a.id - b.id);

const results = [];
const all = sizes.split(',').map(Number);
for (const size of all) {
  const began = process.cpuUsage();
  const result = await calibrate(documents.slice(0, size), { sample: 1_000_000, expect: Math.max(...all) });
  const { user, system } = process.cpuUsage(began);
  results.push(result);
  const cpu = ((user + system) / 1e6).toFixed(1);
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.error(`${size}: ${cpu} s of one processor, ${memory} MB, recommended: ${result.recommended}`);
}
for (const name of ['dropped', 'wrong', 'left']) {
  console.log(
    `\n| ${name} per 100,000 | ${results.map(({ sampled }) => sampled.toLocaleString('en')).join(' | ')} | power |`,
  );
  console.log(`| --- |${' ---: |'.repeat(results.length + 1)}`);
  for (const [at, { minResemblance }] of results[0].thresholds.entries()) {
    const shares = results.map(({ sampled, thresholds }) => (1e5 * thresholds[at][name].count) / sampled);
    const [first, last] = [results[0], results.at(-1)];
    const power = Math.log(shares.at(-1) / shares[0]) / Math.log(last.sampled / first.sampled);
    console.log(`| ${minResemblance} | ${shares.map((share) => share.toFixed(1)).join(' | ')} | ${power.toFixed(2)} |`);
  }
}

console.log('\nExpected in the largest collection, with the range, and what it is there\n');
console.log(`| threshold | | ${results.map(({ sampled }) => `from ${sampled.toLocaleString('en')}`).join(' | ')} |`);
console.log(`| --- | --- |${' ---: |'.repeat(results.length)}`);
const shown = ({ count, low, high }) => `${Math.round(count)} (${Math.floor(low)}-${Math.ceil(high)})`;
for (const [at, { minResemblance }] of results[0].thresholds.entries()) {
  for (const name of ['dropped', 'wrong', 'left']) {
    const cells = results.map(({ thresholds }) => shown(thresholds[at].expected[name]));
    console.log(`| ${minResemblance} | ${name} | ${cells.join(' | ')} |`);
  }
}
