// Runs every code block of the README and of docs/, and every example of the declarations.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as nearprint from '../../pkg/index.js';
import { blocks, documents, examples, makeFolder, runBlock } from './blocks.mjs';
import { installPackage, removeProject, root } from './packed.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

let project;
before(() => {
  project = installPackage();
  symlinkSync(join(root, 'node_modules', '@node-rs'), join(project, 'node_modules', '@node-rs'), 'junction');
});
after(() => removeProject(project));

/** What is run here. tests/stores, tests/browser, benches/batch/run.py and recipes.test.mjs run the others. */
const runners = {
  js: runBlock,
  sh: runBlock,
  async 'js worker'({ code }, folder) {
    const file = join(folder, 'worker.mjs');
    writeFileSync(file, code);
    const { default: worker } = await import(pathToFileURL(file));
    const response = await worker.fetch(new Request('http://localhost/', { method: 'POST', body: 'hello' }));
    assert.equal(await response.text(), nearprint.toHex(nearprint.fingerprint('hello')));
  },
  file: ({ name, code, file }) => assert.ok(read(file).includes(code), `${name} is a part of ${file}`),
};
const elsewhere = ['js stores', 'sh stores', 'sh python', 'html', 'sql'];

for (const document of documents) {
  test(document, async (t) => {
    const folder = makeFolder(join(project, 'node_modules'));
    try {
      for (const block of blocks(document)) {
        const runner = block.runner === 'file' ? 'file' : `${block.language} ${block.runner}`.trim();
        if (elsewhere.includes(runner)) continue;
        assert.ok(runners[runner], `${block.name}: nothing runs a block of "${runner}"`);
        await t.test(block.name, () => runners[runner](block, folder));
      }
      const indented = /^\n {4}(?! *[-*|]).*$/m.exec(read(document).replace(/^```[\s\S]*?^```$/gm, ''));
      assert.equal(indented, null, 'code that is only indented is not run');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

test('the README of the package has no link to a file', () => {
  const readme = readFileSync(join(project, 'node_modules', 'nearprint', 'README.md'), 'utf8');
  assert.match(readme, /Five minutes in Node \(`docs\/guides\/node\.md`\)/);
  assert.doesNotMatch(readme, /\]\((?!https:)/);
});

/** The example lines in a declaration file that state their value: `expression; // value`. */
const claims = (name) =>
  examples(name).flatMap((example) => {
    const lines = example.split('\n');
    return lines
      .map((line, at) => ({ line, before: lines.slice(0, at).join('\n') }))
      .filter(({ line }) => /; \/\/ (?!a )/.test(line))
      .map(({ line, before }) => [before, ...line.split('; // ')]);
  });

const AsyncFunction = (async () => {}).constructor;

for (const [before, expression, claimed] of claims('js/index.d.ts')) {
  test(`index.d.ts: ${expression} is ${claimed}`, async () => {
    const evaluate = (code) => {
      const names = Object.keys(nearprint).join(', ');
      return new AsyncFunction('nearprint', `const { ${names} } = nearprint; ${code}`)(nearprint);
    };
    const value = await evaluate(`${before}\nreturn ${expression};`);
    assert.deepEqual(value, await evaluate(`return ${claimed.replace(/,? as .*/, '')};`));
  });
}
