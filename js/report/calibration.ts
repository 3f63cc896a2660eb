// Writes the result of a calibration as one HTML file.
import type { CalibratedDocument, Calibration, Interval, ThresholdFigures } from '../calibrate/calibrate.js';
import { html, type Markup } from './markup.js';
import { type Language, type Messages, messages } from './messages.js';
import { explain, featureKindOf, Numbers, pageHtml, section, table, threshold } from './page.js';
import { PairWriter } from './pairs.js';

export interface CalibrationReport {
  calibration: Calibration;
  /** The maximum number of pairs of a interval. */
  pairs: number;
  /** The names of the files. */
  names: readonly string[];
  /** The number of different features below which a text is short. */
  few: number;
  /** Returns the name of a document of a pair. */
  nameOf(document: CalibratedDocument): string;
}

export function calibrationHtml(report: CalibrationReport, language: Language = 'en'): string {
  const t: Messages = messages[language];
  const numbers = new Numbers(t);
  const writer = new PairWriter(t);
  const { calibration, names, few, nameOf } = report;
  const { labels, best } = calibration;

  function summary(): Markup {
    const { scheme, documents, sampled, short, equal, tooLong } = calibration;
    const isSample = sampled + tooLong < documents;
    return html`<h1>nearprint · ${t.calibration}</h1>
<p class="verdict">${best === null ? t.choose : t.best({ threshold: threshold(best) })}</p>
<p class="explain">${names.length > 0 && t.source({ names: names.join(', ') })}
${isSample ? t.sampled(numbers.all({ sampled, documents })) : t.sampledAll(numbers.all({ documents }))}
${t.unit(featureKindOf(scheme))} ${short > 0 && t.short(numbers.all({ count: short, few }))}
${equal > 0 && t.equalDocuments(numbers.all({ count: equal }))} ${tooLong > 0 && t.tooLong(numbers.all({ count: tooLong }))}</p>
`;
  }

  const labelCells = ({ labels }: ThresholdFigures) =>
    labels &&
    [labels.precision, labels.recall, labels.f1].map(
      (share) => html`<td>${share === null ? '–' : numbers.percent(share, 1)}</td>`,
    );

  function rowOf(row: ThresholdFigures): Markup {
    const { minResemblance, documents, share, found } = row;
    const [long, short] = [found.long, found.short].map((share) => numbers.percent(Math.round(100 * share) / 100));
    return html`<tr${minResemblance === best && html` class="best"`}><th scope="row">${threshold(minResemblance)}</th>
<td>${numbers.whole(documents)}</td><td>${numbers.percent(share, 1)}</td><td>${t.found({ long, short })}</td>${labelCells(row)}</tr>
`;
  }

  function figures(): Markup {
    const columns = [t.thresholdColumn, t.documentsColumn, t.reachedColumn, t.foundColumn];
    if (labels !== null) columns.push(t.precisionColumn, t.recallColumn, t.f1Column);
    const head = columns.map((name) => html`<th scope="col">${name}</th>`);
    return html`${explain([t.reached, ' ', t.foundNote, ' ', labels !== null && labelsNote(labels)])}
${table(t.calibration, head, calibration.thresholds.map(rowOf))}`;
  }

  function labelsNote({ same, different, contradictory, missing, ambiguous }: NonNullable<Calibration['labels']>) {
    const count = contradictory + missing + ambiguous;
    return [t.labelsNote(numbers.all({ same, different })), ' ', count > 0 && t.labelsLeftOut(numbers.all({ count }))];
  }

  function intervalOf({ from, to, documents, pairs }: Interval): Markup {
    const count = t.intervalCount({ count: numbers.whole(documents), n: documents });
    const list = pairs.map(({ earlier, later, resemblance }) =>
      writer.write({
        first: { name: nameOf(earlier), text: earlier.text, role: t.earlierText },
        second: { name: nameOf(later), text: later.text, role: t.laterText },
        resemblance,
      }),
    );
    const isAllEqual = documents > 0 && pairs.length === 0;
    return section(t.intervalTitle({ from: threshold(from), to: threshold(to) }), [
      explain([documents === 0 ? t.none : count, ' ', isAllEqual && t.allEqual]),
      list,
    ]);
  }

  const body = [summary(), figures(), calibration.intervals.map(intervalOf)];
  return pageHtml(t, body, t.calibrationFooter(numbers.all({ pairs: report.pairs })));
}
