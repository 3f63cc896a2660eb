// The numbers of a comparison.

import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';

const entry = (name, value, unit = '') =>
  el(
    'div',
    {},
    el('dt', {}, t(name)),
    el('dd', { id: `number-${name}` }, value, el('small', {}, unit)),
    el('dd', { class: 'hint' }, t(`${name}Hint`)),
  );

/** Browsers round their clocks to 0.1 ms or 1 ms. */
const duration = (milliseconds) => (milliseconds < 0.1 ? `< ${number(0.1, 1)}` : number(milliseconds, 1));

/** The size of nearprint.wasm, set by scripts/page.mjs. */
const wasmBytes = WASM_BYTES;

/** `exactCosine`, `jaccard` and `took` are undefined if only the fingerprints are known. */
export function numbers({ bits, distance, similarity, cosine, exactCosine, jaccard, took }) {
  return [
    entry('distance', number(distance), ` / ${bits}`),
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
