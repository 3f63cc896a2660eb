// The command compare.
import { MIN_RESEMBLANCE } from '../core/decision-options.js';
import { cosine, distance, isNearDuplicate, MIN_BRIEF_RESEMBLANCE, MIN_FEATURES, similarity, toHex } from '../index.js';
import { textReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { contents, nameOf } from './chunks.js';
import { escapeName, reason } from './errors.js';
import type { Io } from './io.js';
import { fingerprinterOf, UsageError, type Values } from './options.js';
import { Output } from './output.js';

/** Formats a share in percent, rounded down: 99.96 % is not all. */
const toPercent = (share: number): number => Math.floor(1000 * share + 1e-9) / 10;

export async function compare(values: Values, io: Io): Promise<void> {
  const { files } = values;
  if (files.length !== 2) throw new UsageError(`compare needs two files, got ${files.length}`);
  const { 'min-resemblance': minResemblance = MIN_RESEMBLANCE } = values;
  const fingerprinter = fingerprinterOf(values);
  const { bits } = fingerprinter;
  const readText = await textReader(values.html ?? false);
  const sides = [];
  for (const path of files) {
    let text: string;
    try {
      const bytes = await contents(path, io);
      if (io.signal.aborted) return;
      text = readText(bytes.toString());
    } catch (error) {
      throw new UserError(`${nameOf(path)}: ${reason(error)}`);
    }
    sides.push({ path, text, fingerprint: fingerprinter.fingerprint(text), sketch: fingerprinter.sketch(text) });
  }
  const [a, b] = sides;
  const { exactResemblance, containment } = fingerprinter.resemblances(a.text, b.text);
  const isNear = isNearDuplicate(a.sketch, b.sketch, { minResemblance, resemblance: exactResemblance });
  const isBrief = a.sketch.hasFewFeatures || b.sketch.hasFewFeatures;
  const needed = isBrief ? Math.max(minResemblance, MIN_BRIEF_RESEMBLANCE) : minResemblance;
  const shared = `the texts share ${toPercent(exactResemblance)} % of their word pairs`;
  const rule = `near-duplicates share at least ${toPercent(needed)} %`;
  const rows = [
    `${isNear ? 'near-duplicates' : 'different'}: ${shared}; ${rule}`,
    `resemblance ${exactResemblance.toFixed(4)} (exact), ${a.sketch.resemblance(b.sketch).toFixed(4)} (estimated)`,
    `containment ${containment.a.toFixed(4)} of A in B, ${containment.b.toFixed(4)} of B in A`,
    `distance    ${distance(a.fingerprint, b.fingerprint)}`,
    `similarity  ${similarity(a.fingerprint, b.fingerprint, bits).toFixed(4)}`,
    `cosine      ${cosine(a.fingerprint, b.fingerprint, bits).toFixed(4)}`,
    ...sides.map(({ path, fingerprint }) => `${toHex(fingerprint, bits)}  ${escapeName(path)}`),
  ];
  await Output.stdout.write(`${rows.join('\n')}\n`);
  for (const { path, text, sketch } of sides) {
    if (!sketch.isShort) continue;
    io.note(
      `${path} is short: it has ${fingerprinter.features(text).length} different features; a text of fewer than ${MIN_FEATURES} is a ` +
        'near-duplicate only of a text with the same words',
    );
  }
  if (!isNear) io.exitCode = 1;
}
