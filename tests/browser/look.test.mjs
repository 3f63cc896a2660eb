// Both views in both languages, light and dark, narrow and wide: nothing overflows, and axe finds no violation.
import assert from 'node:assert/strict';
import { exhaustive as test } from '../tier.mjs';
import {
  eventually,
  openForAll,
  openSettings,
  overflows,
  reads,
  thresholdPercent,
  violations,
  withPage,
} from './harness.mjs';

const languages = {
  en: {
    locale: 'en-GB',
    lang: 'en',
    verdict: /^Near-duplicates: \d+% of the word pairs are in common/,
    found: /texts are kept/,
  },
  zh: {
    locale: 'zh-CN',
    lang: 'zh-Hans',
    verdict: /^属于近似重复：\d+% 的词对相同/,
    found: /段文字中保留/,
  },
};

// Each language with each width and each colour scheme.
for (const [language, colorScheme, width] of [
  ['en', 'light', 320],
  ['en', 'dark', 390],
  ['en', 'light', 1280],
  ['zh', 'dark', 320],
  ['zh', 'light', 390],
  ['zh', 'dark', 1280],
]) {
  test(`${language}, ${colorScheme}, ${width} px`, () => {
    const { locale, lang, verdict, found } = languages[language];
    return withPage('/', { locale, colorScheme, viewport: { width, height: 900 } }, async (page) => {
      await reads(page, '#verdict', verdict);
      assert.equal(await page.getAttribute('html', 'lang'), lang);
      assert.deepEqual(await violations(page), []);
      await openSettings(page);
      await page.locator('#details > summary').click();
      await page.locator('.more-voters').first().click();
      await page.locator('.vote').first().waitFor();
      assert.equal(await overflows(page), false, 'the compare view overflows');
      assert.deepEqual(await violations(page), []);

      await page.locator('#to-duplicates').click();
      await page.locator('#collections button').first().click();
      await reads(page, '#found-verdict', found);
      await page.locator('.member').first().click();
      await page.locator('.panel > p').first().waitFor();
      assert.equal(await overflows(page), false, 'the duplicates view overflows');
      assert.deepEqual(await violations(page), []);
    });
  });
}

const opened = await openForAll('/', { forcedColors: 'active', reducedMotion: 'reduce' });
const { page } = opened;

test('in forced colours, 1, 0 and differing bits look different', async () => {
  await reads(page, '#headline', /7 bits apart/);
  const looks = await page.evaluate(() => {
    const look = (selector) => {
      const { backgroundColor, backgroundImage, borderRadius } = getComputedStyle(
        document.querySelector(`#strip ${selector}`),
        '::before',
      );
      return `${backgroundColor} ${backgroundImage} ${borderRadius}`;
    };
    return ['.one', '.zero', '.one-zero', '.zero-one'].map(look);
  });
  assert.equal(new Set(looks).size, 4);
});

test('with reduced motion there are no animations', async () => {
  const durations = await page.evaluate(
    () => document.getAnimations().concat([...document.querySelectorAll('*')].flatMap((e) => e.getAnimations())).length,
  );
  assert.equal(durations, 0);
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.querySelector('.ruler circle')).transitionDuration),
    '0s',
  );
});

/** Presses the Tab key until a matching element has the focus. The key goes round the page: an element may be inert at first. */
async function tabTo(selector) {
  for (let tries = 0; tries < 240; tries++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
  }
  assert.fail(`the Tab key does not reach ${selector}`);
}

test('everything can be done by keyboard', async () => {
  await page.reload();
  await reads(page, '#verdict', /^Near-duplicates/);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.id), 'main'));
  await tabTo('#open-files');
  await tabTo('#samples button');
  for (let at = 0; at < 5; at++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await reads(page, '#verdict', /^Not near-duplicates/);
  await tabTo('#text-a');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('the same words');
  await tabTo('#text-b');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('The same words!');
  await reads(page, '#verdict', /^The same words/);
  if (!(await page.evaluate(() => document.getElementById('scheme').open))) {
    await tabTo('#scheme > summary');
    await page.keyboard.press('Enter');
  }
  await tabTo('#scheme-threshold');
  await page.keyboard.press('ArrowLeft');
  await reads(page, '#scheme-threshold-value', new RegExp(`^${thresholdPercent - 1}%$`));
  await tabTo('#scheme-mix');
  await page.keyboard.press('Space');
  await reads(page, '#scheme-id', /raw/);
  await tabTo('#strip [role="gridcell"]');
  await page.keyboard.press('End');
  await reads(page, '#sentence', /^Bit 0 /);
  if (!(await page.evaluate(() => document.getElementById('details').open))) {
    await tabTo('#details > summary');
    await page.keyboard.press('Enter');
  }
  await page.locator('.vote').first().waitFor();

  await page.locator('#to-duplicates').focus();
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await page.locator('#duplicates').isVisible(), true));
  await tabTo('#lines');
  await page.keyboard.type('one and the same line');
  await page.keyboard.press('Enter');
  await page.keyboard.type('One and the same line!');
  await tabTo('.primary');
  await page.keyboard.press('Enter');
  await reads(page, '#found-verdict', /^1 of 2 texts are kept/);
  await tabTo('.line');
  await page.keyboard.press('End');
  await reads(page, '#found-verdict', /at least 100% of the/);
  await tabTo('.member');
  await page.keyboard.press('Enter');
  await reads(page, '.diff', /line!/);
});
