// The stores of Workers, in miniflare: D1 whose statements Node sends, and D1 and a Durable Object in a Worker.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { d1Store } from 'nearprint/store/d1';
import { decode, encode } from './wire.mjs';

const here = dirname(fileURLToPath(import.meta.url));

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

/** A Worker that runs a batch of statements. The proxy of miniflare would make several requests for each statement. */
const batchWorker = `export default {
  async fetch(request, { DB }) {
    const values = ({ values }) => values.map((value) => (value?.$bytes ? new Uint8Array(value.$bytes) : value));
    const statements = (await request.json()).map((each) => DB.prepare(each.query).bind(...values(each)));
    const answer = DB.batch(statements).then((results) => ({ results }), ({ message }) => ({ message }));
    return Response.json(await answer);
  },
}`;

/** Returns `{ client, store, close }` of a store in D1. `client` has the methods of the binding that a store and the tests use. */
export async function d1(options) {
  const runtime = new Miniflare({ modules: true, script: batchWorker, d1Databases: { DB: 'seen' } });
  await runtime.ready;
  const client = {
    prepare(query, values = []) {
      const all = async () => (await client.batch([{ query, values }]))[0];
      return { query, values, bind: (...bound) => client.prepare(query, bound), all, run: all };
    },
    async batch(statements) {
      const body = JSON.stringify(encode(statements));
      const response = await runtime.dispatchFetch('http://d1/', { method: 'POST', body });
      const { results, message } = await response.json();
      if (message !== undefined) throw new Error(message);
      return results;
    },
  };
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
 * Starts store-worker.mjs. Returns `{ open, run, setTime, close, stop }`: `open` returns `{ store, close }`, `run` runs a statement in
 * its database, and `stop` ends it.
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
    close() {
      now = null;
    },
    stop: () => runtime.dispose(),
  };
}

export const durableObject = () => startRemote({ durableObjects: { SEEN: { className: 'Seen', useSQLite: true } } });

/** D1 in a Worker: for many calls, since each use of the binding by Node is a request. */
export const d1InWorker = () => startRemote({ d1Databases: { DB: 'seen' } });
