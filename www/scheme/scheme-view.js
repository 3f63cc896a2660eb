// The controls of the scheme. Both views share them: they move to the view that is shown.

import { Fingerprinter } from 'nearprint';
import { onLanguage, percent, t } from '../locales/locale.js';
import { byId, el } from '../shared/dom.js';
import { onChange, state, update } from '../shared/state.js';
import { choices, defaultScheme, optionsOf, sameScheme, usesFinaliser } from './scheme.js';
import { defaultThreshold, smallestThreshold, toPercent } from './threshold.js';

const change = (name, value) => update({ scheme: { ...state.scheme, [name]: value } });

const control = (name, input) =>
  el(
    'div',
    { class: `control ${input.type === 'checkbox' ? 'check' : ''}` },
    el('label', { for: input.id, 'data-t': name }),
    input,
    el('p', { id: `${input.id}-hint`, class: 'hint', 'data-t': `${name}Hint` }),
  );

function select(name) {
  const options = choices[name].map((value) =>
    el('option', { value: JSON.stringify(value), 'data-t': `${name}:${value}` }),
  );
  const attributes = { id: `scheme-${name}`, 'aria-describedby': `scheme-${name}-hint` };
  const input = el('select', attributes, ...options);
  input.addEventListener('change', () => change(name, JSON.parse(input.value)));
  return input;
}

function mixBox() {
  const attributes = { id: 'scheme-mix', type: 'checkbox', 'aria-describedby': 'scheme-mix-hint' };
  const input = el('input', attributes);
  input.addEventListener('change', () => change('mix', input.checked));
  return input;
}

function thresholdRange() {
  const attributes = {
    id: 'scheme-threshold',
    type: 'range',
    min: toPercent(smallestThreshold),
    max: 100,
    'aria-describedby': 'scheme-threshold-hint',
  };
  const input = el('input', attributes);
  input.addEventListener('input', () => update({ threshold: input.value / 100 }));
  return input;
}

function show() {
  const { scheme, threshold } = state;
  byId('scheme-id').textContent = new Fingerprinter(optionsOf(scheme)).id;
  for (const name of ['bits', 'features', 'hash', 'weights', 'normalize']) {
    byId(`scheme-${name}`).value = JSON.stringify(scheme[name]);
  }
  byId('scheme-mix').checked = usesFinaliser(scheme);
  byId('scheme-mix').disabled = scheme.bits === 128;
  const range = byId('scheme-threshold');
  range.value = toPercent(threshold);
  const share = { share: percent(threshold), units: t(`units:${scheme.features}`) };
  range.setAttribute('aria-valuetext', t('thresholdValue', share));
  byId('scheme-threshold-value').textContent = share.share;
  byId('scheme-threshold-hint').textContent = t('thresholdHint', share);
  byId('scheme-reset').disabled = sameScheme(scheme, defaultScheme) && threshold === defaultThreshold;
}

/** Moves the controls into a view. */
export const placeScheme = (view) => byId(view).querySelector('.slot').append(byId('scheme'));

export function startScheme() {
  const threshold = control('threshold', thresholdRange());
  // The hint names the features, so it is written by show().
  threshold.querySelector('.hint').removeAttribute('data-t');
  threshold.querySelector('label').after(el('output', { id: 'scheme-threshold-value', for: 'scheme-threshold' }));
  const reset = el('button', { type: 'button', id: 'scheme-reset', 'data-t': 'schemeReset' });
  reset.addEventListener('click', () => update({ scheme: defaultScheme, threshold: defaultThreshold }));
  byId('controls').append(
    threshold,
    control('bits', select('bits')),
    control('features', select('features')),
    control('hash', select('hash')),
    control('mix', mixBox()),
    control('weights', select('weights')),
    control('normalize', select('normalize')),
    reset,
  );
  byId('scheme').open = matchMedia('(min-width: 72rem)').matches;
  onChange((changed) => (changed.has('scheme') || changed.has('threshold')) && show());
  onLanguage(show);
  show();
}
