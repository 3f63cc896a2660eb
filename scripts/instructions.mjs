// Counts the instructions of the workloads under valgrind, and fails if one takes more than its line in
// benches/instructions.txt. Unlike a timed test, this also detects slower code on a busy machine.
//
//     node scripts/instructions.mjs            # checks
//     node scripts/instructions.mjs --update   # writes the new numbers
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, readArguments } from './arguments.mjs';
import { fail, output, root, run, rustPackages } from './run.mjs';

/** Another compiler or C library may add up to 3 %. */
const SLACK = 1.03;

/** Builds the examples whose instructions are to be counted. */
export function buildExamples(names) {
  if (output('valgrind', ['--version']) === null) fail('valgrind is not installed: apt-get install valgrind');
  const examples = names.flatMap((name) => ['--example', name]);
  run('cargo', ['build', '--locked', '--quiet', '--release', ...rustPackages, ...examples]);
}

/** Returns the number of instructions that an example takes with these arguments. */
export function instructions(name, ...args) {
  const options = ['--tool=callgrind', '--callgrind-out-file=/dev/null'];
  const program = join(root, 'target', 'release', 'examples', name);
  const { stderr } = spawnSync('valgrind', [...options, program, ...args], { encoding: 'utf8' });
  const counted = Number(/Collected\s*:\s*(\d+)/.exec(stderr)?.[1]);
  if (!counted) fail(`valgrind reported no instruction count of ${name}:\n${stderr}`);
  return counted;
}

/** Checks each line of a file: an example, its arguments and its instruction count. With `update`, writes the counts. */
function checkWorkloads(file, { update }) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const workloads = lines.map((line) => line.split(' '));
  buildExamples([...new Set(workloads.map(([example]) => example))]);
  const counts = workloads.map((words) => {
    const [known, command] = [Number(words.at(-1)), words.slice(0, -1)];
    const counted = instructions(...command);
    const change = ((counted / known - 1) * 100).toFixed(1);
    const name = command.join(' ');
    console.log(`${name}: ${counted.toLocaleString('en')} instructions, ${change} % against benches/instructions.txt`);
    return { name, counted, isSlower: !(counted <= known * SLACK) };
  });
  if (update) {
    return writeFileSync(file, counts.map(({ name, counted }) => `${name} ${counted}\n`).join(''));
  }
  const slower = counts.filter(({ isSlower }) => isSlower).map(({ name }) => name);
  if (slower.length > 0) {
    fail(`slower: ${slower.join(', ')}; if intended, run node scripts/instructions.mjs --update`);
  }
}

if (isMain(import.meta.url)) checkWorkloads(join(root, 'benches', 'instructions.txt'), readArguments('[--update]'));
