// Texts survive a reload, and the URL sets the language.
import assert from 'node:assert/strict';
import { exhaustive as test } from '../tier.mjs';
import { eventually, holds, openForAll, reads, writeTexts } from './harness.mjs';

const opened = await openForAll('/');
const { page } = opened;

const [a, b] = [
  'A first text, of eleven words, which a reload must not lose',
  'A second text, which a reload must not lose',
];
const textOf = (side) => page.locator(`#text-${side}`).inputValue();

test('texts, lines, scheme and threshold survive a reload, but not a closed tab', async () => {
  await writeTexts(page, a, b);
  await page.evaluate(() => document.getElementById('scheme').setAttribute('open', ''));
  await page.locator('#scheme-threshold').fill('55');
  await page.locator('#scheme-features').selectOption('"chars3"');
  await page.locator('#to-duplicates').click();
  await page.locator('#lines').fill('one line\nanother line');
  await page.reload();
  await holds(page, '#lines', 'one line\nanother line');
  await page.locator('#to-compare').click();
  await reads(page, '#verdict', /of the character triples are in common/);
  assert.deepEqual([await textOf('a'), await textOf('b')], [a, b]);
  assert.equal(await page.locator('#scheme-threshold').inputValue(), '55');
  const other = await opened.context.newPage();
  await other.goto(opened.origin);
  await reads(other, '#verdict', /^Near-duplicates/);
  assert.notEqual(await other.locator('#text-a').inputValue(), a);
  await other.close();
});

test('a share link goes before the kept texts', async () => {
  await page.locator('.share').click();
  await reads(page, '#shared', /link/);
  const url = await page.evaluate(() => location.href);
  await page.locator('#text-a').fill('another text');
  await page.goto(opened.origin);
  await eventually(async () => assert.equal(await textOf('a'), 'another text'));
  // Not by way of the fragment alone: a reload right after that could load the page without it.
  await page.goto('about:blank');
  await page.goto(url);
  await eventually(async () => assert.equal(await textOf('a'), a));
});

/** Reloads the page with something in its storage. */
async function reloadWith(value) {
  // The name of a window survives a reload, and the script runs before the page's own.
  await page.evaluate((value) => {
    globalThis.name = value;
  }, value);
  await page.goto(opened.origin);
  await page.reload();
  await reads(page, '#verdict', /./);
}

const scheme = { bits: 64, features: 'grams', hash: 'fnv1', mix: true, weights: 'log', normalize: 'nfkc-casefold' };
const content = { view: 'compare', scheme, threshold: 0.67, a, b, lines: '' };

test('storage that someone else wrote is checked', async () => {
  await page.addInitScript(() => {
    if (globalThis.name !== '') sessionStorage.setItem('texts', globalThis.name);
  });
  await reloadWith(JSON.stringify(content));
  assert.equal(await textOf('a'), a, 'the form is the one that the page reads');
  const hostile = [
    '{',
    'null',
    '[]',
    '"a"',
    JSON.stringify({ ...content, a: 7 }),
    JSON.stringify({ ...content, lines: { length: 3 } }),
    JSON.stringify({ ...content, scheme: { ...scheme, bits: 63 } }),
    JSON.stringify({ ...content, scheme: null }),
    JSON.stringify({ ...content, threshold: 0 }),
    JSON.stringify({ ...content, a: 'a\n'.repeat(5001) }),
    JSON.stringify({ ...content, a: 'a '.repeat(600_000) }),
  ];
  for (const value of hostile) {
    await reloadWith(value);
    await reads(page, '#verdict', /^Near-duplicates: 86%/);
    assert.match(await textOf('a'), /^The river Aune/, value.slice(0, 80));
    assert.equal(await page.locator('#notice').isVisible(), false);
  }
  await reloadWith(JSON.stringify({ ...content, a: '<img src=x onerror=alert(1)>', __proto__: { view: 'x' } }));
  assert.equal(await textOf('a'), '<img src=x onerror=alert(1)>');
  assert.equal(await page.locator('main img').count(), 0);
});

test('texts of a million characters are not kept, and do not stop the page from being left', async () => {
  await reloadWith('{}');
  await page.evaluate(() => {
    globalThis.name = '';
  });
  await page.locator('#text-a').evaluate((area) => {
    area.value = 'word '.repeat(300_000);
    area.dispatchEvent(new Event('input'));
  });
  await page.reload();
  await reads(page, '#verdict', /^Near-duplicates: 86%/);
});

test('?lang= sets the language, and links keep it', async () => {
  await page.goto(`${opened.origin}/?lang=zh`);
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
  await page.goto(`${opened.origin}/?lang=xx#compare`);
  await reads(page, '#to-compare', /^Compare/);
});
