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

async function bundle() {
  const { build } = await import('esbuild'); // Imported late: setup.mjs may have to install it first.
  await build({
    absWorkingDir: root,
    entryPoints: ['www/app.js', 'www/worker.js', 'www/style.css', 'www/early-theme.js'],
    outdir: pageFolder,
    alias: { nearprint: './pkg/index.js' },
    define: { WASM_BYTES: `${statSync(at('pkg', 'nearprint.wasm')).size}` },
    bundle: true,
    splitting: true, // The page and its Worker share the package.
    format: 'esm',
    target: 'es2024',
    charset: 'utf8',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** The service worker, with the files that it caches. Its cache has a new name whenever one of them changes. */
function serviceWorker() {
  const files = readdirSync(pageFolder).sort();
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(pageFolder, file)));
  const list = ['./', ...files].map((file) => `'${file}'`).join(', ');
  return readFileSync(at('www', 'service-worker.js'), 'utf8')
    .replace('@VERSION@', `${version}-${hash.digest('hex').slice(0, 12)}`)
    .replace("'@FILES@'", list);
}

export async function buildPage() {
  rmSync(pageFolder, { recursive: true, force: true });
  await bundle();
  for (const file of ['index.html', 'icon.svg']) cpSync(at('www', file), join(pageFolder, file));
  cpSync(at('node_modules', 'diff', 'LICENSE'), join(pageFolder, 'LICENSE-diff.txt'));
  writeFileSync(join(pageFolder, 'service-worker.js'), serviceWorker());
  // Not in the service worker's list: the samples load on request, and hosts read `_headers`.
  for (const file of ['sample.jsonl', 'sample.md']) cpSync(at('examples', file), join(pageFolder, file));
  const headers = `/*\n  Content-Security-Policy: ${policy()}\n  X-Content-Type-Options: nosniff\n`;
  writeFileSync(join(pageFolder, '_headers'), headers);
}
