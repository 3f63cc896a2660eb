/**
 * A store in the memory of one process: for tests, and for programs that choose their store at run time.
 *
 * @packageDocumentation
 */

import type { ResemblanceHit } from '../index.js';
import { MAX_DISTANCE, MAX_PASSED, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { blocksOf, distanceOf, keyOf, type StoredRecord } from './record.js';
import { checkSettings, type Metadata, metadataOf, type Settings } from './settings.js';
import { Store, type StoreOptions } from './store.js';
import {
  apply,
  type Change,
  hitsOf,
  type Item,
  isLive,
  nearestFirst,
  type Page,
  pairOf,
  type QueryRule,
  type Result,
  type StoreDocument,
  shownOf,
  type Version,
  type VersionState,
  type Versions,
} from './versions.js';

/** Versions under a key, in the order of addition. */
type Buckets<K> = Map<K, Set<Version>>;

class MemoryVersions implements Versions {
  now = 0;
  readonly #byId: Buckets<string> = new Map();
  /** Versions by the key of equality, and by each block with its value. */
  readonly #buckets: Buckets<string | number> = new Map();
  /** The number of versions, dead ones included. */
  #size = 0;
  /** The number of versions to add before dead ones are removed. */
  #leftToAdd = 0;
  #last = 0;

  own(id: string): Version[] {
    return [...(this.#byId.get(id) ?? [])].filter((version) => isLive(version, this.now));
  }

  search(document: StoreDocument, rule: QueryRule, except?: string): ResemblanceHit<string>[] {
    const { record, probes } = document;
    const distances = new Map<Version, number>();
    for (const [block, values] of probes.entries()) {
      for (const value of values) {
        for (const version of this.#firstOf(this.#buckets.get((block << 16) | value), MAX_READ, except)) {
          // In a flooded set, most versions are in several buckets.
          if (distances.has(version)) continue;
          const distance = distanceOf(version.record, record);
          if (distance <= MAX_DISTANCE) distances.set(version, distance);
        }
      }
    }
    const verified = new Set(this.#firstOf(this.#buckets.get(keyOf(record)), rule.limit, except));
    let count = 0;
    for (const version of nearestFirst(distances, ({ number }) => number)) {
      if (count++ === MAX_VERIFIED) break;
      verified.add(version);
    }
    return hitsOf(document, verified, rule);
  }

  /** Returns the first live versions of a bucket, without versions of the id `except`. */
  #firstOf(bucket: Iterable<Version> = [], most: number, except?: string): Version[] {
    const first: Version[] = [];
    let passed = 0;
    for (const version of bucket) {
      if (first.length >= most || passed++ >= MAX_PASSED + most) break;
      if (version.id !== except && isLive(version, this.now)) first.push(version);
    }
    return first;
  }

  insert(added: Omit<Version, 'number'>): void {
    // This takes amortised constant time for each insertion.
    if (this.#leftToAdd-- === 0) {
      this.prune();
      this.#leftToAdd = this.#size;
    }
    const version = { ...added, number: this.#last++ };
    this.#size++;
    for (const [buckets, key] of this.#placesOf(version)) {
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, new Set([version]));
      else bucket.add(version);
    }
  }

  update(version: Version, state: VersionState): void {
    const { until, expires, resemblance, distance } = state;
    Object.assign(version, { until, expires, resemblance, distance });
  }

  remove(version: Version): void {
    this.#size--;
    for (const [buckets, key] of this.#placesOf(version)) {
      const bucket = buckets.get(key);
      bucket?.delete(version);
      if (bucket?.size === 0) buckets.delete(key);
    }
  }

  /** Returns the buckets that a version is in. */
  #placesOf({ id, record }: Version): [Buckets<unknown>, unknown][] {
    const keys = [keyOf(record), ...blocksOf(record).map((value, block) => (block << 16) | value)];
    return [[this.#byId, id], ...keys.map((key): [Buckets<unknown>, unknown] => [this.#buckets, key])];
  }

  /** Removes dead versions, and returns the number of ids that are gone. */
  prune(): number {
    const before = this.#byId.size;
    for (const version of [...this.#byId.values()].flatMap((versions) => [...versions]))
      if (!isLive(version, this.now)) this.remove(version);
    return before - this.#byId.size;
  }

  countIds(): number {
    this.prune();
    return this.#byId.size;
  }

  /** Returns the versions of `Store.page`. */
  entries(): Page['rows'] {
    this.prune();
    const rows = Array.from(this.#byId.keys(), (id) => {
      const { kept, pending } = pairOf(this.own(id));
      return { version: (kept ?? pending) as Version, hasOther: kept !== undefined && pending !== undefined };
    });
    rows.sort((a, b) => a.version.number - b.version.number);
    return rows.map(({ version: { id, record }, hasOther }) => ({ id, record, hasOther }));
  }
}

class MemoryStore extends Store {
  readonly #versions = new MemoryVersions();

  constructor(settings: Settings) {
    super(settings, []);
  }

  /** The versions at the present time. */
  get #present(): MemoryVersions {
    this.#versions.now = Date.now();
    return this.#versions;
  }

  protected async readMetadata(): Promise<Metadata> {
    return metadataOf(this.settings);
  }

  protected async change(change: Change, items: readonly Item[]): Promise<Result[]> {
    const present = this.#present;
    return items.map((item) => apply(present, change, item));
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    return this.#present.search(document, rule);
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    return shownOf(this.#present.own(id));
  }

  protected async removeExpired(): Promise<number> {
    return this.#present.prune();
  }

  protected async countIds(): Promise<number> {
    return this.#present.countIds();
  }

  protected async page(): Promise<Page> {
    return { rows: this.#present.entries(), next: undefined };
  }
}

/**
 * Returns a new store in the memory of this process.
 *
 * @example
 * ```js
 * await using kept = memoryStore();
 * await kept.observe([{ id: 'a', text: 'Good news' }, { id: 'b', text: 'GOOD NEWS!' }]);
 * // [{ id: 'a', status: 'new' }, { id: 'b', status: 'duplicate', duplicateOf: 'a', resemblance: 1, distance: 0 }]
 * ```
 * @throws {@link ArgumentError}: an option is wrong
 */
export const memoryStore = (options?: StoreOptions): Store => new MemoryStore(checkSettings(options));
