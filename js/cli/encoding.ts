// The encodings of the input. Readers get UTF-8, in which wrong bytes stay wrong: the document that has them is rejected, and
// never read with replacement characters.
import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { type Encoding, EXAMINED, encodingOf } from '../formats/encoding.js';
import { ArgumentError } from '../index.js';
import { BadDocument, invalidBytes } from '../node/fields.js';
import { type Chunks, startOf, withHead } from './streams.js';

/** Returns the name of the encoding of a label of the Encoding Standard. */
export function checkEncoding(label: unknown, argument: string): string {
  try {
    return new TextDecoder(String(label)).encoding;
  } catch {
    const labels = 'the name of an encoding, such as windows-1251, shift_jis, gb18030 or utf-16le';
    throw new ArgumentError(argument, labels, label);
  }
}

/** Stands for wrong bytes. No UTF-8 has it. */
const WRONG = Buffer.of(0xff);

/** Yields UTF-16BE as UTF-16LE. */
async function* swapped(content: Chunks): Chunks {
  let half = Buffer.alloc(0);
  for await (const chunk of content) {
    // A copy, since the bytes are swapped in place.
    const bytes = Buffer.concat([half, chunk]);
    const end = bytes.length - (bytes.length % 2);
    half = bytes.subarray(end);
    yield bytes.subarray(0, end).swap16();
  }
  yield half;
}

/** Yields the UTF-8 of bytes in another encoding, with `WRONG` in place of bytes that it does not have. */
async function* transcoded(content: Chunks, encoding: string): Chunks {
  // A decoder makes U+FFFD of wrong bytes. UTF-16 has that character too; `StringDecoder` leaves wrong surrogates as they are.
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  const decoder = isWide ? new StringDecoder('utf16le') : new TextDecoder(encoding);
  const wrong = isWide ? /\p{Surrogate}/u : '\ufffd';
  const encode = (text: string) => {
    const [first, ...others] = text.split(wrong).map((part) => Buffer.from(part));
    return others.length === 0 ? first : Buffer.concat([first, ...others.flatMap((part) => [WRONG, part])]);
  };
  let [size, isStart, half] = [0, true, ''];
  for await (const chunk of encoding === 'utf-16be' ? swapped(content) : content) {
    size += chunk.length;
    let text = decoder instanceof StringDecoder ? half + decoder.write(chunk) : decoder.decode(chunk, { stream: true });
    [half = ''] = (isWide && /[\ud800-\udbff]$/.exec(text)) || [];
    text = text.slice(0, text.length - half.length);
    if (text === '') continue;
    yield encode(isStart ? text.replace(/^\ufeff/, '') : text);
    isStart = false;
  }
  const end = decoder instanceof StringDecoder ? half + decoder.end() : decoder.decode();
  if (end !== '') yield encode(end);
  if (isWide && size % 2 !== 0) yield WRONG;
}

/** Resolves to the content in UTF-8, the encoding of the file, and the byte-order mark of a file in UTF-8. */
export async function decoded(source: Chunks, settings: Encoding) {
  const head = await startOf(source, settings.isPage ? EXAMINED : 4);
  const encoding = encodingOf(head, settings);
  const isMarked = encoding === 'utf-8' && head.toString('hex', 0, 3) === 'efbbbf';
  const mark = head.subarray(0, isMarked ? 3 : 0);
  const content = withHead(head.subarray(mark.length), source);
  return { encoding, mark, content: encoding === 'utf-8' ? content : transcoded(content, encoding) };
}

/** Returns the text of a document, in UTF-8, of a file in an encoding. Throws a `BadDocument` for wrong bytes. */
export function checkedText(bytes: Buffer, encoding: string): string {
  if (!isUtf8(bytes)) throw new BadDocument(invalidBytes(encoding));
  return bytes.toString();
}
