// A part of a file, as the reader of its format has divided it.
import type { TextDocument } from '../node/fields.js';

/** A line, row, element or file whose text is read without its sketch. */
export interface Entry {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** Reads the document; the text may be an HTML page. Throws if it is not a document: `whyUnread` returns the reason. */
  read(): TextDocument;
}

/** Whole lines, or rows of a table. */
export interface Part {
  /** The lines as they are written. */
  bytes: Buffer<ArrayBuffer>;
  /** The number of the first line. Elements of an array count from 0, as `jq` does. */
  first?: number;
  /** The lines, rows or files, for a reader without a job. */
  entries: Iterable<Entry>;
}

/** The fields that --annotate adds to a document, in the order of the columns of a table. */
export type Annotation = Readonly<Record<string, string | number | null>>;
