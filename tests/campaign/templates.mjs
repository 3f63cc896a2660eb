// Calibration on pages of one template, which share half of their words: its work must grow linearly with their number.
import { calibrate } from '../../pkg/calibrate.js';
import { Fingerprinter } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { randomFrom } from './common.mjs';
import { slopeOf } from './families.mjs';

/** The bounds: exact comparisons for one page, and the exponents of all comparisons and of the processor time. */
const MAX_COMPARED = 256;
const MAX_EXPONENT = { comparisons: 1.2, 'processor time': 1.3 };

const WORDS = 100;

/** The key of calibration. With a random one, the number of comparisons would differ from run to run. */
const KEY = 0n;

/** Returns pages of the same words, followed by as many random ones. */
function pagesOf(count) {
  const random = randomFrom(7);
  const words = () => Array.from({ length: WORDS }, () => `w${Math.floor(1e6 * random())}`).join(' ');
  const template = words();
  return Array.from({ length: count }, (_, id) => ({ id, text: `${template} ${words()}` }));
}

/** Returns the number of failures. */
export async function templates(sizes) {
  const { eachPair } = await importSource('js/calibrate/neighbours.ts');
  const fingerprinter = new Fingerprinter();
  const points = { comparisons: [], 'processor time': [] };
  let failures = 0;
  for (const size of sizes) {
    const pages = pagesOf(size);
    const compared = new Uint32Array(size);
    const pairs = eachPair(
      pages.map(({ text }) => fingerprinter.featureSet(text, '', KEY).halves),
      {
        isDone: () => false,
        isOther: () => true,
        examine(at) {
          compared[at]++;
          return true;
        },
      },
    );
    for (const _ of pairs);
    const start = process.cpuUsage();
    const { recommended, thresholds } = await calibrate(pages);
    const { user, system } = process.cpuUsage(start);
    const seconds = (user + system) / 1e6;
    const { dropped } = thresholds.find(({ minResemblance }) => minResemblance === recommended);
    const most = compared.reduce((largest, count) => Math.max(largest, count));
    const comparisons = compared.reduce((sum, count) => sum + count);
    points.comparisons.push([size, comparisons]);
    points['processor time'].push([size, seconds]);
    // Half of the words are others: no page is a near-duplicate of another one.
    const isFailure = most > MAX_COMPARED || dropped.count > 0;
    if (isFailure) failures++;
    const figures = `${size} pages: ${comparisons} comparisons, at most ${most} of a page, ${seconds.toFixed(1)} s`;
    console.log(`  ${isFailure ? 'FAILURE: ' : ''}${figures}`);
  }
  for (const [name, all] of Object.entries(points)) {
    const exponent = slopeOf(all);
    const isFailure = exponent > MAX_EXPONENT[name];
    if (isFailure) failures++;
    console.log(`  ${isFailure ? 'FAILURE: ' : ''}${name}: exponent ${exponent.toFixed(2)}`);
  }
  console.log(`calibration on template pages: ${sizes.length + 2} trials, ${failures} failures`);
  return failures;
}
