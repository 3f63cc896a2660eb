// The state that both views share. Listeners get the names of the values that changed.
import { defaultScheme, defaultThreshold } from '../scheme/scheme.js';

const listeners = [];

export const state = {
  view: 'compare',
  /** The two texts of the compare view. */
  a: '',
  b: '',
  /** Two fingerprints in hexadecimal, `{ a, b }`, from a link that has no room for the texts; or null. */
  fingerprints: null,
  /** The lines pasted into the duplicates view. */
  lines: '',
  scheme: defaultScheme,
  threshold: defaultThreshold(defaultScheme.bits),
};

/** `listener` gets the set of names that changed. */
export const onChange = (listener) => listeners.push(listener);

export function update(change) {
  const changed = new Set(Object.keys(change).filter((name) => state[name] !== change[name]));
  if (changed.size === 0) return;
  Object.assign(state, change);
  for (const listener of listeners) listener(changed);
}
