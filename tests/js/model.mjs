// The rules of a set of documents over time as a naive program: a Deduplicator has them without leases, a store has all of
// them. docs/functions.md states them. A search reads every version.
import { compare, Sketch, sketch as sketchOf } from '../../pkg/index.js';

/** The maximum number of versions under a key, and of candidates that a search compares. */
const [MAX_ENTRIES, MAX_CANDIDATES] = [64, 32];

/** With texts: how far below the threshold an estimate may be, and the maximum number of candidates whose texts are compared. */
const [MARGIN, MAX_COMPARED] = [0.11, 16];

/** The kinds of a sketch in its binary form: of a short text, and without keys. */
const [SHORT, WITHOUT_KEYS] = [0, 1];

/** The sketch as a set returns it: without keys. */
export function stored(sketch) {
  const bytes = sketch.toBytes();
  const at = 1 + bytes[0];
  if ([SHORT, WITHOUT_KEYS].includes(bytes[at])) return sketch;
  return Sketch.fromBytes(Uint8Array.of(...bytes.subarray(0, at), WITHOUT_KEYS, ...bytes.subarray(at + 1, at + 81)));
}

const keysOf = ({ keys }) => [...keys];

/** Whether a decision keeps the document. */
export const isKept = ({ status }) => status === 'new' || status === 'changed';

/** Compares hits: an equal document first, then the most similar, then the one kept first. */
const byRank = (a, b) => b.isEqual - a.isEqual || b.resemblance - a.resemblance || a.order - b.order;

/** Whether documents of this resemblance, estimated or exact, are near-duplicates. */
function isNear(a, b, resemblance, minResemblance) {
  if (a.isBlank || b.isBlank) return false;
  if (minResemblance === 0) return true;
  if (minResemblance === 1 || a.isShort || b.isShort) return a.equals(b) && resemblance === 1;
  return resemblance >= thresholdOf(a, b, minResemblance);
}

const thresholdOf = (a, b, minResemblance) =>
  a.hasFewFeatures || b.hasFewFeatures ? Math.max(minResemblance, 0.75) : minResemblance;

const versionOf = (sketch, now, expiresIn = Infinity) => ({
  sketch: stored(sketch),
  keys: keysOf(sketch),
  expires: now + expiresIn,
});

export class Model {
  /**
   * At most two versions of each id, a permanent and a provisional one, in the order in which they were kept: `{ id, sketch,
   * keys, order, expires }`. A provisional version also has `decision` and `until`, the end of its lease.
   */
  #versions = [];
  #order = 0;
  #prunes;

  /** A store keeps what has ended until it is pruned, `prunes: false`. A Deduplicator prunes at each call with a time. */
  constructor({ prunes = true } = {}) {
    this.#prunes = prunes;
  }

  /**
   * Decides what a document is. With `textOf`, a function from ids to texts of kept documents, exact resemblances decide;
   * `text` is then the text of the document, and `scope` its scope.
   */
  observe(id, sketch, { now = 0, minResemblance = 0.67, expiresIn, lease, textOf, text, scope } = {}) {
    const [kept, pending] = [this.#find(id, false, now), this.#find(id, true, now)];
    if (pending?.sketch.equals(sketch)) {
      // The same document again, for example after a crash: the same decision.
      if (lease === undefined) this.confirm([id], now);
      else pending.until = now + lease;
      return pending.decision;
    }
    if (kept?.sketch.equals(sketch)) {
      if (expiresIn !== undefined) kept.expires = now + expiresIn;
      return { status: 'unchanged' };
    }
    const exactly = (version, estimate) => {
      const other = textOf(version.id);
      const isText = other !== undefined && sketchOf(other, { scope, scheme: sketch.scheme }).equals(version.sketch);
      return isText ? compare(text, other, { scheme: sketch.scheme }).exactResemblance : estimate;
    };
    const before = kept && { resemblance: kept.sketch.resemblance(sketch) };
    if (textOf !== undefined && before && !kept.sketch.isShort && !sketch.isShort) {
      before.resemblance = exactly(kept, before.resemblance);
    }
    let hit;
    if (textOf === undefined) [hit] = this.#search(sketch, now, minResemblance, id);
    else {
      const lowest = ({ sketch: other }) => thresholdOf(sketch, other, minResemblance) - MARGIN;
      hit = this.#search(sketch, now, 0, id)
        .filter((found) => found.resemblance > 0 && found.resemblance >= lowest(found))
        .slice(0, MAX_COMPARED)
        .map((found) => ({ ...found, resemblance: exactly(found, found.resemblance) }))
        .find((found) => isNear(sketch, found.sketch, found.resemblance, minResemblance));
    }
    if (hit !== undefined && !(before?.resemblance >= hit.resemblance)) {
      const { id: duplicateOf, resemblance, until } = hit;
      const decision = { status: 'duplicate', duplicateOf, resemblance };
      return until === undefined ? decision : { ...decision, isProvisional: true };
    }
    const decision = before ? { status: 'changed', ...before } : { status: 'new' };
    this.#remove(pending);
    if (lease === undefined) this.#remove(kept);
    this.#keep(id, versionOf(sketch, now, expiresIn), now, lease === undefined ? {} : { decision, until: now + lease });
    return decision;
  }

  /** Returns the decision that `observe` would make, and changes nothing. Without an id, no version is its own. */
  peek(id, sketch, options) {
    // An object equals no id.
    return this.clone().observe(id ?? {}, sketch, options);
  }

  /** Returns a model of the same state. */
  clone() {
    const clone = new Model({ prunes: this.#prunes });
    clone.#versions = this.#versions.map((version) => ({ ...version }));
    clone.#order = this.#order;
    return clone;
  }

  /** Keeps a document permanently, whatever it resembles. */
  add(id, sketch, { now = 0, expiresIn } = {}) {
    this.#remove(this.#find(id, true, now));
    this.#set(id, versionOf(sketch, now, expiresIn), now, expiresIn !== undefined);
  }

  /** Returns the best version of each id that reaches the threshold, the best ids first. */
  query(sketch, { now = 0, minResemblance = 0.67, limit = 1, except } = {}) {
    const hits = this.#search(sketch, now, minResemblance, except);
    return hits
      .filter(({ id }, at) => hits.findIndex((hit) => hit.id === id) === at)
      .slice(0, limit)
      .map(({ id, resemblance, until }) => ({
        id,
        resemblance,
        ...(until !== undefined && { isProvisional: true }),
      }));
  }

  /** Makes provisional versions permanent: by id, or by `{ id, sketch }` only this version. Returns their number. */
  confirm(entries, now = 0) {
    return this.#settle(entries, now, (pending) => {
      this.#remove(this.#find(pending.id, false, -Infinity));
      delete pending.until;
    });
  }

  /** Discards provisional versions, as the end of a lease does. Returns their number. */
  release(entries, now = 0) {
    return this.#settle(entries, now, (pending) => this.#remove(pending));
  }

  /** Removes ids with all their versions. Returns their number. */
  delete(ids, now = 0) {
    return ids.filter((id) => {
      const isLive = this.get(id, now) !== undefined;
      this.#versions = this.#versions.filter((version) => version.id !== id);
      return isLive;
    }).length;
  }

  /** Removes what has ended. Returns the number of ids that are gone. Until then, it takes the place of others under its keys. */
  prune(now) {
    const count = () => new Set(this.#versions.map(({ id }) => id)).size;
    const before = count();
    this.#versions = this.#live(now);
    return before - count();
  }

  /** The sketch of the permanent version of an id, or else of the provisional one. */
  get(id, now = 0) {
    return (this.#find(id, false, now) ?? this.#find(id, true, now))?.sketch;
  }

  /** The time at which the permanent version of an id expires, or Infinity. */
  expires(id) {
    return this.#find(id, false, -Infinity)?.expires;
  }

  /** The number of ids. */
  count(now = 0) {
    return new Set(this.#live(now).map(({ id }) => id)).size;
  }

  /** All live versions in the order in which they were kept. */
  entries(now = -Infinity) {
    return this.#live(now).map(({ id, sketch, keys, expires }) => ({ id, sketch, keys, expires }));
  }

  /** All that later results depend on, as a text. */
  get state() {
    return JSON.stringify(this.#versions.map(({ order, keys, sketch, ...others }) => [sketch.toHex(), others]));
  }

  #live(now) {
    const live = this.#versions.filter(({ expires, until }) => (until ?? expires) > now);
    if (this.#prunes) this.#versions = live;
    return live;
  }

  /**
   * The versions of other ids that reach the threshold, the best first. Those that share a key are candidates, and those that
   * share rare keys come first.
   */
  #search(sketch, now, minResemblance, except) {
    const others = this.#live(now).filter(({ id }) => id !== except);
    const weights = new Map();
    for (const key of keysOf(sketch)) {
      const under = others.filter(({ keys }) => keys.includes(key));
      for (const version of under)
        weights.set(version, (weights.get(version) ?? 0) + Math.floor(65_536 / under.length));
    }
    // The last key is the one that equal documents have in common.
    const equal = others.find(({ keys }) => keys.includes(keysOf(sketch).at(-1)));
    if (equal !== undefined) weights.set(equal, Infinity);
    return [...weights]
      .sort(([a, one], [b, other]) => other - one || a.order - b.order)
      .slice(0, MAX_CANDIDATES)
      .map(([version]) => ({ ...version, resemblance: version.sketch.resemblance(sketch) }))
      .map((hit) => ({ ...hit, isEqual: hit.sketch.equals(sketch) }))
      .filter((hit) => isNear(sketch, hit.sketch, hit.resemblance, minResemblance))
      .sort(byRank);
  }

  /** Keeps a permanent version. An equal one only gets the expiry time, if `renews`. */
  #set(id, version, now, renews) {
    const kept = this.#find(id, false, now);
    if (kept?.sketch.equals(version.sketch)) {
      if (renews) kept.expires = version.expires;
      return;
    }
    this.#remove(kept);
    this.#keep(id, version, now);
  }

  /** Files a version under the keys that are not full of versions of other ids. What has ended of its id is removed. */
  #keep(id, { keys, ...version }, now, lease = {}) {
    const live = this.#live(now);
    this.#versions = this.#versions.filter((other) => other.id !== id || live.includes(other));
    // The last key is the one that equal documents have in common: ended versions do not count.
    const isFull = (key) =>
      (key === keys.at(-1) ? live : this.#versions).filter((other) => other.id !== id && other.keys.includes(key))
        .length >= MAX_ENTRIES;
    const own = keys.filter((key) => !isFull(key));
    this.#versions.push({ id, ...version, keys: own, order: this.#order++, ...lease });
  }

  #find(id, isPending, now) {
    return this.#live(now).find((version) => version.id === id && (version.until !== undefined) === isPending);
  }

  #remove(version) {
    this.#versions = this.#versions.filter((other) => other !== version);
  }

  #settle(entries, now, change) {
    return entries.filter((entry) => {
      const { id, sketch } = typeof entry === 'object' ? entry : { id: entry };
      const pending = this.#find(id, true, now);
      const isThis = pending !== undefined && (sketch === undefined || pending.sketch.equals(sketch));
      if (isThis) change(pending);
      return isThis;
    }).length;
  }
}
