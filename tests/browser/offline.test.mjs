// The page as it is put on a host: without a network, and with nothing but its own policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { distance, fingerprint } from '../../pkg/index.js';
import { buildPage } from '../../scripts/build-www.mjs';
import { open, reads } from './harness.mjs';

/** A host that knows files and their types, and sends no header of ours. */
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

let folder;
let opened;
let page;
before(async () => {
  folder = buildPage();
  opened = await open('/', { server: await plainHost(folder) });
  page = opened.page;
});
after(() => opened?.close());

test('the built page compares, and its cache carries the version', async () => {
  await reads(page, '#verdict', /^7 of 64 bits differ/);
  await reads(page, '#offline', /works offline/);
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const caches = await page.evaluate(() => globalThis.caches.keys());
  assert.equal(caches.length, 1);
  assert.match(caches[0], new RegExp(`^nearprint ${version.replaceAll('.', '\\.')}-[0-9a-f]{12}$`));
});

test('without a network both views work after a reload', async () => {
  await opened.context.setOffline(true);
  await page.reload();
  const [a, b] = ['written without a network', 'written with no network'];
  await page.locator('#text-a').fill(a);
  await page.locator('#text-b').fill(b);
  await reads(page, '#verdict', new RegExp(`^${distance(fingerprint(a), fingerprint(b))} of 64 bits`));
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  await page.getByRole('button', { name: '10,000 synthetic notices' }).click();
  await reads(page, '#found-verdict', /of 10,000 texts are kept/);
  await opened.context.setOffline(false);
});

test('the policy lets nothing out, as a meta element and as a header', async () => {
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
    await reads(served.page, '#verdict', /^7 of 64 bits differ/);
    assert.deepEqual(served.errors, []);
  } finally {
    await served.close();
  }
});

test('nothing but what the policy forbade went wrong', () => {
  assert.deepEqual(
    opened.errors.filter((trouble) => !/Content Security Policy|example\.org|data:text/.test(trouble)),
    [],
  );
});
