// The compare view, checked against fingerprints and features computed in Node.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { sketch } from '../../pkg/index.js';
import { fingerprint } from '../../pkg/simhash.js';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';
import {
  choose,
  compared,
  drop,
  eventually,
  holds,
  openForAll,
  openSettings,
  reads,
  shownFingerprints,
  thresholdPercent,
} from './harness.mjs';

const { samples } = await importSource('www/compare/samples.ts');
const { rawScheme } = await importSource('www/scheme/scheme.ts');
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
  await reads(page, '#verdict', /^Not near-duplicates: short texts whose words or symbols differ/);
  await reads(page, '#remark', /fewer than 8 features/);
  await reads(page, '#headline', new RegExp(`^Two texts, 64 bits each\\. ${apart(a, b)} bits apart\\.$`));
  assert.deepEqual(await shownFingerprints(page), [fingerprint(a), fingerprint(b)]);
  assert.equal(await page.locator('#strip .differs').count(), apart(a, b));
  for (const [side, text] of [
    ['a', a],
    ['b', b],
  ]) {
    const digits = (await page.locator(`#strip .hex-${side}`).allTextContents()).join('');
    assert.equal(BigInt(`0x${digits}`), fingerprint(text));
  }
});

test('an empty text has no verdict, and the bits are hidden', async () => {
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
  await page.locator('#details > summary').click();
  const shown = async (name) => Number.parseFloat(await page.locator(`#number-${name}`).textContent());
  await reads(page, '#number-estimate', new RegExp(`^${(100 * estimate(news, edited)).toFixed(1)}%`));
  assert.equal(await shown('containmentA'), Number((100 * containmentOf(news, edited)).toFixed(1)));
  assert.equal(await shown('containmentB'), Number((100 * containmentOf(edited, news)).toFixed(1)));
  await page.locator('#details > summary').click();
});

test('raw FNV-1 on character bigrams fails, and the finaliser corrects it', async () => {
  const { a, b } = samples.find(({ name }) => name === 'sampleUnrelated');
  const [raw, mixed] = [rawScheme, { ...rawScheme, mix: true }].map((scheme) => apart(a, b, optionsOf(scheme)));
  assert.ok(raw <= 3 && mixed > 8, 'the sample is as described');
  await write(a, b);
  await openSettings(page);
  await page.getByRole('button', { name: 'Raw FNV-1' }).click();
  await reads(page, '#headline', new RegExp(` ${raw === 0 ? 'No bit differs' : `${raw} bits? apart`}\\.$`));
  await reads(page, '#verdict', /^Not near-duplicates: \d+% of the character pairs are in common/);
  assert.equal(await page.locator('#scheme-id').textContent(), 'v1:64:chars2:raw');
  await page.getByRole('button', { name: 'Switch the finaliser on' }).click();
  await reads(page, '#headline', new RegExp(` ${mixed} bits apart\\.$`));
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
    await compared(page, ...[news, edited].map((text) => fingerprint(text, optionsOf(scheme))));
  }
  assert.equal(await page.locator('#strip [role="gridcell"]').count(), 128);
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
  const marks = (side) =>
    page.locator(`#marks-${side}`).evaluate((layer) => {
      const parts = [...layer.childNodes].map((node) => (node.nodeName === 'MARK' ? node.textContent : '|'));
      return parts.join('').split('|').filter(Boolean);
    });
  await eventually(async () => {
    assert.deepEqual(await marks('a'), ['the district ', 'some', '“', '”', 'Thursday']);
    assert.deepEqual(await marks('b'), ['a ', 'spokeswoman ', 'about', '"', '"', 'Friday']);
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

exhaustive('compares long texts in a Worker', async () => {
  const long = Array.from({ length: 30_000 }, (_, at) => `word${(at * 7919) % 10_007}`).join(' ');
  await write(long, `${long} and a little more`);
  await compared(page, fingerprint(long), fingerprint(`${long} and a little more`));
});

test('reads text and HTML files, and refuses other files', async () => {
  await write(news, edited);
  await drop(page, '#text-a', [['a.txt', 'A dropped text about the river']]);
  await holds(page, '#text-a', 'A dropped text about the river');
  const html = '<title>no</title><p>One &amp; <b>two</b><script>three()</script><p>four';
  const fileOf = (name, contents, mimeType = 'text/plain') => ({ name, mimeType, buffer: Buffer.from(contents) });
  const openFiles = (...files) => page.locator('#open-files').setInputFiles(files);
  await drop(page, '#text-b', [['b.html', html, 'text/html']]);
  await holds(page, '#text-b', 'One & two\nfour');
  await openFiles(fileOf('one.txt', 'first of two'), fileOf('two.txt', 'second of two'));
  await holds(page, '#text-a', 'first of two');
  await holds(page, '#text-b', 'second of two');
  await page.locator('#text-b').fill('');
  await openFiles(fileOf('three.txt', 'for the empty field'));
  await holds(page, '#text-b', 'for the empty field');
  assert.equal(await page.locator('#text-a').inputValue(), 'first of two');
  await openFiles(fileOf('four.txt', 'not read: \0'));
  await reads(page, '#text-a-error', /“four\.txt” is not a text file/);
  await openFiles(fileOf('five.txt', 'in place of the file that was not read'));
  await holds(page, '#text-a', 'in place of the file that was not read');
  await openFiles(fileOf('six.txt', 'read'), fileOf('seven.txt', 'not read: \0'));
  await reads(page, '#text-b-error', /“seven\.txt” is not a text file/);
  await openFiles(fileOf('eight.txt', 'for the second field'));
  await holds(page, '#text-b', 'for the second field');
  assert.equal(await page.locator('#text-a').inputValue(), 'read');
  await drop(page, '#text-b', [
    ['a.txt.gz', gzipSync('dropped first')],
    ['b.txt', 'dropped second'],
    ['c.txt', 'dropped third'],
    ['d.txt', 'dropped fourth'],
  ]);
  await holds(page, '#text-a', 'dropped first');
  await holds(page, '#text-b', 'dropped second');
  await reads(page, '#text-b-error', /“c\.txt” and 1 more file are not read/);
  await drop(page, '#text-a', [['bomb.txt.gz', gzipSync(Buffer.alloc(5_000_000, 'a'))]]);
  await reads(page, '#text-a-error', /“bomb\.txt\.gz” has more than 4 MB without its compression/);
  await drop(page, '#text-a', [['cut.txt.gz', gzipSync('a text').subarray(0, -9)]]);
  await reads(page, '#text-a-error', /“cut\.txt\.gz” cannot be read/);
  await drop(page, '#text-b', [['w.txt', Buffer.from('Fa\xdfadenk\xf6nig', 'latin1')]]);
  await reads(page, '#text-b-error', /“w\.txt” has bytes that are not valid in UTF-8/);
  await page.locator('#text-encoding').selectOption('windows-1252');
  await holds(page, '#text-b', 'Faßadenkönig');
  assert.equal(await page.locator('#text-b-error').isVisible(), false);
  await page.locator('#text-b').fill('typed');
  assert.equal(await page.locator('#text-encoding').isVisible(), false, 'the encoding is that of files');
  const gb18030 = Buffer.from('c4e3bac3a3acb3a4bdad', 'hex');
  const page18030 = Buffer.concat([Buffer.from('<meta charset="gb18030"><p>'), gb18030]);
  await drop(page, '#text-b', [['c.html', page18030]]);
  await holds(page, '#text-b', '你好，长江');
  await drop(page, '#text-b', [['c.txt', gb18030]]);
  await reads(page, '#text-b-error', /“c\.txt” has bytes that are not valid in UTF-8/);

  await drop(page, '#text-b', [['picture.png', Buffer.from('89504e470d0a1a0a0000000d', 'hex')]]);
  await reads(page, '#text-b-error', /“picture\.png” is not a text file/);
  await drop(page, '#text-b', [['large.txt', Buffer.alloc(4_100_000, 'a')]]);
  await reads(page, '#text-b-error', /“large\.txt” has 4\.1 MB; the limit is 4 MB/);
  assert.equal(await page.locator('#text-b').inputValue(), '你好，长江', 'the text is unchanged');
  await page.locator('#text-b').fill(edited);
  await eventually(async () => assert.equal(await page.locator('#text-b-error').isVisible(), false));
});

exhaustive('a paste of megabytes is compared; one of 20 MB is refused and leaves the text', async () => {
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
  assert.deepEqual(
    await area.evaluate(({ scrollTop, selectionStart }) => [scrollTop, selectionStart]),
    [0, 0],
    'a paste shows its start',
  );
  assert.equal(await area.evaluate(({ value, dir }) => `${value.length} ${dir}`), '2000000 ltr');
  await write(news, edited);
  await reads(page, '#verdict', /^Near-duplicates/);
  assert.equal(await area.getAttribute('dir'), 'auto');
});

test('swap exchanges the texts', async () => {
  await write(news, edited);
  await compared(page, fingerprint(news), fingerprint(edited));
  await page.getByRole('button', { name: 'Swap' }).click();
  await compared(page, fingerprint(edited), fingerprint(news));
  assert.equal(await page.locator('#text-a').inputValue(), edited);
});

test('an image can be saved', async () => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save image' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), 'nearprint.png');
  const png = readFileSync(await file.path());
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2400, 1260]);
});

test('shows markup as text', async () => {
  await write('<img src=x onerror=alert(1)> <b>bold</b>', '<img src=x onerror=alert(1)> <i>italic</i>');
  await reads(page, '#marks-a', /onerror/);
  assert.equal(await page.locator('main img').count(), 0);
});
