// Reads documents from lines, JSON Lines or files. A document is `{ name, text, raw }`; `raw` is its exported line.
import { readText } from '../files/read-file.js';

/** The limit for all files together, in bytes. */
export const COLLECTION_LIMIT = 64e6;

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
  return { name: id, text, raw };
}

/**
 * Returns `{ documents, broken, blank, json }`: `broken` holds the numbers of invalid JSON lines, `blank` the number of
 * blank texts.
 */
export function fromLines(source, json = /^\s*[{"]/.test(source)) {
  const documents = [];
  const broken = [];
  let blank = 0;
  const lines = source.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  lines.forEach((raw, at) => {
    if (raw.trim() === '') {
      blank++;
      return;
    }
    const document = json ? fromJson(raw, at + 1) : { name: `${at + 1}`, text: raw, raw };
    if (document === null) broken.push(at + 1);
    else if (document.text.trim() === '') blank++;
    else documents.push(document);
  });
  return { documents, broken, blank, json };
}

/**
 * Returns what `fromLines` returns, and `unread`, an `Unreadable` for each file that cannot be read. A single file and
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
      const { documents, broken, blank } = fromLines(text, isJson || undefined);
      all.documents.push(...documents);
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
