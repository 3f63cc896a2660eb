// Reads documents from JSON Lines and summarizes their texts: the work of the worker threads.
import { summarize } from '../api/short-text.js';
import { htmlReader } from './html.js';

const LINE_FEED = 10;

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

/**
 * Returns a function from a batch `{ name, line, bytes }` of whole lines, the first numbered `line`, to
 * `{ name, bytes, documents: [{ id, line, start, end, length, summary }], bad: [{ line, message }] }`. The line of a
 * document is `bytes.subarray(start, end)`. Its summary is the bytes of its sketch if `summary` is 'sketch', else
 * `{ fingerprint, words }`. `isIsolated` states that no one else uses the module: a text that takes more memory than
 * there is, which restarts the module, is then a bad line.
 */
export async function documentReader(fingerprinter, { textField, idField, html, summary }, isIsolated = false) {
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
    const documents = [];
    const bad = [];
    for (let start = 0, end; start < buffer.length; start = end, line++) {
      end = buffer.indexOf(LINE_FEED, start) + 1;
      const content = buffer.subarray(start, end - 1);
      if (isBlank(content)) continue;
      try {
        documents.push({ line, start, end, ...read(name, line, content) });
      } catch (error) {
        if (!(error instanceof BadLine)) throw error;
        bad.push({ line, message: error.message });
      }
    }
    return { name, bytes, documents, bad };
  };
}

const isBlank = (bytes) => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
