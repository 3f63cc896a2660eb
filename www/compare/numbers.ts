// The numbers behind a comparison.
import { type PlainKey, percent, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { hasVotes } from './bits.js';
import type { Compared } from './compared.js';
import { standardError } from './standard-error.js';

const entry = (name: PlainKey, hint: string, value: string, unit = ''): HTMLElement =>
  el(
    'div',
    {},
    el('dt', {}, t(name)),
    el('dd', { id: `number-${name}` }, value, el('small', {}, unit)),
    el('dd', { class: 'hint' }, hint),
  );

function estimateEntry({ bits, likeness: { a, b, estimate } }: Compared): HTMLElement {
  const isExact = a.isShort || b.isShort; // Then the sketches compare the words.
  const features = hasVotes(bits) ? Math.max(bits.a.features, bits.b.features) : undefined;
  const error = isExact ? '' : ` ± ${percent(standardError(estimate, features), 1)}`;
  return entry('estimate', t('estimateHint'), percent(estimate, 1), error);
}

/** Returns the numbers. Without the texts, only estimates are known. */
export function numbers(compared: Compared, units: string): HTMLElement[] {
  const { likeness } = compared;
  return [
    estimateEntry(compared),
    ...('containment' in likeness
      ? [
          entry('containmentA', t('containmentHint', { units }), percent(likeness.containment.a, 1)),
          entry('containmentB', t('containmentHint', { units }), percent(likeness.containment.b, 1)),
        ]
      : []),
  ];
}
