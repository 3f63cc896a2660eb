// The command line: nothing lost, nothing torn. tests/campaign/ has the same at random and in large numbers.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Deduplicator, Fingerprinter } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { exhaustive as test } from '../tier.mjs';
import './plain-output.mjs';

const { jobReader } = await importSource('js/node/documents.ts');

const skip = process.platform === 'win32';
const bin = fileURLToPath(new URL('../../pkg/cli.js', import.meta.url));
const shim = new URL('../campaign/fs-shim.mjs', import.meta.url).href;

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const at = (name) => join(folder, name);
const read = (name) => readFileSync(at(name), 'utf8');
const write = (name, content) => writeFileSync(at(name), content);
const jsonLines = (objects) => objects.map((object) => `${JSON.stringify(object)}\n`).join('');
const parsed = (text) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const indexOf = (name) => Deduplicator.fromBytes(readFileSync(at(name)));

/** Returns a text that resembles none of another seed. */
const text = (seed) => Array.from({ length: 30 }, (_, at) => `w${((seed * 31 + at) * 2654435761) % 999983}`).join(' ');
const documents = (count, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ id: `p${from + at}`, text: text(from + at) }));

const options = {
  get cwd() {
    return folder;
  },
  encoding: 'utf8',
  timeout: 600_000,
  maxBuffer: 1 << 30,
};
const inShell = (line, env = {}) =>
  spawnSync('bash', ['-c', line.replaceAll('nearprint', `'${process.execPath}' '${bin}'`)], {
    ...options,
    cwd: folder,
    env: { ...process.env, ...env },
  });
const run = (args, input = '') => spawnSync(process.execPath, [bin, ...args], { ...options, cwd: folder, input });
const start = (args) => {
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder });
  child.out = '';
  child.messages = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    child.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    child.messages += chunk;
  });
  child.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  return child;
};
async function until(condition) {
  for (let tries = 0; tries < 15_000; tries++) {
    if (condition()) return;
    await setTimeout(20);
  }
  assert.fail('it did not happen');
}

test('two runs on one index: the second waits, and no document is lost', { skip }, async () => {
  const first = start(['dedupe', '--index', 'pair.idx']);
  first.stdin.write(jsonLines(documents(1)));
  await until(() => first.out !== '');
  const second = start(['dedupe', '--index', 'pair.idx']);
  second.stdin.end(jsonLines(documents(2)));
  await until(() => second.messages.includes('waiting'));
  assert.match(
    second.messages,
    /^nearprint: pair\.idx is in use by another run; waiting for it \(remove .* if no such run exists\)\n$/,
  );
  first.stdin.end();
  assert.deepEqual([await first.ended, await second.ended], [0, 0]);
  assert.deepEqual(
    parsed(second.out).map(({ id }) => id),
    ['p1'],
  );
  assert.equal(indexOf('pair.idx').size, 2);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('pair.idx')),
    ['pair.idx'],
  );
});

test('a killed run leaves no lock behind', { skip }, async () => {
  const killed = start(['dedupe', '--index', 'killed.idx']);
  killed.stdin.write(jsonLines(documents(1)));
  await until(() => killed.out !== '');
  killed.kill('SIGKILL');
  await killed.ended;
  const { status, stderr } = run(['dedupe', '--index', 'killed.idx'], jsonLines(documents(2)));
  assert.equal(status, 0);
  assert.ok(!stderr.includes('waiting'), stderr);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('killed.idx')),
    ['killed.idx'],
  );
});

test('a waiting run can be ended', { skip }, async () => {
  const first = start(['dedupe', '--index', 'end.idx']);
  first.stdin.write(jsonLines(documents(1)));
  await until(() => first.out !== '');
  const second = start(['dedupe', '--index', 'end.idx']);
  await until(() => second.messages.includes('waiting'));
  second.kill('SIGTERM');
  assert.equal(await second.ended, 143);
  first.stdin.end();
  assert.equal(await first.ended, 0);
});

test('SIGHUP saves the index', { skip }, async () => {
  const child = start(['dedupe', '--index', 'hup.idx']);
  child.stdin.write(jsonLines(documents(3)));
  await until(() => parsed(child.out).length === 3);
  child.kill('SIGHUP');
  assert.equal(await child.ended, 129);
  assert.equal(indexOf('hup.idx').size, 3);
});

test('an interrupt between two writes of a batch: the index has the written lines', { skip }, async () => {
  // Short lines, so that a batch has more documents than are written at once.
  const all = documents(30_000).map(({ id, text }) => ({ id, text: text.split(' ', 9).join(' ') }));
  write('batches.jsonl', jsonLines(all));
  const args = [bin, 'dedupe', '-j', '1', '--checkpoint', '0', '--index', 'batches.idx', 'batches.jsonl'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  // The first lines fill the pipe, and the rest is written when it is read.
  await once(child.stdout, 'readable');
  child.kill('SIGINT');
  let out = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) out += chunk;
  await ended;
  const written = parsed(out).map(({ id }) => id);
  assert.ok(written.length > 0 && written.length < all.length, `${written.length} lines`);
  assert.deepEqual(Array.from(indexOf('batches.idx'), ({ id }) => id).sort(), written.sort());
});

test('the index is saved during the work', { skip }, async () => {
  const child = start(['dedupe', '--index', 'check.idx', '--checkpoint', '0']);
  child.stdin.write(jsonLines(documents(3)));
  await until(() => existsSync(at('check.idx')) && indexOf('check.idx').size === 3);
  child.kill('SIGKILL');
  await child.ended;
  assert.deepEqual(
    parsed(run(['dedupe', '--index', 'check.idx'], jsonLines(documents(5))).stdout).map(({ id }) => id),
    ['p3', 'p4'],
  );
});

test('the index keeps its mode, and no symbolic link is followed', { skip }, () => {
  run(['dedupe', '--index', 'mode.idx'], jsonLines(documents(1)));
  chmodSync(at('mode.idx'), 0o640);
  write('victim', 'untouched');
  symlinkSync('victim', at('mode.idx.tmp'));
  assert.equal(run(['dedupe', '--index', 'mode.idx'], jsonLines(documents(2))).status, 0);
  assert.equal(statSync(at('mode.idx')).mode & 0o777, 0o640);
  assert.equal(read('victim'), 'untouched');
});

test('an index must be a regular file', { skip }, () => {
  spawnSync('mkfifo', [at('fifo')]);
  for (const index of ['fifo', '.', '/dev/null']) {
    for (const args of [
      ['dedupe', '--index', index],
      ['query', index],
    ]) {
      const { status, stdout, stderr } = run(args, jsonLines(documents(1)));
      assert.deepEqual([status, stdout, stderr], [2, '', `nearprint: ${index} is not a regular file\n`]);
    }
  }
});

test('files that are one file are refused', { skip }, () => {
  write('in.jsonl', jsonLines(documents(1)));
  symlinkSync('in.jsonl', at('link.jsonl'));
  const lines = [
    ['nearprint dedupe --report x --index ./x in.jsonl', '--report x would overwrite ./x'],
    ['nearprint dedupe --report o in.jsonl > o', '--report o would overwrite standard output'],
    ['nearprint dedupe --index o in.jsonl > o', 'standard output would overwrite o'],
    ['nearprint dedupe in.jsonl >> in.jsonl', 'standard output would overwrite in.jsonl'],
    ['nearprint dedupe --report ./link.jsonl in.jsonl', '--report ./link.jsonl would overwrite in.jsonl'],
  ];
  for (const [line, message] of lines) {
    const { status, stderr } = inShell(line);
    assert.deepEqual([status, stderr], [2, `nearprint: ${message}\n`], line);
  }
  assert.equal(read('in.jsonl'), jsonLines(documents(1)));
  assert.ok(!existsSync(at('x')));
});

/** Ids that look like the keys of documents without ids. */
const ids = ['page', '\0', '\0#', '\0#stdin:1', '\0\0#stdin:1', 'stdin:1', 5, '05', '5.0', 'sketch:0', '\ud800'];

test('ids that look like other ids are different, in every kind of run', { skip }, () => {
  const day = (from) => jsonLines([{ text: text(from + 50) }, ...ids.map((id, at) => ({ id, text: text(from + at) }))]);
  run(['dedupe', '--index', 'other.idx'], jsonLines([{ id: 'other', text: text(999) }]));
  for (const args of [[], ['--against', 'other.idx'], ['--index', 'nul.idx']]) {
    const { stdout } = run(['dedupe', ...args, '--report', 'nul.report'], day(0) + day(100) + day(0));
    // The second version is changed, and so is the third one; the documents without ids are new, new and a near-duplicate.
    assert.equal(stdout, day(0) + day(100) + day(0).slice(day(0).indexOf('\n') + 1), args.join(' '));
  }
  for (const args of [
    ['--against', 'nul.idx'],
    ['--index', 'nul.idx'],
  ]) {
    const input = jsonLines(ids.map((_, at) => ({ id: `copy ${at}`, text: text(at) })));
    assert.equal(run(['dedupe', ...args, '--report', 'nul.report'], input).stdout, '');
    const rows = parsed(read('nul.report')).map(({ id, duplicateOf }) => [id, duplicateOf]);
    assert.deepEqual(
      rows,
      ids.map((id, at) => [`copy ${at}`, id]),
    );
  }
});

test('1 and "1" are two ids', { skip }, () => {
  const lines = jsonLines([
    { id: 1, text: text(1) },
    { id: '1', text: text(2) },
    { id: '2', text: text(3) },
    { id: 2, text: text(3) },
    { id: '2', text: text(4) },
    { id: 1, text: text(1) },
  ]);
  const { stdout } = run(['dedupe', '--index', 'one.idx', '--json-summary', 's'], lines);
  assert.deepEqual(
    parsed(stdout).map(({ id }) => id),
    [1, '1', '2', '2'],
  );
  assert.deepEqual(JSON.parse(read('s')), {
    documents: 6,
    new: 3,
    changed: 1,
    unchanged: 1,
    duplicates: 1,
    badLines: 0,
    withoutWords: 0,
    withReplacement: 0,
    quotedLineBreaks: 0,
    filesNotRead: 0,
  });
  assert.deepEqual(
    Array.from(indexOf('one.idx'), ({ id }) => id),
    [1, '1', '2'],
  );
});

/** Runs with a shim that makes the write to standard output with this number fail, and returns the output. */
function withFailingOutput(args, index) {
  const { status, stderr } = inShell(`nearprint dedupe --index ${index} ${args} > failing.out`, {
    NODE_OPTIONS: `--import=${shim}`,
    FS_SHIM: JSON.stringify({ failFd: 1 }),
  });
  assert.equal(status, 2, stderr);
  return read('failing.out');
}

test('a changed document whose line is not written leaves the version before it, with its expiry', { skip }, () => {
  const [first, second, third] = [1, 2, 3].map((day) =>
    jsonLines([0, 1, 2].map((at) => ({ id: `p${at}`, text: text(10 * day + at) }))),
  );
  write('first.jsonl', first);
  write('second.jsonl', second);
  write('both.jsonl', second + third);
  assert.equal(run(['dedupe', '--index', 'versions.idx', '--expire', '2d', 'first.jsonl']).stdout, first);
  const before = indexOf('versions.idx');
  const expiries = ['p0', 'p1', 'p2'].map((id) => before.expires(id));
  assert.ok(expiries.every((time) => Math.abs(time - Date.now() / 1000 - 2 * 86_400) < 60));
  for (const name of ['second.jsonl', 'both.jsonl']) {
    for (const options of ['', '--keep longest', '--expire 9d']) {
      assert.equal(withFailingOutput(`${options} ${name}`, 'versions.idx'), '');
      const after = indexOf('versions.idx');
      for (const [at, id] of ['p0', 'p1', 'p2'].entries()) {
        assert.ok(after.get(id).equals(before.get(id)), `${name} ${options}: ${id} is another version`);
        assert.ok(Math.abs(after.expires(id) - expiries[at]) < 0.01, 'with another expiry');
      }
    }
  }
  // The next run writes all.
  assert.equal(run(['dedupe', '--index', 'versions.idx', 'both.jsonl']).stdout, second + third);
});

test('of several versions in one run, the index has the last one that is written', { skip }, () => {
  const versions = [0, 1, 2, 3].map((at) => ({ id: 'page', text: text(200 + at) }));
  const padding = documents(3000, 500);
  write('versions.jsonl', jsonLines([...versions.slice(0, 2), ...padding, ...versions.slice(2)]));
  for (const limit of [100, 300]) {
    rmSync(at('cut.idx'), { force: true });
    inShell(
      `trap '' XFSZ; ulimit -f ${limit}; nearprint dedupe --index cut.idx --checkpoint 0 versions.jsonl > cut.out`,
    );
    const written = parsed(read('cut.out'));
    assert.ok(written.length > 100 && written.length < padding.length);
    const index = indexOf('cut.idx');
    assert.equal(index.size, written.length - 1);
    assert.ok(index.get('page').equals(new Fingerprinter().sketch(versions[1].text)));
    const { stdout } = run(['dedupe', '--index', 'cut.idx', 'versions.jsonl']);
    // The first two versions are written again, since the last written one is not the first.
    const rest = parsed(stdout).filter(({ id }) => id !== 'page');
    assert.equal(written.filter(({ id }) => id !== 'page').length + rest.length, padding.length);
  }
});

test('a limited file size: the output ends with a whole line', { skip }, () => {
  write('limit.jsonl', jsonLines(documents(1000)));
  const { status, stderr } = inShell("trap '' XFSZ; ulimit -f 100; nearprint dedupe limit.jsonl > limit.out");
  assert.equal(status, 2);
  assert.ok(read('limit.out').endsWith('\n'));
  assert.equal(read('limit.out').split('\n').length - 1, Number(/(\d+) lines written/.exec(stderr)[1]));
});

test('a failed write that has written a part: the output has no part of a line', { skip }, () => {
  write('part.jsonl', jsonLines(documents(10)));
  const { status } = inShell('nearprint dedupe --index part.idx part.jsonl > part.out', {
    NODE_OPTIONS: `--import=${shim}`,
    FS_SHIM: JSON.stringify({ failFd: 1 }),
  });
  assert.deepEqual([status, read('part.out'), indexOf('part.idx').size], [2, '', 0]);
});

test('output and index on one full disk: the index has exactly the written lines', { skip }, () => {
  write('disk.jsonl', jsonLines(documents(20_000)));
  const { status, stderr } = inShell(`nearprint dedupe --index disk.idx --checkpoint 0 disk.jsonl > disk.out`, {
    NODE_OPTIONS: `--import=${shim}`,
    FS_SHIM: JSON.stringify({ disk: 3_500_000 }),
  });
  assert.equal(status, 2, stderr);
  assert.match(stderr, /no space left on device; [\d,]+ lines written\n$/);
  const ids = parsed(read('disk.out')).map(({ id }) => id);
  const index = indexOf('disk.idx');
  assert.ok(ids.length > 100 && ids.length < 20_000, `${ids.length}`);
  assert.equal(index.size, ids.length);
  for (const id of ids) assert.ok(index.has(id));
});

test('a text that takes too much memory is a bad line, where no one else uses the module', async () => {
  const trapped = () => {
    throw new Error('nearprint: the WebAssembly module trapped');
  };
  const settings = { textField: 'text', idField: 'id' };
  const job = { bytes: Buffer.from('{"text":"a"}\n'), html: false };
  const [isolated, shared] = [true, false].map((isIsolated) =>
    jobReader({ sketch: trapped }, settings, undefined, isIsolated),
  );
  assert.deepEqual((await isolated(job)).others, [
    { message: 'the text cannot be sketched: nearprint: the WebAssembly module trapped' },
  ]);
  await assert.rejects(shared(job), /trapped/);
});

test('a long line is read by a thread', { skip }, () => {
  write(
    'long.jsonl',
    jsonLines([...documents(2), { id: 'long', text: 'lorem ipsum '.repeat(1 << 20) }, ...documents(3)]),
  );
  const { status, stdout } = run(['dedupe', '--threads', '1', 'long.jsonl', '--index', 'long.idx']);
  const ids = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(0, 20).split('"')[3]);
  assert.deepEqual([status, ids], [0, ['p0', 'p1', 'long', 'p2']]);
});

test('an engine gives back what a large text took', () => {
  const code = `
    const { Instance } = WebAssembly;
    let memory;
    WebAssembly.Instance = function (...args) {
      const instance = new Instance(...args);
      memory = instance.exports.memory;
      return instance;
    };
    const { Fingerprinter } = await import(${JSON.stringify(new URL('../../pkg/index.js', import.meta.url).href)});
    const text = 'x '.repeat(1 << 21);
    const all = Array.from({ length: 20 }, () => new Fingerprinter());
    const sizes = all.map((fingerprinter) => {
      fingerprinter.features(text);
      return memory.buffer.byteLength;
    });
    // The second text may not fit where the first one was.
    console.log(sizes.at(-1) - sizes[1] < 20 << 20);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  assert.equal(stdout, 'true\n', stderr);
});

test('one engine sketches texts of all sizes', () => {
  const fingerprinter = new Fingerprinter();
  const words = Array.from({ length: 150_000 }, (_, at) => `w${at}`);
  // A buffer that grows from one text to the next, past the size from which it is given back.
  for (const count of [100, 9000, 20_000, 30_000, 45_000, 150_000, 10, 45_000, 60_000, 100]) {
    const some = words.slice(0, count);
    assert.deepEqual(fingerprinter.words(some.join(' ')), some);
    assert.equal(
      fingerprinter.features(some.slice(0, 1000).join(' ')).length,
      new Fingerprinter().features(some.slice(0, 1000).join(' ')).length,
    );
  }
});
