// Writes a report as one HTML file, which loads nothing and runs nothing. The command line and the page share it.
import { html } from './markup.js';
import { messages } from './messages.js';
import { most } from './select.js';
import { style, styleHash } from './style.js';
import { diff } from './text-diff.js';

/** The characters of a text that are compared. */
const LONGEST = 20_000;
/** The characters of pairs that a report has at most. */
const LARGEST = 6_000_000;
/** A pair of very different texts is not worth more time. */
const limits = { maxEditLength: 1500, timeout: 300 };
/** The equal characters shown on each side of a change. */
const CONTEXT = 160;
const EXCERPT = 160;

const policy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`;

/** The kind and the size of the features of a scheme. */
function featureOf(scheme) {
  const [, kind = 'grams', size] = /:(words|chars)(\d+)/.exec(scheme) ?? [];
  return { kind: kind === 'chars' ? 'characters' : kind, size: Number(size) };
}

/** Formats numbers in a language. */
class Formats {
  #locale;

  constructor(locale) {
    this.#locale = locale;
  }

  number = (value, digits = 0) => value.toLocaleString(this.#locale, { maximumFractionDigits: digits });

  /** A share, rounded down, so that one below the threshold never reads like the threshold. */
  percent = (share, digits = 0) => {
    const rounded = Math.floor(share * 100 * 10 ** digits + 1e-9) / (100 * 10 ** digits);
    return rounded.toLocaleString(this.#locale, { style: 'percent', maximumFractionDigits: digits });
  };

  /** A threshold as options take it. */
  threshold = (value) => value.toFixed(2);
}

class Report {
  #data;
  #t;
  #formats;
  /** The characters of pairs so far. */
  #size = 0;

  constructor(data, language) {
    this.#data = data;
    this.#t = messages[language];
    this.#formats = new Formats(this.#t.lang);
  }

  write() {
    const t = this.#t;
    const body = [
      this.#summary(),
      this.#data.calibration ? this.#calibration() : '',
      this.#distribution(),
      this.#groups(),
      this.#misses(),
      this.#clusters(),
    ];
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
<footer><p>${t.footer(this.#numbers(most))}</p></footer>
</body>
</html>
`.text;
  }

  /** The values as formatted numbers. */
  #numbers(values) {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#formats.number(value)]));
  }

  get #threshold() {
    return this.#formats.threshold(this.#data.minResemblance);
  }

  #summary() {
    const [t, { scheme, names, documents, dropped, earlier, short, few }] = [this.#t, this.#data];
    const counts = { ...this.#numbers({ documents, dropped }), threshold: this.#threshold };
    return html`<h1>nearprint · ${t.title}</h1>
<p class="verdict">${dropped === 0 ? t.verdictNone(counts) : t.verdict(counts)}</p>
<p class="explain">${names?.length > 0 && t.source({ names: names.join(', ') })} ${t.unit(featureOf(scheme))}
${short > 0 && t.short(this.#numbers({ count: short, few }))} ${earlier > 0 && t.earlier(this.#numbers({ count: earlier }))}</p>
`;
  }

  #calibration() {
    const [t, { number, threshold }] = [this.#t, this.#formats];
    const { calibration } = this.#data;
    const { usual, recommended, cost, same, different, sampled, documents, expected, unsure, labels } = calibration;
    const thresholds = { threshold: threshold(recommended), usual: threshold(usual) };
    const isLarger = expected !== sampled;
    const cell = ({ count, low, high }, at) =>
      html`<td${at === 0 && html` class="first"`}>${number(Math.round(count))}<small>${number(Math.floor(low))}–${number(Math.ceil(high))}</small></td>`;
    const cells = ({ dropped, wrong, left }) => [dropped, wrong, left].map(cell);
    const names = [t.droppedColumn, t.wrongColumn, t.leftColumn];
    const head = (count) =>
      names.map(
        (name, at) =>
          html`<th scope="col"${at === 0 && html` class="first"`}>${name}<br>${t.ofSample({ count: number(count) })}</th>`,
      );
    const labelled = (row) =>
      labels &&
      html`<td>${t.labelsCell({ wrong: number(row.labels.wrong.count), left: number(row.labels.left.count) })}</td>`;
    const rows = calibration.thresholds.map(
      (row) => html`<tr${row.minResemblance === recommended && html` class="best"`}>
<th scope="row">${threshold(row.minResemblance)}</th>${cells(row)}${isLarger && cells(row.expected)}${labelled(row)}</tr>
`,
    );
    return html`<section>
<h2>${t.calibration}</h2>
<p class="verdict">${recommended === usual ? t.recommendedUsual(thresholds) : t.recommendedOther(thresholds)}</p>
<p class="explain">${t.mistakes({ cost: number(cost), same, different })}
${sampled === documents ? t.sampledAll({ documents: number(documents) }) : t.sampled(this.#numbers({ sampled, documents }))}
${isLarger && t.expected({ expected: number(expected) })} ${unsure > 0 && t.unsure({ count: number(unsure) })}
${labels && t.labelsNote(this.#numbers(labels))}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${t.calibration}"><table>
<caption>${t.ranges}</caption>
<thead><tr><th scope="col">${t.thresholdColumn}</th>${head(sampled)}${isLarger && head(expected)}${
      labels && html`<th scope="col">${t.labelsColumn}</th>`
    }</tr></thead>
<tbody>
${rows}</tbody></table></div>
</section>
`;
  }

  #distribution() {
    const [t, { number, percent }] = [this.#t, this.#formats];
    const { counts, minResemblance, documents, dropped } = this.#data;
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
    const label = t.distributionLabel({ ...this.#numbers({ dropped, documents }), threshold: this.#threshold });
    return html`<section>
<h2>${t.distribution}</h2>
<p class="explain">${t.distributionExplain}</p>
<svg class="chart" viewBox="0 0 101 100" preserveAspectRatio="none" role="img" aria-label="${label}">
${bars}<line x1="${line}" x2="${line}" y1="0" y2="100"/></svg>
<div class="axis" aria-hidden="true">${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<span>${percent(share)}</span>`)}</div>
</section>
`;
  }

  #groups() {
    const [t, { number, percent }] = [this.#t, this.#formats];
    const { groups } = this.#data;
    if (groups.length === 0) return '';
    const nameOf = (group) =>
      group.groups > 0 ? t.otherGroups({ count: number(group.groups) }) : group.name === '' ? t.noGroup : group.name;
    const rows = groups.map(
      (
        group,
      ) => html`<tr><th scope="row" class="name"><bdi>${nameOf(group)}</bdi></th><td>${number(group.documents)}</td>
<td>${number(group.dropped)}</td><td>${percent(group.dropped / group.documents, 1)}</td></tr>
`,
    );
    const columns = [t.groupColumn, t.documentsColumn, t.droppedColumn, t.shareColumn];
    return html`<section>
<h2>${t.groups}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${t.groups}"><table>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>
</section>
`;
  }

  #misses() {
    const [t, { above, below }] = [this.#t, this.#data];
    const list = (pairs) =>
      pairs.length === 0 ? html`<p class="explain">${t.none}</p>` : pairs.map((pair) => this.#pair(pair));
    return html`<section>
<h2>${t.misses}</h2>
<p class="explain">${t.missesExplain}</p>
<h3>${t.above}</h3>
${list(above)}
<h3>${t.below}</h3>
${list(below)}
</section>
`;
  }

  #clusters() {
    const [t, { clusters, clusterCount }] = [this.#t, this.#data];
    if (clusters.length === 0) return '';
    const pairs = clusters.reduce((sum, { members }) => sum + members.length, 0);
    const items = clusters.map(({ kept, dropped, members }) => {
      const count = this.#formats.number(dropped);
      const rest = dropped - members.length;
      return html`<li class="cluster"><div class="head"><span class="share">${t.kept}<br>${t.clusterSize({ count, n: dropped })}</span>
${this.#title(kept)}</div>
${members.map((pair) => this.#pair(pair))}${
  rest > 0 && html`<p class="explain">${t.moreMembers({ count: this.#formats.number(rest) })}</p>`
}</li>
`;
    });
    const shown = this.#numbers({ shown: clusters.length, all: clusterCount, pairs });
    return html`<section>
<h2>${t.clusters}</h2>
<p class="explain">${t.clustersExplain} ${t.clustersShown(shown)}</p>
<ol>
${items}</ol>
</section>
`;
  }

  #title(at) {
    const { name, text } = this.#data.texts.get(at);
    const start = text
      .slice(0, 3 * EXCERPT)
      .replace(/\s+/g, ' ')
      .trim();
    const excerpt = start.length > EXCERPT ? `${start.slice(0, EXCERPT)}…` : start;
    return html`<bdi class="name">${name}</bdi><span class="excerpt" dir="auto">${excerpt}</span>`;
  }

  /** A document and its nearest kept one: closed, and open with both texts side by side. */
  #pair(pair) {
    const { at, resemblance } = pair;
    const { percent } = this.#formats;
    return html`<details><summary><span class="share"><b>${percent(resemblance)}</b></span>
${this.#title(at)}</summary>
${this.#sides(pair)}</details>
`;
  }

  #sides({ at, kept, resemblance }) {
    const [t, { texts, minResemblance }] = [this.#t, this.#data];
    const { percent } = this.#formats;
    const exact = this.#data.exact?.(at);
    const [first, second] = [texts.get(kept), texts.get(at)];
    if (this.#size > LARGEST) return html`<p class="sides">${t.notShown}</p>`;
    const [before, after] = [first.text.slice(0, LONGEST), second.text.slice(0, LONGEST)];
    const runs = diff(before, after, limits);
    const isReplaced = runs.length <= 2 && runs.every(({ op }) => op !== 'same');
    const notes = [
      t.estimated({ share: percent(resemblance, 1) }),
      ...(exact === undefined ? [] : [t.exact({ share: percent(exact, 1) })]),
      ...(runs.every(({ op }) => op === 'same') && before.length === first.text.length ? [t.equal] : []),
      ...(isReplaced ? [t.replaced] : []),
      ...(Math.max(first.text.length, second.text.length) > LONGEST
        ? [t.cut({ count: this.#formats.number(LONGEST) })]
        : []),
    ];
    const isDropped = resemblance >= minResemblance;
    const side = ({ name }, op, what) => {
      const text = isReplaced
        ? html`${(op === 'del' ? before : after).slice(0, 10 * CONTEXT)}`
        : runs.map((run, place) => this.#run(run, op, place === 0, place === runs.length - 1));
      return html`<div><p class="which">${what} <bdi class="name">${name}</bdi></p><p class="text" dir="auto">${text}</p></div>
`;
    };
    const sides = html`<div class="sides"><p class="note">${notes.join(' ')}</p>
${side(first, 'del', t.kept)}${side(second, 'ins', isDropped ? t.dropped : t.kept)}</div>
`;
    this.#size += sides.text.length;
    return sides;
  }

  #run({ op, text }, side, isFirst, isLast) {
    if (op === side) return op === 'del' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
    if (op !== 'same') return '';
    if (text.length <= 2.5 * CONTEXT) return text;
    const [before, after] = [isFirst ? '' : text.slice(0, CONTEXT), isLast ? '' : text.slice(-CONTEXT)];
    const count = this.#formats.number(text.length - before.length - after.length);
    return html`${before}<span class="gap">${this.#t.gap({ count })}</span>${after}`;
  }
}

/**
 * Returns the report of a selection (select.js) as HTML. In addition, `data` has `scheme` and `minResemblance`; `texts`, a Map from a
 * position to `{ name, text }`; `names` of the inputs; `short`, the number of short texts, and `few`, what makes a text
 * short; of a calibration, `calibration`, its result, and `exact(at)`, the exact resemblance of a document to its nearest
 * kept one. `language` is one of `languages`.
 */
export const reportHtml = (data, language = 'en') => new Report(data, language).write();
