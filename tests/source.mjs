// Imports a source file in TypeScript, which Node 20 cannot import.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Resolves the package, which the page imports by its name, to the built one: the compiler's `paths` lead to its source. The
 * modules of WebAssembly start as in the command line.
 */
function resolvePackage({ onResolve }) {
  onResolve({ filter: /^nearprint(\/|$)/ }, ({ path }) => {
    const entry = path.slice('nearprint/'.length) || 'index';
    return { path: pathToFileURL(join(root, 'pkg', `${entry}.js`)).href, external: true };
  });
  onResolve({ filter: /^#boot$/ }, () => ({ path: join(root, 'js', 'boot', 'file.ts') }));
  const glueOf = (name) => join(root, 'build', 'wasm', name, `${name}.js`);
  const modules = { '#dedupe': 'cli', '#simhash': 'simhash' };
  onResolve({ filter: /^#(dedupe|simhash)$/ }, ({ path }) => ({ path: glueOf(modules[path]) }));
}

/** Bundles a source file, whose path is relative to the root, and resolves to its exports. */
export async function importSource(path) {
  const { outputFiles } = await build({
    entryPoints: [join(root, path)],
    write: false,
    bundle: true,
    packages: 'external',
    plugins: [{ name: 'package', setup: resolvePackage }],
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const file = join(root, 'build', 'tests', path.replace(/\.[jt]s$/, '.mjs'));
  mkdirSync(dirname(file), { recursive: true });
  // Renamed, since test files that run at the same time may import the same source.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, outputFiles[0].contents);
  renameSync(draft, file);
  return import(pathToFileURL(file));
}
