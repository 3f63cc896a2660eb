// Runs every JavaScript example of the README and of the declarations.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as compat from '../../pkg/compat.js';
import * as nearprint from '../../pkg/index.js';

const AsyncFunction = (async () => {}).constructor;
const packages = { nearprint, 'nearprint/compat': compat };
const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** Runs an example with its imports from the built package, and returns what it exported or printed. */
async function runExample(code) {
  const printed = [];
  const console = { log: (...values) => printed.push(values.join(' ')) };
  const body = code
    .replace(/^import (\{[^}]*\}) from '([^']+)';$/gm, (_, names, from) => {
      assert.ok(packages[from], `an example imports ${from}`);
      return `const ${names} = packages['${from}'];`;
    })
    .replace('export default', 'const worker =');
  const value = await new AsyncFunction(
    'packages',
    'console',
    `${body}\nreturn typeof worker === 'undefined' ? undefined : worker;`,
  )(packages, console);
  return { printed, value };
}

const [node, worker, many, migration] = [...read('README.md').matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);

test('the example for Node', async () => {
  const { printed } = await runExample(node);
  assert.match(printed[0], /^[0-9a-f]{16}$/);
  assert.ok(Number(printed[1]) > 0.67 && Number(printed[1]) < 1, printed[1]);
  assert.deepEqual(printed.slice(2), ['1 is new', '2 is a duplicate of 1']);
});

test('the example for a Worker', async () => {
  const { value } = await runExample(worker);
  const response = await value.fetch(new Request('http://localhost/', { method: 'POST', body: 'hello' }));
  assert.equal(await response.text(), nearprint.toHex(nearprint.fingerprint('hello')));
});

test('the example of many documents', async () => {
  assert.deepEqual((await runExample(many)).printed, [
    '/news is new',
    '/print/news has 100 % of its word pairs in common with /news',
    '/empty is new',
  ]);
});

test('the example of another program', async () => {
  assert.deepEqual((await runExample(migration)).printed, ['0']);
});

/** The example lines in a declaration file that state their value: `expression; // value`. */
const claims = (name) =>
  [...read(name).matchAll(/^ +\* ```js\n(.*?)^ +\* ```/gms)].flatMap(([, example]) => {
    const lines = example.split('\n').map((line) => line.replace(/^ +\* ?/, ''));
    return lines
      .map((line, at) => ({ line, before: lines.slice(0, at).join('\n') }))
      .filter(({ line }) => /; \/\/ (?!a )/.test(line))
      .map(({ line, before }) => [before, ...line.split('; // ')]);
  });

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
