// Vercel's Edge runtime, which compiles no bytes: its own emulation, and Next.js.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { programOf, run, tool, versionOf } from '../tools.mjs';

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

/** Builds script/next, and returns the responses of its server to the paths. */
async function nextResponses(folder, paths) {
  const options = { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CI: '1' } };
  await run(process.execPath, [programOf('next'), 'build', '--turbopack'], { ...options, timeout: 600_000 });
  const server = spawn(
    process.execPath,
    [programOf('next'), 'start', '--port', '0', '--hostname', '127.0.0.1'],
    options,
  );
  try {
    let printed = '';
    for await (const chunk of server.stdout) {
      printed += chunk;
      if (printed.includes('Ready')) break;
    }
    const [url] = /http:\S+/.exec(printed);
    return await Promise.all(paths.map((path) => fetch(url + path)));
  } finally {
    const closed = once(server, 'close');
    server.kill();
    await closed;
  }
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
  {
    what: 'Next.js',
    how: 'edge route, Node route and proxy, built by Turbopack',
    async run({ project, expected }) {
      const [edge, node] = await nextResponses(join(project, 'next'), ['/edge', '/node']);
      for (const [response, wanted] of [
        [edge, 'string'],
        [node, 'undefined'],
      ]) {
        const { status, fingerprint, edge } = Object.fromEntries(response.headers);
        assert.deepEqual([status, fingerprint, edge], ['new', '59a64c9013ee533d', wanted]);
        assert.equal(await response.text(), expected);
      }
      return versionOf('next');
    },
  },
];
