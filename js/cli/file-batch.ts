// Documents that are whole files. The path is the id, and the output is the paths of kept files.
import type { Job, Result } from '../node/documents.js';
import type { JsonObject } from '../node/fields.js';
import { joinTexts } from '../node/workers.js';
import { type Annotation, Batch, type Document, type OpenFile, type TextRecord } from './document.js';

/** A file with one document. */
export class FileBatch extends Batch {
  readonly bytes: Buffer<ArrayBuffer>;
  #text: Buffer;

  constructor(file: OpenFile, text: Buffer) {
    super(file, 0);
    this.bytes = Buffer.from(`${file.name}\n`);
    this.#text = text;
  }

  takeJob(): Job {
    const job = { ...joinTexts([this.#text]), html: this.isHtml };
    this.#text = Buffer.alloc(0);
    return job;
  }

  open({ others: [read] }: Result): void {
    this.add(read, this.file.name, 0, 0, this.bytes.length);
  }

  override placeOf(): string {
    return this.file.name;
  }

  fieldsOf(): JsonObject {
    return {};
  }

  annotate(_: Document, annotation: Annotation): Buffer {
    return Buffer.from(`${JSON.stringify({ id: this.file.name, ...Object.fromEntries(annotation) })}\n`);
  }

  *records(): Generator<TextRecord, void, undefined> {
    yield { number: 0, read: () => ({ id: this.file.name, text: this.#text.toString(), scope: '', fields: {} }) };
  }
}
