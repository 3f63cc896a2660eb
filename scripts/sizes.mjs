// Prints sizes after Brotli, in bytes, and fails if one exceeds budget.json: of the files of the package, and of Workers that
// import a part of it, bundled by esbuild with the modules that they load. `-- --print` never fails, and `-- --write` writes
// the sizes into docs/runtimes.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { readArguments } from './arguments.mjs';
import { bundle, fail, root } from './run.mjs';
import { formatTable, writeTable } from './table.mjs';

const { print, write } = readArguments('[--print] [--write]');
const budget = JSON.parse(readFileSync(join(root, 'budget.json'), 'utf8'));
const pkg = (name) => join(root, 'pkg', name);
const compressed = (bytes) => brotliCompressSync(bytes).length;

const files = ['dedupe.wasm', 'dedupe.js', 'simhash.wasm', 'simhash.js', 'compat.wasm', 'compat.js', 'web.js'];

/** The imports of the Workers. */
const workers = {
  'a Worker with fingerprint': "export { fingerprint } from 'nearprint/simhash';",
  'a Worker with NearIndex': "export { NearIndex } from 'nearprint/simhash';",
  'a Worker with dedupe': "export { dedupe } from 'nearprint';",
  'a Worker with sketch and a D1 store':
    "export { sketch } from 'nearprint'; export { d1Store } from 'nearprint/store/d1';",
  'a Worker with everything': "export * from 'nearprint'; export * from 'nearprint/simhash';",
};

/** Returns the size of a Worker and of the modules that it loads. */
async function sizeOfWorker(contents) {
  const loaded = new Set();
  const options = { stdin: { contents, resolveDir: root }, write: false, format: 'esm', minify: true };
  const { outputFiles } = await bundle(options, ({ onResolve }) => {
    onResolve({ filter: /^nearprint(\/|$)/ }, ({ path }) => ({
      path: pkg(`${path.slice('nearprint/'.length) || 'index'}.edge.js`),
      sideEffects: false,
    }));
    onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({ path, external: true }));
  });
  for (const [, name] of outputFiles[0].text.matchAll(/"\.\/(\w+\.wasm)\?module"/g)) loaded.add(name);
  const modules = [...loaded].map((name) => compressed(readFileSync(pkg(name))));
  return modules.reduce((sum, size) => sum + size, compressed(outputFiles[0].contents));
}

const sizes = files.map((name) => [name, compressed(readFileSync(pkg(name)))]);
for (const [name, contents] of Object.entries(workers)) sizes.push([name, await sizeOfWorker(contents)]);
const rows = sizes.map(([name, size]) => ({ name, size, limit: budget[name] }));
for (const { name, size, limit } of rows) {
  const verdict = (limit ? ` of ${limit}` : '') + (size > limit ? '  OVER THE BUDGET' : '');
  console.log(name.padEnd(36), String(size).padStart(6) + verdict);
}

if (write) {
  const cells = rows.map(({ name, size }) => [
    name.includes(' ') ? name : `\`${name}\``,
    `${(size / 1000).toFixed(1)} kB`,
  ]);
  writeTable(
    'docs/runtimes.md',
    'sizes',
    formatTable([['file, or Worker with its modules', 'after Brotli'], ...cells]),
  );
}

const over = rows.filter(({ size, limit }) => size > limit).map(({ name }) => name);
if (over.length > 0 && !print) fail(`over the budget of budget.json: ${over.join(', ')}`);
