// The page's language: the one that the URL names, the reader's choice, or else the browser's language.
import { isLanguage, type Language } from './language.js';
import { loadLanguage } from './saved-language.js';

/** The parameter of the URL that sets the language. Links keep it. */
export const PARAMETER = 'lang';

export function preferredLanguage(): Language {
  const named = new URLSearchParams(location.search).get(PARAMETER);
  const tags = [named, loadLanguage(), ...navigator.languages].filter((tag) => tag !== null);
  return tags.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}
