// The texts of this run's documents, read again from the input: the exact resemblance verifies near-duplicates.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Verifiable } from '../decisions/verify.js';
import type { Deduplicator, Fingerprinter, Id } from '../index.js';
import { htmlReader } from '../node/html.js';
import { type Chunks, isPacked } from './chunks.js';
import type { Document, Piece, TextRecord } from './document.js';
import { codeOf } from './errors.js';
import { filePieces } from './input.js';
import { readRecord } from './reader.js';

const LINE_FEED = 10;

/** Bytes read at once: few documents are longer. */
const CHUNK = 1 << 13;

/** Positions that stand for a document that cannot be read again, and for whole files: their ids are their paths. */
const [NOWHERE, WHOLE_TEXT, WHOLE_PAGE, FIRST] = [0, 1, 2, 3];

/** A file that can be read again from any byte. */
export interface Source {
  readonly path: string;
  /** Returns the text of a document that is a line. Undefined if it takes more than `JSON.parse`. */
  textOfLine?: ((json: string) => string) | undefined;
  /** Yields the documents of bytes that begin with one. */
  pieces(content: Chunks): AsyncIterable<Piece>;
}

/** Opens a regular file; undefined if it is another one, such as a pipe. */
function openFile(path: string): number | undefined {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return undefined;
}

async function* chunkOf(bytes: Buffer): Chunks {
  yield bytes;
}

/** Returns whether a file can be read again from any byte: it is regular and not compressed. */
export function canReadAgain(path: string): boolean {
  try {
    if (path === '-' || !statSync(path).isFile()) return false;
    const fd = openFile(path);
    if (fd === undefined) return false;
    try {
      const start = Buffer.alloc(8);
      return !isPacked(start.subarray(0, readSync(fd, start)));
    } finally {
      closeSync(fd);
    }
  } catch {
    // The reader of the file reports it.
    return false;
  }
}

/**
 * Remembers where the kept documents of a run are in its files: 8 bytes each, and an entry of a `Map` if the id is a number. One
 * file is open at a time.
 */
export class InputTexts {
  readonly #kept: Deduplicator;
  readonly #fingerprinter: Fingerprinter;
  /** The files in the order of their first documents, and where each starts in all files together. */
  readonly #files: { source: Source; start: number }[] = [];
  readonly #starts = new Map<Source, number>();
  #end = FIRST;
  /** The positions of kept documents with string ids, by the numbers of these. */
  #positions = new Float64Array(1 << 10);
  readonly #ofNumbers = new Map<number, number>();
  #file: { path: string; fd: number } | undefined;
  readonly #line = Buffer.alloc(CHUNK);
  #mainText: ((html: string) => string) | undefined;

  /** `kept` has the documents of the run. */
  constructor(kept: Deduplicator, fingerprinter: Fingerprinter) {
    this.#kept = kept;
    this.#fingerprinter = fingerprinter;
  }

  /** Returns a document for a verifier. */
  verifiable(document: Document): Verifiable {
    let text: string | undefined | Promise<string | undefined>;
    let isRead = false;
    return {
      sketch: document.sketch,
      text: () => {
        if (!isRead) text = this.#textOwn(document);
        isRead = true;
        return text;
      },
    };
  }

  /** Returns the text of a document of the present batch. A whole file is read again, and may have changed. */
  #textOwn({ batch: { origin }, bytes, id, sketch }: Document): string | undefined | Promise<string | undefined> {
    if (origin === undefined) return undefined;
    if ('source' in origin)
      return this.#textOfRow(origin.source, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    const position = origin.whole === 'html' ? WHOLE_PAGE : WHOLE_TEXT;
    return this.#textOfFile(`${id}`, position).then((text) =>
      text !== undefined && this.#fingerprinter.sketch(text).equals(sketch) ? text : undefined,
    );
  }

  /** Remembers where a document is that is kept now. */
  note(document: Document): void {
    const number = this.#kept.numberOf(document.key as Id);
    const position = this.#positionOf(document);
    if (number === undefined || Number.isInteger(number)) {
      if (number !== undefined) this.#ofNumbers.set(number, position);
      return;
    }
    const at = Math.floor(number);
    if (at >= this.#positions.length) {
      const longer = new Float64Array(Math.max(at + 1, 2 * this.#positions.length));
      longer.set(this.#positions);
      this.#positions = longer;
    }
    this.#positions[at] = position;
  }

  /** Returns the text of a document of this run, if it can be read again. A verifier checks that it is still the same. */
  readonly textOf = (key: Id): string | undefined | Promise<string | undefined> => {
    const number = this.#kept.numberOf(key);
    if (number === undefined) return undefined;
    const position = Number.isInteger(number) ? this.#ofNumbers.get(number) : this.#positions[Math.floor(number)];
    return position === undefined || position === NOWHERE ? undefined : this.#textAt(position, key);
  };

  #positionOf({ batch: { origin }, start }: Document): number {
    if (origin === undefined) return NOWHERE;
    if ('whole' in origin) return origin.whole === 'html' ? WHOLE_PAGE : WHOLE_TEXT;
    const { source, position } = origin;
    let from = this.#starts.get(source);
    if (from === undefined) {
      from = this.#end;
      this.#starts.set(source, from);
      this.#files.push({ source, start: from });
      // What a file gets later is taken for a part of the next one, where the check of the sketch fails.
      this.#end += (statSync(source.path, { throwIfNoEntry: false })?.size ?? 0) + 1;
    }
    return from + position + start;
  }

  #textAt(position: number, id: Id): string | undefined | Promise<string | undefined> {
    if (position < FIRST) return this.#textOfFile(`${id}`, position);
    const file = this.#files.findLast(({ start }) => start <= position);
    if (file === undefined) return undefined;
    const { source, start } = file;
    const line = source.textOfLine && this.#lineAt(source.path, position - start);
    return line === undefined
      ? this.#textIn(source.pieces(this.#contentOf(source.path, position - start)))
      : this.#textOfRow(source, line);
  }

  #textOfFile(path: string, position: number): Promise<string | undefined> {
    return this.#textIn(filePieces(path, position === WHOLE_PAGE, this.#contentOf(path, 0)));
  }

  /** Returns the text of the only document of these bytes. */
  #textOfRow(source: Source, row: Buffer): string | undefined | Promise<string | undefined> {
    if (source.textOfLine === undefined || row.length > CHUNK) return this.#textIn(source.pieces(chunkOf(row)));
    try {
      return source.textOfLine(row.toString());
    } catch {
      return undefined;
    }
  }

  /** Resolves to the text of the first document. */
  async #textIn(pieces: AsyncIterable<Piece>): Promise<string | undefined> {
    try {
      for await (const piece of pieces) for (const record of piece.records()) return await this.#textOf(record);
    } catch (error) {
      // The file has changed or is gone.
      if (codeOf(error) === undefined && (error as Error).constructor !== Error) throw error;
    }
    return undefined;
  }

  async #textOf(record: TextRecord): Promise<string | undefined> {
    if (record.isHtml) this.#mainText ??= await htmlReader();
    const read = readRecord(record, this.#mainText);
    return 'text' in read ? read.text : undefined;
  }

  /** Returns a file's descriptor; undefined if it is not a regular file any more. */
  #open(path: string): number | undefined {
    if (this.#file?.path === path) return this.#file.fd;
    if (this.#file !== undefined) closeSync(this.#file.fd);
    const fd = openFile(path);
    this.#file = fd === undefined ? undefined : { path, fd };
    return fd;
  }

  /** Returns the line at a position; undefined if it is long or cannot be read. */
  #lineAt(path: string, position: number): Buffer | undefined {
    try {
      const fd = this.#open(path);
      if (fd === undefined) return undefined;
      const line = this.#line.subarray(0, readSync(fd, this.#line, 0, CHUNK, position));
      const end = line.indexOf(LINE_FEED);
      return end < 0 ? undefined : line.subarray(0, end);
    } catch {
      return undefined;
    }
  }

  /** Yields the bytes of a file from a position on. */
  async *#contentOf(path: string, position: number): Chunks {
    const fd = this.#open(path);
    if (fd === undefined) return;
    for (let at = position; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const size = readSync(fd, chunk, 0, CHUNK, at);
      if (size === 0) return;
      yield chunk.subarray(0, size);
      at += size;
    }
  }
}
