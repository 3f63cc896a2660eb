// npm start: sets up, builds, removes the near-duplicates from the sample, and serves the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { buildPage } from './page.mjs';
import { fail, root } from './run.mjs';
import { serve } from './serve.mjs';

const wanted = process.env.PORT ?? '8080';
if (!/^\d+$/.test(wanted) || Number(wanted) > 65535) fail(`PORT takes a number from 0 to 65535, but got "${wanted}"`);

await build();
const { dedupe } = await import('../pkg/index.js');

const documents = readFileSync(join(root, 'examples', 'sample.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const kept = [];
const dropped = [];
const began = performance.now();
for await (const result of dedupe(documents)) (result.duplicateOf === null ? kept : dropped).push(result);
const took = performance.now() - began;

console.log(`\nKept ${kept.length} of ${documents.length} documents of examples/sample.jsonl:`);
for (const { id } of kept) console.log(`  ${id}`);
console.log(`\nDropped ${dropped.length}, as near-duplicates:`);
for (const { id, duplicateOf, distance } of dropped) {
  console.log(`  ${id}\n    of ${duplicateOf}, ${distance} of 64 bits apart`);
}
console.log(
  `\n${documents.length} documents, ${kept.length} kept, ${dropped.length} dropped in ${took.toFixed(0)} ms.`,
);

await buildPage();
const server = await serve(Number(wanted)).catch((error) => fail(`cannot listen on port ${wanted}: ${error.message}`));
console.log(`The demo page is at http://localhost:${server.address().port}/ (stop with Ctrl+C)`);
