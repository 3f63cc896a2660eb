// The printed page: what is filled stays filled, texts are whole, and controls are left out.
import assert from 'node:assert/strict';
import { exhaustive as test } from '../tier.mjs';
import { openForAll, reads, writeTexts } from './harness.mjs';

const opened = await openForAll('/', { colorScheme: 'dark', viewport: { width: 794, height: 1123 } });
const { page } = opened;
await reads(page, '#verdict', /^Near-duplicates/);
await page.locator('#change-list .change').first().waitFor();

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
      one: look('.print .one:not(.differs)', '::before'),
      zero: look('.print i:not(.one, .differs)', '::before'),
      differs: look('.xor .differs', '::before'),
      point: look('#ruler', '::after'),
      line: look('#ruler', '::before'),
      bar: look('.balance'),
      barOne: look('.balance.one i'),
      mark: look('.marks mark'),
      ins: look('.columns ins'),
      body: look('body'),
    };
  });
  const { body, ...kept } = looks;
  assert.equal(body.backgroundColor, 'rgb(255, 255, 255)');
  for (const [name, { printColorAdjust }] of Object.entries(kept)) assert.equal(printColorAdjust, 'exact', name);
  assert.equal(kept.one.backgroundColor, 'rgb(29, 27, 22)');
  assert.equal(kept.zero.backgroundColor, 'rgba(0, 0, 0, 0)');
  assert.equal(kept.differs.backgroundColor, 'rgb(179, 49, 26)');
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
  for (const selector of ['#scheme', '.settings', '#samples', '.use', '#text-a', '.more', '.fold + .quiet']) {
    assert.equal(await page.locator(selector).first().isVisible(), false, selector);
  }
  const lists = await page
    .locator('.feature-list ul')
    .evaluateAll((lists) => lists.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight));
  assert.ok(lists.every((hidden) => hidden <= 1));
});

test('texts without marks are printed, too', async () => {
  await page.emulateMedia({ media: 'screen' });
  await writeTexts(page, 'equal texts', 'equal texts');
  await reads(page, '#verdict', /^Identical texts/);
  // The marks of the texts before are removed when the changes are found.
  await page.locator('#change-list:not([inert])').waitFor({ state: 'attached' });
  await print();
  assert.deepEqual(await page.locator('.marks').allTextContents(), ['equal texts\n', 'equal texts\n']);
});
