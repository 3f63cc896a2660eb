// The entries of the package, and its package.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const at = (...path) => join(root, ...path);

const engines = ['d1', 'durable-object', 'memory', 'postgres', 'redis', 'sqlite'];

/** The entries that are ES modules and CommonJS. Maps the names in the package to files of js/. */
export const entries = {
  index: 'index',
  simhash: 'simhash',
  compat: 'compat',
  calibrate: 'calibrate',
  crawl: 'crawl',
  html: 'html',
  ...Object.fromEntries(engines.map((name) => [`store/${name}`, `stores/${name}`])),
};

/** Returns the path from the folder of an entry's file to the folder that has the entries. */
export const toEntries = (entry) => (entry.includes('/') ? '../' : './');

/** The export conditions of an entry: `require` gets CommonJS, and edge runtimes import the `.wasm` file. */
function conditions(name, module) {
  const file = (types, extension) => ({ types: `./types/${module}.${types}`, default: `./${name}.${extension}` });
  const edge = file('d.ts', 'edge.js');
  return {
    workerd: edge,
    'edge-light': edge,
    require: file('d.cts', 'cjs'),
    default: file('d.ts', 'js'),
  };
}

/** Writes the package.json of the package. */
export function writeManifest() {
  const { devDependencies, scripts, private: _, ...shared } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const others = Object.entries(entries).filter(([name]) => name !== 'index');
  const web = './types/web.d.ts';
  const manifest = {
    ...shared,
    // The only files with an effect when they are loaded.
    sideEffects: ['./*.cjs', './store/*.cjs', './cli.js', './cli-worker.js'],
    exports: {
      '.': conditions('index', 'index'),
      ...Object.fromEntries(others.map(([name, module]) => [`./${name}`, conditions(name, module)])),
      './web': { types: web, default: './web.js' },
      ...Object.fromEntries(['dedupe', 'simhash', 'compat'].map((name) => [`./${name}.wasm`, `./${name}.wasm`])),
      './package.json': './package.json',
    },
    // For tools that do not read `exports`.
    main: './index.cjs',
    module: './index.js',
    types: './types/index.d.ts',
    typesVersions: {
      '*': { ...Object.fromEntries(others.map(([name, module]) => [name, [`./types/${module}.d.ts`]])), web: [web] },
    },
    bin: { nearprint: 'cli.js' },
    files: ['*.js', '*.cjs', 'cjs', 'store', 'types', '*.wasm', 'CHANGELOG.md', 'LICENSE-*'],
  };
  writeFileSync(at('pkg', 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
