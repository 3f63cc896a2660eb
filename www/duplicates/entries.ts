// The entries of a source: lines, JSON Lines, the elements of a JSON array, or the rows of a table.
import { excessOf } from '../../js/node/json.js';
import type { Format } from './format.js';
import { Slices } from './slices.js';
import { type Entries, type Entry, readTable } from './table.js';

/** No JSON of fewer characters is too deep or too large. */
const SMALL = 1000;

/** Returns the value of a JSON line if it is a string or an object, and not so deep or large that it takes all memory. */
function parse(raw: string): Entry['fields'] | null {
  if (raw.length > SMALL && excessOf(new TextEncoder().encode(raw)) !== undefined) return null;
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === 'string') return value;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Yields the lines of a text, without their line ends. The last line end starts no line. */
function* linesOf(source: string): Generator<string> {
  const lineEnd = /\r\n|\n|\r/g;
  let start = 0;
  for (let end = lineEnd.exec(source); end !== null; end = lineEnd.exec(source)) {
    yield source.slice(start, end.index);
    start = lineEnd.lastIndex;
  }
  if (start < source.length) yield source.slice(start);
}

/** Returns the position after the string that begins at a position. */
function endOfString(source: string, start: number): number {
  for (let end = source.indexOf('"', start + 1); end >= 0; end = source.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (source[end - backslashes - 1] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return source.length;
}

/**
 * Yields the source of each element of a JSON array, in one line. A part that cannot be an element is yielded too, and so is
 * the last part of an array without an end: they are not JSON.
 */
export function* elementsOf(source: string): Generator<string> {
  const mark = /["[\]{},]/g;
  mark.lastIndex = source.indexOf('[') + 1;
  let start = mark.lastIndex;
  let depth = 0;
  // Line feeds are not allowed in strings, so these are between values.
  const part = (end: number): string =>
    source
      .slice(start, end)
      .trim()
      .replace(/[\r\n]+[ \t\r\n]*/g, ' ');
  for (let match = mark.exec(source); match !== null; match = mark.exec(source)) {
    const [character] = match;
    if (character === '"') mark.lastIndex = endOfString(source, match.index);
    else if (character === '[' || character === '{') depth++;
    else if (depth > 0) {
      if (character !== ',') depth--;
    } else {
      const element = part(match.index);
      start = mark.lastIndex;
      if (element !== '' || character === ',') yield element;
      if (character !== ',') break;
    }
  }
  const rest = part(source.length);
  if (rest !== '') yield rest;
}

/** Reads a source. `progress` receives the share that is read. */
export async function readEntries(source: string, format: Format, progress: (share: number) => void): Promise<Entries> {
  if (format === 'table') return readTable(source, progress);
  const entries: Entry[] = [];
  const broken: number[] = [];
  const slices = new Slices();
  let line = 0;
  for (const raw of format === 'json' ? elementsOf(source) : linesOf(source)) {
    line++;
    await slices.next();
    const isBlank = raw.trim() === '';
    const fields = format === 'lines' || (isBlank && format === 'jsonl') ? raw : parse(raw);
    if (fields === null) broken.push(line);
    else entries.push({ line, raw, fields });
  }
  return { entries, broken };
}
