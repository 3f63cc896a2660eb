// The page's language: that of the browser until the reader chooses another.
import { remember, remembered } from './settings.js';
import { en } from './words-en.js';
import { zh } from './words-zh.js';

const languages = { en, zh };
const listeners = [];

function preferred() {
  const wanted = [remembered('language'), ...navigator.languages].filter(Boolean);
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in languages) ?? 'en';
}

let language = preferred();

export const currentLanguage = () => language;

/** The words of a key. Those that depend on values are functions of them. */
export function t(key, values) {
  const words = languages[language][key];
  return typeof words === 'function' ? words(values) : words;
}

/** A number as the language writes it, with so many decimals. */
export const number = (value, decimals = 0) =>
  value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** Puts the words into every element of the page that names a key. */
export function translate() {
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
  document.title = t('title');
  for (const element of document.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll('[data-t-label]')) {
    element.setAttribute('aria-label', t(element.dataset.tLabel));
  }
  for (const element of document.querySelectorAll('[data-t-placeholder]')) {
    element.placeholder = t(element.dataset.tPlaceholder);
  }
}

export const onLanguage = (listener) => listeners.push(listener);

export function setLanguage(chosen) {
  language = chosen;
  remember('language', chosen);
  translate();
  for (const listener of listeners) listener();
}
