// The rules of a set of documents over time as a naive program: every version is compared with every sketch. A Deduplicator
// has these rules without leases; a store has all of them.
import { MIN_BRIEF_RESEMBLANCE, Sketch } from '../../pkg/index.js';

/** Compares hits: the most similar first, then the nearest, then the one kept first. */
const byRank = (a, b) => b.resemblance - a.resemblance || a.distance - b.distance || a.order - b.order;

export class Model {
  /**
   * At most two versions of each id, a permanent and a provisional one, in the order in which they were kept: `{ id, sketch,
   * order, expires }`. A provisional version also has `decision` and `until`, the end of its lease.
   */
  #versions = [];
  #order = 0;
  /** Whether a search for the first sketch finds the second one. The default is an exact search. */
  #finds;

  constructor(finds = () => true) {
    this.#finds = finds;
  }

  observe(id, sketch, { now = 0, minResemblance = 0.67, expiresIn, lease } = {}) {
    this.prune(now);
    const [kept, pending] = [this.#find(id, false), this.#find(id, true)];
    if (pending?.sketch.equals(sketch)) {
      // The same document again, for example after a crash: the same decision.
      if (lease === undefined) this.confirm([id], now);
      else pending.until = now + lease;
      return pending.decision;
    }
    this.#remove(pending);
    if (kept?.sketch.equals(sketch)) {
      if (expiresIn !== undefined) kept.expires = now + expiresIn;
      return { status: 'unchanged' };
    }
    const [hit] = this.query(sketch, { now, minResemblance, except: id });
    const before = kept && similarity(kept.sketch, sketch);
    if (hit !== undefined && !(before?.resemblance >= hit.resemblance)) {
      const { id: duplicateOf, resemblance, distance } = hit;
      return { status: 'duplicate', duplicateOf, resemblance, distance };
    }
    const decision = before ? { status: 'changed', ...before } : { status: 'new' };
    if (lease === undefined) this.#remove(kept);
    this.#keep(id, sketch, { now, expiresIn }, lease === undefined ? {} : { decision, until: now + lease });
    return decision;
  }

  /** Keeps a document permanently, whatever it resembles. */
  add(id, sketch, { now = 0, expiresIn } = {}) {
    this.prune(now);
    const kept = this.#find(id, false);
    this.#remove(this.#find(id, true));
    if (kept?.sketch.equals(sketch)) {
      if (expiresIn !== undefined) kept.expires = now + expiresIn;
      return;
    }
    this.#remove(kept);
    this.#keep(id, sketch, { now, expiresIn });
  }

  /** Returns the best version of each id that reaches the threshold, the best ids first. */
  query(sketch, { now = 0, minResemblance = 0.67, limit = 1, except } = {}) {
    this.prune(now);
    const hits = this.#versions
      .filter((version) => version.id !== except && this.#finds(sketch, version.sketch))
      .map(({ id, sketch: other, order }) => ({ id, ...similarity(other, sketch), order, other }))
      .filter(({ resemblance, other }) => resemblance >= threshold(sketch, other, minResemblance))
      .sort(byRank);
    return hits
      .filter(({ id }, at) => hits.findIndex((hit) => hit.id === id) === at)
      .slice(0, limit)
      .map(({ id, resemblance, distance }) => ({ id, resemblance, distance }));
  }

  /** All that later results depend on, as a text. */
  get state() {
    return JSON.stringify(this.#versions.map(({ order, sketch, ...others }) => [sketch.toHex(), others]));
  }

  /** Makes provisional versions permanent: by id, or by `{ id, sketch }` only this version. Returns their number. */
  confirm(entries, now = 0) {
    return this.#settle(entries, now, (pending) => {
      this.#remove(this.#find(pending.id, false));
      delete pending.until;
    });
  }

  /** Discards provisional versions, as the end of a lease does. Returns their number. */
  release(entries, now = 0) {
    return this.#settle(entries, now, (pending) => this.#remove(pending));
  }

  /** Removes ids with all their versions. Returns their number. */
  delete(ids, now = 0) {
    this.prune(now);
    return ids.filter((id) => this.#removeAll((version) => version.id === id) > 0).length;
  }

  /** Removes what has expired. Returns the number of ids that are gone. */
  prune(now) {
    return this.#removeAll(({ expires, until }) => (until ?? expires) <= now);
  }

  /** The sketch of the permanent version of an id, or else of the provisional one. */
  get(id, now = 0) {
    this.prune(now);
    return (this.#find(id, false) ?? this.#find(id, true))?.sketch;
  }

  /** The time at which the permanent version of an id expires, or Infinity. */
  expires(id) {
    return this.#find(id, false)?.expires;
  }

  /** The number of ids. */
  count(now = 0) {
    this.prune(now);
    return new Set(this.#versions.map(({ id }) => id)).size;
  }

  /** All versions in the order in which they were kept. */
  entries() {
    return this.#versions.map(({ id, sketch, expires }) => ({ id, sketch, expires }));
  }

  #keep(id, sketch, { now, expiresIn = Infinity }, lease = {}) {
    this.#versions.push({ id, sketch: stored(sketch), order: this.#order++, expires: now + expiresIn, ...lease });
  }

  #find(id, isPending) {
    return this.#versions.find((version) => version.id === id && (version.until !== undefined) === isPending);
  }

  #remove(version) {
    this.#versions = this.#versions.filter((other) => other !== version);
  }

  /** Removes versions. Returns the number of ids that are gone. */
  #removeAll(isRemoved) {
    const before = new Set(this.#versions.map(({ id }) => id)).size;
    this.#versions = this.#versions.filter((version) => !isRemoved(version));
    return before - new Set(this.#versions.map(({ id }) => id)).size;
  }

  #settle(entries, now, change) {
    this.prune(now);
    return entries.filter((entry) => {
      const { id, sketch } = typeof entry === 'object' ? entry : { id: entry };
      const pending = this.#find(id, true);
      const isThis = pending !== undefined && (sketch === undefined || pending.sketch.equals(sketch));
      if (isThis) change(pending);
      return isThis;
    }).length;
  }
}

const similarity = (a, b) => ({ resemblance: a.resemblance(b), distance: a.distance(b) });

/** The resemblance from which two documents are near-duplicates. A threshold of 0 admits every candidate. */
const threshold = (a, b, minResemblance) =>
  minResemblance > 0 && (a.hasFewFeatures || b.hasFewFeatures)
    ? Math.max(minResemblance, MIN_BRIEF_RESEMBLANCE)
    : minResemblance;

/** Returns a sketch as a set stores it: without margins. */
export function stored(sketch) {
  const bytes = sketch.toBytes();
  const kind = 1 + bytes[0]; // after the scheme's id: 0 is short, 1 without margins, 2 with margins
  if (bytes[kind] < 2) return sketch;
  bytes[kind] = 1;
  return Sketch.fromBytes(bytes.subarray(0, -32));
}

/**
 * Returns whether a search with a number of probes finds a document: both are short and equal; or the fingerprints are within
 * 16 bits, and the document's value of a block is among the probes of the query.
 */
export const findsWithProbes = (count) => (query, kept) => {
  if (query.isShort || kept.isShort) return query.equals(kept);
  if (query.distance(kept) > 16) return false;
  const values = query.probes(count);
  return [0, 1, 2, 3].some((block) => {
    const own = Number((kept.fingerprint >> BigInt(48 - 16 * block)) & 0xffffn);
    return values.subarray(block * count, (block + 1) * count).includes(own);
  });
};
