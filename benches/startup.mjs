// Prints what the start takes above a bare Node: from `import` or `require` to the first fingerprint, and the command
// `compare` of two short files.
//
//     node benches/startup.mjs [ROUNDS]
//
// Rounds alternate. The table has the smallest and the median of the differences to the smallest and the median of the
// bare Node: the smallest is what other programs on the machine disturbed least.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../scripts/arguments.mjs';
import { fail, root } from '../scripts/run.mjs';
import { median, time } from './times.mjs';

const { rounds } = readArguments('[ROUNDS=30]');
const folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
const write = (name, content) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const pkg = (name) => JSON.stringify(join(root, 'pkg', name));
const texts = ['The river burst its banks early on Tuesday.', 'The river burst its banks on Tuesday.'];
const cases = {
  'bare Node': [write('bare.mjs', '')],
  '`import`': [write('import.mjs', `import { fingerprint } from ${pkg('index.js')}; fingerprint('a');`)],
  '`require`': [write('require.cjs', `require(${pkg('index.cjs')}).fingerprint('a');`)],
  '`compare`': [join(root, 'pkg', 'cli.js'), 'compare', ...texts.map((text, at) => write(`${at}.txt`, text))],
};

/** Runs Node, which must end well: 1 is the exit code of `compare` for different texts. */
function runNode(args) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0 && status !== 1) fail(`node ${args.join(' ')}: ${error ?? `exit code ${status}`}`);
}

const taken = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(cases)) {
    taken[name].push(time(() => runNode(args)));
  }
}
rmSync(folder, { recursive: true });

const [bare, ...others] = Object.entries(taken).map(([name, times]) => ({
  name,
  least: Math.min(...times),
  middle: median(times),
}));
console.log(`Node ${process.version}: ${bare.least.toFixed(1)} ms at least, median ${bare.middle.toFixed(1)} ms\n`);
console.log('| ms beyond an empty program | smallest | median |\n| --- | ---: | ---: |');
for (const { name, least, middle } of others) {
  console.log(`| ${name} | ${(least - bare.least).toFixed(1)} | ${(middle - bare.middle).toFixed(1)} |`);
}
