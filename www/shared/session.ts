// Keeps the texts of a tab, so that they survive a reload.
import { contentOf, hasFewLines, type LinkContent, toState } from './share-link.js';
import type { State } from './state.js';

const NAME = 'texts';

/** The limit for what is kept, in UTF-16 code units. Browsers allow a few millions. */
const MAX_LENGTH = 1_000_000;

/** Keeps the texts and settings, or nothing if they are too long. */
export function saveSession(state: State): void {
  const content = contentOf(state);
  const json = hasFewLines(content) ? JSON.stringify(content) : '';
  try {
    if (json === '' || json.length > MAX_LENGTH) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, json);
  } catch {
    // Storage is forbidden or full: the texts last until the page is left.
  }
}

/** Returns the kept texts and settings, or null. Another page of this host may have written them, so they are checked. */
export function loadSession(): Partial<State> | null {
  try {
    const json = sessionStorage.getItem(NAME);
    if (json === null || json.length > MAX_LENGTH) return null;
    const content: LinkContent = JSON.parse(json);
    const { lines } = toState({ ...content, view: 'duplicates' });
    const { view, summaries, ...kept } = toState({ ...content, view: 'compare' });
    return { ...kept, lines };
  } catch {
    return null;
  }
}
