// Kills and errors at every call that changes a file, and at random times.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkRecovery,
  contentOf,
  dedupe,
  formNames,
  forms,
  inFolder,
  randomFrom,
  trials,
  writeInput,
} from './common.mjs';

/** Documents of two batches, and so two saves of the index and one at the end. */
const SMALL = 3200;
const LARGE = 12_000;

/** The calls of a run that wrote a log. */
const callsIn = (log) => readFileSync(log, 'utf8').split('\n').length - 1;

/** The calls of a run that nothing disturbs: the fewest of three runs, since the number of batches depends on time. */
async function countCalls(documents) {
  let fewest = Infinity;
  for (let run = 0; run < 3; run++) {
    await inFolder(async (folder) => {
      const log = join(folder, 'log');
      await dedupe(folder, writeInput(folder, documents), 'out', { settings: { log } });
      fewest = Math.min(fewest, callsIn(log));
    });
  }
  return fewest;
}

/** Gives each trial a form of its documents, in turn. */
const inForms = (all) => all.map((trial, at) => ({ ...trial, form: formNames[at % formNames.length] }));

/** Runs the command over documents in a form. */
const run = (folder, input, form, options) =>
  dedupe(folder, input, 'out', { ...options, args: ['--checkpoint', '0', ...forms[form].args] });

const some = (all, most) => (all.length <= most ? all : all.filter((_, at) => (at * most) % all.length < most));

export async function faults({ kills, points, errors }) {
  let failures = 0;
  const killed = [];
  for (const documents of [SMALL, LARGE]) {
    for (let kill = 0, calls = await countCalls(documents); kill < calls; kill++) {
      killed.push({ documents, kill }, { documents, kill, half: true });
    }
  }
  failures += await trials(
    'kills at calls of the file system',
    inForms(some(killed, points)),
    ({ documents, form, ...settings }) =>
      inFolder(async (folder) => {
        const input = writeInput(folder, documents, form);
        const log = join(folder, 'log');
        const { code } = await run(folder, input, form, { settings: { ...settings, log } });
        // A run with fewer batches ends before the call.
        if (code === 0) assert.ok(callsIn(log) <= settings.kill, 'it was not killed');
        else assert.equal(code, 'SIGKILL');
        rmSync(log);
        await checkRecovery(folder, input, documents, form);
      }),
  );
  const calls = Array.from({ length: await countCalls(SMALL) }, (_, at) => at);
  const failing = calls.flatMap((fail) =>
    ['ENOSPC', 'EIO'].flatMap((code) => [
      { fail, code, half: true },
      { fail, code, forever: true },
    ]),
  );
  failures += await trials(
    'errors at calls of the file system',
    inForms(some(failing, errors)),
    ({ form, ...settings }) =>
      inFolder(async (folder) => {
        const input = writeInput(folder, SMALL, form);
        const { code, messages } = await run(folder, input, form, { settings });
        assert.ok(code === 0 || (code === 2 && /^nearprint: .*\n$/.test(messages)), `${code} ${messages}`);
        const output = contentOf(folder, 'out');
        assert.ok(settings.forever || output === '' || output.endsWith('\n'), 'the last line is torn');
        await checkRecovery(folder, input, SMALL, form);
      }),
  );
  const random = randomFrom(1);
  const times = inForms(Array.from({ length: kills }, () => ({ killAfter: Math.round(100 + 900 * random()) })));
  failures += await trials('kills at random times', times, ({ form, killAfter }) =>
    inFolder(async (folder) => {
      const input = writeInput(folder, LARGE, form);
      await run(folder, input, form, { killAfter });
      await checkRecovery(folder, input, LARGE, form);
    }),
  );
  return failures;
}
