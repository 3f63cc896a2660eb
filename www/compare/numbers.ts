// The numbers of a comparison.

import { number, type PlainKey, percent, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { hasTexts, type Result } from './result.js';

/** The size of nearprint.wasm. The build sets it (scripts/page.mjs). */
declare const WASM_BYTES: number;

const entry = (name: PlainKey, hint: string, value: string, unit = ''): HTMLElement =>
  el(
    'div',
    {},
    el('dt', {}, t(name)),
    el('dd', { id: `number-${name}` }, value, el('small', {}, unit)),
    el('dd', { class: 'hint' }, hint),
  );

/** Formats a time. Browsers round their clocks to 0.1 ms or 1 ms. */
const duration = (milliseconds: number): string =>
  milliseconds < 0.1 ? `< ${number(0.1, 1)}` : number(milliseconds, 1);

/** Returns the measures below the verdict. Without the texts, the resemblance is unknown, and perhaps the estimate. */
export function measures(result: Result, units: string): HTMLElement[] {
  const { bits, distance, estimate } = result;
  const distanceHint = t('distanceHint', { half: bits / 2 });
  return [
    ...(estimate === undefined ? [] : [entry('estimate', t('estimateHint', { units }), percent(estimate, 1))]),
    ...(hasTexts(result)
      ? [entry('resemblance', t('resemblanceHint', { units }), percent(result.exactResemblance, 1))]
      : []),
    entry('distance', distanceHint, number(distance), ` / ${bits}`),
  ];
}

export function numbers(result: Result): HTMLElement[] {
  return [
    entry('similarity', t('similarityHint'), number(result.similarity, 3)),
    entry('estimatedCosine', t('estimatedCosineHint'), number(result.cosine, 3)),
    ...(hasTexts(result)
      ? [
          entry('exactCosine', t('exactCosineHint'), number(result.exactCosine, 3)),
          entry('jaccard', t('jaccardHint'), number(result.jaccard, 3)),
          entry('took', t('tookHint'), duration(result.took), ' ms'),
        ]
      : []),
    entry('wasmSize', t('wasmSizeHint'), number(WASM_BYTES / 1024), ' KB'),
  ];
}
