// The part of a sketch that a store keeps.
import { ArgumentError, Sketch } from '../index.js';

/**
 * The record of a document: the binary form of its sketch from the fingerprint on, without margins. 16 bytes for a short
 * text (fingerprint, hash of the words), 80 for others (and the MinHash).
 */
export type StoredRecord = Uint8Array;

/** Bytes of the fingerprint and the hash of the words, which decide equality. */
export const HEAD = 16;
export const WITH_MINHASH = 80;

/**
 * The kinds of a sketch in its binary form (src/dedupe/sketch.rs): of a short text, with the odd sketch alone, of another text,
 * and of a document of a store with the MinHash.
 */
const [SHORT, RECORD, WHOLE, STORED] = [0, 1, 0x82, 0x83];

/** Bytes of the margins at the end of a sketch. */
const MARGINS = 32;

/** Returns the record with the odd sketch, or with the MinHash in its place if a server decides by it. */
export function recordOf(sketch: Sketch, hasMinHash: boolean): StoredRecord {
  const bytes = sketch.toBytes();
  const start = 2 + bytes[0];
  const head = bytes.slice(start, start + HEAD);
  if (sketch.isShort) return head;
  if (!hasMinHash) return bytes.slice(start, start + WITH_MINHASH);
  const kind = bytes[start - 1];
  if (kind !== WHOLE && kind !== STORED) throw new ArgumentError('sketch', 'made from a text, or from a store', sketch);
  const end = bytes.length - (kind === STORED ? 0 : MARGINS);
  return Uint8Array.of(...head, ...bytes.subarray(end - WITH_MINHASH + HEAD, end));
}

/** Returns the sketch of a record of the scheme. `id` is for the error if the record is damaged. */
export function sketchOf(record: StoredRecord, scheme: string, id: string, hasMinHash: boolean): Sketch {
  const head = new TextEncoder().encode(scheme);
  const kind = record.length === HEAD ? SHORT : hasMinHash ? STORED : RECORD;
  try {
    return Sketch.fromBytes(Uint8Array.of(head.length, ...head, kind, ...record));
  } catch (error) {
    throw damagedRecord(id, error);
  }
}

export const damagedRecord = (id: string, cause?: unknown): Error =>
  new Error(`nearprint: the record of ${JSON.stringify(id)} is damaged: delete it, and observe the document again`, {
    cause,
  });

/** Returns the bytes that decide equality as a key. */
export const keyOf = (record: StoredRecord): string => String.fromCharCode(...record.subarray(0, HEAD));

/** Returns whether two records are of equal documents. */
export const areEqual = (a: StoredRecord, b: StoredRecord): boolean => keyOf(a) === keyOf(b);

const viewOf = ({ buffer, byteOffset }: StoredRecord): DataView => new DataView(buffer, byteOffset);

/** A record as columns of a table. The fingerprint is in two halves, since JavaScript rounds 64-bit integers. */
export interface RecordParts {
  high: number;
  low: number;
  /** The hash of the words. */
  words: Uint8Array;
  /** Null for a short text. */
  minhash: Uint8Array | null;
}

export function partsOf(record: StoredRecord): RecordParts {
  const view = viewOf(record);
  const minhash = record.length > HEAD ? record.slice(HEAD) : null;
  return { low: view.getUint32(0, true), high: view.getUint32(4, true), words: record.slice(8, HEAD), minhash };
}

/** Returns the record of the parts that a database returned. */
export function joinParts(parts: { id: string } & Record<keyof RecordParts, unknown>): StoredRecord {
  const { id, high, low, words, minhash } = parts;
  const [head, rest] = [bytesOf(words), minhash === null ? new Uint8Array() : bytesOf(minhash)];
  if (!isHalf(high) || !isHalf(low) || head?.length !== 8 || (rest?.length !== 0 && rest?.length !== 64)) {
    throw damagedRecord(id);
  }
  const record = new Uint8Array(HEAD + rest.length);
  const view = viewOf(record);
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  record.set(head, 8);
  record.set(rest, HEAD);
  return record;
}

const isHalf = (value: unknown): value is number => Number.isInteger(value) && (value as number) >>> 0 === value;

/** Returns the bytes of a blob: drivers return a typed array, an ArrayBuffer or an array of numbers. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer || Array.isArray(value) ? new Uint8Array(value) : undefined;
}

/** Returns the values of the four 16-bit blocks, from the highest; none for a short text. */
export function blocksOf(record: StoredRecord): number[] {
  if (record.length === HEAD) return [];
  const view = viewOf(record);
  return [0, 1, 2, 3].map((block) => view.getUint16(6 - 2 * block, true));
}
