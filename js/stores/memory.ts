/**
 * A store in the memory of one process: for tests, and for programs that choose their store at run time.
 *
 * @packageDocumentation
 */

import type { Versions } from '../decisions/versions.js';
import { Deduplicator, type Observation, type ResemblanceHit, type Sketch } from '../index.js';
import { recordOf, type StoredRecord } from './record.js';
import { checkSettings, type FoundMetadata, metadataOf, type Settings } from './settings.js';
import { Store, type StoreOptions } from './store.js';
import {
  type Change,
  decideByKnown,
  type Item,
  type Page,
  type QueryRule,
  type Result,
  type StoreDocument,
} from './versions.js';

class MemoryStore extends Store {
  protected readonly decidesOnServer = false;
  readonly #kept: Deduplicator<string>;

  constructor(settings: Settings) {
    super(settings, []);
    const { scheme, key } = settings;
    this.#kept = new Deduplicator(key === undefined ? { scheme } : { scheme, key });
  }

  protected async readMetadata(): Promise<FoundMetadata> {
    return metadataOf(this.settings);
  }

  protected async change(change: Change, items: readonly Item[]): Promise<Result[]> {
    const now = Date.now();
    return items.map((item) => this.#apply(change, item, now));
  }

  #apply({ kind, known, minResemblance, ...durations }: Change, { id, sketch }: Item, now: number): Result {
    if (kind === 'remove') return this.#kept.delete(id);
    if (kind === 'confirm' || kind === 'release') return this.#kept.settle(kind, id, now, sketch);
    const { expiresIn = Number.NaN, lease = Number.NaN } = durations;
    if (kind === 'add') {
      this.#kept.add(id, sketch as Sketch, { now: now / 1000, ...(expiresIn >= 0 && { expiresIn: expiresIn / 1000 }) });
      return true;
    }
    const rule = { minResemblance, now, expiresIn, lease };
    return decideByKnown<Observation<string>>(known, (exact) =>
      this.#kept.observeStep(id, sketch as Sketch, rule, exact),
    );
  }

  override async read(document: Sketch, id: string | undefined): Promise<Versions<string>> {
    return this.#kept.read(document, id);
  }

  protected async search({ sketch }: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    return this.#kept.query(sketch, rule);
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    const sketch = this.#kept.get(id);
    return sketch && recordOf(sketch, false);
  }

  protected async removeExpired(): Promise<number> {
    return this.#kept.prune();
  }

  protected async countIds(): Promise<number> {
    this.#kept.prune();
    return this.#kept.size;
  }

  protected async page(): Promise<Page> {
    this.#kept.prune();
    const rows = Array.from(this.#kept, ({ id, sketch }) => ({ id, record: recordOf(sketch, false), hasOther: false }));
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
