// The texts of this run's documents, read again from the input: the exact resemblance verifies near-duplicates.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { FeatureSet } from '../core/feature-set.js';
import type { Verifiable } from '../core/verify.js';
import type { Deduplicator, Id } from '../index.js';
import { MAX_SCANNED, type ReadSettings } from '../node/documents.js';
import { BadDocument } from '../node/fields.js';
import { lineReader } from '../node/lines.js';
import { isPacked, MAX_DOCUMENT } from './chunks.js';
import type { Document, Source } from './document.js';
import { attempt } from './file-system.js';
import { kindOf } from './glob.js';

/** Opens a regular file; undefined if it is another one, such as a pipe. */
function openFile(path: string): number | undefined {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return undefined;
}

/** Returns the first bytes of a regular file; undefined if there is none. The reader of the file reports the reason. */
export function headOf(path: string): Buffer | undefined {
  return attempt(() => {
    const fd = path === '-' || kindOf(path) !== 'file' ? undefined : openFile(path);
    if (fd === undefined) return undefined;
    const head = Buffer.alloc(64);
    try {
      return head.subarray(0, readSync(fd, head));
    } finally {
      closeSync(fd);
    }
  });
}

/** Returns whether a file can be read again from any byte: it is regular and not compressed. */
export function canReadAgain(path: string): boolean {
  const head = headOf(path);
  return head !== undefined && !isPacked(head);
}

/** A place is a position times this number, plus the binary logarithm of a length that the document does not exceed. */
const SIZES = 32;

export type InputTexts = ReturnType<typeof rememberTexts>;

/**
 * Remembers where the kept documents of a run are in its files: 8 bytes each, or an entry of a `Map` if the document is
 * an unchanged one of --against. One file is open at a time. `kept` has the documents of the run, which are read with
 * these settings.
 */
export function rememberTexts(kept: Deduplicator, settings: ReadSettings) {
  /** The files in the order of their first documents, and where each starts in all files together. */
  const files: { source: Source; start: number }[] = [];
  const starts = new Map<Source, number>();
  let end = 1;
  /** The places of kept documents of the run, by the numbers of their ids; 0 for none. */
  let places = new Float64Array(1 << 10);
  /** The places of the others, by their ids. */
  const others = new Map<Id, number>();
  let open: { path: string; fd: number } | undefined;
  const lines = lineReader(kept.scheme, settings);
  let buffer: Buffer = Buffer.alloc(0);

  /** Returns a document of the present batch for a verifier. */
  function verifiable({ batch: { file }, bytes, id, sketch, scope }: Document): Verifiable {
    const text = () => {
      const { source } = file;
      if (source === undefined) return undefined;
      if (source.path === undefined) return read(source, `${id}`, 0);
      return contentIn(source, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    };
    return { sketch, scope, text };
  }

  /** Remembers where a document is that is kept now, or was kept with the same words. */
  function note(document: Document): void {
    const { source } = document.batch.file;
    // If the id has an earlier place, it stays: the verifier checks the text that is read there.
    if (source === undefined) return;
    const key = document.key as Id;
    const number = kept.numberOf(key);
    if (number === undefined) {
      others.set(key, placeOf(document, source));
      return;
    }
    if (number >= places.length) {
      const longer = new Float64Array(Math.max(number + 1, 2 * places.length));
      longer.set(places);
      places = longer;
    }
    places[number] = placeOf(document, source);
  }

  function placeOf({ batch, start, end: last }: Document, source: Source): number {
    let from = starts.get(source);
    if (from === undefined) {
      from = end;
      starts.set(source, from);
      files.push({ source, start: from });
      // If the file grows later, a position in the new part belongs to the next file, where the verifier rejects the text.
      end += 1 + (source.path === undefined ? 0 : (statSync(source.path, { throwIfNoEntry: false })?.size ?? 0));
    }
    const at = source.path === undefined ? 0 : batch.position + start;
    return (from + at) * SIZES + 32 - Math.clz32(last - start - 1);
  }

  /** Returns the text or the features of a document of this run, if it can be read again. A verifier checks that it is the same. */
  function contentOf(key: Id): string | FeatureSet | undefined {
    const number = kept.numberOf(key);
    const place = number === undefined ? others.get(key) : places[number];
    if (!place) return undefined;
    const at = Math.floor(place / SIZES);
    const file = files.findLast(({ start }) => start <= at);
    if (file === undefined) return undefined;
    const { source, start } = file;
    return read(source, `${key}`, at - start, source.path === undefined ? undefined : 2 ** (place % SIZES));
  }

  /** Reads the document at a position. `size` is undefined for a whole file. */
  function read(source: Source, key: string, position: number, size?: number): string | FeatureSet | undefined {
    let bytes: Buffer;
    try {
      const fd = fileAt(source.path ?? key);
      if (fd === undefined) return undefined;
      const most = size ?? Math.min(fstatSync(fd).size, MAX_DOCUMENT);
      if (buffer.length < most) buffer = Buffer.allocUnsafeSlow(most);
      bytes = buffer.subarray(0, readSync(fd, buffer, 0, most, position));
      if (most > MAX_SCANNED) buffer = Buffer.alloc(0);
    } catch {
      // The file is gone.
      return undefined;
    }
    return contentIn(source, bytes);
  }

  /** Returns the text or the features of the document that the bytes begin with; undefined if they are not a document any more. */
  function contentIn(source: Source, bytes: Buffer): string | FeatureSet | undefined {
    const features = source.isLines && bytes.length <= MAX_SCANNED ? lines?.featuresOf(bytes) : undefined;
    if (features !== undefined) return features;
    try {
      return source.textOf(bytes);
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      return undefined;
    }
  }

  /** Returns a file's descriptor; undefined if it is not a regular file any more. */
  function fileAt(path: string): number | undefined {
    if (open?.path === path) return open.fd;
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
    const fd = openFile(path);
    if (fd !== undefined) open = { path, fd };
    return fd;
  }

  return { verifiable, note, contentOf };
}
