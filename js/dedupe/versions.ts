// The rule for stores (src/dedupe/versions.rs): decisions on documents whose versions a database keeps, as bytes. A set in memory
// decides in the module itself: see document-set.ts.
//
// Times are in milliseconds since 1970, and NaN is a time that is not given.
import { dedupeExchange, dedupeModule } from '../boot/dedupe.js';
import type { Sketch } from '../sketch/sketch.js';
import type { Outcome } from './decision.js';
import type { Rule } from './decision-options.js';
import { STATUSES } from './decision-rows.js';
import { damagedVersion, readVersion } from './version-bytes.js';

/** A change of the versions of the document's id, which are given by their indices. */
export interface Change {
  /** Ended, replaced and discarded versions. */
  removes: number[];
  /** A version that stays, with another expiry time or lease. */
  update?: { at: number; value: Uint8Array; ends: number };
  /** A new version, to be filed under the document's keys, the last in the order of addition. */
  add?: { value: Uint8Array; ends: number };
  /** The time from which on the change is not right: the earliest end of a version of the id that has not ended. */
  deadline: number;
}

export interface Decided {
  status: Outcome['status'];
  /** The index of the candidate that a duplicate resembles, else -1. */
  of: number;
  /** NaN for new and unchanged documents. */
  resemblance: number;
  /** Whether the candidate that a duplicate resembles is provisional. */
  isProvisional: boolean;
  /** Undefined if nothing changes. */
  change: Change | undefined;
}

/** A candidate that reaches the threshold, by its index. */
export interface CandidateHit {
  at: number;
  resemblance: number;
  isProvisional: boolean;
}

/** Stands for the index of a version that does not exist. */
const NONE = -1;

/** The operations on a document, as in wasm/src/versions.rs. */
const [OBSERVE, ADD, CONFIRM, RELEASE]: readonly number[] = [0, 1, 2, 3];

/** The number of cells of a result before the indices of removed versions. */
const CELLS = 8;

const NO_RULE: Rule = { minResemblance: 1, now: 0, expiresIn: Number.NaN, lease: Number.NaN };

type Values = readonly Uint8Array[];

/** Writes a document, then each value after its length. Returns where the document and the values end. */
function write(document: Sketch | undefined, own: Values, candidates: Values = []): [number, number] {
  const bytes = document === undefined ? new Uint8Array() : document.view;
  let size = bytes.length + own.length + candidates.length;
  for (const values of [own, candidates]) for (const value of values) size += value.length;
  const to = dedupeExchange().input(size);
  to.set(bytes);
  let end = bytes.length;
  for (const values of [own, candidates]) {
    for (const value of values) {
      // A longer value would be read as several.
      if (value.length > 255) throw damagedVersion(value);
      to[end] = value.length;
      to.set(value, end + 1);
      end += 1 + value.length;
    }
  }
  return [bytes.length, end];
}

/** Returns the change of a result, after the cells of the decision. */
function readChange(cells: Float64Array): Change | undefined {
  if (cells[2] < 0) return undefined;
  // An array, since destructuring a typed array calls its iterator.
  const [deadline, at, ends, count, size] = [cells[3], cells[4], cells[5], cells[6], cells[7]];
  const removes = count === 0 ? [] : Array.from(cells.subarray(CELLS, CELLS + count));
  if (size === 0) return { removes, deadline };
  const start = 8 * (CELLS + count);
  const value = dedupeExchange()
    .read(start + size)
    .slice(start);
  return at === NONE ? { removes, add: { value, ends }, deadline } : { removes, update: { at, value, ends }, deadline };
}

/**
 * Decides what a document is. `own` are the versions of its id, also ended ones, at most two. `candidates` are versions of other
 * ids, the oldest first; ended ones are ignored. @internal
 */
export function decide(
  document: Sketch,
  own: Values,
  candidates: Values,
  { minResemblance, now, expiresIn, lease }: Rule,
): Decided {
  const ends = write(document, own, candidates);
  const { decide } = dedupeModule().bindings;
  const status = decide(OBSERVE, ends[0], own.length, ends[1], minResemblance, now, expiresIn, lease);
  const cells = dedupeExchange().floats(CELLS + own.length);
  const of = cells[0];
  return {
    status: STATUSES[status],
    of,
    resemblance: cells[1],
    isProvisional: of >= 0 && readVersion(candidates[of]).isProvisional,
    change: readChange(cells),
  };
}

function change(kind: number, own: Values, rule: Rule, document?: Sketch): Change | undefined {
  const { minResemblance, now, expiresIn, lease } = rule;
  const ends = write(document, own);
  const { decide } = dedupeModule().bindings;
  decide(kind, ends[0], own.length, ends[1], minResemblance, now, expiresIn, lease);
  return readChange(dedupeExchange().floats(CELLS + own.length));
}

/** Returns the change by which a document is kept, whatever it resembles. Undefined if nothing changes. @internal */
export const decideAdd = (document: Sketch, own: Values, rule: Rule): Change | undefined =>
  change(ADD, own, rule, document);

/**
 * Returns the change that makes the provisional version permanent, or discards it. With a sketch, only a version that equals
 * it is settled. Undefined if there is no such version. @internal
 */
export const decideSettle = (
  kind: 'confirm' | 'release',
  own: Values,
  now: number,
  sketch?: Sketch,
): Change | undefined => change(kind === 'confirm' ? CONFIRM : RELEASE, own, { ...NO_RULE, now }, sketch);

/** Returns the candidates that have not ended and reach the threshold, the best first. An id can have two of them. @internal */
export function hitsOf(document: Sketch, candidates: Values, minResemblance: number, now: number): CandidateHit[] {
  const ends = write(document, [], candidates);
  const count = dedupeModule().bindings.hitsOf(ends[0], ends[1], minResemblance, now);
  const cells = dedupeExchange().floats(2 * count);
  return Array.from({ length: count }, (_, row) => {
    const [at, resemblance] = cells.subarray(2 * row, 2 * row + 2);
    return { at, resemblance, isProvisional: readVersion(candidates[at]).isProvisional };
  });
}

/** Returns the outcome of a decision about candidates. @internal */
export function outcomeOf<I>(decided: Decided, { candidates }: { candidates: readonly { id: I }[] }): Outcome<I> {
  const { status, of, resemblance, isProvisional } = decided;
  if (status === 'new' || status === 'unchanged') return { status };
  if (status === 'changed') return { status, resemblance };
  const outcome: Outcome<I> = { status, duplicateOf: candidates[of].id, resemblance };
  return isProvisional ? Object.assign(outcome, { isProvisional }) : outcome;
}
