import {
  type Calibration,
  type CalibrationProgress,
  defaults,
  calibrate as measure,
  type ThresholdFigures,
} from '../calibrate/calibrate.js';
import type { Figure, Figures } from '../calibrate/figures.js';
import type { Label } from '../calibrate/labels.js';
import { count, countOf, jsonLine, oneLine, shorten, UserError } from '../node/errors.js';
import { NONE } from '../report/select.js';
import { checkFiles } from './files.js';
import { findInputs, readOption } from './inputs.js';
import type { Io } from './io.js';
import { checkCombination, fingerprinterOf, readingOf, UsageError, type Values } from './options.js';
import { Output } from './output.js';
import { readRecords } from './reader.js';
import { createReport } from './report-file.js';

/** Reads labels: two ids and, optionally, `same` or `different`, separated by tabs. */
async function readLabels(path: string | undefined, io: Io): Promise<Label[]> {
  if (path === undefined) return [];
  const text = await readOption(path, '--labels', io);
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

function tableOf(columns: readonly (readonly string[])[]): string {
  const padded = columns.map((column) => {
    const width = Math.max(...column.map(({ length }) => length));
    return column.map((cell) => cell.padStart(width));
  });
  return padded[0].map((_, at) => `${padded.map((column) => column[at]).join('   ')}\n`).join('');
}

const format = ({ count: number, low, high }: Figure): string =>
  `${count(number)} (${count(Math.floor(low))}-${count(Math.ceil(high))})`;

/** Returns the tables of a result: for its sample, and for the expected documents if their number differs. */
function tables({ thresholds, recommended, sampled, expected, labels }: Calibration): string {
  const mark = (minResemblance: number) => `${minResemblance === recommended ? '*' : ' '} ${minResemblance.toFixed(2)}`;
  const column = (title: string, cell: (row: ThresholdFigures) => string) => [title, ...thresholds.map(cell)];
  const figures = (size: number, figuresOf: (row: ThresholdFigures) => Figures) => [
    column('threshold', ({ minResemblance }) => mark(minResemblance)),
    column(`dropped of ${count(size)}`, (row) => format(figuresOf(row).dropped)),
    column(`wrong drops of ${count(size)}`, (row) => format(figuresOf(row).wrong)),
    column(`left of ${count(size)}`, (row) => format(figuresOf(row).left)),
  ];
  const measured = figures(sampled, (row) => row);
  if (labels !== null) {
    measured.push(column('labels: wrong', (row) => count(row.labels?.wrong.count ?? 0)));
    measured.push(column('left', (row) => count(row.labels?.left.count ?? 0)));
  }
  const all = expected === sampled ? [measured] : [measured, figures(expected, (row) => row.expected)];
  return all.map(tableOf).join('\n');
}

/** A family with fewer dropped documents says little about templates. */
const MIN_FAMILY = 3;

/** Returns sentences about the largest family: only a person knows whether it is one of a template. */
function templateAdvice({ largestFamily: family, labels, recommended }: Calibration): string {
  if (labels !== null || family === null || family.dropped < MIN_FAMILY) return '';
  const [kept, example] = [family.kept, family.example].map(({ id }) => shorten(oneLine(String(id))));
  return [
    '',
    'Without labels, pages of one template count as near-duplicates, whatever they say. The largest family here: at',
    `${recommended}, ${count(family.dropped)} documents with other words are dropped for ${kept},`,
    `one of them ${example} (exact resemblance ${family.example.exact.toFixed(2)}).`,
    'If they should not be one, --labels with such pairs finds a threshold, and dedupe --scope-field keeps documents apart',
    'that differ in a field.',
    '',
  ].join('\n');
}

/** Returns the recommendation and how it was found, in sentences. */
function explanation(result: Calibration): string {
  const { documents, sampled, short, tooLong, same, different, cost, recommended, expected, labels, unsure } = result;
  const { defaultThreshold } = result;
  const isDefault = defaultThreshold === recommended;
  const byLabels = isDefault ? 'no other one costs less' : `the default of ${defaultThreshold} costs more`;
  const byTexts = isDefault
    ? `no other threshold makes clearly fewer mistakes here`
    : `the default of ${defaultThreshold} makes clearly more mistakes here`;
  const hasVerdicts = labels !== null && labels.same + labels.different > 0;
  const others = `${isDefault ? 'the default: ' : 'since '}${hasVerdicts ? `${byLabels} by your labels` : byTexts}`;
  const lines = [
    `--min-resemblance ${recommended}, ${others}`,
    '',
    `Measured on ${sampled === documents ? 'all' : `a random sample of ${count(sampled)} of`} ${countOf(documents, 'document')}, ` +
      `${count(short)} of them short (they match only texts with the same words).`,
    `Wrong drops: dropped, but the exact resemblance to every kept document is below ${different}.`,
    `Left: kept, but the exact resemblance to an earlier kept document is at least ${same}.`,
    `A wrong drop counts as ${cost} near-duplicates left. In brackets: the range with a confidence of 95 %.`,
  ];
  if (expected !== sampled) {
    lines.push(
      `The figures for ${count(expected)} documents are extrapolated. How mistakes grow differs by collection, so the ranges ` +
        'are wide. If documents have only one or two copies each, most copies are outside of the sample, and ' +
        'more may be dropped than the range says. To check, raise --sample, or run dedupe --count on all documents.',
    );
  }
  if (tooLong > 0) lines.push(`${count(tooLong)} texts of more than 4 million characters are left out.`);
  if (unsure > 0) lines.push(`Documents with too many candidates to compare with all of them: ${count(unsure)}.`);
  if (labels !== null) {
    lines.push(
      `Your labels: ${count(labels.same)} the same, ${count(labels.different)} different` +
        `${labels.missing > 0 ? `; ${count(labels.missing)} name a document that is not in the input` : ''}.`,
    );
  }
  return lines.join('\n');
}

export async function calibrate(values: Values, io: Io): Promise<void> {
  const reading = readingOf(values);
  const scheme = fingerprinterOf(values).id;
  const { expect, sample, same = defaults.same, different = defaults.different, labels: labelsPath } = values;
  checkCombination(values);
  if (different > same) throw new UsageError(`--different must be at most --same (${same}), got ${different}`);
  const inputs = await findInputs(values, io);
  checkFiles(inputs, values, { read: labelsPath === undefined ? [] : [labelsPath] });
  const labels = await readLabels(labelsPath, io);
  const report = createReport(inputs, values, reading, scheme);
  let isEmpty = true;
  async function* documents() {
    for await (const record of readRecords(report?.inputs ?? inputs, reading, io)) {
      report?.add(record);
      isEmpty = false;
      yield { id: record.name, text: record.text, scope: record.scope };
    }
  }
  try {
    const progress = ({ stage, share }: CalibrationProgress) => {
      io.signal.throwIfAborted();
      if (share !== null) io.progress.update(`${stage}  ${Math.floor(100 * share)}%  ${io.progress.elapsed}`);
    };
    const { key } = reading;
    const result = await measure(documents(), { scheme, key, same, different, labels, progress, sample, expect });
    const { sample: examined, ...figures } = result;
    await Output.stdout.write(
      values.json ? jsonLine(figures) : `${tables(result)}\n${explanation(result)}\n${templateAdvice(result)}`,
    );
    if (report !== undefined) {
      const places = new Map(examined.map(({ at }, place) => [at, place]));
      const decisions = {
        nearest: examined.map(({ nearest }) => (nearest === null ? NONE : (places.get(nearest) as number))),
        resemblances: examined.map(({ resemblance }) => resemblance),
        isDropped: examined.map(({ isDropped }) => Number(isDropped)),
      };
      const { recommended: minResemblance, short } = result;
      const exact = (at: number) => examined[at].exact;
      const positions = examined.map(({ at }) => at);
      await report.write({ minResemblance, short, calibration: result, exact }, decisions, positions);
    }
    io.note(`${countOf(result.documents, 'document')}; ${io.progress.elapsed}`);
  } catch (error) {
    if (io.signal.aborted) return;
    throw isEmpty && !(error instanceof UserError) ? new UserError('there are no documents') : error;
  } finally {
    report?.close();
    io.reportRejected();
  }
}
