// The first screen, and what the page says about pairs of texts that a visitor tries first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { importSource } from '../source.mjs';
import { choose, eventually, open, openForAll, reads, writeTexts } from './harness.mjs';

const { samples } = await importSource('www/compare/samples.ts');
const [news] = samples;

for (const [width, height] of [
  [1280, 800],
  [390, 844],
]) {
  test(`${width} pixels: the first screen is in the HTML, and nothing jumps`, async () => {
    const still = await open('/', { viewport: { width, height }, javaScriptEnabled: false });
    const at = (page, selector) => page.locator(selector).boundingBox();
    const selectors = ['#text-a', '#text-b', '#verdict'];
    const first = await Promise.all(selectors.map((selector) => at(still.page, selector)));
    const verdict = await still.page.locator('#verdict').textContent();
    assert.match(verdict, /^Near-duplicates: \d\d% of the word pairs are in common\.$/);
    assert.equal(await still.page.locator('#text-a').inputValue(), news.a);
    assert.equal(await still.page.locator('#text-b').inputValue(), news.b);
    assert.match(await still.page.locator('.lead').first().textContent(), /npm install nearprint/);
    await still.close();

    const { page, errors, close } = await open('/#other', { viewport: { width, height } });
    await page.addInitScript(() => {
      globalThis.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(page.url().replace('#other', ''));
    await page.locator('#fingerprints [data-bit]').first().waitFor();
    await page.locator('#change-list button').first().waitFor();
    assert.equal(await page.locator('#verdict').textContent(), verdict);
    for (const [index, selector] of selectors.entries()) {
      const { y } = await at(page, selector);
      assert.ok(Math.abs(y - first[index].y) < 48, `${selector}: from ${first[index].y} to ${y}`);
    }
    const shift = await page.evaluate(() => globalThis.shift);
    assert.ok(shift < 0.1, `layout shift ${shift}`);
    if (width === 390) {
      assert.ok((await at(page, '.masthead')).height < 60, 'on a phone, the header is one row');
      assert.ok((await at(page, '#fingerprints')).y < 2 * height, 'and the bits are on the second screen');
    }
    assert.deepEqual(errors, []);
    await close();
  });
}

test('the first verdict takes at most 105 kB, and the other view is loaded when it is shown', async () => {
  const { page, context, origin, close } = await open('/favicon.ico', { serviceWorkers: 'block' });
  const responses = [];
  context.on('response', (response) => responses.push(response));
  await page.goto(origin);
  await page.locator('#change-list button').first().waitFor();
  // The Worker's files are in the cache of the browser.
  const files = [...new Map(responses.map((each) => [each.url(), each])).values()];
  const sizes = await Promise.all(files.map(async (each) => brotliCompressSync(await each.body()).length));
  const sum = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(sum > 90_000 && sum <= 105_000, `${sum} bytes`);

  const view = /\/duplicates-view-\w+\.js$/;
  assert.ok(!responses.some((each) => view.test(each.url())));
  await context.route(view, (route) => route.abort());
  const link = page.getByRole('link', { name: 'Find duplicates' });
  await link.click();
  await reads(page, '#notice', /^This view could not be loaded/);
  await context.unroute(view);
  await page.getByRole('link', { name: 'Compare' }).click();
  await link.click();
  await page.locator('#lines').waitFor();
  await page.locator('#notice').waitFor({ state: 'hidden' });
  await close();
});

const opened = await openForAll('/');
const { page } = opened;

test('a link to the page has a picture', async () => {
  const address = await page.locator('meta[property="og:image"]').getAttribute('content');
  const response = await page.request.get(new URL(address, opened.origin).href);
  assert.equal(response.status(), 200);
  assert.equal((await response.body()).subarray(1, 4).toString(), 'PNG');
});

const write = (a, b) => writeTexts(page, a, b);

const text =
  'The river burst its banks early on Tuesday, the council said, and the road to the harbour is closed for a week.';
const other =
  'Volunteers filled sandbags until dawn while the fire service pumped out cellars along the old quay, and no one was hurt.';

test('identical texts, the same words, and near-duplicates have different verdicts', async () => {
  await write(text, text);
  await reads(page, '#verdict', /^Identical texts\.$/);
  await reads(page, '#change-list', /^Nothing: the texts are equal\.$/);
  await write(text, text.toUpperCase());
  await reads(page, '#verdict', /^The same words: only case, punctuation or spacing differ\.$/);
  await reads(page, '#change-list', /^Nothing but the case of letters\.$/);
  await write(text, text.replace('week', 'day'));
  await reads(page, '#verdict', /^Near-duplicates: \d\d% of the word pairs are in common\.$/);
  await reads(page, '#columns del', /^week$/);
});

test('texts that have little in common have a diff', async () => {
  await write('The river burst its banks', 'THE RIVER fell again');
  await reads(page, '#columns tbody', /again/);
  const marked = (tag) => page.locator(`#columns ${tag}`).allTextContents();
  assert.equal((await marked('del')).join(' '), 'burst its banks');
  assert.equal((await marked('ins')).join(' '), 'fell again');
  await write(text, other);
  await page.locator('#columns del').first().waitFor();
  await page.locator('#columns ins').first().waitFor();
});

test('two swapped paragraphs are marked as moved', async () => {
  await write(`${text}\n\n${other}`, `${other}\n\n${text}`);
  await page.locator('#change-list .moved').first().waitFor();
  const moved = await page.locator('#columns .moved').allTextContents();
  const wordsOf = (texts) => texts.join(' ').match(/\w+/g).join(' ');
  // One of the paragraphs is moved, from one place to the other.
  assert.equal(moved.length, 2);
  assert.equal(wordsOf([moved[0]]), wordsOf([moved[1]]));
  assert.ok(
    [text, other].some((paragraph) => wordsOf([paragraph]) === wordsOf([moved[0]])),
    moved[0],
  );
});

test('pairs of characters are not called a quotation, and no quotation is mutual', async () => {
  await write(samples.find(({ name }) => name === 'sampleUnrelated').a, other);
  await choose(page, 'features', 'chars2');
  await reads(page, '#verdict', /character pairs/);
  assert.doesNotMatch(await page.locator('#remark').textContent(), /quote/);
  await choose(page, 'features', 'grams');
  await write(text, `${other} ${text} ${other.replace('old', 'new')}`);
  await reads(page, '#remark', /of the first text are in the second, which seems to quote it/);
});

test('a word of 3,000 letters leaves the page in its form', async () => {
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const writeWith = async (word) => {
    await write(`${text} ${word}`, text);
    await reads(page, '#verdict', /^Near-duplicates/);
    await page.locator('#columns del', { hasText: word.slice(0, 10) }).waitFor();
  };
  await writeWith('word');
  const usual = await height();
  await writeWith('x'.repeat(3000));
  // On a busy machine, other parts of the page follow.
  await eventually(async () => assert.ok((await height()) < usual + 400, `${usual} and ${await height()} pixels`));
});
