// npm run build:www: builds the package, and the demo page from www/ into build/www, for any static host. With --url=ADDRESS, a link to
// the page has a picture. Also a library that builds the page.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMain, readArguments } from './arguments.mjs';
import { build } from './build.mjs';
import { bundlePage } from './build-bundles.mjs';
import { copyBundledLicenses } from './licenses.mjs';
import { isPublished } from './publication.mjs';
import { bundle, root, say } from './run.mjs';

const at = (...path) => join(root, ...path);

export const pageFolder = at('build', 'www');

/** The content security policy, as a header. Workers need the header: they ignore the page's meta element. */
export function policy() {
  const html = readFileSync(at('www', 'index.html'), 'utf8');
  const [, content] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html);
  return `${content}; frame-ancestors 'none'`;
}

/** The package, as the page imports it: built, or from its sources, for a bundle that has a module of its own. */
const alias = { nearprint: './pkg/index.js', 'nearprint/simhash': './pkg/simhash.js' };
const sources = { nearprint: './js/index.ts', 'nearprint/simhash': './js/simhash.ts' };

/** Returns the options of a bundle of files of www/ into the page's folder. */
const optionsOf = (...names) => ({
  entryPoints: names.map((name) => `www/${name}`),
  outdir: pageFolder,
  target: 'es2024',
  charset: 'utf8',
  minify: true,
  format: 'esm',
  define: links(),
});

const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const { name, homepage, repository } = manifest;

/**
 * Returns the addresses that the page links to, and whether the package is published. If package.json has no home page, the
 * documentation is the README on npm.
 */
function links() {
  const npm = isPublished(manifest) ? `https://www.npmjs.com/package/${name}` : '';
  return {
    DOCUMENTATION: JSON.stringify(homepage ?? (npm && `${npm}#readme`)),
    REPOSITORY: JSON.stringify(repository?.url.replace(/^git\+|\.git$/g, '') ?? ''),
    NPM: JSON.stringify(npm),
    IS_PUBLISHED: `${isPublished(manifest)}`,
  };
}

/** Returns links that load what a program imports together with the program. */
function preloads(program) {
  const paths = Array.from(program.matchAll(/\bfrom"(\.\/[\w-]+\.js)"/g), ([, path]) => path);
  if (program !== '' && paths.length === 0) throw new Error('the program of the page imports no file to load with it');
  return paths.map((path) => `<link rel="modulepreload" href="${path}">`).join('');
}

/** The notice in index.html that the package is not published. */
const NOTICE = / <span [^>]*data-t="notPublished">.*?<\/span>/;

/**
 * Returns index.html with the first screen in its placeholders. `url` is the address of the page, which makes the address of its
 * picture absolute, or ''; `program` is the text of app.js.
 */
export async function firstPage(url, program = '') {
  const { outputFiles } = await bundle({
    entryPoints: ['www/first-screen.ts'],
    write: false,
    format: 'esm',
    platform: 'node',
    alias,
    define: { 'location.search': '""', 'navigator.languages': '["en"]' },
  });
  const { firstScreen } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  const texts = {
    ...firstScreen,
    picture: url === '' ? 'preview.png' : new URL('preview.png', url).href,
    preloads: preloads(program),
  };
  const html = readFileSync(at('www', 'index.html'), 'utf8');
  if (!NOTICE.test(html)) throw new Error('www/index.html has no notice that the package is not published');
  return (isPublished(manifest) ? html.replace(NOTICE, '') : html).replace(/\{\{([\w-]+)\}\}/g, (placeholder, name) => {
    if (!Object.hasOwn(texts, name)) throw new Error(`www/index.html: the first screen has no text for ${placeholder}`);
    return texts[name];
  });
}

/** Builds the page. Needs pkg/. `url` is its address, if it is known. */
export async function buildPage(url = '') {
  rmSync(pageFolder, { recursive: true, force: true });
  // The page and the Worker of its first screen share a module, which has no decisions.
  const programs = { ...optionsOf('app.ts', 'worker.ts', 'style.css'), splitting: true };
  for (const { path, text } of await bundlePage({ ...programs, alias: sources })) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  await bundle({ ...optionsOf('duplicates-worker.ts'), alias });
  await bundle({ ...optionsOf('before-paint.ts'), format: 'iife' }); // A classic script.
  const program = readFileSync(join(pageFolder, 'app.js'), 'utf8');
  writeFileSync(join(pageFolder, 'index.html'), await firstPage(url, program));
  cpSync(at('www', 'icon.svg'), join(pageFolder, 'icon.svg'));
  copyBundledLicenses(pageFolder);
  cpSync(at('docs', 'page.png'), join(pageFolder, 'preview.png'));
  for (const file of ['sample.jsonl', 'sample.md']) cpSync(at('examples', file), join(pageFolder, file));
  // Hosts of static files read it.
  const headers = `/*\n  Content-Security-Policy: ${policy()}\n  X-Content-Type-Options: nosniff\n`;
  writeFileSync(join(pageFolder, '_headers'), headers);
}

if (isMain(import.meta.url)) {
  const { url } = readArguments('[--url ADDRESS]');
  await build();
  await buildPage(url);
  say(`the page is in ${pageFolder}`);
}
