// Node, with import and with require, and the error of a Node that is too old.
import assert from 'node:assert/strict';
import { npmNode, run } from '../tools.mjs';

const nodes = {
  'Node, the oldest supported line': () => npmNode('node-20'),
  'Node, the newest LTS': () => npmNode('node-lts'),
  'Node, the one that runs this': () => process.execPath,
};
const version = async (node) => (await run(node, ['--version'])).slice(1);

export default [
  ...Object.entries(nodes).flatMap(([what, find]) =>
    [
      ['import', 'esm.mjs'],
      ['require', 'cjs.cjs'],
    ].map(([how, script]) => ({
      unlisted: what === 'Node, the one that runs this',
      what,
      how: `\`${how}\``,
      async run({ project, expected }) {
        const node = find();
        assert.equal(await run(node, [script], { cwd: project }), expected);
        return version(node);
      },
    })),
  ),
  {
    what: 'Node, the newest LTS',
    how: 'is an LTS',
    unlisted: true,
    async run() {
      const node = npmNode('node-lts');
      assert.notEqual(await run(node, ['-p', 'process.release.lts']), 'undefined');
      return version(node);
    },
  },
  {
    what: 'Node, too old',
    how: 'error from `require`',
    unlisted: true,
    async run({ project }) {
      const node = npmNode('node-14');
      const message = await run(
        node,
        ['-e', "try { require('nearprint') } catch (error) { console.log(error.message) }"],
        {
          cwd: project,
        },
      );
      assert.match(message, /^nearprint: Node must be 20\.19 or newer, got 14/);
      return version(node);
    },
  },
];
