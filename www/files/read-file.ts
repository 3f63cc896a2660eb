// Reads the text of a file that was dropped or chosen.
import { nodeText } from '../../js/html/node-text.js';
import type { Message } from '../locales/locale.js';

/** Thrown for a file that cannot be read. */
export class Unreadable extends Error {
  /** Returns the message for the reader. `more` is the number of other files that cannot be read either. */
  readonly describe: (more: number) => Message;

  constructor(describe: (more: number) => Message) {
    super('the file cannot be read');
    this.describe = describe;
  }
}

/** Bytes that are decoded at once. */
const PART = 1 << 20;

/** Characters that texts do not contain and binary formats do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/**
 * Decodes a file a part at a time, so that the page can draw frames. Rejects with a `TypeError` if the file has another
 * encoding.
 */
async function decode(file: File, encoding: string): Promise<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const parts: string[] = [];
  const add = (part: string) => {
    if (binary.test(part)) throw new TypeError('binary');
    parts.push(part);
  };
  for (let at = 0; at < file.size; at += PART) {
    const bytes = await file.slice(at, at + PART).arrayBuffer();
    add(decoder.decode(bytes, { stream: true }));
  }
  add(decoder.decode());
  return parts.join('');
}

/** Returns the text of a file in the first encoding that fits, or null. */
async function decodeAny(file: File, encodings: string[]): Promise<string | null> {
  for (const encoding of encodings) {
    try {
      return await decode(file, encoding);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // The file cannot be read.
    }
  }
  return null;
}

/** Returns the encodings that a file with these first bytes can have. */
function encodingsOf([first, second]: Uint8Array): string[] {
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  if (first === 0xfe && second === 0xff) return ['utf-16be'];
  // Older Chinese text is in GB 18030. The decoders are strict: bytes in neither encoding are not text.
  return ['utf-8', 'gb18030'];
}

/** Returns the text of an HTML document. The parsed document is separate from the page: nothing in it runs or loads. */
function htmlText(source: string): string {
  const { body } = new DOMParser().parseFromString(source, 'text/html');
  return nodeText(body)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10;

/** Returns the text of a file of at most `limit` bytes. Rejects with `Unreadable`. */
export async function readText(file: File, limit: number): Promise<string> {
  const { name, size } = file;
  if (size > limit) {
    const sizes = { size: megabytes(size), limit: megabytes(limit) };
    throw new Unreadable((more) => ['fileTooLarge', { name, ...sizes, more }]);
  }
  let text: string | null;
  try {
    const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    text = await decodeAny(file, encodingsOf(start));
  } catch {
    throw new Unreadable((more) => ['fileUnreadable', { name, more }]);
  }
  if (text === null) throw new Unreadable((more) => ['fileBinary', { name, more }]);
  return /\.x?html?$/i.test(name) || file.type === 'text/html' ? htmlText(text) : text;
}
