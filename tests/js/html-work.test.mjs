// The work of reading a page grows as its length does.
import assert from 'node:assert/strict';
import { test } from '../tier.mjs';
import { stepsOf } from './steps.mjs';

// Compiled after the count has begun.
const { mainText } = await import('../../pkg/html.js');

/** Families of pages whose tree is deep, large, or slow to build. `n` is about the number of tags. */
const families = {
  'nested elements': (n) => `${'<div>'.repeat(n)}x`,
  'nested tables': (n) => `${'<table>'.repeat(n)}x`,
  'nested formatting': (n) => Array.from({ length: n }, (_, at) => `<b id=${at}>x`).join(''),
  'formatting that each paragraph reopens': (n) => Array.from({ length: n }, (_, at) => `<p><b id=${at}>x`).join(''),
  'formatting closed in the wrong order': (n) => Array.from({ length: n }, (_, at) => `<b id=${at}><p>x</b>`).join(''),
  'text moved before a table': (n) => `<table>${'<p>x'.repeat(n)}`,
  'end tags without start tags': (n) => `${'<div>'.repeat(500)}${'</span>x'.repeat(n)}`,
  'distinct fonts': (n) => Array.from({ length: n }, (_, at) => `<font color=${at}>x</font>`).join(''),
  'parts with a heading': (n) => `${'<div id=ads-x>'.repeat(400)}${'<h2>x</h2><p>x'.repeat(n)}`,
  'comments in styles': (n) => `<p style="${'/*'.repeat(n)}">x`,
  attributes: (n) => `<p ${Array.from({ length: n }, (_, at) => `a${at}`).join(' ')}>x`,
  'attributes of a repeated body': (n) => Array.from({ length: n }, (_, at) => `<body a${at}>x`).join(''),
  'comments without an end': (n) => `x${'<!--'.repeat(n)}`,
};

for (const [name, family] of Object.entries(families)) {
  test(`${name}: eight times the tags need about eight times the steps`, () => {
    const [few, many] = [1000, 8000].map((n) => {
      const html = family(n);
      return stepsOf(() => assert.notEqual(mainText(html), ''));
    });
    // The second number may be smaller than eight times the first: some pages are read only in part, or with less care.
    assert.ok(many < 12 * few, `${few} steps for 1000 tags, ${many} for 8000`);
  });
}
