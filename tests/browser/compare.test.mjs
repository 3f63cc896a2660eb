// The compare view, checked against fingerprints and features computed in Node.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { features, fingerprint, sketch, toHex } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { choose, drop, eventually, holds, openForAll, openSettings, reads, thresholdPercent } from './harness.mjs';

const { rawScheme, samples } = await importSource('www/compare/samples.ts');
const { optionsOf } = await importSource('www/scheme/scheme.ts');

const opened = await openForAll();
const { page } = opened;

/** The number of 1 bits. */
const ones = (value) => value.toString(2).replaceAll('0', '').length;
const apart = (a, b, options) => ones(fingerprint(a, options) ^ fingerprint(b, options));
const estimate = (a, b, options) => sketch(a, options).resemblance(sketch(b, options));

/** The different word pairs of a text, by the definition of the documentation. The texts have no digits. */
const pairsOf = (text) => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
};
const sharedPairs = (a, b) => [...pairsOf(a)].filter((pair) => pairsOf(b).has(pair)).length;
/** The share of the word pairs of `a` that `b` has. */
const containmentOf = (a, b) => sharedPairs(a, b) / pairsOf(a).size;
const resemblanceOf = (a, b) => sharedPairs(a, b) / (pairsOf(a).size + pairsOf(b).size - sharedPairs(a, b));
const percent = (share) => `${Math.floor(share * 100 + 1e-9)}%`;
const { a: news, b: edited } = samples.find(({ name }) => name === 'sampleNews');

async function write(a, b) {
  await page.getByLabel('First text', { exact: true }).fill(a);
  await page.getByLabel('Second text', { exact: true }).fill(b);
}

test('compares what is typed, bit by bit', async () => {
  await write('网页内容', '网页内容');
  await reads(page, '#verdict', /^Identical texts\.$/);
  const [a, b] = ['网页内容', 'Something else entirely, in another language'];
  await page.getByLabel('Second text', { exact: true }).pressSequentially('!');
  await page.getByLabel('Second text', { exact: true }).fill(b);
  const distance = apart(a, b);
  await reads(page, '#verdict', /^Not near-duplicates: short texts whose words or symbols differ/);
  await reads(page, '#remark', /fewer than 8 features/);
  assert.equal(await page.locator('#hex-a').textContent(), toHex(fingerprint(a)));
  assert.equal(await page.locator('#hex-b').textContent(), toHex(fingerprint(b)));
  assert.equal(await page.locator('.xor .differs').count(), distance);
  assert.equal(await page.locator('.figure-hex-b .one').count(), ones(fingerprint(b)));
  const set = await page
    .locator('.figure-hex-b i')
    .evaluateAll((cells) => cells.map((c) => +c.matches('.one')).join(''));
  assert.equal(BigInt(`0b${set}`), fingerprint(b), 'the cells in reading order are the fingerprint');
});

test('with an empty text there is no verdict, and the bits are hidden', async () => {
  await page.getByLabel('Second text', { exact: true }).fill('');
  await reads(page, '#verdict', /^Enter two texts/);
  assert.equal(await page.locator('#bits').isVisible(), false);
  await page.getByLabel('Second text', { exact: true }).fill('?!');
  await reads(page, '#verdict', /^A text without words has no features/);
});

test('shows the numbers that the features give', async () => {
  await write(news, edited);
  const exact = resemblanceOf(news, edited);
  await reads(page, '#verdict', new RegExp(`^Near-duplicates: ${percent(exact)} of the word pairs are in common\\.$`));
  await reads(page, '#remark', new RegExp(`^The default threshold is ${thresholdPercent}%\\.`));
  const [a, b] = [news, edited].map((text) => new Map(features(text).map((f) => [f.hash, f.weight])));
  const shared = [...a.keys()].filter((hash) => b.has(hash));
  const length = (weights) => Math.hypot(...weights.values());
  const cosine = shared.reduce((sum, hash) => sum + a.get(hash) * b.get(hash), 0) / (length(a) * length(b));
  const shown = async (name) => Number.parseFloat(await page.locator(`#number-${name}`).textContent());
  assert.equal(await shown('distance'), 7);
  assert.equal(await shown('estimate'), Number((100 * estimate(news, edited)).toFixed(1)));
  assert.equal(await shown('resemblance'), Number(exact.toFixed(3)));
  assert.equal(await shown('containmentA'), Number((100 * containmentOf(news, edited)).toFixed(1)));
  assert.equal(await shown('containmentB'), Number((100 * containmentOf(edited, news)).toFixed(1)));
  assert.equal(await shown('similarity'), 0.891);
  assert.equal(await shown('estimatedCosine'), Number(Math.cos((Math.PI * 7) / 64).toFixed(3)));
  assert.equal(await shown('exactCosine'), Number(cosine.toFixed(3)));
  assert.equal(await shown('jaccard'), Number((shared.length / (a.size + b.size - shared.length)).toFixed(3)));
  const { size } = statSync(new URL('../../pkg/text.wasm', import.meta.url));
  assert.equal(await shown('wasmSize'), Math.round(size / 1024));
  assert.equal(await page.locator('.inBoth .count').textContent(), String(shared.length));
  assert.equal(await page.locator('.onlySecond .count').textContent(), String(b.size - shared.length));
});

/** The sum of a bit's votes. */
const sumOf = (text, bit) =>
  features(text).reduce((sum, { weight, hash }) => sum + ((hash >> BigInt(bit)) & 1n ? weight : -weight), 0);
const signed = (sum) => (sum > 0 ? `+${sum}` : sum < 0 ? `−${-sum}` : '0');

test('shows the votes on a bit that is pointed at or reached by keyboard', async () => {
  await write(news, edited);
  await page.locator('.xor [data-bit="60"]').hover();
  await reads(page, '.bit-name', /^Bit 60 /);
  for (const [at, text] of [news, edited].entries()) {
    const sum = sumOf(text, 60);
    assert.equal(await page.locator('.sum strong').nth(at).textContent(), signed(sum));
    const votes = sum > 0 ? sum : 1 - sum;
    assert.match(await page.locator('.sum').nth(at).textContent(), new RegExp(` ${votes} votes? would flip it`));
  }
  const heaviest = features(news)
    .filter(({ hash }) => (hash >> 60n) & 1n)
    .toSorted((x, y) => y.weight - x.weight);
  assert.equal(await page.locator('.voters').first().locator('bdi').first().textContent(), heaviest[0].feature);

  await page.locator('.xor [data-bit="60"]').focus();
  await page.keyboard.press('ArrowRight');
  await reads(page, '.bit-name', /^Bit 59 /);
  await page.keyboard.press('ArrowDown');
  await reads(page, '.bit-name', /^Bit 51 /);
  await page.keyboard.press('End');
  await reads(page, '.bit-name', /^Bit 0 /);
  await page.keyboard.press('Home');
  await reads(page, '.bit-name', /^Bit 63 /);
  assert.match(
    await page.locator('.xor [data-bit="63"]').getAttribute('aria-label'),
    new RegExp(`First: sum ${signed(sumOf(news, 63)).replace('+', '\\+')}, ${+(sumOf(news, 63) > 0)}\\.`),
  );
  assert.equal(await page.locator('.figure-hex-a .chosen').getAttribute('data-bit'), '63', 'all grids mark the bit');
});

test('raw FNV-1 on character bigrams fails, and the finaliser corrects it', async () => {
  const { a, b } = samples.find(({ scheme }) => scheme === rawScheme);
  const [raw, mixed] = [rawScheme, { ...rawScheme, mix: true }].map((scheme) => apart(a, b, optionsOf(scheme)));
  assert.ok(raw <= 3 && mixed > 8, 'the sample is as described');
  await page.getByRole('button', { name: 'Raw FNV-1' }).click();
  await reads(page, '#number-distance', new RegExp(`^${raw} / 64$`));
  await reads(page, '#verdict', /^Not near-duplicates: \d+% of the character pairs are in common/);
  assert.equal(await page.locator('#scheme-id').textContent(), 'v1:64:chars2:raw');
  await page.getByRole('button', { name: 'Switch the finaliser on' }).click();
  await reads(page, '#number-distance', new RegExp(`^${mixed} / 64$`));
  assert.equal(await page.locator('#scheme-id').textContent(), 'v1:64:chars2');
});

test('every part of the scheme changes the fingerprint', async () => {
  await openSettings(page);
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await write(news, edited);
  const changes = [
    ['features', 'chars3'],
    ['hash', 'fnv1a'],
    ['weights', 'binary'],
    ['normalize', 'none'],
    ['bits', 128],
  ];
  const scheme = { bits: 64, features: 'grams', hash: 'fnv1', mix: true, weights: 'log', normalize: 'nfkc-casefold' };
  for (const [name, value] of changes) {
    await choose(page, name, value);
    scheme[name] = value;
    const hex = toHex(fingerprint(news, optionsOf(scheme)), scheme.bits);
    await reads(page, '#hex-a', new RegExp(`^${hex}$`));
  }
  assert.equal(await page.locator('.xor [role="gridcell"]').count(), 128);
  assert.equal(await page.locator('#scheme-mix').isDisabled(), true, '128 bits require the finaliser');
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.locator('#scheme-threshold').fill('95');
  await reads(page, '#scheme-threshold-value', /^95%$/);
  await reads(page, '#scheme-line', /^95% of the word pairs · 64 bits$/);
  await reads(page, '#verdict', /^Not near-duplicates: \d+% of the word pairs are in common/);
  await reads(page, '#remark', /^The threshold is 95%\./);
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.locator('#scheme summary').click();
});

test('marks the changes in the texts, behind their words', async () => {
  await write(news, edited);
  const marks = (side) => page.locator(`.text:has(#text-${side}) mark`).allTextContents();
  await eventually(async () => {
    assert.deepEqual((await marks('a')).filter(Boolean), ['the', 'district ', 'some', '“', '”', 'Thursday']);
    assert.deepEqual((await marks('b')).filter(Boolean), ['a', 'spokeswoman ', 'about', '"', '"', 'Friday']);
  });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const side of ['a', 'b']) {
      const [text, behind] = await page.evaluate((side) => {
        const boxOf = ({ clientWidth, clientHeight, scrollHeight }) => ({ clientWidth, clientHeight, scrollHeight });
        const area = document.getElementById(`text-${side}`);
        return [area, area.previousElementSibling].map(boxOf);
      }, side);
      assert.deepEqual(behind, text, `${side} at ${width} px`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('#text-b').press('End');
  await page.keyboard.type('!');
  await eventually(async () => assert.ok((await marks('b')).includes('!')));
});

test('a change shows its features and the bits that they flipped, and a bit the changes that flipped it', async () => {
  await write(news, edited);
  await page.locator('#change-list:not([inert])').waitFor({ state: 'attached' });
  const thursday = page.getByRole('button', { name: 'Thursday becomes Friday' });
  await thursday.first().click();
  const made = (at) => page.locator('.made').nth(at).locator('bdi').allTextContents();
  assert.deepEqual(await made(0), ['thursday', 'by thursday', 'thursday and']);
  assert.deepEqual(await made(1), ['friday', 'by friday', 'friday and']);
  await eventually(async () => assert.equal(await page.locator('mark.chosen').count(), 2));
  assert.equal(
    await page.evaluate(() => document.activeElement.textContent),
    'Thursday becomes Friday',
    'the focus stays',
  );

  // The votes of the change on a bit, towards the bit's new value.
  const [before, after] = [news, edited].map((text) => features(text));
  const words = [before.filter((f) => /thursday/.test(f.feature)), after.filter((f) => /friday/.test(f.feature))];
  const sum = (list, bit) =>
    list.reduce((sum, { hash, weight }) => sum + ((hash >> BigInt(bit)) & 1n ? weight : -weight), 0);
  const differing = fingerprint(news) ^ fingerprint(edited);
  const flipped = Array.from({ length: 64 }, (_, bit) => bit).filter((bit) => {
    const towards = (fingerprint(edited) >> BigInt(bit)) & 1n ? 1 : -1;
    return (differing >> BigInt(bit)) & 1n && towards * (sum(words[1], bit) - sum(words[0], bit)) > 0;
  });
  const shown = (await page.locator('.flipped-bit').allTextContents()).map(Number).sort((x, y) => x - y);
  assert.deepEqual(shown, flipped);
  assert.equal(await page.locator('.xor .flipped').count(), flipped.length);

  await page.locator('.flipped-bit').first().click();
  assert.match(await page.locator('.bit-name').textContent(), /differs/);
  assert.ok((await page.locator('.flippers .change').allTextContents()).includes('Thursday becomes Friday'));

  // The cursor in a text chooses the change there.
  await page.locator('#text-a').focus();
  await page.evaluate((at) => {
    document.getElementById('text-a').setSelectionRange(at, at);
  }, news.indexOf('some forty') + 1);
  await eventually(async () => assert.deepEqual(await made(1), ['about', 'and about', 'about forty']));
  await write(news, news);
  await reads(page, '#change-list', /^Nothing: the texts are equal/);
});

test('compares long texts in a Worker', async () => {
  const long = Array.from({ length: 30_000 }, (_, at) => `word${(at * 7919) % 10_007}`).join(' ');
  await write(long, `${long} and a little more`);
  await reads(page, '#hex-a', new RegExp(`^${toHex(fingerprint(long))}$`));
  await reads(page, '#hex-b', new RegExp(`^${toHex(fingerprint(`${long} and a little more`))}$`));
});

test('reads text and HTML files, and refuses other files', async () => {
  await write(news, edited);
  await drop(page, '#text-a', [['a.txt', 'A dropped text about the river']]);
  await holds(page, '#text-a', 'A dropped text about the river');
  const html = '<title>no</title><p>One &amp; <b>two</b><script>three()</script><p>four';
  await page
    .locator('#text-b-file')
    .setInputFiles({ name: 'b.html', mimeType: 'text/html', buffer: Buffer.from(html) });
  await holds(page, '#text-b', 'One & two\nfour');
  const gb18030 = Buffer.from('c4e3bac3a3acb3a4bdad', 'hex');
  const page18030 = Buffer.concat([Buffer.from('<meta charset="gb18030"><p>'), gb18030]);
  await drop(page, '#text-b', [['c.html', page18030]]);
  await holds(page, '#text-b', '你好，长江');
  await drop(page, '#text-b', [['c.txt', gb18030]]);
  await reads(page, '#text-b-error', /“c\.txt” has bytes that are not valid in UTF-8/);

  await drop(page, '#text-b', [['picture.png', Buffer.from('89504e470d0a1a0a0000000d', 'hex')]]);
  await reads(page, '#text-b-error', /“picture\.png” is not a text file/);
  await page.locator('#text-b-file').setInputFiles({
    name: 'large.txt',
    mimeType: 'text/plain',
    buffer: Buffer.alloc(4_100_000, 'a'),
  });
  await reads(page, '#text-b-error', /“large\.txt” has 4\.1 MB; the limit is 4 MB/);
  assert.equal(await page.locator('#text-b').inputValue(), '你好，长江', 'the text is unchanged');
  await page.locator('#text-b').fill(edited);
  await eventually(async () => assert.equal(await page.locator('#text-b-error').isVisible(), false));
});

test('a paste of megabytes is compared; one of 20 MB is refused and leaves the text', async () => {
  const area = page.getByLabel('First text', { exact: true });
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const paste = async (length) => {
    await page.evaluate((length) => {
      const words = Array.from({ length: length / 10 }, (_, at) => `w${String((at * 7919) % 1e8).padStart(8, '0')} `);
      return navigator.clipboard.writeText(words.join(''));
    }, length);
    await area.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
  };
  await write('one', edited);
  await paste(20e6);
  await reads(page, '#text-a-error', /has 20,000,000 characters; the limit is 4,000,000\. Your text is unchanged/);
  assert.equal(await area.evaluate(({ value, dir }) => `${value} ${dir}`), 'one auto');
  await paste(2e6);
  await reads(page, '#verdict', /^Not near-duplicates: 0% of the word pairs/);
  assert.equal(await area.evaluate(({ value, dir }) => `${value.length} ${dir}`), '2000000 ltr');
  await write(news, edited);
  await reads(page, '#verdict', /^Near-duplicates/);
  assert.equal(await area.getAttribute('dir'), 'auto');
});

test('shows markup as text', async () => {
  await write('<img src=x onerror=alert(1)> <b>bold</b>', '<img src=x onerror=alert(1)> <i>italic</i>');
  await reads(page, '.inBoth', /onerror/);
  assert.equal(await page.locator('main img').count(), 0);
});
