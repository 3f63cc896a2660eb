// The numbers that JavaScript and the module's bindings must have in common.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const sourceOf = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the value of a constant expression, in Rust or in TypeScript. */
function evaluate(expression) {
  const shared = expression.replace('u32::MAX as u64', '2 ** 32 - 1').replaceAll('_', '');
  assert.match(shared, /^[\d\s*<-]+$/);
  return new Function(`return ${shared}`)();
}

/** Returns the value of a constant in a source: of one of its own, or of one of several in a list. */
function constantIn(source, name) {
  const own = new RegExp(`const ${name}(?:: \\w+)? = ([^;]+);`).exec(source);
  if (own !== null) return evaluate(own[1]);
  const list = new RegExp(`const \\[([^\\]]*\\b${name}\\b[^\\]]*)\\][^=]*= \\[([^\\]]+)\\];`).exec(source);
  const [names, values] = list.slice(1).map((items) => items.split(', '));
  return evaluate(values[names.indexOf(name)]);
}

for (const [rust, typed, names] of [
  ['wasm/src/decision.rs', 'js/dedupe/decision-rows.ts', ['DUPLICATE']],
  ['wasm/src/deduplicator.rs', 'js/dedupe/decision-rows.ts', ['COMPARE']],
  ['wasm/src/deduplicator.rs', 'js/dedupe/document-set.ts', ['UNKNOWN']],
  ['wasm/src/exchange.rs', 'js/common/exchange.ts', ['MAX_KEPT', 'RESULT', 'TEXT', 'ENCODED']],
  ['wasm/src/sketcher.rs', 'js/sketch/comparison.ts', ['HEAD']],
  ['wasm/src/versions.rs', 'js/dedupe/versions.ts', ['CELLS']],
]) {
  test(`${typed} has the numbers of ${rust}`, () => {
    for (const name of names) {
      const [expected, actual] = [rust, typed].map((path) => constantIn(sourceOf(path), name));
      assert.ok(Number.isSafeInteger(expected));
      assert.equal(actual, expected, name);
    }
  });
}

test('the memory from which on texts may be refused is the same, in pages and in bytes', () => {
  const pages = constantIn(sourceOf('wasm/src/exchange.rs'), 'NEARLY_FULL');
  assert.equal(constantIn(sourceOf('js/common/exchange.ts'), 'NEARLY_FULL'), 2 ** 16 * pages);
});

test('the statuses have the numbers of their constants', () => {
  const [, list] = /STATUSES = \[([^\]]+)\]/.exec(sourceOf('js/dedupe/decision-rows.ts'));
  const statuses = list.split(', ').map((status) => status.slice(1, -1));
  const source = sourceOf('wasm/src/decision.rs');
  const numbers = statuses.map((status) => constantIn(source, status.toUpperCase()));
  assert.deepEqual(numbers, [...statuses.keys()]);
  assert.equal(constantIn(sourceOf('wasm/src/deduplicator.rs'), 'COMPARE'), statuses.length);
});
