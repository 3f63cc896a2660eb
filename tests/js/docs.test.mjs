// Runs every code block of the README and of docs/, and every example of the sources that states a value.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprint, toHex } from '../../pkg/simhash.js';
import { exhaustive, test } from '../tier.mjs';
import { blocks, documents, examples, makeFolder, runBlock } from './blocks.mjs';
import { installPackage, root } from './packed.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

const project = installPackage();
for (const name of ['@node-rs', 'parse5'])
  symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name), 'junction');

/** The kinds of examples that run here. tests/stores, tests/browser, batch.test.mjs and recipes.test.mjs run the others. */
const runners = {
  js: runBlock,
  sh: runBlock,
  async 'js worker'({ code }, folder) {
    const file = join(folder, 'worker.mjs');
    writeFileSync(file, code);
    const { default: worker } = await import(pathToFileURL(file));
    const response = await worker.fetch(new Request('http://localhost/', { method: 'POST', body: 'hello' }));
    assert.equal(await response.text(), toHex(fingerprint('hello')));
  },
  // Not run: `npm start` does not end, and `npm test` runs this test.
  'sh clone'({ name, code }) {
    const { scripts } = JSON.parse(read('package.json'));
    for (const line of code.trimEnd().split('\n')) {
      const [, script] = /^npm (?:run )?(\S+)(?: +#.*)?$/.exec(line) ?? [];
      assert.ok(Object.hasOwn(scripts, script), `${name}: "${line}" runs a script of package.json`);
    }
  },
  file: ({ name, code, file }) => assert.ok(read(file).includes(code), `${name} is a part of ${file}`),
};
const elsewhere = ['js stores', 'sh stores', 'sh python', 'python', 'html', 'rust'];

/** The blocks of these documents run commands and threads, and take longer than all other blocks. */
const slow = ['docs/command-line.md', 'docs/compat.md', 'docs/guides/threshold.md'];

for (const document of documents) {
  const run = slow.includes(document) ? exhaustive : test;
  run(document, async (t) => {
    const folder = makeFolder(join(project, 'node_modules'));
    for (const block of blocks(document)) {
      const runner = block.runner === 'file' ? 'file' : `${block.language} ${block.runner}`.trim();
      if (elsewhere.includes(runner) || block.language === 'sql') continue;
      assert.ok(runners[runner], `${block.name}: nothing runs a block of "${runner}"`);
      await t.test(block.name, () => runners[runner](block, folder));
    }
    const indented = /^\n {4}(?! *[-*|]).*$/m.exec(read(document).replace(/^```[\s\S]*?^```$/gm, ''));
    assert.equal(indented, null, 'code that is only indented is not run');
  });
}

test('the files of the sources that a document names exist', () => {
  const folders = ['js', 'src', 'wasm', 'reference', 'scripts', 'tests', 'benches', 'www', 'docs'];
  const names = new Set(
    ['js', 'src', 'wasm', 'reference'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => basename(path)),
    ),
  );
  for (const document of new Set([...documents, 'DESIGN.md', 'CONTRIBUTING.md'])) {
    for (const [, path] of read(document).matchAll(/`([\w-]+\/[\w./-]*)`/g))
      if (folders.includes(path.split('/')[0])) assert.ok(existsSync(join(root, path)), `${document}: ${path}`);
  }
  for (const [, name] of read('DESIGN.md').matchAll(/`([\w-]+\.(?:ts|rs))`/g)) assert.ok(names.has(name), name);
});

test('the README of the package has no link to a file', () => {
  const readme = readFileSync(join(project, 'node_modules', 'nearprint', 'README.md'), 'utf8');
  assert.match(readme, /five minutes in Node \(`docs\/guides\/node\.md`\)/);
  assert.doesNotMatch(readme, /\]\((?!https:|#)/);
});

/** The value that a comment states: its longest part that is an expression. Prose may follow, after a comma. */
function valueIn(comment) {
  for (let end = comment.length; end > 0; end = comment.lastIndexOf(', ', end - 1)) {
    try {
      const code = comment.slice(0, end);
      new Function(`return (${code});`);
      return code;
    } catch {
      // It ends with prose.
    }
  }
  return assert.fail(`no value: ${comment}`);
}

/** An example as the body of a function that calls `check(line, value, stated)` for every line that states its value. */
function checkedCode(example) {
  return example
    .replace(/^import .*\n/gm, '')
    .replace(/;\n\/\/ /g, '; // ')
    .replace(/^(.+); \/\/ (.+)$/gm, (line, code, comment) => {
      const [, printed] = /^console\.log\((.*)\)$/.exec(code) ?? [];
      return `check(${JSON.stringify(line)}, ${printed ?? code}, ${valueIn(comment)});`;
    });
}

/** The entries that have what is in files and folders of js/. Other sources are in the main entry. */
const entryOf = (source) => /^js\/(simhash|compat|html)\b/.exec(source)?.[1] ?? 'index';

/** The modules of the package that an example uses: those that it imports, otherwise the module of its source. */
async function modulesOf(source, example) {
  const imported = [...example.matchAll(/^import .* from 'nearprint(?:\/(.+))?';$/gm)].map(
    ([, name]) => name ?? 'index',
  );
  const names = imported.length > 0 ? imported : [entryOf(source)];
  const modules = await Promise.all(names.map((name) => import(`../../pkg/${name}.js`)));
  return Object.assign({}, ...modules);
}

const AsyncFunction = (async () => {}).constructor;

// tests/stores runs the examples of the stores.
const sources = readdirSync(join(root, 'js'), { recursive: true })
  .map((name) => `js/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.ts') && !name.startsWith('js/stores/'))
  .sort();

let claims = 0;
for (const source of sources) {
  const stating = examples(source).filter((example) => /(?:^| )\/\/ /m.test(example));
  if (stating.length === 0) continue;
  test(`the examples of ${source} state the right values`, async () => {
    for (const example of stating) {
      const modules = await modulesOf(source, example);
      const check = (line, value, stated) => {
        assert.deepEqual(value, stated, line);
        claims++;
      };
      const code = `const { ${Object.keys(modules).join(', ')} } = modules; { ${checkedCode(example)} }`;
      await new AsyncFunction('modules', 'check', code)(modules, check);
    }
  });
}

test('the examples are found', () => {
  assert.ok(claims > 70, `${claims}`);
});
