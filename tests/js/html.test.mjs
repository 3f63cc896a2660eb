// The main text of HTML pages. tests/browser/html.test.mjs compares it with a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages, passages, wordsOf } from '../page-forms.mjs';
import { importSource } from '../source.mjs';

const { htmlReader, MAX_PAGE_LENGTH } = await importSource('js/node/html.ts');

const mainText = await htmlReader();
const words = (html) => wordsOf(mainText(html)).join(' ');

test('a page in any form has its text', () => {
  assert.ok(pages.length >= 1000, `${pages.length}`);
  for (const html of pages) {
    const all = words(html);
    assert.ok(
      passages.some((passage) => all.includes(wordsOf(passage).join(' '))),
      `${html}\n${all}`,
    );
  }
});

test('the structure of a page', () => {
  const expected = [
    ['<ul><li>one</li><li>two</li></ul><script>no</script>three<br>four', 'one two three four'],
    ['<body>one', 'one'],
    ['<!-- <body> -->one', 'one'],
    ['<script>"<body>"</script>one', 'one'],
    ['<table>one<tr><td>two', 'one two'],
    ['<p>on<b>e</b><!-- x -->s', 'ones'],
    ['<template><p>no</template>one', 'one'],
    ['<noscript>no</noscript>one', 'one'],
    ['<textarea>one</textarea>', 'one'],
    ['<nav>one</nav>', 'one'],
    ['<div hidden>one</div>', 'one'],
    ['<svg><text>one</text></svg>', 'one'],
    ['<svg><![CDATA[one]]></svg>', 'one'],
    ['one&nbsp;two&eacute;', 'one twoé'],
    ['<title>no</title><p>one<p>two', 'one two'],
    ['plain text', 'plain text'],
  ];
  for (const [html, text] of expected) assert.equal(words(html), text, html);
});

test('a page without text is an error', () => {
  const empty = [
    '',
    '<html></html>',
    '<script>',
    '<body><svg/></body>',
    '<p>\n&nbsp;<p>',
    '<title>no</title>',
    '<!--x',
  ];
  for (const html of empty) assert.throws(() => mainText(html), /^Error: the page has no text$/, html);
  assert.throws(() => mainText('x'.repeat(MAX_PAGE_LENGTH + 1)), /^Error: a page of more than 32 MiB$/);
});

/** Families of pages whose tree is deep, large, or slow to build. `n` is about the number of tags. */
const families = {
  'nested elements': (n) => `${'<div>'.repeat(n)}x`,
  'nested tables': (n) => `${'<table>'.repeat(n)}x`,
  'nested formatting': (n) => Array.from({ length: n }, (_, at) => `<b id=${at}>x`).join(''),
  'formatting that each paragraph reopens': (n) => Array.from({ length: n }, (_, at) => `<p><b id=${at}>x`).join(''),
  'formatting closed in the wrong order': (n) => Array.from({ length: n }, (_, at) => `<b id=${at}><p>x</b>`).join(''),
  'text moved before a table': (n) => `<table>${'<p>x'.repeat(n)}`,
  'end tags without start tags': (n) => `${'<div>'.repeat(500)}${'</span>x'.repeat(n)}`,
  attributes: (n) => `<p ${Array.from({ length: n }, (_, at) => `a${at}`).join(' ')}>x`,
  'attributes of a repeated body': (n) => Array.from({ length: n }, (_, at) => `<body a${at}>x`).join(''),
  'comments without an end': (n) => `x${'<!--'.repeat(n)}`,
};

for (const [name, family] of Object.entries(families)) {
  test(`${name}: the time is linear`, () => {
    mainText(family(1000));
    const times = [20_000, 160_000].map((n) => {
      const html = family(n);
      const start = process.cpuUsage().user;
      assert.notEqual(mainText(html), '');
      return (process.cpuUsage().user - start) / 1000;
    });
    // Eight times the tags: quadratic time would be 64 times as long.
    assert.ok(times[1] < 20 * Math.max(times[0], 100), times.join(' ms, '));
    assert.ok(times[1] < 5000, `${times[1]} ms`);
  });
}

test('an element may have the name of a property of every object', () => {
  const deep = '<div>'.repeat(600);
  assert.equal(words(`${deep}<constructor>one</constructor> two`), 'one two');
});

test('two pages with another menu have the same main text', () => {
  const page = (menu) =>
    `<div class=menu>${menu}</div><div><h1>News</h1>${passages.map((text) => `<p>${text}`).join('')}</div>`;
  const menu = (seed) => Array.from({ length: 20 }, (_, at) => `<a href=/${at}>item ${seed}${at}</a> `).join('');
  assert.equal(mainText(page(menu('a'))).trim(), mainText(page(menu('b'))).trim());
  assert.ok(!mainText(page(menu('a'))).includes('item'));
});
