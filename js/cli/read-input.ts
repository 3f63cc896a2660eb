// The files of a run, and the batches of each.
import { appendFileSync, writeFileSync } from 'node:fs';
import { type Format, isTable, isWholeFile } from '../formats/names.js';
import { delimiterOf, separatorLine } from '../formats/rows.js';
import { UserError } from '../node/errors.js';
import type { ReadSettings } from '../node/job.js';
import { LINE_FEED } from '../node/lines.js';
import { Batch, type Batches } from './batch.js';
import { chunks, collect, type InputIo } from './chunks.js';
import { checkedText, decoded } from './encoding.js';
import type { Input, OpenFile } from './input-file.js';
import { elementsOf } from './json-array.js';
import { lineBatches } from './line-batches.js';
import { bytesOf } from './path.js';
import { checkObjects, EXAMINED, formatOfContent, hasSecondLine, isEnough } from './recognise.js';
import { rowBatches } from './row-batches.js';
import { UnfitFile } from './skipped-files.js';
import { type Chunks, Failing, startOf, withHead } from './streams.js';

/** Accepts the files of one shape: the output of a run is lines of JSON, rows of one table, or paths. */
export class OneShape {
  /** The end of a path; undefined if paths are members of JSON, or are not written. */
  readonly pathEnd: '\n' | '\0' | undefined;
  #first: { name: string; shape: string; columns: string } | undefined;

  constructor(pathEnd?: '\n' | '\0') {
    this.pathEnd = pathEnd;
  }

  /** Throws if a file cannot be written with those before it. `columns` are the dialect and the names of a table. */
  accept(name: string, shape: 'lines' | 'lines of text' | 'rows' | 'paths', columns: readonly string[] = []): void {
    if (shape === 'paths' && this.pathEnd === '\n' && name.includes('\n'))
      throw new Error('the path has a line feed, and cannot be a line of the output; --null (-0) ends paths with NUL');
    if (shape !== 'paths' && this.pathEnd === '\0')
      throw new UnfitFile(
        `its ${shape} cannot be written with --null (-0), which is for the paths of text and HTML files`,
      );
    const own = { name, shape, columns: JSON.stringify(columns) };
    this.#first ??= own;
    const first = this.#first;
    if (first.shape !== shape) {
      throw new UnfitFile(`its ${shape} cannot be written with the ${first.shape} of ${first.name}: run it separately`);
    }
    if (first.columns !== own.columns) {
      throw new UnfitFile(`its columns or its delimiter differ from ${first.name}: run it separately`);
    }
  }
}

async function* fileBatches(file: OpenFile, content: Chunks, io: InputIo, pathEnd = '\n'): Batches {
  const { settings, name } = file;
  if (settings.scopeField !== undefined)
    throw new UserError(`--scope-field needs documents with fields; ${name} is a text`);
  const bytes = await collect(content);
  if (io.signal.aborted) return;
  const read = () => ({ id: name, text: checkedText(bytes, file.encoding), scope: '', fields: {} });
  const line = bytesOf(name + pathEnd);
  const entries = [{ number: 0, start: 0, end: line.length, read }];
  yield new Batch(file, { bytes: line, entries });
}

/** Yields chunks, and copies them to a file that only this user can read. */
async function* copied(content: Chunks, path: string): Chunks {
  writeFileSync(path, '', { mode: 0o600 });
  for await (const chunk of content) {
    appendFileSync(path, chunk);
    yield chunk;
  }
}

/** The maximum size of an object that is examined. */
const MAX_OBJECT = 1 << 25;

/** Throws an `UnfitFile` for a found file with objects without texts. `start` has its first lines. */
async function checkFound(format: Format, start: Buffer, settings: ReadSettings, io: InputIo): Promise<void> {
  if (format === 'jsonl' && !hasSecondLine(start)) checkObjects(start, settings);
  if (format !== 'json') return;
  const elements: Buffer[] = [];
  try {
    for await (const chunk of elementsOf([start], io.signal)) elements.push(chunk);
  } catch {
    // The array goes on, or is wrong: its reader reports that.
  }
  const lines = Buffer.concat(elements);
  checkObjects(lines.subarray(0, lines.lastIndexOf(LINE_FEED) + 1), settings);
}

/** Yields the documents of a file in batches. `shape` accepts the file, if the output has one shape. */
export function readInput(input: Input, settings: ReadSettings, io: InputIo, shape?: OneShape): Batches {
  const unpacked = chunks(input.path, io);
  const source = input.copy === undefined ? unpacked : copied(unpacked, input.copy);
  return readChunks(source, input, settings, io, shape);
}

/** Yields the documents of the chunks of a file in batches. */
export async function* readChunks(
  source: Chunks,
  input: Input,
  settings: ReadSettings,
  io: InputIo,
  shape?: OneShape,
): Batches {
  const { name } = input;
  try {
    const text = await decoded(source, { stated: input.encoding, isPage: input.format === 'html' });
    const { encoding, mark } = text;
    // A found file may be one long object that is not a document.
    const isUnknown = input.isFound === true && input.format === undefined;
    const failing = new Failing(text.content);
    const start = await startOf(failing.chunks, isUnknown ? MAX_OBJECT : EXAMINED, (start) =>
      isUnknown ? hasSecondLine(start) : isEnough(start, input.format),
    );
    let format: Format;
    try {
      format = input.format ?? formatOfContent(start, settings);
      if (isUnknown) await checkFound(format, start, settings, io);
    } catch (error) {
      // The bytes before a fault may be too few to recognise.
      failing.check();
      throw error;
    }
    const separator = isTable(format) ? separatorLine(start.toString('latin1', 0, EXAMINED)) : undefined;
    const line = start.subarray(0, separator?.line.length ?? 0);
    const file: OpenFile = { ...input, format, settings, encoding, start: Buffer.concat([mark, line]) };
    const content = withHead(start.subarray(line.length), failing.rest());
    if (isTable(format)) {
      const delimiter =
        input.delimiter ??
        separator?.delimiter ??
        (format === 'tsv' ? '\t' : delimiterOf(start.toString('latin1', 0, EXAMINED)));
      // In TSV, as IANA defines it, quotation marks are plain characters.
      const quote = input.quote ?? (format === 'tsv' ? 'none' : '"');
      const dialect = { delimiter, quote: quote === 'none' ? null : quote };
      yield* rowBatches(file, dialect, content, io, (table) =>
        shape?.accept(name, 'rows', [delimiter, quote, ...table.columns]),
      );
    } else if (isWholeFile(format)) {
      shape?.accept(name, 'paths');
      yield* fileBatches(file, content, io, shape?.pathEnd);
    } else {
      shape?.accept(name, format === 'lines' ? 'lines of text' : 'lines');
      yield* lineBatches(file, format === 'json' ? elementsOf(content, io.signal) : content, io);
    }
  } finally {
    await source.return();
  }
}
