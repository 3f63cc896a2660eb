// The duplicates view, checked against clusters found by comparing all pairs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { dedupe, distance, fingerprint } from '../../pkg/index.js';
import { choose, drop, eventually, open, reads } from './harness.mjs';

let opened;
let page;
before(async () => {
  opened = await open('/#duplicates');
  page = opened.page;
});
after(() => opened?.close());

/** The positions of the kept texts: a text within the threshold of a kept one is dropped. */
function keptOf(texts, threshold, options) {
  const kept = [];
  texts.forEach((text, at) => {
    const print = fingerprint(text, options);
    if (!kept.some((other) => distance(print, other.print) <= threshold)) kept.push({ at, print });
  });
  return kept.map(({ at }) => at);
}

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

test('pasted lines: clusters, distances, the diff of a pair, the download', async () => {
  await page.getByLabel('Texts, one per line').fill(`${lines.join('\n')}\n\n`);
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  const kept = keptOf(lines, 8);
  assert.deepEqual(kept, [0, 1, 3], 'the lines are as described');
  await reads(page, '#found-verdict', verdict(3, 5));
  await reads(page, '#lines-problem', /Skipped 1 blank text/);
  const distances = await page.locator('.member .apart b').allTextContents();
  const expected = [2, 4].map((at) => String(distance(fingerprint(lines[0]), fingerprint(lines[at]))));
  assert.deepEqual(distances, expected);

  await page.locator('.member').first().click();
  await reads(page, '.diff', /Tuesday/);
  assert.deepEqual(await page.locator('.diff del').allTextContents(), ['Tuesday']);
  assert.deepEqual(await page.locator('.diff ins').allTextContents(), ['Friday']);

  const { name, text } = await download('Download the kept texts');
  assert.equal(name, 'kept.txt');
  assert.equal(text, `${kept.map((at) => lines[at]).join('\n')}\n`);

  await page.getByRole('button', { name: 'Compare these two bit by bit' }).click();
  await eventually(async () => assert.equal(await page.locator('#text-b').inputValue(), lines[2]));
  assert.equal(await page.locator('#text-a').inputValue(), lines[0]);
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  assert.equal(await page.getByLabel('Texts, one per line').inputValue(), `${lines.join('\n')}\n\n`);
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
  const names = () => page.locator('.member .name').allTextContents();
  await eventually(async () => assert.deepEqual(await names(), ['2.txt', '4.txt']));
});

test('a file without texts changes nothing', async () => {
  await drop(page, '#lines', [['broken.jsonl', '{\n[\n']]);
  await reads(page, '#lines-note', /No texts were found/);
  await reads(page, '#lines-problem', /lines 1, 2: not JSON/);
  await reads(page, '#found-verdict', verdict(3, 5));
});

test('the histogram counts every pair, and its line sets the threshold', async () => {
  const documents = readFileSync(new URL('../../examples/sample.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).text);
  const fingerprints = documents.map((text) => fingerprint(text));
  const counts = Array(65).fill(0);
  fingerprints.forEach((a, at) => {
    for (const b of fingerprints.slice(at + 1)) counts[distance(a, b)]++;
  });
  await page.getByRole('button', { name: '159 real documents' }).click();
  await reads(page, '#found-verdict', verdict(keptOf(documents, 8).length, 159));
  const bars = await page.locator('.bars i').evaluateAll((all) => all.map((bar) => bar.title.replace(',', '')));
  assert.deepEqual(
    bars,
    counts.map((count, at) => `${at}: ${count}`),
  );

  const line = page.getByRole('slider', { name: 'Threshold' }).and(page.locator('.line'));
  assert.equal(await line.getAttribute('aria-valuenow'), '8');
  await line.focus();
  for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
  assert.equal(await line.getAttribute('aria-valuenow'), '6');
  await reads(page, '#found-verdict', verdict(keptOf(documents, 6).length, 159));
  assert.equal(await page.locator('.bars .near').count(), 7);
  assert.equal(await page.locator('#scheme-threshold').inputValue(), '6');

  await page.locator('.plot').scrollIntoViewIfNeeded();
  const { x, y, width, height } = await page.locator('.plot').boundingBox();
  const edge = (threshold) => x + (width * (threshold + 1)) / 65;
  await page.mouse.move(edge(6), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(edge(9), y + height / 2, { steps: 4 });
  await page.mouse.move(edge(12), y + height / 2, { steps: 4 });
  await page.mouse.up();
  assert.equal(await line.getAttribute('aria-valuenow'), '12');
  await reads(page, '#found-verdict', verdict(keptOf(documents, 12).length, 159));
  await page.keyboard.press('End');
  assert.equal(await line.getAttribute('aria-valuenow'), '16', 'the largest threshold');
});

test('another scheme gives other fingerprints', async () => {
  await page.getByLabel('Texts, one per line').fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await choose(page, 'bits', 32);
  await reads(page, '#found-verdict', /within 4 of 32 bits/);
  await reads(page, '#found-verdict', verdict(keptOf(lines, 4, { bits: 32 }).length, 5));
  await choose(page, 'bits', 128);
  await reads(page, '#found-verdict', /within 16 of 128 bits/);
  await reads(page, '#found-verdict', verdict(keptOf(lines, 16, { bits: 128 }).length, 5));
  await page.getByRole('button', { name: 'Reset to default' }).click();
});

test('the diff of a long pair shows the changes with context, and the length of the rest', async () => {
  const equal = `${lines.slice(0, 4).join(' ')} `;
  await page.getByLabel('Texts, one per line').fill(`${equal}Tuesday\n${equal}Friday`);
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await reads(page, '#found-verdict', verdict(1, 2));
  await page.locator('.member').first().click();
  const shown = await reads(page, '.diff', /TuesdayFriday$/);
  assert.equal(shown, `${equal.length - 120} equal characters${equal.slice(-120)}TuesdayFriday`);
});

test('short texts are duplicates if their words are equal, as in dedupe', async () => {
  const texts = ['Page 12', 'page 12!', 'Page 13', lines[0], '!!!', 'Not found', 'PAGE 13', lines[4], 'Found'];
  await page.getByLabel('Texts, one per line').fill(texts.join('\n'));
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  const kept = [];
  for await (const { id, duplicateOf } of dedupe(texts.map((text, id) => ({ id, text })))) {
    if (duplicateOf === null) kept.push(texts[id]);
  }
  await reads(page, '#found-verdict', verdict(kept.length, texts.length));
  const { text } = await download('Download the kept texts');
  assert.equal(text, `${kept.join('\n')}\n`);
});

test('ten thousand texts can be cancelled and searched', async () => {
  await page.getByRole('button', { name: '10,000 synthetic notices' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await reads(page, '#lines-note', /Cancelled/);
  await page.getByRole('button', { name: '10,000 synthetic notices' }).click();
  await reads(page, '#found-verdict', /^7,\d{3} of 10,000 texts are kept/);
  const shown = await page.locator('.cluster').count();
  await page.getByRole('button', { name: /Show more/ }).click();
  assert.equal(await page.locator('.cluster').count(), 2 * shown);
});

test('there were no errors and no requests to other origins', () => {
  assert.deepEqual(opened.errors, []);
});
