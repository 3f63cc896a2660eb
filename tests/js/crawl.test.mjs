// `whenNew`, whose store is in memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenNew } from '../../pkg/crawl.js';
import { memoryStore } from '../../pkg/store/memory.js';

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
