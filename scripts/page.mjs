// Builds the demo page from www/ into build/www. Needs pkg/.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const at = (...path) => join(root, ...path);

/** The folder of the built page. */
export const pageFolder = at('build', 'www');

/** The content security policy, as a header. Workers need the header: they ignore the page's meta element. */
export function policy() {
  const html = readFileSync(at('www', 'index.html'), 'utf8');
  const [, content] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html);
  return `${content}; frame-ancestors 'none'`;
}

/** Bundles files of www/ into the page's folder. */
async function bundle(names, options) {
  const { build } = await import('esbuild'); // Imported late: setup.mjs may have to install it first.
  await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => `www/${name}`),
    outdir: pageFolder,
    bundle: true,
    target: 'es2024',
    charset: 'utf8',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  });
}

/** Returns the addresses that the page links to. Without them in package.json, only the package on npm is known. */
function links() {
  const { name, homepage = '', repository = '' } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const url = repository.url ?? repository;
  const addresses = {
    DOCUMENTATION: homepage,
    REPOSITORY: url.replace(/^git\+/, '').replace(/\.git$/, ''),
    NPM: `https://www.npmjs.com/package/${name}`,
  };
  // One string for each: esbuild puts an object into a chunk, which early-theme.js, a classic script, cannot import.
  return Object.fromEntries(Object.entries(addresses).map(([key, value]) => [key, JSON.stringify(value)]));
}

const bundlePage = () =>
  bundle(['app.ts', 'worker.ts', 'style.css', 'early-theme.ts'], {
    alias: { nearprint: './pkg/index.js' },
    define: { WASM_BYTES: `${statSync(at('pkg', 'nearprint.wasm')).size}`, ...links() },
    format: 'esm',
    splitting: true, // The page and its Worker share the package.
  });

/** Bundles the service worker with the files that it caches. Its cache has a new name whenever one of them changes. */
async function bundleServiceWorker() {
  const files = readdirSync(pageFolder).sort();
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(pageFolder, file)));
  const cache = `nearprint ${version}-${hash.digest('hex').slice(0, 12)}`;
  await bundle(['service-worker.ts'], {
    define: { CACHE: JSON.stringify(cache), FILES: JSON.stringify(['./', ...files]) },
    format: 'iife', // It is registered as a classic script, which all browsers accept.
  });
}

export async function buildPage() {
  rmSync(pageFolder, { recursive: true, force: true });
  await bundlePage();
  for (const file of ['index.html', 'icon.svg']) cpSync(at('www', file), join(pageFolder, file));
  cpSync(at('node_modules', 'diff', 'LICENSE'), join(pageFolder, 'LICENSE-diff.txt'));
  await bundleServiceWorker();
  // Not in the service worker's list: the samples load on request, and hosts read `_headers`.
  for (const file of ['sample.jsonl', 'sample.md']) cpSync(at('examples', file), join(pageFolder, file));
  const headers = `/*\n  Content-Security-Policy: ${policy()}\n  X-Content-Type-Options: nosniff\n`;
  writeFileSync(join(pageFolder, '_headers'), headers);
}
