// Both views and share links in Firefox.
import assert from 'node:assert/strict';
import { fingerprint } from '../../pkg/simhash.js';
import { exhaustive as test } from '../tier.mjs';
import { compared, eventually, holds, openForAll, reads, writeTexts } from './harness.mjs';

const skip = process.env.FIREFOX ? false : 'Firefox is not installed';

const opened = skip ? {} : await openForAll('/', { browser: 'firefox' });
const { page } = opened;

const [a, b] = ['A hare and a tortoise ran a race', 'A hare and a tortoise ran the race'];

test('compares two texts', { skip }, async () => {
  await reads(page, '#verdict', /^Near-duplicates: \d+% of the word pairs/);
  await page.locator('#marks-b mark').first().waitFor();
  const heights = await page.evaluate(() =>
    ['#text-b', '.text:has(#text-b) .marks'].map((one) => document.querySelector(one).scrollHeight),
  );
  assert.equal(heights[0], heights[1], 'the marks have the lines of the text');
  await writeTexts(page, a, b);
  await compared(page, fingerprint(a), fingerprint(b));
});

test('a word that is pointed at lights its bits', { skip }, async () => {
  const { x, y } = await page.locator('#marks-a').boundingBox();
  await page.mouse.move(x + 40, y + 24);
  await reads(page, '#sentence', / votes as /);
  assert.ok((await page.locator('#strip :is(.for-one, .for-zero)').count()) > 30);
});

test('finds duplicates in a module Worker', { skip }, async () => {
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  await page.locator('#lines').fill('one and the same line\nOne and the same line!\nquite another thing');
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await reads(page, '#found-verdict', /^2 of 3 texts are kept/);
  assert.equal(await page.locator('.cluster .member').count(), 1);
});

test('nothing overflows at 360 px, and a share link restores the texts', { skip }, async () => {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.getByRole('link', { name: 'Compare two texts' }).click();
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  await eventually(async () => assert.equal(await page.evaluate(overflow), 0));
  await page.locator('.share').click();
  await eventually(() => assert.match(new URL(page.url()).hash, /^#s1\./));
  // In another tab, which does not have the texts of this one.
  const other = await opened.context.newPage();
  await other.goto(page.url());
  await holds(other, '#text-b', b);
});
