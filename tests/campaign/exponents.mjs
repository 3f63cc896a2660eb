// Processor time of the families over sizes from 2^16 bytes on, and of pages and lists of features from 2^18, the least of several
// runs; and of the command line for its inputs.

import { Deduplicator, Sketcher } from '../../pkg/index.js';
import { Fingerprinter } from '../../pkg/simhash.js';
import { makeCommandFolder } from '../js/command.mjs';
import { importSource } from '../source.mjs';
import { inputs, pages, slopeOf, texts } from './families.mjs';

const { textReader } = await importSource('js/node/html.ts');

/** The largest exponent. */
const MAX_EXPONENT = 1.15;

/** The smallest texts have this power of two bytes. */
const FIRST = 16;

/**
 * A fingerprint counts the first 65,000 different features of a text in a table, which fits into the caches, and the others in sorted
 * order. A byte takes several times as long after this step. So the smallest text of fingerprints has four times as many features,
 * if the family has a text that does.
 */
const FIRST_OF_FINGERPRINTS = 18;
const FEATURES_AFTER_STEP = 2 ** 18;

/** The number of different features of a text of 2^18 bytes above which a longer text of the family has more. */
const MIN_GROWING = 2 ** 12;

/**
 * The smallest pages, and the smallest texts whose features all become objects. The objects of smaller ones can fit in the
 * young generation of the heap, where the garbage collector has no work: 2^16 random Han characters take 0.54 or 0.87 µs each.
 */
const FIRST_OBJECTS = 18;

/** Returns the least processor time of at most five runs. Runs end after about three seconds. */
function timeOf(work) {
  let [least, sum] = [Infinity, 0];
  for (let tries = 0; tries < 5 && sum < 3_000_000; tries++) {
    const { user, system } = process.cpuUsage();
    work();
    const after = process.cpuUsage();
    const time = after.user + after.system - user - system;
    least = Math.min(least, time);
    sum += time;
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

/** Fits exponents to times, and prints those that are too large. */
class Fits {
  #worst = {};
  #count = 0;
  failures = 0;

  add(work, name, points) {
    this.#count++;
    const [exponent, time] = [slopeOf(points), points.at(-1)[1]];
    // A short time has a random exponent.
    if (time <= 0.2) return;
    if (exponent > (this.#worst[work]?.exponent ?? 0)) this.#worst[work] = { name, exponent, time };
    if (exponent <= MAX_EXPONENT) return;
    this.failures++;
    console.log(`  ${work}, ${name}: exponent ${exponent.toFixed(2)}, ${time.toFixed(2)} s`);
  }

  /** Adds the times of a function of the texts of a family. */
  measure(work, run, name, family, first, largest) {
    const powers = Array.from({ length: 1 + (largest - first) / 2 }, (_, at) => first + 2 * at);
    this.add(
      work,
      name,
      powers.map((power) => {
        const text = family(2 ** power);
        return [2 ** power, timeOf(() => run(text))];
      }),
    );
  }

  print(what) {
    console.log(`${what}: ${this.#count} fits, ${this.failures} failures`);
    for (const [work, { name, exponent, time }] of Object.entries(this.#worst)) {
      console.log(`  ${work}: at most ${exponent.toFixed(2)} (${name}, ${time.toFixed(2)} s for the largest)`);
    }
    return this.failures;
  }
}

export function exponents(largest, only) {
  const [fingerprinter, sketcher] = [new Fingerprinter(), new Sketcher()];
  const works = {
    fingerprint: (text) => fingerprinter.fingerprint(text),
    sketch: (text) => sketcher.sketch(text),
    features: (text) => fingerprinter.features(text),
    compare: (text) => sketcher.compare(text, `${text} x`),
    dedupe: (text) => {
      const deduplicator = new Deduplicator();
      deduplicator.observe(1, text);
      deduplicator.observe(2, `${text} x`);
      deduplicator.free();
    },
  };
  const firstOfFingerprints = (family) => {
    const count = fingerprinter.features(family(2 ** FIRST_OF_FINGERPRINTS)).length;
    let power = FIRST_OF_FINGERPRINTS;
    while (count > MIN_GROWING && count * 2 ** (power - FIRST_OF_FINGERPRINTS) < FEATURES_AFTER_STEP) power += 2;
    return power;
  };
  /** Returns the powers of the smallest and of the largest text. */
  const sizesOf = (work, family) => {
    // The objects of all features of 2^22 bytes fill gigabytes, and some texts of this size are refused.
    if (work === 'features' || work === 'compare') return [FIRST_OBJECTS, Math.max(FIRST_OBJECTS + 2, largest - 2)];
    if (work !== 'fingerprint') return [FIRST, largest];
    const first = firstOfFingerprints(family);
    return [first, Math.max(first + 4, largest + 2)];
  };
  const fits = new Fits();
  for (const [work, run] of Object.entries(works)) {
    for (const [name, family] of Object.entries(texts)) {
      if (only === undefined || name === only) fits.measure(work, run, name, family, ...sizesOf(work, family));
    }
  }
  if (only !== undefined) return fits.print(`${only} to 2^${largest + 2}`);
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
    fits.add(name, name, points);
  }
  return fits.print(`adversarial families to 2^${largest}`);
}

export async function exponentsOfPages(largest) {
  const readText = await textReader({ isHtml: true });
  const run = (page) => {
    try {
      readText(page);
    } catch (error) {
      if (error.message !== 'the page has no text') throw error;
    }
  };
  const fits = new Fits();
  for (const [name, family] of Object.entries(pages)) fits.measure('html', run, name, family, FIRST_OBJECTS, largest);
  return fits.print(`adversarial pages to 2^${largest}`);
}

/** A module that prints the microseconds of processor time of a process at its end. */
const printTime = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write('\\n' + (user + system));
})`;

/** Returns the seconds of processor time of the command for an input. A run that takes minutes is ended, and throws. */
export function secondsOfInput(command, { args, make }, size) {
  const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(printTime)}` };
  const words = typeof args === 'string' ? args.split(' ').filter((word) => word !== '') : args;
  const { stderr } = command.run(['dedupe', '--quiet', ...words], { input: make(size), env });
  return Number(/\d+$/.exec(stderr)[0]) / 1e6;
}

export function exponentsOfInputs(largest) {
  const command = makeCommandFolder();
  const start = secondsOfInput(command, inputs['blank lines'], 0);
  const fits = new Fits();
  for (const [name, input] of Object.entries(inputs)) {
    const points = [];
    for (let power = FIRST; power <= largest; power += 2) {
      points.push([2 ** power, secondsOfInput(command, input, 2 ** power) - start]);
    }
    fits.add('dedupe', name, points);
  }
  return fits.print(`adversarial inputs to 2^${largest}`);
}
