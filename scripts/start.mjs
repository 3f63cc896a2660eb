// npm start: sets up, builds, removes the near-duplicates from the sample, and serves the demo page.
import { build } from './build.mjs';
import { buildPage, serve } from './page.mjs';
import { fail, run, say } from './run.mjs';

const port = process.env.PORT ?? '8080';
if (!/^\d+$/.test(port) || Number(port) > 65535) fail(`PORT must be a number from 0 to 65535, got "${port}"`);

await build();
say('nearprint dedupe --report-html build/report.html --count examples/sample.jsonl');
run(process.execPath, [
  'pkg/cli.js',
  'dedupe',
  '--report-html',
  'build/report.html',
  '--count',
  'examples/sample.jsonl',
]);

await buildPage();
const server = await serve(Number(port)).catch((error) => fail(`cannot listen on port ${port}: ${error.message}`));
console.log(`The demo page is at http://localhost:${server.address().port}/ (stop with Ctrl+C)`);
