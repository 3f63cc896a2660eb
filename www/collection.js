// Documents out of lines, JSON Lines or files: `{ name, text, raw }`, where raw is what an export writes.
import { readText } from './read-file.js';

/** Of all files together, in bytes. */
export const COLLECTION_LIMIT = 64e6;

const textKeys = ['text', 'content', 'body'];

/** The document of a line of JSON, or null. */
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

/** `{ documents, broken, blank, json }`: the numbers of the lines that are no JSON, and how many say nothing. */
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
 * As `fromLines`, and `unread`, what `Unreadable` said of the files that cannot be read. One file is taken line by
 * line; of several each is a document, but for JSON Lines.
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
