// Vercel's Edge runtime, which compiles no bytes: its own emulation, and Next.js.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tool, versionOf } from '../tools.mjs';

/** Bundles the Worker as Vercel does: an import of `*.wasm?module` is a variable that the runtime provides. */
async function answerOf(project, conditions) {
  const { build } = await tool('esbuild');
  const { EdgeRuntime } = await tool('edge-runtime');
  const modules = {};
  const plugin = ({ onResolve, onLoad }) => {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path, importer }) => ({
      path: join(dirname(importer), path.replace('?module', '')),
      namespace: 'module',
    }));
    onLoad({ filter: /./, namespace: 'module' }, ({ path }) => {
      const name = basename(path, '.wasm');
      modules[name] = new WebAssembly.Module(readFileSync(path));
      return { contents: `export default ${name};` };
    });
  };
  const { outputFiles } = await build({
    ...{ bundle: true, write: false, format: 'iife', logLevel: 'error', conditions },
    stdin: {
      contents: `import worker from './worker.mjs';
        addEventListener('fetch', (event) => event.respondWith(worker.fetch()));`,
      resolveDir: project,
    },
    plugins: [{ name: 'vercel', setup: plugin }],
  });
  const runtime = new EdgeRuntime({
    codeGeneration: { strings: false, wasm: false },
    extend: (context) => Object.assign(context, modules),
    initialCode: outputFiles[0].text,
  });
  return (await runtime.dispatchFetch('http://localhost/')).text();
}

export default [
  {
    what: "Vercel's Edge runtime",
    how: '`edge-runtime` without code generation, bundle with the condition `edge-light`',
    async run({ project, expected }) {
      assert.equal(await answerOf(project, ['edge-light']), expected);
      return versionOf('edge-runtime');
    },
  },
  {
    what: "Vercel's Edge runtime",
    how: 'error for a bundle without the condition',
    unlisted: true,
    async run({ project }) {
      const wanted = /nearprint: this runtime compiles no WebAssembly at run time: bundle with .*"edge-light"/;
      assert.match(await answerOf(project, []), wanted);
      return versionOf('edge-runtime');
    },
  },
];
