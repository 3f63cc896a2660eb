// A client of a store, in its own process: makes its share of the calls and prints a record a line.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from './clients.mjs';
import { calls, makeCalls } from './sequential.mjs';

const { url, options, seed, families, isNaive, ...part } = JSON.parse(process.argv[2]);
const { store, close } = await open(url, options);
await store.count();
// `process.stdout` keeps what the pipe has no place for, and loses it at the end of the process: while the reader has no processor,
// records of calls that have ended would be lost.
writeSync(1, 'ready\n');
await once(process.stdin, 'data');
try {
  const report = (record) => writeSync(1, `${JSON.stringify(record)}\n`);
  await makeCalls(isNaive ? naive(store) : store, calls(seed, families, isNaive), part, report);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
await close();
process.exit();

/** The usual code without a store: it reads, decides, and then writes. */
function naive(store) {
  return {
    async observe([{ id, sketch }]) {
      const [before, hits] = [await store.get(id), await store.query(sketch, { limit: 2 })];
      // The other processes go on, whether or not each has a processor.
      await sleep(1);
      if (before?.equals(sketch)) return [{ id, status: 'unchanged' }];
      const hit = hits.find((each) => each.id !== id);
      const own = before && { resemblance: before.resemblance(sketch) };
      if (hit && !(own?.resemblance >= hit.resemblance)) {
        return [{ id, status: 'duplicate', duplicateOf: hit.id, resemblance: hit.resemblance }];
      }
      await store.add([{ id, sketch }]);
      return [own ? { id, status: 'changed', ...own } : { id, status: 'new' }];
    },
    delete: (ids) => store.delete(ids),
    query: (sketch, options) => store.query(sketch, options),
  };
}
