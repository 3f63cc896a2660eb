// Reads the documents of the input: with their sketches, by threads, or with their texts.
import { compiled } from '../boot/file.js';
import { Fingerprinter, type Id } from '../index.js';
import {
  batchReader,
  MAX_SCANNED,
  type ReaderSettings,
  type ReadLines,
  type ReadSettings,
  type ReadTexts,
} from '../node/documents.js';
import { BadDocument, type JsonObject } from '../node/fields.js';
import { htmlReader } from '../node/html.js';
import { lineScanner } from '../node/lines.js';
import { inOrder, Workers } from '../node/workers.js';
import { totalSize } from './chunks.js';
import type { Batch, Job, Piece, TextRecord } from './document.js';
import { messageOf } from './errors.js';
import { type Input, readPieces } from './input.js';
import type { Io } from './io.js';
import { runJob } from './job.js';
import type { OneShape } from './shape.js';

/** Without --threads, threads start after this many bytes. */
const LARGE = 8 << 20;

/** The first job of a thread, without lines. */
const EMPTY: Job = { lines: { bytes: new Uint8Array() } };

/** How the documents of files are read. */
export interface BatchSettings extends ReadSettings {
  /** The id of the scheme of the sketches. */
  scheme: string;
  /** The option --threads. */
  threads?: number | undefined;
  /** The number of threads for much input without the option; 0 for none. */
  defaultThreads: number;
}

const hasPages = (inputs: readonly Input[], { html }: ReadSettings): boolean =>
  html || inputs.some(({ format }) => format === 'html');

const bytesOf = (job: Job): Uint8Array<ArrayBuffer> => ('lines' in job ? job.lines : job.texts).bytes;

/** Yields the pieces of files. */
const piecesOf = (
  inputs: readonly Input[],
  settings: ReadSettings,
  io: Io,
  shape?: OneShape,
): AsyncGenerator<Piece, void, undefined> => io.eachFile(inputs, (input) => readPieces(input, settings, io, shape));

/**
 * Yields the documents of files in batches, in the order of the input for any number of threads, and reports what is not a
 * document. `shape` accepts the files, if the output has one shape.
 */
export async function* readBatches(
  inputs: readonly Input[],
  { scheme, threads, defaultThreads, ...settings }: BatchSettings,
  io: Io,
  shape?: OneShape,
): AsyncGenerator<Batch, void, undefined> {
  io.progress.total = totalSize(inputs.map(({ path }) => path));
  const read: ReaderSettings = { ...settings, hasPages: hasPages(inputs, settings) };
  const here = await batchReader(new Fingerprinter({ scheme, key: settings.key }), read, lineScanner(scheme, settings));
  const file = new URL('./cli-worker.js', import.meta.url);
  const max = threads ?? Math.max(1, defaultThreads);
  const workers = new Workers<Job, ReadLines | ReadTexts>(max, file, { scheme, read, module: compiled() });
  let size = 0;
  const work = async (piece: Piece): Promise<Batch> => {
    const { job } = piece;
    const bytes = bytesOf(job);
    size += bytes.length;
    if (threads === undefined ? defaultThreads > 0 && size >= LARGE : threads > 1) workers.start(EMPTY);
    // A thread reads a long line: its module has no index that a lack of memory could destroy.
    const isHere = !workers.isUp && bytes.length <= MAX_SCANNED;
    const batch = piece.open(isHere ? runJob(here, job) : await workers.run(job, [bytes.buffer]));
    batch.origin = piece.origin;
    return batch;
  };
  try {
    for await (const batch of inOrder(piecesOf(inputs, settings, io, shape), work, 2 * max)) {
      for (const { number, message } of batch.rejected) io.reject(batch.placeOf(number), message);
      io.progress.documents += batch.documents.length;
      io.progress.update();
      yield batch;
      if (io.signal.aborted) return;
    }
  } finally {
    await workers.close();
  }
}

/** A document with its text. */
interface ReadRecord {
  /** Its id, or its place if it has none. */
  name: Id;
  place: string;
  /** The name of its file. */
  file: string;
  text: string;
  fields: JsonObject;
}

/** Yields the documents of files with their texts, and reports what is not a document. */
export async function* readRecords(
  inputs: readonly Input[],
  settings: ReadSettings,
  io: Io,
): AsyncGenerator<ReadRecord, void, undefined> {
  io.progress.total = totalSize(inputs.map(({ path }) => path));
  const mainText = hasPages(inputs, settings) ? await htmlReader() : undefined;
  for await (const piece of piecesOf(inputs, settings, io)) {
    for (const record of piece.records()) {
      const read = readRecord(record, mainText);
      if ('message' in read) io.reject(record.place, read.message);
      else yield read;
      io.progress.documents++;
      io.progress.update();
    }
    if (io.signal.aborted) return;
  }
}

/** Reads the text of a record, or the reason why it is not a document. */
export function readRecord(
  { file, place, read, isHtml }: TextRecord,
  mainText: ((html: string) => string) | undefined,
): ReadRecord | { message: string } {
  try {
    const { id, text, fields } = read();
    return { name: id ?? place, file, place, fields, text: isHtml && mainText !== undefined ? mainText(text) : text };
  } catch (error) {
    // A page without text is an `Error`.
    if (!(error instanceof BadDocument) && (error as Error).constructor !== Error) throw error;
    return { message: messageOf(error) };
  }
}
