// A feature as text. The spaces in shingles of characters are visible, so that "t " and " t" can be told apart.
import { el } from '../shared/dom.js';
import { state } from '../shared/state.js';

/** Returns the element for a feature of the present scheme. Its direction does not affect the text around it. */
export function featureText(feature: string): HTMLElement {
  const text = state.scheme.features.startsWith('chars') ? feature.replace(/\s/g, '␣') : feature;
  return el('bdi', { class: 'feature' }, text);
}
