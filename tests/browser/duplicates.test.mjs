// The duplicates view, checked against clusters found by comparing all sketches.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { dedupe, sketch } from '../../pkg/index.js';
import { parseLines } from '../js/command.mjs';
import { root } from '../js/packed.mjs';
import { temporary } from '../js/temporary.mjs';
import { valuesOf } from '../js/values.mjs';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';
import {
  choose,
  drop,
  eventually,
  holds,
  openForAll,
  overflows,
  reads,
  threshold,
  thresholdPercent,
  violations,
  withPage,
} from './harness.mjs';

const opened = await openForAll('/#duplicates');
const { page } = opened;
await page.evaluate(() => document.getElementById('scheme').setAttribute('open', ''));

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

/** Empties what is shown of the last search, so that `reads` waits for the next one, which may have the same result. */
const forget = () =>
  page.evaluate(() => {
    for (const shown of document.querySelectorAll('#found-verdict, #lines-note')) shown.textContent = '';
  });

/** Drops files with texts. */
async function dropTexts(files) {
  await forget();
  await drop(page, '#collect > .text', files);
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

test('pasted lines: clusters, resemblances, the diff of a pair, the download', async () => {
  await useLines();
  await page.locator('#lines').fill(`${lines.join('\n')}\n\n`);
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  const kept = keptOf(lines, threshold);
  assert.deepEqual(kept, [0, 1, 3], 'the lines are as described');
  await reads(page, '#found-verdict', verdict(3, 5));
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
  await holds(page, '#text-b', lines[2]);
  assert.equal(await page.locator('#text-a').inputValue(), lines[0]);
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  assert.equal(await page.locator('#lines').inputValue(), `${lines.join('\n')}\n\n`);
});

test('the report: the same decisions, in a file that runs and loads nothing', async () => {
  const rows = lines.map((text, at) => JSON.stringify({ id: `</bdi><img src=x onerror=alert(${at})>`, text }));
  await dropTexts([['report.jsonl', rows.join('\n')]]);
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

test('the pairs at the threshold', async () => {
  const shares = (side) => page.locator(`#miss-list > div:nth-child(${side}) .alike b`).allTextContents();
  const dropped = [2, 4].map((at) => sketch(lines[0]).resemblance(sketch(lines[at]))).sort((a, b) => a - b);
  assert.deepEqual(await shares(1), dropped.map(percent));
  assert.deepEqual(await shares(2), []);
});

test('a dropped JSON Lines file: broken lines are named, the others are used and exported unchanged', async () => {
  const good = lines.map((text, id) => JSON.stringify({ id: `d${id}`, text, more: [id] }));
  const file = [good[0], '{"id": "x", "text": ', ...good.slice(1), '{"id": "no text"}', '17'].join('\r\n');
  await dropTexts([['documents.jsonl', file]]);
  await reads(page, '#lines-problem', /^Skipped lines 2, 7, 8: not JSON with a text/);
  await reads(page, '#found-verdict', verdict(3, 5));
  await eventually(async () => assert.deepEqual(await page.locator('.kept .name').allTextContents(), ['d0']));
  const { name, text } = await download('Download the kept texts');
  assert.equal(name, 'kept.jsonl');
  assert.equal(text, `${[0, 1, 3].map((at) => good[at]).join('\n')}\n`);
});

test('several files: each is a text, and a binary file is named', async () => {
  const files = lines.map((text, at) => [`${at}.txt`, text]);
  await dropTexts([...files, ['photo.jpg', Buffer.from('ffd8ffe000104a464946', 'hex')]]);
  await reads(page, '#lines-problem', /“photo\.jpg” is not a text file/);
  await reads(page, '#found-verdict', verdict(3, 5));
  const names = () => page.locator('.cluster .member .name').allTextContents();
  await eventually(async () => assert.deepEqual(await names(), ['2.txt', '4.txt']));
});

/** Returns from files to the lines of the field. */
async function useLines() {
  const button = page.getByRole('button', { name: 'Write lines instead' });
  if (await button.isVisible()) await button.click();
}

/** Pastes a text and searches it. Not `fill`: the browser would insert many lines as if they were typed. */
async function search(text) {
  await forget();
  await useLines();
  await page.locator('#lines').evaluate((field, value) => {
    field.value = value;
    field.dispatchEvent(new Event('input'));
  }, text);
  await page.getByRole('button', { name: 'Find duplicates' }).click();
}

const titled = lines.map((text, at) => ({ id: `a${at}`, title: `Title ${at}`, text }));
const quote = (field) => `"${field.replaceAll('"', '""')}"`;
const names = () => page.locator('.cluster .name').allTextContents();

test('a JSON array, with line feeds between and within its elements', async () => {
  await search(JSON.stringify(titled, null, 2));
  await reads(page, '#lines-note', /^5 texts, read as a JSON array\.$/);
  await reads(page, '#found-verdict', verdict(3, 5));
  await eventually(async () => assert.deepEqual(await names(), ['a0', 'a2', 'a4']));
  const { name, text } = await download('Download the kept texts');
  assert.equal(name, 'kept.jsonl');
  assert.deepEqual(parseLines(text), [titled[0], titled[1], titled[3]]);
});

for (const [delimiter, title] of [
  [',', 'CSV'],
  [';', 'CSV with semicolons'],
]) {
  test(`${title}: quoted fields with delimiters, quotation marks and line feeds come out as they came in`, async () => {
    const row = (...fields) => fields.join(delimiter);
    const rows = titled.map(({ id, text }, at) =>
      row(id, quote(`A "title"${delimiter}\nof two lines`), at % 2 ? quote(text) : text.replaceAll(',', '')),
    );
    const header = row('id', 'title', 'text');
    await search(`\ufeff${header}\r\n${rows.join('\r\n')}\r\n`);
    await reads(page, '#lines-note', /^5 texts, read as CSV or TSV\.$/);
    await reads(page, '#found-verdict', verdict(3, 5));
    await eventually(async () => assert.deepEqual(await names(), ['a0', 'a2', 'a4']));
    const { name, text } = await download('Download the kept texts');
    assert.equal(name, 'kept.csv');
    assert.equal(text.replace(/^\ufeff/, ''), `${[header, ...[0, 1, 3].map((at) => rows[at])].join('\n')}\n`);
  });
}

test('TSV: quotation marks are characters, and swallow no rows', async () => {
  const rows = lines.map((text, at) => `a${at}\t${at === 0 ? '"' : ''}${text}`);
  await search(`id\ttext\n${rows.join('\n')}\n`);
  await reads(page, '#found-verdict', verdict(3, 5));
  const { name, text } = await download('Download the kept texts');
  assert.deepEqual([name, text], ['kept.tsv', `${['id\ttext', rows[0], rows[1], rows[3]].join('\n')}\n`]);
});

test('lines that look like a table are read as lines, with an offer to read them as a table', async () => {
  const rows = lines.map((line, at) => `p${at},${quote(line)},x`);
  await search(`key,story,note\n${rows.join('\n')}`);
  await reads(page, '#lines-note', /^6 texts, read as lines\.$/);
  await reads(page, '#lines-suspicion', /^Each line was read as a text, but the lines look like CSV or TSV\.$/);
  await page.getByRole('button', { name: 'Read them as that' }).click();
  await reads(page, '#lines-note', /^5 texts, read as CSV or TSV\.$/);
  assert.equal(await page.locator('#lines-format').inputValue(), 'table');
  assert.equal(await page.locator('#lines-field').inputValue(), 'story', 'the field with the longest texts');
  await reads(page, '#found-verdict', verdict(3, 5));
  assert.equal(await page.locator('#lines-convert').isVisible(), false);
  await page.locator('#lines-field').selectOption('key');
  await reads(page, '#found-verdict', /^All 5 texts are kept/);
  await page.locator('#lines-format').selectOption('');
  await reads(page, '#lines-note', /^6 texts, read as lines\.$/);
});

test('a row with another number of fields, and a quotation mark that is missing', async () => {
  await search(`id,text\n1,${quote(river)}\n2,one,too many\n3,${quote(river)}\n4,"${river}\n5,${river}`);
  await reads(page, '#lines-problem', /^Line 4 is the last that could be read.*Skipped line 3: /);
  await reads(page, '#found-verdict', verdict(1, 2));
});

/** Returns a folder in which the package and csv-parse are installed. */
function makeProject() {
  const folder = temporary();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'pkg'), join(folder, 'node_modules', 'nearprint'), 'junction');
  symlinkSync(join(root, 'node_modules', 'csv-parse'), join(folder, 'node_modules', 'csv-parse'), 'junction');
  return folder;
}

const german = lines.map((line) => line.replace(/river/i, 'Fluß Höhe'));
const latin1 = (text) => Buffer.from(text, 'latin1');
const table = `id;the story;n\n${titled.map(({ id, text }) => `${id};${quote(text)};1`).join('\n')}\n`;

/** Files, and the encoding that the visitor must choose. */
const sources = {
  'texts.txt': [Buffer.from(lines.join('\n'))],
  'texts.txt.gz': [gzipSync(lines.join('\n'))],
  'alt.txt': [latin1(german.join('\n')), 'windows-1252'],
  'alt.csv': [latin1(`id,text\n${german.map((text, at) => `${at},${quote(text)}`).join('\n')}\n`), 'windows-1252'],
  'texts.jsonl': [Buffer.from(titled.map((document) => JSON.stringify(document)).join('\n'))],
  'my texts.json': [Buffer.from(JSON.stringify(titled.map(({ id, text }) => ({ id, body: text }))))],
  'texts.csv': [Buffer.from(table)],
  'values.jsonl': [
    Buffer.from(
      [['one', 'two'], 12, ['one', 'two'], true, ['One', 'Two']].map((text) => JSON.stringify({ text })).join('\n'),
    ),
  ],
  'excel.csv': [Buffer.from(`sep=;\r\n${table}`)],
};

for (const [file, [source, encoding]] of Object.entries(sources)) {
  test(`the command and the program for ${file}${encoding ? ` in ${encoding}` : ''} keep what the page keeps`, async () => {
    const isTable = file.endsWith('.csv');
    const isLines = file.includes('.txt');
    await page.locator('#scheme-threshold').fill('80');
    await page.locator('#lines-format').selectOption(isTable ? 'table' : '');
    await dropTexts([[file, source]]);
    if (encoding !== undefined) {
      await reads(page, '#lines-problem', /has bytes that are not valid in UTF-8/);
      await page.locator('#lines-encoding').selectOption(encoding);
    }
    await reads(page, '#found-verdict', /^3 of 5 texts are kept.* 80%/);
    await reads(page, '#found-command', new RegExp(file));
    await reads(page, '#source', new RegExp(file));
    const { text: kept } = await download('Download the kept texts');
    const command = await page.locator('#found-command').textContent();
    const program = await page.locator('#found-program').textContent();
    const cwd = makeProject();
    writeFileSync(join(cwd, file), source);
    writeFileSync(join(cwd, 'program.mjs'), program);
    const printed = execFileSync(process.execPath, ['program.mjs'], { cwd, encoding: 'utf8' });
    if (isTable) {
      const from_line = kept.startsWith('sep=') ? 2 : 1;
      const expected = parse(kept, { columns: true, from_line, delimiter: kept.includes(';') ? ';' : ',' });
      assert.deepEqual(parseLines(printed), expected);
    } else if (isLines) assert.equal(printed, kept);
    else assert.deepEqual(parseLines(printed), parseLines(kept));
    const [, rest] = /^npx nearprint (.*) > kept\.\w+$/.exec(command);
    const words = rest.match(/'[^']*'|\S+/g).map((word) => word.replaceAll("'", ''));
    const options = { cwd, encoding: 'utf8' };
    const written = execFileSync(process.execPath, [join(root, 'pkg', 'cli.js'), ...words, '--quiet'], options);
    if (isTable || isLines) assert.equal(written.trimEnd(), kept.trimEnd());
    else assert.deepEqual(parseLines(written), parseLines(kept));
    await page.locator('#scheme-threshold').fill(`${thresholdPercent}`);
    await page.locator('#lines-format').selectOption('');
  });
}

for (const [file, source] of [
  ['strings.json', JSON.stringify(lines, null, 1)],
  ['strings.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')],
]) {
  test(`the program for ${file} keeps what the page keeps, and there is no command`, async () => {
    await dropTexts([[file, source]]);
    await reads(page, '#found-verdict', verdict(3, 5));
    const program = await page.locator('#found-program').textContent();
    assert.equal(await page.locator('#found-command').count(), 0);
    const cwd = makeProject();
    writeFileSync(join(cwd, file), source);
    writeFileSync(join(cwd, 'program.mjs'), program);
    const printed = execFileSync(process.execPath, ['program.mjs'], { cwd, encoding: 'utf8' });
    const kept = [0, 1, 3].map((at) => lines[at]);
    assert.deepEqual(
      printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      kept,
    );
    const { text } = await download('Download the kept texts');
    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      kept,
    );
  });
}

test('the source is shown and kept, and the button works on it', async () => {
  await dropTexts([['kept.txt', lines.join('\n')]]);
  await reads(page, '#found-verdict', verdict(3, 5));
  assert.equal(await page.locator('#source-start').textContent(), lines.join('\n'));
  await forget();
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await reads(page, '#found-verdict', verdict(3, 5));
  await reads(page, '#source', /^kept\.txt, 1 kB/);
  await useLines();
  assert.equal(await page.locator('#lines').isVisible(), true);
  assert.equal(await page.locator('#source').isVisible(), false);
});

test('the result of another source is removed, also if the next one cannot be read', async () => {
  const search = () => page.getByRole('button', { name: 'Find duplicates' }).click();
  const hasResult = async () => (await page.locator('#found').textContent()) !== '';
  for (const [file, problem, note] of [
    [['broken.jsonl', '{\n[\n'], /lines 1, 2: not JSON/, /^No texts were found\.$/],
    [
      ['photo.jpg', Buffer.from('ffd8ffe000104a464946', 'hex')],
      /“photo\.jpg” is not a text file/,
      /^No texts were found\.$/,
    ],
    [['one.txt', river], /^$/, /^Enter at least two texts/],
  ]) {
    await page.locator('#lines').fill(lines.join('\n'));
    await search();
    await reads(page, '#found-verdict', verdict(3, 5));
    await drop(page, '#collect > .text', [file]);
    await reads(page, '#lines-note', note);
    await reads(page, '#lines-problem', problem);
    assert.equal(await hasResult(), false, file[0]);
    await useLines();
    assert.equal(await page.locator('#lines-note').textContent(), '');
    assert.equal(await page.locator('#lines-problem').textContent(), '');
  }
  await search();
  await reads(page, '#found-verdict', verdict(3, 5));
  await page.locator('#lines').fill(river);
  await search();
  await reads(page, '#lines-note', /^Enter at least two texts/);
  assert.equal(await hasResult(), false, 'a single line');
});

exhaustive('a file with more broken lines than a call has arguments', async () => {
  await drop(page, '#collect > .text', [['broken.jsonl', '{\n'.repeat(200_000)]]);
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
  const sample = readFileSync(join(root, 'examples', 'sample.jsonl'), 'utf8');
  const documents = valuesOf(parseLines(sample), 'text');
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
  // The search does not always find the nearest text of a kept one.
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
  await eventually(async () => assert.equal(await line.getAttribute('aria-valuenow'), '95'));
  await reads(page, '#found-verdict', verdict(keptOf(documents, 0.95).length, 159));
  await page.keyboard.press('Home');
  assert.equal(await line.getAttribute('aria-valuenow'), '30', 'the smallest threshold');
  await reads(page, '#found-verdict', /with at least 30% of the word pairs/);
  // Before them, the threshold of the preceding test can be searched for.
  const recorded = await page.evaluate(() => globalThis.requests);
  const requests = recorded.slice(recorded.indexOf('open'));
  assert.equal(requests.filter((kind) => kind === 'open').length, 1);
  const lastAdd = requests.lastIndexOf('add');
  assert.ok(lastAdd < requests.indexOf('find'), 'no threshold sketches the texts again');
});

test('another scheme gives other sketches', async () => {
  await choose(page, 'bits', 64); // Opens the settings.
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await useLines();
  await page.locator('#lines').fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await choose(page, 'features', 'words');
  await reads(page, '#found-verdict', /% of the words in common/);
  await reads(page, '#found-verdict', verdict(keptOf(lines, threshold, { features: { words: 1 } }).length, 5));
  await choose(page, 'bits', 128);
  await choose(page, 'features', 'chars5');
  await reads(page, '#found-verdict', /% of the groups of 5 characters in common/);
  const options = { features: { chars: 5 } };
  await reads(page, '#found-verdict', verdict(keptOf(lines, threshold, options).length, 5));
  await page.getByRole('button', { name: 'Reset to default' }).click();
  // The next test must not click on clusters that this search replaces.
  await reads(page, '#found-verdict', /% of the word pairs in common/);
});

test('the diff of a long pair shows the changes with context, and the length of the rest', async () => {
  const equal = `${lines.slice(0, 4).join(' ')} `;
  await useLines();
  await page.locator('#lines').fill(`${equal}Tuesday\n${equal}Friday`);
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await reads(page, '#found-verdict', verdict(1, 2));
  await page.locator('.cluster .member').first().click();
  const shown = await reads(page, '.diff', /TuesdayFriday$/);
  assert.equal(shown, `${equal.length - 120} equal characters${equal.slice(-120)}TuesdayFriday`);
});

test('short texts are duplicates if their words are equal, as in dedupe', async () => {
  const texts = ['Page 12', 'page 12!', 'Page 13', lines[0], '!!!', 'Not found', 'PAGE 13', lines[4], 'Found'];
  await useLines();
  await page.locator('#lines').fill(texts.join('\n'));
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  const kept = [];
  for await (const { document, status } of dedupe(texts)) if (status === 'new') kept.push(document);
  await reads(page, '#found-verdict', verdict(kept.length, texts.length));
  const { text } = await download('Download the kept texts');
  assert.equal(text, `${kept.join('\n')}\n`);
});

test('excerpts and folds end with whole words', async () => {
  const words = Array.from({ length: 200 }, (_, at) => `word${'x'.repeat(at % 13)}${at}`);
  const text = words.join(' ');
  const end = 'the end'; // After a fold.
  await dropTexts([['long.txt', `${text} ${end}\n${words.with(100, 'another').join(' ')} ${end}\n`]]);
  await reads(page, '#found-verdict', verdict(1, 2));
  const isWhole = (shown) => shown.split(/\s+/).every((word) => words.includes(word) || ['the', 'end'].includes(word));
  const excerpt = await page.locator('.cluster .kept .excerpt').textContent();
  assert.match(excerpt, /…$/);
  assert.ok(isWhole(excerpt.slice(0, -1)), excerpt);
  await page.locator('.cluster .member').click();
  const folded = page.locator('.cluster .diff');
  await folded.waitFor();
  const shown = await folded.evaluate((element) =>
    [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim()),
  );
  assert.ok(shown.length >= 2);
  for (const part of shown.filter((part) => part !== '')) assert.ok(isWhole(part), part);
});

test('the difference of two Arabic texts runs from right to left', async () => {
  const words = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x627 + (at % 20), 0x628 + (at % 7)));
  const text = words.join(' ');
  await dropTexts([['arabic.txt', `${text}\n${text} نهاية\n`]]);
  await reads(page, '#found-verdict', verdict(1, 2));
  await page.locator('.cluster .member').click();
  const difference = page.locator('.cluster .diff');
  assert.match(await difference.locator('.gap').textContent(), /equal characters/);
  assert.equal(await difference.evaluate((element) => getComputedStyle(element).direction), 'rtl');
});

/** Drops a file that the page makes: the source of `make` runs there. */
const dropMade = (name, make) =>
  page.evaluate(
    ([name, make]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Function(`return ${make}`)()], name));
      document
        .getElementById('collect')
        .firstElementChild.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    },
    [name, make],
  );

exhaustive('hostile files end in a message, and the page still works', async () => {
  const cases = [
    ['deep.jsonl', `'{"text":'.repeat(2e6) + '\\n'.repeat(3)`, /^Skipped line 1:/],
    ['deep.json', `'[{"text":' + '['.repeat(5e6)`, /^Skipped line 1:/],
    ['closed.json', `'[{"text":' + '['.repeat(2000) + ']'.repeat(2000) + '}]'`, /^Skipped line 1:/],
    ['string.json', `'["' + 'a'.repeat(3e7)`, /^Skipped line 1:/],
    ['open.csv', `'id,text\\n1,"' + 'a,'.repeat(6e5)`, /^Line 1 is the last that could be read/],
    ['wide.csv', `'id,text\\n' + ','.repeat(1.5e6)`, /^Line 1 is the last that could be read/],
  ];
  for (const [name, make, message] of cases) {
    await dropMade(name, make);
    await eventually(async () => assert.match(await page.locator('#lines-problem').textContent(), message, name));
    await search(lines.join('\n'));
    await reads(page, '#lines-problem', /^$/);
    await reads(page, '#found-verdict', verdict(3, 5));
  }
  await dropMade('many.txt', `Array.from({ length: 1e5 }, (_, at) => 'line ' + at % 5e4).join('\\n')`);
  await reads(page, '#found-verdict', /^50,000 of 100,000 texts are kept/);
  await dropMade(
    'names.json',
    `JSON.stringify([Object.fromEntries(Array.from({ length: 5000 }, (_, at) => ['n' + at, 'a']))])`,
  );
  await reads(page, '#lines-note', /at least two texts/);
  await dropMade('cells.csv', `'id,text\\n' + ('1,"' + 'long '.repeat(4e5) + '"\\n').repeat(2)`);
  await reads(page, '#found-verdict', verdict(1, 2));
});

test('the elements of an array are the parts that JSON.parse sees', async () => {
  const { elementsOf } = await importSource('www/duplicates/entries.ts');
  const random = (below) => Math.floor(Math.random() * below);
  const value = (depth) => {
    const kind = random(depth > 3 ? 3 : 5);
    if (kind === 0) return ['a,b', '}]', '\\"', '\\', 'x\n"[{', ''][random(6)];
    if (kind === 1) return [0, -1.5, null, true][random(4)];
    if (kind === 2) return '"';
    const items = Array.from({ length: random(4) }, () => value(depth + 1));
    return kind === 3 ? items : Object.fromEntries(items.map((item, at) => [`${value(9)}${at}`, item]));
  };
  for (let round = 0; round < 500; round++) {
    const array = Array.from({ length: random(5) }, () => value(0));
    const source = JSON.stringify(array, null, random(3));
    const elements = [...elementsOf(source)].map((element) => {
      assert.ok(!element.includes('\n'));
      return JSON.parse(element);
    });
    assert.deepEqual(elements, array, source);
  }
});

test('the format is recognised, and only certain formats are used without a question', async () => {
  const { recognise } = await importSource('www/duplicates/format.ts');
  const cases = [
    ['', 'lines'],
    ['one line\nanother line', 'lines'],
    ['[1] a footnote\n[2] another', 'lines'],
    ['"Yes," she said, and left.\n"No," he said, and stayed.', 'lines'],
    ['First, a line, with commas.\nThen, a line, with commas.', 'lines'],
    ['{"text": "a"}\n{"text": "b"}', 'jsonl'],
    ['\n  {"text": "cut off', 'jsonl'],
    ['"a string"\n"another"', 'jsonl'],
    ['[\n  {\n    "text": "a"', 'json'],
    ['["a", "b"]', 'json'],
    ['[]', 'json'],
    ['id,text\n1,"two\nlines"', 'table'],
    ['id\tContent\n1\ta b', 'table'],
    ['"id";"body"\n1;a', 'table'],
    ['sep=;\nname;place\na;b', 'table'],
    ['name,place\na,b\nc,d', 'lines', 'table'],
    ['name\tplace\na\tb', 'lines', 'table'],
    ['name,place\na,b\nc,d,e', 'lines'],
    ['# comment\n{"text": "a"}\n{"text": "b"}', 'lines', 'jsonl'],
  ];
  for (const [source, format, suspected] of cases) {
    const recognised = recognise(source);
    assert.deepEqual([recognised.format, recognised.suspected], [format, suspected], JSON.stringify(source));
  }
});

for (const width of [320, 390, 1280]) {
  exhaustive(`at ${width} px, a link to the view shows the header, and axe finds no violation`, async () => {
    const look = { viewport: { width, height: 640 }, colorScheme: width === 390 ? 'dark' : 'light' };
    await withPage('/#duplicates', look, async (view) => {
      await reads(view, '#lines-note', /MB/);
      assert.equal(await view.evaluate(() => scrollY), 0);
      await view.locator('#lines').fill(`key,story\n${lines.map((line, at) => `${at},${quote(line)}`).join('\n')}`);
      await view.getByRole('button', { name: 'Find duplicates' }).click();
      await view.getByRole('button', { name: 'Read them as that' }).click();
      await reads(view, '#lines-note', /^5 texts, read as CSV or TSV\.$/);
      await reads(view, '#found-verdict', verdict(3, 5));
      await view.locator('.cluster .member').first().click();
      await view.locator('.diff').first().waitFor();
      assert.equal(await overflows(view), false);
      assert.deepEqual(await violations(view), []);
      await view.emulateMedia({ media: 'print' });
      for (const hidden of ['#collect', '#recipes', '#export']) {
        assert.equal(await view.locator(hidden).isVisible(), false, `${hidden} is printed`);
      }
      const clipped = await view
        .locator('.cluster .excerpt')
        .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
      assert.equal(clipped, 0, 'printed texts are whole');
    });
  });
}

/** "Да" and other words in windows-1251, where the letters from А to я are the bytes from C0 to FF. */
const windows1251 = (text) =>
  Buffer.from(
    text.replace(/[А-я]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x410 + 0xc0)),
    'latin1',
  );
const russian = [
  'Река вышла из берегов рано утром во вторник, и совет закрыл оба моста',
  'Обрезайте яблоню зимой, в сухой день',
];

test('a file in another encoding is not guessed, and can be read in the one that the visitor chooses', async () => {
  await dropTexts([
    ['ru.csv', windows1251(`id,text\n${russian.map((text, at) => `${at},${quote(text)}\n`).join('')}`)],
  ]);
  await reads(page, '#lines-problem', /“ru\.csv” has bytes that are not valid in UTF-8/);
  await page.locator('#lines-encoding').selectOption('windows-1251');
  await reads(page, '#found-verdict', /^All 2 texts are kept/);
  assert.equal(await page.locator('#lines-problem').isVisible(), false);
  const { text } = await download('Download the kept texts');
  assert.ok(text.includes(russian[0]), text);
  const pages = russian.map((text, at) => [`${at}.html`, windows1251(`<meta charset="windows-1251"><p>${text}`)]);
  await dropTexts([...pages, ['wide.txt', Buffer.from(`\ufeff${russian[0]}!`, 'utf16le')]]);
  await reads(page, '#found-verdict', verdict(2, 3));
});

test('the page says what a person should know before deleting anything', async () => {
  const notices = () => page.locator('#found-notices .notice').allTextContents();
  const rows = lines.map((text, at) => `${at},${quote(text)}`);
  const family = Array.from({ length: 6 }, (_, at) => JSON.stringify({ id: `p${at}`, text: `${river} Number ${at}.` }));
  for (const [source, total, expected] of [
    [
      `id,text\n${rows.join('\n')}\n5,\n6,...\n`,
      /^5 of 7 texts/,
      [/^2 of 7 texts have no words, so nothing resembles them/],
    ],
    [`id,text\n${rows.join('\n')}\n7,\ufffd\ufffd a\n`, /^4 of 6 texts/, [/^1 of 6 texts contains U\+FFFD/]],
    [
      `id,text\n${rows.join('\n')}\n7,"${lines[1]}\n8,${lines[3]}"\n`,
      / of 6 texts/,
      [/^1 line break is inside quotation marks, in 6 rows/],
    ],
    [
      family.join('\n'),
      /^1 of 6 texts/,
      [/^5 of 6 texts are near-duplicates of p0; the least similar has \d\d% in common/],
    ],
    [
      family.map((line) => line.replace(/Number \d/, 'Number')).join('\n'),
      /^1 of 6 texts/,
      [/^5 of 6 texts have the words of p0/],
    ],
  ]) {
    await search(source);
    await reads(page, '#found-verdict', total);
    await eventually(async () => {
      const found = await notices();
      assert.equal(found.length, expected.length, found.join());
      for (const [at, pattern] of expected.entries()) assert.match(found[at], pattern);
    });
  }
});

exhaustive(
  'in Firefox: a table, and an Arabic difference from right to left',
  { skip: !process.env.FIREFOX },
  async () => {
    await withPage('/#duplicates', { browser: 'firefox' }, async (view) => {
      const arabic =
        'أعلنت البلدية صباح اليوم إغلاق الطريق الساحلي بسبب ارتفاع منسوب المياه بعد أمطار غزيرة استمرت يومين كاملين';
      await view.locator('#lines').fill(`id;text\n1;"${arabic}"\n2;"${arabic.replace('صباح', 'مساء')}"`);
      await view.getByRole('button', { name: 'Find duplicates' }).click();
      await reads(view, '#found-verdict', verdict(1, 2));
      await view.locator('.cluster .member').click();
      const { direction, textAlign } = await view.locator('.diff').evaluate((element) => {
        const { direction, textAlign } = getComputedStyle(element);
        return { direction, textAlign };
      });
      assert.deepEqual({ direction, textAlign }, { direction: 'rtl', textAlign: 'start' });
    });
  },
);
