// Prints how soon the page compares its first two texts, on a processor that Chromium slows down as if it were a phone's:
// milliseconds from the last byte of the scripts to the verdict.
//
//     npm run build:www
//     node benches/page.mjs [ROUNDS]     # CHROMIUM=PATH of the browser
//
// Each round is a new browser, so nothing is cached or compiled. The table has the smallest and the median time.

import { open } from '../tests/browser/harness.mjs';
import { findBrowser } from '../tests/browser/run.mjs';

const rounds = Number(process.argv[2] ?? 11);
process.env.CHROMIUM = findBrowser('CHROMIUM');
if (!process.env.CHROMIUM) process.exit(1);

/** Runs in the page before its scripts: notes when there is a verdict. */
function watch() {
  const observer = new MutationObserver(() => {
    if (!document.getElementById('verdict')?.textContent) return;
    globalThis.verdictAt = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}

/** Runs in the page: the time from the last byte of its scripts to the verdict. The Worker loads scripts after it. */
function readyAfter() {
  const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
  const own = scripts.filter(({ startTime }) => startTime < globalThis.verdictAt);
  return globalThis.verdictAt - Math.max(...own.map(({ responseEnd }) => responseEnd));
}

async function measure(slowdown) {
  const { page, context, origin, close } = await open('/sample.md');
  try {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(watch);
    await page.goto(origin);
    await page.waitForFunction(() => globalThis.verdictAt !== undefined);
    return await page.evaluate(readyAfter);
  } finally {
    await close();
  }
}

console.log('| slowed | smallest, ms | median, ms |\n| ---: | ---: | ---: |');
for (const slowdown of [1, 6]) {
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(await measure(slowdown));
  times.sort((a, b) => a - b);
  console.log(`| ${slowdown} times | ${times[0].toFixed(0)} | ${times[rounds >> 1].toFixed(0)} |`);
}
