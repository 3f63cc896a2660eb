// The command calibrate.
import { readFileSync } from 'node:fs';
import { defaults, calibrate as measure } from '../calibrate/calibrate.js';
import { UserError } from '../node/user-error.js';
import { NONE } from '../report/select.js';
import { checkFiles } from './dedupe.js';
import { reason } from './errors.js';
import { Output } from './output.js';
import { count } from './progress.js';
import { lineReader, ReportFile } from './report-file.js';
import { ByResemblance } from './rules.js';

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

/** The columns of figures of `size` documents. `figuresOf` returns those of a row. */
function columns(size, figuresOf) {
  const shown = ({ count: number, low, high }) =>
    `${count(number)} (${count(Math.floor(low))}-${count(Math.ceil(high))})`;
  const names = { dropped: 'dropped', wrong: 'wrong drops', left: 'left' };
  return Object.entries(names).map(([name, title]) => ({
    title: `${title} of ${count(size)}`,
    cell: (row) => shown(figuresOf(row)[name]),
  }));
}

/** The thresholds with columns of figures, as text. The recommended one has a mark. */
function table({ thresholds, recommended }, columns) {
  const name = ({ minResemblance }) => `${minResemblance === recommended ? '*' : ' '} ${minResemblance.toFixed(2)}`;
  const rows = [
    ['threshold', ...columns.map(({ title }) => title)],
    ...thresholds.map((row) => [name(row), ...columns.map(({ cell }) => cell(row))]),
  ];
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  return rows.map((row) => `${row.map((cell, at) => cell.padStart(widths[at])).join('   ')}\n`).join('');
}

/** The tables of a result: of its documents, and of those that are expected if that is another number. */
function tables(result) {
  const { sampled, expected, labels } = result;
  const ofLabels = [
    { title: 'labels: wrong', cell: (row) => count(row.labels.wrong.count) },
    { title: 'left', cell: (row) => count(row.labels.left.count) },
  ];
  const measured = [...columns(sampled, (row) => row), ...(labels === null ? [] : ofLabels)];
  const all = [measured, ...(expected === sampled ? [] : [columns(expected, (row) => row.expected)])];
  return all.map((each) => table(result, each)).join('\n');
}

/** The recommendation and how it was found, in sentences. */
function explanation(result) {
  const { documents, sampled, short, tooLong, same, different, cost, usual, recommended, expected, labels, unsure } =
    result;
  const others =
    usual === recommended
      ? `the default: no other threshold makes clearly fewer mistakes here`
      : `since the default of ${usual} makes clearly more mistakes here`;
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
  const report = await ReportFile.create(files, options);
  const read = await lineReader(reading);
  let isEmpty = true;
  async function* documents() {
    for await (const { documents } of io.batches(files, { scheme, summary: ByResemblance.summary, ...reading })) {
      for (const document of documents) {
        report?.lines.add(document);
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
    await Output.stdout.write(json ? `${JSON.stringify(shown)}\n` : `${tables(result)}\n${explanation(result)}\n`);
    if (report !== null) await writeReport(report, result);
    io.note(`${count(result.documents)} documents; ${io.progress.elapsed}`);
  } catch (error) {
    if (io.signal.aborted) return;
    throw isEmpty ? new UserError('there are no documents') : error;
  } finally {
    report?.close();
  }
}

async function writeReport(report, calibration) {
  const { scheme, sample, recommended, short } = calibration;
  const places = new Map(sample.map(({ at }, place) => [at, place]));
  const decisions = {
    nearest: sample.map(({ nearest }) => (nearest === null ? NONE : places.get(nearest))),
    resemblances: sample.map(({ resemblance }) => resemblance),
    isDropped: sample.map(({ isDropped }) => Number(isDropped)),
  };
  const exact = (at) => sample[at].exact;
  const positions = sample.map(({ at }) => at);
  await report.write(decisions, positions, { scheme, minResemblance: recommended, short, calibration, exact });
}
