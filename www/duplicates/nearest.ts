// A decision together with the nearest kept document, for callers that show both.
import type { Deduplicator, Hit, Id, Observation, Sketch } from 'nearprint';

/**
 * Observes a document whose id is not in the set. `nearest` is the kept document that it is a near-duplicate of, or else the
 * most similar one that the search finds, however different it is.
 */
export function observeWithNearest<I extends Id>(
  kept: Deduplicator<I>,
  id: I,
  sketch: Sketch,
  minResemblance: number,
): { decision: Observation<I>; nearest: Hit<I> | undefined } {
  const decision = kept.observe(id, sketch, { minResemblance });
  if (decision.status === 'duplicate') return { decision, nearest: { ...decision, id: decision.duplicateOf } };
  // Two hits, since a document that was kept is its own nearest hit.
  const hits = kept.query(sketch, { minResemblance: 0, limit: 2 });
  return { decision, nearest: hits.find((hit) => hit.id !== id) };
}
