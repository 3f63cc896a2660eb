// Reads documents from JSON Lines and summarizes their texts: the work of the worker threads. The module reads the
// lines that it can (lines.ts), and `JSON.parse` the others.
import { summarize } from '../core/short-text.js';
import type { Fingerprinter, Sketch } from '../index.js';
import { htmlReader } from './html.js';

const LINE_FEED = 10;

/** The cells of a row. src/json/batch.rs has the table. */
export const CELLS = 8;
/** The cell of the kind. */
export const KIND = 3;

/** The kind of a line that the module has left to `JSON.parse`. */
export const UNREAD = 0;

/** A longer batch has a long line, which would take as much memory again in the module. In bytes. */
export const MAX_SCANNED: number = 1 << 22;

/** The fingerprint of a text, and its words if the text is short: all that the Hamming rule needs. */
export interface TextSummary {
  fingerprint: bigint;
  words: string | undefined;
}

/** The kinds of summaries of a text. */
export interface Summaries {
  sketch: Sketch;
  fingerprint: TextSummary;
}

export type SummaryKind = keyof Summaries;

/** How lines are read. */
export interface ReadSettings<Kind extends SummaryKind = SummaryKind> {
  textField: string;
  idField: string;
  /** Whether the texts are HTML pages. The main text of each is used. */
  html: boolean;
  /** Default: `'fingerprint'`. */
  summary?: Kind;
}

/** Whole lines of a file. */
export interface LineBatch {
  /** The name of the file. */
  name: string;
  /** The number of the first line. */
  line: number;
  /** The lines with their line feeds. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Lines that the module has read. */
export interface Scanned {
  /** `CELLS` numbers for each line that is not blank. */
  rows: Uint32Array<ArrayBuffer>;
  /** The binary forms of the sketches, one after the other. */
  sketches: Uint8Array<ArrayBuffer>;
}

/** Reads whole lines in the module. */
export type LineScanner = (bytes: Uint8Array) => Scanned;

/** A document that `JSON.parse` has read. */
interface ParsedDocument {
  id: string | number;
  /** The length of the text in UTF-16 units. */
  length: number;
  /** A sketch in its binary form. */
  summary: Uint8Array | TextSummary;
  message?: undefined;
}

/** The reason why a line is not a document. */
interface Rejected {
  message: string;
}

/** A batch with its documents, which js/cli/document.ts opens. A thread sends the typed arrays without a copy. */
export interface ReadBatch extends LineBatch, Scanned {
  /** The lines that the module has left to `JSON.parse`, in order. */
  others: (ParsedDocument | Rejected)[];
}

/** Thrown for a line that is not a document. */
class BadLine extends Error {}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadLine(`not JSON: ${messageOf(error)}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

type JsonObject = Record<string, unknown>;

function checkObject(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new BadLine(`the line must be an object, got ${kindOf(value)}`);
}

function textOf(object: JsonObject, field: string): string {
  const text = object[field];
  if (typeof text === 'string') return text;
  if (Object.hasOwn(object, field)) throw new BadLine(`"${field}" must be a string, got ${kindOf(text)}`);
  const fields = Object.keys(object).map((name) => `"${name}"`);
  throw new BadLine(`no field "${field}" (--text-field); the line has ${fields.join(', ') || 'none'}`);
}

/** Returns the id of a document, or null if it has none. */
function idOf(object: JsonObject, field: string): string | number | null {
  const id = object[field] ?? null;
  if (id === null || typeof id === 'string') return id;
  if (typeof id === 'number' && Number.isSafeInteger(id)) return id;
  throw new BadLine(`"${field}" (--id-field) must be a string or a whole number below 2^53, got ${JSON.stringify(id)}`);
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** Returns the rows of lines that are all left to `JSON.parse`. */
function leaveAll(bytes: Uint8Array): Scanned {
  const rows: number[] = [];
  for (let [start, number] = [0, 0]; start < bytes.length; number++) {
    const end = bytes.indexOf(LINE_FEED, start) + 1;
    if (!isBlank(bytes.subarray(start, end - 1))) rows.push(number, start, end, UNREAD, 0, 0, 0, 0);
    start = end;
  }
  return { rows: Uint32Array.from(rows), sketches: new Uint8Array() };
}

/**
 * Resolves to a function that reads the documents of a batch.
 *
 * `scan` is a line scanner, or undefined: then `JSON.parse` reads every line. `isIsolated` states that nothing else
 * uses the module: a text that takes more memory than there is, which restarts the module, is then a bad line.
 */
export async function batchReader(
  fingerprinter: Fingerprinter,
  { textField, idField, html, summary }: ReadSettings,
  scan: LineScanner | undefined,
  isIsolated = false,
): Promise<(batch: LineBatch) => ReadBatch> {
  const mainText: (text: string) => string = html ? await htmlReader() : (text) => text;
  const summaryOf: (text: string) => Uint8Array | TextSummary =
    summary === 'sketch' ? (text) => fingerprinter.sketch(text).toBytes() : (text) => summarize(fingerprinter, text);

  function read(name: string, line: number, bytes: Buffer): ParsedDocument {
    const object = checkObject(parse(bytes.toString()));
    const given = textOf(object, textField);
    const id = idOf(object, idField) ?? `${name}:${line}`;
    let text: string;
    try {
      text = mainText(given);
    } catch (error) {
      throw new BadLine(messageOf(error));
    }
    try {
      return { id, length: text.length, summary: summaryOf(text) };
    } catch (error) {
      if (!isIsolated) throw error;
      throw new BadLine(`the text cannot be summarized: ${messageOf(error)}`);
    }
  }

  return ({ name, line, bytes }) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const { rows, sketches } = (scan === undefined || buffer.length > MAX_SCANNED ? leaveAll : scan)(buffer);
    const others: ReadBatch['others'] = [];
    for (let at = 0; at < rows.length; at += CELLS) {
      if (rows[at + KIND] !== UNREAD) continue;
      try {
        others.push(read(name, line + rows[at], buffer.subarray(rows[at + 1], rows[at + 2] - 1)));
      } catch (error) {
        if (!(error instanceof BadLine)) throw error;
        others.push({ message: error.message });
      }
    }
    return { name, line, bytes, rows, sketches, others };
  };
}
