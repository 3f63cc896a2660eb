// Processor time of the families over sizes from 2^16 bytes on, the least of several runs.

import { Deduplicator, Fingerprinter } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { pages, slopeOf, texts } from './families.mjs';

const { textReader } = await importSource('js/node/html.ts');

/** The largest exponents: the main text of pages has one of its own. */
const MAX_EXPONENT = 1.15;
const MAX_EXPONENT_OF_PAGES = 1.3;

function timeOf(work) {
  let least = Infinity;
  for (let tries = 0; tries < 5; tries++) {
    const { user, system } = process.cpuUsage();
    work();
    const after = process.cpuUsage();
    least = Math.min(least, after.user + after.system - user - system);
    if (least > 300_000) break;
  }
  return least / 1e6;
}

const FAMILY = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');

/** Returns a set of `count` documents. */
function fill(count, textOf) {
  const set = new Deduplicator();
  for (let at = 0; at < count; at++) set.add(at, textOf(at));
  return set;
}

export async function exponents(largest) {
  const fingerprinter = new Fingerprinter();
  const mainText = await textReader(true);
  const works = {
    fingerprint: (text) => fingerprinter.fingerprint(text),
    sketch: (text) => fingerprinter.sketch(text),
    words: (text) => fingerprinter.words(text),
    dedupe: (text) => {
      const deduplicator = new Deduplicator();
      deduplicator.observe(1, text);
      deduplicator.observe(2, `${text} x`);
      deduplicator.free();
    },
  };
  const html = (page) => {
    try {
      mainText(page);
    } catch (error) {
      if (error.message !== 'the page has no text') throw error;
    }
  };
  const worst = {};
  let failures = 0;
  const measure = (work, run, name, family) => {
    const points = [];
    for (let power = 16; power <= largest; power += 2) {
      const text = family(2 ** power);
      points.push([2 ** power, timeOf(() => run(text))]);
    }
    const [exponent, time] = [slopeOf(points), points.at(-1)[1]];
    if (exponent > (worst[work]?.exponent ?? 0)) worst[work] = { name, exponent, time };
    // A short time has a random exponent.
    if (exponent > (work === 'html' ? MAX_EXPONENT_OF_PAGES : MAX_EXPONENT) && time > 0.2) {
      failures++;
      console.log(`  ${work}, ${name}: exponent ${exponent.toFixed(2)}, ${time.toFixed(2)} s`);
    }
  };
  for (const [work, run] of Object.entries(works)) {
    for (const [name, family] of Object.entries(texts)) measure(work, run, name, family);
  }
  for (const [name, family] of Object.entries(pages)) measure('html', html, name, family);
  const joins = {
    'pairs of equal documents': (count) => fill(count, () => 'Good news for the ferry and its passengers'),
    'pairs of a family': (count) => fill(count, (at) => `${FAMILY} version ${at}`),
  };
  for (const [name, fillSet] of Object.entries(joins)) {
    const points = [];
    for (let power = 12; power <= largest - 5; power++) {
      const set = fillSet(2 ** power);
      const time = timeOf(() => {
        for (const _ of set.pairs());
        set.clusters();
      });
      points.push([2 ** power, time]);
      set.free();
    }
    const [exponent, time] = [slopeOf(points), points.at(-1)[1]];
    if (exponent > MAX_EXPONENT && time > 0.2) {
      failures++;
      console.log(`  ${name}: exponent ${exponent.toFixed(2)}, ${time.toFixed(2)} s`);
    }
    worst[name] = { name, exponent, time };
  }
  const count =
    Object.keys(texts).length * Object.keys(works).length + Object.keys(pages).length + Object.keys(joins).length;
  console.log(`adversarial families to 2^${largest}: ${count} fits, ${failures} failures`);
  for (const [work, { name, exponent, time }] of Object.entries(worst)) {
    console.log(`  ${work}: at most ${exponent.toFixed(2)} (${name}, ${time.toFixed(2)} s for the largest)`);
  }
  return failures;
}
