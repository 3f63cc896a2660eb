// The page in another engine.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { distance, fingerprint, toHex } from '../../pkg/index.js';
import { serve } from '../../scripts/serve.mjs';
import { firefoxPath, openFirefox } from './firefox.mjs';
import { eventually } from './harness.mjs';

if (!firefoxPath && process.env.CI) throw new Error('no Firefox was found; set FIREFOX to the path of one');
const skip = firefoxPath ? false : 'NO FIREFOX WAS FOUND: set FIREFOX to the path of one';
if (skip) console.error(`\n*** ${skip} ***\n`);

let server;
let firefox;
before(async () => {
  if (skip) return;
  server = await serve(0);
  firefox = await openFirefox();
});
after(async () => {
  await firefox?.close();
  server?.closeAllConnections();
  server?.close();
});

const text = (selector) => firefox.run(`return document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);

const write = (id, value) =>
  firefox.run(`const area = document.getElementById('${id}');
    area.value = ${JSON.stringify(value)};
    area.dispatchEvent(new Event('input', { bubbles: true }));`);

test('Firefox compares two texts', { skip }, async () => {
  await firefox.send('WebDriver:Navigate', { url: `http://localhost:${server.address().port}/` });
  await eventually(async () => assert.match(await text('#verdict'), /^(7 of 64|64 位中有 6)/));
  const [a, b] = ['A hare and a tortoise ran a race', 'A hare and a tortoise ran the race'];
  await write('text-a', a);
  await write('text-b', b);
  const apart = distance(fingerprint(a), fingerprint(b));
  await eventually(async () => assert.equal(await text('#hex-b'), toHex(fingerprint(b))));
  assert.equal(await text('#hex-a'), toHex(fingerprint(a)));
  assert.equal(await firefox.run(`return document.querySelectorAll('.xor .differs').length`), apart);
});

test('Firefox finds duplicates, in a module Worker', { skip }, async () => {
  await firefox.run(`location.hash = '#duplicates'`);
  await write('lines', 'one and the same line\nOne and the same line!\nquite another thing');
  await firefox.run(`document.querySelector('.primary').click()`);
  await eventually(async () => assert.match(await text('#found-verdict'), /2/));
  assert.equal(await firefox.run(`return document.querySelectorAll('.member').length`), 1);
});

test('in Firefox nothing sticks out at 360 px, and the share address comes back', { skip }, async () => {
  await firefox.send('WebDriver:SetWindowRect', { width: 360, height: 900 });
  await firefox.run(`location.hash = '#compare'`);
  const out = `return document.documentElement.scrollWidth - document.documentElement.clientWidth`;
  await eventually(async () => assert.equal(await firefox.run(out), 0));
  await firefox.run(`document.getElementById('share').click()`);
  await eventually(async () => assert.match(await firefox.run('return location.hash'), /^#s1\./));
  await firefox.send('WebDriver:Refresh', {});
  const value = `return document.getElementById('text-b')?.value`;
  await eventually(async () => assert.equal(await firefox.run(value), 'A hare and a tortoise ran the race'));
});
