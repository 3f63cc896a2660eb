// The details of the compare view: numbers, voters, the text fields, and the code to copy.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { resemblance, sketch } from '../../pkg/index.js';
import { features, fingerprint } from '../../pkg/simhash.js';
import { isPublished } from '../../scripts/publication.mjs';
import { temporary } from '../js/temporary.mjs';
import { importSource } from '../source.mjs';
import { exhaustive as test } from '../tier.mjs';
import { choose, compared, eventually, openForAll, reads, writeTexts } from './harness.mjs';

const { samples } = await importSource('www/compare/samples.ts');
const { lastWords, wholeWords } = await importSource('www/shared/words.ts');

const opened = await openForAll('/', { viewport: { width: 1280, height: 800 } });
const { page } = opened;

const sampleOf = (wanted) => samples.find(({ name }) => name === wanted);
const { a: news, b: edited } = sampleOf('sampleNews');

/** Writes both texts, and waits until they are compared and their changes are shown. */
async function write(a, b) {
  await writeTexts(page, a, b);
  await compared(page, fingerprint(a), fingerprint(b));
}

/** Words that no other call gives: `count` of them, from a seed. */
const wordsOf = (seed, count) =>
  Array.from({ length: count }, (_, at) => `${Math.abs(Math.imul(seed + at + 1, 0x9e3779b1)).toString(36)}${seed}`);

test('two unrelated texts have 0 % in common, and the estimate has an error', async () => {
  const [a, b] = [1, 2].map((seed) => wordsOf(seed, 300).join(' '));
  await write(a, b);
  await reads(page, '#verdict', /^Not near-duplicates: 0% of the word pairs are in common\.$/);
  const estimate = resemblance(sketch(a), sketch(b));
  assert.ok(estimate > 0, 'the estimate is not the exact share');
  const shown = await reads(page, '#number-estimate', /^[\d.]+% ± [\d.]+%$/);
  assert.equal(Number.parseFloat(shown), Number((100 * estimate).toFixed(1)));
  assert.equal(await page.locator('#ruler svg').getAttribute('data-share'), '0', 'the ruler shows the exact share');
});

test('equal sketches do not prove that the texts are equal', async () => {
  const { standardError } = await importSource('www/compare/standard-error.ts');
  for (const features of [20, 200, 400, 1000, undefined]) assert.ok(standardError(1, features) > 0.0005, `${features}`);
});

test('the error is the deviation of the estimates from the exact shares', async () => {
  const { standardError } = await importSource('www/compare/standard-error.ts');
  for (const shared of [500, 1000, 1700, 1900]) {
    const squares = [];
    for (let seed = 1; seed <= 60; seed++) {
      const common = wordsOf(seed, shared).join(' ');
      const [a, b] = [100, 200].map((own) => `${common} ${wordsOf(own * seed + 7e6, 2000 - shared).join(' ')}`);
      const pairs = [a, b].map((text) => new Set(features(text, { features: { words: 2 } }).map(({ hash }) => hash)));
      const both = [...pairs[0]].filter((hash) => pairs[1].has(hash)).length;
      const exact = both / (pairs[0].size + pairs[1].size - both);
      const options = { features: { words: 2 } };
      const error = resemblance(sketch(a, options), sketch(b, options)) - exact;
      squares.push((error / standardError(exact)) ** 2);
    }
    const ratio = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
    // The deviation of 60 values is within a fifth of the true one, with two standard errors.
    assert.ok(ratio > 0.7 && ratio < 1.3, `${shared} shared words: ${ratio}`);
  }
});

/** The voters that a side lists for 1 and for 0: the feature and the weight of each. */
const listedOn = (side) =>
  page
    .locator('.vote')
    .nth(side)
    .locator('.voters')
    .evaluateAll((lists) =>
      lists.map((list) =>
        [...list.querySelectorAll('li')].map((item) => [
          item.querySelector('bdi').textContent,
          Number(item.querySelector('.weight').textContent.slice(1)),
        ]),
      ),
    );

test('all voters of a bit can be listed, and make its sum', async () => {
  const [a, b] = [1, 2].map((seed) => `${news} ${wordsOf(seed, 30).join(' ')}`);
  await write(a, b);
  await page.locator('#details > summary').click();
  await page.locator('#strip [data-bit="13"]').focus();
  await reads(page, '#voters h3', /bit 13$/);
  const more = page.locator('.more-voters').first();
  for (let clicks = 0; (await more.count()) > 0; clicks++) {
    assert.ok(clicks < 20);
    const count = () => page.locator('.voters li').count();
    const before = await count();
    await more.click();
    await eventually(async () => assert.ok((await count()) > before));
  }
  for (const [at, text] of [a, b].entries()) {
    const all = features(text);
    const votersFor = (value) => all.filter(({ hash }) => ((hash >> 13n) & 1n) === value);
    const [ones, zeros] = await listedOn(at);
    const sorted = (list) => list.map(([feature, weight]) => `${feature} ${weight}`).sort();
    const expected = (list) => list.map(({ feature, weight }) => `${feature} ${weight}`).sort();
    assert.deepEqual(sorted(ones), expected(votersFor(1n)));
    assert.deepEqual(sorted(zeros), expected(votersFor(0n)));
    const [one, zero] = [ones, zeros].map((list) => list.reduce((sum, [, weight]) => sum + weight, 0));
    const sum = one - zero;
    const shown = await page.locator('.vote').nth(at).locator('.addition span').textContent();
    assert.equal(shown, `${one} − ${zero} = ${sum > 0 ? '+' : sum < 0 ? '−' : ''}${Math.abs(sum)}`);
  }
});

test('the spaces in shingles of characters are visible', async () => {
  await choose(page, 'features', 'chars2');
  await writeTexts(page, 'at a tea', 'at tea');
  await eventually(async () => {
    const shown = await page.locator('.voters bdi').allTextContents();
    const all = [...features('at a tea', { features: 'bigrams' }), ...features('at tea', { features: 'bigrams' })];
    assert.deepEqual([...new Set(shown)].sort(), [...new Set(all.map((f) => f.feature.replace(' ', '␣')))].sort());
    assert.ok(shown.includes('t␣') && shown.includes('␣t'));
  });
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.locator('#details > summary').click();
});

test('a field shows that it has more lines, and grows', async () => {
  await write(`${news}\n\n${news}`, news);
  const area = page.locator('#text-a');
  const clipped = () => area.evaluate(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight);
  const fade = () =>
    page.evaluate(() => getComputedStyle(document.querySelector('#text-a').parentElement, '::after').opacity);
  const more = page.locator('#more-a');
  await area.evaluate((field) => field.scrollTo(0, 0));
  // The page looks at the extent of a text in the next frame.
  await eventually(async () => {
    assert.ok((await clipped()) > 100);
    assert.equal(await fade(), '1');
  });
  await more.click();
  await eventually(async () => {
    assert.ok((await clipped()) <= 1);
    assert.equal(await fade(), '0');
    assert.equal(await more.textContent(), 'Show less');
  });
  await more.click();
  await eventually(async () => assert.ok((await clipped()) > 100));
  await write('One short text of a single line, with nine words', 'Another text');
  await more.waitFor({ state: 'hidden' });
  const long = 'line\n'.repeat(400);
  await write(long, `${long}!`);
  await more.click();
  assert.ok((await area.boundingBox()).height < 800, 'the growth is bounded');
  await more.click();
});

test('a text is cut at white space, or between characters of Chinese and emoji', () => {
  const text = 'It’s a well-known 3.14159 text';
  for (let limit = 8; limit < text.length; limit++) {
    const start = wholeWords(text, limit);
    assert.ok(start <= limit && / /.test(text[start] + text[start - 1]), `${limit}: ${text.slice(0, start)}`);
    const end = lastWords(text, limit);
    assert.ok(text.length - end <= limit && text[end - 1] === ' ', `${limit}: ${text.slice(end)}`);
  }
  const family = '👨‍👩‍👧';
  const whole = new RegExp(`^(${family}|河)*$`, 'u');
  for (let limit = 1; limit < 80; limit++) {
    const emoji = `${family}河`.repeat(20);
    assert.match(emoji.slice(0, wholeWords(emoji, limit)), whole);
    assert.match(emoji.slice(lastWords(emoji, limit)), whole);
  }
  assert.equal(wholeWords('a'.repeat(1000), 100), 0);
  assert.equal(lastWords('a'.repeat(1000), 100), 1000);
});

test('one change in 40,000 words is shown at the first look', async () => {
  const words = wordsOf(5, 40_000);
  const a = words.join(' ');
  const b = words.with(31_234, 'changed').join(' ');
  await page.evaluate(() => document.activeElement.blur());
  await page.evaluate(
    (texts) => {
      for (const [side, text] of Object.entries(texts)) {
        const area = document.getElementById(`text-${side}`);
        area.value = text;
        area.dispatchEvent(new Event('input'));
      }
    },
    { a, b },
  );
  await eventually(async () => {
    assert.deepEqual(await page.locator('.marks mark').allTextContents(), [words[31_234], 'changed']);
    for (const side of ['a', 'b']) {
      const isVisible = await page.evaluate((side) => {
        const area = document.getElementById(`text-${side}`);
        const mark = area.parentElement.querySelector('mark');
        if (mark === null) return false;
        const [outer, inner] = [area, mark].map((one) => one.getBoundingClientRect());
        return inner.top >= outer.top && inner.bottom <= outer.bottom;
      }, side);
      assert.ok(isVisible, `the change is visible in the field ${side}`);
    }
  });
});

test('clear, undo, and Ctrl+Enter', async () => {
  await write(news, edited);
  await page.getByRole('button', { name: 'Clear the first text' }).click();
  await reads(page, '#verdict', /^Enter two texts/);
  assert.equal(await page.locator('#text-a').inputValue(), '');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'text-a');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.click();
  await reads(page, '#verdict', /^Near-duplicates/);
  assert.equal(await page.locator('#text-a').inputValue(), news);
  await page.getByRole('button', { name: 'Unrelated' }).click();
  await reads(page, '#verdict', /^Not near/);
  await undo.click();
  assert.equal(await page.locator('#text-b').inputValue(), edited);
  await undo.click();
  assert.equal(await page.locator('#text-b').inputValue(), sampleOf('sampleUnrelated').b, 'undo can be undone');
  for (const key of ['Control+Enter', 'Meta+Enter']) {
    await page.locator('#text-b').focus();
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'verdict');
  }
  assert.equal(await page.locator('#text-b').inputValue(), sampleOf('sampleUnrelated').b, 'no line feed is typed');
});

test('the code for the settings runs and copies', async () => {
  const folder = temporary();
  symlinkSync(fileURLToPath(new URL('../../pkg', import.meta.url)), join(folder, 'nearprint'), 'dir');
  const runSnippet = async () => {
    const code = await page.locator('#snippet').textContent();
    const file = join(folder, 'snippet.mjs');
    writeFileSync(file, code.replace("from 'nearprint'", "from './nearprint/index.js'"));
    const { stdout } = await promisify(execFile)(process.execPath, ['--preserve-symlinks', file]);
    return { code, stdout };
  };
  const usual = await runSnippet();
  assert.doesNotMatch(usual.code, /minResemblance|bits/);
  assert.equal(usual.stdout, 'a new\nb duplicate\n');
  await choose(page, 'features', 'chars5');
  await choose(page, 'bits', 128);
  await choose(page, 'normalize', 'none');
  await page.locator('#scheme-threshold').fill('90');
  await reads(page, '#snippet', /minResemblance: 0\.9,/);
  const set = await runSnippet();
  assert.ok(set.code.includes('  features: { chars: 5 },\n'));
  assert.doesNotMatch(set.code, /normalize|bits/, 'these concern fingerprints only');
  assert.equal(set.stdout, 'a new\nb duplicate\n');
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // The button says so for two seconds only.
  const said = page.evaluate(() => {
    const button = document.querySelector('.code:has(#snippet) button');
    return new Promise((resolve) => {
      new MutationObserver(() => resolve(button.textContent)).observe(button, { childList: true });
      setTimeout(resolve, 300_000, 'nothing');
    });
  });
  await page.locator('.code:has(#snippet) button').click();
  assert.equal(await said, 'Copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), set.code);
  await page.getByRole('button', { name: 'Reset to default' }).click();
});

test('the page links to the package and its documentation, or says that the package is not published', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const npm = 'https://www.npmjs.com/package/nearprint';
  const links = await page.locator('#links a').evaluateAll((all) => all.map((a) => [a.textContent, a.href]));
  const notices = await page.getByText(/not published yet/i).count();
  if (isPublished(manifest)) {
    assert.deepEqual(links, Object.entries({ Documentation: `${npm}#readme`, npm }));
    assert.equal(notices, 0);
  } else {
    assert.deepEqual(links, []);
    assert.equal(notices, 2, 'next to the command in the masthead, and in the snippets');
  }
});

test('a view is shown from its top, with the header', async () => {
  for (const path of ['/#duplicates', '/#compare']) {
    await page.goto('about:blank');
    await page.goto(opened.origin + path);
    await reads(page, '#verdict', /./);
    assert.equal(await page.evaluate(() => scrollY), 0, path);
  }
  await page.evaluate(() => scrollTo(0, 2000));
  await page.evaluate(() => document.getElementById('to-duplicates').click());
  await eventually(async () => assert.equal(await page.evaluate(() => scrollY), 0));
});
