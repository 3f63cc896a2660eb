// What a batch has: lines, rows, elements or files. Some are documents.
import type { LineSpan } from '../node/document-rows.js';
import type { BadRow } from '../node/job.js';
import type { Batch } from './batch.js';

/** A line, a row, an element or a file of a batch. */
export class Line {
  readonly batch: Batch;
  readonly #span: LineSpan;

  constructor(batch: Batch, span: LineSpan) {
    this.batch = batch;
    this.#span = span;
  }

  /** The start and the end of its line in the bytes of the batch. */
  get start(): number {
    return this.#span.start;
  }

  get end(): number {
    return this.#span.end;
  }

  /** Its line, with the line feed. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.batch.bytes.subarray(this.start, this.end);
  }

  /** Its place in messages and reports: the file and its number. */
  get place(): string {
    return this.batch.placeOf(this.batch.first + this.#span.number);
  }
}

/** A line that is not a document. */
export class BadLine extends Line {
  /** The reason. */
  readonly message: string;

  constructor(batch: Batch, { message, ...span }: BadRow) {
    super(batch, span);
    this.message = message;
  }
}
