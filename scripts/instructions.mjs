// Counts the instructions of the workloads of examples/workload.rs and of examples/index_workload.rs under valgrind, and fails
// if one takes more than its line in benches/instructions.txt says. Unlike a timed test, this guard against slower code works on a busy machine
// too.
//
//     node scripts/instructions.mjs            # checks
//     node scripts/instructions.mjs --update   # writes the new numbers
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, output, root, run } from './run.mjs';

/** Another compiler or C library may add up to 3 %. */
const SLACK = 1.03;

const file = join(root, 'benches', 'instructions.txt');
if (output('valgrind', ['--version']) === null) fail('valgrind is not installed: apt-get install valgrind');

/** The example of each line, and its argument. */
const workloads = {
  fingerprints: ['workload', 'fingerprints'],
  sketches: ['workload', 'sketches'],
  scripts: ['workload', 'scripts'],
  index: ['index_workload'],
};
const examples = new Set(Object.values(workloads).map(([example]) => example));
run('cargo', ['build', '--locked', '--quiet', '--release', ...[...examples].flatMap((name) => ['--example', name])]);

function count(name) {
  const [example, ...args] = workloads[name];
  const options = [
    '--tool=callgrind',
    '--callgrind-out-file=/dev/null',
    join(root, 'target', 'release', 'examples', example),
    ...args,
  ];
  const { stderr } = spawnSync('valgrind', options, { encoding: 'utf8' });
  const counted = Number(/Collected\s*:\s*(\d+)/.exec(stderr)?.[1]);
  if (!counted) fail(`valgrind reported no instruction count of ${name}:\n${stderr}`);
  return counted;
}

const counts = Object.keys(workloads).map((name) => [name, count(name)]);
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
