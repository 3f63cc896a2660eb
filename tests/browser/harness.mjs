// Opens the page in a browser and records every error in it. Playwright drives both browsers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { chromium, firefox } from 'playwright-core';
import { MIN_RESEMBLANCE } from '../../pkg/index.js';
import { servePage } from '../../scripts/serve-page.mjs';

/** The default threshold, and in whole percent. */
export const threshold = MIN_RESEMBLANCE;
export const thresholdPercent = Math.round(threshold * 100);

/** How long an effect may take, in milliseconds: a busy machine takes long. After a failure, so that a run ends, 5 s. */
let patience = 120_000;

const launch = {
  chromium: () =>
    chromium.launch({
      executablePath: process.env.CHROMIUM,
      // Chromium has no sandbox for root, the user in CI.
      chromiumSandbox: process.getuid?.() !== 0,
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    }),
  // This channel drives an unpatched Firefox by WebDriver BiDi. Playwright 1.65 and later also need the command
  // emulation.setMediaFeaturesOverride, which Firefox ESR 153 lacks, so package.json pins 1.64.
  firefox: () => firefox.launch({ executablePath: process.env.FIREFOX, channel: 'moz-firefox' }),
};

/** Opens a page in a context of its own. `options` are those of Playwright's browser context. */
async function openPage(browser, origin, path, options) {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(patience);
  const errors = [];
  context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  context.on('weberror', (error) => errors.push(String(error.error())));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith(`blob:${origin}`)) errors.push(`request to ${url}`);
  });
  const page = await context.newPage();
  await page.goto(origin + path);
  return { page, context, errors };
}

/**
 * Opens a page in a new browser. `options` are those of Playwright's browser context. The default server is that of `npm start`.
 * If it fails, the browser and the server are closed.
 */
export async function open(path = '/', { browser: name = 'chromium', server, ...options } = {}) {
  server ??= await servePage(0);
  const origin = `http://localhost:${server.address().port}`;
  let browser;
  const close = async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
  };
  try {
    browser = await launch[name]();
    return { ...(await openPage(browser, origin, path, options)), origin, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens a page for all tests of a file, and closes it after them. Then there must have been no errors and no requests to other
 * origins but those that `blocked` matches.
 */
export async function openForAll(path, { blocked, ...options } = {}) {
  const opened = await open(path, options);
  after(async () => {
    await opened.close();
    assert.deepEqual(
      opened.errors.filter((error) => !blocked?.test(error)),
      [],
    );
  });
  return opened;
}

/** Calls `work` with a page, which must have no errors, and closes it. */
export async function withPage(path, options, work) {
  const { page, errors, close } = await open(path, options);
  try {
    await work(page, errors);
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe for the levels A and AA. */
export const wcag = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };

/** All rules that hold for the demo page. */
const strict = { runOnly: [...wcag.runOnly, 'best-practice'], rules: { 'target-size': { enabled: true } } };

/** Returns the violations of rules that axe finds, with their elements. */
export async function violations(page, rules = strict) {
  await page.evaluate(axe);
  return page.evaluate(async (rules) => {
    const { violations } = await globalThis.axe.run(rules);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  }, rules);
}

/** Whether the page is wider than its window. */
export const overflows = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Repeats the check until it does not throw. */
export async function eventually(check) {
  for (const end = Date.now() + patience; ; await setTimeout(40)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() <= end) continue;
      patience = 5_000;
      throw error;
    }
  }
}

/** Waits until the text of an element matches, and returns it. */
export const reads = (page, selector, pattern) =>
  eventually(async () => {
    const text = await page.locator(selector).textContent();
    if (!pattern.test(text)) throw new Error(`${selector} reads ${JSON.stringify(text)}, not ${pattern}`);
    return text;
  });

/** Writes both texts of the compare view. */
export async function writeTexts(page, a, b) {
  await page.locator('#text-a').fill(a);
  await page.locator('#text-b').fill(b);
}

/** The fingerprints that the strip shows, as unsigned integers. */
export async function shownFingerprints(page) {
  const cells = await page.locator('#strip i').evaluateAll((all) => all.map(({ className }) => className));
  const differing = (classes) =>
    classes.includes('zero-one') ? '01' : classes.includes('one-zero') ? '10' : undefined;
  const values = cells.map((name) => differing(name) ?? (/\bone\b/.test(name) ? '11' : '00'));
  return [0, 1].map((side) => BigInt(`0b${values.map((value) => value[side]).join('')}`));
}

/** Waits until the strip shows two fingerprints, and their changes are found. */
export const compared = (page, a, b) =>
  eventually(async () => {
    assert.deepEqual(await shownFingerprints(page), [a, b]);
    const isFound = await page.evaluate(() => document.getElementById('texts').ariaBusy === 'false');
    assert.ok(isFound, 'the changes are found');
  });

/** Waits until a field has a value. */
export const holds = (page, selector, value) =>
  eventually(async () => assert.equal(await page.locator(selector).inputValue(), value));

/** Drops files, `[name, contents, type]`, on an element. */
export async function drop(page, selector, files) {
  // In Base64: Playwright takes a minute for an array of 4 million numbers.
  const encoded = files.map(([name, contents, type = '']) => [name, Buffer.from(contents).toString('base64'), type]);
  const dataTransfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, base64, type] of files) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    return transfer;
  }, encoded);
  for (const kind of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent(selector, kind, { dataTransfer });
}

/** Opens the panel with the settings of the scheme. */
export const openSettings = (page) => page.evaluate(() => document.getElementById('scheme').setAttribute('open', ''));

/** Sets one of the scheme's controls. */
export async function choose(page, control, value) {
  await openSettings(page);
  await page.locator(`#scheme-${control}`).selectOption(JSON.stringify(value));
}
