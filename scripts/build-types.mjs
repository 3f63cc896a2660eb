// Writes the TypeScript declarations of the package. The folders are those of js/, so relative imports stay as they are.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fail, root, run } from './run.mjs';

const emitted = join(root, 'build', 'types');

/** Emits the declarations of the entries in TypeScript, and of the modules that they import. */
function emit() {
  rmSync(emitted, { recursive: true, force: true });
  run('tsc', ['--project', 'tsconfig.build.json'], { shell: process.platform === 'win32' });
}

/** Matches the specifier of a relative import, and captures it without its extension. */
const relativeImport = /(?<=\b(?:from|import) ?\(?["'])(\.\.?\/[^"']+)\.js(?=["'])/g;

/** Returns the declarations of a module of js/, which is named without its extension: emitted, or written by hand. */
function declarationsOf(module) {
  const path = [emitted, join(root, 'js')].map((folder) => join(folder, `${module}.d.ts`)).find(existsSync);
  if (path === undefined) fail(`js/${module} has no declarations: tsconfig.build.json does not list it`);
  return withHead(readFileSync(path, 'utf8'), join(root, 'js', `${module}.ts`));
}

/**
 * Returns declarations with the comment at the head of their source that describes the module. The compiler drops it together
 * with an import that follows it.
 */
function withHead(declarations, source) {
  if (!existsSync(source) || declarations.includes('@packageDocumentation')) return declarations;
  const [, head = ''] =
    /^(\/\*\*(?:(?!\*\/)[\s\S])*@packageDocumentation\s+\*\/\n)/.exec(readFileSync(source, 'utf8')) ?? [];
  return head + declarations;
}

/** Adds a module, and the modules that its declarations import, to `found`, a Map from module to text. */
function collect(module, found) {
  if (found.has(module)) return;
  const text = declarationsOf(module);
  found.set(module, text);
  for (const [, path] of text.matchAll(relativeImport)) collect(posix.join(posix.dirname(module), path), found);
}

/**
 * Writes the declarations of entries, and of all modules that these import, into a folder. In this package TypeScript takes
 * a `.d.ts` for an ES module, so `twins`, the entries that are CommonJS too, also get copies with the extensions of
 * CommonJS; `esModules` are the others. All modules are named by their paths in js/ without the extension.
 */
export function writeTypes(folder, esModules, twins) {
  emit();
  const write = (name, text) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const [all, commonJs] = [new Map(), new Map()];
  for (const entry of [...esModules, ...twins]) collect(entry, all);
  for (const entry of twins) collect(entry, commonJs);
  for (const [module, text] of all) write(`${module}.d.ts`, text);
  for (const [module, text] of commonJs) write(`${module}.d.cts`, text.replace(relativeImport, '$1.cjs'));
}
