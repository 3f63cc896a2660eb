// The binary form in which stores keep a version of a document. src/dedupe/versions.rs defines it.
import { ArgumentError } from '../common/argument-error.js';
import { encoder } from '../common/utf8.js';
import { checkedSketch, type Sketch } from '../sketch/sketch.js';

/** Sizes in bytes. A record has the hashes, and unless the text is short, the odd sketch. */
const [HASHES, RECORD] = [16, 80];

/** Sizes in bytes of what follows the record of a version that expires, and of a provisional one. */
const [EXPIRY, LEASE] = [8, 24];

/** In place of a time in the binary form: never. */
const NEVER = 2n ** 64n - 1n;

/** The parts of a version. @internal */
export interface VersionParts {
  /** The hashes, and unless the text is short, the odd sketch. */
  record: Uint8Array;
  /** The time in milliseconds at which it ends: a provisional version with its lease, another one at its expiry. `Infinity` for never. */
  ends: number;
  isProvisional: boolean;
}

/** Returns the error about bytes that are not a version. @internal */
export const damagedVersion = (value: Uint8Array): ArgumentError =>
  new ArgumentError('value', 'a version that a store keeps', value, `${value.length} bytes that are not`);

/** Returns the time at a position of a version. */
function timeAt({ buffer, byteOffset }: Uint8Array, at: number): number {
  const time = new DataView(buffer, byteOffset).getBigUint64(at, true);
  return time === NEVER ? Infinity : Number(time);
}

/** Reads a version. Its length tells which parts it has. @internal */
export function readVersion(value: Uint8Array): VersionParts {
  const size = value.length < RECORD ? HASHES : RECORD;
  const record = value.subarray(0, size);
  switch (value.length - size) {
    case 0:
      return { record, ends: Infinity, isProvisional: false };
    case EXPIRY:
      return { record, ends: timeAt(value, size), isProvisional: false };
    case LEASE:
      // The end of the lease follows the expiry time.
      return { record, ends: timeAt(value, size + EXPIRY), isProvisional: true };
    default:
      throw damagedVersion(value);
  }
}

/** Returns whether a version has not ended at a time. @internal */
export const isLive = (value: Uint8Array, now: number): boolean => readVersion(value).ends > now;

/** Returns the sketch of a version, without keys. @internal */
export function sketchOfVersion(value: Uint8Array, scheme: string): Sketch {
  const { record } = readVersion(value);
  const head = encoder.encode(scheme);
  // The kind of a short text is 0, the kind of another record is 1.
  return checkedSketch(Uint8Array.of(head.length, ...head, record.length === HASHES ? 0 : 1, ...record));
}

/** Returns whether a version that has not ended equals a document: candidates then make no difference. @internal */
export function hasEqual(own: readonly Uint8Array[], { view }: Sketch, now: number): boolean {
  // A record begins with the two hashes. In a sketch, the id of the scheme and the kind come first.
  const start = 2 + view[0];
  return own.some(
    (value) => isLive(value, now) && value.subarray(0, HASHES).every((byte, at) => byte === view[start + at]),
  );
}
