// Versions of documents, and the rule of decisions with leases over them: for engines whose transactions wait for JavaScript
// (memory, SQLite, a Durable Object, D1). Redis and PostgreSQL have the same rule in their own languages.
import type { Observation, Outcome } from '../decisions/decision.js';
import { byRank, isKept, outcomeOf, reaches, similarityOf } from '../decisions/rule.js';
import type { ResemblanceHit } from '../index.js';
import { areEqual, type StoredRecord, sketchOf } from './record.js';
import type { ObserveRule, QueryRule, Settlement, StoreDocument, StoreVersion } from './store.js';

/** A version of a document. An id has at most one kept version and one provisional version. Times are in milliseconds. */
export interface Version {
  /** Its place in the order of addition. */
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
  /** Returns the versions of an id. */
  own(id: string): Version[];
  /** Returns the best hits for a document, except the id `except`. */
  search(document: StoreDocument, rule: QueryRule, except?: string): ResemblanceHit<string>[];
  insert(version: Omit<Version, 'number'>): void;
  update(version: Version, state: VersionState): void;
  remove(version: Version): void;
}

/** Returns whether a version exists at a time. The lease of a provisional version counts, and not its expiry time. */
export const isLive = ({ until, expires }: VersionState, now: number): boolean =>
  (until ?? expires ?? Number.POSITIVE_INFINITY) > now;

/** Returns the kept and the provisional version of an id. */
export const pairOf = (versions: readonly Version[]): { kept: Version | undefined; pending: Version | undefined } => ({
  kept: versions.find(({ until }) => until === null),
  pending: versions.find(({ until }) => until !== null),
});

/** Returns the decision that created a provisional version. */
export const outcomeOfVersion = ({ resemblance, distance }: VersionState): Outcome<string> =>
  resemblance === null || distance === null ? { status: 'new' } : { status: 'changed', resemblance, distance };

/** Returns the state of a version that `observe` adds. */
export const stateOf = (outcome: Outcome, { lease, expiresIn }: ObserveRule, now: number): VersionState => ({
  until: lease === undefined ? null : now + lease,
  expires: expiresIn === undefined ? null : now + expiresIn,
  resemblance: lease !== undefined && outcome.status === 'changed' ? outcome.resemblance : null,
  distance: lease !== undefined && outcome.status === 'changed' ? outcome.distance : null,
});

/** Decides what a document is, and keeps it if it is new or changed. */
export function observe(
  versions: Versions,
  document: StoreDocument,
  rule: ObserveRule,
  scheme: string,
): Observation<string> {
  const { id, record, sketch } = document;
  const { minResemblance, lease, expiresIn } = rule;
  const { kept, pending } = pairOf(versions.own(id));
  if (pending !== undefined && areEqual(pending.record, record)) {
    const outcome = outcomeOfVersion(pending);
    if (lease === undefined) keep(versions, pending, kept);
    else versions.update(pending, { ...pending, until: versions.now + lease });
    return { id, ...outcome };
  }
  if (pending !== undefined) versions.remove(pending);
  if (kept !== undefined && areEqual(kept.record, record)) {
    if (expiresIn !== undefined) versions.update(kept, { ...kept, expires: versions.now + expiresIn });
    return { id, status: 'unchanged' };
  }
  const before = kept && similarityOf(sketchOf(kept.record, scheme, id), sketch);
  const [hit] = versions.search(document, { minResemblance, limit: 1 }, id);
  const outcome = outcomeOf(before, hit);
  if (isKept(outcome)) {
    if (lease === undefined && kept !== undefined) versions.remove(kept);
    versions.insert({ id, record, ...stateOf(outcome, rule, versions.now) });
  }
  return { id, ...outcome };
}

/** Makes a provisional version permanent, in place of the kept one. */
function keep(versions: Versions, pending: Version, kept: Version | undefined): void {
  if (kept !== undefined) versions.remove(kept);
  versions.update(pending, { until: null, expires: pending.expires, resemblance: null, distance: null });
}

/** Confirms or releases the provisional version of an id. Returns whether there was one. */
export function settle(versions: Versions, { id, record }: StoreVersion, settlement: Settlement): boolean {
  const { kept, pending } = pairOf(versions.own(id));
  if (pending === undefined || (record !== undefined && !areEqual(pending.record, record))) return false;
  if (settlement === 'confirm') keep(versions, pending, kept);
  else versions.remove(pending);
  return true;
}

/** Keeps a document, whatever it resembles. */
export function add(versions: Versions, { id, record }: StoreDocument, expiresIn: number | undefined): void {
  const { kept, pending } = pairOf(versions.own(id));
  const expires = expiresIn === undefined ? null : versions.now + expiresIn;
  if (pending !== undefined) versions.remove(pending);
  if (kept !== undefined && areEqual(kept.record, record)) {
    if (expiresIn !== undefined) versions.update(kept, { ...kept, expires });
    return;
  }
  if (kept !== undefined) versions.remove(kept);
  versions.insert({ id, record, until: null, expires, resemblance: null, distance: null });
}

/** Removes all versions of an id. Returns whether there were any. */
export function remove(versions: Versions, id: string): boolean {
  const own = versions.own(id);
  for (const version of own) versions.remove(version);
  return own.length > 0;
}

/**
 * Yields versions in the order of their distances, and of equally near ones in the order of addition. It sorts only what is
 * yielded: of a flooded set, 50,000 versions are near.
 */
export function* nearestFirst<T>(distances: ReadonlyMap<T, number>, numberOf: (version: T) => number): Generator<T> {
  const groups: T[][] = [];
  for (const [version, distance] of distances) {
    groups[distance] ??= [];
    groups[distance].push(version);
  }
  for (const group of groups) yield* group?.sort((a, b) => numberOf(a) - numberOf(b)) ?? [];
}

/** A version that a search has read. */
export type Candidate = Pick<Version, 'number' | 'id' | 'record'>;

/** Returns the hits among candidates: the best first, the best version of each id. */
export function hitsOf(
  { sketch }: StoreDocument,
  candidates: Iterable<Candidate>,
  { minResemblance, limit }: QueryRule,
  scheme: string,
): ResemblanceHit<string>[] {
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
