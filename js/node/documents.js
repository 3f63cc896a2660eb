// Reads documents from JSON Lines and summarizes their texts: the work of the worker threads. The module reads the lines
// that it can (lines.js), and `JSON.parse` the others.
import { summarize } from '../core/short-text.js';
import { htmlReader } from './html.js';

const LINE_FEED = 10;

/** The numbers of a row, of which src/json/batch.rs has the table. */
export const CELLS = 8;
/** The cell of the kind. */
export const KIND = 3;

/** The kind of a line that the module has left to `JSON.parse`. */
export const UNREAD = 0;

/** A longer batch has a long line, which would take as much memory again in the module. */
export const LONG = 1 << 22;

/** Thrown for a line that is not a document. */
class BadLine extends Error {}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadLine(`not JSON: ${error.message}`);
  }
}

const kind = (value) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`);

function textOf(object, field) {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw new BadLine(`not an object, but ${kind(object)}`);
  }
  if (typeof object[field] === 'string') return object[field];
  if (Object.hasOwn(object, field)) throw new BadLine(`"${field}" is not a string, but ${kind(object[field])}`);
  const fields = Object.keys(object).map((name) => `"${name}"`);
  throw new BadLine(`no field "${field}" (--text-field); the line has ${fields.join(', ') || 'none'}`);
}

function idOf(object, field) {
  const id = object[field] ?? null;
  if (id === null || typeof id === 'string' || Number.isSafeInteger(id)) return id;
  throw new BadLine(
    `"${field}" (--id-field) takes a string or a whole number below 2^53, but got ${JSON.stringify(id)}`,
  );
}

const isBlank = (bytes) => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** The rows of lines of which none has been read. */
function unread(bytes) {
  const rows = [];
  for (let [start, number] = [0, 0]; start < bytes.length; number++) {
    const end = bytes.indexOf(LINE_FEED, start) + 1;
    if (!isBlank(bytes.subarray(start, end - 1))) rows.push(number, start, end, UNREAD, 0, 0, 0, 0);
    start = end;
  }
  return { rows: Uint32Array.from(rows), sketches: new Uint8Array() };
}

/**
 * Returns a function from a batch `{ name, line, bytes }` of whole lines, the first numbered `line`, to the same with
 * `{ rows, sketches, others }`, of which js/cli/document.js makes documents. A thread sends the typed arrays without a
 * copy.
 *
 * The summary of a document is the bytes of its sketch if `summary` is 'sketch', else `{ fingerprint, words }`. `scan`
 * is a line scanner, or undefined: then `JSON.parse` reads every line. `isIsolated` states that no one else uses the
 * module: a text that takes more memory than there is, which restarts the module, is then a bad line.
 */
export async function batchReader(fingerprinter, { textField, idField, html, summary }, scan, isIsolated = false) {
  const mainText = html ? await htmlReader() : (text) => text;
  const summaryOf =
    summary === 'sketch' ? (text) => fingerprinter.sketch(text).toBytes() : (text) => summarize(fingerprinter, text);

  function read(name, line, bytes) {
    const object = parse(bytes.toString());
    const given = textOf(object, textField);
    const id = idOf(object, idField) ?? `${name}:${line}`;
    let text;
    try {
      text = mainText(given);
    } catch (error) {
      throw new BadLine(error.message);
    }
    try {
      return { id, length: text.length, summary: summaryOf(text) };
    } catch (error) {
      if (!isIsolated) throw error;
      throw new BadLine(`the text cannot be summarized: ${error.message}`);
    }
  }

  return ({ name, line, bytes }) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const { rows, sketches } = (scan === undefined || buffer.length > LONG ? unread : scan)(buffer);
    const others = [];
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
