// Splits JSON Lines into batches of whole lines.
import { type Chunks, countOf, type InputIo, MAX_DOCUMENT } from './chunks.js';

const LINE_FEED = 10;

/** Whole lines of a file, each with its line feed. */
export interface Lines {
  /** The number of the first line. */
  first: number;
  /** The position of the first byte in the content. */
  position: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Yields lines in batches. The caller owns their bytes. A batch has the lines that have arrived, so a slow source does not
 * delay them. `name` names the file in messages.
 */
export async function* lineBatches(content: Chunks, name: string, io: InputIo): AsyncGenerator<Lines, void, undefined> {
  let line = 1;
  /** The start of a line whose end has not been read. */
  let held: Buffer[] = [];
  let size = 0;
  /** The number of bytes before those that are held. */
  let position = 0;
  let tooLong = false;

  const batch = (end: Uint8Array): Lines => {
    // Its buffer is not part of a pool, since it may be sent to a thread. It is not filled with zeros.
    const bytes = Buffer.allocUnsafeSlow(size + end.length);
    let at = 0;
    for (const piece of [...held, end]) {
      bytes.set(piece, at);
      at += piece.length;
    }
    held = [];
    size = 0;
    const lines = { first: line, position, bytes };
    line += countOf(bytes, LINE_FEED);
    position += bytes.length;
    return lines;
  };
  const skip = () => {
    io.reject(`${name}:${line}`, `a line of more than ${MAX_DOCUMENT >> 20} MiB`);
    held = [];
    position += size;
    size = 0;
    tooLong = true;
  };

  for await (let chunk of content) {
    if (tooLong) {
      const end = chunk.indexOf(LINE_FEED);
      position += end < 0 ? chunk.length : end + 1;
      if (end < 0) continue;
      chunk = chunk.subarray(end + 1);
      line++;
      tooLong = false;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield batch(chunk.subarray(0, end));
    if (end < chunk.length) {
      held.push(chunk.subarray(end));
      size += chunk.length - end;
      if (size > MAX_DOCUMENT) skip();
    }
  }
  // A last line may lack its line feed. After a signal, the last line is incomplete.
  if (size > 0 && !io.signal.aborted) yield batch(Uint8Array.of(LINE_FEED));
}
