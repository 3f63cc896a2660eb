// npm run docs: writes the site into build/docs: the guides and the TypeScript declarations by TypeDoc, the crate by
// rustdoc. A broken link is an error, and so is a page that fails the checks in a browser.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from '../tests/browser/run.mjs';
import { readArguments } from './arguments.mjs';
import { build } from './build.mjs';
import { bundle, fail, root, run, say } from './run.mjs';
import { installPackages } from './setup.mjs';

const to = join(root, 'build', 'docs');

/**
 * Bundles a script of docs/site/, with the package if the script imports it. A page that is opened as a file may run a
 * classic script, but not a module.
 */
const bundleScript = (name, outdir) =>
  bundle({
    entryPoints: [`docs/site/${name}`],
    outdir,
    alias: { 'nearprint/simhash': './pkg/simhash.js', nearprint: './pkg/index.js' },
    format: 'iife',
    target: 'es2023',
    charset: 'utf8',
    minify: true,
  });

readArguments('');
await build();
const tool = join(root, 'docs', 'typedoc');
installPackages(tool, 'TypeDoc');

rmSync(to, { recursive: true, force: true });
// TypeDoc copies this script and adds it to every page.
await bundleScript('site.ts', join(root, 'build', 'site'));
say('TypeDoc');
const typedoc = join(tool, 'node_modules', 'typedoc', 'bin', 'typedoc');
run(process.execPath, [typedoc, '--options', join(tool, 'typedoc.json')]);
await bundleScript('votes.ts', join(to, 'assets'));
const { siteSections } = await import('../docs/site/sections.mjs');
// Replaces TypeDoc's index, which every page loads.
writeFileSync(join(to, 'assets', 'search.js'), `siteSections=${JSON.stringify(siteSections(to))}`);
say('rustdoc');
run('cargo', ['doc', '--locked', '--no-deps', '--quiet', '--package', 'nearprint', '--features', 'compat'], {
  env: { RUSTDOCFLAGS: '--deny warnings' },
});
cpSync(join(root, 'target', 'doc'), join(to, 'rust'), { recursive: true });

const { brokenLinks } = await import('../tests/site/links.mjs');
const broken = brokenLinks(to, 'rust');
if (broken.length > 0) fail(`links of the site:\n${broken.join('\n')}`);
const CHROMIUM = findBrowser('CHROMIUM');
run(process.execPath, ['--test', join('tests', 'site', 'links.test.mjs')]);
if (CHROMIUM) run(process.execPath, ['--test', join('tests', 'site', 'site.test.mjs')], { env: { CHROMIUM } });
say('the site is build/docs/index.html');
