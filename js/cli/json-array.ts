// An array of objects as JSON Lines: each element on a line of its own.
import type { Chunks } from './chunks.js';

const LINE_FEED = 10;
const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE] = [34, 92, 44, 91, 93];
/** A character that JSON does not allow. It stands for a line feed in a string, where that is not allowed either. */
const INVALID = 1;

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
const isOpening = (byte: number): boolean => byte === OPEN || byte === 123;
const isClosing = (byte: number): boolean => byte === CLOSE || byte === 125;

/** The part of the array that may follow, outside of elements. */
type Expected = 'array' | 'first' | 'element' | 'nothing';

/** Splits an array. */
class Splitter {
  #expected: Expected = 'array';
  #isInElement = false;
  #isInString = false;
  #isEscaped = false;
  /** Whether the white space is at the start of a line. */
  #isIndented = false;
  /** The depth within the element. */
  #depth = 0;

  /** Why the rest of the text is not read. */
  error: Error | undefined;

  get isDone(): boolean {
    return this.#expected === 'nothing';
  }

  /** Returns the lines of a part of the array, up to an error. White space at the start of lines is left out. */
  split(chunk: Buffer): Buffer {
    // Each line feed stands for a comma or the end of the array.
    const lines = Buffer.allocUnsafe(chunk.length + 1);
    let length = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (!this.#isInElement) {
        if (isSpace(byte)) continue;
        this.#isInElement = this.#isStart(byte);
        if (this.error !== undefined) break;
        if (!this.#isInElement) continue;
      }
      if (this.#isInString) {
        lines[length++] = byte === LINE_FEED ? INVALID : byte;
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
        continue;
      }
      if (this.#depth === 0 && (byte === COMMA || byte === CLOSE)) {
        lines[length++] = LINE_FEED;
        this.#isInElement = false;
        this.#expected = byte === COMMA ? 'element' : 'nothing';
        continue;
      }
      if (byte === LINE_FEED || byte === 13) this.#isIndented = true;
      if (this.#isIndented && isSpace(byte)) continue;
      this.#isIndented = false;
      lines[length++] = byte;
      if (byte === QUOTE) this.#isInString = true;
      else if (isOpening(byte)) this.#depth++;
      else if (isClosing(byte)) this.#depth--;
    }
    return lines.subarray(0, length);
  }

  /** Reads a character outside of elements, and returns whether an element starts with it. */
  #isStart(byte: number): boolean {
    if (this.#expected === 'array' && byte === OPEN) this.#expected = 'first';
    else if (this.#expected === 'array') this.error = new Error('an array must begin with [');
    else if (this.#expected === 'first' && byte === CLOSE) this.#expected = 'nothing';
    else if (this.#expected === 'nothing')
      this.error = new Error('text after the end of the array; jq -c .[] makes JSON Lines');
    else if (byte === COMMA || isClosing(byte)) this.error = new Error('the array has no element where one must be');
    else return true;
    return false;
  }
}

/** Yields an array as JSON Lines. */
export async function* elementsOf(content: Chunks, signal: AbortSignal): Chunks {
  const splitter = new Splitter();
  for await (const chunk of content) {
    yield splitter.split(chunk);
    if (splitter.error !== undefined) throw splitter.error;
  }
  // After a signal, the end is not read.
  if (!splitter.isDone && !signal.aborted) throw new Error('unexpected end of the array');
}
