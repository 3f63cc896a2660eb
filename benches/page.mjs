// Prints how soon the page shows something, and how soon it has compared its first two texts itself: milliseconds from the start
// of the navigation, and the bytes loaded until then, after Brotli. Chromium slows the processor down as if it were a phone's.
//
//     npm run build:www
//     node benches/page.mjs [ROUNDS]     # CHROMIUM=PATH of the browser
//
// Each round is a new browser, so nothing is cached or compiled. The table has the smallest and the median time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { readArguments } from '../scripts/arguments.mjs';
import { requireChromium } from '../scripts/browsers.mjs';
import { pageFolder } from '../scripts/page.mjs';
import { open } from '../tests/browser/harness.mjs';
import { median } from './times.mjs';

const { rounds } = readArguments('[ROUNDS=11]');
requireChromium();

/** The moments, and the name of the entry of the browser's performance timeline for each. */
const moments = { 'first paint': 'first-contentful-paint', 'first row of bits and verdict': 'compared' };

/** Runs in the page: the time of each moment, and the paths of the files that were loaded before it. */
function readMoments(names) {
  const files = performance.getEntriesByType('resource');
  return names.map((name) => {
    const [{ startTime }] = performance.getEntriesByName(name);
    const loaded = files.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= startTime);
    return { time: startTime, paths: ['/index.html', ...loaded.map((file) => new URL(file.name).pathname)] };
  });
}

async function measure(slowdown) {
  const { page, context, origin, close } = await open('/sample.md');
  const names = Object.values(moments);
  try {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(origin);
    const isOver = (all) => all.every((name) => performance.getEntriesByName(name).length > 0);
    await page.waitForFunction(isOver, names);
    return await page.evaluate(readMoments, names);
  } finally {
    await close();
  }
}

const sizes = new Map();

/** Returns the size of a file of the page after Brotli. */
function sizeOf(path) {
  if (!sizes.has(path)) sizes.set(path, brotliCompressSync(readFileSync(join(pageFolder, path))).length);
  return sizes.get(path);
}

console.log('| slowdown | until | smallest, ms | median, ms | loaded, kB |\n| ---: | --- | ---: | ---: | ---: |');
for (const slowdown of [1, 6]) {
  const all = [];
  for (let round = 0; round < rounds; round++) all.push(await measure(slowdown));
  for (const [at, name] of Object.keys(moments).entries()) {
    const times = all.map((measured) => measured[at].time);
    const bytes = Math.max(
      ...all.map((measured) => [...new Set(measured[at].paths)].reduce((sum, path) => sum + sizeOf(path), 0)),
    );
    const cells = [
      `${slowdown} times`,
      name,
      Math.min(...times).toFixed(0),
      median(times).toFixed(0),
      (bytes / 1000).toFixed(1),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
