// The command index. The oracle is the Deduplicator that the file is made of.
import assert from 'node:assert/strict';
import { Deduplicator } from '../../pkg/index.js';
import { NearIndex } from '../../pkg/simhash.js';
import { exhaustive, test } from '../tier.mjs';
import { makeCommandFolder, textOf } from './command.mjs';

const command = makeCommandFolder();

/** Writes an index with documents, by their numbers, which expire `expiresIn(number)` seconds after the time `now`. */
function makeIndex(name, numbers, expiresIn, now = Date.now() / 1000) {
  const index = new Deduplicator();
  for (const number of numbers) index.add(number, textOf(number), { expiresIn: expiresIn(number), now });
  command.write(name, index.toBytes());
  return index;
}

const succeed = (args, options) => {
  const { status, stdout, stderr } = command.run(['index', ...args], options);
  assert.equal(status, 0, stderr);
  return { stdout, stderr };
};

test('index stats prints the numbers of the set, and only reads the file', () => {
  const now = Math.floor(Date.now() / 1000) - 1000;
  makeIndex('stats.idx', [1, 2, 3, 4], (number) => [undefined, 1, 4600, 7200][number - 1], now);
  const bytes = command.readBytes('stats.idx');
  const stats = JSON.parse(succeed(['stats', 'stats.idx', '--json']).stdout);
  assert.deepEqual(
    { ...stats, nextExpiry: undefined },
    {
      documents: 3,
      expiring: 2,
      expired: 1,
      nextExpiry: undefined,
      scheme: 's1',
      ignore: null,
      bytes: bytes.length,
    },
  );
  assert.equal(Date.parse(stats.nextExpiry) / 1000, now + 4600);
  const rows = succeed(['stats', 'stats.idx']).stdout.trimEnd().split('\n');
  assert.deepEqual(
    rows.map((row) => row.split('\t')),
    Object.entries(stats).map(([name, value]) => [name, String(value ?? '-')]),
  );
  assert.deepEqual(command.readBytes('stats.idx'), bytes, 'the file is only read');
});

exhaustive('index stats prints the last date of JavaScript for a later time', () => {
  makeIndex('late.idx', [1], () => 1e13);
  const last = '+275760-09-13T00:00:00.000Z';
  assert.equal(JSON.parse(succeed(['stats', 'late.idx', '--json']).stdout).nextExpiry, last);
  // The longest time that the command line accepts has a date.
  const before = Date.now();
  command.run(['dedupe', '--index', 'long.idx', '--expire', '1000000d'], { input: '{"id":"a","text":"one"}' });
  const after = Date.now();
  const expires = Date.parse(JSON.parse(succeed(['stats', 'long.idx', '--json']).stdout).nextExpiry);
  const start = expires - 86_400_000_000_000;
  assert.ok(start > before - 10 && start < after + 10, `${start} is not between ${before} and ${after}`);
});

test('an index of fingerprints is refused, and named', () => {
  command.write('prints.idx', new NearIndex({ maxDistance: 3 }).toBytes());
  command.fail('index stats prints.idx', /^nearprint: prints\.idx is not an index: .*, got a snapshot of a NearIndex/);
});
