// The stores of Workers, in miniflare: D1 through its binding, D1 and a Durable Object through a Worker.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { d1Store } from 'nearprint/store/d1';
import { decode, encode } from './wire.mjs';

const here = dirname(fileURLToPath(import.meta.url));

// Miniflare waits for a thread at each use of a binding. The thread's notification of one call can arrive during the wait for
// the next call, which must go on then.
const { wait } = Atomics;
Atomics.wait = (array, index, value, timeout) => {
  for (;;) {
    const result = wait(array, index, value, timeout);
    if (result !== 'ok' || Atomics.load(array, index) !== value) return result;
  }
};

/** Bundles a Worker as wrangler does. Returns its modules. */
export async function bundle(entry) {
  const modules = [];
  // Its rules for modules include `**/*.wasm?module`.
  const setup = ({ onResolve }) => {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => {
      const contents = readFileSync(join(resolveDir, basename(path, '?module')));
      if (modules.every((module) => module.path !== basename(path))) {
        modules.push({ type: 'CompiledWasm', path: basename(path), contents });
      }
      return { path: `./${basename(path)}`, external: true };
    });
  };
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    outdir: here,
    // Not the project's tsconfig.json, which maps the package's name to its sources.
    tsconfigRaw: '{}',
    nodePaths: [`${here}/node_modules`],
    plugins: [{ name: 'wrangler', setup }],
    target: 'es2022',
    logLevel: 'warning',
  });
  return [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text }, ...modules];
}

/** Starts a Worker. */
export async function start(entry, bindings) {
  const runtime = new Miniflare({ modules: await bundle(entry), compatibilityDate: '2026-01-01', ...bindings });
  await runtime.ready;
  return runtime;
}

/** Returns `{ client, store, close }` of a store in D1 that Node uses through the binding. */
export async function d1(options) {
  const runtime = new Miniflare({ modules: true, script: 'export default {}', d1Databases: { DB: 'seen' } });
  const client = await runtime.getD1Database('DB');
  return { client, store: d1Store(client, options), close: () => runtime.dispose() };
}

/** A store whose methods are requests to store-worker.mjs. */
class Remote {
  scheme = 's1';
  #send;

  constructor(send) {
    this.#send = send;
    for (const method of [
      'observe',
      'peek',
      'confirm',
      'release',
      'add',
      'query',
      'read',
      'delete',
      'prune',
      'count',
    ]) {
      this[method] = (...args) =>
        this.#call(
          method,
          args.filter((each) => each !== undefined),
        );
    }
  }

  async #call(method, args) {
    // JSON has no Infinity.
    const text = JSON.stringify(encode(args), (_, value) => (value === Infinity ? 2 ** 32 - 1 : value));
    const { result, error } = await this.#send({ method, args: JSON.parse(text) });
    if (error) throw Object.assign(new Error(error.message), error);
    return decode(result);
  }

  async get(id) {
    return (await this.#call('get', [id])) ?? undefined;
  }

  async *entries() {
    yield* await this.#call('entries', []);
  }
}

/**
 * Starts store-worker.mjs. Returns `{ open, run, setTime, close }`: `open` returns `{ store, close }`, and `run` runs a
 * statement in its database.
 */
async function startRemote(bindings) {
  const runtime = await start(`${here}/store-worker.mjs`, bindings);
  let now = null;
  let opening = 0;
  const send = async (body) => {
    const response = await runtime.dispatchFetch('http://store/', { method: 'POST', body: JSON.stringify(body) });
    return response.json();
  };
  return {
    open(options = {}) {
      const own = opening++;
      return { store: new Remote((call) => send({ ...call, now, opening: own, options })), close() {} };
    },
    run: (statement) => send({ statement }),
    setTime(seconds) {
      now = seconds;
    },
    close: () => runtime.dispose(),
  };
}

export const durableObject = () => startRemote({ durableObjects: { SEEN: { className: 'Seen', useSQLite: true } } });

/** D1 in a Worker: for many calls, since each use of the binding by Node is a request. */
export const d1InWorker = () => startRemote({ d1Databases: { DB: 'seen' } });
