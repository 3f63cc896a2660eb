import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { fingerprint, toHex } from '../../pkg/index.js';
import { serve } from '../../scripts/serve.mjs';

let browser;
let server;
let page;
const troubles = [];

before(async () => {
  server = await serve(0);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    // As root, as in CI, Chromium has no sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  page = await browser.newPage();
  const origin = `http://localhost:${server.address().port}`;
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on(
    'request',
    (request) =>
      request.url().startsWith(origin) ||
      request.url().startsWith('data:') ||
      troubles.push(`asked for ${request.url()}`),
  );
  await page.goto(`${origin}/`);
});

after(async () => {
  await browser?.close();
  server?.close();
});

test('two pasted texts are compared, bit by bit', async () => {
  await page.getByLabel('First text').fill('网页内容相似度');
  await page.getByLabel('Second text').fill('网页内容相似度');
  assert.match(await page.getByRole('status').textContent(), /No bit differs/);

  await page.getByLabel('Second text').fill('Something else entirely, in another language');
  const [a, b] = ['网页内容相似度', 'Something else entirely, in another language'].map((text) => fingerprint(text));
  const apart = (a ^ b).toString(2).replaceAll('0', '').length;
  assert.match(
    await page.getByRole('status').textContent(),
    new RegExp(`^${apart} of 64 bits differ: not near-duplicates`),
  );
  assert.equal(await page.locator('#hex-a').textContent(), toHex(a));
  assert.equal(await page.locator('#bits-diff .differs').count(), apart);
  assert.equal(await page.locator('#bits-b .one').count(), b.toString(2).replaceAll('0', '').length);
});

test('an empty text is said to be missing', async () => {
  await page.getByLabel('Second text').fill('');
  assert.match(await page.getByRole('status').textContent(), /Paste a text/);
});

test('nothing went wrong, and nothing was asked of another origin', () => {
  assert.deepEqual(troubles, []);
});
