// The arguments of the scripts and benches: what they do not know ends them with one line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchArguments } from '../../scripts/arguments.mjs';
import { exhaustive, test } from '../tier.mjs';
import { root } from './packed.mjs';

const synopsis = 'FILE [ROUNDS=5] [KIND=uniform] [NAME ...] [--fix] [--count N] [--folder DIR] [--collection NAME ...]';
const defaults = { file: 'a', rounds: 5, kind: 'uniform', name: [] };

test('arguments are read by the synopsis', () => {
  for (const [args, expected] of [
    [['a'], defaults],
    [['a', '1e6', 'b', 'c', 'd'], { file: 'a', rounds: 1e6, kind: 'b', name: ['c', 'd'] }],
    [['--fix', 'a', '--count=0'], { ...defaults, fix: true, count: 0 }],
    [
      ['--folder', '7', 'a', '--collection', 'b', '--collection', 'c'],
      { ...defaults, folder: '7', collection: ['b', 'c'] },
    ],
    [['a', '--', '7', '--fix'], { ...defaults, rounds: 7, kind: '--fix' }],
  ]) {
    assert.deepEqual(matchArguments(synopsis, args), expected);
  }
  assert.deepEqual(matchArguments('FROM TO [N]', ['a', 'b', '10']), { from: 'a', to: 'b', n: 10 });
  assert.deepEqual(matchArguments('FROM TO [N]', ['a', 'b']), { from: 'a', to: 'b' });
});

test('arguments that the synopsis does not have are refused', () => {
  for (const [args, message, of = synopsis] of [
    [[], 'FILE is missing'],
    [['a', 'b'], "ROUNDS must be a number of at least 0, got 'b'"],
    [['a', ''], "ROUNDS must be a number of at least 0, got ''"],
    [['a', '--count', 'many'], "--count must be a number of at least 0, got 'many'"],
    [['a', '--fox'], "Unknown option '--fox'"],
    [['a', '--fix=1'], "Option '--fix' does not take an argument"],
    [['a', '--folder'], "Option '--folder <value>' argument missing"],
    [['a'], "unexpected argument 'a'", '[--fix]'],
    [['a'], "unexpected argument 'a'", ''],
  ]) {
    assert.throws(() => matchArguments(of, args), { message });
  }
});

exhaustive('each script and bench refuses an unknown option, before it does anything', () => {
  const files = ['scripts', 'benches', 'tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  const programs = files
    .filter((name) => /^(?!.*node_modules).*(?<!\.test)\.mjs$/.test(name))
    .filter((name) => /^(?!export ).*\breadArguments\(/m.test(readFileSync(join(root, name), 'utf8')));
  assert.ok(programs.length > 30, `${programs}`);
  for (const program of programs) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--unknown'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [2, ''], `${program}: ${stderr}`);
    assert.match(stderr, /^nearprint: Unknown option '--unknown'; usage: node [^\n]+\n$/, program);
  }
});
