// Documents that are lines: of JSON, of an array's elements, or of text.
import type { Format } from '../formats/names.js';
import { readLine } from '../node/fields.js';
import { LINE_FEED, linesIn } from '../node/lines.js';
import { Batch, type Batches } from './batch.js';
import { countBytes, type InputIo, MAX_DOCUMENT } from './chunks.js';
import { checkedText } from './encoding.js';
import { type OpenFile, placeIn } from './input-file.js';
import type { Entry } from './part.js';
import { joinParts, returnBuffer } from './spare-buffers.js';
import type { Chunks } from './streams.js';

/** Returns whether a file without line feeds has lines that end with carriage returns alone. Takes linear time. */
function hasReturns(content: Buffer, format: Format): boolean {
  // Saves a string, which may be as long as the longest line.
  if (!content.includes('\r')) return false;
  const text = content.toString('latin1');
  if (format === 'lines') return /\r[^\r]/.test(text);
  for (const [between] of text.matchAll(/\}[\t\r ]*\{/g)) if (between.includes('\r')) return true;
  return false;
}

/** Yields lines in batches. A batch has the lines that have arrived, so a slow source does not delay them. */
export async function* lineBatches(file: OpenFile, content: Chunks, io: InputIo): Batches {
  /** The start of a line whose end has not been read. */
  let held: Buffer[] = [];
  /** The line of what is held, and its length. */
  let [line, size] = [1, 0];
  let isTooLong = false;
  const { format, settings, encoding } = file;
  /** Returns the number of the line, or of the element. */
  const first = () => (format === 'json' ? line - 1 : line);
  const readText = (line: Buffer) => ({ id: null, text: checkedText(line, encoding), scope: '', fields: {} });
  const readJson = (line: Buffer) => readLine(line, settings, encoding, io.noticed.textFields);
  const read = format === 'lines' ? readText : readJson;
  function* entriesOf(bytes: Buffer, first: number): Generator<Entry> {
    for (const { number, start, end } of linesIn(bytes)) {
      yield { number: first + number, start, end, read: () => read(bytes.subarray(start, end - 1)) };
    }
  }
  const batch = (end: Uint8Array): Batch => {
    const bytes = joinParts([...held, end], size + end.length);
    const lines = new Batch(file, { bytes, first: first(), entries: entriesOf(bytes, first()) });
    [held, size] = [[], 0];
    line += countBytes(bytes, LINE_FEED);
    return lines;
  };
  for await (let chunk of content) {
    if (isTooLong) {
      const end = chunk.indexOf(LINE_FEED);
      isTooLong = end < 0;
      if (isTooLong) continue;
      chunk = chunk.subarray(end + 1);
      line++;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    const next = end > 0 ? batch(chunk.subarray(0, end)) : undefined;
    // A copy, so that the buffer is free.
    if (end < chunk.length) held.push(Buffer.from(chunk.subarray(end)));
    size += chunk.length - end;
    // A chunk of a file's elements may be a part of a buffer.
    if (format !== 'json') returnBuffer(chunk);
    if (next !== undefined) yield next;
    if (size <= MAX_DOCUMENT) continue;
    io.reject(placeIn(file, first()), `a line of more than ${MAX_DOCUMENT >> 20} MiB`);
    [held, size, isTooLong] = [[], 0, true];
  }
  // A last line may lack its line feed. After a signal, the last line is incomplete.
  if (size === 0 || io.signal.aborted) return;
  if (line === 1 && hasReturns(Buffer.concat(held), format))
    throw new Error("the lines end with carriage returns alone; tr '\\r' '\\n' makes line feeds of them");
  yield batch(Uint8Array.of(LINE_FEED));
}
