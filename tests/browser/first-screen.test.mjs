// The first screen, and what the page says about pairs of texts that a visitor tries first.
import assert from 'node:assert/strict';
import { brotliCompressSync } from 'node:zlib';
import { fingerprint } from '../../pkg/simhash.js';
import { firstPage } from '../../scripts/page.mjs';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';
import { choose, eventually, open, openForAll, reads, shownFingerprints, withPage, writeTexts } from './harness.mjs';

const { samples } = await importSource('www/compare/samples.ts');
const [news] = samples;

/** Adds up the layout shifts of pages that are opened from now on. Returns a function that reads the sum. */
async function watchShifts(page) {
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) globalThis.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => globalThis.shift);
}

for (const [width, height] of [
  [1280, 720],
  [390, 844],
]) {
  exhaustive(`${width} × ${height}, in Chinese: nothing jumps`, async () => {
    const { page, errors, close } = await open('/#other', { viewport: { width, height }, locale: 'zh-CN' });
    const shiftOf = await watchShifts(page);
    await page.goto(page.url().replace('#other', ''));
    await page.locator('#marks-a .lit').first().waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-Hans');
    assert.ok(await page.locator('#headline').isVisible());
    assert.ok((await shiftOf()) < 0.02, `layout shift ${await shiftOf()}`);
    assert.deepEqual(errors, []);
    await close();
  });

  const run = width === 390 ? test : exhaustive;
  run(`${width} × ${height}: the difference is in the first screen and in the HTML, and nothing jumps`, async () => {
    const still = await open('/', { viewport: { width, height }, javaScriptEnabled: false });
    const at = (page, selector) => page.locator(selector).boundingBox();
    const selectors = ['#headline', '#verdict', '#strip', '#sentence'];
    const first = await Promise.all(selectors.map((selector) => at(still.page, selector)));
    const read = (page) => Promise.all(selectors.map((selector) => page.locator(selector).innerText()));
    const written = await read(still.page);
    assert.match(written[0], /^Two texts, 64 bits\s+each\. 7 bits apart\.$/);
    assert.match(written[1], /^Near-duplicates: \d\d% of the word pairs are in common\.$/);
    assert.deepEqual(await shownFingerprints(still.page), [fingerprint(news.a), fingerprint(news.b)]);
    for (const [index, { y, height: tall }] of first.entries()) {
      assert.ok(y + tall < height, `${selectors[index]} ends at ${y + tall}`);
    }
    assert.equal(await still.page.locator('#text-a').inputValue(), news.a);
    assert.equal(await still.page.locator('#text-b').inputValue(), news.b);
    const marks = await still.page
      .locator('.marks')
      .evaluateAll((all) =>
        all.map((one) => [one.textContent, [...one.querySelectorAll('mark')].map((mark) => mark.textContent.trim())]),
      );
    assert.deepEqual(
      marks.map(([text]) => text),
      [news.a, news.b],
    );
    assert.ok(marks[0][1].includes('Thursday') && marks[1][1].includes('Friday'), 'the changed words are marked');
    for (const control of ['button', 'select', 'nav a', 'summary']) {
      const shown = await still.page
        .locator(control)
        .evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
      assert.equal(shown, 0, `${control}: without scripts it would do nothing`);
    }
    assert.equal(await still.page.locator('textarea:not([readonly])').count(), 0);
    await still.close();

    const { page, errors, close } = await open('/#other', { viewport: { width, height } });
    const shiftOf = await watchShifts(page);
    await page.goto(page.url().replace('#other', ''));
    await page.locator('#marks-a .lit').first().waitFor();
    await page.locator('#number-estimate').waitFor({ state: 'attached' });
    assert.deepEqual(await read(page), written, 'the page computes what the build has written');
    const placed = await Promise.all(selectors.map((selector) => at(page, selector)));
    // The build writes no navigation, so the header can be lower.
    for (const [index, { y }] of placed.entries()) {
      assert.ok(Math.abs(y - first[index].y) < 24, `${selectors[index]}: from ${first[index].y} to ${y}`);
      assert.ok(y + placed[index].height < height, selectors[index]);
    }
    assert.ok((await shiftOf()) < 0.02, `layout shift ${await shiftOf()}`);
    if (width === 390) assert.ok((await at(page, '.masthead')).height < 60, 'on a phone, the header is one row');
    assert.deepEqual(errors, []);
    await close();
  });
}

for (const width of [320, 390]) {
  exhaustive(`${width} px wide, the name of the page is beside its icon, and the legend speaks of taps`, async () => {
    const { page, close } = await open('/', { viewport: { width, height: 844 }, hasTouch: true, isMobile: true });
    const [icon, name] = await Promise.all(
      ['h1 img', 'h1 span'].map((selector) => page.locator(selector).boundingBox()),
    );
    assert.ok(name.width > 40 && name.x > icon.x + icon.width && name.y < icon.y + icon.height);
    assert.match(await page.locator('#legend').innerText(), / Tap one\.$/);
    await close();
  });
}

test('768 px wide, the counts fit in their lines and both fields are at one height', async () => {
  const { page, close } = await open('/', { viewport: { width: 768, height: 1024 } });
  await page.locator('#more-b').waitFor();
  const [a, b] = await Promise.all(['#text-a', '#text-b'].map((selector) => page.locator(selector).boundingBox()));
  assert.ok(a.x < b.x && a.y === b.y, `${a.y} and ${b.y}`);
  for (const note of ['#text-a-note', '#text-b-note'])
    assert.ok(
      await page.locator(note).evaluate((one) => one.scrollWidth <= one.clientWidth && one.clientHeight < 30),
      note,
    );
  assert.match(await page.locator('#legend').innerText(), / Point at one\.$/);
  await close();
});

test('the first bits and their verdict take few bytes, and the other view is loaded when it is shown', async () => {
  const { page, context, origin, close } = await open('/favicon.ico');
  const responses = [];
  context.on('response', (response) => responses.push(response));
  await page.goto(origin);
  await page.waitForFunction(() => performance.getEntriesByName('compared').length > 0);
  const early = await page.evaluate(() => {
    const [{ startTime }] = performance.getEntriesByName('compared');
    const files = performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd <= startTime);
    return [location.href, ...files.map(({ name }) => name)];
  });
  const files = new Map(responses.filter((each) => early.includes(each.url())).map((each) => [each.url(), each]));
  const bodies = await Promise.all([...files.values()].map((each) => each.body()));
  const bytes = bodies.reduce((sum, body) => sum + brotliCompressSync(body).length, 0);
  assert.ok(bytes > 90_000 && bytes <= 115_000, `${bytes} bytes before the first bits and the first verdict`);
  await page.locator('#marks-a .lit').first().waitFor();

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

test('a link to the page has a picture, with an absolute address if that is known', async () => {
  const built = await firstPage('https://example.org/demo/');
  assert.match(built, /<meta property="og:image" content="https:\/\/example\.org\/demo\/preview\.png">/);
  const address = await page.locator('meta[property="og:image"]').getAttribute('content');
  const response = await page.request.get(new URL(address, opened.origin).href);
  assert.equal(response.status(), 200);
  assert.equal((await response.body()).subarray(1, 4).toString(), 'PNG');
});

/** Writes both texts, and waits until their changes are marked. */
async function write(a, b) {
  await writeTexts(page, a, b);
  await page.locator('#texts[aria-busy=false]').waitFor();
}

const wordsOf = (text) => text.match(/\w+/g).join(' ');

/** The words that are marked in a text. */
const marked = async (side) => wordsOf((await page.locator(`#marks-${side} mark`).allTextContents()).join(' '));

const text =
  'The river burst its banks early on Tuesday, the council said, and the road to the harbour is closed for a week.';
const other =
  'Volunteers filled sandbags until dawn while the fire service pumped out cellars along the old quay, and no one was hurt.';

test('identical texts, the same words, and near-duplicates have different verdicts', async () => {
  await write(text, text);
  await reads(page, '#verdict', /^Identical texts\.$/);
  await reads(page, '#headline', /No bit differs\.$/);
  assert.equal(await page.locator('.marks mark').count(), 0);
  await write(text, text.toUpperCase());
  await reads(page, '#verdict', /^The same words: only case, punctuation or spacing differ\.$/);
  await write(text, text.replace('week', 'day'));
  await reads(page, '#verdict', /^Near-duplicates: \d\d% of the word pairs are in common\.$/);
  await reads(page, '#marks-a mark', /^week$/);
});

test('the same words with other accents and apostrophes have other fingerprints, and the verdict says why', async () => {
  const accents = 'Les élèves de l’école ont déjà mangé à la fête du père Noël hier soir';
  const polish = 'Rzeka wystąpiła z brzegów we wtorek rano, poinformował wójt, a droga koło szkoły jest zamknięta.';
  const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l');
  for (const [a, b] of [
    [accents, plain(accents)],
    [polish, plain(polish)],
    [accents, accents.replace('’', '')],
  ]) {
    await write(a, b);
    await reads(
      page,
      '#verdict',
      /^The same words apart from accents and apostrophes, which fingerprints do not ignore\.$/,
    );
    assert.equal(await page.locator('#remark').textContent(), '');
    const lines = await page.locator('#verdict').evaluate((verdict) => {
      const range = document.createRange();
      range.selectNodeContents(verdict);
      return [...range.getClientRects()].map(({ width }) => width);
    });
    assert.ok(lines.at(-1) > lines[0] / 2, `no word is alone in its line: ${lines}`);
  }
  await write(`${text} ${text}`, `${text} ${text} ${plain(text)}`);
  await reads(page, '#verdict', /^Near-duplicates: 100% of the word pairs are in common\.$/);
  await reads(
    page,
    '#remark',
    /Repetitions, .* make no difference here\. Fingerprints do not ignore them: \d+ bits differ\.$/,
  );
  await write(text, text.replace('harbour', 'har-\nbour'));
  await reads(page, '#verdict', /^The same words: only case, punctuation or spacing differ\.$/);
  await reads(page, '#remark', /words broken at line ends make no difference here\./);
});

test('texts that have little in common have marks', async () => {
  await write('The river burst its banks', 'THE RIVER fell again');
  assert.deepEqual([await marked('a'), await marked('b')], ['burst its banks', 'fell again']);
  await write(text, other);
  assert.match(await marked('a'), /^The river burst its banks .* closed for a week$/);
  assert.match(await marked('b'), /^Volunteers filled sandbags .* no one was hurt$/);
});

test('the changes of texts that have since been edited are not marked', async () => {
  await withPage('/', {}, async (page) => {
    // Keeps the messages of Workers until they are released.
    await page.addInitScript(() => {
      let kept;
      globalThis.keepMessages = () => {
        kept = [];
      };
      globalThis.releaseMessages = () => {
        const events = kept;
        kept = undefined;
        for (const { target, data } of events) target.dispatchEvent(new MessageEvent('message', { data }));
      };
      globalThis.isKept = () => kept.some(({ data }) => data.answer?.list !== undefined);
      globalThis.Worker = class extends Worker {
        constructor(...args) {
          super(...args);
          this.addEventListener('message', (event) => {
            if (kept === undefined) return;
            event.stopImmediatePropagation();
            kept.push(event);
          });
        }
      };
    });
    await page.reload();
    await writeTexts(page, text, text.replace('river', 'brook'));
    await reads(page, '#marks-b', /brook/);
    await page.evaluate(() => globalThis.keepMessages());
    await writeTexts(page, text, text.replace('road', 'path'));
    await eventually(async () => assert.ok(await page.evaluate(() => globalThis.isKept()), 'the changes are found'));
    const state = await page.evaluate(async () => {
      const field = document.getElementById('text-b');
      field.value = field.value.replace('harbour', 'station');
      field.dispatchEvent(new Event('input'));
      globalThis.releaseMessages();
      // The answer is used in a microtask, before the next task.
      await new Promise((resolve) => setTimeout(resolve));
      return [document.getElementById('texts').ariaBusy, document.querySelectorAll('#marks-b mark').length];
    });
    assert.deepEqual(state, ['true', 0]);
    await reads(page, '#marks-b', /station/);
  });
});

test('one of two swapped paragraphs is marked, in both texts', async () => {
  await write(`${text}\n\n${other}`, `${other}\n\n${text}`);
  const both = [await marked('a'), await marked('b')];
  const isMarked = (paragraph) => both.every((words) => words.includes(wordsOf(paragraph)));
  assert.ok(isMarked(text) !== isMarked(other), `${both}`);
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

for (const [what, long] of [
  ['a word of 10,000 letters', 'x'.repeat(10_000)],
  ['22 kB in base64', Buffer.from(Array.from({ length: 16_500 }, (_, at) => (at * 7919) % 251)).toString('base64')],
]) {
  test(`${what} leaves the page in its form`, async () => {
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const writeWith = async (word) => {
      await write(`${text} ${word} ${other}`, `${text} ${other}`);
      // Also where it is equal in both texts.
      await write(`${word} ${text}`, `${word} ${text} end`);
    };
    await writeWith('word');
    const usual = await height();
    await writeWith(long);
    // On a busy machine, other parts of the page follow.
    await eventually(async () => assert.ok((await height()) < usual + 400, `${usual} and ${await height()} pixels`));
  });
}
