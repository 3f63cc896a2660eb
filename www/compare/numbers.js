// The numbers of a comparison.

import { number, percent, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';

/** The values of the hint are `values`. */
const entry = (name, value, unit = '', values = undefined) =>
  el(
    'div',
    {},
    el('dt', {}, t(name)),
    el('dd', { id: `number-${name}` }, value, el('small', {}, unit)),
    el('dd', { class: 'hint' }, t(`${name}Hint`, values)),
  );

/** Browsers round their clocks to 0.1 ms or 1 ms. */
const duration = (milliseconds) => (milliseconds < 0.1 ? `< ${number(0.1, 1)}` : number(milliseconds, 1));

/** The size of nearprint.wasm, set by scripts/page.mjs. */
const wasmBytes = WASM_BYTES;

/** The three measures below the verdict. Old links give neither resemblance: theirs are undefined. */
export function measures({ bits, distance, estimate, resemblance }, units) {
  return [
    ...(estimate === undefined ? [] : [entry('estimate', percent(estimate, 1), '', { units })]),
    ...(resemblance === undefined ? [] : [entry('resemblance', percent(resemblance, 1), '', { units })]),
    entry('distance', number(distance), ` / ${bits}`, { half: bits / 2 }),
  ];
}

/** `exactCosine`, `jaccard` and `took` are undefined if the texts are unknown. */
export function numbers({ similarity, cosine, exactCosine, jaccard, took }) {
  return [
    entry('similarity', number(similarity, 3)),
    entry('estimatedCosine', number(cosine, 3)),
    ...(exactCosine === undefined
      ? []
      : [
          entry('exactCosine', number(exactCosine, 3)),
          entry('jaccard', number(jaccard, 3)),
          entry('took', duration(took), ' ms'),
        ]),
    entry('wasmSize', number(wasmBytes / 1024), ' KB'),
  ];
}
