// The report of the command line in a browser: in both languages, light and dark, narrow and wide, and by keyboard.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { jsonLines, makeCommandFolder } from '../js/command.mjs';
import { exhaustive as test } from '../tier.mjs';
import { overflows, violations, withPage } from './harness.mjs';

const { path, run, write } = makeCommandFolder();
const sample = fileURLToPath(new URL('../../examples/sample.jsonl', import.meta.url));
const hostile = `</script><img src=x onerror="document.title='run'"><style>*{display:none}</style>${'w'.repeat(500)}`;

/** A part of the sample with an id and a text that would do harm, and the report of it. */
function reportOf(language) {
  const rows = readFileSync(sample, 'utf8').split('\n', 60);
  const { text } = JSON.parse(rows[0]);
  const added = jsonLines([{ id: hostile, text: text + hostile }]);
  const input = write('input.jsonl', `${rows.join('\n')}\n${added}`);
  const report = `${language}.html`;
  const { status, stderr } = run(['dedupe', '--report-html', report, '--report-language', language, input]);
  assert.equal(status, 0, stderr);
  return pathToFileURL(path(report)).href;
}

for (const language of ['en', 'zh']) {
  test(`${language}: nothing overflows or runs, and axe finds no violation`, async () => {
    const url = reportOf(language);
    for (const [colorScheme, width] of [
      ['light', 360],
      ['dark', 1440],
    ]) {
      await withPage('/', { colorScheme, viewport: { width, height: 900 } }, async (page, errors) => {
        errors.length = 0;
        await page.goto(url);
        const all = await page.locator('details').all();
        for (const details of all.slice(0, 12)) await details.evaluate((element) => element.setAttribute('open', ''));
        assert.equal(await overflows(page), false, `${colorScheme}, ${width} px`);
        assert.notEqual(await page.title(), 'run');
        assert.equal(await page.locator('img, script').count(), 0);
        assert.deepEqual(await violations(page), [], `${colorScheme}, ${width} px`);
        // The page itself is on another origin.
        assert.deepEqual(errors.splice(0), [`request to ${url}`]);
      });
    }
  });
}

test('a pair opens by keyboard', () =>
  withPage('/', {}, async (page, errors) => {
    await page.goto(reportOf('en'));
    for (let tries = 0; tries < 10; tries++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement.localName === 'summary')) break;
    }
    await page.keyboard.press('Enter');
    await page.locator('details[open] .text').first().waitFor();
    assert.equal(await page.locator('details[open] .sides').count(), 1);
    errors.length = 0;
  }));
