// The messages of the page in its language.
import { toPercent } from '../scheme/threshold.js';
import { en, type Messages } from './en.js';
import type { Language } from './language.js';
import { PARAMETER, preferredLanguage } from './preferred-language.js';
import { saveLanguage } from './saved-language.js';

type MessageKey = keyof Messages;

/** The keys of the messages that depend on values. */
type ValuesKey = { [Key in MessageKey]: Messages[Key] extends string ? never : Key }[MessageKey];

/** The keys of the messages that do not depend on values. */
export type PlainKey = Exclude<MessageKey, ValuesKey>;

/** A message: its key, and the values if it depends on some. */
export type Message =
  | [key: PlainKey]
  | { [Key in ValuesKey]: [key: Key, values: Parameters<Messages[Key]>[0]] }[ValuesKey];

/** Loads the messages of a language. Only the English ones are part of the page. */
const locales: Record<Language, () => Messages | Promise<Messages>> = {
  en: () => en,
  zh: async () => (await import('./zh.js')).zh,
};
const listeners: (() => void)[] = [];

let language = preferredLanguage();
let messages = await locales[language]();

export const currentLanguage = (): Language => language;

/** Returns a message in the page's language. */
export function t(...[key, values]: Message): string {
  const message = messages[key];
  // The type of a message pairs each key with its values.
  return typeof message === 'string' ? message : (message as (values: unknown) => string)(values);
}

/** Returns the name of a message as its key. Throws if no message without values has that name. */
export function plainKey(name: string): PlainKey {
  const isPlain = (key: string): key is PlainKey => typeof en[key as MessageKey] === 'string';
  if (!isPlain(name)) throw new Error(`no message has the name ${name}`);
  return name;
}

/**
 * Formats a number, as all languages of the page do. Not `toLocaleString`, whose first calls delay the first verdict
 * (`benches/page.mjs`).
 */
export const number = (value: number, decimals = 0): string =>
  value.toFixed(decimals).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

export const percent = (share: number, decimals = 0): string => `${number(100 * share, decimals)}%`;

/** Returns the text of a resemblance in whole percent, rounded down. */
export const inPercent = (resemblance: number): string => percent(toPercent(resemblance) / 100);

/** Calls `set` with each element that has an attribute, and with the message that the attribute names. */
function translate(attribute: string, set: (element: Element, message: string) => void): void {
  for (const element of document.querySelectorAll(`[${attribute}]`)) {
    set(element, t(plainKey(element.getAttribute(attribute) ?? '')));
  }
}

/** Sets the text, label or placeholder of every element that names a message key. */
export function translatePage(): void {
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
  document.title = t('title');
  translate('data-t', (element, message) => {
    element.textContent = message;
  });
  translate('data-t-label', (element, message) => element.setAttribute('aria-label', message));
  translate('data-t-placeholder', (element, message) => element.setAttribute('placeholder', message));
}

export function onLanguage(listener: () => void): void {
  listeners.push(listener);
}

export async function setLanguage(chosen: Language): Promise<void> {
  messages = await locales[chosen]();
  language = chosen;
  saveLanguage(chosen);
  const url = new URL(location.href);
  if (url.searchParams.has(PARAMETER)) {
    url.searchParams.set(PARAMETER, chosen);
    history.replaceState(null, '', url);
  }
  translatePage();
  for (const listener of listeners) listener();
}
