// Texts that are replaced at once, and "Undo".
import { byId } from '../shared/dom.js';
import { type State, state, update } from '../shared/state.js';

/** The texts and the scheme before they were last replaced. */
let replaced: Pick<State, 'a' | 'b' | 'summaries' | 'scheme'> | null = null;

/** Replaces texts, and compares them. "Undo" restores the old texts, and then the new ones. */
export function replaceTexts(change: Partial<State>, compareNow: () => void): void {
  const { a, b, summaries, scheme } = state;
  replaced = { a, b, summaries, scheme };
  update(change);
  compareNow();
  byId('undo').hidden = false;
}

export const undo = (compareNow: () => void): void => replaceTexts(replaced ?? {}, compareNow);
