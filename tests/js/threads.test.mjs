// Worker threads that end before their result: a clear error, no wait for ever, and no line lost.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Deduplicator } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
import './plain-output.mjs';
import { temporary } from './temporary.mjs';
import { valuesOf } from './values.mjs';

const pkg = (name) => new URL(`../../pkg/${name}`, import.meta.url).href;
const bin = fileURLToPath(pkg('cli.js'));
const shim = new URL('./thread-shim.mjs', import.meta.url).href;

const folder = temporary();

/** Runs Node with threads that end in this way. Threads get the options of NODE_OPTIONS, not of the command line. */
const run = (end, args) =>
  spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 600_000,
    maxBuffer: 1 << 28,
    env: end === null ? process.env : { ...process.env, NODE_OPTIONS: `--import=${shim}`, THREAD_END: end },
  });

const reasons = {
  exit: 'exit code 3',
  memory: 'Worker terminated due to reaching memory limit: JS heap out of memory',
  throw: 'thrown in a thread',
  terminate: 'exit code 1',
};

for (const [end, reason] of Object.entries(reasons)) {
  exhaustive(
    `dedupe, a thread that ends (${end}): the index has the written lines, and the next run writes the rest`,
    () => {
      // The main thread reads lines until a thread is up, but not a long one.
      const words = (at) => (at === 150 ? 700_000 : 2000);
      const text = (seed) => Array.from({ length: words(seed) }, (_, at) => `w${seed}-${at}`).join(' ');
      const documents = Array.from({ length: 300 }, (_, at) => ({ id: `p${at}`, text: text(at) }));
      writeFileSync(join(folder, 'in.jsonl'), documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
      const index = `${end}.idx`;
      const args = [bin, 'dedupe', '--threads', '2', '--index', index, 'in.jsonl'];
      const first = run(end, args);
      assert.equal(first.stderr, `nearprint: a worker thread has ended: ${reason}\n`);
      assert.equal(first.status, 2);
      const idsOf = (output) => output.split('\n').map((line) => line.slice(0, 20).split('"')[3]);
      const written = idsOf(first.stdout).slice(0, -1);
      const kept = Array.from(Deduplicator.fromBytes(readFileSync(join(folder, index))), ({ id }) => id);
      assert.deepEqual(kept, written);
      assert.ok(written.length < documents.length);
      const second = run(null, args);
      assert.equal(second.status, 0, second.stderr);
      assert.deepEqual([...written, ...idsOf(second.stdout).slice(0, -1)], valuesOf(documents, 'id'));
    },
  );
}

test('threads start although the process has options of V8', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `{"id":${at},"text":"${`w${at} `.repeat(100_000)}"}\n`);
  writeFileSync(join(folder, 'options.jsonl'), lines.join(''));
  const args = ['--max-old-space-size=1000', '--expose-gc', bin, 'clusters', '--threads', '2', 'options.jsonl'];
  const { status, stderr } = run(null, args);
  assert.equal(status, 0, stderr);
});
