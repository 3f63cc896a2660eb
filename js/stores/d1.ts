/**
 * A store in D1, the SQLite of Cloudflare Workers.
 *
 * @packageDocumentation
 */

// D1 has no transaction that waits for JavaScript, only batches. So one batch reads all that a decision depends on, and
// another one changes the store, if nothing of that has changed meanwhile. Otherwise the call is repeated.
import { ArgumentError } from '../core/argument-error.js';
import type { Observation } from '../decisions/decision.js';
import type { ResemblanceHit } from '../index.js';
import { d1Advice } from './advice.js';
import { areEqual, blocksOf, type StoredRecord } from './record.js';
import {
  type CandidateRow,
  type Command,
  Commands,
  candidateOf,
  countRemoved,
  ignoreNoTables,
  type Position,
  pageOf,
  schemaOf,
  scriptOf,
  type VersionRow,
  versionOf,
} from './sqlite-schema.js';
import {
  checkSettings,
  type Metadata,
  type ObserveRule,
  type Page,
  type QueryRule,
  type Settings,
  type Settlement,
  Store,
  type StoreDocument,
  type StoreOptions,
  type StoreVersion,
} from './store.js';
import { add, hitsOf, observe, pairOf, settle, type Version, type VersionState, type Versions } from './versions.js';

export type * from './store.js';

/** The members of a D1 binding that the store uses. */
export interface D1Database {
  prepare(query: string): { bind(...values: unknown[]): unknown };
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/** The maximum number of documents in a batch. */
const BATCH = 10;

/** How often a call is repeated that others get ahead of. */
const MAX_ATTEMPTS = 100;

/** Returns whether a guard has failed: it then passes invalid JSON to SQLite, which undoes the batch. */
const isConflict = (error: unknown): boolean => /malformed JSON/i.test((error as Error).message);

/** Whether a search for a document may find a version with this record. */
const isProbed = ({ probes, record }: StoreDocument, other: StoredRecord): boolean =>
  areEqual(record, other) || blocksOf(other).some((value, block) => probes[block].includes(value));

/** The versions that one batch has read for an id, and the changes that follow from them. */
class Snapshot implements Versions {
  readonly now: number;
  readonly changes: Command[] = [];
  /** The records of new versions. */
  readonly inserted: StoredRecord[] = [];
  readonly #commands: Commands;
  readonly #scheme: string;
  readonly #own: VersionRow[];
  readonly #candidates: CandidateRow[];
  #found: StoreDocument | undefined;

  constructor(commands: Commands, scheme: string, now: number, own: VersionRow[], candidates: CandidateRow[]) {
    this.now = now;
    this.#commands = commands;
    this.#scheme = scheme;
    this.#own = own;
    this.#candidates = candidates;
  }

  own(): Version[] {
    return this.#own.map(versionOf);
  }

  search(document: StoreDocument, rule: QueryRule): ResemblanceHit<string>[] {
    this.#found = document;
    return hitsOf(document, this.#candidates.map(candidateOf), rule, this.#scheme);
  }

  insert(version: Omit<Version, 'number'>): void {
    this.inserted.push(version.record);
    this.changes.push(this.#commands.insert(version));
  }

  update(version: Version, state: VersionState): void {
    this.changes.push(this.#commands.update(version, state));
  }

  remove(version: Version): void {
    this.changes.push(this.#commands.remove(version));
  }

  /** Whether a decision depends on one of these ids. */
  dependsOn(ids: ReadonlySet<string>): boolean {
    return this.#candidates.some(({ id }) => ids.has(id));
  }

  /** Returns the statements that fail if what the decision on `id` depends on has changed. */
  guards(id: string, last: number): Command[] {
    const guards = [this.#commands.guardOwn(id, this.#own, this.now)];
    if (this.#found !== undefined) {
      guards.push(this.#commands.guardCandidates(this.#found, this.#candidates, last, this.now));
    }
    return guards;
  }
}

class D1Store extends Store {
  readonly #database: D1Database;
  readonly #commands: Commands;

  constructor(database: D1Database, settings: Settings) {
    super(settings, BATCH, d1Advice);
    this.#database = database;
    this.#commands = new Commands(settings);
  }

  schema(): string {
    return scriptOf(this.settings);
  }

  /** Runs statements as one transaction, and returns the rows of each. */
  async #send(commands: readonly Command[]): Promise<unknown[][]> {
    const prepared = commands.map(([statement, values]) => this.#database.prepare(statement).bind(...values));
    return (await this.#database.batch(prepared as never[])).map(({ results }) => results);
  }

  async #rows<T>(command: Command): Promise<T[]> {
    return (await this.#send([command]))[0] as T[];
  }

  /**
   * Decides on the first items, at least one, and changes the store. Decisions that depend on a change of this call wait for
   * the next one.
   */
  async #change<T extends { id: string }, R>(
    items: readonly T[],
    decide: (snapshot: Snapshot, item: T) => R,
    documentOf: (item: T) => StoreDocument | undefined = () => undefined,
  ): Promise<R[]> {
    const given = items.slice(0, BATCH);
    for (let attempt = 1; ; attempt++) {
      const now = Date.now();
      const reads = given.map((item) => {
        const document = documentOf(item);
        const own = this.#commands.own(item.id, now);
        return document === undefined ? [own] : [own, this.#commands.search(document, 1, now, item.id)];
      });
      const [[last], ...read] = await this.#send([this.#commands.last, ...reads.flat()]);
      const decisions: R[] = [];
      const guards: Command[] = [];
      const changes: Command[] = [];
      const changed = new Set<string>();
      const inserted: StoredRecord[] = [];
      for (const item of given) {
        const [own, candidates = []] = read.splice(0, reads[decisions.length].length);
        const snapshot = new Snapshot(
          this.#commands,
          this.scheme,
          now,
          own as VersionRow[],
          candidates as CandidateRow[],
        );
        const document = documentOf(item);
        if (changed.has(item.id) || snapshot.dependsOn(changed)) break;
        if (document !== undefined && inserted.some((record) => isProbed(document, record))) break;
        try {
          decisions.push(decide(snapshot, item));
        } catch (error) {
          // The items before it are changed, and the next call throws.
          if (decisions.length === 0) throw error;
          break;
        }
        guards.push(...snapshot.guards(item.id, (last as { last: number }).last));
        changes.push(...snapshot.changes);
        inserted.push(...snapshot.inserted);
        if (snapshot.changes.length > 0) changed.add(item.id);
      }
      if (changes.length === 0) return decisions;
      try {
        await this.#send([...guards, this.#commands.prune(now), ...changes]);
        return decisions;
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (attempt === MAX_ATTEMPTS) {
          throw new Error('nearprint: other clients change the same documents at once: repeat the call', {
            cause: error,
          });
        }
      }
    }
  }

  protected async readMetadata(): Promise<Metadata | undefined> {
    return (await this.#rows<Metadata>(this.#commands.metadata).catch(ignoreNoTables))?.[0];
  }

  protected async create(): Promise<void> {
    await this.#send(schemaOf(this.settings).map((statement) => [statement, []]));
  }

  protected observeFirst(documents: StoreDocument[], rule: ObserveRule): Promise<Observation<string>[]> {
    const decide = (snapshot: Snapshot, document: StoreDocument) => observe(snapshot, document, rule, this.scheme);
    return this.#change(documents, decide, (document) => document);
  }

  protected async settle(versions: StoreVersion[], settlement: Settlement): Promise<number> {
    let count = 0;
    for (let left = versions; left.length > 0; ) {
      const settled = await this.#change(left, (snapshot, version) => settle(snapshot, version, settlement));
      count += settled.filter(Boolean).length;
      left = left.slice(settled.length);
    }
    return count;
  }

  protected async put(documents: StoreDocument[], expiresIn: number | undefined): Promise<void> {
    for (let left = documents; left.length > 0; ) {
      const added = await this.#change(left, (snapshot, document) => add(snapshot, document, expiresIn));
      left = left.slice(added.length);
    }
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    const rows = await this.#rows<CandidateRow>(this.#commands.search(document, rule.limit, Date.now()));
    return hitsOf(document, rows.map(candidateOf), rule, this.scheme);
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    const own = await this.#rows<VersionRow>(this.#commands.own(id, Date.now()));
    const { kept, pending } = pairOf(own.map(versionOf));
    return (kept ?? pending)?.record;
  }

  protected async remove(ids: string[]): Promise<number> {
    return countRemoved(await this.#rows(this.#commands.removeAll(ids, Date.now())));
  }

  protected async removeExpired(): Promise<number> {
    const now = Date.now();
    for (let count = 0; ; ) {
      const ids = (await this.#rows<{ id: string }>(this.#commands.prune(now))).map(({ id }) => id);
      if (ids.length === 0) return count;
      count += (await this.#rows<{ count: number }>(this.#commands.countGone(ids)))[0].count;
    }
  }

  protected async countIds(): Promise<number> {
    return (await this.#rows<{ count: number }>(this.#commands.count(Date.now())))[0].count;
  }

  protected async page(position: unknown): Promise<Page> {
    return pageOf(await this.#rows(this.#commands.page(position as Position, Date.now())));
  }
}

/**
 * Returns the store in a D1 database. The tables are created at the first call.
 *
 * @example
 * ```js
 * const store = d1Store(env.DATABASE);
 * const [{ status }] = await store.observe([{ id: url, text }]);
 * ```
 * @throws {@link ArgumentError}: `database` is not a binding of D1, or an option is wrong
 */
export function d1Store(database: D1Database, options?: StoreOptions): Store {
  const { batch, prepare } = (database ?? {}) as Partial<D1Database>;
  if (typeof batch !== 'function' || typeof prepare !== 'function') {
    throw new ArgumentError('database', 'a binding of D1', database);
  }
  return new D1Store(database, checkSettings(options));
}
