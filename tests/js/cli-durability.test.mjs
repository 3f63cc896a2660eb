// The command line: nothing lost, nothing torn, by signals, full disks and other runs. tests/campaign/ has the same at random and
// in large numbers.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Sketcher, sketch } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { exhaustive as test } from '../tier.mjs';
import { bin, jsonLines, makeCommandFolder, parseLines, until, withFault } from './command.mjs';
import { root } from './packed.mjs';
import { valuesOf } from './values.mjs';

const { JobReader } = await importSource('js/node/job-reader.ts');
const { BadDocument, whyUnread } = await importSource('js/node/fields.ts');

const skip = process.platform === 'win32';

const command = makeCommandFolder();
const { folder, indexOf, path: at, read, shell, start, write } = command;
const run = (args, input) => command.run(args, { input });

/** Returns a text that resembles none of another seed. */
const text = (seed) => Array.from({ length: 30 }, (_, at) => `w${((seed * 31 + at) * 2654435761) % 999983}`).join(' ');
const documents = (count, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ id: `p${from + at}`, text: text(from + at) }));
const idsOf = (lines) => valuesOf(parseLines(lines), 'id');

/** Real documents, among them near-duplicates. */
const sample = join(root, 'examples', 'sample.jsonl');

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
  assert.deepEqual(idsOf(second.out), ['p1']);
  assert.equal(indexOf('pair.idx').size, 2);
  const left = readdirSync(folder).filter((name) => name.startsWith('pair.idx'));
  assert.deepEqual(left, ['pair.idx']);
});

test('a signal ends a run that waits for another one', { skip }, async () => {
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

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

for (const [signal, code] of Object.entries(signals)) {
  test(`${signal}: complete lines are written and in the index`, { skip }, async () => {
    const child = start(['dedupe', '--index', `${signal}.idx`, '--report', 'signal.report']);
    // The last line is incomplete: the command waits for the rest.
    child.stdin.write(`${jsonLines([...documents(3), { id: 'copy', text: text(1) }])}{"id":"half"`);
    await until(() => idsOf(child.out).length === 3);
    child.kill(signal);
    assert.equal(await child.ended, code);
    assert.equal(child.out, jsonLines(documents(3)));
    assert.match(child.messages, /interrupted; kept 3 of 4 documents.*; write the rest to another output file\n$/);
    assert.equal(indexOf(`${signal}.idx`).size, 3);
    assert.deepEqual(idsOf(read('signal.report')), ['copy']);
  });
}

/** Waits until a run handles SIGHUP, which Node itself does not, and then takes no processor time for a while. */
async function waits({ pid }) {
  const found = (file, pattern) => pattern.exec(readFileSync(`/proc/${pid}/${file}`, 'latin1'))[1];
  await until(() => BigInt(`0x${found('status', /^SigCgt:\s*(\w+)$/m)}`) & 1n);
  let [before, looks] = ['', 0];
  await until(() => {
    const now = found('stat', /\) \S(?: \S+){10} (\S+ \S+)/);
    looks = now === before ? looks + 1 : 0;
    before = now;
    return looks === 20;
  });
}

const hasProcesses = existsSync('/proc/self/status');
test('a signal ends a run that waits for a pipe', { skip: !hasProcesses, timeout: 600_000 }, async (context) => {
  spawnSync('mkfifo', [at('idle.pipe')]);
  // Nothing writes to the named pipe; the writer of standard input is idle.
  const all = [[at('idle.pipe')], []].map(async (args) => {
    const child = start(['dedupe', ...args], { stdio: ['pipe', 'ignore', 'ignore'] });
    context.after(() => child.kill('SIGKILL'));
    await waits(child);
    assert.equal(child.exitCode, null, args.join(' '));
    child.kill('SIGTERM');
    const late = setTimeout(300_000, 'still running', { ref: false });
    assert.equal(await Promise.race([child.ended, late]), signals.SIGTERM, args.join(' '));
  });
  await Promise.all(all);
});

test('a report to a named pipe without a reader is an error', { skip }, () => {
  write('copies.jsonl', jsonLines([...documents(2), { id: 'copy', text: text(1) }]));
  const dedupe = 'nearprint dedupe copies.jsonl -q -r report.pipe > piped';
  const { stderr } = shell(`mkfifo report.pipe; ${dedupe}`);
  assert.equal(stderr, 'nearprint: --report report.pipe: no program reads this pipe\n');
  assert.deepEqual(idsOf(shell(`exec 3<> report.pipe; ${dedupe}; head -n 1 <&3`).stdout), ['copy']);
});

for (const threads of [1, 2]) {
  test(`after an interrupt between two writes, the index has the written lines, threads: ${threads}`, {
    skip,
  }, async () => {
    // Short lines, so that a batch has more documents than are written at once.
    const all = documents(30_000).map(({ id, text }) => ({ id, text: text.split(' ', 9).join(' ') }));
    write('batches.jsonl', jsonLines(all));
    rmSync(at('batches.idx'), { force: true });
    const args = ['dedupe', '-j', threads, '--checkpoint', '0', '--index', 'batches.idx', 'batches.jsonl'];
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    // The first lines fill the pipe, and the rest is written when it is read.
    await once(child.stdout, 'readable');
    child.kill('SIGINT');
    let out = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) out += chunk;
    assert.equal((await ended)[0], signals.SIGINT);
    const written = idsOf(out);
    assert.ok(written.length > 0 && written.length < all.length, `${written.length} lines`);
    assert.deepEqual(Array.from(indexOf('batches.idx'), ({ id }) => id).sort(), written.toSorted());
    const rest = run(['dedupe', '--index', 'batches.idx', '-q', 'batches.jsonl']).stdout;
    assert.ok(out + rest === run(['dedupe', '-q', 'batches.jsonl']).stdout);
  });
}

test('--checkpoint saves the index during the work, so that a kill loses nothing before it', { skip }, async () => {
  const child = start(['dedupe', '--index', 'check.idx', '--checkpoint', '0']);
  child.stdin.write(jsonLines(documents(3)));
  await until(() => existsSync(at('check.idx')) && indexOf('check.idx').size === 3);
  child.kill('SIGKILL');
  await child.ended;
  assert.deepEqual(idsOf(run('dedupe --index check.idx', jsonLines(documents(5))).stdout), ['p3', 'p4']);
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

/** Ids that look like the keys of documents without ids. */
const ids = ['page', '\0', '\0#', '\0#stdin:1', '\0\0#stdin:1', 'stdin:1', 5, '5', '05', '5.0', 'sketch:0', '\ud800'];

test('ids that look like other ids are different, in every kind of run', { skip }, () => {
  const day = (from) => jsonLines([{ text: text(from + 50) }, ...ids.map((id, at) => ({ id, text: text(from + at) }))]);
  run(['dedupe', '--index', 'other.idx'], jsonLines([{ id: 'other', text: text(999) }]));
  for (const args of [[], ['--against', 'other.idx'], ['--index', 'nul.idx']]) {
    const { stdout } = run(['dedupe', ...args, '--report', 'nul.report'], day(0) + day(100) + day(0));
    // In an index, the second version is changed, and so is the third one. Otherwise each copy is a near-duplicate.
    const third = args[0] === '--index' ? day(0).slice(day(0).indexOf('\n') + 1) : '';
    assert.equal(stdout, day(0) + day(100) + third, args.join(' '));
  }
  for (const args of [
    ['--against', 'nul.idx'],
    ['--index', 'nul.idx'],
  ]) {
    const input = jsonLines(ids.map((_, at) => ({ id: `copy ${at}`, text: text(at) })));
    assert.equal(run(['dedupe', ...args, '--report', 'nul.report'], input).stdout, '');
    const rows = parseLines(read('nul.report')).map(({ id, duplicateOf }) => [id, duplicateOf]);
    assert.deepEqual(
      rows,
      ids.map((id, at) => [`copy ${at}`, id]),
    );
  }
});

/** Runs with a shim that makes the write to standard output with this number fail, and returns the output. */
function withFailingOutput(args, index) {
  const { status, stderr } = shell(`nearprint dedupe --index ${index} ${args} > failing.out`, withFault({ failFd: 1 }));
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
  const seconds = () => Date.now() / 1000;
  const started = seconds();
  assert.equal(run(['dedupe', '--index', 'versions.idx', '--expire', '2d', 'first.jsonl']).stdout, first);
  const ended = seconds();
  const before = indexOf('versions.idx');
  const expiries = ['p0', 'p1', 'p2'].map((id) => before.expires(id));
  const isAfterRun = (time) => time > started + 2 * 86_400 - 0.01 && time < ended + 2 * 86_400 + 0.01;
  assert.ok(expiries.every(isAfterRun));
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
    shell(`trap '' XFSZ; ulimit -f ${limit}; nearprint dedupe --index cut.idx --checkpoint 0 versions.jsonl > cut.out`);
    const written = parseLines(read('cut.out'));
    assert.ok(written.length > 100 && written.length < padding.length);
    const index = indexOf('cut.idx');
    assert.equal(index.size, written.length - 1);
    assert.ok(index.get('page').equals(sketch(versions[1].text)));
    const { stdout } = run(['dedupe', '--index', 'cut.idx', 'versions.jsonl']);
    // The first two versions are written again, since the last written one is not the first.
    const rest = parseLines(stdout).filter(({ id }) => id !== 'page');
    assert.equal(written.filter(({ id }) => id !== 'page').length + rest.length, padding.length);
  }
});

test('after a full disk, an index decides as one that has read the written lines alone', { skip }, () => {
  const longText = (seed) => [0, 3000, 6000, 9000].map((more) => text(seed + more)).join(' ');
  const ids = Array.from({ length: 300 }, (_, at) => `p${at}`);
  write('first.jsonl', jsonLines(ids.map((id, at) => ({ id, text: longText(at) }))));
  // Versions that resemble the first ones, other versions, and equal ones.
  const textsOf = [(at) => `${longText(at)} edited`, (at) => longText(at + 1000), longText];
  write('second.jsonl', jsonLines(ids.map((id, at) => ({ id, text: textsOf[at % 3](at) }))));
  const near = (from) => ids.map((id, at) => ({ id: `${from} ${id}`, text: `${longText(at + from)} printed` }));
  write('near.jsonl', jsonLines([...near(0), ...near(1000)]));
  for (const [name, limit, options] of [
    ['none', 0, ''],
    ['part', 100, ''],
    ['renewed', 100, '--expire 30d'],
    ['ranked', 100, '--keep longest'],
  ]) {
    const dedupe = `nearprint dedupe -q ${options} --index`;
    shell(`${dedupe} ${name}.idx first.jsonl > first.out; cp ${name}.idx ${name}-control.idx`);
    const output = limit === 0 ? '/dev/full' : `${name}.out`;
    const cut = limit === 0 ? '' : `trap '' XFSZ; ulimit -f ${limit};`;
    const { status } = shell(`${cut} ${dedupe} ${name}.idx second.jsonl > ${output}`);
    assert.equal(status, 2, name);
    const lines = limit === 0 ? '' : read(output);
    assert.ok(limit === 0 || (lines.length > 50_000 && lines.length < 150_000), `${name}: ${lines.length}`);
    const written = write(`${name}-lines.jsonl`, lines);
    shell(`nearprint dedupe -q --index ${name}-control.idx ${written} > again`);
    assert.equal(read('again'), lines, name);
    assert.equal(indexOf(`${name}.idx`).size, indexOf(`${name}-control.idx`).size);
    const [found, expected] = [name, `${name}-control`].map((index) =>
      shell(`nearprint dedupe -q --annotate --index ${index}.idx near.jsonl`),
    );
    assert.equal(found.stdout, expected.stdout, name);
    assert.ok(parseLines(expected.stdout).filter(({ status }) => status === 'duplicate').length > 100);
  }
});

test('if output and index share a full disk, the index has exactly the written lines', { skip }, () => {
  write('disk.jsonl', jsonLines(documents(20_000)));
  const { status, stderr } = shell(
    `nearprint dedupe --index disk.idx --checkpoint 0 disk.jsonl > disk.out`,
    withFault({ disk: 3_500_000 }),
  );
  assert.equal(status, 2, stderr);
  assert.match(stderr, /no space left on device; [\d,]+ lines written\n$/);
  const ids = idsOf(read('disk.out'));
  const index = indexOf('disk.idx');
  assert.ok(ids.length > 100 && ids.length < 20_000, `${ids.length}`);
  assert.equal(index.size, ids.length);
  for (const id of ids) assert.ok(index.has(id));
});

test('a full disk gets one message, and the index has the written lines', { skip: !existsSync('/dev/full') }, () => {
  const full = shell(`nearprint dedupe --index full.idx --report full.report '${sample}' > /dev/full`);
  assert.equal(full.status, 2);
  assert.equal(full.stderr, 'nearprint: standard output: no space left on device; 0 lines written\n');
  assert.equal(indexOf('full.idx').size, 0);
  assert.equal(read('full.report'), '');
  const report = run(['dedupe', '--index', 'report.idx', '--report', '/dev/full', sample]);
  assert.equal(report.status, 2);
  assert.match(report.stderr, /^nearprint: \/dev\/full: no space left on device; \d+ lines written\n$/);
  const written = report.stdout.split('\n').slice(0, -1);
  assert.ok(written.length > 0);
  assert.equal(indexOf('report.idx').size, written.length);
  const hash = shell(`nearprint hash '${sample}' -q > /dev/full`);
  assert.deepEqual([hash.status, hash.stderr], [2, 'nearprint: standard output: no space left on device\n']);
  assert.equal(run(['dedupe', '--report', 'no/such/folder', sample]).status, 2);
});

test('a closed pipe ends the command without a message', { skip }, () => {
  write('long.jsonl', jsonLines(Array.from({ length: 4000 }, (_, at) => ({ id: at, text: text(at, 100) }))));
  const { stdout, stderr } = shell(
    'nearprint dedupe --index pipe.idx --report pipe.report long.jsonl | head -1; echo $PIPESTATUS',
  );
  assert.equal(stdout, `${read('long.jsonl').split('\n')[0]}\n0\n`);
  assert.equal(stderr, '');
  const { size } = indexOf('pipe.idx');
  assert.ok(size > 0 && size < 4000, `${size}`);
  assert.equal(shell('nearprint hash --jsonl long.jsonl | head -1').status, 0);
  assert.equal(shell('nearprint --help | true').status, 0);
});

test('a closed pipe of a report is an error: standard output is not whole', { skip }, () => {
  const pairs = Array.from({ length: 8000 }, (_, at) => ({ id: at, text: text(at >> 1) }));
  write('pairs.jsonl', jsonLines(pairs));
  const { stdout, stderr } = shell(
    'nearprint dedupe -q --report >(head -n 1 > top) pairs.jsonl > whole.jsonl; echo $?',
  );
  assert.equal(stdout, '2\n');
  assert.match(stderr, /^nearprint: \S+: broken pipe; [\d,]+ lines? written\n$/);
});

test('a slow reader of standard error gets every message', { skip }, () => {
  // The pipe is full when the messages are written: Linux has 64 KiB of it.
  const filled = 'head -c 65536 /dev/zero >&2; nearprint hash missing-1 missing-2';
  const { stdout } = shell(`{ ${filled}; } 2>&1 >/dev/null | (sleep 1; wc -l)`);
  assert.equal(stdout.trim(), '2');
});

test('the index is replaced atomically, through a symbolic link too', { skip }, () => {
  run(['dedupe', '--index', 'real.idx', sample]);
  symlinkSync('real.idx', at('link.idx'));
  const { ino } = statSync(at('real.idx'));
  run(['dedupe', '--index', 'link.idx'], jsonLines([{ id: 'new', text: text(5) }]));
  assert.ok(indexOf('real.idx').has('new'));
  assert.notEqual(statSync(at('real.idx')).ino, ino);
});

test('a text that takes too much memory is a bad line, where no one else uses the module', async () => {
  const trapped = () => {
    throw new Error('nearprint: the WebAssembly module trapped');
  };
  const settings = { textField: 'text', idField: 'id', ignore: [] };
  const job = { bytes: Buffer.from('{"text":"a"}\n'), html: false };
  const [isolated, shared] = [true, false].map(
    (isIsolated) => new JobReader({ sketch: trapped }, settings, { isIsolated }),
  );
  const message = 'the text cannot be sketched: nearprint: the WebAssembly module trapped';
  assert.deepEqual((await isolated.read(job)).bad, [{ number: 0, start: 0, end: 13, message }]);
  await assert.rejects(shared.read(job), /trapped/);
  // Where the reader of lines fails, each line is read by itself.
  const sketcher = new Sketcher();
  const [lost, kept] = [false, true].map(
    (isIsolated) => new JobReader(sketcher, settings, { scan: trapped, isIsolated }),
  );
  await assert.rejects(lost.read(job), /trapped/);
  const { documents, bad } = await kept.read(job);
  assert.deepEqual([documents.count, bad], [1, []]);
});

test('an unexpected error while a document is read is a bad line with the name of the error', async () => {
  const job = { bytes: Buffer.from('{"text":"a"}\n'), html: false };
  const { bad } = await new JobReader(
    new Sketcher(),
    { textField: 7, idField: 'id', ignore: [] },
    { isIsolated: false },
  ).read(job);
  assert.deepEqual(bad, [
    { number: 0, start: 0, end: 13, message: 'unexpected TypeError: names.split is not a function' },
  ]);
  const system = Object.assign(new Error('ENOENT: no such file or directory, open x'), { code: 'ENOENT' });
  for (const [error, why] of [
    [new BadDocument('A: b, c'), 'A: b, c'],
    [new Error('the text is not JSON Lines'), 'the text is not JSON Lines'],
    [system, 'no such file or directory'],
    [new RangeError('Invalid string length'), 'unexpected RangeError: Invalid string length'],
    [undefined, 'unexpected error: undefined'],
    ['text', 'unexpected error: text'],
  ]) {
    assert.equal(whyUnread(error), why);
  }
});
