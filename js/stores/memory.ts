/**
 * A store in the memory of one process: for tests, and for programs that choose their store at run time.
 *
 * @packageDocumentation
 */

import type { ResemblanceHit } from '../index.js';
import { MAX_DISTANCE, MAX_PASSED, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { blocksOf, distanceOf, keyOf, type StoredRecord } from './record.js';
import { checkSettings, type FoundMetadata, metadataOf, type Settings } from './settings.js';
import { Store, type StoreOptions } from './store.js';
import {
  apply,
  type Change,
  hitsOf,
  type Item,
  isLive,
  type Page,
  type QueryRule,
  type Result,
  type StoreDocument,
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
  /** The number of insertions left until ended versions are removed. */
  #leftToAdd = 0;
  #last = 0;

  /** Returns the live versions of an id. A kept version is added before the provisional one. */
  own(id: string): Version[] {
    return [...(this.#byId.get(id) ?? [])].filter((version) => isLive(version, this.now));
  }

  search(document: StoreDocument, rule: QueryRule, except?: string): ResemblanceHit<string>[] {
    const { record, probes } = document;
    const read = new Set<Version>();
    const byDistance: Version[][] = Array.from({ length: MAX_DISTANCE + 1 }, () => []);
    for (const [block, values] of probes.entries()) {
      for (const value of values) {
        for (const version of this.#firstOf(this.#buckets.get((block << 16) | value), MAX_READ, except)) {
          // In a flooded set, most versions are in several buckets.
          if (read.has(version)) continue;
          read.add(version);
          byDistance[distanceOf(version.record, record)]?.push(version);
        }
      }
    }
    let nearest: Version[] = [];
    for (const versions of byDistance) {
      // Only versions that are verified are sorted: in a flooded set, 50,000 are near.
      if (nearest.length < MAX_VERIFIED) nearest = nearest.concat(versions.sort((a, b) => a.number - b.number));
    }
    const equal = this.#firstOf(this.#buckets.get(keyOf(record)), rule.limit, except);
    const verified = new Set([...nearest.slice(0, MAX_VERIFIED), ...equal]);
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
      this.#leftToAdd = this.#byId.size;
    }
    const version = { ...added, number: this.#last++ };
    for (const [buckets, key] of this.#placesOf(version)) {
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, new Set([version]));
      else bucket.add(version);
    }
  }

  update(version: Version, state: VersionState): void {
    Object.assign(version, state);
  }

  remove(version: Version): void {
    for (const [buckets, key] of this.#placesOf(version)) {
      const bucket = buckets.get(key);
      bucket?.delete(version);
      if (bucket?.size === 0) buckets.delete(key);
    }
  }

  #placesOf({ id, record }: Version): [Buckets<unknown>, unknown][] {
    const keys = [keyOf(record), ...blocksOf(record).map((value, block) => (block << 16) | value)];
    return [[this.#byId, id], ...keys.map((key): [Buckets<unknown>, unknown] => [this.#buckets, key])];
  }

  /** Removes ended versions, and returns the number of ids without a version left. */
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

  /** Returns the versions of each id, in the order of addition. */
  all(): Version[][] {
    this.prune();
    return Array.from(this.#byId.values(), (versions) => [...versions]).sort(([a], [b]) => a.number - b.number);
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

  protected async readMetadata(): Promise<FoundMetadata> {
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
    return this.#present.own(id)[0]?.record;
  }

  protected async removeExpired(): Promise<number> {
    return this.#present.prune();
  }

  protected async countIds(): Promise<number> {
    return this.#present.countIds();
  }

  protected async page(): Promise<Page> {
    const all = this.#present.all();
    const rows = all.map(([{ id, record }, other]) => ({ id, record, hasOther: other !== undefined }));
    return { rows, next: undefined };
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
