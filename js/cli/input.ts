// The files of a run, and the pieces of each.
import { parseObject, type ReadSettings } from '../node/documents.js';
import { textOf } from '../node/fields.js';
import { textReader } from '../node/html.js';
import { type ChunkIo, type Chunks, chunks, collect, type SplitIo, withHead, withoutMark } from './chunks.js';
import type { Origin, Piece } from './document.js';
import { FilePiece } from './file-piece.js';
import { canReadAgain, type Source } from './input-texts.js';
import { elementsOf } from './json-array.js';
import { lineBatches } from './json-lines.js';
import { LinePiece } from './line-piece.js';
import { checkEncoding, type Format, formatOfContent } from './recognise.js';
import { RowPiece, Table } from './row-piece.js';
import { type Dialect, dialectOf, firstRow, rowsOf } from './rows.js';
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

const LINE_FEED = 10;

type Pieces = AsyncGenerator<Piece, void, undefined>;

/** Returns where bytes are in a source that begins with a byte order mark of `mark` bytes. */
const originOf = (source: Source | undefined, position: number, mark: number): Origin | undefined =>
  source && { source, position: mark + position };

const splitIo = (name: string, io: InputIo): SplitIo => ({
  signal: io.signal,
  reject: (line, message) => io.reject(`${name}:${line}`, message),
});

/** Yields the documents of lines. */
async function* linePieces(
  { path, name }: Pick<Input, 'path' | 'name'>,
  isArray: boolean,
  content: Chunks,
  mark: number,
  settings: ReadSettings,
  io: InputIo,
): Pieces {
  const file = { name, isArray, ...settings };
  const readText = await textReader(settings.html);
  const textOfLine = (bytes: Buffer) => {
    const end = bytes.indexOf(LINE_FEED);
    return readText(textOf(parseObject(end < 0 ? bytes : bytes.subarray(0, end), true).object, settings.textField));
  };
  const source = !isArray && canReadAgain(path) ? { path, textOf: textOfLine } : undefined;
  const lines = isArray ? elementsOf(content, io.signal) : content;
  for await (const { first, position, bytes } of lineBatches(lines, splitIo(name, io))) {
    yield new LinePiece(file, isArray ? first - 1 : first, bytes, originOf(source, position, mark));
  }
}

/** Yields the documents of a table. The first piece may have none. */
async function* rowPieces(
  { path, name, format, delimiter }: Input,
  head: Buffer,
  rest: Chunks,
  settings: ReadSettings,
  io: InputIo,
  shape: OneShape | undefined,
): Pieces {
  const text = withoutMark(head);
  const found = dialectOf(text);
  const dialect = { ...found, delimiter: delimiter ?? (format === 'tsv' ? '\t' : found.delimiter) };
  const mark = head.length - text.length;
  let table: Table | undefined;
  let source: Source | undefined;
  for await (const { position, bytes, rows } of rowsOf(withHead(text, rest), dialect, splitIo(name, io))) {
    if (table === undefined) {
      const header = rows.shift();
      if (header === undefined) continue;
      const line = Buffer.concat([head.subarray(0, mark), bytes.subarray(header.start, header.end)]);
      table = new Table(name, header, line, dialect.delimiter, settings);
      shape?.accept(name, 'rows', table.columns);
      if (canReadAgain(path)) source = { path, textOf: await rowReader(table, dialect) };
    }
    yield new RowPiece(table, { bytes, rows }, originOf(source, position, mark));
  }
}

/** Resolves to a function that returns the text of the row that bytes begin with. */
async function rowReader(table: Table, dialect: Dialect): Promise<Source['textOf']> {
  const readText = await textReader(table.settings.html);
  return (bytes) => readText(table.textIn(firstRow(bytes, dialect)));
}

/** The sources of whole files, by whether they are pages. */
const wholeFiles = new Map<boolean, Source>();

/** Resolves to the source of all files that are one text or one page each. */
async function wholeFile(isHtml: boolean): Promise<Source> {
  const readText = await textReader(isHtml);
  const source = wholeFiles.get(isHtml) ?? {
    path: undefined,
    textOf: (bytes) => readText(withoutMark(bytes).toString()),
  };
  wholeFiles.set(isHtml, source);
  return source;
}

/** Yields the document of a file. */
async function* filePieces(path: string, isHtml: boolean, content: Chunks, io: InputIo): Pieces {
  if (path.includes('\n')) throw new Error('the path has a line feed, and cannot be a line of the output');
  const bytes = withoutMark(await collect(content));
  if (io.signal.aborted) return;
  const source = canReadAgain(path) ? await wholeFile(isHtml) : undefined;
  yield new FilePiece(path, bytes, isHtml, originOf(source, 0, 0));
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
      yield* filePieces(input.path === '-' ? input.name : input.path, format === 'html', content, io);
    } else {
      shape?.accept(input.name, 'lines');
      yield* linePieces(input, format === 'json', content, head.length - withoutMark(head).length, settings, io);
    }
  } finally {
    await source.return();
  }
}
