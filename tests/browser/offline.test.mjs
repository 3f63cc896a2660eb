// The built page on a plain host: offline, and under its own content security policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fingerprint } from '../../pkg/simhash.js';
import { pageFolder } from '../../scripts/page.mjs';
import { exhaustive as test } from '../tier.mjs';
import { serveFolder } from './folder.mjs';
import { compared, openForAll, reads, withPage, writeTexts } from './harness.mjs';

const opened = await openForAll('/', {
  server: await serveFolder(pageFolder),
  blocked: /Content Security Policy|example\.org|data:text/,
});
const { page } = opened;

test('the page compares two texts, and its cache is named by version', async () => {
  await reads(page, '#headline', /7 bits apart/);
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
  await writeTexts(page, a, b);
  await compared(page, fingerprint(a), fingerprint(b));
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
  await withPage('/', {}, async (served) => {
    const response = await served.reload();
    const header = response.headers()['content-security-policy'];
    const meta = await served.locator('meta[http-equiv]').getAttribute('content');
    assert.equal(header, `${meta}; frame-ancestors 'none'`);
    assert.doesNotMatch(header, /unsafe-inline|'unsafe-eval'|https?:|\*/);
    await reads(served, '#headline', /7 bits apart/);
  });
});
