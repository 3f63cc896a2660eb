// Documents that are lines of JSON: of JSON Lines, or the elements of an array.
import { sketchOf } from '../core/sketch.js';
import type { Id } from '../index.js';
import {
  CELLS,
  type Job,
  KIND,
  LINE_FEED,
  linesIn,
  type Result,
  readLine,
  readObject,
  UNREAD,
} from '../node/documents.js';
import { canonicalId, type JsonObject } from '../node/fields.js';
import { withMembers } from '../node/json.js';
import { type Chunks, countOf, type InputIo, MAX_DOCUMENT } from './chunks.js';
import { type Annotation, Batch, type Batches, Document, type OpenFile, type TextRecord } from './document.js';

/** Kinds of ids of a row. */
const [PLAIN, QUOTED] = [2, 3];

/** Methods of `Buffer` that its declarations lack. They are faster than `toString` for a short string. */
interface Slices {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

const bufferOf = (bytes: Uint8Array<ArrayBuffer>): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

function readId(bytes: Slices, kind: number, start: number, end: number): Id | null {
  if (kind === PLAIN) return canonicalId(bytes.latin1Slice(start, end));
  return kind === QUOTED ? canonicalId(JSON.parse(bytes.utf8Slice(start, end))) : null;
}

/** Lines of JSON that are read together, each with its line feed. */
class LineBatch extends Batch {
  /** The number of the first line. Elements of an array count from 0, as `jq` does. */
  readonly #first: number;
  readonly #isArray: boolean;
  bytes: Uint8Array<ArrayBuffer>;

  constructor(file: OpenFile, line: number, position: number, bytes: Uint8Array<ArrayBuffer>) {
    super(file, position);
    this.#isArray = file.format === 'json';
    this.#first = this.#isArray ? line - 1 : line;
    this.bytes = bytes;
  }

  takeJob(): Job {
    return { bytes: this.bytes, html: this.isHtml };
  }

  open({ bytes, rows, sketches, others }: Result): void {
    this.bytes = bytes;
    const buffer = bufferOf(bytes) as Buffer & Slices;
    let [other, from] = [0, 0];
    for (let at = 0; at < rows.length; at += CELLS) {
      const [number, start, end, kind] = [this.#first + rows[at], rows[at + 1], rows[at + 2], rows[at + KIND]];
      if (kind === UNREAD) {
        const read = others[other++];
        this.add(read, null, number, start, end);
        continue;
      }
      const id = readId(buffer, kind, rows[at + 4], rows[at + 5]);
      const scope = rows[at + 7] === rows[at + 8] ? '' : buffer.utf8Slice(rows[at + 7], rows[at + 8]);
      const sketch = sketchOf(sketches, from, rows[at + 9]);
      this.documents.push(new Document(this, id, number, start, end, rows[at + 6], sketch, scope));
      from = rows[at + 9];
    }
  }

  override placeOf(number: number): string {
    return this.#isArray ? `${this.file.name}[${number}]` : super.placeOf(number);
  }

  fieldsOf({ start, end }: Document): JsonObject {
    return readObject(bufferOf(this.bytes).subarray(start, end)).fields;
  }

  annotate({ start, end }: Document, annotation: Annotation): Buffer {
    // In Latin-1, each byte is a character, and stays as it is.
    const line = bufferOf(this.bytes).toString('latin1', start, end);
    const members = annotation.map(([name, value]): [string, string] => {
      return [name, Buffer.from(JSON.stringify(value)).toString('latin1')];
    });
    return Buffer.from(withMembers(line, new Map(members)), 'latin1');
  }

  *records(): Generator<TextRecord, void, undefined> {
    const bytes = bufferOf(this.bytes);
    for (const { number, start, end } of linesIn(bytes)) {
      yield { number: this.#first + number, read: () => readLine(bytes.subarray(start, end - 1), this.file.settings) };
    }
  }
}

/** Yields lines in batches. A batch has the lines that have arrived, so a slow source does not delay them. */
export async function* lineBatches(file: OpenFile, content: Chunks, io: InputIo): Batches {
  /** The start of a line whose end has not been read. */
  let held: Buffer[] = [];
  /** The line of what is held, its position, and its length. */
  let [line, position, size] = [1, 0, 0];
  let isTooLong = false;
  const batch = (end: Uint8Array): LineBatch => {
    // Its buffer is not part of a pool, since it may be sent to a thread. It is not filled with zeros.
    const bytes = Buffer.allocUnsafeSlow(size + end.length);
    let at = 0;
    for (const piece of [...held, end]) {
      bytes.set(piece, at);
      at += piece.length;
    }
    const lines = new LineBatch(file, line, position, bytes);
    [held, size] = [[], 0];
    line += countOf(bytes, LINE_FEED);
    position += at;
    return lines;
  };
  for await (let chunk of content) {
    if (isTooLong) {
      const end = chunk.indexOf(LINE_FEED);
      isTooLong = end < 0;
      position += isTooLong ? chunk.length : end + 1;
      if (isTooLong) continue;
      chunk = chunk.subarray(end + 1);
      line++;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield batch(chunk.subarray(0, end));
    if (end === chunk.length) continue;
    held.push(chunk.subarray(end));
    size += chunk.length - end;
    if (size <= MAX_DOCUMENT) continue;
    io.reject(`${file.name}:${line}`, `a line of more than ${MAX_DOCUMENT >> 20} MiB`);
    position += size;
    [held, size, isTooLong] = [[], 0, true];
  }
  // A last line may lack its line feed. After a signal, the last line is incomplete.
  if (size > 0 && !io.signal.aborted) yield batch(Uint8Array.of(LINE_FEED));
}
