// Reads the text of a file that was dropped or chosen.
import { formatOfName } from '../../js/formats/names.js';
import { nodeText } from '../../js/html/node-text.js';
import type { Message } from '../locales/locale.js';

/** Thrown for a file that cannot be read. */
export class Unreadable extends Error {
  /** Returns the message for the reader. `more` is the number of other files that cannot be read either. */
  readonly describe: (more: number) => Message;
  /** Whether another encoding may help. */
  readonly isEncoding: boolean;

  constructor(describe: (more: number) => Message, isEncoding = false) {
    super('the file cannot be read');
    this.describe = describe;
    this.isEncoding = isEncoding;
  }
}

/** Bytes that are decoded at once. */
const PART = 1 << 20;

/** Characters that texts do not contain and binary formats do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** Thrown for a compressed file whose content is too large. */
class TooLarge extends Error {}

/** Returns the bytes of a file, at most `limit`, without its compression by gzip. Rejects with a `TypeError` if that is damaged. */
async function bytesOf(file: File, limit: number): Promise<Blob> {
  if (!/\.gz$/i.test(file.name)) return file;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const stream = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  for (let next = await stream.read(); !next.done; next = await stream.read()) {
    size += next.value.length;
    if (size > limit) {
      await stream.cancel();
      throw new TooLarge();
    }
    parts.push(next.value);
  }
  return new Blob(parts);
}

/** Decodes bytes a part at a time, so that the page can draw frames. Rejects with a `TypeError` if some are wrong. */
async function decode(file: Blob, encoding: string): Promise<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const parts: string[] = [];
  for (let at = 0; at < file.size; at += PART) {
    const bytes = await file.slice(at, at + PART).arrayBuffer();
    parts.push(decoder.decode(bytes, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
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

/**
 * Returns the text of a file of at most `limit` bytes, in the encoding that it declares, or else in `stated`; by default UTF-8.
 * Rejects with `Unreadable`.
 */
export async function readText(file: File, limit: number, stated?: string): Promise<string> {
  const { name } = file;
  if (file.size > limit) {
    const sizes = { size: megabytes(file.size), limit: megabytes(limit) };
    throw new Unreadable((more) => ['fileTooLarge', { name, ...sizes, more }]);
  }
  const isPage = formatOfName(name) === 'html' || file.type === 'text/html';
  let source: Blob;
  try {
    source = await bytesOf(file, limit);
  } catch (error) {
    if (error instanceof TooLarge)
      throw new Unreadable((more) => ['fileExpands', { name, limit: megabytes(limit), more }]);
    throw new Unreadable((more) => ['fileUnreadable', { name, more }]);
  }
  try {
    const { encodingOf, EXAMINED } = await import('../../js/formats/encoding.js');
    const head = new Uint8Array(await source.slice(0, EXAMINED).arrayBuffer());
    const encoding = encodingOf(head, { stated, isPage });
    const start = new TextDecoder(encoding.startsWith('utf-16') ? encoding : 'latin1').decode(head);
    if (!binary.test(start)) {
      const text = await decode(source, encoding);
      if (!binary.test(text)) return isPage ? htmlText(text) : text;
    }
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable((more) => ['fileEncoding', { name, more }], true);
    throw new Unreadable((more) => ['fileUnreadable', { name, more }]);
  }
  throw new Unreadable((more) => ['fileBinary', { name, more }]);
}
