// npm run test:campaign: faults at random and in large numbers. --short takes less than a minute, for CI.
import { exponents } from '../tests/campaign/exponents.mjs';
import { faults } from '../tests/campaign/faults.mjs';
import { pairs } from '../tests/campaign/pairs.mjs';
import { powerCuts } from '../tests/campaign/power-cuts.mjs';
import { snapshots } from '../tests/campaign/snapshots.mjs';

const isShort = process.argv.includes('--short');
const names = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const parts = {
  faults: () => faults(isShort ? { kills: 6, points: 12, errors: 16 } : { kills: 1600, points: 400, errors: Infinity }),
  pairs: () => pairs(isShort ? 8 : 1000),
  'power-cuts': () => powerCuts(isShort ? 300 : Infinity),
  snapshots: () => snapshots(isShort ? 5_000 : 100_000),
  exponents: () => exponents(isShort ? 18 : 22),
};
let failures = 0;
for (const [name, part] of Object.entries(parts)) {
  if (names.length === 0 || names.includes(name)) failures += await part();
}
process.exit(failures === 0 ? 0 : 1);
