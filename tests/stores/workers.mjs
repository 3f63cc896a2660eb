// The stores of Workers, in miniflare: D1 through its binding, a Durable Object through a Worker.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { Sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';

const here = dirname(fileURLToPath(import.meta.url));

/** Bundles a Worker as wrangler does. Returns its modules. */
export async function bundle(entry) {
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
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    target: 'es2022',
    logLevel: 'warning',
  });
  const of = (ending) => outputFiles.find(({ path }) => path.endsWith(ending));
  return [
    { type: 'ESModule', path: 'worker.mjs', contents: of('.js').text },
    { type: 'CompiledWasm', path: of('.wasm').path.split('/').at(-1), contents: of('.wasm').contents },
  ];
}

export async function d1(options, location = {}) {
  const runtime = new Miniflare({
    modules: true,
    script: 'export default {}',
    d1Databases: { DB: 'seen' },
    ...location,
  });
  const binding = await runtime.getD1Database('DB');
  return { client: binding, store: d1Store(binding, options), close: () => runtime.dispose() };
}

/** A store whose methods are requests to the Worker, which calls those of its object. */
class Remote {
  #fetch;

  constructor(fetch) {
    this.#fetch = fetch;
  }

  async #call(method, argument) {
    const response = await this.#fetch('http://store/', { method: 'POST', body: JSON.stringify({ method, argument }) });
    const { result, error } = await response.json();
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  }

  addIfNew = (docs) => this.#call('addIfNew', packed(docs));
  add = (docs) => this.#call('add', packed(docs));
  query = (sketch, options) => this.#call('query', { sketch: sketch.toHex(), options });
  delete = (ids) => this.#call('delete', [...ids]);
  count = () => this.#call('count');

  async get(id) {
    const hex = await this.#call('get', id);
    return hex === null ? undefined : Sketch.fromHex(hex);
  }

  async *entries() {
    for (const { id, sketch } of await this.#call('entries')) yield { id, sketch: Sketch.fromHex(sketch) };
  }
}

const packed = (docs) => Array.from(docs, ({ id, sketch }) => ({ id, sketch: sketch.toHex() }));

async function remote(bindings) {
  const runtime = new Miniflare({
    modules: await bundle(`${here}/store-worker.mjs`),
    compatibilityDate: '2026-01-01',
    ...bindings,
  });
  await runtime.ready;
  return { store: new Remote((...request) => runtime.dispatchFetch(...request)), close: () => runtime.dispose() };
}

export const durableObject = () => remote({ durableObjects: { SEEN: { className: 'Seen', useSQLite: true } } });

/** A store in D1 whose binding is used in a Worker: for many calls, since each use of the binding by Node is a request. */
export const d1InWorker = () => remote({ d1Databases: { DB: 'seen' } });
