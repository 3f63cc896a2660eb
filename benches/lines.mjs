// Reads files of lines: JSON Lines, and tables.
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Returns the bytes of a file, unpacked if its name ends in `.br` or `.gz`. */
export function readBytes(path) {
  const bytes = readFileSync(path);
  const name = String(path);
  if (name.endsWith('.br')) return brotliDecompressSync(bytes);
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** Returns the lines of bytes, each without its end, as bytes: a string cannot have all characters of a large file. */
export function splitLines(bytes) {
  const lines = [];
  for (let [start, end] = [0, 0]; start < bytes.length; start = end + 1) {
    end = bytes.indexOf(10, start);
    if (end < 0) end = bytes.length;
    lines.push(bytes.subarray(start, end));
  }
  return lines;
}

/** Returns the lines of a file, or, if it does not exist, of the file with `.br`. */
export const readLines = (path) =>
  splitLines(readBytes(existsSync(path) ? path : `${path}.br`)).map((line) => line.toString());

/** Returns the objects of a file of JSON Lines, which may have empty lines. */
export const readObjects = (path) =>
  readLines(path)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
