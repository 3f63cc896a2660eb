// The direction of the text of a field.
import { hasMoreLines } from './lines.js';

/**
 * The maximum characters and lines of a text whose lines may differ in direction. The browser finds the direction of all
 * lines again for every line that it lays out: 100,000 lines would block it for half a minute.
 */
const [MAX_LENGTH, MAX_LINES] = [1e5, 1000];

const rightToLeft = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns the value of the attribute `dir` for a text: one direction for a long text, else one for each line. */
function directionOf(text: string): 'auto' | 'ltr' | 'rtl' {
  if (text.length <= MAX_LENGTH && !hasMoreLines(text, MAX_LINES)) return 'auto';
  return rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';
}

/** Returns a function that sets a field's direction for a text. Sets it before a long paste, unless that is refused. */
export function followDirection(area: HTMLTextAreaElement): (text: string) => void {
  area.addEventListener('beforeinput', ({ data, defaultPrevented }) => {
    // The browser lays out a paste before the event `input`.
    const direction = directionOf(data ?? '');
    if (direction !== 'auto' && !defaultPrevented) area.dir = direction;
  });
  return (text) => {
    area.dir = directionOf(text);
  };
}
