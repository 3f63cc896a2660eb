// The built page on a plain host, and its content security policy.
import assert from 'node:assert/strict';
import { pageFolder } from '../../scripts/page.mjs';
import { serveFolder } from '../../scripts/serve.mjs';
import { exhaustive as test } from '../tier.mjs';
import { openForAll, reads, withPage } from './harness.mjs';

const { page } = await openForAll('/', {
  server: await serveFolder(pageFolder),
  blocked: /Content Security Policy|example\.org|data:text/,
});

test('the page compares two texts on a plain host', async () => {
  await reads(page, '#headline', /7 bits apart/);
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
