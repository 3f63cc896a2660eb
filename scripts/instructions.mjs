// Counts the instructions of examples/workload.rs under valgrind, and fails if they are more than is written in
// benches/instructions.txt: a guard against slower code that, unlike a timed test, a busy machine does not upset.
//
//     node scripts/instructions.mjs            # checks
//     node scripts/instructions.mjs --update   # writes the figure anew
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, output, root, run } from './run.mjs';

/** What another compiler or C library may add. */
const SLACK = 1.03;

const file = join(root, 'benches', 'instructions.txt');
if (output('valgrind', ['--version']) === null) fail('valgrind is not installed: apt-get install valgrind');
run('cargo', ['build', '--locked', '--quiet', '--release', '--example', 'workload']);
const workload = join(root, 'target', 'release', 'examples', 'workload');
const options = ['--tool=callgrind', '--callgrind-out-file=/dev/null', workload];
const { stderr } = spawnSync('valgrind', options, { encoding: 'utf8' });
const counted = Number(/Collected\s*:\s*(\d+)/.exec(stderr)?.[1]);
if (!counted) fail(`valgrind has counted nothing:\n${stderr}`);

if (process.argv.includes('--update')) writeFileSync(file, `${counted}\n`);
const known = Number(readFileSync(file, 'utf8'));
const change = `${counted.toLocaleString('en')} instructions, ${((counted / known - 1) * 100).toFixed(1)} % from the known`;
if (counted > known * SLACK) fail(`slower: ${change}; if it must be so, node scripts/instructions.mjs --update`);
console.log(change);
