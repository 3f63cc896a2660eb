// Reads documents from lines, JSON Lines or files. A document is `{ name, text, raw, group }`; `raw` is its exported line,
// `group` the name of its source or language, if it has one.
import { groupOf } from '../../js/report/group.js';
import { readText } from '../files/read-file.js';
import { pause } from '../shared/dom.js';

/** The limit for all files together, in bytes. */
export const COLLECTION_LIMIT = 64e6;

/** The milliseconds of work after which the page may draw a frame. */
const SLICE = 10;

const textKeys = ['text', 'content', 'body'];

/** Returns the document of a JSON line, or null. */
function fromJson(raw, line) {
  let value;
  try {
    value = JSON.parse(raw);
  } catch {
    return null;
  }
  const text =
    typeof value === 'string' ? value : textKeys.map((key) => value?.[key]).find((v) => typeof v === 'string');
  if (text === undefined) return null;
  const id = typeof value.id === 'string' || typeof value.id === 'number' ? String(value.id) : `${line}`;
  return { name: id, text, raw, group: groupOf(value) };
}

/** The lines of a text, without those that end it. */
function* linesOf(source) {
  const lineEnd = /\r\n|\n|\r/g;
  let start = 0;
  for (let end = lineEnd.exec(source); end !== null; end = lineEnd.exec(source)) {
    yield source.slice(start, end.index);
    start = lineEnd.lastIndex;
  }
  if (start < source.length) yield source.slice(start);
}

/**
 * Resolves to `{ documents, broken, blank, json }`: `broken` holds the numbers of invalid JSON lines, `blank` the number
 * of blank texts.
 */
export async function fromLines(source, json = /^\s*[{"]/.test(source)) {
  const documents = [];
  const broken = [];
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
  return { documents, broken, blank, json };
}

/**
 * Resolves to what `fromLines` does, and `unread`, an `Unreadable` for each file that cannot be read. A single file and
 * JSON Lines are read line by line; each of several other files is one document.
 */
export async function fromFiles(files) {
  const all = { documents: [], broken: [], blank: 0, json: true, unread: [] };
  let left = COLLECTION_LIMIT;
  for (const file of files) {
    let text;
    try {
      text = await readText(file, left);
    } catch (error) {
      all.unread.push(error);
      continue;
    }
    left -= file.size;
    const isJson = /\.(jsonl|ndjson)$/i.test(file.name);
    if (isJson || files.length === 1) {
      const { documents, broken, blank } = await fromLines(text, isJson || undefined);
      all.documents = all.documents.concat(documents); // The arguments of a call are limited.
      all.broken.push(...broken);
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
