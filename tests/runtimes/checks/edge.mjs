// Vercel's Edge runtime, which compiles no bytes: its own emulation, and Next.js.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { edgeAnswer, programOf, run, versionOf } from '../tools.mjs';

const program = `import worker from './worker.mjs';
  addEventListener('fetch', (event) => event.respondWith(worker.fetch()));`;

const nextOptions = (folder) => ({ cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CI: '1' } });

/** Builds an application of Next.js. */
export async function buildNext(folder) {
  await run(process.execPath, [programOf('next'), 'build', '--turbopack'], nextOptions(folder));
}

/** Builds script/next, and returns the responses of its server to the paths. */
async function nextResponses(folder, paths) {
  await buildNext(folder);
  const server = spawn(
    process.execPath,
    [programOf('next'), 'start', '--port', '0', '--hostname', '127.0.0.1'],
    nextOptions(folder),
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
    how: '`edge-runtime` with `eval` and the compilation of WebAssembly disabled, bundle with the condition `edge-light`',
    async run({ project, expected }) {
      assert.equal(await edgeAnswer(program, project, ['edge-light']), expected);
      return versionOf('edge-runtime');
    },
  },
  {
    what: "Vercel's Edge runtime",
    how: 'error for a bundle without the condition',
    unlisted: true,
    async run({ project }) {
      const wanted = /nearprint: this runtime compiles no WebAssembly at run time: bundle with .*"edge-light"/;
      assert.match(await edgeAnswer(program, project), wanted);
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
