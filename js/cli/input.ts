// The files of a run, and the batches of each.
import { appendFileSync, writeFileSync } from 'node:fs';
import { type ReadSettings, readLine } from '../node/documents.js';
import { textReader } from '../node/html.js';
import { type Chunks, chunks, collect, type InputIo, startOf, withHead, withoutMark } from './chunks.js';
import type { Batch, Origin } from './document.js';
import { FileBatch } from './file-batch.js';
import { canReadAgain, type Source } from './input-texts.js';
import { elementsOf } from './json-array.js';
import { lineBatches } from './json-lines.js';
import { LineBatch } from './line-batch.js';
import { checkEncoding, EXAMINED, type Format, formatOfContent, isEnough } from './recognise.js';
import { RowBatch, Table } from './row-batch.js';
import { dialectOf, firstRow, type Row, rowsOf } from './rows.js';

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
  /** The path of a file that receives the unpacked content. */
  readonly copy?: string | undefined;
}

/** Accepts the files of one shape: the output of a run is lines of JSON, rows of one table, or paths. */
export class OneShape {
  #first: { name: string; shape: string; columns: string } | undefined;

  /** Throws if a file cannot be written with those before it. `columns` are the names of a table. */
  accept(name: string, shape: 'lines' | 'rows' | 'paths', columns: readonly string[] = []): void {
    const own = { name, shape, columns: JSON.stringify(columns) };
    const first = this.#first ?? own;
    this.#first = first;
    if (first.shape !== shape) {
      throw new Error(`its ${shape} cannot be written with the ${first.shape} of ${first.name}: run it by itself`);
    }
    if (first.columns !== own.columns) {
      throw new Error(`its columns are not those of ${first.name}: run it by itself`);
    }
  }
}

type Batches = AsyncGenerator<Batch, void, undefined>;

/** A file whose format is known. */
interface OpenFile extends Input {
  readonly format: Format;
  /** The first bytes, from which the dialect of a table is recognised. */
  readonly head: Buffer;
  readonly mark: Buffer;
  /** The content after the byte order mark. */
  readonly content: Chunks;
  readonly settings: ReadSettings;
  readonly io: InputIo;
}

/** Resolves to a function that says where bytes are in a file, if it can be read again. `textOf` returns the text in a document's bytes. */
async function originsOf(
  { path, mark, settings }: OpenFile,
  textOf: Source['textOf'],
): Promise<(position: number) => Origin | undefined> {
  const readText = await textReader(settings.html);
  const source = canReadAgain(path) ? { path, textOf: (bytes: Buffer) => readText(textOf(bytes)) } : undefined;
  return (position) => source && { source, position: mark.length + position };
}

/** Yields the documents of lines, or of the elements of an array. */
async function* lineBatchesOf(open: OpenFile): Batches {
  const { format, name, content, settings, io } = open;
  const isArray = format === 'json';
  const textOf = (bytes: Buffer) => {
    const end = bytes.indexOf('\n');
    return readLine(end < 0 ? bytes : bytes.subarray(0, end), settings, true).text;
  };
  const originAt = isArray ? () => undefined : await originsOf(open, textOf);
  const lines = isArray ? elementsOf(content, io.signal) : content;
  for await (const { first, position, bytes } of lineBatches(lines, name, io)) {
    yield new LineBatch({ name, isArray, ...settings }, first, bytes, originAt(position));
  }
}

/** Yields the documents of a table. The first batch may have none. */
async function* rowBatchesOf(open: OpenFile, shape: OneShape | undefined): Batches {
  const { format, name, head, mark, settings, io } = open;
  const dialect = dialectOf(head);
  dialect.delimiter = open.delimiter ?? (format === 'tsv' ? '\t' : dialect.delimiter);
  let table: Table | undefined;
  const originAt = await originsOf(open, (bytes) => (table as Table).read(firstRow(bytes, dialect)).text);
  for await (const found of rowsOf(open.content, dialect, name, io)) {
    if (table === undefined) {
      const { bytes, rows } = found;
      // A batch has rows.
      const header = rows.shift() as Row;
      const line = Buffer.concat([mark, bytes.subarray(header.start, header.end)]);
      table = new Table(name, header, line, dialect.delimiter, settings);
      shape?.accept(name, 'rows', table.columns);
    }
    yield new RowBatch(table, found, settings.html, originAt(found.position));
  }
}

/** The sources of whole files, by whether they are pages. */
const wholeFiles = new Map<boolean, Source>();

/** Yields the document of a file. */
async function* fileBatchesOf({ path, name, format, content, io }: OpenFile): Batches {
  if (name.includes('\n')) throw new Error('the path has a line feed, and cannot be a line of the output');
  const text = await collect(content);
  if (io.signal.aborted) return;
  const isHtml = format === 'html';
  const readText = await textReader(isHtml);
  const source = wholeFiles.get(isHtml) ?? {
    path: undefined,
    textOf: (bytes) => readText(withoutMark(bytes).toString()),
  };
  wholeFiles.set(isHtml, source);
  yield new FileBatch(name, text, isHtml, canReadAgain(path) ? { source, position: 0 } : undefined);
}

/** Yields chunks, and copies them to a file that only this user can read. */
async function* copied(content: Chunks, path: string): Chunks {
  writeFileSync(path, '', { mode: 0o600 });
  for await (const chunk of content) {
    appendFileSync(path, chunk);
    yield chunk;
  }
}

/** Yields the documents of a file in batches. `shape` accepts the file, if the output has one shape. */
export async function* readInput(input: Input, settings: ReadSettings, io: InputIo, shape?: OneShape): Batches {
  const unpacked = chunks(input.path, io);
  const source = input.copy === undefined ? unpacked : copied(unpacked, input.copy);
  try {
    const start = await startOf(source, EXAMINED, (start) => isEnough(start, input.format));
    checkEncoding(start);
    const format = input.format ?? formatOfContent(start, settings);
    const text = withoutMark(start);
    const mark = start.subarray(0, start.length - text.length);
    const head = withoutMark(start.subarray(0, EXAMINED));
    const open = { ...input, format, head, mark, content: withHead(text, source), settings, io };
    if (format === 'csv' || format === 'tsv') {
      yield* rowBatchesOf(open, shape);
    } else if (format === 'text' || format === 'html') {
      shape?.accept(input.name, 'paths');
      yield* fileBatchesOf(open);
    } else {
      shape?.accept(input.name, 'lines');
      yield* lineBatchesOf(open);
    }
  } finally {
    await source.return();
  }
}
