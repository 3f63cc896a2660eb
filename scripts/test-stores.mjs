// npm run test:stores: the stores, against the built package, on engines that the tests start. Larger counts:
// STORE_DOCUMENTS=100000 (agreement), STORE_CONCURRENT (concurrency), STORE_KILLS=50 (crash), STORE_SIZE=1000000 (size).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { npm, root, run, say } from './run.mjs';

await build();
const folder = join(root, 'tests', 'stores');
if (!existsSync(join(folder, 'node_modules', 'nearprint'))) npm('ci', '--prefix', folder, '--no-audit', '--no-fund');

const tests = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'));
say('stores: one file after the other, since each runs many processes');
run(process.execPath, ['--test', '--test-concurrency=1', ...tests.map((name) => join(folder, name))]);
