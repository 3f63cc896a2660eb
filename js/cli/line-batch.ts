// Documents that are lines of JSON: of JSON Lines, or the elements of an array.
import { sketchOf } from '../core/sketch.js';
import type { Id } from '../index.js';
import {
  CELLS,
  type Job,
  KIND,
  linesIn,
  parseObject,
  type ReadSettings,
  type Result,
  UNREAD,
} from '../node/documents.js';
import { canonicalId, idOf, type JsonObject, textOf } from '../node/fields.js';
import { withMembers } from '../node/json.js';
import { type Annotation, Batch, Document, type Origin, type TextRecord } from './document.js';

/** Kinds of ids of a row. */
const [PLAIN, QUOTED] = [2, 3];

/** Methods of `Buffer` that its declarations lack. They are faster than `toString` for a short string. */
interface Slices {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

const bufferOf = (bytes: Uint8Array<ArrayBuffer>): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Returns the id at `start` to `end`, or null. */
function readId(bytes: Slices, kind: number, start: number, end: number): Id | null {
  if (kind === PLAIN) return canonicalId(bytes.latin1Slice(start, end));
  return kind === QUOTED ? canonicalId(JSON.parse(bytes.utf8Slice(start, end))) : null;
}

/** A file with lines of JSON. */
export interface LineFile extends ReadSettings {
  name: string;
  /** Whether the lines are elements of an array. Their numbers count from 0, as `jq` does. */
  isArray: boolean;
}

/** Lines of JSON that are read together. */
export class LineBatch extends Batch {
  readonly #file: LineFile;
  readonly #first: number;
  bytes: Uint8Array<ArrayBuffer>;

  /** `first` is the number of the first line. */
  constructor(file: LineFile, first: number, bytes: Uint8Array<ArrayBuffer>, origin?: Origin) {
    super(file.name, file.html, origin);
    this.#file = file;
    this.#first = first;
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
        this.add(read, read.message === undefined ? read.id : null, number, start, end);
        continue;
      }
      const id = readId(buffer, kind, rows[at + 4], rows[at + 5]);
      const sketch = sketchOf(sketches, from, rows[at + 7]);
      this.documents.push(new Document(this, id, number, start, end, rows[at + 6], sketch));
      from = rows[at + 7];
    }
  }

  override placeOf(number: number): string {
    return this.#file.isArray ? `${this.file}[${number}]` : super.placeOf(number);
  }

  fieldsOf({ start, end }: Document): JsonObject {
    return parseObject(bufferOf(this.bytes).subarray(start, end)).object;
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
    const { idField, textField } = this.#file;
    const bytes = bufferOf(this.bytes);
    for (const { number, start, end } of linesIn(bytes)) {
      yield {
        number: this.#first + number,
        read() {
          const { json, object } = parseObject(bytes.subarray(start, end - 1));
          return { id: idOf(json, object, idField), text: textOf(object, textField), fields: object };
        },
      };
    }
  }
}
