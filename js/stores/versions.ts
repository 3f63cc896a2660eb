// Versions of documents, and the decisions on them: for engines whose transactions wait for JavaScript (SQLite, a Durable
// Object, D1). Redis and PostgreSQL have the rule in their own languages.
import {
  type Decided,
  decide,
  decideAdd,
  decideSettle,
  type Exact,
  hitsOf,
  isProvisional,
  OWN,
  recordOf,
} from '../core/decide.js';
import type { Observation } from '../decisions/decision.js';
import type { Comparison, Verifiable } from '../decisions/verify.js';
import { outcomeOf } from '../decisions/versions.js';
import type { ResemblanceHit, Sketch } from '../index.js';
import { type StoredRecord, sketchOf } from './record.js';

/** A checked document. */
export interface StoreDocument extends Verifiable {
  id: string;
  record: StoredRecord;
  /** The probed values of each block, its own value first. Empty lists for a short text. */
  probes: number[][];
}

/** The subject of a change: a document to observe or add; an id to remove; an id, or one version of it, to confirm or release. */
export type Item = Pick<StoreDocument, 'id'> & Partial<StoreDocument>;

/** A change of items. `observe` and `add` get documents. Durations are in milliseconds. */
export interface Change {
  kind: 'observe' | 'add' | 'confirm' | 'release' | 'remove';
  minResemblance: number;
  lease?: number;
  expiresIn?: number;
  /** If texts verify: the exact resemblances that are known. */
  known?: Known;
}

/** The result of `observe` is a decision, or a comparison of texts that it needs; other changes return whether they affected the item. */
export type Result = Observation<string> | Comparison<string> | boolean;

export interface QueryRule {
  minResemblance: number;
  limit: number;
}

/** A part of all records. */
export interface Page {
  /** Records with their ids; `hasOther` if the id has a provisional version in addition. */
  rows: { id: string; record: StoredRecord; hasOther: boolean }[];
  /** The position to continue from, undefined at the end. */
  next: unknown;
}

/** A version of a document. An id has at most one kept version and one provisional version. Times are in milliseconds. */
export interface Version {
  /** The place in the order of addition. */
  readonly number: number;
  readonly id: string;
  readonly record: StoredRecord;
  /** The time at which a provisional version is discarded; null for a kept one. */
  until: number | null;
  /** The time at which it expires; null for never. */
  expires: number | null;
  /** The similarity of a provisional version to the kept version that it changes; null for a new or a kept one. */
  resemblance: number | null;
  distance: number | null;
}

/** The fields of a version that change. */
export type VersionState = Pick<Version, 'until' | 'expires' | 'resemblance' | 'distance'>;

/** The versions in an engine. Only live ones are found. */
export interface Versions {
  /** The time of the call. */
  readonly now: number;
  own(id: string): Version[];
  /** Returns the versions that a search reads, with up to `limit` equal ones, except versions of the id `except`. */
  candidates(document: StoreDocument, limit: number, except?: string): Version[];
  insert(version: Omit<Version, 'number'>): void;
  update(version: Version, state: VersionState): void;
  remove(version: Version): void;
}

/** What a decision on a document depends on. Candidates are in any order. */
export interface Found {
  now: number;
  own: Version[];
  candidates: Version[];
}

/** Exact resemblances by the version that was compared, undefined if a text is not available. */
export type Known = Map<string, number | undefined>;

const nameOf = ({ compare, kept }: Comparison<string>): string => `${kept.toHex()} ${compare}`;

/** Decides by the exact resemblances that are known, if texts verify. Returns the first comparison that is not known. */
export function decideByKnown<R extends object>(
  known: Known | undefined,
  step: (exact?: Exact) => R | Comparison<string>,
): R | Comparison<string> {
  if (known === undefined) return step();
  const exact: (number | undefined)[] = [];
  for (;;) {
    const result = step(exact);
    if (!('compare' in result) || !known.has(nameOf(result))) return result;
    exact.push(known.get(nameOf(result)));
  }
}

/** Remembers the result of a comparison. */
export const learn = (known: Known, comparison: Comparison<string>, resemblance: number | undefined): Known =>
  known.set(nameOf(comparison), resemblance);

/** The maximum number of equal versions that a search reads if texts verify. */
export const MAX_EQUAL = 32;

/** A time that is not given, in a value. */
const NEVER = 2n ** 64n - 1n;

/** A distance that is not given, in a value. */
const NO_DISTANCE = 255;

/** Returns a version as js/core/decide.ts reads it. */
export function versionValue({
  record,
  until,
  expires,
  resemblance,
  distance,
}: Omit<Version, 'number' | 'id'>): Uint8Array {
  if (until === null && expires === null) return record;
  const value = new Uint8Array(record.length + (until === null ? 8 : 25));
  value.set(record);
  const view = new DataView(value.buffer, record.length);
  view.setBigUint64(0, expires === null ? NEVER : BigInt(expires), true);
  if (until === null) return value;
  view.setBigUint64(8, BigInt(until), true);
  view.setUint8(16, distance ?? NO_DISTANCE);
  view.setFloat64(17, resemblance ?? 0, true);
  return value;
}

/** Returns the fields of a value. */
function stateOf(value: Uint8Array): VersionState & Pick<Version, 'record'> {
  const record = recordOf(value).slice();
  const { buffer, byteOffset, length } = value;
  const [view, at] = [new DataView(buffer, byteOffset), record.length];
  const time = (at: number) => (view.getBigUint64(at, true) === NEVER ? null : Number(view.getBigUint64(at, true)));
  const expires = length === at ? null : time(at);
  if (!isProvisional(value)) return { record, expires, until: null, resemblance: null, distance: null };
  const distance = view.getUint8(at + 16);
  const before = distance === NO_DISTANCE ? null : { distance, resemblance: view.getFloat64(at + 17, true) };
  return { record, expires, until: time(at + 8), resemblance: null, distance: null, ...before };
}

/** Returns candidates in the order of addition, each once. */
export const inOrder = (candidates: Iterable<Version>): Version[] =>
  [...new Map(Array.from(candidates, (version) => [version.number, version])).values()].sort(
    (a, b) => a.number - b.number,
  );

export function apply(
  versions: Versions,
  { kind, minResemblance, lease, expiresIn, known }: Change,
  item: Item,
): Result {
  const { id, sketch } = item;
  const own = versions.own(id);
  if (kind === 'remove') {
    for (const version of own) versions.remove(version);
    return own.length > 0;
  }
  const values = own.map(versionValue);
  const rule = { minResemblance, now: versions.now, expiresIn: expiresIn ?? Number.NaN, lease: lease ?? Number.NaN };
  if (kind !== 'observe') {
    const change =
      kind === 'add' ? decideAdd(sketch as Sketch, values, rule) : decideSettle(kind, values, rule.now, sketch);
    carryOut(versions, id, own, change);
    return kind === 'add' || change !== undefined;
  }
  const document = item as StoreDocument;
  // Candidates matter only to a document that becomes a version without them.
  let decided = decide(document.sketch, values, [], rule) as Decided | Comparison<string>;
  let candidates: Version[] = [];
  if ((decided as Decided).change?.add !== undefined) {
    candidates = inOrder(versions.candidates(document, known === undefined ? 1 : MAX_EQUAL, id));
    const others = candidates.map(versionValue);
    decided = decideByKnown<Decided>(known, (exact) => {
      const result = decide(document.sketch, values, others, rule, exact);
      if (!('compare' in result)) return result;
      const kept = own.find(({ until }) => until === null) as Version;
      const { id, record } = result.compare === OWN ? kept : candidates[result.compare];
      return { compare: id, kept: sketchOf(record, document.sketch.scheme, id, false) };
    });
    if ('compare' in decided) return decided;
  }
  const { change } = decided as Decided;
  carryOut(versions, id, own, change);
  return { id, ...outcomeOf(decided as Decided, { candidates }) };
}

/** Changes the versions of an id. */
function carryOut(
  versions: Versions,
  id: string,
  own: readonly Version[],
  change: ReturnType<typeof decideSettle>,
): void {
  for (const at of change?.removes ?? []) versions.remove(own[at]);
  if (change?.update !== undefined) versions.update(own[change.update.at], stateOf(change.update.value));
  if (change?.add !== undefined) versions.insert({ id, ...stateOf(change.add.value) });
}

/** Returns the best hits among candidates, with the best version of each id. */
export function bestOf(
  { sketch }: StoreDocument,
  found: Iterable<Version>,
  { minResemblance, limit }: QueryRule,
  now: number,
): ResemblanceHit<string>[] {
  const candidates = inOrder(found);
  const hits = new Map<string, ResemblanceHit<string>>();
  for (const { at, isProvisional, ...similarity } of hitsOf(
    sketch,
    candidates.map(versionValue),
    minResemblance,
    now,
  )) {
    const { id } = candidates[at];
    if (hits.size === limit) break;
    if (!hits.has(id)) hits.set(id, { id, ...similarity, ...(isProvisional && { isProvisional }) });
  }
  return [...hits.values()];
}
