// The state that both views share. Listeners get the names of the values that changed.
import { defaultScheme, type Scheme } from '../scheme/scheme.js';
import { defaultThreshold } from '../scheme/threshold.js';
import type { Pair } from './pair.js';

export type View = 'compare' | 'duplicates';

/** The fingerprints and sketches of two texts, in hexadecimal. */
export interface Summaries {
  fingerprints: Pair<string>;
  sketches: Pair<string>;
}

export interface State {
  view: View;
  /** The two texts of the compare view. */
  a: string;
  b: string;
  /** From a link that does not hold the texts, or null. */
  summaries: Summaries | null;
  /** The lines pasted into the duplicates view. */
  lines: string;
  scheme: Scheme;
  /** The resemblance from which two texts are near-duplicates. */
  threshold: number;
}

/** Receives the names of the values that changed. */
export type StateListener = (changed: ReadonlySet<keyof State>) => void;

const listeners: StateListener[] = [];

export const state: Readonly<State> = {
  view: 'compare',
  a: '',
  b: '',
  summaries: null,
  lines: '',
  scheme: defaultScheme,
  threshold: defaultThreshold,
};

export function onChange(listener: StateListener): void {
  listeners.push(listener);
}

export function update(change: Partial<State>): void {
  const names = Object.keys(change) as (keyof State)[];
  const changed = new Set(names.filter((name) => state[name] !== change[name]));
  if (changed.size === 0) return;
  Object.assign(state, change);
  for (const listener of listeners) listener(changed);
}
