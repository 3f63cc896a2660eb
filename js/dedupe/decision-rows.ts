// Rows: the form in which the module writes decisions and hits. wasm/src/decision.rs and deduplicator.rs write them.
//
// A row has {@link ROW} cells: the number of the status; the number of the original of a duplicate; the resemblance; and 1 if the
// original is provisional. Cells that a decision does not have are 0.
import type { Hit, Outcome } from './decision.js';

/** The statuses, in the order of their numbers. */
export const STATUSES = ['new', 'unchanged', 'changed', 'duplicate'] as const;

/** The number of the last status. A document with a smaller number has its id in the set. */
export const DUPLICATE = 3;

/** In place of a status: one more exact resemblance is needed. */
export const COMPARE = 4;

/** The number of cells of a row. */
export const ROW = 4;

/** Returns the hit in three cells, the last of a row: the number of the document, the resemblance, and 1 if it is provisional. */
export function hitIn<I>(cells: Float64Array, at: number, idOf: (number: number) => I): { id: I } & Omit<Hit, 'id'> {
  const hit = { id: idOf(cells[at]), resemblance: cells[at + 1] };
  return cells[at + 2] === 1 ? { ...hit, isProvisional: true } : hit;
}

/** Returns the outcome of a row. */
export function outcomeIn<I>(cells: Float64Array, idOf: (number: number) => I): Outcome<I> {
  const status = STATUSES[cells[0]];
  if (status === 'new' || status === 'unchanged') return { status };
  const { id: duplicateOf, ...similarity } = hitIn(cells, 1, idOf);
  return status === 'changed' ? { status, ...similarity } : { status, duplicateOf, ...similarity };
}
