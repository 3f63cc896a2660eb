import { MIN_BRIEF_RESEMBLANCE } from '../dedupe/decision-options.js';
import { isNearDuplicate, MIN_FEATURES, MIN_RESEMBLANCE } from '../index.js';
import { reason, UserError } from '../node/errors.js';
import { nameOf } from './chunks.js';
import type { Io } from './io.js';
import { UsageError, type Values } from './options.js';
import { Output } from './output.js';
import { sketcherOf } from './reading.js';
import { wholeText } from './whole-text.js';

/** Formats a share in percent, rounded down: 99.96 % is not all. */
const toPercent = (share: number): number => Math.floor(1000 * share + 1e-9) / 10;

/** Returns what is compared, in words. */
function nameOfFeatures({ features }: Values): string {
  if (features === undefined) return 'word pairs';
  return 'words' in features ? `runs of ${features.words} words` : `runs of ${features.chars} characters`;
}

export async function compareCommand(values: Values, io: Io): Promise<void> {
  const { files } = values;
  if (files.length !== 2) throw new UsageError(`compare needs two files, got ${files.length}`);
  const { 'min-resemblance': minResemblance = MIN_RESEMBLANCE } = values;
  const sketcher = sketcherOf(values);
  if (files.every((path) => path === '-')) throw new UsageError('compare needs two files, got standard input twice');
  const sides = [];
  for (const path of files) {
    let text = '';
    try {
      text = await wholeText(path, values, io);
    } catch (error) {
      if (error instanceof UserError) throw error;
      if (!io.signal.aborted) throw new UserError(`${nameOf(path)}: ${reason(error)}`);
    }
    if (io.signal.aborted) return;
    sides.push({ path, text, sketch: sketcher.sketch(text) });
  }
  const [a, b] = sides;
  const compared = sketcher.compare(a.text, b.text);
  const { exactResemblance, containment, resemblance: estimate } = compared;
  const isNear = isNearDuplicate(a.sketch, b.sketch, { minResemblance, resemblance: exactResemblance });
  const isBrief = a.sketch.hasFewFeatures || b.sketch.hasFewFeatures;
  const needed = isBrief ? Math.max(minResemblance, MIN_BRIEF_RESEMBLANCE) : minResemblance;
  const shared = `the texts share ${toPercent(exactResemblance)} % of their ${nameOfFeatures(values)}`;
  const rule = `near-duplicates share at least ${toPercent(needed)} %`;
  // For a short text, which may have no word pairs.
  const differ = a.sketch.isBlank || b.sketch.isBlank ? 'a text without words matches nothing' : 'the words differ';
  const words = isNear ? 'the texts have the same words' : `${differ}; a short text needs the same words`;
  const isShort = a.sketch.isShort || b.sketch.isShort;
  const rows = [
    `${isNear ? 'near-duplicates' : 'different'}: ${isShort ? words : `${shared}; ${rule}`}`,
    `resemblance ${exactResemblance.toFixed(4)} (exact), ${estimate.toFixed(4)} (estimated)`,
    `containment ${containment.a.toFixed(4)} of A in B, ${containment.b.toFixed(4)} of B in A`,
  ];
  await Output.stdout.write(`${rows.join('\n')}\n`);
  for (const { path, sketch, own } of [
    { ...a, own: compared.onlyA },
    { ...b, own: compared.onlyB },
  ]) {
    if (!sketch.isShort) continue;
    const count = compared.shared.length + own.length;
    io.note(
      `${path} is short (different features: ${count}, fewer than ${MIN_FEATURES}): only the same words match it`,
    );
  }
  if (!isNear) io.exitCode = 1;
}
