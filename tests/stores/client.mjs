// A client of a store, in its own process: makes its share of the calls and prints a record a line.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { open } from './clients.mjs';
import { calls, makeCalls } from './sequential.mjs';
import { withoutConditions } from './unconditional.mjs';

const { url, options, pragmas, seed, families, isUnconditional, ...part } = JSON.parse(process.argv[2]);
const { client, store, close } = await open(url, options, undefined, isUnconditional ? withoutConditions : undefined);
if (pragmas !== undefined) client.exec(pragmas);
await store.count();
// `process.stdout` keeps what the pipe has no place for, and loses it at the end of the process: while the reader has no processor,
// records of calls that have ended would be lost.
writeSync(1, 'ready\n');
await once(process.stdin, 'data');
try {
  const report = (record) => writeSync(1, `${JSON.stringify(record)}\n`);
  await makeCalls(store, calls(seed, families), part, report);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
await close();
process.exit();
