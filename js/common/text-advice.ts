// How to get a text from a value that is not one.
import { describe } from './argument-error.js';

/** Returns what to do with a value that is passed in place of a text, or '' if that is unknown. `onBuffer` does for buffers. */
function adviceOn(value: unknown, onBuffer: (value: object) => string): string {
  if (value === null || value === undefined) return "pass '' for no text";
  if (typeof value === 'symbol' || typeof value === 'function') return '';
  if (typeof value !== 'object') return 'pass String(value)';
  const { then, text, [Symbol.asyncIterator]: iterator } = value as Readonly<Record<PropertyKey, unknown>>;
  // `describe` has advice on promises.
  if (typeof then === 'function') return '';
  // A Response, Request, Blob or File.
  if (typeof text === 'function') return 'await its text()';
  if (typeof text === 'string') return 'pass its field text';
  if (Array.isArray(value)) return 'pass one text';
  return iterator !== undefined || 'getReader' in value ? 'read it first' : onBuffer(value);
}

/** Returns how to get bytes from a buffer or a view of one, or ''. */
function adviceOnBuffer(value: object): string {
  if (ArrayBuffer.isView(value)) return 'pass a Uint8Array of its bytes';
  return 'byteLength' in value ? 'pass new Uint8Array(buffer)' : '';
}

const describeWithAdvice = (value: unknown, advice: string): string =>
  advice === '' ? describe(value) : `${describe(value)}: ${advice}`;

/** Describes a value that is passed in place of a text, with what to do. */
export const describeNoText = (value: unknown): string => describeWithAdvice(value, adviceOn(value, adviceOnBuffer));

/** Describes a value that is passed in place of a text where bytes are not accepted, with what to do. */
export const describeNoString = (value: unknown): string =>
  describeWithAdvice(
    value,
    adviceOn(value, (value) => (adviceOnBuffer(value) === '' ? '' : 'decode it with a TextDecoder')),
  );

/** Describes a value that is passed in place of bytes, with what to do. */
export const describeNoBytes = (value: unknown): string =>
  describeWithAdvice(value, typeof value === 'object' && value !== null ? adviceOnBuffer(value) : '');
