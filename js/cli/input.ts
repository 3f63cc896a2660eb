// The files of a run, and the pieces of each.
import type { ReadSettings } from '../node/documents.js';
import { type ChunkIo, type Chunks, chunks, MAX_DOCUMENT, withHead, withoutMark } from './chunks.js';
import type { Piece } from './document.js';
import { FilePiece } from './file-piece.js';
import { elementsOf } from './json-array.js';
import { lineBatches } from './json-lines.js';
import { LinePiece } from './line-piece.js';
import { checkEncoding, type Format, formatOfContent } from './recognise.js';
import { RowPiece, Table } from './row-piece.js';
import { dialectOf, rowsOf } from './rows.js';
import type { OneShape } from './shape.js';

/** A file, or standard input. */
export interface Input {
  /** `-` is standard input. */
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
  /** Undefined if it is to be recognised. */
  readonly format: Format | undefined;
  /** The delimiter of a table; undefined if it is to be recognised. */
  readonly delimiter?: string | undefined;
}

/** The part of `Io` that reading uses. */
export interface InputIo extends ChunkIo {
  reject(place: string, message: string): void;
}

type Pieces = AsyncGenerator<Piece, void, undefined>;

/** Yields the documents of lines. */
async function* linePieces(
  name: string,
  isArray: boolean,
  content: Chunks,
  settings: ReadSettings,
  io: InputIo,
): Pieces {
  const file = { name, isArray, ...settings };
  const reject = (line: number, message: string) => io.reject(`${name}:${line}`, message);
  const lines = isArray ? elementsOf(content, io.signal) : content;
  for await (const { first, bytes } of lineBatches(lines, { signal: io.signal, reject })) {
    yield new LinePiece(file, isArray ? first - 1 : first, bytes);
  }
}

/** Yields the documents of a table. The first piece may have none. */
async function* rowPieces(
  { name, format, delimiter }: Input,
  head: Buffer,
  rest: Chunks,
  settings: ReadSettings,
  io: InputIo,
  shape: OneShape | undefined,
): Pieces {
  const reject = (line: number, message: string) => io.reject(`${name}:${line}`, message);
  const text = withoutMark(head);
  const found = dialectOf(text);
  const dialect = { ...found, delimiter: delimiter ?? (format === 'tsv' ? '\t' : found.delimiter) };
  let table: Table | undefined;
  for await (const { bytes, rows } of rowsOf(withHead(text, rest), dialect, { signal: io.signal, reject })) {
    if (table === undefined) {
      const header = rows.shift();
      if (header === undefined) continue;
      const mark = head.subarray(0, head.length - text.length);
      const line = Buffer.concat([mark, bytes.subarray(header.start, header.end)]);
      table = new Table(name, header, line, dialect.delimiter, settings);
      shape?.accept(name, 'rows', table.columns);
    }
    yield new RowPiece(table, { bytes, rows });
  }
}

/** Yields the document of a file. */
async function* filePieces({ path, name, format }: Input, content: Chunks, io: InputIo): Pieces {
  if (name.includes('\n')) throw new Error('the path has a line feed, and cannot be a line of the output');
  const all: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    all.push(chunk);
    size += chunk.length;
    if (size > MAX_DOCUMENT) throw new Error(`a file of more than ${MAX_DOCUMENT >> 20} MiB`);
  }
  if (!io.signal.aborted) yield new FilePiece(path === '-' ? name : path, Buffer.concat(all), format === 'html');
}

/** Yields the documents of a file in pieces. `shape` accepts the file, if the output has one shape. */
export async function* readPieces(input: Input, settings: ReadSettings, io: InputIo, shape?: OneShape): Pieces {
  const source = chunks(input.path, io);
  try {
    const { value: head = Buffer.alloc(0) } = (await source.next()) as IteratorResult<Buffer, undefined>;
    checkEncoding(head);
    const format = input.format ?? formatOfContent(head, settings);
    if (format === 'csv' || format === 'tsv') {
      yield* rowPieces(input, head, source, settings, io, shape);
      return;
    }
    const content = withHead(withoutMark(head), source);
    if (format === 'text' || format === 'html') {
      shape?.accept(input.name, 'paths');
      yield* filePieces(input, content, io);
    } else {
      shape?.accept(input.name, 'lines');
      yield* linePieces(input.name, format === 'json', content, settings, io);
    }
  } finally {
    await source.return();
  }
}
