// Node, by import and by require, and an old one that must say so.
import assert from 'node:assert/strict';
import { npmNode, run } from '../tools.mjs';

const nodes = {
  'Node, the oldest supported line': () => npmNode('node-20'),
  'Node, the newest LTS': () => npmNode('node-lts'),
  'Node, as is here': () => process.execPath,
};
const version = async (node) => (await run(node, ['--version'])).slice(1);

export default [
  ...Object.entries(nodes).flatMap(([what, find]) =>
    [
      ['import', 'esm.mjs'],
      ['require', 'cjs.cjs'],
    ].map(([how, script]) => ({
      unlisted: what === 'Node, as is here',
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
    how: 'still is one',
    unlisted: true,
    async run() {
      const node = npmNode('node-lts');
      assert.notEqual(await run(node, ['-p', 'process.release.lts']), 'undefined');
      return version(node);
    },
  },
  {
    what: 'Node, too old',
    how: 'is told so by `require`',
    unlisted: true,
    async run({ project }) {
      const node = npmNode('node-14');
      const told = await run(
        node,
        ['-e', "try { require('nearprint') } catch (error) { console.log(error.message) }"],
        {
          cwd: project,
        },
      );
      assert.match(told, /^nearprint: Node 20.19 or newer is needed, and this is 14/);
      return version(node);
    },
  },
];
