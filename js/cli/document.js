// The documents of a batch, of what a batch reader has read (js/node/documents.js).
import { isBytes } from '../core/check.js';
import { Sketch } from '../index.js';
import { CELLS, KIND, UNREAD } from '../node/documents.js';

/** The kinds of ids. */
const [NUMBER, STRING, JSON_STRING] = [2, 3, 4];

/** The id at `start` to `end`, or null. A number is in the row itself. */
function readId(bytes, kind, start, end) {
  if (kind === NUMBER) return (end | 0) * 2 ** 32 + start;
  if (kind === STRING) return bytes.latin1Slice(start, end);
  return kind === JSON_STRING ? JSON.parse(bytes.utf8Slice(start, end)) : null;
}

/** A document of a batch. Its `summary` is a sketch or `{ fingerprint, words }`. */
class Document {
  /** The near-duplicate that is kept, if the document is decided to be one. */
  hit;
  /** The id under which it is kept, if it is. */
  stored;

  constructor(batch, id, line, start, end, length, summary) {
    this.batch = batch;
    this.id = id;
    this.line = line;
    this.start = start;
    this.end = end;
    this.length = length;
    this.summary = summary;
  }

  /** Its line, with the line feed. Not kept: most lines are written together with those next to them. */
  get bytes() {
    return this.batch.bytes.subarray(this.start, this.end);
  }

  /** The name of its file. */
  get name() {
    return this.batch.name;
  }
}

/** What {@link batchReader} has read as `{ name, bytes, documents, bad: [{ line, message }] }`. */
export function documentsOf({ name, line: first, bytes, rows, sketches, others }) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const documents = [];
  const bad = [];
  const batch = { name, bytes, documents, bad };
  let [other, from] = [0, 0];
  for (let at = 0; at < rows.length; at += CELLS) {
    const [line, start, end, kind] = [first + rows[at], rows[at + 1], rows[at + 2], rows[at + KIND]];
    if (kind !== UNREAD) {
      const id = readId(buffer, kind, rows[at + 4], rows[at + 5]) ?? `${name}:${line}`;
      const summary = new Sketch(sketches, from, rows[at + 7]);
      documents.push(new Document(batch, id, line, start, end, rows[at + 6], summary));
      from = rows[at + 7];
      continue;
    }
    const { message, id, length, summary: made } = others[other++];
    const summary = isBytes(made) ? new Sketch(made) : made;
    if (message === undefined) documents.push(new Document(batch, id, line, start, end, length, summary));
    else bad.push({ line, message });
  }
  return batch;
}
