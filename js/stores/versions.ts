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
  /** Returns the best hits for a document, except the id `except`. */
  search(document: StoreDocument, rule: QueryRule, except?: string): ResemblanceHit<string>[];
  insert(version: Omit<Version, 'number'>): void;
  update(version: Version, state: VersionState): void;
  remove(version: Version): void;
}

/** Returns whether a version exists at a time. A provisional version exists until its lease ends, whatever its expiry time. */
export const isLive = ({ until, expires }: VersionState, now: number): boolean =>
  (until ?? expires ?? Number.POSITIVE_INFINITY) > now;

export function apply(versions: Versions, { kind, minResemblance, lease, expiresIn }: Change, item: Item): Result {
  const { id, record } = item;
  const own = versions.own(id);
  const kept = own.find(({ until }) => until === null);
  const pending = own.find(({ until }) => until !== null);
  const isPending = pending !== undefined && (record === undefined || areEqual(pending.record, record));
  if (kind === 'remove') {
    for (const version of own) versions.remove(version);
    return own.length > 0;
  }
  if (kind !== 'add' && isPending) {
    const { expires, resemblance, distance } = pending;
    if (kind === 'release') versions.remove(pending);
    else if (lease !== undefined) versions.update(pending, { ...pending, until: versions.now + lease });
    else {
      if (kept !== undefined) versions.remove(kept);
      versions.update(pending, { until: null, expires, resemblance: null, distance: null });
    }
    if (kind !== 'observe') return true;
    if (resemblance === null || distance === null) return { id, status: 'new' };
    return { id, status: 'changed', resemblance, distance };
  }
  if (kind === 'confirm' || kind === 'release') return false;

  const document = item as StoreDocument;
  const after = (duration: number | undefined) => (duration === undefined ? null : versions.now + duration);
  if (pending !== undefined) versions.remove(pending);
  if (kept !== undefined && areEqual(kept.record, document.record)) {
    if (expiresIn !== undefined) versions.update(kept, { ...kept, expires: after(expiresIn) });
    return { id, status: 'unchanged' };
  }
  const { sketch } = document;
  const before = kind === 'add' ? undefined : kept && similarityOf(sketchOf(kept.record, sketch.scheme, id), sketch);
  const [hit] = kind === 'add' ? [] : versions.search(document, { minResemblance, limit: 1 }, id);
  const outcome: Outcome<string> = outcomeOf(before, hit);
  if (isKept(outcome)) {
    if (lease === undefined && kept !== undefined) versions.remove(kept);
    const { resemblance, distance } = (lease !== undefined && before) || { resemblance: null, distance: null };
    const [until, expires] = [after(lease), after(expiresIn)];
    versions.insert({ id, record: document.record, until, expires, resemblance, distance });
  }
  return { id, ...outcome };
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
