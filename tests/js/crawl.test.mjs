// `whenNew`, whose store is in memory.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { whenNew } from '../../pkg/crawl.js';
import { mainText, pageText } from '../../pkg/html.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { pageOf, shapes } from '../page-parts.mjs';

const article = 'The river burst its banks early on Tuesday, the council said, and the road to the harbour is closed.';
const mail =
  'The committee thanks everybody who has carried chairs, baked cakes and sold tickets on both evenings of the fair.';
const edited = article.replace('closed', 'open again');

/** A crawler of pages `{ url, text }`, and what it has done with them: `status url`. */
function crawler(options) {
  const log = [];
  const note = ({ request }, { status }) => log.push(`${status} ${request.url}`);
  const handle = whenNew(memoryStore(), note, { textOf: ({ text }) => text, onSkip: note, ...options });
  const visit = (url, text, more) => handle({ request: { url }, text, ...more });
  return { visit, gone: handle.gone, log };
}

for (const name of Object.keys(shapes)) {
  test(`${name}: each edit is handled, and no change around the content`, async () => {
    const { visit, log } = crawler({ textOf: ({ text }) => mainText(text) });
    for (const other of Object.keys(shapes)) if (other !== name) await visit(`/${other}`, pageOf(other, 1));
    log.length = 0;
    const statuses = async (day, edits) => {
      await visit('/a', pageOf(name, day, edits));
      return log.pop().split(' ')[0];
    };
    assert.deepEqual([await statuses(1), await statuses(2)], ['new', 'unchanged']);
    for (const edits of [[0], [0, 1], [0, 1, 2]]) {
      assert.equal(await statuses(3, edits), 'changed', `passages ${edits}`);
      assert.equal(await statuses(4, edits), 'unchanged', `passages ${edits}`);
    }
  });
}

test('decisions have the numbers of words that textOf returns', async () => {
  const log = [];
  const note = ({ request }, { status, words }) => log.push([`${status} ${request.url}`, words]);
  const handle = whenNew(memoryStore(), note, { textOf: ({ html }) => html && pageText(html), onSkip: note });
  const menu = '<a href="/">one two three</a> '.repeat(20);
  const page = `<nav>${menu}</nav><p>${article}</p>`;
  const words = { used: 19, all: 79 };
  const empty = { used: 0, all: 0 };
  await handle({ request: { url: '/a' }, html: page });
  await handle({ request: { url: '/a' }, html: page });
  await handle({ request: { url: '/b' }, html: page });
  await handle({ request: { url: '/a' }, html: page.replace('closed', 'open') });
  await handle({ request: { url: '/a' }, html: '<p>' });
  await handle({ request: { url: '/c' }, html: '<p>' });
  await handle({ request: { url: '/d' }, html: null });
  assert.deepEqual(log, [
    ['new /a', words],
    ['unchanged /a', words],
    ['duplicate /b', words],
    ['changed /a', words],
    ['empty /a', empty],
    ['new /c', empty],
    ['new /d', undefined],
  ]);
});

test('an error concerns one page: its call rejects, and the next visit handles it', async () => {
  const fail = new Error('the page cannot be parsed');
  const throwing = () => {
    throw fail;
  };
  const isBad = (when, how) => (context) => (context.bad === when ? how() : context[when]);
  const ways = { throws: throwing, rejects: async () => throwing() };
  for (const [way, how] of Object.entries(ways)) {
    const { visit, log } = crawler({
      textOf: isBad('text', how),
      onSkip: isBad('onSkip', how),
      ...(way === 'throws' && { scope: isBad('scope', how), minResemblance: isBad('minResemblance', how) }),
    });
    const pages = [
      ['/a', article],
      ['/b', mail],
    ];
    for (const bad of way === 'throws' ? ['text', 'scope', 'minResemblance'] : ['text']) {
      const results = await Promise.allSettled(
        pages.map(([url, text]) => visit(`${url}-${bad}`, text, { scope: bad, ...(url === '/a' && { bad }) })),
      );
      assert.deepEqual(
        results.map(({ status, reason }) => [status, reason]),
        [
          ['rejected', fail],
          ['fulfilled', undefined],
        ],
      );
      assert.deepEqual(log.splice(0), [`new /b-${bad}`]);
      for (const [url, text] of pages) await visit(`${url}-${bad}`, text, { scope: bad });
      assert.deepEqual(log.splice(0), [`new /a-${bad}`]);
      await assert.rejects(visit(`/a-${bad}`, article, { scope: bad, bad: 'onSkip' }), fail);
    }
  }
});

test('a value that is not a text is an error of one page, which names textOf', async () => {
  const { visit, log } = crawler();
  for (const text of [7, true, {}, { text: 7 }, new Uint8Array(3), []]) {
    await assert.rejects(visit('/a', text), { name: 'ArgumentError', argument: 'textOf(context)' });
  }
  await visit('/a', article);
  assert.deepEqual(log, ['new /a']);
});

test('a context without a request is an error that names the id', async () => {
  const visit = whenNew(memoryStore(), () => {}, { textOf: () => 'a text' });
  for (const context of [undefined, null, {}, { request: {} }, { request: { url: new URL('http://localhost') } }])
    await assert.rejects(visit(context), { name: 'ArgumentError', argument: 'idOf(context)' });
});

test('an article that is empty for a day is handled once', async () => {
  const { visit, log } = crawler();
  for (const text of [article, '', null, '...', article]) await visit('/a', text);
  assert.deepEqual(log, ['new /a', 'empty /a', 'empty /a', 'empty /a', 'unchanged /a']);
});

test('a page without words that is not kept is handled on each visit, and not stored', async () => {
  const { visit, log } = crawler();
  for (const text of ['', '...', article]) await visit('/a', text);
  await visit('/b', '...');
  assert.deepEqual(log, ['new /a', 'new /a', 'new /a', 'new /b']);
});

test('every edit of a page is handled after its site has moved', async () => {
  const { visit, gone, log } = crawler();
  await visit('/old/a', article);
  // The address of the original still answers, or has not been visited.
  await visit('/new/a', article);
  assert.equal(await gone('/old/a'), true);
  assert.equal(await gone('/old/a'), false);
  await visit('/new/a', article);
  await visit('/new/a', edited);
  await visit('/new/a', edited);
  assert.deepEqual(log, ['new /old/a', 'duplicate /new/a', 'new /new/a', 'changed /new/a', 'unchanged /new/a']);
});

test('the copy of a page whose handler fails for good is handled within the lease', async (context) => {
  const store = memoryStore();
  const log = [];
  const note = ({ request }, { status }) => log.push(`${status} ${request.url}`);
  let fail;
  const handler = (context, decision) => {
    note(context, decision);
    if (context.request.url === '/failing') return new Promise((_, reject) => (fail = reject));
  };
  const handle = whenNew(store, handler, { textOf: ({ text }) => text, onSkip: note });
  const visit = (url, text) => handle({ request: { url }, text });
  const failing = visit('/failing', article);
  while (fail === undefined) await sleep(1);
  await visit('/copy', article);
  fail(new Error('the disk is full'));
  await assert.rejects(failing, /the disk is full/);
  await visit('/copy', article);
  assert.deepEqual(log.splice(0), ['new /failing', 'duplicate /copy', 'new /copy']);

  // The state in which a process that dies in its handler leaves a page.
  context.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  await store.observe([{ id: '/dead', text: mail }], { lease: 300 });
  mock.timers.tick(299_000);
  await visit('/mail', mail);
  mock.timers.tick(2000);
  await visit('/mail', mail);
  assert.deepEqual(log, ['duplicate /mail', 'new /mail']);
});

test('gone shortens long addresses as a visit does, and names a wrong one', async () => {
  const { visit, gone } = crawler();
  const long = `/${'x'.repeat(5000)}`;
  await visit(long, article);
  assert.equal(await gone(long), true);
  await assert.rejects(gone(7), { name: 'ArgumentError', argument: 'url' });
});

test('the products of a template are separated by their scope', async () => {
  const page = (color) =>
    `The chair of solid oak comes with a cushion in ${color}, and fits every table of the series of 2026.`;
  const products = [
    ['/1', page('red'), { sku: 'a1' }],
    ['/2', page('blue'), { sku: 'a2' }],
    ['/2?from=list', page('blue'), { sku: 'a2' }],
  ];
  const [without, separated] = [crawler(), crawler({ scope: ({ sku }) => sku })];
  for (const { visit } of [without, separated]) for (const [url, text, more] of products) await visit(url, text, more);
  assert.deepEqual(without.log, ['new /1', 'duplicate /2', 'duplicate /2?from=list']);
  assert.deepEqual(separated.log, ['new /1', 'new /2', 'duplicate /2?from=list']);
});

test('whenNew refuses a lease of no time, which would be renewed without a pause', () => {
  const handlerWith = (lease) => whenNew(memoryStore(), () => {}, { textOf: () => 'Good news', lease });
  for (const lease of [0, 0.0001])
    assert.throws(() => handlerWith(lease), { name: 'ArgumentError', argument: 'lease' });
  assert.equal(typeof handlerWith(0.001), 'function');
});

test('whenNew refuses wrong options before the first visit', () => {
  for (const [argument, value] of [
    ['minResemblance', 5],
    ['expiresIn', -1],
    ['key', 'x'],
  ])
    assert.throws(() => whenNew(memoryStore(), () => {}, { textOf: () => '', [argument]: value }), {
      name: 'ArgumentError',
      argument,
    });
});

test('whenNew takes the key of the store', async () => {
  const key = new TextEncoder().encode('sixteen bytes!!!');
  const store = memoryStore({ key });
  const handled = [];
  const handler = ({ request }) => handled.push(request.url);
  const visit = whenNew(store, handler, { textOf: () => 'Good news', key });
  for (const url of ['/a', '/b', '/a']) await visit({ request: { url } });
  assert.deepEqual(handled, ['/a']);
  assert.equal(await store.count(), 1);
  assert.throws(() => whenNew(store, handler, { textOf: () => 'Good news' }), {
    name: 'ArgumentError',
    argument: 'key',
  });
});
