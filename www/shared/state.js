// The state that both views share. Listeners get the names of the values that changed.
import { defaultScheme } from '../scheme/scheme.js';
import { defaultThreshold } from '../scheme/threshold.js';

const listeners = [];

export const state = {
  view: 'compare',
  /** The two texts of the compare view. */
  a: '',
  b: '',
  /**
   * From a link that has no room for the texts, or null: `{ fingerprints, sketches }`, each `{ a, b }` in hexadecimal.
   * Old links have no sketches.
   */
  summaries: null,
  /** The lines pasted into the duplicates view. */
  lines: '',
  scheme: defaultScheme,
  /** The resemblance from which two texts are near-duplicates. */
  threshold: defaultThreshold,
};

/** `listener` gets the set of names that changed. */
export const onChange = (listener) => listeners.push(listener);

export function update(change) {
  const changed = new Set(Object.keys(change).filter((name) => state[name] !== change[name]));
  if (changed.size === 0) return;
  Object.assign(state, change);
  for (const listener of listeners) listener(changed);
}
