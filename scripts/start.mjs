// npm start: sets up, builds, removes the near-duplicates from the sample, and serves the demo page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { buildPage, serve } from './page.mjs';
import { fail, root } from './run.mjs';

const port = process.env.PORT ?? '8080';
if (!/^\d+$/.test(port) || Number(port) > 65535) fail(`PORT must be a number from 0 to 65535, got "${port}"`);

await build();
const { dedupe } = await import('../pkg/index.js');

const documents = readFileSync(join(root, 'examples', 'sample.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const kept = [];
const dropped = [];
const start = performance.now();
for await (const decision of dedupe(documents)) (decision.status === 'duplicate' ? dropped : kept).push(decision);
const elapsed = performance.now() - start;

console.log(`\nKept ${kept.length} of ${documents.length} documents of examples/sample.jsonl:`);
for (const { id } of kept) console.log(`  ${id}`);
console.log(`\nDropped ${dropped.length} near-duplicates:`);
for (const { id, duplicateOf, resemblance } of dropped) {
  console.log(`  ${id}\n    of ${duplicateOf}, with ${Math.round(100 * resemblance)} % of its word pairs`);
}
console.log(
  `\n${documents.length} documents, ${kept.length} kept, ${dropped.length} dropped in ${elapsed.toFixed(0)} ms.`,
);

await buildPage();
const server = await serve(Number(port)).catch((error) => fail(`cannot listen on port ${port}: ${error.message}`));
console.log(`The demo page is at http://localhost:${server.address().port}/ (stop with Ctrl+C)`);
