// Prints what the start takes above a bare Node: from `import` or `require` to the first fingerprint, and the command
// `compare` of two short files.
//
//     node benches/startup.mjs [ROUNDS]
//
// Rounds alternate. The table has the smallest and the median of the differences to the smallest and the median of the
// bare Node: the smallest is what other programs on the machine disturbed least.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../scripts/arguments.mjs';
import { root } from '../scripts/run.mjs';

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

const taken = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(cases)) {
    const start = performance.now();
    try {
      execFileSync(process.execPath, args, { stdio: 'ignore' });
    } catch (error) {
      if (error.status !== 1) throw error; // the texts are different
    }
    taken[name].push(performance.now() - start);
  }
}
rmSync(folder, { recursive: true });

const [bare, ...others] = Object.entries(taken).map(([name, times]) => {
  const sorted = times.toSorted((a, b) => a - b);
  return { name, least: sorted[0], median: sorted[rounds >> 1] };
});
console.log(`Node ${process.version}: ${bare.least.toFixed(1)} ms at least, median ${bare.median.toFixed(1)} ms\n`);
console.log('| ms beyond an empty program | smallest | median |\n| --- | ---: | ---: |');
for (const { name, least, median } of others) {
  console.log(`| ${name} | ${(least - bare.least).toFixed(1)} | ${(median - bare.median).toFixed(1)} |`);
}
