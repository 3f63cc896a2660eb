// `dedupe` and the command line with a store.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Deduplicator, dedupe } from 'nearprint';
import { memoryStore } from 'nearprint/store/memory';
import { open } from './clients.mjs';
import { postgres, redis, temporary } from './engines.mjs';

const sentence = (at) =>
  `Document ${at}: the river ${at * 7} burst its ${at * 3} banks early on day ${at}, the council of ${at} said, and ` +
  `the road to ${at * 11} is closed for ${at} weeks after ${at * 13} people called.`;

const source = [
  ...Array.from({ length: 40 }, (_, at) => ({ id: `/page/${at}`, text: sentence(at % 25).repeat(at < 25 ? 1 : 2) })),
  { id: '/page/3', text: sentence(3) },
  { id: '/empty/1', text: '' },
  { id: '/empty/2', text: '!' },
];

async function all(source, options) {
  const results = [];
  for await (const result of dedupe(source, options)) results.push(result);
  return results;
}

for (const keep of ['first', 'longest']) {
  test(`dedupe against a store gives what it gives in memory: keep ${keep}`, async () => {
    const expected = await all(source, { keep });
    assert.ok(expected.some(({ duplicateOf }) => duplicateOf !== null));
    for (const kind of ['memory', 'sqlite']) {
      const { store, close } =
        kind === 'memory' ? { store: memoryStore(), close() {} } : await open('better-sqlite3::memory:');
      assert.deepEqual(await all(source, { keep, against: store }), expected);
      // The same stream again gives the same answers.
      assert.deepEqual(await all(source, { keep, against: store }), expected);
      close();
    }
  });
}

test('dedupe refuses what a store does not take', async () => {
  const store = memoryStore({ minResemblance: 0.8 });
  await assert.rejects(all([{ id: 1, text: 'a' }], { against: store }), /source\[0\]\.id takes a string, with a store/);
  await assert.rejects(all([], { against: store, minResemblance: 0.7 }), /minResemblance takes 0.8/);
  await assert.rejects(all([], { against: store, scheme: 'v1:64:words1' }), /against takes one of the scheme/);
});

test('a Deduplicator goes into a store and back', async () => {
  const kept = new Deduplicator();
  for (const { id, text } of source) if (!kept.has(id)) kept.addIfNew(id, text);
  const { store, close } = await open('better-sqlite3::memory:');
  await store.add(kept);
  const back = new Deduplicator();
  for await (const { id, sketch } of store.entries()) back.add(id, sketch);
  const rows = (all) => [...all].map(({ id, sketch }) => [id, sketch.toHex()]);
  assert.deepEqual(rows(back), rows(kept));
  close();
});

const cli = fileURLToPath(new URL('../../pkg/cli.js', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

/** Runs the command line in a folder whose modules have the drivers. */
function nearprint(args, input) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--preserve-symlinks-main', join(here, 'node_modules', 'nearprint', 'cli.js'), ...args],
    { input, encoding: 'utf8', cwd: here },
  );
  return { status, stdout, stderr };
}

const lines = (documents) => documents.map((document) => `${JSON.stringify(document)}\n`).join('');

test('the command line writes the same lines with a store as without', async () => {
  const servers = [await postgres(['fsync=off']), await redis()];
  try {
    const folder = temporary();
    const input = lines(source);
    const expected = spawnSync(process.execPath, [cli, 'dedupe', '--report', join(folder, 'report')], {
      input,
      encoding: 'utf8',
    });
    assert.equal(expected.status, 0, expected.stderr);
    for (const url of [`sqlite:${join(folder, 'seen.db')}`, ...servers.map(({ url }) => url)]) {
      const first = nearprint(['dedupe', '--store', url], input);
      assert.equal(first.stdout, expected.stdout, first.stderr);
      // Repeated, and then with other ids.
      assert.equal(nearprint(['dedupe', '--store', url], input).stdout, '');
      const others = source.map(({ id, text }) => ({ id: `other${id}`, text }));
      assert.equal(nearprint(['dedupe', '--store', url], lines(others)).stdout, '');
      // A page with another text is changed once.
      const changed = lines([{ id: '/page/1', text: sentence(99) }]);
      assert.equal(nearprint(['dedupe', '--store', url], changed).stdout, changed);
      assert.equal(nearprint(['dedupe', '--store', url], changed).stdout, '');
      const twice = lines([
        { id: 'twice', text: sentence(77) },
        { id: 'twice', text: sentence(77) },
        { id: 'twice', text: sentence(78) },
      ]);
      const [first77, , first78] = twice.split('\n');
      assert.equal(nearprint(['dedupe', '--store', url], twice).stdout, `${first77}\n${first78}\n`);
    }
  } finally {
    for (const server of servers) await server.stop();
  }
});

test('the command line states which driver to install, and what a store takes', () => {
  const folder = temporary();
  writeFileSync(join(folder, 'in.jsonl'), lines(source));
  const run = (...args) =>
    spawnSync(process.execPath, [cli, 'dedupe', ...args, join(folder, 'in.jsonl')], { encoding: 'utf8' });
  const missing = run('--store', 'postgres://localhost/none');
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /^nearprint: --store postgres: takes one more package: npm install pg\n/);
  assert.match(run('--store', 'redis://localhost').stderr, /npm install redis/);
  assert.match(
    run('--store', 'mysql://user:secret@localhost').stderr,
    /--store must be sqlite:FILE, postgres:.*, got mysql:\/\/localhost\n/,
  );
  assert.match(run('--store', 'sqlite:a.db', '--index', 'b').stderr, /--store cannot be combined with --index/);
});
