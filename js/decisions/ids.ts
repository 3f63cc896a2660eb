// Ids of documents that have none.
import { hexOf } from '../core/encoding.js';
import type { Sketch } from '../core/sketch.js';
import type { Id } from '../core/types.js';

/**
 * Returns an id that is derived from a sketch, for a set that outlives the call: a repeated run gets the same one, and no
 * other document replaces it.
 */
export function derivedId(sketch: Sketch): string {
  // The fingerprint and the hash of the words, which decide equality.
  const bytes = sketch.toBytes();
  const at = bytes[0] + 2;
  return `sketch:${hexOf(bytes.subarray(at, at + 16))}`;
}

/**
 * The keys of a set that does not outlive the call. A document without an id has its position, a number, which no id of
 * another document may equal: so positions and the strings that look like their keys have a prefix.
 */
const PREFIX = '\0';

/** Returns the key of a document, from its id or else its position. */
export const keyOf = (id: Id | undefined, position: number): Id =>
  id === undefined ? `${PREFIX}#${position}` : keyOfId(id);

export const keyOfId = (id: Id): Id => (typeof id === 'string' && id.startsWith(PREFIX) ? PREFIX + id : id);

/** Returns the id or the position of a key. */
export function idOfKey(key: Id): Id {
  if (typeof key !== 'string' || !key.startsWith(PREFIX)) return key;
  const rest = key.slice(PREFIX.length);
  return rest.startsWith('#') ? Number(rest.slice(1)) : rest;
}
