// Writes a report as one HTML file without scripts and without resources to load. The command line and the page share it.
import { html, type Markup } from './markup.js';
import { type Language, type Messages, messages } from './messages.js';
import { explain, featureKindOf, Numbers, pageHtml, section, threshold } from './page.js';
import { PairWriter, type ReportText, titleOf } from './pairs.js';
import { MAX_SHOWN, type ReportPair, type ReportSelection } from './select.js';

export interface ReportData extends ReportSelection {
  scheme: string;
  minResemblance: number;
  /** The documents of `wanted`, by their positions. */
  texts: ReadonlyMap<number, ReportText>;
  names?: readonly string[];
  short: number;
  /** The number of different features below which a text is short. */
  few: number;
}

export function reportHtml(data: ReportData, language: Language = 'en'): string {
  const t: Messages = messages[language];
  const numbers = new Numbers(t);
  const pairs = new PairWriter(t);

  function summary(): Markup {
    const { scheme, names = [], documents, dropped, earlier, short, few } = data;
    const counts = { ...numbers.all({ documents, dropped }), threshold: threshold(data.minResemblance) };
    return html`<h1>nearprint · ${t.title}</h1>
<p class="verdict">${dropped === 0 ? t.verdictNone(counts) : t.verdict(counts)}</p>
<p class="explain">${names.length > 0 && t.source({ names: names.join(', ') })} ${t.unit(featureKindOf(scheme))}
${short > 0 && t.short(numbers.all({ count: short, few }))} ${earlier > 0 && t.earlier(numbers.all({ count: earlier }))}</p>
`;
  }

  function distribution(): Markup {
    const { counts, minResemblance, documents, dropped } = data;
    const tallest = Math.max(...counts, 1);
    const line = minResemblance * 100;
    const bars = counts.map((count, at) => {
      if (count === 0) return '';
      const height = Number(((92 * Math.log10(count + 1)) / Math.log10(tallest + 1)).toFixed(2));
      const title = t.bar({ share: numbers.percent(at / 100), count: numbers.whole(count), n: count });
      const isNear = at >= Math.floor(line + 1e-9);
      return html`<rect x="${at + 0.08}" y="${100 - height}" width="0.84" height="${height}"${
        isNear && html` class="near"`
      }><title>${title}</title></rect>
`;
    });
    const label = t.distributionLabel({
      ...numbers.all({ dropped, documents }),
      threshold: threshold(minResemblance),
    });
    return section(
      t.distribution,
      html`${explain(t.distributionExplain)}<svg class="chart" viewBox="0 0 101 100" preserveAspectRatio="none" role="img" aria-label="${label}">
${bars}<line x1="${line}" x2="${line}" y1="0" y2="100"/></svg>
<div class="axis" aria-hidden="true">${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<span>${numbers.percent(share)}</span>`)}</div>
`,
    );
  }

  function misses(): Markup {
    const list = (title: string, pairs: ReportPair[]) => html`<h3>${title}</h3>
${pairs.length === 0 ? explain(t.none) : pairs.map((pair) => pairOf(pair))}
`;
    return section(t.misses, [explain(t.missesExplain), list(t.above, data.above), list(t.below, data.below)]);
  }

  function clustersList(): Markup | undefined {
    const { clusters, clusterCount } = data;
    if (clusters.length === 0) return undefined;
    const shownPairs = clusters.reduce((sum, { members }) => sum + members.length, 0);
    const items = clusters.map(({ kept, dropped, members }) => {
      const size = t.clusterSize({ count: numbers.whole(dropped), n: dropped });
      const rest = dropped - members.length;
      return html`<li class="cluster"><div class="head"><span class="share">${t.kept}<br>${size}</span>
${titleOf(textOf(kept))}</div>
${members.map((pair) => pairOf(pair))}${rest > 0 && explain(t.moreMembers({ count: numbers.whole(rest) }))}</li>
`;
    });
    const shown = numbers.all({ shown: clusters.length, all: clusterCount, pairs: shownPairs });
    const introduction = explain(`${t.clustersExplain} ${t.clustersShown(shown)}`);
    return section(t.clusters, html`${introduction}<ol>\n${items}</ol>\n`);
  }

  function textOf(at: number): ReportText {
    const text = data.texts.get(at);
    if (text === undefined) throw new Error(`the report has no text of document ${at}`);
    return text;
  }

  /** Writes a document and its nearest kept one. */
  const pairOf = ({ at, kept, resemblance, isDropped }: ReportPair): Markup =>
    pairs.write({
      first: { ...textOf(kept), role: t.kept },
      second: { ...textOf(at), role: isDropped ? t.dropped : t.kept },
      resemblance,
    });

  const body = [summary(), distribution(), misses(), clustersList()];
  return pageHtml(t, body, t.footer(numbers.all(MAX_SHOWN)));
}
