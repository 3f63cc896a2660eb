// Calibration on pages of one template, which share half of their words: its work must grow linearly with their number.
import { calibrate } from '../../pkg/calibrate.js';
import { randomFrom } from './common.mjs';
import { slopeOf } from './families.mjs';

const MAX_EXPONENT = 1.15;

const WORDS = 100;

/** Returns pages of the same words, followed by as many random ones. */
function pagesOf(count) {
  const random = randomFrom(7);
  const words = () => Array.from({ length: WORDS }, () => `w${Math.floor(1e6 * random())}`).join(' ');
  const template = words();
  return Array.from({ length: count }, (_, id) => ({ id, text: `${template} ${words()}` }));
}

/** Returns the number of failures. */
export async function templates(sizes) {
  const points = [];
  let failures = 0;
  for (const size of sizes) {
    const pages = pagesOf(size);
    const start = process.cpuUsage();
    const { thresholds } = await calibrate(pages);
    const { user, system } = process.cpuUsage(start);
    const seconds = (user + system) / 1e6;
    points.push([size, seconds]);
    // Half of the words are others: no page reaches a threshold.
    const [{ documents }] = thresholds;
    if (documents > 0) failures++;
    console.log(
      `  ${documents > 0 ? 'FAILURE: ' : ''}${size} pages: ${seconds.toFixed(1)} s, ${documents} near-duplicates`,
    );
  }
  const exponent = slopeOf(points);
  const isFailure = exponent > MAX_EXPONENT;
  if (isFailure) failures++;
  console.log(`  ${isFailure ? 'FAILURE: ' : ''}processor time: exponent ${exponent.toFixed(2)}`);
  console.log(`calibration on template pages: ${sizes.length + 1} trials, ${failures} failures`);
  return failures;
}
