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

/** Characters that texts do not contain and binary formats do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

function decode(bytes) {
  const [first, second] = bytes;
  const utf16 = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff && 'utf-16be';
  // Older Chinese text is in GB 18030. The decoders are strict: bytes in neither encoding are not text.
  for (const encoding of utf16 ? [utf16] : ['utf-8', 'gb18030']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return binary.test(text) ? null : text;
    } catch {
      // Try the next encoding.
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
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Unreadable('fileUnreadable', { name });
  }
  const text = decode(bytes);
  if (text === null) throw new Unreadable('fileBinary', { name });
  return /\.x?html?$/i.test(name) || file.type === 'text/html' ? htmlText(text) : text;
}
