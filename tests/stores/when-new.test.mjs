// `whenNew`: which pages are handled, and what becomes of a page whose handling fails or takes long.
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sketch } from 'nearprint';
import { whenNew } from 'nearprint/crawl';
import { memoryStore } from 'nearprint/store/memory';
import { stored } from '../js/model.mjs';
import { random } from '../js/random.mjs';
import { collect, valuesOf } from '../js/values.mjs';
import { setProcessTime } from './table.mjs';

const START = 1_800_000_000;

afterEach(() => {
  mock.timers.reset();
  setProcessTime();
});

function textOf(seed) {
  const next = random(seed);
  return Array.from({ length: 80 }, () => `w${next(30_000)}`).join(' ');
}
const [one, two, three] = [1, 2, 3].map(textOf);
const edited = `${one} more`;

const pageOf = (url, text) => ({ request: { url }, text });

/** A process that crawls: `visit(url, text)` returns the status of the decision. `handle` is its handler. */
function crawler(store, { handle = () => {}, ...options } = {}) {
  const decisions = [];
  const handler = whenNew(
    store,
    async (page, decision) => {
      decisions.push(decision);
      await handle(page, decision);
    },
    { textOf: ({ text }) => text, onSkip: (_, decision) => decisions.push(decision), ...options },
  );
  const visit = async (url, text) => {
    await handler(pageOf(url, text));
    return decisions.at(-1).status;
  };
  return { visit, decisions };
}

const idsIn = async (store) => valuesOf(await collect(store.entries()), 'id');

test('a page is handled if it is new or has changed, and skipped if it is unchanged or a near-duplicate', async () => {
  const store = memoryStore();
  const { visit, decisions } = crawler(store);
  assert.equal(await visit('/1', one), 'new');
  assert.equal(await visit('/1', one.toUpperCase()), 'unchanged');
  assert.equal(await visit('/copy', edited), 'duplicate');
  assert.deepEqual(decisions.at(-1), {
    id: '/copy',
    status: 'duplicate',
    duplicateOf: '/1',
    resemblance: stored(sketch(one)).resemblance(sketch(edited)),
  });
  assert.equal(await visit('/1', edited), 'changed');
  assert.equal(await visit('/1', two), 'changed');
  assert.equal(await visit('/copy', edited), 'new');
  // All of these are permanent.
  assert.equal(await store.confirm(['/1', '/copy']), 0);
  assert.equal(await store.count(), 2);
});

test('a page without text is handled on each visit, and is not stored', async () => {
  const store = memoryStore();
  const { visit } = crawler(store);
  for (const text of ['', null, undefined, '']) assert.equal(await visit('/front', text), 'new');
  assert.equal(await store.count(), 0);
});

test('a page whose handler fails is handled again, and an earlier version is kept', async () => {
  const store = memoryStore();
  let isFailing = true;
  const handle = () => {
    if (isFailing) throw new Error('the disk is full');
  };
  const { visit } = crawler(store, { handle });
  await assert.rejects(visit('/1', one), /^Error: the disk is full$/);
  assert.equal(await store.count(), 0);
  isFailing = false;
  assert.equal(await visit('/1', one), 'new');
  isFailing = true;
  await assert.rejects(visit('/1', two), /^Error: the disk is full$/);
  assert.ok((await store.get('/1')).equals(sketch(one)));
  isFailing = false;
  assert.equal(await visit('/1', two), 'changed');
});

test('a process dies in the handler: the page is handled again, at once by its URL and after the lease by a copy', async () => {
  setProcessTime(START);
  const store = memoryStore();
  await crawler(store).visit('/2', two);
  const dead = crawler(store, { handle: () => new Promise(() => {}), lease: 600 });
  mock.timers.enable({ apis: ['setInterval'] });
  dead.visit('/1', one);
  dead.visit('/2', three);
  await turn();
  mock.timers.reset(); // its timers end with it
  assert.deepEqual(valuesOf(dead.decisions, 'status'), ['new', 'changed']);
  assert.equal(await crawler(store).visit('/copy', edited), 'duplicate');
  const restarted = crawler(store);
  assert.equal(await restarted.visit('/2', three), 'changed');
  setProcessTime(START + 600);
  assert.equal(await restarted.visit('/copy', edited), 'new');
  assert.equal(await restarted.visit('/2', three), 'unchanged');
});

test('the lease is renewed while the handler runs', async () => {
  setProcessTime(START);
  mock.timers.enable({ apis: ['setInterval'] });
  const store = memoryStore();
  let finish;
  const handle = () => new Promise((resolve) => (finish = resolve));
  const slow = crawler(store, { handle, lease: 30 });
  const visit = slow.visit('/1', one);
  await turn();
  for (let seconds = 10; seconds <= 200; seconds += 10) {
    setProcessTime(START + seconds);
    mock.timers.tick(10_000);
    await turn();
  }
  assert.equal(await crawler(store).visit('/copy', edited), 'duplicate');
  finish();
  assert.equal(await visit, 'new');
  assert.equal(await store.confirm(['/1']), 0);
  setProcessTime(START + 1000);
  assert.equal(await crawler(store).visit('/1', one), 'unchanged');
  // Its timer has ended: a version that another process keeps provisionally now gets no new lease.
  await store.observe([{ id: '/1', sketch: sketch(two) }], { lease: 5 });
  mock.timers.tick(60_000);
  await turn();
  setProcessTime(START + 1005);
  assert.ok((await store.get('/1')).equals(sketch(one)));
  assert.equal(await store.confirm(['/1']), 0);
});

test('a slow process does not confirm or release what another one handles meanwhile', async () => {
  const store = memoryStore();
  for (const end of ['resolve', 'reject']) {
    const slow = {};
    const handle = () => new Promise((resolve, reject) => Object.assign(slow, { resolve, reject }));
    const first = crawler(store, { handle }).visit(`/${end}`, textOf(`${end.length}`));
    while (slow.resolve === undefined) await turn();
    // The page has another text when the second process visits it, which dies.
    await store.observe([{ id: `/${end}`, sketch: sketch(textOf(end.length + 10)) }], { lease: 60 });
    slow[end](new Error('failed'));
    await first.catch(() => {});
    assert.equal(await store.confirm([`/${end}`]), 1, end);
    assert.ok((await store.get(`/${end}`)).equals(sketch(textOf(end.length + 10))));
  }
});

test('two processes that visit a page at once handle it both, and keep it once', async () => {
  const store = memoryStore();
  const [a, b] = [crawler(store), crawler(store)];
  assert.deepEqual(await Promise.all([a.visit('/1', one), b.visit('/1', one)]), ['new', 'new']);
  assert.equal(await store.count(), 1);
  assert.equal(await a.visit('/1', one), 'unchanged');
});

test('ids: URLs of any length, or what idOf returns', async () => {
  const store = memoryStore();
  const { visit } = crawler(store);
  const long = (end) => `https://a.example/?${'ü🎈x'.repeat(900)}${end}`;
  assert.equal(await visit(long('1'), one), 'new');
  assert.equal(await visit(long('1'), one), 'unchanged');
  assert.equal(await visit(long('2'), two), 'new');
  assert.equal(await visit(long('1'), edited), 'changed');
  const ids = await idsIn(store);
  assert.equal(ids.length, 2);
  for (const id of ids) {
    assert.ok(Buffer.byteLength(id) <= 2000 && id.startsWith('https://a.example/?ü🎈x'));
    assert.equal(await store.delete([id]), 1);
  }
  const canonical = crawler(store, { idOf: ({ request }) => request.url.replace(/\?.*/, '') });
  assert.equal(await canonical.visit('/1?session=5', one), 'new');
  assert.equal(await canonical.visit('/1?session=6', one), 'unchanged');
  assert.deepEqual(await idsIn(store), ['/1']);
});

test('minResemblance may depend on the page', async () => {
  const minResemblance = ({ request }) => (request.url.startsWith('/product/') ? 1 : undefined);
  const { visit } = crawler(memoryStore(), { minResemblance });
  assert.equal(await visit('/product/1', one), 'new');
  assert.equal(await visit('/product/2', edited), 'new');
  assert.equal(await visit('/news/1', `${edited} more`), 'duplicate');
});

test('a page that is not visited for expiresIn seconds expires', async () => {
  setProcessTime(START);
  const store = memoryStore();
  const { visit } = crawler(store, { expiresIn: 100 });
  await visit('/1', one);
  await visit('/2', two);
  setProcessTime(START + 60);
  assert.equal(await visit('/2', two), 'unchanged');
  setProcessTime(START + 100);
  assert.equal(await store.prune(), 1);
  assert.equal(await visit('/copy', edited), 'new');
  assert.equal(await visit('/2', two), 'unchanged');
});

test('an error of the store is an error of the page, which a crawler tries again', async () => {
  const store = memoryStore();
  const failing = (method) =>
    new Proxy(store, {
      get: (target, name) =>
        name === method
          ? async () => {
              throw new Error(`${method} fails`);
            }
          : typeof target[name] === 'function'
            ? target[name].bind(target)
            : target[name],
    });
  const noObserve = crawler(failing('observe'));
  await assert.rejects(noObserve.visit('/1', one), /observe fails/);
  assert.deepEqual(noObserve.decisions, []);
  const noConfirm = crawler(failing('confirm'));
  await assert.rejects(noConfirm.visit('/1', one), /confirm fails/);
  // The error of the handler is the one that counts.
  const noRelease = crawler(failing('release'), {
    handle() {
      throw new Error('the disk is full');
    },
  });
  await assert.rejects(noRelease.visit('/1', one), /the disk is full/);
  assert.equal(await crawler(store).visit('/1', one), 'new');
});

test('arguments are checked', async () => {
  const store = memoryStore();
  const options = { textOf: () => one };
  const handler = () => {};
  assert.throws(() => whenNew({}, handler, options), /^ArgumentError: nearprint: store must be a store, got/);
  const { scheme, observe, confirm, release } = store;
  for (const partial of [
    { observe, confirm },
    { observe, release },
    { confirm, release },
  ]) {
    assert.throws(() => whenNew({ scheme, ...partial }, handler, options), /store must be a store, got an object/);
  }
  assert.throws(() => whenNew(store, 'save', options), /handler must be a function, got "save"/);
  assert.throws(() => whenNew(store, handler), /textOf must be a function, got undefined/);
  assert.throws(
    () => whenNew(store, handler, { ...options, lease: -1 }),
    /lease must be a number of seconds .*, got -1/,
  );
  assert.throws(() => whenNew(store, handler, { ...options, leases: 1 }), /leases/);
  await assert.rejects(
    whenNew(store, handler, { textOf: () => 7 })(pageOf('/1')),
    /textOf\(context\) must be a string, a result of pageText, null or undefined, got 7/,
  );
  const noId = whenNew(store, handler, { ...options, idOf: () => undefined });
  await assert.rejects(noId(pageOf('/1')), /idOf\(context\) must be a string, got undefined/);
});
