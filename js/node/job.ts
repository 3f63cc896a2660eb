// Jobs, the work of a thread: documents to read and to sketch, and the result.
import type { PageWords } from '../html/page-text.js';
import type { Id } from '../index.js';
import type { DocumentRows, LineSpan, PackedRows } from './document-rows.js';
import type { FieldNames } from './fields.js';

/** The maximum bytes of a batch for the module. A larger one has a long line, which would be in memory twice. */
export const MAX_SCANNED: number = 1 << 22;

export interface ReadSettings extends FieldNames {
  /** Whether the texts of records are HTML pages. The main text of each is used. */
  html: boolean;
  key: Uint8Array | undefined;
  /** The field by which one of near-duplicates is kept. */
  keepField?: string | undefined;
  /** The patterns of what is not compared. */
  ignore: readonly string[];
}

/** A text of a job. */
export interface JobText extends LineSpan {
  /** The end of the text in the bytes of the job. */
  textEnd: number;
  id: Id | null;
  /** '' for none. */
  scope: string;
}

/** Whole lines of JSON, each with its line feed; or, with `texts`, texts in UTF-8, one after the other. */
export interface Job {
  bytes: Uint8Array<ArrayBuffer>;
  texts?: readonly JobText[];
  html: boolean;
  /** The encoding of the file that the lines are from. */
  encoding?: string | undefined;
}

/** Reads whole lines in the module, of valid UTF-8. A row states of a line that it is left to `JSON.parse`. */
export type LineScanner = (bytes: Uint8Array) => DocumentRows;

/** A line, row or element that is not a document, and the reason. */
export interface BadRow extends LineSpan {
  message: string;
}

/** A document without text that is kept, and the reason. */
export type TextlessRow = BadRow;

/** A page that is compared by a small part of its words. */
export interface ReportedPage extends LineSpan {
  words: PageWords;
}

/** The documents of a job. A thread sends the buffers without a copy. */
export interface JobResult {
  /** The bytes of the lines; empty for texts. */
  bytes: Uint8Array<ArrayBuffer>;
  documents: PackedRows;
  /** The bad lines, in their order. */
  bad: BadRow[];
  /** The documents without text, which are kept. */
  textless: TextlessRow[];
  /** The pages that are compared by a small part of their words. */
  pages: ReportedPage[];
  /** The names of the text fields of the lines that the module has left to `JSON.parse`. */
  textFields: Set<string>;
}
