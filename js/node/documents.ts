// Sketches documents: lines of JSON, or texts. This is the work of the worker threads. The module reads most lines
// (lines.ts), and `JSON.parse` reads the others.
import { isAscii, isUtf8 } from 'node:buffer';
import type { PageWords } from '../html/page-text.js';
import type { Id, Sketcher, Text } from '../index.js';
import { type DocumentRows, type PackedRows, type Place, RowWriter } from './document-rows.js';
import { type FieldNames, readLine, whyUnread } from './fields.js';
import { type ComparedText, isReported, textReader } from './html.js';
import { invalidBytes } from './wrong-bytes.js';

export const LINE_FEED = 10;

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
export interface JobText extends Place {
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
export interface BadRow extends Place {
  message: string;
}

/** A document without text that is kept, and the reason. */
export type TextlessRow = BadRow;

/** A page of which little is compared. */
export interface ReportedPage extends Place {
  words: PageWords;
}

/** The documents of a job. A thread sends the buffers without a copy. */
export interface Result {
  /** The bytes of the lines; empty for texts. */
  bytes: Uint8Array<ArrayBuffer>;
  documents: PackedRows;
  /** What is not a document, in the order of the lines. */
  bad: BadRow[];
  /** The documents without text, which are kept. */
  textless: TextlessRow[];
  /** The pages of which little is compared. */
  pages: ReportedPage[];
  /** Whether a line may contain U+FFFD. */
  isDamaged: boolean;
  /** The names of the text fields of the lines that the module has left to `JSON.parse`. */
  textFields: Set<string>;
}

/** U+FFFD in UTF-8, and as JSON escapes it. */
const marks = ['\ufffd', '\\ufffd', '\\uFFFD'].map((mark) => Buffer.from(mark));

export const isDamaged = (bytes: Buffer): boolean => marks.some((mark) => bytes.includes(mark));

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** Yields the place of each line that is not blank. The end is after the line feed. */
export function* linesIn(bytes: Uint8Array): Generator<Place, void, undefined> {
  for (let [start, number] = [0, 0]; start < bytes.length; number++) {
    const end = bytes.indexOf(LINE_FEED, start) + 1;
    if (!isBlank(bytes.subarray(start, end - 1))) yield { number, start, end };
    start = end;
  }
}

/** A document that is read for a job. */
type ReadText = Pick<JobText, 'id' | 'scope'> & { text: Text; words?: PageWords; whyNoText?: string | undefined };

/** What is noted of the documents of a job. */
type Noted = Pick<Result, 'bad' | 'textless' | 'pages'>;

const nothingNoted = (): Noted => ({ bad: [], textless: [], pages: [] });

/**
 * Returns a reader of jobs.
 *
 * `scan` reads lines, and `JSON.parse` reads the lines that it leaves; all of them without `scan`. `isIsolated`: nothing else uses
 * the module, so a text that exhausts memory and restarts the module is only rejected.
 */
export function jobReader(
  sketcher: Sketcher,
  settings: FieldNames & Partial<ReadSettings>,
  scan?: LineScanner,
  isIsolated = false,
): (job: Job) => Promise<Result> {
  /**
   * Adds the document of a place to `documents`, or the reason that `read` throws to `bad`. If the module fails and is not isolated,
   * the documents of a set may be lost, so the error is thrown.
   */
  function add(place: Place, read: () => ReadText, documents: RowWriter, { bad, textless, pages }: Noted): void {
    const { number, start, end } = place;
    let document: ReadText;
    try {
      document = read();
    } catch (error) {
      bad.push({ number, start, end, message: whyUnread(error) });
      return;
    }
    const { id, text, scope, words, whyNoText } = document;
    let sketch: Uint8Array;
    try {
      sketch = sketcher.sketch(text, { scope }).toBytes();
    } catch (error) {
      if (!isIsolated) throw error;
      bad.push({ number, start, end, message: `the text cannot be sketched: ${(error as Error).message}` });
      return;
    }
    const { length } = typeof text === 'string' || isAscii(text) ? text : Buffer.from(text).toString();
    documents.add({ number, start, end, id, length, hasScope: scope !== '', sketch });
    if (whyNoText !== undefined) textless.push({ number, start, end, message: whyNoText });
    if (words !== undefined && isReported(words)) pages.push({ number, start, end, words });
  }

  function readTexts(buffer: Buffer, texts: readonly JobText[], readText?: (text: string) => ComparedText) {
    const documents = new RowWriter();
    const noted = nothingNoted();
    let start = 0;
    for (const place of texts) {
      const { textEnd, id, scope } = place;
      const text = buffer.subarray(start, textEnd);
      start = textEnd;
      const read = () => ({ id, scope, ...(readText === undefined ? { text } : readText(text.toString())) });
      add(place, read, documents, noted);
    }
    return { documents: documents.finish(), ...noted };
  }

  /** Returns what `scan` reads; undefined if there is none, or if it fails where nothing else uses the module. */
  function scanLines(buffer: Buffer): DocumentRows | undefined {
    try {
      return scan?.(buffer);
    } catch (error) {
      if (!isIsolated) throw error;
      return undefined;
    }
  }

  function readLines(
    buffer: Buffer,
    canScan: boolean,
    readJson: (line: Buffer) => ReadText,
  ): Noted & { documents: DocumentRows } {
    const noted = nothingNoted();
    const documents = new RowWriter();
    const addLine = (place: Place) =>
      add(place, () => readJson(buffer.subarray(place.start, place.end - 1)), documents, noted);
    const scanned = canScan ? scanLines(buffer) : undefined;
    if (scanned === undefined) {
      for (const place of linesIn(buffer)) addLine(place);
      return { documents: documents.finish(), ...noted };
    }
    /** The first row that is not in `documents`. */
    let first = 0;
    for (let at = 0; at < scanned.count; at++) {
      if (!scanned.isUnread(at)) continue;
      documents.addAll(scanned, first, at);
      addLine(scanned.placeAt(at));
      first = at + 1;
    }
    if (first === 0) return { documents: scanned, ...noted };
    documents.addAll(scanned, first, scanned.count);
    return { documents: documents.finish(), ...noted };
  }

  return async ({ bytes, texts, html, encoding }) => {
    const { keepBad, ignore = [] } = settings;
    const readText = html || ignore.length > 0 ? await textReader({ isHtml: html, keepBad, ignore }) : undefined;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const textFields = new Set<string>();
    if (texts !== undefined) {
      const { documents, ...noted } = readTexts(buffer, texts, readText);
      return { bytes: new Uint8Array(), documents: documents.packed, ...noted, isDamaged: false, textFields };
    }
    const describe = () => invalidBytes(encoding ?? 'utf-8', buffer);
    const readJson = (line: Buffer): ReadText => {
      const { id, text, scope, whyNoText } = readLine(line, settings, describe, textFields);
      if (readText === undefined || whyNoText !== undefined) return { id, scope, text, whyNoText };
      return { id, scope, ...readText(text) };
    };
    const { documents, ...noted } = readLines(buffer, buffer.length <= MAX_SCANNED && isUtf8(buffer), readJson);
    return { bytes, documents: documents.packed, ...noted, isDamaged: isDamaged(buffer), textFields };
  };
}
