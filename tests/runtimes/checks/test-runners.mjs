// Test runners, which load the package in their own ways.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmNode, programOf, run, versionOf } from '../tools.mjs';

const row = (what, name, how, node, args) => ({
  what,
  how,
  async run({ project, expected }) {
    await run(node(), [programOf(name), ...args(project)], { cwd: project, env: { ...process.env, CI: 'true' } });
    assert.equal(readFileSync(join(project, `${name}.out`), 'utf8'), expected);
    return versionOf(name);
  },
});

export default [
  row(
    'Jest',
    'jest',
    '`require`',
    () => process.execPath,
    (project) => ['--rootDir', project, '--testMatch', '**/*.test.cjs'],
  ),
  // The newest Vitest does not support Node 20.
  row(
    'Vitest',
    'vitest',
    '`import`',
    () => npmNode('node-lts'),
    () => ['run', '--dir', '.', 'vitest.test.mjs'],
  ),
];
