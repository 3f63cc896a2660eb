// A sentence in an element, translated again when the language changes.
import { type Message, onLanguage, t } from '../locales/locale.js';

/** Shows a message, or hides the element. */
export type ShowMessage = (...message: Message | []) => void;

/** Returns the function that sets the message of an element, which is hidden at first. */
export function messageIn(element: HTMLElement): ShowMessage {
  let shown: Message | [] = [];
  const render = () => {
    element.hidden = shown.length === 0;
    element.textContent = shown.length === 0 ? '' : t(...shown);
  };
  render();
  onLanguage(render);
  return (...message) => {
    shown = message;
    render();
  };
}
