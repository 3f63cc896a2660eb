// Lines of bytes.
import type { LineSpan } from './document-rows.js';

export const LINE_FEED = 10;

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** Yields the span of each line that is not blank. The end is after the line feed. */
export function* linesIn(bytes: Uint8Array): Generator<LineSpan, void, undefined> {
  for (let [start, number] = [0, 0]; start < bytes.length; number++) {
    const end = bytes.indexOf(LINE_FEED, start) + 1;
    // An empty line takes no object of its own: a file may have a billion.
    if (start < end - 1 && !isBlank(bytes.subarray(start, end - 1))) yield { number, start, end };
    start = end;
  }
}
