import {
  type CalibratedDocument,
  type CalibratedPair,
  type Calibration,
  type CalibrationInput,
  type CalibrationProgress,
  type Interval,
  calibrate as measure,
  type ThresholdFigures,
} from '../calibrate/calibrate.js';
import { type FoundShare, foundShare } from '../calibrate/found.js';
import type { Label } from '../calibrate/labels.js';
import { MIN_RESEMBLANCE } from '../index.js';
import { count, countOf, jsonLine, oneLine, reason, shorten, UserError } from '../node/errors.js';
import { checkFiles } from './check-files.js';
import { findInputs } from './find-inputs.js';
import type { Io } from './io.js';
import type { Values } from './options.js';
import { Output } from './output.js';
import { wordDiff } from './pair-text.js';
import { readRecords } from './reader.js';
import { readingOf, sketcherOf } from './reading.js';
import { unreadParts } from './tally.js';
import { contentOf } from './whole-text.js';

/** The maximum number of pairs of an interval with --json; the first and the last of them are printed without it. */
const MAX_PAIRS = 10;

/** Reads labels: two ids and, optionally, `same` or `different`, separated by tabs. */
async function readLabels(path: string | undefined, io: Io): Promise<Label[]> {
  if (path === undefined) return [];
  const text = await contentOf(path, io, { isPage: false }).catch((error) => {
    throw new UserError(`--labels ${path}: ${reason(error)}`);
  });
  return text.split('\n').flatMap((row, at) => {
    if (row.trim() === '' || row.startsWith('#')) return [];
    const [a, b, verdict = 'same', ...rest] = row.replace(/\r$/, '').split('\t');
    if (!b || a === b || rest.length > 0 || !['same', 'different'].includes(verdict)) {
      throw new UserError(
        `--labels ${path}:${at + 1}: a line has two different ids [and "same" or "different"], tab-separated`,
      );
    }
    return [{ a, b, same: verdict === 'same' }];
  });
}

/** Formats a number, rounded down: no share below a threshold reads like the threshold, and 99.96 % is not all. */
const roundedDown = (number: number, digits: number): string =>
  (Math.floor(number * 10 ** digits + 1e-9) / 10 ** digits).toFixed(digits);

/** Returns the id of a document, and its place if that is not its id. */
function nameOf({ id, place = '' }: CalibratedDocument): string {
  const name = shorten(String(id));
  return place === '' || place === String(id) ? name : `${name} (${shorten(place)})`;
}

const foundText = ({ long, short }: FoundShare): string => `${Math.round(100 * long)}-${Math.round(100 * short)} %`;

/** Returns the figures of each threshold, in aligned columns. */
function tableOf({ thresholds, labels }: Calibration): string {
  const rows = thresholds.map(({ minResemblance, documents, share, found, labels }: ThresholdFigures) => {
    const ofLabels = [labels?.precision, labels?.recall].map((share) =>
      typeof share === 'number' ? roundedDown(share, 3) : '-',
    );
    return [
      minResemblance.toFixed(2),
      count(documents),
      `${roundedDown(100 * share, 1)} %`,
      foundText(found),
      ...(labels ? ofLabels : []),
    ];
  });
  const titles = ['threshold', 'documents', 'share', 'compared', ...(labels ? ['precision', 'recall'] : [])];
  const all = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) => `${row.map((cell, column) => cell.padStart(widths[column])).join('   ')}\n`).join('');
}

/** Returns sentences about the figures. */
function explanation({ documents, sampled, short, equal, tooLong, labels }: Calibration): string {
  const isSample = sampled + tooLong < documents;
  const lines = [
    'documents: those whose most similar earlier document reaches the threshold, by the exact resemblance of the texts.',
    'compared: the probability that two texts of exactly this resemblance share a key, so that calibrate and dedupe compare them:',
    `  the first number in texts of a thousand words or more, the second in texts of some 30 words. At ${MIN_RESEMBLANCE}: ${foundText(foundShare(MIN_RESEMBLANCE))}.`,
    '',
    `Measured on ${isSample ? `a random sample of ${count(sampled)} of` : 'all'} ${countOf(documents, 'document')}. ` +
      `Short (only equal texts match them): ${count(short)}. Equal to an earlier one: ${count(equal)}.`,
  ];
  if (isSample)
    lines.push('In all documents, more have a near-duplicate: most partners of a document are outside of the sample.');
  if (tooLong > 0) lines.push(`Texts of more than 4 million characters, which are left out: ${count(tooLong)}.`);
  if (labels === null) return `${lines.join('\n')}\n`;
  const { same, different, contradictory, missing, ambiguous } = labels;
  const leftOut = [
    [contradictory, 'contradict each other'],
    [missing, 'name an id that no document has'],
    [ambiguous, 'name an id that several documents have'],
  ] as const;
  const others = leftOut.flatMap(([pairs, why]) => (pairs > 0 ? [`; ${count(pairs)} left out, which ${why}`] : []));
  lines.push(`Your labels: ${countOf(same, 'pair')} the same, ${count(different)} different${others.join('')}.`);
  return `${lines.join('\n')}\n`;
}

/** Returns the intervals, each with its first and its last pair. */
function intervalsText(intervals: readonly Interval[]): string {
  let text = '';
  for (const { from, to, documents, pairs } of intervals) {
    const shown = pairs.length > 1 ? [pairs[0], pairs[pairs.length - 1]] : pairs;
    const allEqual = documents > 0 && pairs.length === 0 ? ', each equal to an earlier one' : '';
    text += `${from.toFixed(2)} to ${to.toFixed(2)}: ${countOf(documents, 'document')}${allEqual}\n`;
    text += shown.map((pair) => `\n${pairText(pair)}\n`).join('');
    if (shown.length > 0) text += '\n';
  }
  return text;
}

function pairText({ earlier, later, resemblance }: CalibratedPair): string {
  const names = oneLine(`${nameOf(later)}  after  ${nameOf(earlier)}`);
  return `  ${roundedDown(resemblance, 2)}  ${names}\n        ${wordDiff(earlier.text, later.text)}`;
}

/** Returns the result without the texts. */
function figuresJson({ intervals, ...figures }: Calibration) {
  const withoutText = ({ text: _, ...document }: CalibratedDocument) => document;
  const pairsOf = ({ pairs }: Interval) =>
    pairs.map(({ earlier, later, resemblance }) => ({
      earlier: withoutText(earlier),
      later: withoutText(later),
      resemblance,
    }));
  return { ...figures, intervals: intervals.map((interval) => ({ ...interval, pairs: pairsOf(interval) })) };
}

export async function calibrateCommand(values: Values, io: Io): Promise<void> {
  const reading = readingOf(values);
  const scheme = sketcherOf(values).id;
  const { sample, labels: labelsPath, json } = values;
  const inputs = await findInputs(values, io);
  checkFiles(inputs, values, { read: labelsPath === undefined ? [] : [labelsPath] });
  const labels = await readLabels(labelsPath, io);
  async function* documents(): AsyncGenerator<CalibrationInput> {
    for await (const { name, text, scope, place } of readRecords(inputs, reading, io))
      yield { id: name, text, scope, place };
  }
  const progress = ({ stage, share }: CalibrationProgress) => {
    io.signal.throwIfAborted();
    if (stage === 'reading' || share === null) return;
    io.progress.update(`comparing  ${Math.floor(100 * share)}%  ${io.progress.elapsed}`);
  };
  try {
    const result = await measure(documents(), { scheme, key: reading.key, sample, pairs: MAX_PAIRS, labels, progress });
    if (io.signal.aborted) return;
    if (result.sampled < 2) throw new UserError(`calibrate needs at least two documents, got ${result.sampled}`);
    const text = () => `${tableOf(result)}\n${explanation(result)}\n${intervalsText(result.intervals)}`;
    await Output.stdout.write(json ? jsonLine(figuresJson(result)) : text());
    io.note([countOf(result.documents, 'document'), ...unreadParts(io), io.progress.elapsed].join('; '));
    for (const warning of io.pathWarnings()) io.note(warning);
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    io.reportRejected();
  }
}
