// A sentence beside a field, which changes with the language.
import { onLanguage, t } from './i18n.js';

/** Returns `say(key, values)`; without a key the sentence goes away. */
export function messageIn(element) {
  let key;
  let values;
  const show = () => {
    element.hidden = key === undefined;
    element.textContent = key === undefined ? '' : t(key, values);
  };
  onLanguage(show);
  return (newKey, newValues) => {
    [key, values] = [newKey, newValues];
    show();
  };
}
