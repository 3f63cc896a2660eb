// Counts the instructions of examples/workload.rs under valgrind, and fails if there are more than the number in
// benches/instructions.txt. Unlike a timed test, this guard against slower code works on a busy machine too.
//
//     node scripts/instructions.mjs            # checks
//     node scripts/instructions.mjs --update   # writes the new number
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, output, root, run } from './run.mjs';

/** Another compiler or C library may add up to 3 %. */
const SLACK = 1.03;

const file = join(root, 'benches', 'instructions.txt');
if (output('valgrind', ['--version']) === null) fail('valgrind is not installed: apt-get install valgrind');
run('cargo', ['build', '--locked', '--quiet', '--release', '--example', 'workload']);
const workload = join(root, 'target', 'release', 'examples', 'workload');
const options = ['--tool=callgrind', '--callgrind-out-file=/dev/null', workload];
const { stderr } = spawnSync('valgrind', options, { encoding: 'utf8' });
const counted = Number(/Collected\s*:\s*(\d+)/.exec(stderr)?.[1]);
if (!counted) fail(`valgrind reported no instruction count:\n${stderr}`);

if (process.argv.includes('--update')) writeFileSync(file, `${counted}\n`);
const known = Number(readFileSync(file, 'utf8'));
const change = `${counted.toLocaleString('en')} instructions, ${((counted / known - 1) * 100).toFixed(1)} % against benches/instructions.txt`;
if (counted > known * SLACK) fail(`slower: ${change}; if that is intended, node scripts/instructions.mjs --update`);
console.log(change);
