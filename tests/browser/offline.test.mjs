// The built page on a plain host: offline, and under its own content security policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before } from 'node:test';
import { distance, fingerprint } from '../../pkg/index.js';
import { pageFolder } from '../../scripts/page.mjs';
import { exhaustive as test } from '../tier.mjs';
import { open, reads } from './harness.mjs';

/** A server that sends no headers but the content type. */
async function plainHost(folder) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    try {
      const file = join(folder, path === '/' ? 'index.html' : path);
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

let opened;
let page;
before(async () => {
  opened = await open('/', { server: await plainHost(pageFolder) });
  page = opened.page;
});
after(() => opened?.close());

test('the page compares two texts, and its cache is named by version', async () => {
  await reads(page, '#number-distance', /^7/);
  await reads(page, '#offline', /works offline/);
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const caches = await page.evaluate(() => globalThis.caches.keys());
  assert.equal(caches.length, 1);
  assert.match(caches[0], new RegExp(`^nearprint ${version.replaceAll('.', '\\.')}-[0-9a-f]{12}$`));
});

test('both views work offline after a reload', async () => {
  await opened.context.setOffline(true);
  await page.reload();
  const [a, b] = ['written without a network', 'written with no network'];
  await page.locator('#text-a').fill(a);
  await page.locator('#text-b').fill(b);
  await reads(page, '#number-distance', new RegExp(`^${distance(fingerprint(a), fingerprint(b))} / 64$`));
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  await page.locator('#lines').fill('one and the same line\nOne and the same line!');
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await reads(page, '#found-verdict', /^1 of 2 texts are kept/);
  await opened.context.setOffline(false);
});

test('the content security policy, in the page and as a header, blocks requests', async () => {
  for (const target of ['https://example.org/', 'data:text/plain,x']) {
    const out = await page.evaluate(
      (target) =>
        new Promise((resolve) => {
          addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true });
          fetch(target).then(
            () => resolve('fetched'),
            () => {},
          );
        }),
      target,
    );
    assert.equal(out, 'connect-src');
  }
  const served = await open();
  try {
    const response = await served.page.reload();
    const header = response.headers()['content-security-policy'];
    const meta = await served.page.locator('meta[http-equiv]').getAttribute('content');
    assert.equal(header, `${meta}; frame-ancestors 'none'`);
    assert.doesNotMatch(header, /unsafe-inline|'unsafe-eval'|https?:|\*/);
    await reads(served.page, '#number-distance', /^7/);
    assert.deepEqual(served.errors, []);
  } finally {
    await served.close();
  }
});

test('there were no errors except blocked requests', () => {
  assert.deepEqual(
    opened.errors.filter((trouble) => !/Content Security Policy|example\.org|data:text/.test(trouble)),
    [],
  );
});
