// Inputs of the command line that are built to be slow. tests/campaign/exponents.mjs fits exponents to larger ones.
import assert from 'node:assert/strict';
import { secondsOfInput } from '../campaign/exponents.mjs';
import { inputs } from '../campaign/families.mjs';
import { exhaustive, test } from '../tier.mjs';
import { makeCommandFolder } from './command.mjs';

/** Where a few seconds of quadratic time for 100 kB are minutes. */
const SIZE = 1 << 19;
/** A linear run takes a tenth of this time. */
const MAX_SECONDS = 20;

const command = makeCommandFolder();

for (const [name, input] of Object.entries(inputs)) {
  const run = name.endsWith('of a rank') || name.endsWith('in a cell') ? test : exhaustive;
  run(`dedupe reads ${name} in linear time`, () => {
    const seconds = secondsOfInput(command, input, SIZE);
    assert.ok(seconds < MAX_SECONDS, `${seconds} s`);
  });
}
