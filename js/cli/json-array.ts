// An array as JSON Lines: each element on a line of its own.
import { isClosing, isOpening } from '../node/json.js';
import { LINE_FEED } from '../node/lines.js';
import type { Chunks } from './streams.js';

const [RETURN, SPACE, QUOTE, COMMA, COLON, OPEN, BACKSLASH, CLOSE] = [13, 32, 34, 44, 58, 91, 92, 93];
/** A character that JSON does not allow. It replaces a line feed in a string, so that `JSON.parse` rejects the element. */
const INVALID = 1;

/** Returns whether JSON allows a byte between tokens. */
const isSpace = (byte: number): boolean => byte === SPACE || byte === 9 || byte === LINE_FEED || byte === RETURN;

/** Returns whether a byte outside strings can be part of a number, `true`, `false` or `null`. */
const isInWord = (byte: number): boolean =>
  !isSpace(byte) && byte !== QUOTE && byte !== COMMA && byte !== COLON && !isOpening(byte) && !isClosing(byte);

const NO_ELEMENT = 'the array has no element where one must be';

/** The messages for a damaged text, by what must come next: the array, its first element, another element, or nothing. */
const errors = {
  array: 'an array must begin with [',
  first: NO_ELEMENT,
  element: NO_ELEMENT,
  end: 'text after the end of the array; jq -c .[] makes JSON Lines',
} as const;

/**
 * Yields an array as JSON Lines. Line breaks, and white space at the start of lines, are left out, except a space for a break
 * between two words, which would become one.
 */
export async function* elementsOf(content: Chunks | readonly Buffer[], signal: AbortSignal): Chunks {
  let expected: keyof typeof errors = 'array';
  let [isInElement, isInString, isEscaped, isIndented, depth] = [false, false, false, false, 0];
  /** Whether the last byte that is not left out is part of a word. */
  let isAfterWord = false;
  let error: Error | undefined;
  for await (const chunk of content) {
    // A line feed replaces a comma or the end of the array, and a space a break, which can be in the chunk before.
    const lines = Buffer.allocUnsafe(chunk.length + 1);
    let length = 0;
    for (let at = 0; at < chunk.length && error === undefined; at++) {
      const byte = chunk[at];
      if (isInString) {
        lines[length++] = byte === LINE_FEED ? INVALID : byte;
        if (byte === QUOTE && !isEscaped) isInString = false;
        isEscaped = byte === BACKSLASH && !isEscaped;
      } else if (isSpace(byte)) {
        if (byte === LINE_FEED || byte === RETURN) isIndented = true;
        if (!isInElement || isIndented) continue;
        lines[length++] = byte;
        isAfterWord = false;
      } else if (isInElement && depth === 0 && (byte === COMMA || byte === CLOSE)) {
        lines[length++] = LINE_FEED;
        isInElement = false;
        expected = byte === COMMA ? 'element' : 'end';
      } else if (expected === 'array' && byte === OPEN) {
        expected = 'first';
      } else if (expected === 'first' && byte === CLOSE && !isInElement) {
        expected = 'end';
      } else if (
        isInElement ||
        ((expected === 'first' || expected === 'element') && byte !== COMMA && !isClosing(byte))
      ) {
        if (isInElement && isIndented && isAfterWord && isInWord(byte)) lines[length++] = SPACE;
        [isInElement, isIndented, isAfterWord] = [true, false, isInWord(byte)];
        lines[length++] = byte;
        if (byte === QUOTE) isInString = true;
        else if (isOpening(byte)) depth++;
        else if (isClosing(byte)) depth--;
      } else error = new Error(errors[expected]);
    }
    yield lines.subarray(0, length);
    if (error !== undefined) throw error;
  }
  // After a signal, the end is not read.
  if (expected === 'end' || signal.aborted) return;
  // The last element may be whole.
  if (isInElement && !isInString && depth === 0) yield Buffer.of(LINE_FEED);
  throw new Error('unexpected end of the array');
}
