// A sentence in an element, translated again when the language changes.
import { onLanguage, t } from '../locales/locale.js';

/** Returns `show(key, values)`. Without a key it hides the element, which is hidden at first. */
export function messageIn(element) {
  let key;
  let values;
  const render = () => {
    element.hidden = key === undefined;
    element.textContent = key === undefined ? '' : t(key, values);
  };
  render();
  onLanguage(render);
  return (newKey, newValues) => {
    [key, values] = [newKey, newValues];
    render();
  };
}
