// The command index. The oracle is the Deduplicator that the file is made of.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, symlinkSync } from 'node:fs';
import { Deduplicator } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines, textOf } from './command.mjs';
import { valuesOf } from './values.mjs';

const command = makeCommandFolder();

/** Writes an index with documents, by their numbers, which expire `expiresIn(number)` seconds after the time `now`. */
function makeIndex(name, numbers, expiresIn, now = Date.now() / 1000) {
  const index = new Deduplicator();
  for (const number of numbers) index.add(number, textOf(number), { expiresIn: expiresIn(number), now });
  command.write(name, index.toBytes());
  return index;
}

const read = (name) => Deduplicator.fromBytes(command.readBytes(name));
const idsOf = (index) => [...index].map(({ id }) => id).sort((a, b) => a - b);
const succeed = (args, options) => {
  const { status, stdout, stderr } = command.run(['index', ...args], options);
  assert.equal(status, 0, stderr);
  return { stdout, stderr };
};

test('stats', () => {
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

exhaustive('times after the last date of JavaScript', () => {
  makeIndex('late.idx', [1], () => 1e13);
  const last = '+275760-09-13T00:00:00.000Z';
  assert.equal(JSON.parse(succeed(['stats', 'late.idx', '--json']).stdout).nextExpiry, last);
  // The longest time that the command line accepts has a date.
  command.run(['dedupe', '--index', 'long.idx', '--expire', '1000000d'], { input: '{"id":"a","text":"one"}' });
  const expires = Date.parse(JSON.parse(succeed(['stats', 'long.idx', '--json']).stdout).nextExpiry);
  assert.ok(Math.abs(expires - Date.now() - 86_400_000_000_000) < 60_000);
});

test('delete, by arguments and by a list', () => {
  const index = new Deduplicator();
  for (const id of ['a', 'b', 'c', 1, 2, '3', '1.5']) index.add(id, textOf(id));
  command.write('delete.idx', index.toBytes());
  const { stderr } = succeed(['delete', 'delete.idx', 'a', '1', '1.5', 'none']);
  assert.equal(stderr, 'nearprint: 3 of 4 ids deleted; delete.idx has 4 documents\n');
  command.write('ids', 'b\r\n3\n');
  assert.match(
    succeed(['delete', 'delete.idx', '--ids', 'ids']).stderr,
    /2 of 2 ids deleted; delete\.idx has 2 documents/,
  );
  assert.match(succeed(['delete', 'delete.idx', '--ids', '-'], { input: '2\n' }).stderr, /1 of 1 ids deleted/);
  assert.deepEqual(valuesOf(read('delete.idx'), 'id'), ['c']);
  // A document that is deleted is new.
  const lines = jsonLines([
    { id: 'a', text: textOf('a') },
    { id: 'c', text: textOf('c') },
  ]);
  const { stdout } = command.run(['dedupe', '--index', 'delete.idx'], { input: lines });
  assert.deepEqual(valuesOf(parseLines(stdout), 'id'), ['a']);
});

test('prune removes what has expired', () => {
  const now = Date.now() / 1000 - 1000;
  makeIndex('prune.idx', [1, 2, 3, 4], (number) => [1, undefined, 1, 7200][number - 1], now);
  const [draft, other] = [`prune.idx.draft-${'0a'.repeat(8)}`, 'prune.idx.draft-notes.jsonl'];
  for (const name of [draft, other]) command.write(name, 'x');
  assert.match(succeed(['prune', 'prune.idx']).stderr, /2 expired documents removed; prune\.idx has 2 documents/);
  assert.deepEqual(idsOf(read('prune.idx')), [2, 4]);
  assert.ok(!existsSync(command.path(draft)), 'the draft of a run that was killed');
  assert.ok(existsSync(command.path(other)), 'a file of the user');
  assert.equal(JSON.parse(succeed(['stats', 'prune.idx', '--json']).stdout).expired, 0);
});

exhaustive('usage, and what is not an index', () => {
  const help = '; see nearprint index --help';
  for (const [args, message] of [
    [[], `the action of index must be stats, delete or prune, got none${help}`],
    [['stat', 'x'], `the action of index must be stats, delete or prune, got "stat"${help}`],
    [['stats'], `index stats needs an index file${help}`],
    [['stats', 'a', 'b'], `index stats needs one file, got 2${help}`],
    [['delete', 'x'], `index delete needs ids, as arguments or in the file of --ids${help}`],
    [['stats', 'none'], 'none: no such file or directory'],
    [['prune', 'none'], 'none: no such file or directory'],
  ]) {
    command.fail(['index', ...args], message);
  }
  command.write('text', 'x');
  command.fail('index stats text', /^nearprint: text is not an index: /);
  assert.ok(!existsSync(command.path('none')));
});

test('an index that could not be replaced is refused before any work', { skip: process.platform === 'win32' }, () => {
  symlinkSync('nowhere', command.path('dangling'));
  const input = jsonLines([{ id: 1, text: textOf(1) }]);
  command.fail('dedupe --index dangling', 'dangling is a symbolic link that leads to no file', { input });
  assert.ok(!existsSync(command.path('nowhere')));
  command.fail(
    'dedupe --index missing/seen.idx',
    /^nearprint: missing\/seen\.idx: its lock cannot be created: no such file or directory\n$/,
    { input },
  );
  if (existsSync('/proc/self/mountinfo') && statSync('/etc/hosts', { throwIfNoEntry: false })?.isFile()) {
    command.fail('dedupe --index /etc/hosts', /^nearprint: /, { input }); // not an index, or a mount point
  }
});

test('hash and compare print file names without control characters', { skip: process.platform === 'win32' }, () => {
  const names = ['a\nb.txt', 'a\u001b[31mb.txt', 'back\\slash.txt', 'a\rb\tc.txt'];
  const escaped = ['\\a\\nb.txt', '\\a\\u001b[31mb.txt', 'back\\slash.txt', '\\a\\rb\\u0009c.txt'];
  for (const name of names) command.write(name, textOf(1));
  const namesIn = (output) => output.split('\n').map((line) => line.slice(18));
  assert.deepEqual(namesIn(command.run(['hash', ...names]).stdout), [...escaped, '']);
  for (const name of names.slice(0, 2)) command.write(name, 'Good news');
  const { stderr } = command.run(['compare', names[0], names[1]]);
  assert.equal(stderr.match(/ is short /g).length, 2);
  const messages = command.run(['dedupe', ...names, '\u001b[2Jmissing']).stderr + stderr;
  assert.ok(messages.length > 0);
  for (const line of messages.split('\n')) assert.doesNotMatch(line, /\p{Cc}/u);
});

exhaustive('messages have a bounded length', () => {
  const id = 'x'.repeat(1 << 20);
  const lines = jsonLines([{ id, text: 7 }, { id: { [id]: 1 }, text: 'a' }, { [id]: 1 }]);
  for (const args of [['dedupe'], ['dedupe', '--id-field', id.slice(0, 100_000)], ['dedupe', '--keep-max', 'id']]) {
    const { stderr } = command.run(args, { input: lines });
    for (const line of stderr.split('\n')) assert.ok(line.length <= 2100, `${args[1]}: ${line.length}`);
  }
  const { stderr } = command.run(['dedupe', '--index', 'x'.repeat(10_000)], { input: '' });
  assert.ok(stderr.length < 2100);
});

test('a key is read from a file, and is needed for texts', () => {
  const [key, other] = ['sixteen bytes!!!', 'another 16 bytes'].map((text) => new TextEncoder().encode(text));
  command.write('key', key);
  command.write('other', other);
  command.write('short', key.subarray(1));
  const documents = [1, 2, 1].map((number, at) => ({ id: at, text: textOf(number) }));
  command.write('keyed.jsonl', jsonLines(documents));
  for (const threads of [1, 2]) {
    const written = command.outputOf(`dedupe --key-file key -j ${threads} -i ${threads}.idx keyed.jsonl`);
    assert.equal(written, jsonLines(documents.slice(0, 2)));
  }
  const index = Deduplicator.fromBytes(command.readBytes('1.idx'), { key });
  const expected = new Deduplicator({ key }).add(0, textOf(1)).add(1, textOf(2));
  assert.equal(index.scheme, expected.scheme);
  for (const id of [0, 1]) assert.ok(index.get(id).equals(expected.get(id)));
  const found = parseLines(command.run('dedupe --against 1.idx --annotate --key-file key keyed.jsonl').stdout);
  assert.deepEqual(valuesOf(found, 'status'), ['unchanged', 'unchanged', 'duplicate']);
  for (const args of [
    'dedupe --against 1.idx keyed.jsonl',
    'dedupe --against 1.idx --key-file other keyed.jsonl',
    'dedupe -i 1.idx keyed.jsonl',
    'dedupe --key-file other -i 1.idx keyed.jsonl',
    'dedupe --key-file short keyed.jsonl',
    'dedupe --key-file missing keyed.jsonl',
  ]) {
    assert.doesNotMatch(command.fail(args, /key/), /sixteen|at .*\.js/);
  }
});

exhaustive(
  'a key is not read from a pipe or a device, which may never end',
  { skip: process.platform === 'win32' },
  () => {
    spawnSync('mkfifo', [command.path('pipe')]);
    command.write('page.txt', textOf(1));
    for (const file of ['pipe', '/dev/zero', '.']) {
      for (const args of [['dedupe'], ['clusters'], ['hash'], ['compare', 'page.txt', 'page.txt']]) {
        command.fail([...args, '--key-file', file], `--key-file ${file} is not a regular file`);
      }
    }
  },
);
