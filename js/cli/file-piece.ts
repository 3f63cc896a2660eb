// Documents that are whole files. The path is the id, and the output is the paths of kept files.
import { sketchOf } from '../core/sketch.js';
import type { ReadTexts, TextBatch } from '../node/documents.js';
import type { JsonObject } from '../node/fields.js';
import { type Annotation, Batch, Document, type Origin, type Piece, type TextRecord } from './document.js';

class FileDocument extends Batch {
  readonly file: string;
  readonly bytes: Buffer<ArrayBuffer>;

  constructor(path: string, { lengths, sketches, rejected }: ReadTexts) {
    super();
    this.file = path;
    this.bytes = Buffer.from(`${path}\n`);
    const message = rejected.get(0);
    if (message !== undefined) this.reject(0, message);
    else this.documents.push(new Document(this, path, 0, 0, this.bytes.length, lengths[0], sketchOf(sketches)));
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
  readonly job: { texts: TextBatch };
  readonly origin: Origin | undefined;
  readonly #path: string;

  constructor(path: string, text: Buffer, isHtml: boolean, origin?: Origin) {
    this.origin = origin;
    this.#path = path;
    // Its buffer is not part of a pool, since it may be sent to a thread.
    const bytes = Buffer.allocUnsafeSlow(text.length);
    text.copy(bytes);
    this.job = { texts: { bytes, ends: [bytes.length], html: isHtml } };
  }

  open(result: ReadTexts): Batch {
    return new FileDocument(this.#path, result);
  }

  *records(): Generator<TextRecord, void, undefined> {
    const { bytes, html } = this.job.texts;
    const path = this.#path;
    const read = () => ({ id: path, text: Buffer.from(bytes).toString(), fields: {} });
    yield { file: path, place: path, isHtml: html, read };
  }
}
