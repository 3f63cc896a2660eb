// Prints the size of each file of the package after Brotli, in bytes, and fails if one exceeds budget.json.
// `-- --print` never fails, and `-- --write` writes the sizes into docs/runtimes.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { fail, root } from './run.mjs';

const budget = JSON.parse(readFileSync(join(root, 'budget.json'), 'utf8'));
const names = [
  ...['index.js', 'cjs/index.cjs', 'index.workerd.js', 'index.edge-light.js', 'web.js', 'nearprint.wasm'],
  ...['compat.js', 'cjs/compat.cjs', 'compat.workerd.js', 'compat.edge-light.js', 'nearprint_compat.wasm'],
];

const rows = names.map((name) => {
  const size = brotliCompressSync(readFileSync(join(root, 'pkg', name))).length;
  return { name, size, limit: budget[name] };
});
for (const { name, size, limit } of rows) {
  const verdict = (limit ? ` of ${limit}` : '') + (size > limit ? '  OVER THE BUDGET' : '');
  console.log(name.padEnd(22), String(size).padStart(6) + verdict);
}

if (process.argv.includes('--write')) {
  const partOf = (name) => (name.includes('compat') ? 'nearprint/compat' : 'nearprint');
  const lines = rows.map(({ name, size }) => `| \`${partOf(name)}\` | \`${name}\` | ${(size / 1000).toFixed(1)} kB |`);
  const table = ['| part | file | after Brotli |', '| --- | --- | --- |', ...lines, ''].join('\n');
  const page = join(root, 'docs', 'runtimes.md');
  const written = readFileSync(page, 'utf8').replace(
    /(<!-- sizes -->\n)[\s\S]*?(<!-- end -->)/,
    (_, open, end) => open + table + end,
  );
  writeFileSync(page, written);
}

const over = rows.filter(({ size, limit }) => size > limit).map(({ name }) => name);
if (over.length > 0 && !process.argv.includes('--print')) fail(`over the budget of budget.json: ${over.join(', ')}`);
