// The example with worker threads, in a project with the packed package. The oracle is `dedupe`, which has no threads.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dedupe } from '../../pkg/index.js';
import { test } from '../tier.mjs';
import { installPackage, root } from './packed.mjs';
import { collect } from './values.mjs';

const project = installPackage();
cpSync(join(root, 'examples', 'worker-threads'), project, {
  recursive: true,
  filter: (path) => !path.endsWith('.json'),
});

/** Runs the example with a module that is loaded before it. */
const run = (file, preload = '') =>
  spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, 'dedupe.mjs', file], {
    cwd: project,
    encoding: 'utf8',
    timeout: 600_000,
    maxBuffer: 1 << 28,
  });

/** Sets the number of processors in Node's own answer. */
const withProcessors = (count) => `
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.availableParallelism = () => ${count};
  syncBuiltinESMExports();`;

const sample = readFileSync(join(root, 'examples', 'sample.jsonl'), 'utf8')
  .trimEnd()
  .split('\n');
/** Each document of the sample twelve times, the copies with one more word: more batches than threads. */
const lines = Array.from({ length: 12 }, (_, copy) => copy).flatMap((copy) =>
  sample.map((line) => {
    const { id, text } = JSON.parse(line);
    return JSON.stringify({ id: `${id} ${copy}`, text: copy ? `${text} copy${copy}` : text });
  }),
);
writeFileSync(join(project, 'pages.jsonl'), `${lines.join('\n')}\n`);

test('the kept lines and their order are those of dedupe, with any number of threads', async () => {
  const expected = await collect(dedupe(lines.map((line) => JSON.parse(line).text)));
  const kept = lines.filter((_, at) => expected[at].status === 'new');
  assert.ok(kept.length > 50 && kept.length < lines.length / 2, `${kept.length} of ${lines.length}`);
  for (const processors of [1, 2, 4]) {
    const { status, stdout, stderr } = run('pages.jsonl', withProcessors(processors));
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(stdout.trimEnd().split('\n'), kept);
  }
});

test('lines that are not documents are reported by their numbers, and the others are read', () => {
  const good = ['{"text":"one two"}', '{"text":"three"}'];
  writeFileSync(join(project, 'bad.jsonl'), [good[0], '{"text":7}', '{"text"', 'null', good[1]].join('\r\n'));
  const { status, stdout, stderr } = run('bad.jsonl');
  assert.equal(status, 2);
  assert.deepEqual(stdout, `${good.join('\n')}\n`);
  assert.deepEqual(stderr.match(/^bad\.jsonl:\d+: /gm), ['bad.jsonl:2: ', 'bad.jsonl:3: ', 'bad.jsonl:4: ']);
});

test('the example prints nothing for an empty file, and fails for one that does not exist', () => {
  writeFileSync(join(project, 'empty.jsonl'), '');
  const { status, stdout, stderr } = run('empty.jsonl');
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
  const missing = run('missing.jsonl');
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /ENOENT/);
});

test('a thread that ends ends the program', () => {
  const end = (code) => `
    import { isMainThread, parentPort } from 'node:worker_threads';
    if (!isMainThread) parentPort.postMessage = () => { ${code} };`;
  for (const [code, message] of [
    ['process.exit(3)', /a thread has ended with exit code 3/],
    ["throw new Error('thrown in a thread')", /thrown in a thread/],
  ]) {
    const { status, stdout, stderr } = run('pages.jsonl', end(code));
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, message);
  }
});
