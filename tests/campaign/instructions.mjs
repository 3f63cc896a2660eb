// Instructions of the native core for the same families. Unlike processor time they repeat exactly and do not depend on
// caches.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExamples, instructions } from '../../scripts/instructions.mjs';
import { inFolder } from './common.mjs';
import { texts } from './families.mjs';

const MIN_POWER = 16;
/**
 * The limit for the cost of a byte of the largest text, relative to a byte of the smallest. The cost rises once: a text of more
 * than 2^16 bytes is cut into parts (pieces.rs). The rise is largest for a text of line feeds, which cannot be cut: 66
 * instructions a byte instead of 18. In quadratic time the ratio from 2^16 to 2^22 bytes is 64.
 */
const MAX_GROWTH = 4.2;
/** The limit relative to a text of a quarter of the size, after the rise. In quadratic time this ratio is 4. */
const MAX_GROWTH_AT_END = 1.3;

/** Calls `work` with a function that returns the instructions a byte of a family's text. */
function withCounter(work) {
  buildExamples(['text_workload']);
  return inFolder((folder) => {
    const file = join(folder, 'text');
    const count = (text) => {
      writeFileSync(file, text);
      return instructions('text_workload', file);
    };
    const start = count('');
    return work((family, power) => {
      const text = Buffer.from(family(2 ** power));
      return (count(text) - start) / text.length;
    });
  });
}

export async function instructionsPerByte(largest) {
  let failures = 0;
  let worst = { growth: 0 };
  let atEnd = { growth: 0 };
  let costliest = { cost: 0 };
  await withCounter((perByte) => {
    for (const [name, family] of Object.entries(texts)) {
      const [first, quarter, last] = [MIN_POWER, largest - 2, largest].map((power) => perByte(family, power));
      const growth = last / first;
      const growthAtEnd = last / quarter;
      if (growth > worst.growth) worst = { name, growth };
      if (growthAtEnd > atEnd.growth) atEnd = { name, growth: growthAtEnd };
      if (last > costliest.cost) costliest = { name, cost: last };
      // The texts of the short form are too small for the second limit.
      if (!(growth <= MAX_GROWTH) || (largest >= 22 && !(growthAtEnd <= MAX_GROWTH_AT_END))) {
        failures++;
        console.log(
          `  ${name}: ${[first, quarter, last].map((cost) => cost.toFixed(1)).join(', ')} instructions a byte`,
        );
      }
    }
  });
  const families = Object.keys(texts).length;
  console.log(
    `instructions a byte at 2^${largest} bytes and 2^${MIN_POWER}: ${families} families, ${failures} failures`,
  );
  console.log(`  at most ${worst.growth.toFixed(2)} times as many (${worst.name})`);
  console.log(`  from 2^${largest - 2} bytes on, at most ${atEnd.growth.toFixed(2)} times as many (${atEnd.name})`);
  console.log(`  at most ${costliest.cost.toFixed(0)} (${costliest.name})`);
  return failures;
}

/** Prints the instructions a byte of one family, at every power of two. */
export async function instructionsOf(largest, name) {
  await withCounter((perByte) => {
    for (let power = MIN_POWER; power <= largest; power++) {
      console.log(`${name}, 2^${power}: ${perByte(texts[name], power).toFixed(1)} instructions a byte`);
    }
  });
  return 0;
}
