// The controls of the scheme. Both views share them: they move to the view that is visible.

import { Fingerprinter } from 'nearprint/simhash';
import { onLanguage, percent, plainKey, t } from '../locales/locale.js';
import { byId, el } from '../shared/dom.js';
import { onChange, state, update, type View } from '../shared/state.js';
import { choices, defaultScheme, optionsOf, rawScheme, type Scheme, sameScheme, usesFinaliser } from './scheme.js';
import { defaultThreshold, minThreshold, toPercent } from './threshold.js';

/** The controls that are lists of choices. */
const selects = ['bits', 'features', 'hash', 'weights', 'normalize'] as const;

const change = <Name extends keyof Scheme>(name: Name, value: Scheme[Name]): void =>
  update({ scheme: { ...state.scheme, [name]: value } });

/** Returns a control with its label and its hint. `show` writes the hint of the threshold, which names the features. */
const control = (name: keyof Scheme | 'threshold', input: HTMLInputElement | HTMLSelectElement): HTMLElement =>
  el(
    'div',
    { class: `control ${input.type === 'checkbox' ? 'check' : ''}` },
    el('label', { for: input.id, 'data-t': name }),
    ...(name === 'threshold' ? [el('output', { id: 'scheme-threshold-value', for: input.id })] : []),
    input,
    el('p', { id: `${input.id}-hint`, class: 'hint', 'data-t': name === 'threshold' ? undefined : `${name}Hint` }),
  );

function select(name: (typeof selects)[number]): HTMLSelectElement {
  const options = choices[name].map((value) =>
    el('option', { value: JSON.stringify(value), 'data-t': plainKey(`${name}:${value}`) }),
  );
  const attributes = { id: `scheme-${name}`, 'aria-describedby': `scheme-${name}-hint` };
  const input = el('select', attributes, ...options);
  input.addEventListener('change', () => change(name, choices[name][input.selectedIndex]));
  return input;
}

function mixBox(): HTMLInputElement {
  const attributes = { id: 'scheme-mix', type: 'checkbox', 'aria-describedby': 'scheme-mix-hint' };
  const input = el('input', attributes);
  input.addEventListener('change', () => change('mix', input.checked));
  return input;
}

function thresholdRange(): HTMLInputElement {
  const attributes = {
    id: 'scheme-threshold',
    type: 'range',
    min: toPercent(minThreshold),
    max: 100,
    'aria-describedby': 'scheme-threshold-hint',
  };
  const input = el('input', attributes);
  input.addEventListener('input', () => update({ threshold: input.valueAsNumber / 100 }));
  return input;
}

function show(): void {
  const { scheme, threshold } = state;
  byId('scheme-id').textContent = new Fingerprinter(optionsOf(scheme)).id;
  for (const name of selects) byId(`scheme-${name}`, HTMLSelectElement).value = JSON.stringify(scheme[name]);
  const mix = byId('scheme-mix', HTMLInputElement);
  mix.checked = usesFinaliser(scheme);
  mix.disabled = scheme.bits === 128;
  const range = byId('scheme-threshold', HTMLInputElement);
  range.valueAsNumber = toPercent(threshold);
  const share = { share: percent(threshold), units: t(`units:${scheme.features}`) };
  byId('scheme-line').textContent = t('schemeLine', { ...share, bits: scheme.bits });
  range.setAttribute('aria-valuetext', t('thresholdValue', share));
  byId('scheme-threshold-value').textContent = share.share;
  byId('scheme-threshold-hint').textContent = t('thresholdHint', share);
  byId('scheme-reset', HTMLButtonElement).disabled =
    sameScheme(scheme, defaultScheme) && threshold === defaultThreshold;
}

/** Moves the controls into a view. */
export const placeScheme = (view: View): void => byId(view).querySelector('.slot')?.append(byId('scheme'));

export function startScheme(): void {
  const reset = el('button', { type: 'button', id: 'scheme-reset', 'data-t': 'schemeReset' });
  reset.addEventListener('click', () => update({ scheme: defaultScheme, threshold: defaultThreshold }));
  const raw = el('button', { type: 'button', id: 'scheme-raw', 'data-t': 'schemeRaw' });
  raw.addEventListener('click', () => update({ scheme: rawScheme }));
  byId('controls').append(
    control('threshold', thresholdRange()),
    control('bits', select('bits')),
    control('features', select('features')),
    control('hash', select('hash')),
    control('mix', mixBox()),
    control('weights', select('weights')),
    control('normalize', select('normalize')),
    el('p', { class: 'presets' }, reset, raw),
  );
  onChange((changed) => {
    if (changed.has('scheme') || changed.has('threshold')) show();
  });
  onLanguage(show);
  show();
}
