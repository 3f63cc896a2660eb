// Writes the TypeScript declarations of the package. The folders are those of js/, so relative imports stay as they are.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root, run } from './run.mjs';

const emitted = join(root, 'build', 'types');

/** Matches the specifier of a relative import, and captures it without its extension. */
const relativeImport = /(?<=\b(?:from|import) ?\(?["'])(\.\.?\/[^"']+)\.js(?=["'])/g;

/** Returns the declarations of entries and of all modules that these import: a Map from module to text. */
function collect(entries) {
  const found = new Map();
  const visit = (module) => {
    if (found.has(module)) return;
    const text = readFileSync(join(emitted, `${module}.d.ts`), 'utf8');
    found.set(module, text);
    for (const [, path] of text.matchAll(relativeImport)) visit(posix.join(posix.dirname(module), path));
  };
  entries.forEach(visit);
  return found;
}

/**
 * Writes the declarations of entries, and of all modules that these import, into a folder. In this package TypeScript takes
 * a `.d.ts` for an ES module, so `twins`, the entries that are CommonJS too, also get copies with the extensions of
 * CommonJS; `esModules` are the others. All modules are named by their paths in js/ without the extension.
 */
export function writeTypes(folder, esModules, twins) {
  rmSync(emitted, { recursive: true, force: true });
  run('tsc', ['--project', 'tsconfig.build.json'], { shell: process.platform === 'win32' });
  const write = (entries, extension) => {
    for (const [module, text] of collect(entries)) {
      const path = join(folder, `${module}.d.${extension.replace('js', 'ts')}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text.replace(relativeImport, `$1.${extension}`));
    }
  };
  write([...esModules, ...twins], 'js');
  write(twins, 'cjs');
}
