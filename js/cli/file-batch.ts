// Documents that are whole files. The path is the id, and the output is the paths of kept files.
import type { Job, Result } from '../node/documents.js';
import type { JsonObject } from '../node/fields.js';
import { type Annotation, Batch, type Document, jobOf, type Origin, type TextRecord } from './document.js';

/** A file with one document. */
export class FileBatch extends Batch {
  readonly bytes: Buffer<ArrayBuffer>;
  #text: Buffer;

  constructor(path: string, text: Buffer, isHtml: boolean, origin?: Origin) {
    super(path, isHtml, origin);
    this.bytes = Buffer.from(`${path}\n`);
    this.#text = text;
  }

  takeJob(): Job {
    const job = jobOf([this.#text], this.isHtml);
    this.#text = Buffer.alloc(0);
    return job;
  }

  open({ others: [read] }: Result): void {
    this.add(read, this.file, 0, 0, this.bytes.length);
  }

  override placeOf(): string {
    return this.file;
  }

  fieldsOf(): JsonObject {
    return {};
  }

  annotate(_: Document, annotation: Annotation): Buffer {
    return Buffer.from(`${JSON.stringify({ id: this.file, ...Object.fromEntries(annotation) })}\n`);
  }

  *records(): Generator<TextRecord, void, undefined> {
    yield { number: 0, read: () => ({ id: this.file, text: this.#text.toString(), fields: {} }) };
  }
}
