// The site that `npm run docs` builds, in Chromium: narrow and wide, light and dark, by keyboard, without other hosts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveFolder } from '../../scripts/serve.mjs';
import { eventually, open, reads, violations, wcag } from '../browser/harness.mjs';
import { root } from '../js/packed.mjs';

const pages = ['/index.html', '/guides/how-it-works.html', '/functions.html', '/classes/index.Deduplicator.html'];

const openSite = async (path, options) =>
  open(path, { server: await serveFolder(join(root, 'build', 'docs')), ...options });

// Colours do not depend on the width, nor widths on the colours.
for (const [colorScheme, width] of [
  ['light', 360],
  ['dark', 1280],
]) {
  test(`${colorScheme}, ${width} px: nothing overflows, and axe finds no violation`, async () => {
    const { page, origin, errors, close } = await openSite(pages[0], { colorScheme, viewport: { width, height: 900 } });
    try {
      for (const path of pages) {
        await page.goto(origin + path);
        await page.locator('h1').first().waitFor(); // TypeDoc hides the page until its scripts have run
        const widths = await page.evaluate(() => [document.body.scrollWidth, document.documentElement.clientWidth]);
        assert.ok(widths[0] <= widths[1], `${path} overflows: ${widths}`);
        assert.deepEqual(await violations(page, wcag), [], path);
      }
      assert.deepEqual(errors, []);
    } finally {
      await close();
    }
  });
}

test('the figure moves with its slider, by keyboard', async () => {
  const { page, errors, close } = await openSite('/guides/how-it-works.html');
  try {
    const words = page.locator('.figure input');
    await words.focus();
    await page.keyboard.press('Home');
    await reads(page, '.figure .verdict', /^0 of 64 bits differ\. 100 % .* a near-duplicate\.$/);
    assert.equal(await page.locator('.figure svg .differs').count(), 0);
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('.figure mark').count(), 1);
    await page.keyboard.press('End');
    await reads(page, '.figure .verdict', /another text\./);
    const marks = await page.locator('.figure rect.differs').count();
    assert.match(await page.locator('.figure .verdict').textContent(), new RegExp(`^${marks} of 64`));
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
});

/** The first results of a query: the kind, the address and the excerpt of each. */
async function search(page, query) {
  const input = page.locator('#tsd-search-input');
  await input.fill(query);
  await eventually(async () => assert.ok((await page.locator('#tsd-search-results li').count()) > 0));
  return page.evaluate(() => {
    let kind;
    return [...document.querySelectorAll('#tsd-search-results li')].map((item) => {
      kind = item.dataset.kind ?? kind;
      const link = item.querySelector('a');
      const text = item.querySelector('.found-text');
      const marks = [...link.querySelectorAll('mark')].map(({ textContent }) => textContent.toLowerCase());
      return { kind, path: `/${item.dataset.url.split('#')[0]}`, text: text.textContent, marks };
    });
  });
}

const first = {
  csv: '/command-line.html',
  expire: '/functions.html',
  'next.js': '/guides/edge.html',
  threshold: '/guides/threshold.html',
  bundler: '/guides/page.html',
};

test('the search finds guides before names of the API, with the passage that was found', async () => {
  const { page, errors, close } = await openSite('/index.html');
  try {
    await page.locator('#tsd-search-trigger').click();
    for (const [query, path] of Object.entries(first)) {
      const results = await search(page, query);
      const start = results[0];
      assert.equal(start.path, path, `${query}: ${results.map(({ path }) => path)}`);
      assert.equal(start.kind, 'Guides and reference');
      const words = query.split('.');
      assert.ok(
        words.every((word) => start.marks.some((mark) => mark.startsWith(word))),
        `${query}: ${start.text}`,
      );
    }
    const kinds = (await search(page, 'Deduplicator')).map(({ kind }) => kind);
    const groups = kinds.filter((kind, at) => kind !== kinds[at - 1]);
    assert.deepEqual(groups, ['Guides and reference', 'API', 'About the project']);
    assert.ok((await search(page, 'deduplicater')).length > 0, 'a wrong letter');
    assert.deepEqual(await violations(page, wcag), []);
    await page.locator('#tsd-search-input').fill('xyzzy');
    await reads(page, '#tsd-search-status', /Nothing was found for “xyzzy”/);
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
});

test('the search works by keyboard', async () => {
  const { page, errors, close } = await openSite('/guides/node.html');
  try {
    await page.locator('#tsd-search-trigger').press('Enter');
    await search(page, 'bundler');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/guides/page.html*');
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
});
