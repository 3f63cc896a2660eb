// The rules of a set of documents over time as a naive program. A Deduplicator has these rules without leases, and finds
// candidates by keys. A store has all of them, and finds candidates by probes.
import { MIN_BRIEF_RESEMBLANCE, Sketch } from '../../pkg/index.js';

/** The maximum number of documents under a key, and of candidates that a search verifies. */
const [MAX_ENTRIES, MAX_VERIFIED] = [64, 32];

/** The search of a Deduplicator: documents that share a key are candidates, and those that share rare keys come first. */
export const byKeys = {
  stored: (sketch) => cut(sketch, RECORD, 0),
  keysOf: (sketch) => [...sketch.keys],
  candidates(query, versions) {
    const weights = new Map();
    for (const key of this.keysOf(query)) {
      const under = versions.filter(({ keys }) => keys.has(key));
      const weight = Math.floor(65_536 / under.length);
      for (const version of under) weights.set(version, (weights.get(version) ?? 0) + weight);
    }
    const ranked = [...weights].sort(([a, one], [b, other]) => other - one || a.order - b.order);
    return ranked.slice(0, MAX_VERIFIED).map(([version]) => version);
  },
  rank: (a, b) => b.isEqual - a.isEqual || byRank(a, b),
};

/**
 * The search of a store with a number of probes: both are short and equal; or the fingerprints are within 16 bits, and the
 * document's value of a block is among the probes of the query.
 */
export const byProbes = (count) => ({
  stored: (sketch) => cut(sketch, STORED, 160),
  keysOf: () => [],
  candidates: (query, versions) => versions.filter(({ sketch }) => isProbed(query, sketch, count)),
  rank: byRank,
});

function isProbed(query, kept, count) {
  if (query.isShort || kept.isShort) return query.equals(kept);
  if (query.distance(kept) > 16) return false;
  const values = query.probes(count);
  return [0, 1, 2, 3].some((block) => {
    const own = Number((kept.fingerprint >> BigInt(48 - 16 * block)) & 0xffffn);
    return values.subarray(block * count, (block + 1) * count).includes(own);
  });
}

/** The kinds of a sketch in its binary form: of a short text, of a document of a set, and of a document of a store. */
const [SHORT, RECORD, STORED] = [0, 1, 0x83];

/** Returns a sketch of another kind, with 64 bytes of the parts that follow the two hashes. */
function cut(sketch, kind, from) {
  const bytes = sketch.toBytes();
  const at = 1 + bytes[0];
  if ([SHORT, kind].includes(bytes[at])) return sketch;
  const part = at + 17 + from;
  return Sketch.fromBytes(
    Uint8Array.of(
      ...bytes.subarray(0, at),
      kind,
      ...bytes.subarray(at + 1, at + 17),
      ...bytes.subarray(part, part + 64),
    ),
  );
}

/** Compares hits: the most similar first, then the nearest, then the one kept first. */
function byRank(a, b) {
  return b.resemblance - a.resemblance || a.distance - b.distance || a.order - b.order;
}

export class Model {
  /**
   * At most two versions of each id, a permanent and a provisional one, in the order in which they were kept: `{ id, sketch,
   * keys, order, expires }`. A provisional version also has `decision` and `until`, the end of its lease.
   */
  #versions = [];
  #order = 0;
  #search;

  constructor(search = byKeys) {
    this.#search = search;
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
    this.#keep(id, this.#stored(sketch, now, expiresIn), lease === undefined ? {} : { decision, until: now + lease });
    return decision;
  }

  /** Keeps a document permanently, whatever it resembles. */
  add(id, sketch, { now = 0, expiresIn } = {}) {
    this.prune(now);
    this.#remove(this.#find(id, true));
    this.#set(id, this.#stored(sketch, now, expiresIn), expiresIn !== undefined);
  }

  /** Adds all versions of another model, which are permanent, with their keys and expiry times. */
  merge(other) {
    for (const { id, ...version } of other.entries()) this.#set(id, version, true);
    return this;
  }

  /** Returns the best version of each id that reaches the threshold, the best ids first. */
  query(sketch, { now = 0, minResemblance = 0.67, limit = 1, except } = {}) {
    this.prune(now);
    const others = this.#versions.filter((version) => version.id !== except);
    const hits = this.#search
      .candidates(sketch, others)
      .map((version) => ({ ...version, ...similarity(version.sketch, sketch), isEqual: version.sketch.equals(sketch) }))
      .filter((hit) => hit.resemblance >= threshold(sketch, hit.sketch, minResemblance))
      .sort(this.#search.rank);
    return hits
      .filter(({ id }, at) => hits.findIndex((hit) => hit.id === id) === at)
      .slice(0, limit)
      .map(({ id, resemblance, distance }) => ({ id, resemblance, distance }));
  }

  /** All that later results depend on, as a text. */
  get state() {
    return JSON.stringify(this.#versions.map(({ order, keys, sketch, ...others }) => [sketch.toHex(), others]));
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
    return this.#versions.map(({ id, sketch, keys, expires }) => ({ id, sketch, keys, expires }));
  }

  /** The version of a sketch as the set stores it. */
  #stored(sketch, now, expiresIn = Infinity) {
    return { sketch: this.#search.stored(sketch), keys: this.#search.keysOf(sketch), expires: now + expiresIn };
  }

  /** Keeps a permanent version. An equal one only gets the expiry time, if `renews`. */
  #set(id, version, renews) {
    const kept = this.#find(id, false);
    if (kept?.sketch.equals(version.sketch)) {
      if (renews) kept.expires = version.expires;
      return;
    }
    this.#remove(kept);
    this.#keep(id, version);
  }

  /** Files a version under its keys that are not full. */
  #keep(id, { keys, ...version }, lease = {}) {
    const isFull = (key) => this.#versions.filter((other) => other.keys.has(key)).length >= MAX_ENTRIES;
    const own = new Set([...keys].filter((key) => !isFull(key)));
    this.#versions.push({ id, ...version, keys: own, order: this.#order++, ...lease });
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
