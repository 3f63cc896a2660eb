// The language: the reader's choice, which is remembered, or the one that the URL sets.
import assert from 'node:assert/strict';
import { exhaustive as test } from '../tier.mjs';
import { eventually, openForAll, reads, withPage } from './harness.mjs';

const { page, origin } = await openForAll('/');

test('the language can be chosen and is remembered', () =>
  withPage('/', { locale: 'fr-FR' }, async (page) => {
    await reads(page, '#verdict', /^Near-duplicates/);
    await page.getByLabel('Language').selectOption('zh');
    await reads(page, '#verdict', /^属于近似重复/);
    assert.equal(await page.title(), 'nearprint：看清两段文字为什么近似重复');
    await page.reload();
    await reads(page, '#verdict', /^属于近似重复/);
    await page.getByLabel('语言').selectOption('en');
    await reads(page, '#verdict', /^Near-duplicates/);
  }));

test('?lang= sets the language, and links keep it', async () => {
  await page.goto(`${origin}/?lang=zh`);
  await reads(page, '#verdict', /^属于近似重复/);
  await page.locator('#to-duplicates').click();
  assert.equal(new URL(page.url()).search, '?lang=zh');
  await page.locator('#duplicates button', { hasText: '复制链接' }).click();
  await eventually(() => assert.match(page.url(), /\?lang=zh#s1\./));
  await page.reload();
  await reads(page, '#to-compare', /^比较/);
  await page.locator('#language').selectOption('en');
  await reads(page, '#to-compare', /^Compare/);
  await eventually(() => assert.equal(new URL(page.url()).search, '?lang=en'));
  await page.goto(`${origin}/?lang=xx#compare`);
  await reads(page, '#to-compare', /^Compare/);
});
