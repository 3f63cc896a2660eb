// Cloudflare's workerd, by miniflare, with a bundle as wrangler makes it: the condition `workerd`, *.wasm compiled before.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder, tool, versionOf } from '../tools.mjs';

async function answerOf(project, conditions) {
  const { build } = await tool('esbuild');
  const { Miniflare } = await tool('miniflare');
  const folder = emptyFolder({ project }, 'worker');
  await build({
    ...{ entryPoints: [join(project, 'worker.mjs')], outfile: join(folder, 'worker.mjs') },
    ...{ bundle: true, format: 'esm', conditions, loader: { '.wasm': 'copy' }, logLevel: 'error' },
  });
  const modules = readdirSync(folder)
    .sort((a) => (a === 'worker.mjs' ? -1 : 1))
    .map((name) => ({
      type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
      path: name,
      contents: readFileSync(join(folder, name)),
    }));
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
    how: 'bundle with the condition `workerd`',
    async run({ project, expected }) {
      assert.equal(await answerOf(project, ['workerd']), expected);
      return versionOf('workerd');
    },
  },
  {
    what: 'workerd',
    how: 'told of a bundle without it',
    async run({ project }) {
      const wanted =
        /nearprint: this runtime takes no WebAssembly at run time: have the bundler resolve with.*"workerd"/;
      assert.match(await answerOf(project, []), wanted);
      return versionOf('workerd');
    },
  },
];
