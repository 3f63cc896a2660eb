// The ids of documents in a set that outlives the call.
import { hexOf } from '../common/hex.js';
import type { Id } from '../common/types.js';
import type { Sketch } from '../sketch/sketch.js';

/** Returns an id derived from a sketch: a repeated run gets the same id, and no other document replaces the document. */
function derivedId(sketch: Sketch): string {
  // The two hashes, which decide equality, follow the scheme's id and the kind.
  const at = sketch.scheme.length + 2;
  return `sketch:${hexOf(sketch.toBytes().subarray(at, at + 16))}`;
}

/**
 * Returns the id under which a set keeps a document: its own id, or else a derived one. Returns undefined for a document without
 * an id and without words. Nothing could find it in the set, so it is new, and not kept.
 */
export const lastingId = <I extends Id>(id: I | undefined, sketch: Sketch): I | string | undefined =>
  id ?? (sketch.isBlank ? undefined : derivedId(sketch));
