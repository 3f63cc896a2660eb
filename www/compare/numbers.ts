// The numbers of a comparison.

import { number, type PlainKey, percent, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { hasTexts, type Result } from './result.js';
import { standardError } from './standard-error.js';

/** The size of text.wasm. The build sets it (scripts/page.mjs). */
declare const WASM_BYTES: number;

const entry = (name: PlainKey, hint: string, value: string, unit = ''): HTMLElement =>
  el(
    'div',
    {},
    el('dt', {}, t(name)),
    el('dd', { id: `number-${name}` }, value, el('small', {}, unit)),
    ...(hint === '' ? [] : [el('dd', { class: 'hint' }, hint)]),
  );

function estimateEntry(result: Result): HTMLElement {
  const estimate = result.resemblance;
  const isExact = result.a.isShort || result.b.isShort; // Then the sketches compare the words.
  const features = hasTexts(result) ? Math.max(result.a.features, result.b.features) : undefined;
  const error = isExact ? '' : ` ± ${percent(standardError(estimate, features), 1)}`;
  return entry('estimate', t('estimateHint'), percent(estimate, 1), error);
}

/** Returns the measures below the verdict. Without the texts, the containment is unknown. */
export function measures(result: Result, units: string): HTMLElement[] {
  const { bits, distance } = result;
  const distanceHint = t('distanceHint', { half: bits / 2 });
  return [
    estimateEntry(result),
    ...(hasTexts(result)
      ? [
          entry('containmentA', '', percent(result.containment.a, 1)),
          entry('containmentB', t('containmentHint', { units }), percent(result.containment.b, 1)),
        ]
      : []),
    entry('distance', distanceHint, number(distance), ` / ${bits}`),
  ];
}

export function numbers(result: Result, units: string): HTMLElement[] {
  return [
    ...(hasTexts(result)
      ? [entry('resemblance', t('resemblanceHint', { units }), number(result.exactResemblance, 3))]
      : []),
    entry('similarity', t('similarityHint'), number(result.similarity, 3)),
    entry('estimatedCosine', t('estimatedCosineHint'), number(result.cosine, 3)),
    ...(hasTexts(result)
      ? [
          entry('exactCosine', t('exactCosineHint'), number(result.exactCosine, 3)),
          entry('jaccard', t('jaccardHint'), number(result.jaccard, 3)),
        ]
      : []),
    entry('wasmSize', t('wasmSizeHint'), number(WASM_BYTES / 1024), ' KB'),
  ];
}
