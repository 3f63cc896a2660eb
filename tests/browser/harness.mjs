// A Chromium page on the local server, with a record of everything that went wrong in it.
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/serve.mjs';

export async function open(path = '/') {
  const server = await serve(0);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    // As root, as in CI, Chromium has no sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const origin = `http://localhost:${server.address().port}`;
  const page = await browser.newPage();
  const troubles = [];
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) troubles.push(`asked for ${request.url()}`);
  });
  await page.goto(origin + path);
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { page, troubles, close };
}
