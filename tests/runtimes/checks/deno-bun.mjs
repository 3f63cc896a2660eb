import assert from 'node:assert/strict';
import { programOf, run, versionOf } from '../tools.mjs';

const row = (what, name, how, args) => ({
  what,
  how,
  async run({ project, expected }) {
    // Deno's package has a launcher script; Bun's package has the program itself.
    const program = name === 'deno' ? [process.execPath, programOf(name)] : [programOf(name)];
    assert.equal(await run(program[0], [...program.slice(1), ...args], { cwd: project }), expected);
    return versionOf(name);
  },
});

const deno = ['run', '--quiet', '--no-remote', '--node-modules-dir=manual', '--allow-read', '--allow-env'];

export default [
  row('Deno', 'deno', '`import`', [...deno, 'esm.mjs']),
  row('Deno', 'deno', '`require`', [...deno, 'cjs.cjs']),
  row('Bun', 'bun', '`import`', ['esm.mjs']),
  row('Bun', 'bun', '`require`', ['cjs.cjs']),
];
