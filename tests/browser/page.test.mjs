import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fingerprint, toHex } from '../../pkg/index.js';
import { open } from './harness.mjs';

let opened;
let page;
before(async () => {
  opened = await open();
  page = opened.page;
});
after(() => opened?.close());

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
  assert.deepEqual(opened.troubles, []);
});
