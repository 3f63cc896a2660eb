// `unlessNear`, and the example crawler: two processes handle each article of a site once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { unlessNear } from 'nearprint/crawl';
import { memoryStore } from 'nearprint/store/memory';
import { random } from '../js/random.mjs';
import { redis, temporary } from './engines.mjs';

const ARTICLES = 40;
const MIRRORS = 3;

/** The words of an article, the same for each number. */
function wordsOf(number) {
  const next = random(number);
  return Array.from({ length: 150 }, () => `w${next(30_000).toString(36)}`);
}

/**
 * A page of the site: the front page links to all articles and to their mirrors, which have another menu and one other
 * word. A mirror also links to a page of its own, which only those find who follow the links of duplicates.
 */
function page(path) {
  const [, number, mirror] = /^\/(\d+)(?:\/mirror\/(\d+))?$/.exec(path) ?? [];
  const links = [];
  if (path === '/' || path === '/other') {
    for (let at = 1; at <= ARTICLES; at++) {
      links.push(`/${at}`);
      for (let each = 1; each <= MIRRORS; each++) links.push(`/${at}/mirror/${each}`);
    }
    // The two front pages have different orders.
    if (path === '/other') links.reverse();
  }
  if (mirror) links.push(`/only-of-mirror/${number}/${mirror}`);
  const text = number
    ? wordsOf(Number(number))
        .with(Number(mirror ?? 0), 'edited')
        .join(' ')
    : '';
  const menu = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
  return `<!doctype html><title>${path}</title><nav>${menu}</nav><article>${text}</article>`;
}

test('two processes of the example crawler handle each article once, and follow no links of duplicates', async () => {
  const server = await redis();
  const requested = [];
  const site = createServer((request, response) => {
    requested.push(request.url);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page(request.url));
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  try {
    const folder = temporary();
    cpSync(fileURLToPath(new URL('../../examples/crawlee', import.meta.url)), folder, { recursive: true });
    symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(folder, 'node_modules'));
    const origin = `http://127.0.0.1:${site.address().port}`;
    const crawl = async (start) => {
      const child = spawn(process.execPath, ['crawler.mjs', server.url, origin + start], { cwd: folder });
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
      const [code] = await once(child, 'close');
      assert.equal(code, 0, printed);
      return [...printed.matchAll(/^new http:\/\/[^/]+(\/\S*)$/gm)].map(([, path]) => path);
    };
    const handled = await Promise.all([crawl('/'), crawl('/other')]);
    assert.ok(
      handled.every((paths) => paths.length > 1),
      'both processes have handled articles',
    );
    const numbers = handled
      .flat()
      .map((path) => /^\/(\d+)/.exec(path)?.[1])
      .filter(Boolean);
    assert.equal(numbers.length, ARTICLES);
    assert.equal(new Set(numbers).size, ARTICLES);
    // The page of a mirror's own is found only if the mirror was the first of its article.
    const mirrors = new Set(handled.flat().filter((path) => path.includes('/mirror/')));
    const followed = requested.filter((path) => path.startsWith('/only-of-mirror/'));
    assert.deepEqual(
      followed.map((path) => path.replace(/^\/only-of-mirror\/(\d+)\/(\d+)$/, '/$1/mirror/$2')).sort(),
      [...mirrors].sort(),
    );
  } finally {
    site.close();
    await server.stop();
  }
});

const contextOf = (url, text) => ({ request: { url }, text });
const textOf = ({ text }) => text;
const one = wordsOf(1).join(' ');

test('unlessNear: a page of another process is a duplicate, also at the same URL', async () => {
  const store = memoryStore();
  const handled = [];
  const process = () => unlessNear(store, textOf, ({ request }) => handled.push(request.url));
  const [a, b] = [process(), process()];
  await a(contextOf('/1', one));
  await b(contextOf('/1', one));
  await a(contextOf('/copy', `${one} more`));
  await b(contextOf('/2', wordsOf(2).join(' ')));
  assert.deepEqual(handled, ['/1', '/2']);
});

test('unlessNear: a page whose handler failed is handled again, and one with another text is new', async () => {
  const store = memoryStore();
  let failures = 1;
  const handled = [];
  const handle = unlessNear(store, textOf, ({ request, text }) => {
    if (failures-- > 0) throw new Error('the disk is full');
    handled.push([request.url, text]);
  });
  await assert.rejects(handle(contextOf('/1', one)), /the disk is full/);
  assert.equal(await store.count(), 0);
  await handle(contextOf('/1', one));
  await handle(contextOf('/1', `${one} more`)); // nearly the same text at the same URL: a retry
  const changed = wordsOf(3).join(' ');
  await handle(contextOf('/1', changed));
  assert.deepEqual(
    handled.map(([url]) => url),
    ['/1', '/1', '/1'],
  );
  assert.equal(await store.count(), 1);
  // A page without text is handled, and is no document.
  for (const text of ['', null, undefined]) await handle(contextOf('/front', text));
  assert.equal(handled.length, 6);
  assert.equal(await store.count(), 1);
});

test('unlessNear checks its arguments', async () => {
  const store = memoryStore();
  assert.throws(() => unlessNear({}, textOf, () => {}), /store must be a store, got an object/);
  assert.throws(() => unlessNear(store, 'article', () => {}), /textOf must be a function, got "article"/);
  assert.throws(() => unlessNear(store, textOf), /handler must be a function, got undefined/);
  await assert.rejects(
    unlessNear(
      store,
      () => 7,
      () => {},
    )(contextOf('/1')),
    /text takes a string/,
  );
});
