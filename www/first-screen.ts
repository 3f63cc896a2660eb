// The first screen as text, which the build writes into index.html: the page shows it before its programs have loaded.
import { samples } from './compare/samples.js';
import { summarize } from './compare/summarize.js';
import { remarks, verdict } from './compare/verdict.js';
import { t } from './locales/locale.js';
import { defaultScheme, optionsOf } from './scheme/scheme.js';
import { defaultThreshold } from './scheme/threshold.js';

const [{ a, b }] = samples;
const result = summarize(a, b, optionsOf(defaultScheme));
const units = t(`units:${defaultScheme.features}`);
const count = ({ length }: string) => t('characters', { count: `${length}`, n: length });

/** The texts of the placeholders of index.html. */
export const firstScreen: Readonly<Record<string, string>> = {
  'text-a': a,
  'text-b': b,
  'count-a': count(a),
  'count-b': count(b),
  verdict: verdict(result, defaultThreshold, units),
  remark: remarks(result, { threshold: defaultThreshold, scheme: defaultScheme }, units).join(' '),
};
