// npm start: sets up, builds, removes the near-duplicates from the sample, and serves the demo page.
import { readArguments } from './arguments.mjs';
import { build } from './build.mjs';
import { buildPage } from './page.mjs';
import { fail, run, say } from './run.mjs';
import { servePage } from './serve-page.mjs';

readArguments('');
await build();
const command = 'dedupe --report-html build/report.html examples/sample.jsonl';
say(`nearprint ${command}`);
run(process.execPath, ['pkg/cli.js', ...command.split(' ')], { stdio: ['inherit', 'ignore', 'inherit'] });

await buildPage();
const { PORT: port = '8080' } = process.env;
const server = await servePage(Number(port)).catch((error) => fail(`cannot listen on port ${port}: ${error.message}`));
console.log(`The demo page is at http://localhost:${server.address().port}/ (stop with Ctrl+C)`);
