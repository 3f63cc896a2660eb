// Counts the instructions of examples under valgrind.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fail, output, root, run } from './run.mjs';

/** Builds the examples whose instructions are to be counted. */
export function buildExamples(names) {
  if (output('valgrind', ['--version']) === null) fail('valgrind is not installed: apt-get install valgrind');
  const examples = names.flatMap((name) => ['--example', name]);
  run('cargo', ['build', '--locked', '--quiet', '--release', '--features', 'lines', ...examples]);
}

/** The number of instructions that an example takes with these arguments. */
export function instructions(name, ...args) {
  const options = ['--tool=callgrind', '--callgrind-out-file=/dev/null'];
  const program = join(root, 'target', 'release', 'examples', name);
  const { stderr } = spawnSync('valgrind', [...options, program, ...args], { encoding: 'utf8' });
  const counted = Number(/Collected\s*:\s*(\d+)/.exec(stderr)?.[1]);
  if (!counted) fail(`valgrind reported no instruction count of ${name}:\n${stderr}`);
  return counted;
}
