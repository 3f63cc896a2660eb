// Documents, and the batches of the input that they are in.
import { sketchOf } from '../core/sketch.js';
import type { Outcome } from '../decisions/decision.js';
import type { Id, Sketch } from '../index.js';
import type { Job, ReadSettings, Result, TextDocument } from '../node/documents.js';
import type { JsonObject } from '../node/fields.js';
import type { InputIo } from './chunks.js';
import type { Input } from './input.js';
import type { Source } from './input-texts.js';
import type { Format } from './recognise.js';
import type { Table } from './row-batch.js';

/** The fields that --annotate adds to a document. */
export type Annotation = readonly (readonly [name: string, value: string | number | null])[];

/** A document of a batch. */
export class Document {
  /** The decision, once there is one. */
  outcome: Outcome | undefined;
  /** Its id in the set of kept documents, once it is decided. */
  key: Id | undefined;
  readonly batch: Batch;
  readonly id: Id | null;
  /** Its number in the file: of its line, for example. */
  readonly number: number;
  /** The start and the end of its line in the bytes of the batch. */
  readonly start: number;
  readonly end: number;
  /** The length of the text in UTF-16 units. */
  readonly length: number;
  readonly sketch: Sketch;
  /** '' for none. */
  readonly scope: string;

  constructor(
    batch: Batch,
    id: Id | null,
    number: number,
    start: number,
    end: number,
    length: number,
    sketch: Sketch,
    scope: string,
  ) {
    this.batch = batch;
    this.id = id;
    this.number = number;
    this.start = start;
    this.end = end;
    this.length = length;
    this.sketch = sketch;
    this.scope = scope;
  }

  /** Its line, with the line feed. A view made on demand: most lines are written together with their neighbours. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.batch.bytes.subarray(this.start, this.end);
  }

  get place(): string {
    return this.batch.placeOf(this.number);
  }

  /** Its id, or its place if it has none. */
  get name(): Id {
    return this.id ?? this.place;
  }
}

export type Header = Pick<Table, 'bytes' | 'annotate'>;

/** A file whose documents are read. */
export interface OpenFile extends Input {
  readonly format: Format;
  readonly settings: ReadSettings;
  /** The byte order mark. */
  readonly mark: Buffer;
  /** Undefined if the file cannot be read again. */
  source?: Source | undefined;
}

/** Where the bytes of a batch are in a file that can be read again. */
export interface Origin {
  source: Source;
  position: number;
}

/** A document whose text is read without its sketch. */
export interface TextRecord {
  readonly number: number;
  /** Reads the fields; the text may be an HTML page. Throws a `BadDocument` if it is not a document. */
  read: () => TextDocument;
}

/** A part of a file whose documents are read together. A job makes their sketches, or `records` reads their texts. */
export abstract class Batch {
  readonly file: OpenFile;
  readonly origin: Origin | undefined;
  abstract readonly bytes: Uint8Array<ArrayBuffer>;
  readonly documents: Document[] = [];
  readonly rejected: { number: number; message: string }[] = [];
  /** The header of the table that the documents are rows of. */
  readonly header: Header | undefined = undefined;

  /** `position` is the position of the bytes after the byte order mark. */
  constructor(file: OpenFile, position: number) {
    this.file = file;
    this.origin = file.source && { source: file.source, position: file.mark.length + position };
  }

  /** Whether the texts are HTML pages. */
  get isHtml(): boolean {
    return this.file.format === 'html' || this.file.settings.html;
  }

  /** Returns the job. The batch no longer uses its buffer, which may be transferred to a thread. Called once. */
  abstract takeJob(): Job;

  /** Makes the documents of the result of the job. */
  abstract open(result: Result): void;

  /** Adds a document that the job has read, or rejects it. */
  protected add(read: Result['others'][number], id: Id | null, number: number, start: number, end: number): void {
    if (read.message !== undefined) this.rejected.push({ number, message: read.message });
    else {
      const { length, sketch, scope } = read;
      this.documents.push(new Document(this, id ?? read.id, number, start, end, length, sketchOf(sketch), scope));
    }
  }

  /** Reports the rejected lines, rows or elements, in the order of the file. */
  report(io: Pick<InputIo, 'reject'>): void {
    for (const { number, message } of this.rejected.sort((a, b) => a.number - b.number)) {
      io.reject(this.placeOf(number), message);
    }
  }

  /** Returns the file and the place in it of a number. */
  placeOf(number: number): string {
    return `${this.file.name}:${number}`;
  }

  abstract fieldsOf(document: Document): JsonObject;

  /** Returns the line of a document with more fields. */
  abstract annotate(document: Document, annotation: Annotation): Buffer;

  /** Yields the documents, for a reader that needs their texts. */
  abstract records(): Iterable<TextRecord>;
}

export type Batches = AsyncGenerator<Batch, void, undefined>;
