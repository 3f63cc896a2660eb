// The command calibrate.
import { readFileSync } from 'node:fs';
import { defaults, calibrate as measure } from '../calibrate/calibrate.js';
import { UserError } from '../node/user-error.js';
import { NONE } from '../report/select.js';
import { checkFiles } from './dedupe.js';
import { reason } from './errors.js';
import { Output } from './output.js';
import { lineReader, ReportFile } from './report-file.js';
import { ByResemblance } from './rules.js';

const count = (number) => Math.round(number).toLocaleString('en');

/** Reads labels: two ids and, optionally, `same` or `different`, separated by tabs. */
function readLabels(path) {
  if (path === undefined) return [];
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`--labels ${path}: ${reason(error)}`);
  }
  return text.split('\n').flatMap((row, at) => {
    if (row.trim() === '' || row.startsWith('#')) return [];
    const [a, b, verdict = 'same', ...rest] = row.replace(/\r$/, '').split('\t');
    if (!b || a === b || rest.length > 0 || !['same', 'different'].includes(verdict)) {
      throw new UserError(
        `--labels ${path}:${at + 1}: a line has two different ids and "same" or "different", separated by tabs`,
      );
    }
    return [{ a, b, same: verdict === 'same' }];
  });
}

/** The table of a result, with a mark at the recommended threshold. */
function table({ thresholds, sampled, expected, recommended, labels }) {
  const figure = ({ count: number, low, high }) =>
    `${count(number)} (${count(Math.floor(low))}-${count(Math.ceil(high))})`;
  const names = ['dropped', 'wrong drops', 'left'];
  const isLarger = expected !== sampled;
  const head = [
    'threshold',
    ...names.map((name) => `${name} of ${count(sampled)}`),
    ...(isLarger ? names.map(() => `of ${count(expected)}`) : []),
    ...(labels === null ? [] : ['labels: wrong', 'left']),
  ];
  const figures = ({ dropped, wrong, left }) => [dropped, wrong, left].map(figure);
  const rows = thresholds.map((row) => [
    `${row.minResemblance === recommended ? '*' : ' '} ${row.minResemblance.toFixed(2)}`,
    ...figures(row),
    ...(isLarger ? figures(row.expected) : []),
    ...(labels === null ? [] : [row.labels.wrong, row.labels.left].map((one) => count(one.count))),
  ]);
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at].length)));
  return [head, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padStart(widths[at]))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** The recommendation and how it was found, in sentences. */
function explanation(result) {
  const { documents, sampled, short, tooLong, same, different, cost, usual, recommended, expected, labels, unsure } =
    result;
  const others =
    usual === recommended
      ? `the default: no other threshold makes fewer mistakes here by more than chance`
      : `since the default of ${usual} makes more mistakes here`;
  const lines = [
    `--min-resemblance ${recommended}, ${others}`,
    '',
    `Measured on ${sampled === documents ? 'all' : `a random sample of ${count(sampled)} of`} ${count(documents)} documents, ` +
      `${count(short)} of them short (they match only texts of equal words).`,
    `Wrong drops: dropped, but the exact resemblance to every kept document is below ${different}.`,
    `Left: kept, but the exact resemblance to an earlier kept document is at least ${same}.`,
    `A wrong drop counts as ${cost} near-duplicates left. In brackets: the range with a confidence of 95 %.`,
  ];
  if (expected !== sampled) {
    lines.push(
      `The figures for ${count(expected)} documents are extrapolated: how they grow differs between collections.`,
    );
  }
  if (tooLong > 0) lines.push(`${count(tooLong)} texts of more than 4 million characters are left out.`);
  if (unsure > 0) lines.push(`Of ${count(unsure)} documents not every candidate was compared: they have too many.`);
  if (labels !== null) {
    lines.push(
      `Your labels: ${count(labels.same)} pairs are the same, ${count(labels.different)} different` +
        `${labels.missing > 0 ? `; ${count(labels.missing)} name a document that is not in the input` : ''}.`,
    );
  }
  return lines.join('\n');
}

export async function calibrate(files, options, io) {
  checkFiles(files, { '--report-html': options.reportHtml });
  const labels = readLabels(options.labels);
  const { sample, expect, same = defaults.same, different = defaults.different, json, reading } = options;
  if (different > same) throw new UserError(`--different takes a number up to --same (${same}), but got ${different}`);
  const { id: scheme } = options.fingerprinter();
  const report = await ReportFile.create(options);
  const read = await lineReader(reading);
  let isEmpty = true;
  async function* documents() {
    for await (const { name, bytes, documents } of io.batches(files, {
      scheme,
      summary: ByResemblance.summary,
      ...reading,
    })) {
      for (const document of documents) {
        document.bytes = bytes.subarray(document.start, document.end);
        report?.lines.add(document, name);
        isEmpty = false;
        yield { id: document.id, text: read(document.bytes).text() };
      }
    }
  }
  try {
    const progress = ({ stage, share }) => {
      io.signal.throwIfAborted();
      if (stage !== 'reading') io.progress.update(`${stage}  ${Math.floor(100 * share)}%  ${io.progress.elapsed}`);
    };
    const result = await measure(documents(), { scheme, sample, expect, same, different, labels, progress });
    const { sample: examined, ...shown } = result;
    await Output.stdout.write(json ? `${JSON.stringify(shown)}\n` : `${table(result)}\n${explanation(result)}\n`);
    if (report !== null) await writeReport(report, result, files);
    io.note(`${count(result.documents)} documents; ${io.progress.elapsed}`);
  } catch (error) {
    if (io.signal.aborted) return;
    throw isEmpty ? new UserError('there are no documents') : error;
  } finally {
    report?.close();
  }
}

async function writeReport(report, calibration, files) {
  const { scheme, sample, recommended, short } = calibration;
  const places = new Map(sample.map(({ at }, place) => [at, place]));
  const decisions = {
    nearest: sample.map(({ nearest }) => (nearest === null ? NONE : places.get(nearest))),
    resemblances: sample.map(({ resemblance }) => resemblance),
    isDropped: sample.map(({ isDropped }) => Number(isDropped)),
  };
  const exact = (at) => sample[at].exact;
  const positions = sample.map(({ at }) => at);
  await report.write(decisions, positions, files, { scheme, minResemblance: recommended, short, calibration, exact });
}
