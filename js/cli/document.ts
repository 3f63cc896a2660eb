// The documents of a batch that a batch reader has read (js/node/documents.ts).
import { isBytes } from '../core/check.js';
import { sketchOf } from '../core/sketch.js';
import type { Id } from '../core/types.js';
import type { ResemblanceHit } from '../index.js';
import { CELLS, KIND, type ReadBatch, type Summaries, type SummaryKind, UNREAD } from '../node/documents.js';

/** The kinds of ids. */
const [NUMBER, STRING, JSON_STRING] = [2, 3, 4];

/** Methods of `Buffer` that its declarations lack. They are faster than `toString` for a short string. */
interface Slices {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** Returns the id at `start` to `end`, or null. A number is in the row itself. */
function readId(bytes: Slices, kind: number, start: number, end: number): Id | null {
  if (kind === NUMBER) return (end | 0) * 2 ** 32 + start;
  if (kind === STRING) return bytes.latin1Slice(start, end);
  return kind === JSON_STRING ? JSON.parse(bytes.utf8Slice(start, end)) : null;
}

/** The kept document that a near-duplicate resembles, by the kind of the summary. */
export interface Hits {
  sketch: ResemblanceHit;
  fingerprint: { id: Id; distance: number };
}

/** A document of a batch. */
export class Document<Kind extends SummaryKind = SummaryKind> {
  /** The kept near-duplicate, if the document is decided to be one. */
  hit: Hits[Kind] | undefined;
  /** The id under which the document is kept, if it is. */
  stored: Id | undefined;
  readonly batch: Batch<Kind>;
  id: Id;
  /** The number of its line in the file. */
  readonly line: number;
  /** The start and the end of its line in the bytes of the batch. */
  readonly start: number;
  readonly end: number;
  /** The length of the text in UTF-16 units. */
  readonly length: number;
  readonly summary: Summaries[Kind];

  constructor(
    batch: Batch<Kind>,
    id: Id,
    line: number,
    start: number,
    end: number,
    length: number,
    summary: Summaries[Kind],
  ) {
    this.batch = batch;
    this.id = id;
    this.line = line;
    this.start = start;
    this.end = end;
    this.length = length;
    this.summary = summary;
  }

  /** Its line, with the line feed. A view made on demand: most lines are written together with their neighbours. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.batch.bytes.subarray(this.start, this.end);
  }

  /** The name of its file. */
  get name(): string {
    return this.batch.name;
  }
}

/** The documents of whole lines of a file, and the lines that are not documents. */
export interface Batch<Kind extends SummaryKind = SummaryKind> {
  /** The name of the file. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly documents: Document<Kind>[];
  readonly badLines: { line: number; message: string }[];
}

/** Returns the documents of a batch whose summaries are of this kind. */
export function documentsOf<Kind extends SummaryKind>({
  name,
  line: first,
  bytes,
  rows,
  sketches,
  others,
}: ReadBatch): Batch<Kind> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) as Buffer & Slices;
  const batch: Batch<Kind> = { name, bytes, documents: [], badLines: [] };
  const add = (id: Id, line: number, start: number, end: number, length: number, summary: Summaries[SummaryKind]) => {
    // A batch reader makes summaries of one kind.
    batch.documents.push(new Document(batch, id, line, start, end, length, summary as Summaries[Kind]));
  };
  let [other, from] = [0, 0];
  for (let at = 0; at < rows.length; at += CELLS) {
    const [line, start, end, kind] = [first + rows[at], rows[at + 1], rows[at + 2], rows[at + KIND]];
    if (kind !== UNREAD) {
      const id = readId(buffer, kind, rows[at + 4], rows[at + 5]) ?? `${name}:${line}`;
      add(id, line, start, end, rows[at + 6], sketchOf(sketches, from, rows[at + 7]));
      from = rows[at + 7];
      continue;
    }
    const read = others[other++];
    if (read.message !== undefined) {
      batch.badLines.push({ line, message: read.message });
      continue;
    }
    const { id, length, summary } = read;
    add(id, line, start, end, length, isBytes(summary) ? sketchOf(summary) : summary);
  }
  return batch;
}
