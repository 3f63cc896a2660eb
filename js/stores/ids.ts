// The check of ids that every engine accepts.
import { ArgumentError } from '../core/argument-error.js';

/** The maximum length of an id in bytes of UTF-8, below the limit of every engine's index. */
export const MAX_ID_BYTES = 2000;

export function checkId(id: unknown, argument = 'id'): string {
  if (typeof id !== 'string') throw new ArgumentError(argument, 'a string', id);
  if (id.includes('\0') || !id.isWellFormed()) {
    throw new ArgumentError(argument, 'a string without NUL and without lone surrogates', id);
  }
  if (id.length * 3 > MAX_ID_BYTES && new TextEncoder().encode(id).length > MAX_ID_BYTES) {
    throw new ArgumentError(argument, `a string of up to ${MAX_ID_BYTES} bytes of UTF-8`, id);
  }
  return id;
}
