// The base class of all stores: the methods, the checks of arguments, and the opening.
import { ArgumentError } from '../core/argument-error.js';
import { checkFunction, checkIterable, checkLimit, checkOptions, checkText } from '../core/check.js';
import { checkDuration, checkMinResemblance } from '../core/decision-options.js';
import { asyncDispose } from '../core/dispose.js';
import { checkNoScope, checkScope } from '../core/scope.js';
import { isKept, type Observation } from '../decisions/decision.js';
import type { DocumentStore, StoreObserveOptions, Version } from '../decisions/store.js';
import { isPromise, read, Verifier } from '../decisions/verify.js';
import type { Versions } from '../decisions/versions.js';
import {
  type Deduplicator,
  Fingerprinter,
  type IdentifiedDocument,
  type ResemblanceHit,
  type SchemeOptions,
  type ScopeOptions,
  Sketch,
  type Text,
} from '../index.js';
import { type Advice, withAdvice } from './advice.js';
import { checkId } from './ids.js';
import { recordOf, type StoredRecord, sketchOf } from './record.js';
import { checkMetadata, type FoundMetadata, type Settings } from './settings.js';
import {
  type Change,
  type Found,
  type Item,
  inOrder,
  type Known,
  learn,
  type Page,
  type QueryRule,
  type Result,
  type StoreDocument,
  versionValue,
} from './versions.js';

export type { StoreObserveOptions, Version };

/** The options of a store. */
export interface StoreOptions extends SchemeOptions {
  /**
   * The name of the store, `nearprint` by default: up to 40 lower-case letters, digits and `_`, the first a letter, and
   * not beginning with `sqlite`. The names of its tables or keys begin with it, so one database can hold many stores.
   */
  name?: string;
  /**
   * The number of values that a query probes in each of the four blocks, 1 to 256. Default: 25, since each is a look-up in
   * the database.
   */
  probes?: number;
}

/** The options of {@link Store.query}. */
export interface StoreQueryOptions extends ScopeOptions {
  /** The resemblance from which a kept document is a hit: as for {@link Store.observe}, or 0. Default: 0.67. */
  minResemblance?: number;
  /** The largest number of hits, 0 to 2^32 - 1 or `Infinity`. Default: 1. */
  limit?: number;
}

/** The options of {@link Store.add}. */
export interface StoreAddOptions extends ScopeOptions {
  /** The number of seconds after which the documents expire, at least 0. Default: as for {@link Store.observe}. */
  expiresIn?: number;
}

/** A kept document with its sketch, which has no vote margins. */
export interface StoreEntry {
  id: string;
  sketch: Sketch;
}

/** Returns a sketch of the scheme. A sketch of another copy of the module is converted. */
function checkSketch(given: unknown, scheme: string, argument: string): Sketch {
  let checked: Sketch;
  try {
    checked = given instanceof Sketch ? given : Sketch.fromBytes((given as Sketch).toBytes());
  } catch (error) {
    throw error instanceof TypeError ? new ArgumentError(argument, 'a Sketch', given) : error;
  }
  if (checked.scheme !== scheme) throw new ArgumentError(argument, `a sketch of the scheme ${scheme}`, checked.scheme);
  return checked;
}

/** The maximum number of documents that an engine receives at once. */
const SLICE = 256;

/** The longest duration in milliseconds: times remain safe integers. */
const MAX_DURATION = 2 ** 52;

function durationOf(value: unknown, argument: 'lease' | 'expiresIn'): number | undefined {
  const milliseconds = checkDuration(value, argument);
  return Number.isNaN(milliseconds) ? undefined : Math.min(milliseconds, MAX_DURATION);
}

/**
 * The kept documents that many clients share. Decisions follow the rule of {@link Deduplicator}: concurrent clients get the
 * decisions that some sequential order of their calls would give.
 *
 * Methods reject with an {@link ArgumentError} if an argument is wrong, and with an `Error` that states what to do if the
 * engine fails. An error leaves the documents before the failed one decided and kept.
 */
export abstract class Store implements DocumentStore {
  /** @internal */
  protected readonly settings: Settings;
  readonly #advice: Advice;
  readonly #fingerprinter: Fingerprinter;
  #opened: Promise<void> | undefined;

  /** @internal */
  constructor(settings: Settings, advice: Advice) {
    this.settings = settings;
    this.#advice = advice;
    const { scheme, key } = settings;
    this.#fingerprinter = new Fingerprinter(key === undefined ? { scheme } : { scheme, key });
  }

  /** The name of the store. */
  get name(): string {
    return this.settings.name;
  }

  /** The id of the scheme of its sketches. */
  get scheme(): string {
    return this.settings.scheme;
  }

  /** The number of values that a query probes in each block. */
  get probes(): number {
    return this.settings.probes;
  }

  /** Returns the statements that create the tables and functions, for your own migrations; '' for Redis and memory. */
  schema(): string {
    return '';
  }

  /** Whether the server decides, by MinHashes: it has no texts. @internal */
  protected abstract readonly decidesOnServer: boolean;
  /** Returns the metadata. @internal */
  protected abstract readMetadata(): Promise<FoundMetadata>;
  /** Creates the store, if the engine requires that. @internal */
  protected async create(): Promise<void> {}
  /** Changes the first items, at least one, and returns the result of each. @internal */
  protected abstract change(change: Change, items: readonly Item[]): Promise<Result[]>;
  /** Finds the kept documents that a document resembles. @internal */
  protected abstract search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]>;
  /** Returns what a decision on a document depends on. @internal */
  protected readVersions(_document: StoreDocument, _id: string | undefined): Promise<Found> {
    throw new Error('nearprint: this store cannot compare documents without adding them');
  }
  /** Returns the record of the kept version of an id, or else of its provisional one. @internal */
  protected abstract find(id: string): Promise<StoredRecord | undefined>;
  /** Removes expired versions, and returns the number of ids without a version left. @internal */
  protected abstract removeExpired(): Promise<number>;
  /** Counts ids. @internal */
  protected abstract countIds(): Promise<number>;
  /**
   * Returns some records after a position in the order of addition: for each id its kept version, or else the provisional one.
   * The first position is undefined. Versions that are added after the first page are left out. @internal
   */
  protected abstract page(after: unknown): Promise<Page>;

  /** Runs a call on the open store. The first call opens it; if that fails, the next call tries again. @internal */
  protected async use<T>(call: () => T | Promise<T>): Promise<T> {
    try {
      this.#opened ??= this.#open().catch((error) => {
        this.#opened = undefined;
        throw error;
      });
      await this.#opened;
      return await call();
    } catch (error) {
      throw withAdvice(error, this.#advice);
    }
  }

  async #open(): Promise<void> {
    let found = await this.readMetadata();
    if (found === undefined) {
      await this.create();
      found = await this.readMetadata();
    }
    checkMetadata(found, this.settings);
  }

  /**
   * Decides what each document is, and keeps it if it is new or changed: see {@link Deduplicator.observe} for the rule.
   * Decisions are in the order of the documents, and each document is also compared with those before it. The decision on
   * each document is atomic.
   *
   * With `lease`, new and changed documents are kept provisionally. Until they are confirmed or released, or the lease ends,
   * they count as kept for all other documents, and the same id with an equal document gets the same decision again, so a
   * restarted process handles the page that it died on. A call may be repeated: without `lease`, it then returns
   * `unchanged`.
   *
   * @throws {@link ArgumentError}: `docs` is not an iterable of `{ id, text }` or `{ id, sketch }`, an id has more than 2,000
   * bytes of UTF-8, a NUL or a lone surrogate, a sketch has another scheme, or an option is wrong
   */
  async observe(
    docs: Iterable<IdentifiedDocument<string>>,
    options?: StoreObserveOptions,
  ): Promise<Observation<string>[]> {
    const given = checkOptions(options, ['minResemblance', 'lease', 'expiresIn', 'scope', 'textOf']);
    const { textOf } = given;
    if (textOf !== undefined) checkFunction(textOf, 'textOf');
    if (textOf !== undefined && this.decidesOnServer)
      throw new ArgumentError('textOf', 'left out with this store', textOf);
    const change: Change = {
      kind: 'observe',
      minResemblance: checkMinResemblance(given.minResemblance),
      lease: durationOf(given.lease, 'lease'),
      expiresIn: durationOf(given.expiresIn, 'expiresIn'),
    };
    const scope = checkScope(given.scope);
    if (textOf === undefined) return (await this.#change(change, this.#slices(docs, scope))) as Observation<string>[];
    return this.#observeByTexts(change, docs, scope, textOf);
  }

  async #observeByTexts(
    change: Change,
    docs: Iterable<IdentifiedDocument<string>>,
    scope: string,
    textOf: NonNullable<StoreObserveOptions['textOf']>,
  ): Promise<Observation<string>[]> {
    // Of the documents that the call has kept.
    const texts = new Map<string, Text>();
    const known = (id: string) => texts.get(id) ?? textOf(id);
    const verifier = new Verifier<string>(this.#fingerprinter, known);
    const observations: Observation<string>[] = [];
    for (const slice of this.#slices(docs, scope, known)) {
      for (const document of slice) {
        const known: Known = new Map();
        let result: Result | undefined;
        do {
          if (typeof result === 'object' && 'compare' in result) {
            learn(known, result, await read(verifier.exactly(document, result.compare, result.kept)));
          }
          [result] = await this.use(() => this.change({ ...change, known }, [document]));
        } while (typeof result === 'object' && 'compare' in result);
        const observation = result as Observation<string>;
        observations.push(observation);
        const text = isKept(observation) ? document.text() : undefined;
        if (text !== undefined && !isPromise(text)) texts.set(document.id, text as Text);
      }
    }
    return observations;
  }

  /**
   * Makes provisional documents permanent, and returns their number. An id selects its provisional version; an id with a
   * sketch selects it only if it equals the sketch. A version that an earlier call has confirmed is not counted.
   */
  confirm(versions: Iterable<Version>): Promise<number> {
    return this.#settle('confirm', versions);
  }

  /** Discards the provisional documents that {@link Store.confirm} would make permanent, and returns their number. */
  release(versions: Iterable<Version>): Promise<number> {
    return this.#settle('release', versions);
  }

  async #settle(kind: 'confirm' | 'release', versions: Iterable<Version>): Promise<number> {
    checkIterable(versions, 'versions', 'an iterable of ids or { id, sketch }');
    const items = Array.from(versions, (version, at) => {
      const argument = `versions[${at}]`;
      if (typeof version === 'string') return { id: checkId(version, argument) };
      if (typeof version !== 'object' || version === null)
        throw new ArgumentError(argument, 'an id or { id, sketch }', version);
      const id = checkId(version.id, `${argument}.id`);
      const sketch = checkSketch(version.sketch, this.scheme, `${argument}.sketch`);
      return { id, sketch, record: recordOf(sketch, this.decidesOnServer) };
    });
    return this.#count(kind, items);
  }

  /** Changes items, and returns how many it affected. */
  async #count(kind: Change['kind'], items: Item[]): Promise<number> {
    const results = await this.#change({ kind, minResemblance: 0 }, [items]);
    return results.filter((result) => result !== false).length;
  }

  /** Changes the items of all slices, and returns the result of each. */
  async #change(change: Change, slices: Iterable<Item[]>): Promise<Result[]> {
    const results: Result[] = [];
    for (const slice of slices) {
      for (let at = 0; at < slice.length; ) {
        const some = await this.use(() => this.change(change, slice.slice(at, at + SLICE)));
        results.push(...some);
        at += some.length;
      }
    }
    return results;
  }

  /**
   * Keeps documents, whatever they resemble. Each replaces the kept and the provisional version of its id; an equal kept
   * document stays. `docs` may also be a {@link Deduplicator} (call its `prune` first) or an array of another store's
   * entries. Expiry times are not copied.
   */
  async add(docs: Iterable<IdentifiedDocument<string>>, options?: StoreAddOptions): Promise<void> {
    const { expiresIn, scope } = checkOptions(options, ['expiresIn', 'scope']);
    const change: Change = { kind: 'add', minResemblance: 0, expiresIn: durationOf(expiresIn, 'expiresIn') };
    await this.#change(change, this.#slices(docs, checkScope(scope)));
  }

  /**
   * Returns the kept documents that a text or a sketch resembles, up to `limit`: the most similar first, ties in the order
   * of distance, then of addition. Provisional versions count; each id is a hit once, with its better version.
   */
  async query(document: Text | Sketch, options?: StoreQueryOptions): Promise<ResemblanceHit<string>[]> {
    const { minResemblance, limit = 1, ...others } = checkOptions(options, ['minResemblance', 'limit', 'scope']);
    const scope = checkScope(others.scope);
    const rule = {
      minResemblance: minResemblance === 0 ? 0 : checkMinResemblance(minResemblance),
      limit: checkLimit(limit),
    };
    const given = document as unknown;
    const isText = typeof given === 'string' || ArrayBuffer.isView(given);
    const checked = this.#document(
      '',
      isText ? this.#fingerprinter.sketch(given as Text, { scope }) : given,
      'document',
    );
    if (!isText) checkNoScope(scope, checked.sketch, 'document');
    return this.use(() => this.search(checked, rule));
  }

  /** Returns what a decision on a document depends on. @internal */
  async read(document: Sketch, id: string | undefined): Promise<Versions<string>> {
    const { now, own, candidates } = await this.use(() =>
      this.readVersions(this.#document(id ?? '', document, 'document'), id),
    );
    const ordered = inOrder(candidates).map((version) => ({ id: version.id, value: versionValue(version) }));
    return { now, own: own.map(versionValue), candidates: ordered };
  }

  /** Returns the sketch of a kept document, without vote margins: of its kept version, or else of the provisional one. */
  async get(id: string): Promise<Sketch | undefined> {
    checkId(id);
    const record = await this.use(() => this.find(id));
    return record && sketchOf(record, this.scheme, id, this.decidesOnServer);
  }

  /** Removes documents with all their versions, and returns the number of removed documents. */
  async delete(ids: Iterable<string>): Promise<number> {
    checkIterable(ids, 'ids', 'an iterable of ids');
    return this.#count(
      'remove',
      Array.from(ids, (id, at) => ({ id: checkId(id, `ids[${at}]`) })),
    );
  }

  /**
   * Removes expired documents, and returns their number; documents that other calls have removed are not counted.
   * O(expired documents).
   */
  prune(): Promise<number> {
    return this.use(() => this.removeExpired());
  }

  /** Returns the number of kept documents. A provisional one counts. */
  count(): Promise<number> {
    return this.use(() => this.countIds());
  }

  /**
   * Yields all kept documents in the order of addition, each id once. Documents that are added, changed or deleted during
   * the iteration may be missing.
   */
  async *entries(): AsyncGenerator<StoreEntry, void, undefined> {
    // An id with two versions may occur again: if its provisional version is confirmed during the iteration, a later page
    // has it as the kept one.
    const seen = new Set<string>();
    let next: unknown;
    do {
      const page: Page = await this.use(() => this.page(next));
      for (const { id, record, hasOther } of page.rows) {
        if (seen.has(id)) continue;
        if (hasOther) seen.add(id);
        yield { id, sketch: sketchOf(record, this.scheme, id, this.decidesOnServer) };
      }
      next = page.next;
    } while (next !== undefined);
  }

  /** Frees nothing: the client belongs to the caller, and stays open. */
  async [asyncDispose](): Promise<void> {}

  /** Returns a checked document, with all that a store needs of it. */
  #document(
    id: string,
    given: unknown,
    argument: string,
    scope = '',
    text: () => unknown = () => undefined,
  ): StoreDocument {
    const checked = checkSketch(given, this.scheme, argument);
    const probes = checked.probes(this.probes);
    const each = probes.length / 4;
    return {
      id,
      sketch: checked,
      scope,
      text,
      record: recordOf(checked, this.decidesOnServer),
      probes: [0, 1, 2, 3].map((block) => [...probes.subarray(block * each, (block + 1) * each)]),
    };
  }

  /**
   * Yields checked documents in batches. A wrong document throws after the documents before it have been yielded. `textOf`
   * returns the text of an id whose document is a sketch.
   */
  *#slices(
    docs: Iterable<IdentifiedDocument<string>>,
    scope: string,
    textOf?: (id: string) => unknown,
  ): Generator<StoreDocument[], void, undefined> {
    checkIterable(docs, 'docs', 'an iterable of { id, text } or { id, sketch }');
    let slice: StoreDocument[] = [];
    let at = 0;
    try {
      for (const document of docs) {
        const argument = `docs[${at++}]`;
        if (typeof document !== 'object' || document === null) {
          throw new ArgumentError(argument, '{ id, text } or { id, sketch }', document);
        }
        const id = checkId(document.id, `${argument}.id`);
        const own = document.scope === undefined ? scope : checkScope(document.scope, `${argument}.scope`);
        const { text } = document;
        const content =
          text === undefined
            ? document.sketch
            : this.#fingerprinter.sketch(checkText(text, `${argument}.text`), { scope: own });
        const checked = this.#document(id, content, `${argument}.sketch`, own, () => text ?? textOf?.(id));
        if (text === undefined) checkNoScope(own, checked.sketch, argument);
        slice.push(checked);
        if (slice.length < SLICE) continue;
        yield slice;
        slice = [];
      }
    } catch (error) {
      if (slice.length > 0) yield slice;
      throw error;
    }
    if (slice.length > 0) yield slice;
  }
}
