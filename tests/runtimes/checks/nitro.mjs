// Nitro, the server of Nuxt, whose presets for Cloudflare and Vercel Edge bundle the package.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { edgeAnswer, emptyFolder, folderOf, tool, versionOf } from '../tools.mjs';

const route = `import { Deduplicator } from 'nearprint';
import { fingerprint, toHex } from 'nearprint/simhash';
export default defineEventHandler(() => {
  const kept = new Deduplicator().add('a', 'Good news');
  return toHex(fingerprint('hello')) + ' ' + kept.observe('b', 'GOOD NEWS!').status;
});
`;
const answer = '59a64c9013ee533d duplicate';

/** The options that docs/guides/edge.md names. */
const options = { experimental: { wasm: true }, wasm: { esmImport: true, lazy: false } };

/** Builds an application with one route by a preset, and returns its folder. */
export async function buildNitro(project, preset, route) {
  const { build, copyPublicAssets, createNitro, prepare } = await import(
    pathToFileURL(join(folderOf('nitropack'), 'dist', 'core', 'index.mjs'))
  );
  const folder = emptyFolder({ project }, 'nitro');
  await mkdir(join(folder, 'routes'));
  writeFileSync(join(folder, 'routes', 'index.ts'), route);
  const settings = { compatibilityDate: '2026-01-01', logLevel: 1 };
  const nitro = await createNitro({ preset, rootDir: folder, ...options, ...settings });
  await prepare(nitro);
  await copyPublicAssets(nitro);
  await build(nitro);
  await nitro.close();
  return folder;
}

/** Returns the modules of a folder in miniflare's form, the entry first. */
function modulesIn(folder, entry) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.(m?js|wasm)$/.test(name));
  return names
    .sort((a) => (a === entry ? -1 : 1))
    .map((name) => ({
      type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
      path: join(folder, name),
      contents: readFileSync(join(folder, name)),
    }));
}

export default [
  {
    what: 'Nitro',
    how: 'preset `cloudflare-module` in workerd',
    async run({ project }) {
      const { Miniflare } = await tool('miniflare');
      const folder = join(await buildNitro(project, 'cloudflare-module', route), '.output', 'server');
      const modules = modulesIn(folder, 'index.mjs');
      const options = { compatibilityDate: '2026-01-01', compatibilityFlags: ['nodejs_compat'] };
      const miniflare = new Miniflare({ modules, modulesRoot: folder, ...options });
      try {
        assert.equal(await (await miniflare.dispatchFetch('http://localhost/')).text(), answer);
      } finally {
        await miniflare.dispose();
      }
      return versionOf('nitropack');
    },
  },
  {
    what: 'Nitro',
    how: 'preset `vercel-edge` in `edge-runtime` with `eval` and the compilation of WebAssembly disabled',
    async run({ project }) {
      const folder = join(
        await buildNitro(project, 'vercel-edge', route),
        '.vercel',
        'output',
        'functions',
        '__fallback.func',
      );
      const { runtime, entrypoint } = JSON.parse(readFileSync(join(folder, '.vc-config.json'), 'utf8'));
      assert.equal(runtime, 'edge');
      const program = `import handle from './${entrypoint}';
        addEventListener('fetch', (event) => event.respondWith(handle(event.request, event)));`;
      assert.equal(await edgeAnswer(program, folder), answer);
      return versionOf('nitropack');
    },
  },
];
