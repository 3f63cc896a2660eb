// npm run test:campaign: faults at random and in large numbers, some hours.
import { parseArgs } from 'node:util';
import { exponents, exponentsOfInputs, exponentsOfPages } from './exponents.mjs';
import { texts } from './families.mjs';
import { faults } from './faults.mjs';
import { flooded } from './flooded.mjs';
import { instructionsOf, instructionsPerByte } from './instructions.mjs';
import { longLines } from './long-lines.mjs';
import { nativeSnapshots } from './native-snapshots.mjs';
import { nested } from './nested.mjs';
import { pairs } from './pairs.mjs';
import { powerCuts } from './power-cuts.mjs';
import { shareLinks } from './share-links.mjs';
import { sharedKeys } from './shared-keys.mjs';
import { snapshots } from './snapshots.mjs';
import { templates } from './templates.mjs';

const usage = (names) => `Usage: npm run test:campaign -- [OPTIONS] [PARTS]

Parts (default: all):
${names.map((name) => `  ${name}\n`).join('')}
  --short        about a minute, for CI
  --share=R      a share R of the trials, above 0 and at most 1
  --family=NAME  one family of texts, for exponents and instructions
  --help         prints this text
`;

function fail(message) {
  console.error(`campaign: ${message}`);
  process.exit(2);
}

function parse() {
  const flag = { type: 'boolean', default: false };
  const options = { help: flag, short: flag, share: { type: 'string', default: '1' }, family: { type: 'string' } };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(`${error.message.split('. ')[0]}; see --help`);
  }
}

const { values, positionals: names } = parse();
const { short: isShort, family } = values;
const share = Number(values.share);
if (family !== undefined && !Object.hasOwn(texts, family)) {
  fail(`--family must be one of ${Object.keys(texts).join(', ')}, got ${family}`);
}
if (!(share > 0 && share <= 1)) fail(`--share must be a number above 0 and at most 1, got ${values.share}`);
const whole = (count) => Math.ceil(share * count);
/** The largest texts have this power of two bytes. */
const largest = isShort ? 18 : share < 1 ? 20 : 22;
const parts = {
  faults: () =>
    faults(
      isShort ? { kills: 4, points: 8, errors: 12 } : { kills: whole(1606), points: whole(400), errors: whole(1000) },
    ),
  pairs: () => pairs(isShort ? 5 : whole(1000)),
  'long-lines': () => longLines(isShort ? [5] : [240, 600]),
  nested: () => nested(isShort ? 300_000 : 30_000_000),
  'power-cuts': () => powerCuts(isShort ? 250 : whole(10_000)),
  snapshots: () => snapshots(isShort ? 5_000 : 100_000),
  'native-snapshots': () => nativeSnapshots(isShort ? 100_000 : 10_000_000),
  exponents: () => exponents(largest, family),
  'exponents-of-pages': () => exponentsOfPages(Math.max(20, largest)),
  'exponents-of-inputs': () => exponentsOfInputs(Math.max(20, largest)),
  flooded: () => flooded(isShort ? 2_000 : whole(32_000)),
  'shared-keys': () => sharedKeys(isShort ? 20_000 : 200_000),
  'share-links': () => shareLinks(isShort ? 500 : whole(10_000)),
  // Fewer pages have fewer than 32 candidates each, and their work still grows faster.
  templates: () => templates(isShort ? [2000, 4000] : [4000, 8000, 16000]),
  instructions: () => (family === undefined ? instructionsPerByte : instructionsOf)(isShort ? 20 : 22, family),
};
if (values.help) {
  process.stdout.write(usage(Object.keys(parts)));
  process.exit();
}
for (const name of names) {
  if (!Object.hasOwn(parts, name)) fail(`${name} is not a part (${Object.keys(parts).join(', ')}); see --help`);
}
let failures = 0;
for (const [name, part] of Object.entries(parts)) {
  if (names.length === 0 || names.includes(name)) failures += await part();
}
process.exit(failures === 0 ? 0 : 1);
