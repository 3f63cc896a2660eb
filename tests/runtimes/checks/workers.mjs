// Cloudflare's workerd, run by miniflare, with a bundle as wrangler makes it: the condition `workerd`, *.wasm precompiled.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { bundleWorker, emptyFolder, tool, versionOf } from '../tools.mjs';

async function answerOf(project, conditions) {
  const { Miniflare } = await tool('miniflare');
  const modules = await bundleWorker(join(project, 'worker.mjs'), emptyFolder({ project }, 'worker'), conditions);
  const miniflare = new Miniflare({ modules, compatibilityDate: '2026-01-01' });
  try {
    return await (await miniflare.dispatchFetch('http://localhost/')).text();
  } finally {
    await miniflare.dispose();
  }
}

export default [
  {
    what: 'workerd',
    how: 'bundle with the condition `workerd`, as wrangler makes it',
    async run({ project, expected }) {
      assert.equal(await answerOf(project, ['workerd']), expected);
      return versionOf('workerd');
    },
  },
  {
    what: 'workerd',
    how: 'error for a bundle without it',
    unlisted: true,
    async run({ project }) {
      const wanted = /nearprint: this runtime compiles no WebAssembly at run time: bundle with .*"workerd"/;
      assert.match(await answerOf(project, []), wanted);
      return versionOf('workerd');
    },
  },
];
