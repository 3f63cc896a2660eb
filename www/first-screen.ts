// The first screen, which the build writes into index.html: the page shows it before its programs have loaded, and without them.
import { findChanges } from './compare/changes.js';
import { compareTexts } from './compare/compared.js';
import { chosenBit, flipContent, headlineOf, legendOf } from './compare/first-bits.js';
import type { Span } from './compare/passages.js';
import { samples } from './compare/samples.js';
import { stripOf } from './compare/strip.js';
import { remarks, rulerOf, verdict } from './compare/verdict.js';
import { t } from './locales/locale.js';
import { defaultScheme, optionsOf } from './scheme/scheme.js';
import { defaultThreshold } from './scheme/threshold.js';
import { type Content, htmlOf, markup } from './shared/markup.js';

const [{ a, b }] = samples;
const options = optionsOf(defaultScheme);
const compared = compareTexts(a, b, options);
const { bits } = compared;
const chosen = chosenBit(bits);
const found = findChanges(a, b, bits.bits, options);
const changes = found && { ...found, text: { a, b } };
const units = t(`units:${defaultScheme.features}`);
const count = ({ length }: string) => t('characters', { count: `${length}`, n: length });
const html = (...content: Content[]) => content.map(htmlOf).join('');

/** Returns a text with its changed passages marked: the layer behind the field, which is also what is printed. */
const markedText = (text: string, spans: Span[] = []): Content[] =>
  [...spans, [text.length, text.length] satisfies Span].flatMap(([start, end], at) => [
    text.slice(at === 0 ? 0 : spans[at - 1][1], start),
    ...(at < spans.length ? [markup('mark', {}, text.slice(start, end))] : []),
  ]);

/** The HTML of the placeholders of index.html. */
export const firstScreen: Readonly<Record<string, string>> = {
  title: html(t('title')),
  'text-a': html(a),
  'text-b': html(b),
  'marks-a': html(
    ...markedText(
      a,
      found?.list.map(({ a }) => a),
    ),
  ),
  'marks-b': html(
    ...markedText(
      b,
      found?.list.map(({ b }) => b),
    ),
  ),
  'count-a': html(count(a)),
  'count-b': html(count(b)),
  headline: html(...headlineOf(bits)),
  verdict: html(verdict(compared, defaultThreshold, units)),
  remark: html(remarks(compared, { threshold: defaultThreshold, scheme: defaultScheme }, units).join(' ')),
  ruler: html(rulerOf(compared, defaultThreshold)),
  strip: html(stripOf(bits, chosen)),
  legend: html(...legendOf(bits, { a, b, scheme: defaultScheme })),
  flip: html(...flipContent(bits, chosen, changes)),
};
