// A Chromium page on the local server, with a record of everything that went wrong in it.
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/serve.mjs';

/** `options` are those of Playwright's browser context; `server` another server than the project's own. */
export async function open(path = '/', { server, ...options } = {}) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    // As root, as in CI, Chromium has no sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  server ??= await serve(0);
  const origin = `http://localhost:${server.address().port}`;
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const troubles = [];
  context.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  context.on('weberror', (error) => troubles.push(String(error.error())));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith(`blob:${origin}`)) troubles.push(`asked for ${url}`);
  });
  const page = await context.newPage();
  await page.goto(origin + path);
  const close = async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  };
  return { page, context, origin, troubles, close };
}

/** Tries until the check does not throw. The page answers soon, but on a busy machine not at once. */
export async function eventually(check, patience = 30_000) {
  for (const end = Date.now() + patience; ; await setTimeout(40)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** The text of an element, once it matches. */
export const reads = (page, selector, pattern) =>
  eventually(async () => {
    const text = await page.locator(selector).textContent();
    if (!pattern.test(text)) throw new Error(`${selector} reads ${JSON.stringify(text)}, not ${pattern}`);
    return text;
  });

/** Drops files, `[name, contents, type]`, on an element. */
export async function drop(page, selector, files) {
  const bytes = files.map(([name, contents, type = '']) => [name, [...Buffer.from(contents)], type]);
  const dataTransfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, bytes, type] of files) transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
    return transfer;
  }, bytes);
  for (const kind of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent(selector, kind, { dataTransfer });
}

/** Chooses another recipe with the page's own controls. */
export async function choose(page, control, value) {
  await page.evaluate(() => document.getElementById('recipe').setAttribute('open', ''));
  await page.locator(`#recipe-${control}`).selectOption(JSON.stringify(value));
}

/** How many bits are set. */
export const ones = (value) => value.toString(2).replaceAll('0', '').length;
