// The numbers of a comparison.
import { el } from './dom.js';
import { number, t } from './i18n.js';
import { wasmSize } from './wasm-size.js';

const entry = (name, value, of = '') =>
  el(
    'div',
    {},
    el('dt', {}, t(name)),
    el('dd', { id: `number-${name}` }, value, el('small', {}, of)),
    el('dd', { class: 'hint' }, t(`${name}Hint`)),
  );

/** Browsers round their clocks, to 0.1 ms or 1 ms. */
const duration = (milliseconds) => (milliseconds < 0.1 ? `< ${number(0.1, 1)}` : number(milliseconds, 1));

/** `exactCosine`, `jaccard` and `took` are undefined where only fingerprints are known. */
export function numbers({ bits, distance, similarity, cosine, exactCosine, jaccard, took }) {
  const size = entry('wasmSize', '…');
  wasmSize().then((bytes) => {
    size.querySelector('dd').replaceChildren(number(bytes / 1024), el('small', {}, ' KB'));
  });
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
    size,
  ];
}
