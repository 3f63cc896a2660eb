// The language that the reader has chosen, in local storage, which the browser may forbid.
import type { Language } from './language.js';

const NAME = 'language';

/** Returns null if none was saved. */
export function loadLanguage(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

export function saveLanguage(language: Language): void {
  try {
    localStorage.setItem(NAME, language);
  } catch {
    // The choice lasts until the page is closed.
  }
}
