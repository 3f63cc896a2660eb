// The printed page: what is filled stays filled, texts are whole, and controls are left out.
import assert from 'node:assert/strict';
import { exhaustive as test } from '../tier.mjs';
import { openForAll, reads, writeTexts } from './harness.mjs';

const opened = await openForAll('/', { colorScheme: 'dark', viewport: { width: 794, height: 1123 } });
const { page } = opened;
await reads(page, '#verdict', /^Near-duplicates/);
await page.locator('#marks-a .lit').first().waitFor();

/** Prints the page, which sends `beforeprint`, and keeps the print style. */
async function print() {
  await page.emulateMedia({ media: 'print' });
  await page.pdf();
}

test('marks, bars and the ruler keep their colours, on white', async () => {
  await print();
  const looks = await page.evaluate(() => {
    const look = (selector, pseudo) => {
      const { backgroundColor, printColorAdjust } = getComputedStyle(document.querySelector(selector), pseudo);
      return { backgroundColor, printColorAdjust };
    };
    return {
      one: look('#strip .one', '::before'),
      zero: look('#strip .zero', '::before'),
      differs: look('#strip .differs', '::before'),
      ruler: look('.ruler'),
      track: look('.track'),
      mark: look('.marks mark'),
      body: look('body'),
    };
  });
  const { body, ...kept } = looks;
  assert.equal(body.backgroundColor, 'rgb(255, 255, 255)');
  for (const [name, { printColorAdjust }] of Object.entries(kept)) assert.equal(printColorAdjust, 'exact', name);
  assert.equal(kept.one.backgroundColor, 'rgb(179, 171, 154)');
  assert.equal(kept.zero.backgroundColor, 'rgba(0, 0, 0, 0)');
});

test('texts are whole, and the controls are left out', async () => {
  const texts = await page.evaluate(() =>
    ['a', 'b'].map((side) => {
      const marks = document.querySelector(`.text:has(#text-${side}) .marks`);
      const { color, position, overflow } = getComputedStyle(marks);
      return {
        color,
        position,
        overflow,
        isWhole: marks.scrollHeight <= marks.clientHeight + 1,
        text: marks.textContent,
      };
    }),
  );
  for (const [at, side] of ['a', 'b'].entries()) {
    const { text, ...look } = texts[at];
    assert.equal(text.trimEnd(), (await page.locator(`#text-${side}`).inputValue()).trimEnd());
    assert.deepEqual(look, { color: 'rgb(29, 27, 22)', position: 'static', overflow: 'visible', isWhole: true });
  }
  for (const selector of ['#scheme', '.settings', '#samples', '.use', '#text-a', '#more-a']) {
    assert.equal(await page.locator(selector).first().isVisible(), false, selector);
  }
});

test('texts without marks are printed, too', async () => {
  await page.emulateMedia({ media: 'screen' });
  await writeTexts(page, 'equal texts', 'equal texts');
  await reads(page, '#verdict', /^Identical texts/);
  await page.locator('#texts[aria-busy=false]').waitFor();
  await print();
  assert.deepEqual(await page.locator('.marks').allTextContents(), ['equal texts\n', 'equal texts\n']);
});
