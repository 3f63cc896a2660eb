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

const bundlePage = () =>
  bundle(['app.ts', 'worker.ts', 'style.css', 'early-theme.ts'], {
    alias: { nearprint: './pkg/index.js', '#csv': 'csv-parse/browser/esm' },
    define: { WASM_BYTES: `${statSync(at('pkg', 'nearprint.wasm')).size}` },
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
  for (const name of ['csv-parse', 'diff']) {
    cpSync(at('node_modules', name, 'LICENSE'), join(pageFolder, `LICENSE-${name}.txt`));
  }
  await bundleServiceWorker();
  // Not in the service worker's list: the samples load on request, and hosts read `_headers`.
  for (const file of ['sample.jsonl', 'sample.md']) cpSync(at('examples', file), join(pageFolder, file));
  const headers = `/*\n  Content-Security-Policy: ${policy()}\n  X-Content-Type-Options: nosniff\n`;
  writeFileSync(join(pageFolder, '_headers'), headers);
}
