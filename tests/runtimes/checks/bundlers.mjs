// Bundles of the page script, which Chromium loads from a plain static server.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browse, chromium, emptyFolder, sameInChromium, tool, versionOf, writePage } from '../tools.mjs';

const scripts = { nearprint: 'page.mjs', '`nearprint/web`': 'page-web.mjs' };

/** The bundlers: functions that bundle an entry of the project into main.js in a folder. */
export const bundlers = {
  async vite(project, entry, folder) {
    const { build } = await tool('vite');
    const output = { entryFileNames: 'main.js' };
    const rolldownOptions = { input: join(project, entry), output };
    await build({ root: project, base: './', logLevel: 'error', build: { outDir: folder, rolldownOptions } });
  },
  async webpack(project, entry, folder) {
    const { default: webpack } = await tool('webpack');
    const settings = {
      ...{ mode: 'production', context: project, entry: `./${entry}`, performance: { hints: false } },
      output: { path: folder, filename: 'main.js', publicPath: 'auto' },
    };
    const stats = await new Promise((resolve, reject) => {
      webpack(settings, (error, stats) => (error ? reject(error) : resolve(stats)));
    });
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
  },
  async rollup(project, entry, folder) {
    const { rollup } = await tool('rollup');
    const { nodeResolve } = await tool('@rollup/plugin-node-resolve');
    const bundle = await rollup({ input: join(project, entry), plugins: [nodeResolve({ browser: true })] });
    await bundle.write({ file: join(folder, 'main.js'), format: 'es' });
    await bundle.close();
  },
  async esbuild(project, entry, folder) {
    const { build } = await tool('esbuild');
    const settings = { bundle: true, minify: true, format: 'esm', logLevel: 'error' };
    await build({ entryPoints: [join(project, entry)], outfile: join(folder, 'main.js'), ...settings });
  },
  async parcel(project, entry, folder) {
    const { Parcel } = await tool('@parcel/core');
    writePage(join(project), entry);
    const parcel = new Parcel({
      entries: join(project, 'index.html'),
      defaultConfig: '@parcel/config-default',
      mode: 'production',
      defaultTargetOptions: { distDir: folder, publicUrl: './', sourceMaps: false },
      cacheDir: join(project, '.parcel-cache'),
      shouldAutoInstall: false,
      // For a newer browser Parcel writes an import map into the page, which the policy forbids.
      targets: { page: { distDir: folder, context: 'browser', publicUrl: './', engines: { browsers: 'chrome 91' } } },
    });
    await parcel.run();
  },
};

/** These do not copy the `.wasm` file. */
const copiesNothing = ['rollup', 'esbuild'];

/** A classic script is read in the encoding of its page, which must be UTF-8 for the module's string literal. */
const misread = {
  what: 'esbuild',
  how: 'error for a page in another encoding',
  unlisted: true,
  async run({ project }) {
    const { build } = await tool('esbuild');
    const folder = emptyFolder({ project }, 'bundle');
    const settings = { bundle: true, format: 'iife', charset: 'utf8', logLevel: 'error' };
    await build({ entryPoints: [join(project, 'page.mjs')], outfile: join(folder, 'main.js'), ...settings });
    writeFileSync(
      join(folder, 'index.html'),
      '<!doctype html><meta charset="windows-1252"><script defer src="main.js"></script>',
    );
    assert.match(await browse(chromium(), folder), /was not decoded as UTF-8: add <meta charset="utf-8">/);
    return versionOf('esbuild');
  },
};

const bundles = Object.entries(bundlers).flatMap(([name, bundle]) =>
  Object.entries(scripts)
    .filter(([how]) => how === 'nearprint' || !copiesNothing.includes(name))
    .map(([how, script]) => ({
      what: { vite: 'Vite', webpack: 'webpack', rollup: 'Rollup', esbuild: 'esbuild', parcel: 'Parcel' }[name],
      how: how === 'nearprint' ? 'bundle' : how,
      async run({ project, expected }) {
        const folder = emptyFolder({ project }, 'bundle');
        await bundle(project, script, folder);
        if (!readdirSync(folder).includes('index.html')) writePage(folder, 'main.js');
        await sameInChromium(folder, expected);
        return versionOf(name);
      },
    })),
);

export default [...bundles, misread];
