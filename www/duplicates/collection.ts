// Reads documents from lines, JSON Lines or files.
import { groupOf } from '../../js/report/group.js';
import { readText, Unreadable } from '../files/read-file.js';
import { pause } from '../shared/pause.js';

export interface CollectionDocument {
  name: string;
  text: string;
  /** The line that is exported. */
  raw: string;
  /** The name of its source or language, if it has one. */
  group?: string | undefined;
}

/** The documents that were read, and the problems. */
export interface Collection {
  documents: CollectionDocument[];
  /** The numbers of invalid JSON lines. */
  broken: number[];
  /** The number of blank texts. */
  blank: number;
  /** Whether the documents come from JSON Lines. */
  json: boolean;
  /** One error for each file that cannot be read. */
  unread: Unreadable[];
}

/** The limit for all files together, in bytes. */
export const COLLECTION_LIMIT = 64e6;

/** The milliseconds of work after which the page may draw a frame. */
const SLICE = 10;

const textKeys = ['text', 'content', 'body'];

/** Returns the document of a JSON line, or null. */
function fromJson(raw: string, line: number): CollectionDocument | null {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return null;
  }
  if (typeof value === 'string') return { name: `${line}`, text: value, raw };
  if (typeof value !== 'object' || value === null) return null;
  const fields: Record<string, unknown> = { ...value };
  const text = textKeys.map((key) => fields[key]).find((field) => typeof field === 'string');
  if (text === undefined) return null;
  const { id } = fields;
  const name = typeof id === 'string' || typeof id === 'number' ? String(id) : `${line}`;
  return { name, text, raw, group: groupOf(fields) };
}

/** Yields the lines of a text, without their line ends. The last line end starts no line. */
function* linesOf(source: string): Generator<string> {
  const lineEnd = /\r\n|\n|\r/g;
  let start = 0;
  for (let end = lineEnd.exec(source); end !== null; end = lineEnd.exec(source)) {
    yield source.slice(start, end.index);
    start = lineEnd.lastIndex;
  }
  if (start < source.length) yield source.slice(start);
}

/** Reads one document from each line. */
export async function fromLines(source: string, json: boolean = /^\s*[{"]/.test(source)): Promise<Collection> {
  const documents: CollectionDocument[] = [];
  const broken: number[] = [];
  let blank = 0;
  let line = 0;
  let sliceEnd = performance.now() + SLICE;
  for (const raw of linesOf(source)) {
    line++;
    if (performance.now() > sliceEnd) {
      await pause();
      sliceEnd = performance.now() + SLICE;
    }
    if (raw.trim() === '') {
      blank++;
      continue;
    }
    const document = json ? fromJson(raw, line) : { name: `${line}`, text: raw, raw };
    if (document === null) broken.push(line);
    else if (document.text.trim() === '') blank++;
    else documents.push(document);
  }
  return { documents, broken, blank, json, unread: [] };
}

/** Reads a single file and JSON Lines line by line; each of several other files is one document. */
export async function fromFiles(files: File[]): Promise<Collection> {
  const all: Collection = { documents: [], broken: [], blank: 0, json: true, unread: [] };
  let left = COLLECTION_LIMIT;
  for (const file of files) {
    let text: string;
    try {
      text = await readText(file, left);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      all.unread.push(error);
      continue;
    }
    left -= file.size;
    const isJson = /\.(jsonl|ndjson)$/i.test(file.name);
    if (isJson || files.length === 1) {
      const { documents, broken, blank } = await fromLines(text, isJson || undefined);
      // The arguments of a call are limited, so no `push`.
      all.documents = all.documents.concat(documents);
      all.broken = all.broken.concat(broken);
      all.blank += blank;
      all.json &&= isJson;
    } else if (text.trim() === '') {
      all.blank++;
    } else {
      all.documents.push({ name: file.name, text, raw: JSON.stringify({ id: file.name, text }) });
    }
  }
  return all;
}
