// The duplicates view, checked against clusters found by comparing all sketches.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { dedupe, sketch } from '../../pkg/index.js';
import { choose, drop, eventually, open, reads, threshold, thresholdPercent } from './harness.mjs';

let opened;
let page;
before(async () => {
  opened = await open('/#duplicates');
  page = opened.page;
});
after(() => opened?.close());

/** The positions of the kept texts: a text that resembles a kept one by the threshold is dropped. */
function keptOf(texts, threshold, options) {
  const kept = [];
  texts.forEach((text, at) => {
    const own = sketch(text, options);
    if (!kept.some((other) => own.resemblance(other.own) >= threshold)) kept.push({ at, own });
  });
  return kept.map(({ at }) => at);
}

const percent = (share) => `${Math.floor(share * 100 + 1e-9)}%`;

const verdict = (kept, total) =>
  new RegExp(`^${kept} of ${total.toLocaleString('en')} texts are kept; ${total - kept} `);

async function download(button) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

const river =
  'The river burst its banks early on Tuesday, the council said, and forty families spent the night in the hall.';
const lines = [
  river,
  'Prune an apple tree while it sleeps, on a dry day between the fall of the leaves and the first swelling of the buds.',
  river.replace('Tuesday', 'Friday'),
  'A sloop that heels too much is slow, wet and hard to steer, so ease the sheet and let the boat find her feet.',
  river.toUpperCase(),
];

test('pasted lines: clusters, resemblances, the diff of a pair, the download', async () => {
  await page.getByLabel('Texts, one per line').fill(`${lines.join('\n')}\n\n`);
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  const kept = keptOf(lines, threshold);
  assert.deepEqual(kept, [0, 1, 3], 'the lines are as described');
  await reads(page, '#found-verdict', verdict(3, 5));
  await reads(page, '#lines-problem', /Skipped 1 blank text/);
  const shares = await page.locator('.cluster .member .alike b').allTextContents();
  const expected = [2, 4].map((at) => percent(sketch(lines[0]).resemblance(sketch(lines[at]))));
  assert.deepEqual(shares, expected);

  await page.locator('.cluster .member').first().click();
  await reads(page, '.diff', /Tuesday/);
  assert.deepEqual(await page.locator('.diff del').allTextContents(), ['Tuesday']);
  assert.deepEqual(await page.locator('.diff ins').allTextContents(), ['Friday']);

  const { name, text } = await download('Download the kept texts');
  assert.equal(name, 'kept.txt');
  assert.equal(text, `${kept.map((at) => lines[at]).join('\n')}\n`);

  await page.getByRole('button', { name: 'Compare these two' }).click();
  await eventually(async () => assert.equal(await page.locator('#text-b').inputValue(), lines[2]));
  assert.equal(await page.locator('#text-a').inputValue(), lines[0]);
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  assert.equal(await page.getByLabel('Texts, one per line').inputValue(), `${lines.join('\n')}\n\n`);
});

test('the report: the same decisions, in a file that runs and loads nothing', async () => {
  const rows = lines.map((text, at) =>
    JSON.stringify({ id: `</bdi><img src=x onerror=alert(${at})>`, lang: 'en', text }),
  );
  await drop(page, '#lines', [['report.jsonl', rows.join('\n')]]);
  await reads(page, '#found-verdict', verdict(3, 5));
  const { name, text } = await download('Download the report');
  assert.equal(name, 'report.html');
  const report = await opened.context.newPage();
  await report.setContent(text);
  assert.match(
    await report.locator('.verdict').textContent(),
    /^2 of 5 documents are near-duplicates at a threshold of 0.67/,
  );
  assert.equal(await report.locator('img, script').count(), 0);
  const shares = await report.locator('.cluster summary .share b').allTextContents();
  assert.deepEqual(shares, await page.locator('.cluster .member .alike b').allTextContents());
  await report.close();
});

test('the pairs at the threshold, and the texts by language', async () => {
  const shares = (side) => page.locator(`#miss-list > div:nth-child(${side}) .alike b`).allTextContents();
  const dropped = [2, 4].map((at) => sketch(lines[0]).resemblance(sketch(lines[at]))).sort((a, b) => a - b);
  assert.deepEqual(await shares(1), dropped.map(percent));
  assert.deepEqual(await shares(2), []);
  assert.deepEqual(await page.locator('#group-list tbody tr').allTextContents(), ['en5240%']);
  await reads(page, '#found-option', /--min-resemblance 0\.67\.$/);
});

test('a dropped JSON Lines file: broken lines are named, the others are used and exported unchanged', async () => {
  const good = lines.map((text, id) => JSON.stringify({ id: `d${id}`, text, more: [id] }));
  const file = [good[0], '{"id": "x", "text": ', ...good.slice(1), '{"id": "no text"}', '17'].join('\r\n');
  await drop(page, '#lines', [['documents.jsonl', file]]);
  await reads(page, '#lines-problem', /^Skipped lines 2, 7, 8: not JSON with a “text”/);
  await reads(page, '#found-verdict', verdict(3, 5));
  await eventually(async () => assert.deepEqual(await page.locator('.kept .name').allTextContents(), ['d0']));
  const { name, text } = await download('Download the kept texts');
  assert.equal(name, 'kept.jsonl');
  assert.equal(text, `${[0, 1, 3].map((at) => good[at]).join('\n')}\n`);
});

test('several files: each is a text, and a binary file is named', async () => {
  const files = lines.map((text, at) => [`${at}.txt`, text]);
  await drop(page, '#lines', [...files, ['photo.jpg', Buffer.from('ffd8ffe000104a464946', 'hex')]]);
  await reads(page, '#lines-problem', /“photo\.jpg” is not a text file/);
  await reads(page, '#found-verdict', verdict(3, 5));
  const names = () => page.locator('.cluster .member .name').allTextContents();
  await eventually(async () => assert.deepEqual(await names(), ['2.txt', '4.txt']));
});

test('a file without texts changes nothing', async () => {
  await drop(page, '#lines', [['broken.jsonl', '{\n[\n']]);
  await reads(page, '#lines-note', /No texts were found/);
  await reads(page, '#lines-problem', /lines 1, 2: not JSON/);
  await reads(page, '#found-verdict', verdict(3, 5));
});

test('a file with more broken lines than a call has arguments', async () => {
  await drop(page, '#lines', [['broken.jsonl', '{\n'.repeat(200_000)]]);
  await reads(page, '#lines-problem', /^Skipped lines 1, 2, 3, 4, 5 and 199995 more/);
});

/** For each whole percent, the number of texts that resemble the nearest earlier kept text by it. */
function histogramOf(texts, threshold) {
  const counts = Array(101).fill(0);
  const kept = [];
  texts.forEach((text, at) => {
    const own = sketch(text);
    const nearest = kept.reduce((most, other) => Math.max(most, own.resemblance(other)), 0);
    if (at > 0) counts[Math.floor(nearest * 100 + 1e-9)]++;
    if (nearest < threshold) kept.push(own);
  });
  return counts;
}

test('the histogram counts every text, and its line sets the threshold', async () => {
  const documents = readFileSync(new URL('../../examples/sample.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).text);
  await page.evaluate(() => {
    globalThis.requests = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message) {
      globalThis.requests.push(message.kind);
      postMessage.call(this, message);
    };
  });
  await page.getByRole('button', { name: '159 real documents' }).click();
  await reads(page, '#found-verdict', verdict(keptOf(documents, threshold).length, 159));
  const bars = await page
    .locator('.bars i')
    .evaluateAll((all) => all.map(({ title }) => Number(/: (\d+) texts?$/.exec(title)[1])));
  const expected = histogramOf(documents, threshold);
  // Of kept texts, the search does not always find the nearest one.
  const low = (counts) => counts.slice(0, thresholdPercent).reduce((sum, count) => sum + count);
  assert.deepEqual(bars.slice(thresholdPercent), expected.slice(thresholdPercent));
  assert.equal(low(bars), low(expected));

  const line = page.getByRole('slider', { name: 'Threshold' }).and(page.locator('.line'));
  assert.equal(await line.getAttribute('aria-valuenow'), `${thresholdPercent}`);
  assert.equal(await line.getAttribute('aria-valuetext'), `${thresholdPercent}% of the word pairs`);
  await line.focus();
  for (const key of ['ArrowRight', 'ArrowUp', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  assert.equal(await line.getAttribute('aria-valuenow'), `${thresholdPercent + 2}`);
  await reads(page, '#found-verdict', new RegExp(`with at least ${thresholdPercent + 2}% of the word pairs`));
  await reads(page, '#found-verdict', verdict(keptOf(documents, (thresholdPercent + 2) / 100).length, 159));
  assert.equal(await page.locator('.bars .near').count(), 99 - thresholdPercent);
  assert.equal(await page.locator('#scheme-threshold').inputValue(), `${thresholdPercent + 2}`);
  assert.equal(await page.evaluate(() => document.activeElement.className), 'line', 'the focus stays');

  await page.locator('.plot').scrollIntoViewIfNeeded();
  const { x, y, width, height } = await page.locator('.plot').boundingBox();
  const edge = (threshold) => x + (width * threshold) / 101;
  await page.mouse.move(edge(thresholdPercent + 2), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(edge(80), y + height / 2, { steps: 4 });
  await page.mouse.move(edge(95), y + height / 2, { steps: 4 });
  await page.mouse.up();
  assert.equal(await line.getAttribute('aria-valuenow'), '95');
  await reads(page, '#found-verdict', verdict(keptOf(documents, 0.95).length, 159));
  await page.keyboard.press('Home');
  assert.equal(await line.getAttribute('aria-valuenow'), '30', 'the smallest threshold');
  await reads(page, '#found-verdict', /with at least 30% of the word pairs/);
  const requests = await page.evaluate(() => globalThis.requests);
  assert.equal(requests.filter((kind) => kind === 'open').length, 1);
  const lastAdd = requests.lastIndexOf('add');
  assert.ok(lastAdd < requests.indexOf('find'), 'no threshold sketches the texts again');
});

test('another scheme gives other sketches', async () => {
  await choose(page, 'bits', 64); // Opens the settings.
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.getByLabel('Texts, one per line').fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await choose(page, 'features', 'words');
  await reads(page, '#found-verdict', /% of the words in common/);
  await reads(page, '#found-verdict', verdict(keptOf(lines, threshold, { features: 'words' }).length, 5));
  await choose(page, 'bits', 128);
  await choose(page, 'features', 'chars5');
  await reads(page, '#found-verdict', /% of the groups of 5 characters in common/);
  const options = { bits: 128, features: { chars: 5 } };
  await reads(page, '#found-verdict', verdict(keptOf(lines, threshold, options).length, 5));
  await page.getByRole('button', { name: 'Reset to default' }).click();
});

test('the diff of a long pair shows the changes with context, and the length of the rest', async () => {
  const equal = `${lines.slice(0, 4).join(' ')} `;
  await page.getByLabel('Texts, one per line').fill(`${equal}Tuesday\n${equal}Friday`);
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await reads(page, '#found-verdict', verdict(1, 2));
  await page.locator('.cluster .member').first().click();
  const shown = await reads(page, '.diff', /TuesdayFriday$/);
  assert.equal(shown, `${equal.length - 120} equal characters${equal.slice(-120)}TuesdayFriday`);
});

test('short texts are duplicates if their words are equal, as in dedupe', async () => {
  const texts = ['Page 12', 'page 12!', 'Page 13', lines[0], '!!!', 'Not found', 'PAGE 13', lines[4], 'Found'];
  await page.getByLabel('Texts, one per line').fill(texts.join('\n'));
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  const kept = [];
  for await (const { document, status } of dedupe(texts)) if (status === 'new') kept.push(document);
  await reads(page, '#found-verdict', verdict(kept.length, texts.length));
  const { text } = await download('Download the kept texts');
  assert.equal(text, `${kept.join('\n')}\n`);
});

test('the difference of two Arabic texts runs from right to left', async () => {
  const words = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x627 + (at % 20), 0x628 + (at % 7)));
  const text = words.join(' ');
  await drop(page, '#lines', [['arabic.txt', `${text}\n${text} نهاية\n`]]);
  await reads(page, '#found-verdict', verdict(1, 2));
  await page.locator('.cluster .member').click();
  const difference = page.locator('.cluster .diff');
  assert.match(await difference.locator('.gap').textContent(), /equal characters/);
  assert.equal(await difference.evaluate((element) => getComputedStyle(element).direction), 'rtl');
});

test('fifty thousand texts can be cancelled and searched, and no frame freezes', async () => {
  await page.getByRole('button', { name: '50,000 synthetic notices' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await reads(page, '#lines-note', /Cancelled/);
  await page.evaluate(() => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: 'longtask' });
  });
  await page.getByRole('button', { name: '50,000 synthetic notices' }).click();
  await eventually(async () => assert.match(await page.locator('#found-verdict').textContent(), /of 50,000/), 120_000);
  const longest = await page.evaluate(() => globalThis.longest);
  // Some 100 ms on a busy machine; without slices, many seconds. Frames are not measured: without a free processor they are late for no fault of the page.
  assert.ok(longest < 1000, `a task of ${longest} ms`);
  await reads(page, '#found-verdict', /^3\d,\d{3} of 50,000 texts are kept/);
  const shown = await page.locator('.cluster').count();
  await page.getByRole('button', { name: /Show more/ }).click();
  assert.equal(await page.locator('.cluster').count(), 2 * shown);
});

test('there were no errors and no requests to other origins', () => {
  assert.deepEqual(opened.errors, []);
});
