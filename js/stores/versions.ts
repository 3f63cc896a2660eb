// Versions of documents, and the rule of decisions with leases over them: for engines whose transactions wait for JavaScript
// (memory, SQLite, a Durable Object, D1). Redis and PostgreSQL have the same rule in their own languages.
import type { Observation, Outcome } from '../decisions/decision.js';
import { byRank, isKept, outcomeOf, reaches, similarityOf } from '../decisions/rule.js';
import type { ResemblanceHit, Sketch } from '../index.js';
import { areEqual, type StoredRecord, sketchOf } from './record.js';

/** A checked document. */
export interface StoreDocument {
  id: string;
  sketch: Sketch;
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
}

/** The result of `observe` is a decision; other changes return whether they affected the item. */
export type Result = Observation<string> | boolean;

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
  /** The decision that created a provisional version: null for `new`, else the similarity to the kept version. */
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
  /** Returns the best hits for a document, except the id `except`. */
  search(document: StoreDocument, rule: QueryRule, except?: string): ResemblanceHit<string>[];
  insert(version: Omit<Version, 'number'>): void;
  update(version: Version, state: VersionState): void;
  remove(version: Version): void;
}

/** Returns whether a version exists at a time. A provisional version exists until its lease ends, whatever its expiry time. */
export const isLive = ({ until, expires }: VersionState, now: number): boolean =>
  (until ?? expires ?? Number.POSITIVE_INFINITY) > now;

/** Returns the kept and the provisional version of an id. */
const pairOf = (versions: readonly Version[]): { kept: Version | undefined; pending: Version | undefined } => ({
  kept: versions.find(({ until }) => until === null),
  pending: versions.find(({ until }) => until !== null),
});

export function apply(versions: Versions, change: Change, item: Item): Result {
  switch (change.kind) {
    case 'observe':
      return { id: item.id, ...observe(versions, item as StoreDocument, change) };
    case 'add':
      return add(versions, item as StoreDocument, change);
    case 'remove':
      return versions.own(item.id).map((version) => versions.remove(version)).length > 0;
    default:
      return settle(versions, item, change);
  }
}

const timeAfter = ({ now }: Versions, duration: number | undefined): number | null =>
  duration === undefined ? null : now + duration;

/** Decides what a document is, and keeps it if it is new or changed. */
function observe(versions: Versions, document: StoreDocument, change: Change): Outcome<string> {
  const { id, record, sketch } = document;
  const { minResemblance, lease } = change;
  const { kept, pending } = pairOf(versions.own(id));
  if (pending !== undefined && areEqual(pending.record, record)) {
    const { resemblance, distance } = pending;
    if (lease === undefined) keep(versions, pending, kept);
    else versions.update(pending, { ...pending, until: versions.now + lease });
    return resemblance === null || distance === null ? { status: 'new' } : { status: 'changed', resemblance, distance };
  }
  if (pending !== undefined) versions.remove(pending);
  if (renew(versions, kept, record, change)) return { status: 'unchanged' };
  const before = kept && similarityOf(sketchOf(kept.record, sketch.scheme, id), sketch);
  const [hit] = versions.search(document, { minResemblance, limit: 1 }, id);
  const outcome = outcomeOf(before, hit);
  if (isKept(outcome)) {
    if (lease === undefined && kept !== undefined) versions.remove(kept);
    const [until, expires] = [timeAfter(versions, lease), timeAfter(versions, change.expiresIn)];
    const { resemblance, distance } = (until !== null && before) || { resemblance: null, distance: null };
    versions.insert({ id, record, until, expires, resemblance, distance });
  }
  return outcome;
}

/** Renews the kept version if it equals a record, and returns whether it does. */
function renew(versions: Versions, kept: Version | undefined, record: StoredRecord, { expiresIn }: Change): boolean {
  if (kept === undefined || !areEqual(kept.record, record)) return false;
  if (expiresIn !== undefined) versions.update(kept, { ...kept, expires: versions.now + expiresIn });
  return true;
}

/** Makes a provisional version permanent, in place of the kept one. */
function keep(versions: Versions, pending: Version, kept: Version | undefined): void {
  if (kept !== undefined) versions.remove(kept);
  versions.update(pending, { until: null, expires: pending.expires, resemblance: null, distance: null });
}

/** Confirms or releases the provisional version of an id. Returns whether there was one. */
function settle(versions: Versions, { id, record }: Item, { kind }: Change): boolean {
  const { kept, pending } = pairOf(versions.own(id));
  if (pending === undefined || (record !== undefined && !areEqual(pending.record, record))) return false;
  if (kind === 'confirm') keep(versions, pending, kept);
  else versions.remove(pending);
  return true;
}

/** Keeps a document, whatever it resembles. */
function add(versions: Versions, { id, record }: StoreDocument, change: Change): boolean {
  const { kept, pending } = pairOf(versions.own(id));
  if (pending !== undefined) versions.remove(pending);
  if (renew(versions, kept, record, change)) return true;
  if (kept !== undefined) versions.remove(kept);
  const expires = timeAfter(versions, change.expiresIn);
  versions.insert({ id, record, until: null, expires, resemblance: null, distance: null });
  return true;
}

/** Returns the hits among candidates, the best first, with the best version of each id. */
export function hitsOf(
  { sketch }: StoreDocument,
  candidates: Iterable<Version>,
  { minResemblance, limit }: QueryRule,
): ResemblanceHit<string>[] {
  const { scheme } = sketch;
  const verified = Array.from(candidates, ({ number, id, record }) => {
    const other = sketchOf(record, scheme, id);
    const hasFewFeatures = other.hasFewFeatures || sketch.hasFewFeatures;
    return { number, id, hasFewFeatures, ...similarityOf(other, sketch) };
  });
  const hits = new Map<string, ResemblanceHit<string>>();
  for (const { id, resemblance, distance, hasFewFeatures } of verified.sort(
    (a, b) => byRank(a, b) || a.number - b.number,
  )) {
    if (hits.size === limit) break;
    if (reaches(resemblance, minResemblance, hasFewFeatures) && !hits.has(id))
      hits.set(id, { id, resemblance, distance });
  }
  return [...hits.values()];
}
