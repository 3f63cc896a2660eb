// Writes a report as one HTML file without scripts and without resources to load. The command line and the page share it.
import type { Calibration, ThresholdFigures } from '../calibrate/calibrate.js';
import type { Figures } from '../calibrate/figures.js';
import { type Content, html, type Markup } from './markup.js';
import { type FeatureKind, type Language, type Messages, messages } from './messages.js';
import { type Group, MAX_SHOWN, type Pair, type Selection } from './select.js';
import { style, styleHash } from './style.js';
import { type DiffLimits, diff, type Run } from './text-diff.js';

export interface ReportText {
  name: string;
  text: string;
}

export interface ReportData extends Selection {
  scheme: string;
  minResemblance: number;
  /** The documents of `wanted`, by their positions. */
  texts: ReadonlyMap<number, ReportText>;
  names?: readonly string[];
  short: number;
  /** The number of different features below which a text is short. */
  few: number;
  calibration?: Calibration;
  /** Returns the exact resemblance of a document to its nearest kept one. */
  exact?(at: number): number;
}

const MAX_COMPARED = 20_000;
/** The number of characters of pairs, as HTML, after which a report compares no more pairs. */
const MAX_PAIRS_LENGTH = 6_000_000;
/** The limits of a comparison: a pair of very different texts is not worth more time. Without a clock, reports repeat. */
const limits: DiffLimits = { maxEditLength: 1500 };
const CONTEXT = 160;
const EXCERPT = 160;

const policy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`;

function featureKindOf(scheme: string): FeatureKind {
  const [, unit, size] = /:(words|chars)(\d+)/.exec(scheme) ?? [];
  if (unit === undefined) return { kind: 'grams', size: 1 };
  return { kind: unit === 'words' ? 'words' : 'characters', size: Number(size) };
}

/** Formats a threshold as the options accept it. */
const threshold = (value: number): string => value.toFixed(2);

const section = (title: string, content: Content): Markup => html`<section>
<h2>${title}</h2>
${content}</section>
`;

const table = (label: string, head: Content, rows: Content, caption?: Markup): Markup =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
${caption}<thead><tr>${head}</tr></thead>
<tbody>
${rows}</tbody></table></div>
`;

const explain = (content: Content): Markup => html`<p class="explain">${content}</p>
`;

export function reportHtml(data: ReportData, language: Language = 'en'): string {
  const t: Messages = messages[language];
  let pairsLength = 0;

  const number = (value: number): string => value.toLocaleString(t.lang, { maximumFractionDigits: 0 });

  /** Formats a share, rounded down, so that no share below the threshold reads like the threshold. */
  function percent(share: number, digits = 0): string {
    const rounded = Math.floor(share * 100 * 10 ** digits + 1e-9) / (100 * 10 ** digits);
    return rounded.toLocaleString(t.lang, { style: 'percent', maximumFractionDigits: digits });
  }

  function numbers<Name extends string>(values: Readonly<Record<Name, number>>): Record<Name, string> {
    const entries = Object.entries<number>(values).map(([name, value]) => [name, number(value)]);
    return Object.fromEntries(entries) as Record<Name, string>;
  }

  function summary(): Markup {
    const { scheme, names = [], documents, dropped, earlier, short, few } = data;
    const counts = { ...numbers({ documents, dropped }), threshold: threshold(data.minResemblance) };
    return html`<h1>nearprint · ${t.title}</h1>
<p class="verdict">${dropped === 0 ? t.verdictNone(counts) : t.verdict(counts)}</p>
<p class="explain">${names.length > 0 && t.source({ names: names.join(', ') })} ${t.unit(featureKindOf(scheme))}
${short > 0 && t.short(numbers({ count: short, few }))} ${earlier > 0 && t.earlier(numbers({ count: earlier }))}</p>
`;
  }

  function calibrationOf(calibration: Calibration): Markup {
    const { defaultThreshold, recommended, cost, same, different, sampled, documents, expected, unsure, labels } =
      calibration;
    const thresholds = { threshold: threshold(recommended), defaultThreshold: threshold(defaultThreshold) };
    const isByLabels = labels !== null && labels.same + labels.different > 0;
    const [usual, other] = isByLabels ? [t.labelledUsual, t.labelledOther] : [t.recommendedUsual, t.recommendedOther];
    const verdict = recommended === defaultThreshold ? usual : other;
    const isLarger = expected !== sampled;
    const cells = ({ dropped, wrong, left }: Figures) =>
      [dropped, wrong, left].map(
        ({ count, low, high }) =>
          html`<td>${number(Math.round(count))}<small>${number(Math.floor(low))}–${number(Math.ceil(high))}</small></td>`,
      );
    const head = (count: number) =>
      [t.droppedColumn, t.wrongColumn, t.leftColumn].map(
        (name) => html`<th scope="col">${name}<br>${t.ofSample({ count: number(count) })}</th>`,
      );
    const labelled = ({ labels }: ThresholdFigures) =>
      labels && html`<td>${t.labelsCell({ wrong: number(labels.wrong.count), left: number(labels.left.count) })}</td>`;
    const rows = calibration.thresholds.map(
      (row) => html`<tr${row.minResemblance === recommended && html` class="best"`}>
<th scope="row">${threshold(row.minResemblance)}</th>${cells(row)}${isLarger && cells(row.expected)}${labelled(row)}</tr>
`,
    );
    const columns = html`<th scope="col">${t.thresholdColumn}</th>${head(sampled)}${isLarger && head(expected)}${
      labels && html`<th scope="col">${t.labelsColumn}</th>`
    }`;
    return section(
      t.calibration,
      html`<p class="verdict">${verdict(thresholds)}</p>
<p class="explain">${t.mistakes({ cost: number(cost), same: String(same), different: String(different) })}
${sampled === documents ? t.sampledAll({ documents: number(documents) }) : t.sampled(numbers({ sampled, documents }))}
${isLarger && t.expected({ expected: number(expected) })} ${unsure > 0 && t.unsure({ count: number(unsure) })}
${labels && t.labelsNote(numbers(labels))}</p>
${table(t.calibration, columns, rows, html`<caption>${t.ranges}</caption>\n`)}`,
    );
  }

  function distribution(): Markup {
    const { counts, minResemblance, documents, dropped } = data;
    const tallest = Math.max(...counts, 1);
    const line = minResemblance * 100;
    const bars = counts.map((count, at) => {
      if (count === 0) return '';
      const height = Number(((92 * Math.log10(count + 1)) / Math.log10(tallest + 1)).toFixed(2));
      const title = t.bar({ share: percent(at / 100), count: number(count), n: count });
      const isNear = at >= Math.floor(line + 1e-9);
      return html`<rect x="${at + 0.08}" y="${100 - height}" width="0.84" height="${height}"${
        isNear && html` class="near"`
      }><title>${title}</title></rect>
`;
    });
    const label = t.distributionLabel({
      ...numbers({ dropped, documents }),
      threshold: threshold(minResemblance),
    });
    return section(
      t.distribution,
      html`${explain(t.distributionExplain)}<svg class="chart" viewBox="0 0 101 100" preserveAspectRatio="none" role="img" aria-label="${label}">
${bars}<line x1="${line}" x2="${line}" y1="0" y2="100"/></svg>
<div class="axis" aria-hidden="true">${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<span>${percent(share)}</span>`)}</div>
`,
    );
  }

  function groupsTable(): Markup | undefined {
    const { groups } = data;
    if (groups.length === 0) return undefined;
    const nameOf = ({ name, groups }: Group) =>
      name === null ? t.otherGroups({ count: number(groups) }) : name || t.noGroup;
    const rows = groups.map((group) => {
      const share = percent(group.dropped / group.documents, 1);
      return html`<tr><th scope="row" class="name"><bdi>${nameOf(group)}</bdi></th><td>${number(group.documents)}</td>
<td>${number(group.dropped)}</td><td>${share}</td></tr>
`;
    });
    const columns = [t.groupColumn, t.documentsColumn, t.droppedColumn, t.shareColumn];
    const head = columns.map((name) => html`<th scope="col">${name}</th>`);
    return section(t.groups, table(t.groups, head, rows));
  }

  function misses(): Markup {
    const list = (title: string, pairs: Pair[]) => html`<h3>${title}</h3>
${pairs.length === 0 ? explain(t.none) : pairs.map((pair) => pairOf(pair))}
`;
    return section(t.misses, [explain(t.missesExplain), list(t.above, data.above), list(t.below, data.below)]);
  }

  function clustersList(): Markup | undefined {
    const { clusters, clusterCount } = data;
    if (clusters.length === 0) return undefined;
    const pairs = clusters.reduce((sum, { members }) => sum + members.length, 0);
    const items = clusters.map(({ kept, dropped, members }) => {
      const size = t.clusterSize({ count: number(dropped), n: dropped });
      const rest = dropped - members.length;
      return html`<li class="cluster"><div class="head"><span class="share">${t.kept}<br>${size}</span>
${title(kept)}</div>
${members.map((pair) => pairOf(pair))}${rest > 0 && explain(t.moreMembers({ count: number(rest) }))}</li>
`;
    });
    const shown = numbers({ shown: clusters.length, all: clusterCount, pairs });
    const introduction = explain(`${t.clustersExplain} ${t.clustersShown(shown)}`);
    return section(t.clusters, html`${introduction}<ol>\n${items}</ol>\n`);
  }

  function textOf(at: number): ReportText {
    const text = data.texts.get(at);
    if (text === undefined) throw new Error(`the report has no text of document ${at}`);
    return text;
  }

  function title(at: number): Markup {
    const { name, text } = textOf(at);
    const start = text
      .slice(0, 3 * EXCERPT)
      .replace(/\s+/g, ' ')
      .trim();
    const excerpt = start.length > EXCERPT ? `${start.slice(0, EXCERPT)}…` : start;
    return html`<bdi class="name">${name}</bdi><span class="excerpt" dir="auto">${excerpt}</span>`;
  }

  /** Writes a document and its nearest kept one: closed, and open with both texts side by side. */
  function pairOf(pair: Pair): Markup {
    const { at, resemblance } = pair;
    return html`<details><summary><span class="share"><b>${percent(resemblance)}</b></span>
${title(at)}</summary>
${sides(pair)}</details>
`;
  }

  function sides({ at, kept, resemblance, isDropped }: Pair): Markup {
    const exact = data.exact?.(at);
    const [first, second] = [textOf(kept), textOf(at)];
    if (pairsLength > MAX_PAIRS_LENGTH) return html`<p class="sides">${t.notShown}</p>`;
    const [before, after] = [first.text.slice(0, MAX_COMPARED), second.text.slice(0, MAX_COMPARED)];
    const runs = diff(before, after, limits);
    const isReplaced = runs.length > 0 && runs.every(({ op }) => op !== 'same');
    const isSame = runs.every(({ op }) => op === 'same') && before.length === first.text.length;
    const isCut = Math.max(first.text.length, second.text.length) > MAX_COMPARED;
    const notes = [
      (exact === undefined ? t.resemblance : t.estimated)({ share: percent(resemblance, 1) }),
      exact !== undefined && t.exact({ share: percent(exact, 1) }),
      isSame && t.equal,
      isReplaced && t.replaced,
      isCut && t.cut({ count: number(MAX_COMPARED) }),
    ];
    const side = ({ name }: ReportText, op: 'del' | 'ins', role: string) => {
      const text = isReplaced
        ? html`${(op === 'del' ? before : after).slice(0, 10 * CONTEXT)}`
        : runs.map((run, place) => markRun(run, op, place === 0, place === runs.length - 1));
      return html`<div><p class="which">${role} <bdi class="name">${name}</bdi></p><p class="text" dir="auto">${text}</p></div>
`;
    };
    const sides = html`<div class="sides"><p class="note">${notes.filter((note) => note !== false).join(' ')}</p>
${side(first, 'del', t.kept)}${side(second, 'ins', isDropped ? t.dropped : t.kept)}</div>
`;
    pairsLength += sides.text.length;
    return sides;
  }

  /** Writes a run of one side. The middle of a long run of equal text is omitted. */
  function markRun(run: Run, side: 'del' | 'ins', isFirst: boolean, isLast: boolean): Markup | string {
    const { op, [side === 'del' ? 'before' : 'after']: text } = run;
    if (op === side) return op === 'del' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
    if (op !== 'same') return '';
    if (text.length <= 2.5 * CONTEXT) return text;
    const [before, after] = [isFirst ? '' : text.slice(0, CONTEXT), isLast ? '' : text.slice(-CONTEXT)];
    const count = number(text.length - before.length - after.length);
    // `dir` keeps the direction of the note independent of the direction of the text.
    return html`${before}<span class="gap" dir="auto">${t.gap({ count })}</span>${after}`;
  }

  const calibration = data.calibration && calibrationOf(data.calibration);
  const body = [summary(), calibration, distribution(), groupsTable(), misses(), clustersList()];
  return html`<!doctype html>
<html lang="${t.lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${t.title} · nearprint</title>
<style>${html([style])}</style>
</head>
<body>
<main>
${body}
</main>
<footer><p>${t.footer(numbers(MAX_SHOWN))}</p></footer>
</body>
</html>
`.text;
}
