// Counts the instructions of examples/workload.rs, lines_workload.rs and index_workload.rs under valgrind, and fails if one
// takes more than its line in benches/instructions.txt. Unlike a timed test, this guard against slower code works on a busy
// machine too.
//
//     node scripts/instructions.mjs            # checks
//     node scripts/instructions.mjs --update   # writes the new numbers
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExamples, instructions } from './callgrind.mjs';
import { fail, root } from './run.mjs';

/** Another compiler or C library may add up to 3 %. */
const SLACK = 1.03;

const file = join(root, 'benches', 'instructions.txt');
/** The example of each line, and its argument. */
const workloads = {
  fingerprints: ['workload', 'fingerprints'],
  sketches: ['workload', 'sketches'],
  scripts: ['workload', 'scripts'],
  lines: ['lines_workload'],
  index: ['index_workload'],
};
buildExamples([...new Set(Object.values(workloads).map(([example]) => example))]);

const counts = Object.entries(workloads).map(([name, workload]) => [name, instructions(...workload)]);
if (process.argv.includes('--update')) {
  writeFileSync(file, counts.map(([name, counted]) => `${name} ${counted}\n`).join(''));
}
const lines = readFileSync(file, 'utf8').trim().split('\n');
const known = Object.fromEntries(lines.map((line) => line.split(' ')));
const slower = counts.filter(([name, counted]) => {
  const change = ((counted / known[name] - 1) * 100).toFixed(1);
  console.log(`${name}: ${counted.toLocaleString('en')} instructions, ${change} % against benches/instructions.txt`);
  return !(counted <= known[name] * SLACK);
});
if (slower.length > 0) {
  const which = slower.map(([name]) => name).join(', ');
  fail(`slower: ${which}; if that is intended, node scripts/instructions.mjs --update`);
}
