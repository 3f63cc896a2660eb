// Ids for documents without one.
import { hexOf } from '../core/hex.js';
import type { Sketch } from '../core/sketch.js';
import type { Id } from '../core/types.js';

/**
 * Returns an id derived from a sketch, for a set that outlives the call: a repeated run gets the same id, and no other
 * document replaces the document.
 */
export function derivedId(sketch: Sketch): string {
  // The fingerprint and the hash of the words, which decide equality, follow the scheme's id and the kind.
  const at = sketch.scheme.length + 2;
  return `sketch:${hexOf(sketch.toBytes().subarray(at, at + 16))}`;
}

/**
 * The prefix of keys in a set that does not outlive the call. The key of a document without an id is its position, which
 * must not equal an id: so positions, and strings that look like their keys, have a prefix.
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
