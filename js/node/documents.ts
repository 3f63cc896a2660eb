// Sketches documents: lines of JSON, or texts. This is the work of the worker threads. The module reads most lines
// (lines.ts), and `JSON.parse` reads the others.
import { isAscii, isUtf8 } from 'node:buffer';
import type { Fingerprinter, Id } from '../index.js';
import { BadDocument, type FieldNames, readLine, type TextDocument } from './fields.js';
import { textReader } from './html.js';

export const LINE_FEED = 10;

/** The cells per row, and the index of its kind. wasm/lines/src/batch.rs has the table. */
export const CELLS = 10;
export const KIND = 3;
/** The kind of a line that the module has left to `JSON.parse`. */
export const UNREAD = 0;

/** The maximum bytes of a batch for the module. A larger one has a long line, which would be in memory twice. */
export const MAX_SCANNED: number = 1 << 22;

export interface ReadSettings extends FieldNames {
  /** Whether the texts of records are HTML pages. The main text of each is used. */
  html: boolean;
  key: Uint8Array | undefined;
}

/** Whole lines of JSON, each with its line feed; or, with `ends`, texts in UTF-8. */
export interface Job {
  bytes: Uint8Array<ArrayBuffer>;
  ends?: number[];
  /** The scopes of the texts; undefined if they have none. */
  scopes?: string[] | undefined;
  html: boolean;
  /** The encoding of the file that the lines are from. */
  encoding?: string | undefined;
}

/** Lines that the module has read. */
export interface Scanned {
  /** `CELLS` numbers for each line that is not blank. */
  rows: Uint32Array<ArrayBuffer>;
  /** The binary forms of the sketches, one after the other. */
  sketches: Uint8Array<ArrayBuffer>;
}

/** Reads whole lines in the module, of valid UTF-8. */
export type LineScanner = (bytes: Uint8Array) => Scanned;

/** A text with its sketch in binary and its length in UTF-16 units, or the reason why it has none. */
type Sketched =
  | { id: Id | null; scope: string; length: number; sketch: Uint8Array; message?: undefined }
  | { message: string };

/** The documents of a job, which the batches of js/cli open. A thread sends the typed arrays without a copy. */
export interface Result extends Scanned {
  /** The bytes of the lines; empty for texts. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The texts, or the lines that the module has left to `JSON.parse`, in order. */
  others: Sketched[];
  /** Whether a line may contain U+FFFD. */
  isDamaged: boolean;
  /** The names of the text fields of the lines that the module has left to `JSON.parse`. */
  textFields: Set<string>;
}

/** U+FFFD in UTF-8, and as JSON escapes it. */
const marks = ['\ufffd', '\\ufffd', '\\uFFFD'].map((mark) => Buffer.from(mark));

export const isDamaged = (bytes: Buffer): boolean => marks.some((mark) => bytes.includes(mark));

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** Yields the number, the start and the end of each line that is not blank. The end is after the line feed. */
export function* linesIn(
  bytes: Uint8Array,
): Generator<{ number: number; start: number; end: number }, void, undefined> {
  for (let [start, number] = [0, 0]; start < bytes.length; number++) {
    const end = bytes.indexOf(LINE_FEED, start) + 1;
    if (!isBlank(bytes.subarray(start, end - 1))) yield { number, start, end };
    start = end;
  }
}

/** Returns the rows of lines that are all left to `JSON.parse`. */
function leaveAll(bytes: Uint8Array): Scanned {
  const rows: number[] = [];
  for (const { number, start, end } of linesIn(bytes)) rows.push(number, start, end, UNREAD, 0, 0, 0, 0, 0, 0);
  return { rows: Uint32Array.from(rows), sketches: new Uint8Array() };
}

/**
 * Returns a reader of jobs.
 *
 * `scan` reads lines, and `JSON.parse` reads the lines that it leaves. `isIsolated`: nothing else uses the module, so a text
 * that exhausts memory and restarts the module is only rejected.
 */
export function jobReader(
  fingerprinter: Fingerprinter,
  names: FieldNames,
  scan: LineScanner = leaveAll,
  isIsolated = false,
): (job: Job) => Promise<Result> {
  /** Returns the sketch of a document, or the reason that `read` throws. */
  function sketched(read: () => Omit<TextDocument, 'fields'>): Sketched {
    try {
      const { id, text, scope } = read();
      return { id, scope, length: text.length, sketch: fingerprinter.sketch(text, { scope }).toBytes() };
    } catch (error) {
      if (error instanceof BadDocument) return { message: error.message };
      if (!isIsolated) throw error;
      return { message: `the text cannot be sketched: ${(error as Error).message}` };
    }
  }

  return async ({ bytes, ends, scopes, html, encoding }) => {
    const readText = await textReader(html);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const isLarge = buffer.length > MAX_SCANNED;
    if (ends === undefined) {
      const { rows, sketches } = (isLarge || !isUtf8(buffer) ? leaveAll : scan)(buffer);
      const others: Sketched[] = [];
      const textFields = new Set<string>();
      for (let at = 0; at < rows.length; at += CELLS) {
        if (rows[at + KIND] !== UNREAD) continue;
        const line = buffer.subarray(rows[at + 1], rows[at + 2] - 1);
        others.push(
          sketched(() => {
            const { text, ...others } = readLine(line, names, encoding, textFields);
            return { ...others, text: readText(text) };
          }),
        );
      }
      return { bytes, rows, sketches, others, isDamaged: isDamaged(buffer), textFields };
    }
    const texts = ends.map((end, at) => buffer.subarray(ends[at - 1] ?? 0, end));
    const others = texts.map((text, at): Sketched => {
      const scope = scopes?.[at] ?? '';
      if (html || isLarge) return sketched(() => ({ id: null, scope, text: readText(text.toString()) }));
      const { length } = isAscii(text) ? text : text.toString();
      return { id: null, scope, length, sketch: fingerprinter.sketch(text, { scope }).toBytes() };
    });
    return {
      bytes: new Uint8Array(),
      rows: new Uint32Array(),
      sketches: new Uint8Array(),
      others,
      isDamaged: false,
      textFields: new Set(),
    };
  };
}
