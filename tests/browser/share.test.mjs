// Share links: what they hold, and what damaged links do.
import assert from 'node:assert/strict';
import { deflateSync, inflateSync } from 'node:zlib';
import { compare, sketch } from '../../pkg/index.js';
import { fingerprint, toHex } from '../../pkg/simhash.js';
import { exhaustive as test } from '../tier.mjs';
import {
  choose,
  compared,
  eventually,
  holds,
  openForAll,
  openSettings,
  reads,
  shownFingerprints,
  writeTexts,
} from './harness.mjs';

const opened = await openForAll('/', { permissions: ['clipboard-read', 'clipboard-write'] });
const { page } = opened;

const [first, second] = ['Ein Fuß, 一只脚, ノーム 🦶', 'Zwei Füße, 两只脚, ノーム 🦶🦶'];

async function share() {
  await page.locator('.share:visible, #duplicates button:has-text("Copy link"):visible').first().click();
  await reads(page, '#shared', /link/);
  return page.evaluate(() => location.href);
}

/** The content of a link. */
const decode = (url) => JSON.parse(inflateSync(Buffer.from(url.split('#s1.')[1], 'base64url')).toString());

/** Opens a link in a fresh page. */
async function visit(url) {
  await page.goto('about:blank');
  await page.goto(url);
}

test('a link restores texts, scheme and threshold', async () => {
  await writeTexts(page, first, second);
  await choose(page, 'features', 'chars3');
  await page.locator('#scheme-threshold').fill('55');
  const url = await share();
  await reads(page, '#shared', /^The link is copied\. It holds both texts\.$/);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), url);
  assert.equal(decode(url).a, first);
  assert.equal(decode(url).threshold, 0.55);
  for (const again of [() => page.reload(), () => visit(url)]) {
    await again();
    const { exactResemblance } = compare(first, second, { features: { chars: 3 } });
    const share = Math.floor(100 * exactResemblance);
    await reads(page, '#verdict', new RegExp(`: ${share}% of the character triples are in common\\.$`));
    await reads(page, '#remark', /The threshold is 55%\./);
    assert.equal(await page.locator('#text-a').inputValue(), first);
    assert.equal(await page.locator('#text-b').inputValue(), second);
    assert.equal(await page.locator('#scheme-id').textContent(), 'v1:64:chars3');
  }
  await page.locator('#text-a').fill('something else');
  await eventually(() =>
    assert.equal(new URL(page.url()).hash, '#compare', 'a link that differs from the state is removed'),
  );
});

test('a link for long texts holds the fingerprints and the sketches', async () => {
  await openSettings(page);
  await page.getByRole('button', { name: 'Reset to default' }).click();
  // Random words, which do not compress below 8 KB.
  const long = Array.from({ length: 3000 }, (_, at) => Math.abs(Math.imul(at + 1, 0x9e3779b1)).toString(36)).join(' ');
  await writeTexts(page, long, `${long} more`);
  const fingerprints = [long, `${long} more`].map((text) => fingerprint(text));
  await compared(page, ...fingerprints);
  await page.locator('#number-estimate').waitFor({ state: 'attached' });
  const url = await share();
  await reads(page, '#shared', /too long for a link: it holds their fingerprints only/);
  assert.ok(url.length < 9000);
  assert.deepEqual(decode(url).summaries.fingerprints, {
    a: toHex(fingerprint(long)),
    b: toHex(fingerprint(`${long} more`)),
  });
  await visit(url);
  await reads(page, '#notice', /holds only the fingerprints of two texts/);
  await reads(page, '#verdict', /^Probably near-duplicates: about (99|100)% of the word pairs are in common/);
  await reads(page, '#sentence', /^The votes are unknown/);
  assert.deepEqual(await shownFingerprints(page), fingerprints);
  await page.locator('#text-a').fill('now a text');
  await reads(page, '#verdict', /^Enter two texts/);
});

test('the values in a link are checked', async () => {
  const content = decode(await share());
  const linkOf = (change) =>
    `${opened.origin}/#s1.${deflateSync(JSON.stringify({ ...content, ...change })).toString('base64url')}`;
  await visit(linkOf({ view: 'duplicates', lines: 'one\ntwo' }));
  await holds(page, '#lines', 'one\ntwo');
  const fingerprints = { a: '00000000000000ff', b: '000000000000000f' };
  const sketches = { a: sketch(first).toHex(), b: sketch(second, { features: { words: 1 } }).toHex() };
  for (const change of [
    { threshold: 7 },
    { summaries: { fingerprints } },
    { summaries: { fingerprints, sketches } },
    { summaries: { fingerprints: { ...fingerprints, a: 'ff' }, sketches: { a: sketches.a, b: sketches.a } } },
  ]) {
    await visit(linkOf({ view: 'compare', ...change }));
    await reads(page, '#notice', /damaged/);
  }
});

test('a damaged link or one of another version shows a notice and changes nothing', async () => {
  await writeTexts(page, first, second);
  const url = await share();
  const { hash } = new URL(url);
  const middle = Math.floor(hash.length / 2);
  const bad = [
    [`${hash.slice(0, middle)}${hash[middle] === 'A' ? 'B' : 'A'}${hash.slice(middle + 1)}`, /damaged/],
    [hash.slice(0, -7), /damaged/],
    ['#s1.', /damaged/],
    ['#s1.%%%', /damaged/],
    ['#s2.whatever', /another version/],
  ];
  for (const [hash, sentence] of bad) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, hash);
    await reads(page, '#notice', sentence);
    assert.equal(await page.locator('#text-a').inputValue(), first);
    await visit(`${opened.origin}/${hash}`);
    await reads(page, '#notice', sentence);
    await visit(url);
    await holds(page, '#text-a', first);
    assert.equal(await page.locator('#notice').isVisible(), false);
  }
});

test('a link that would block the page is refused', async () => {
  const content = decode(await share());
  const link = (change) => {
    const json = JSON.stringify({ ...content, ...change });
    return `#s1.${deflateSync(json, { level: 9 }).toString('base64url')}`;
  };
  await visit(`${opened.origin}/${link({ a: first, b: second })}`);
  await holds(page, '#text-a', first);
  const hostile = [
    { a: '\n'.repeat(600_000), b: 'a' },
    { a: 'a '.repeat(600_000), b: 'a' },
    { view: 'duplicates', lines: 'a\n'.repeat(10_000) },
    { unknown: 'a'.repeat(1 << 20) },
    { unknown: Array(300_000).fill(0) },
    { scheme: 'a'.repeat(600_000) },
    { threshold: '6'.repeat(600_000) },
  ].map(link);
  for (const hash of hostile) {
    assert.ok(hash.length < 8 * 1024, `${hash.length}`);
    await visit(`${opened.origin}/${hash}`);
    await reads(page, '#notice', /damaged/);
    assert.ok((await page.locator('#text-a').inputValue()).length < 1000);
  }
});

test('a text of many lines has one direction', async () => {
  await visit(`${opened.origin}/#duplicates`);
  const area = page.getByLabel('Texts, one per line');
  const cases = [
    ['ab\n'.repeat(999), 'auto'],
    ['ab\n'.repeat(1000), 'ltr'],
    [`${'\n'.repeat(100_000)}\u0634`, 'rtl'],
  ];
  // Not `fill`: the browser takes a minute to insert 100,000 lines as if they were typed.
  const fill = (text) =>
    area.evaluate((field, value) => {
      field.value = value;
      field.dispatchEvent(new Event('input'));
    }, text);
  for (const [text, dir] of cases) {
    await fill(text);
    await eventually(async () => assert.equal(await area.getAttribute('dir'), dir));
  }
  await fill('');
});

test('a link to the duplicates view holds its lines', async () => {
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  await page.getByLabel('Texts, one per line').fill('one line\nanother line');
  const url = await share();
  await visit(url);
  await holds(page, '#lines', 'one line\nanother line');
  assert.equal(await page.locator('#compare').isVisible(), false);
});
