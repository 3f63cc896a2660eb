/**
 * A store in the memory of one process: for tests, and for programs that choose their store at run time.
 *
 * @packageDocumentation
 */

import { isKept } from '../dedupe/decision.js';
import type { Rule } from '../dedupe/decision-options.js';
import { DocumentSet } from '../dedupe/document-set.js';
import { lastingId } from '../dedupe/lasting-id.js';
import type { Hit, Observation, Outcome, Sketch } from '../index.js';
import { checkSettings, type Settings } from './settings.js';
import { type CheckedDocument, type CheckedVersion, Store, type StoreEntry, type StoreOptions } from './store.js';

class MemoryStore extends Store {
  readonly #kept: DocumentSet<string>;
  /** The ids whose documents have ended since `prune` was called, and were not kept again: a database has them until then. */
  readonly #ended = new Set<string>();

  constructor(settings: Settings) {
    super(settings, 1);
    this.#kept = DocumentSet.empty(settings.scheme);
    this.#kept.onEnd = (id) => this.#ended.add(id);
  }

  protected async observeAll(
    documents: readonly CheckedDocument[],
    rule: Omit<Rule, 'now'>,
  ): Promise<Observation<string>[]> {
    return documents.map(({ id, sketch }) => {
      const outcome = this.#kept.observe(id, sketch, { ...rule, now: Date.now() });
      if (isKept(outcome)) this.#ended.delete(id);
      return { id, ...outcome };
    });
  }

  protected async peekAll(
    documents: readonly CheckedDocument<string | undefined>[],
    minResemblance: number,
  ): Promise<Outcome<string>[]> {
    const now = Date.now();
    this.#kept.prune(now);
    return documents.map(({ id, sketch }) => this.#kept.peek(lastingId(id, sketch), sketch, minResemblance, now));
  }

  protected async addAll(documents: readonly CheckedDocument[], expiresIn: number): Promise<void> {
    for (const { id, sketch } of documents) {
      this.#kept.add(id, sketch, Date.now(), expiresIn);
      this.#ended.delete(id);
    }
  }

  protected async settle(kind: 'confirm' | 'release', versions: readonly CheckedVersion[]): Promise<number> {
    return versions.filter(({ id, sketch }) => this.#kept.settle(kind, id, Date.now(), sketch)).length;
  }

  protected async remove(ids: readonly string[]): Promise<number> {
    return ids.filter((id) => {
      const isKept = this.#kept.delete(id, Date.now());
      this.#ended.delete(id);
      return isKept;
    }).length;
  }

  protected async find(id: string): Promise<Sketch | undefined> {
    return this.#kept.get(id, Date.now());
  }

  protected async search(document: Sketch, minResemblance: number, limit: number): Promise<Hit<string>[]> {
    return this.#kept.query(document, minResemblance, Date.now(), limit);
  }

  async prune(): Promise<number> {
    this.#kept.prune(Date.now());
    const { size } = this.#ended;
    this.#ended.clear();
    return size;
  }

  async count(): Promise<number> {
    this.#kept.prune(Date.now());
    return this.#kept.size;
  }

  async *entries(): AsyncGenerator<StoreEntry, void, undefined> {
    this.#kept.prune(Date.now());
    yield* this.#kept.entries();
  }
}

/**
 * Returns a new store in the memory of this process.
 *
 * @example
 * ```js
 * await using kept = memoryStore();
 * await kept.observe([{ id: 'a', text: 'Good news' }, { id: 'b', text: 'GOOD NEWS!' }]);
 * // [{ id: 'a', status: 'new' }, { id: 'b', status: 'duplicate', duplicateOf: 'a', resemblance: 1 }]
 * ```
 * @throws {@link ArgumentError}: an option is wrong
 */
export const memoryStore = (options?: StoreOptions): Store => new MemoryStore(checkSettings(options));
