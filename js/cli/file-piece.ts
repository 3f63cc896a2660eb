// Documents that are whole files. The path is the id, and the output is the paths of kept files.
import { sketchOf } from '../core/sketch.js';
import type { Job, Result } from '../node/documents.js';
import type { JsonObject } from '../node/fields.js';
import { type Annotation, Batch, Document, type Origin, type Piece, type TextRecord } from './document.js';

class FileDocument extends Batch {
  readonly file: string;
  readonly bytes: Buffer<ArrayBuffer>;

  constructor(path: string, { others: [read] }: Result) {
    super();
    this.file = path;
    this.bytes = Buffer.from(`${path}\n`);
    if (read.message !== undefined) this.reject(0, read.message);
    else this.documents.push(new Document(this, path, 0, 0, this.bytes.length, read.length, sketchOf(read.sketch)));
  }

  placeOf(): string {
    return this.file;
  }

  fieldsOf(): JsonObject {
    return {};
  }

  annotate(_: Document, annotation: Annotation): Buffer {
    return Buffer.from(`${JSON.stringify({ id: this.file, ...Object.fromEntries(annotation) })}\n`);
  }
}

/** A file with one document. */
export class FilePiece implements Piece {
  readonly job: Job;
  readonly origin: Origin | undefined;
  readonly #path: string;

  constructor(path: string, text: Buffer, isHtml: boolean, origin?: Origin) {
    this.origin = origin;
    this.#path = path;
    // Its buffer is not part of a pool, since it may be sent to a thread.
    const bytes = Buffer.allocUnsafeSlow(text.length);
    text.copy(bytes);
    this.job = { bytes, ends: [bytes.length], html: isHtml };
  }

  open(result: Result): Batch {
    return new FileDocument(this.#path, result);
  }

  *records(): Generator<TextRecord, void, undefined> {
    const { bytes } = this.job;
    const path = this.#path;
    const read = () => ({ id: path, text: Buffer.from(bytes).toString(), fields: {} });
    yield { file: path, place: path, read };
  }
}
