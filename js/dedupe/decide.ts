// The rule of decisions (src/dedupe/rule.rs), for documents whose versions are kept elsewhere.
//
// A value is a version in its binary form (src/dedupe/versions.rs): a record of 16 or 80 bytes, then nothing, an expiry time
// (8 bytes), or an expiry time and a lease (24 bytes). Times are in milliseconds since 1970, and NaN is a time that is not
// given.
import { dedupeExchange, dedupeModule } from '../boot/dedupe.js';
import { ArgumentError } from '../common/argument-error.js';
import { encoder } from '../common/utf8.js';
import { checkedSketch, type Sketch } from '../sketch/sketch.js';

/** How a document is compared and kept. `expiresIn` and `lease` are NaN if they are not given. */
export interface Rule {
  minResemblance: number;
  now: number;
  expiresIn: number;
  lease: number;
}

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
  status: 'new' | 'unchanged' | 'changed' | 'duplicate';
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

/** Decisions as numbers, as in wasm/src/decision.rs. */
export const STATUS = ['new', 'unchanged', 'changed', 'duplicate'] as const;

/** In place of the index of a version: there is none. */
const NONE = -1;

/** What is done with a document, as in wasm/src/decide.rs. */
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
      if (value.length > 255) throw damagedValue(value);
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
    status: STATUS[status],
    of,
    resemblance: cells[1],
    isProvisional: of >= 0 && isProvisional(candidates[of]),
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
    return { at, resemblance, isProvisional: isProvisional(candidates[at]) };
  });
}

/**
 * Returns whether two documents are near-duplicates by the rule: by their exact resemblance if it is given, else by the
 * estimate. @internal
 */
export function areNear(a: Sketch, b: Sketch, minResemblance: number, resemblance?: number): boolean {
  return dedupeModule().bindings.areNear(...dedupeExchange().writeBoth(a.view, b.view), minResemblance, resemblance);
}

const [HEAD, RECORD, EXPIRY, LEASE] = [16, 80, 8, 24];

const damagedValue = (value: Uint8Array): ArgumentError =>
  new ArgumentError('value', 'a version that a store keeps', value, `${value.length} bytes that are not`);

/** Returns the record of a version: as a version, it is kept and does not end. @internal */
export const recordOf = (value: Uint8Array): Uint8Array => value.subarray(0, value.length < RECORD ? HEAD : RECORD);

/** Returns the sketch of a version, without keys. @internal */
export function sketchOfValue(value: Uint8Array, scheme: string): Sketch {
  endOf(value);
  const record = recordOf(value);
  const head = encoder.encode(scheme);
  // The kind of a short text is 0, the kind of another record is 1.
  return checkedSketch(Uint8Array.of(head.length, ...head, record.length === HEAD ? 0 : 1, ...record));
}

/** Returns the time at which a version ends, `Infinity` for none. @internal */
export function endOf(value: Uint8Array): number {
  const { buffer, byteOffset, length } = value;
  const size = length - recordOf(value).length;
  if (size === 0) return Infinity;
  if (size !== EXPIRY && size !== LEASE) throw damagedValue(value);
  // A provisional version ends with its lease, which follows the expiry time.
  const time = new DataView(buffer, byteOffset).getBigUint64(length - size + (size === LEASE ? EXPIRY : 0), true);
  return time === 2n ** 64n - 1n ? Infinity : Number(time);
}

/** Returns whether a version has not ended at a time. @internal */
export const isLive = (value: Uint8Array, now: number): boolean => endOf(value) > now;

/** Returns whether a version that has not ended equals a document: candidates then make no difference. @internal */
export function hasEqual(own: Values, { view }: Sketch, now: number): boolean {
  // A record begins with the two hashes. In a sketch, the id of the scheme and the kind come first.
  const start = 2 + view[0];
  return own.some(
    (value) => isLive(value, now) && value.subarray(0, HEAD).every((byte, at) => byte === view[start + at]),
  );
}

/** Returns whether a version is provisional. @internal */
export const isProvisional = (value: Uint8Array): boolean => value.length - recordOf(value).length === LEASE;
