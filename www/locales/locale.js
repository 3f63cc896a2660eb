// The page's language: the reader's choice, or else the browser's language.
import { loadSetting, saveSetting } from '../shared/settings.js';
import { en } from './en.js';
import { zh } from './zh.js';

const locales = { en, zh };
const listeners = [];

function preferredLanguage() {
  const tags = [loadSetting('language'), ...navigator.languages].filter(Boolean);
  return tags.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in locales) ?? 'en';
}

let language = preferredLanguage();

export const currentLanguage = () => language;

/** Returns the message of a key. A message that depends on values is a function of them. */
export function t(key, values) {
  const message = locales[language][key];
  return typeof message === 'function' ? message(values) : message;
}

/**
 * Formats a number, as all languages of the page do. Not `toLocaleString`, whose first calls delay the first verdict
 * (`benches/page.mjs`).
 */
export const number = (value, decimals = 0) => value.toFixed(decimals).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

export const percent = (share, decimals = 0) => `${number(100 * share, decimals)}%`;

/** Sets the text, label or placeholder of every element that names a message key. */
export function translatePage() {
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
  saveSetting('language', chosen);
  translatePage();
  for (const listener of listeners) listener();
}
