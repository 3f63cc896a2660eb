// The files of a run, and the batches of each.
import { appendFileSync, writeFileSync } from 'node:fs';
import { type ReadSettings, readObject } from '../node/documents.js';
import { textOf } from '../node/fields.js';
import { textReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { type Chunks, chunks, collect, type InputIo, startOf, withHead, withoutMark } from './chunks.js';
import type { Batches, OpenFile } from './document.js';
import { FileBatch } from './file-batch.js';
import { canReadAgain, type Source } from './input-texts.js';
import { elementsOf } from './json-array.js';
import { lineBatches } from './line-batch.js';
import { checkEncoding, EXAMINED, type Format, formatOfContent, isEnough } from './recognise.js';
import { RowBatch, Table } from './row-batch.js';
import { dialectOf, firstRow, type Row, rowsOf } from './rows.js';

/** A file or standard input, as an argument names it. */
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
    const first = this.#first;
    if (first.shape !== shape) {
      throw new Error(`its ${shape} cannot be written with the ${first.shape} of ${first.name}: run it separately`);
    }
    if (first.columns !== own.columns) {
      throw new Error(`its columns differ from the columns of ${first.name}: run it separately`);
    }
  }
}

/** Resolves to the source of a file, if it can be read again. `textOf` returns the text, or the page, in a document's bytes. */
async function sourceOf({ path, settings }: OpenFile, textOf: Source['textOf']): Promise<Source | undefined> {
  const readText = await textReader(settings.html);
  return canReadAgain(path) ? { path, textOf: (bytes) => readText(textOf(bytes)) } : undefined;
}

/** Yields the documents of lines, or of the elements of an array. */
async function* recordBatches(file: OpenFile, content: Chunks, io: InputIo): Batches {
  if (file.format === 'json') {
    yield* lineBatches(file, elementsOf(content, io.signal), io);
    return;
  }
  file.source = await sourceOf(file, (bytes) => {
    const end = bytes.indexOf('\n');
    return textOf(readObject(end < 0 ? bytes : bytes.subarray(0, end)).fields, file.settings.textField);
  });
  yield* lineBatches(file, content, io);
}

/** Yields the documents of a table, whose first bytes are `head`. The first batch may have none. */
async function* rowBatches(file: OpenFile, head: Buffer, content: Chunks, io: InputIo, shape?: OneShape): Batches {
  const dialect = dialectOf(head);
  dialect.delimiter = file.delimiter ?? (file.format === 'tsv' ? '\t' : dialect.delimiter);
  let table: Table | undefined;
  file.source = await sourceOf(file, (bytes) => (table as Table).textIn(firstRow(bytes, dialect)).toString());
  for await (const found of rowsOf(content, dialect, file.name, io)) {
    if (table === undefined) {
      // A batch has rows.
      const header = found.rows.shift() as Row;
      const line = Buffer.concat([file.mark, found.bytes.subarray(header.start, header.end)]);
      table = new Table(file, header, line, dialect.delimiter);
      shape?.accept(file.name, 'rows', table.columns);
    }
    yield new RowBatch(file, table, found);
  }
}

/** The sources of whole files, by whether they are pages. */
const wholeFiles = new Map<boolean, Source>();

/** Yields the document of a file. */
async function* fileBatches(file: OpenFile, content: Chunks, io: InputIo): Batches {
  const { scopeField } = file.settings;
  if (scopeField !== undefined)
    throw new UserError(`--scope-field needs documents with fields; ${file.name} is a text`);
  if (file.name.includes('\n')) throw new Error('the path has a line feed, and cannot be a line of the output');
  const text = await collect(content);
  if (io.signal.aborted) return;
  const isHtml = file.format === 'html';
  const readText = await textReader(isHtml);
  const textOf = (bytes: Buffer) => readText(withoutMark(bytes).toString());
  const source = wholeFiles.get(isHtml) ?? { path: undefined, textOf };
  wholeFiles.set(isHtml, source);
  if (canReadAgain(file.path)) file.source = source;
  yield new FileBatch(file, text);
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
    const file: OpenFile = { ...input, format, settings, mark: start.subarray(0, start.length - text.length) };
    const content = withHead(text, source);
    if (format === 'csv' || format === 'tsv') {
      yield* rowBatches(file, withoutMark(start.subarray(0, EXAMINED)), content, io, shape);
    } else if (format === 'text' || format === 'html') {
      shape?.accept(input.name, 'paths');
      yield* fileBatches(file, content, io);
    } else {
      shape?.accept(input.name, 'lines');
      yield* recordBatches(file, content, io);
    }
  } finally {
    await source.return();
  }
}
