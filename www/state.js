// What both views share. A change is told to everyone who listens, by the names of what changed.
import { defaultRecipe, defaultThreshold } from './recipe.js';

const listeners = [];

export const state = {
  view: 'compare',
  a: '',
  b: '',
  /** The lines pasted into the second view. */
  lines: '',
  /** Two fingerprints from an address that was too long for the texts: `{ a, b }` in hexadecimal, or null. */
  prints: null,
  recipe: defaultRecipe,
  threshold: defaultThreshold(defaultRecipe.bits),
};

/** `listener` gets the set of names that changed. */
export const onChange = (listener) => listeners.push(listener);

export function update(change) {
  const changed = new Set(Object.keys(change).filter((name) => state[name] !== change[name]));
  if (changed.size === 0) return;
  Object.assign(state, change);
  for (const listener of listeners) listener(changed);
}
