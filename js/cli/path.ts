// Paths whose bytes may not be UTF-8. As a string, such a path has U+DC00 plus the byte in place of each byte that is not part of
// UTF-8, as in Python's error handler `surrogateescape`. So it stays another path than all others, and JSON has escapes for it.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/** A character of UTF-8, or else one byte, in Latin-1. */
const CHARACTER =
  /[\0-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** A surrogate without the other half of its pair, which stands for a byte. */
const ESCAPED = /[\udc80-\udcff]/u;

/** Returns the path of bytes. */
export function pathOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  return bytes
    .toString('latin1')
    .replace(CHARACTER, (character) =>
      character.length === 1 && character >= '\x80'
        ? String.fromCharCode(0xdc00 + character.charCodeAt(0))
        : Buffer.from(character, 'latin1').toString(),
    );
}

/** Returns the bytes of a path, or of a text that contains one. */
export function bytesOf(path: string): Buffer<ArrayBuffer> {
  if (!ESCAPED.test(path)) return Buffer.from(path);
  const parts = path.split(/([\udc80-\udcff])/u);
  return Buffer.concat(
    parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) & 0xff))),
  );
}

export const isUtf8Path = (path: string): boolean => !ESCAPED.test(path);

/** Returns a path as the functions of `node:fs` take it. */
export const systemPath = (path: string): string | Buffer => (ESCAPED.test(path) ? bytesOf(path) : path);

/**
 * Returns the arguments of the process as paths. Node has replaced bytes that are not UTF-8 by U+FFFD; where the system has a file
 * with the bytes, they are read from it.
 */
export function processArguments(): string[] {
  const args = process.argv.slice(2);
  if (!args.some((argument) => argument.includes('\ufffd'))) return args;
  let line: string;
  try {
    line = readFileSync('/proc/self/cmdline', 'latin1');
  } catch {
    return args;
  }
  const own = line
    .split('\0')
    .slice(0, -1)
    .slice(-args.length)
    .map((argument) => Buffer.from(argument, 'latin1'));
  const isSame = own.length === args.length && own.every((bytes, at) => bytes.toString() === args[at]);
  return isSame ? own.map(pathOf) : args;
}
