// Reads the text of a file that was dropped or chosen.
import { textOf } from '../../js/node/html.js';

/** Why a file cannot be read: the key and values of a message. */
export class Unreadable extends Error {
  constructor(key, values) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** Bytes that are decoded at once. */
const PART = 1 << 20;

/** Characters that texts do not contain and binary formats do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** Decodes a file a part at a time, so that the page can draw frames. Throws if the encoding is another one. */
async function decode(file, encoding) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const parts = [];
  const take = (part) => {
    if (binary.test(part)) throw new TypeError('binary');
    parts.push(part);
  };
  for (let at = 0; at < file.size; at += PART) {
    const bytes = await file.slice(at, at + PART).arrayBuffer();
    take(decoder.decode(bytes, { stream: true }));
  }
  take(decoder.decode());
  return parts.join('');
}

/** The text of a file in one of the encodings, or null. */
async function decodeAny(file, encodings) {
  for (const encoding of encodings) {
    try {
      return await decode(file, encoding);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // The file cannot be read.
    }
  }
  return null;
}

/** The text of an HTML document. The parsed document is separate from the page: nothing in it runs or loads. */
function htmlText(source) {
  const { body } = new DOMParser().parseFromString(source, 'text/html');
  return textOf(body)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

const megabytes = (bytes) => Math.round(bytes / 1e5) / 10;

/** Rejects with `Unreadable`. */
export async function readText(file, limit) {
  const { name, size } = file;
  if (size > limit) throw new Unreadable('fileTooLarge', { name, size: megabytes(size), limit: megabytes(limit) });
  let text;
  try {
    const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const utf16 = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff && 'utf-16be';
    // Older Chinese text is in GB 18030. The decoders are strict: bytes in neither encoding are not text.
    text = await decodeAny(file, utf16 ? [utf16] : ['utf-8', 'gb18030']);
  } catch {
    throw new Unreadable('fileUnreadable', { name });
  }
  if (text === null) throw new Unreadable('fileBinary', { name });
  return /\.x?html?$/i.test(name) || file.type === 'text/html' ? htmlText(text) : text;
}
