// The files of a run, and the batches of each.
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseObject, type ReadSettings } from '../node/documents.js';
import { textOf } from '../node/fields.js';
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
import { type Dialect, dialectOf, firstRow, rowsOf } from './rows.js';

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
    this.#first ??= own;
    if (this.#first.shape !== shape) {
      throw new Error(
        `its ${shape} cannot be written with the ${this.#first.shape} of ${this.#first.name}: run it by itself`,
      );
    }
    if (this.#first.columns !== own.columns) {
      throw new Error(`its columns are not those of ${this.#first.name}: run it by itself`);
    }
  }
}

const LINE_FEED = 10;

type Batches = AsyncGenerator<Batch, void, undefined>;

/** Returns where bytes are in a source that begins with a byte order mark of `mark` bytes. */
const originOf = (source: Source | undefined, position: number, mark: number): Origin | undefined =>
  source && { source, position: mark + position };

/** Yields the documents of lines. */
async function* lineBatchesOf(
  { path, name }: Pick<Input, 'path' | 'name'>,
  isArray: boolean,
  content: Chunks,
  mark: number,
  settings: ReadSettings,
  io: InputIo,
): Batches {
  const file = { name, isArray, ...settings };
  const readText = await textReader(settings.html);
  const textOfLine = (bytes: Buffer) => {
    const end = bytes.indexOf(LINE_FEED);
    return readText(textOf(parseObject(end < 0 ? bytes : bytes.subarray(0, end), true).object, settings.textField));
  };
  const source = !isArray && canReadAgain(path) ? { path, textOf: textOfLine } : undefined;
  const lines = isArray ? elementsOf(content, io.signal) : content;
  for await (const { first, position, bytes } of lineBatches(lines, name, io)) {
    yield new LineBatch(file, isArray ? first - 1 : first, bytes, originOf(source, position, mark));
  }
}

/** Yields the documents of a table. The first batch may have none. */
async function* rowBatchesOf(
  { path, name, format, delimiter }: Input,
  head: Buffer,
  rest: Chunks,
  settings: ReadSettings,
  io: InputIo,
  shape: OneShape | undefined,
): Batches {
  const text = withoutMark(head);
  const dialect = dialectOf(withoutMark(head.subarray(0, EXAMINED)));
  dialect.delimiter = delimiter ?? (format === 'tsv' ? '\t' : dialect.delimiter);
  const mark = head.length - text.length;
  let table: Table | undefined;
  let source: Source | undefined;
  for await (const found of rowsOf(withHead(text, rest), dialect, name, io)) {
    if (table === undefined) {
      const { bytes, rows } = found;
      const header = rows.shift();
      if (header === undefined) continue;
      const line = Buffer.concat([head.subarray(0, mark), bytes.subarray(header.start, header.end)]);
      table = new Table(name, header, line, dialect.delimiter, settings);
      shape?.accept(name, 'rows', table.columns);
      if (canReadAgain(path)) source = { path, textOf: await rowReader(table, dialect, settings) };
    }
    yield new RowBatch(table, found, settings.html, originOf(source, found.position, mark));
  }
}

/** Resolves to a function that returns the text of the row that bytes begin with. */
async function rowReader(table: Table, dialect: Dialect, { html }: ReadSettings): Promise<Source['textOf']> {
  const readText = await textReader(html);
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

/** Yields chunks, and copies them to a file that only this user can read. */
async function* copied(content: Chunks, path: string): Chunks {
  writeFileSync(path, '', { mode: 0o600 });
  for await (const chunk of content) {
    appendFileSync(path, chunk);
    yield chunk;
  }
}

/** Yields the document of a file. */
async function* fileBatchesOf({ path, name }: Input, isHtml: boolean, content: Chunks, io: InputIo): Batches {
  if (name.includes('\n')) throw new Error('the path has a line feed, and cannot be a line of the output');
  const bytes = withoutMark(await collect(content));
  if (io.signal.aborted) return;
  const source = canReadAgain(path) ? await wholeFile(isHtml) : undefined;
  yield new FileBatch(name, bytes, isHtml, originOf(source, 0, 0));
}

/** Yields the documents of a file in batches. `shape` accepts the file, if the output has one shape. */
export async function* readInput(input: Input, settings: ReadSettings, io: InputIo, shape?: OneShape): Batches {
  const unpacked = chunks(input.path, io);
  const source = input.copy === undefined ? unpacked : copied(unpacked, input.copy);
  try {
    const head = await startOf(source, EXAMINED, (start) => isEnough(start, input.format));
    checkEncoding(head);
    const format = input.format ?? formatOfContent(head, settings);
    if (format === 'csv' || format === 'tsv') {
      yield* rowBatchesOf(input, head, source, settings, io, shape);
      return;
    }
    const content = withHead(withoutMark(head), source);
    if (format === 'text' || format === 'html') {
      shape?.accept(input.name, 'paths');
      yield* fileBatchesOf(input, format === 'html', content, io);
    } else {
      shape?.accept(input.name, 'lines');
      yield* lineBatchesOf(input, format === 'json', content, head.length - withoutMark(head).length, settings, io);
    }
  } finally {
    await source.return();
  }
}
