// Instructions of the native core for the same families. Unlike processor time they repeat exactly and do not depend on
// caches.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExamples, instructions } from '../../scripts/instructions.mjs';
import { inFolder } from './common.mjs';
import { texts } from './families.mjs';

const SMALLEST = 16;
/**
 * How many times more a byte of the largest text may cost than a byte of the smallest. Two steps are expected: a text of
 * more than 2^16 bytes is cut into parts (stream.rs), and one of more than 2^16 different features is counted in sorted
 * order (counts.rs). The first is the largest for line feeds, among which there is no place to cut: 45 instructions a byte
 * instead of 11. Quadratic time would be a factor of 64 from 2^16 to 2^22 bytes.
 */
const MOST = 4.2;
/** The same from a quarter of the largest size on, where the steps are over. A factor of 4 would be quadratic. */
const MOST_AT_END = 1.3;

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
  let dearest = { cost: 0 };
  await withCounter((perByte) => {
    for (const [name, family] of Object.entries(texts)) {
      const [first, quarter, last] = [SMALLEST, largest - 2, largest].map((power) => perByte(family, power));
      const growth = last / first;
      const growthAtEnd = last / quarter;
      if (growth > worst.growth) worst = { name, growth };
      if (growthAtEnd > atEnd.growth) atEnd = { name, growth: growthAtEnd };
      if (last > dearest.cost) dearest = { name, cost: last };
      // The steps are not over at the end of the short form.
      if (!(growth <= MOST) || (largest >= 22 && !(growthAtEnd <= MOST_AT_END))) {
        failures++;
        console.log(
          `  ${name}: ${[first, quarter, last].map((cost) => cost.toFixed(1)).join(', ')} instructions a byte`,
        );
      }
    }
  });
  const families = Object.keys(texts).length;
  console.log(
    `instructions a byte at 2^${largest} bytes and 2^${SMALLEST}: ${families} families, ${failures} failures`,
  );
  console.log(`  at most ${worst.growth.toFixed(2)} times as many (${worst.name})`);
  console.log(`  from 2^${largest - 2} bytes on, at most ${atEnd.growth.toFixed(2)} times as many (${atEnd.name})`);
  console.log(`  at most ${dearest.cost.toFixed(0)} (${dearest.name})`);
  return failures;
}

/** Prints the instructions a byte of one family, at every power of two. */
export async function instructionsOf(largest, name) {
  await withCounter((perByte) => {
    for (let power = SMALLEST; power <= largest; power++) {
      console.log(`${name}, 2^${power}: ${perByte(texts[name], power).toFixed(1)} instructions a byte`);
    }
  });
  return 0;
}
