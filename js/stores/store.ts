// The base of all stores: their methods, and the checks of arguments.
import { ArgumentError } from '../common/argument-error.js';
import { checkIterable, checkLimit, checkOptions, checkText } from '../common/check.js';
import { asyncDispose } from '../common/dispose.js';
import type { Observation, Outcome } from '../dedupe/decision.js';
import { checkDuration, checkMinResemblance, type Rule } from '../dedupe/decision-options.js';
import {
  ADVICE_AGAINST_FORGERY,
  type DocumentStore,
  type PeekedDocument,
  type StoreObserveOptions,
  type StorePeekOptions,
  type Version,
} from '../dedupe/document-store.js';
import { lastingId } from '../dedupe/lasting-id.js';
import {
  type Deduplicator,
  type Hit,
  type IdentifiedDocument,
  type ScopeOptions,
  Sketch,
  type Text,
} from '../index.js';
import { checkNoScope, checkScope } from '../sketch/scope.js';
import { Sketcher } from '../sketch/sketcher.js';
import { checkStoreId, type Settings, type StoreOptions } from './settings.js';

export type { PeekedDocument, StoreObserveOptions, StoreOptions, StorePeekOptions, Version };

/** The options of {@link Store.query}. */
export interface StoreQueryOptions extends ScopeOptions {
  /** The resemblance from which a kept document is a hit: as for {@link Store.observe}, or 0. Default: 0.67. */
  minResemblance?: number | undefined;
  /** The largest number of hits, 0 to 2^32 - 1 or `Infinity`. Default: 1. */
  limit?: number | undefined;
}

/** The options of {@link Store.add}. */
export interface StoreAddOptions extends ScopeOptions {
  /** The number of seconds after which the documents expire, at least 0. Default: as for {@link Store.observe}. */
  expiresIn?: number | undefined;
}

/** A kept document with its sketch, which has no keys. */
export interface StoreEntry {
  /** The id of the document. */
  id: string;
  /** The sketch of the document, which has no keys. */
  sketch: Sketch;
}

/** A checked document. Without an id, it is one that the store cannot have. */
export interface CheckedDocument<I extends string | undefined = string> {
  /** The id of the document. */
  id: I;
  /** The sketch of the document. */
  sketch: Sketch;
}

/** A checked argument of `confirm` and `release`: any version of an id, or the one that equals a sketch. */
export interface CheckedVersion {
  /** The id of the document. */
  id: string;
  /** The sketch that the version equals. Default: any version. */
  sketch?: Sketch;
}

/** Returns a sketch of the scheme. A sketch of another copy of the module is converted. */
function checkSketchOfScheme(given: unknown, scheme: string, argument: string): Sketch {
  let checked: Sketch;
  try {
    checked = given instanceof Sketch ? given : Sketch.fromBytes((given as Sketch).toBytes());
  } catch (error) {
    throw error instanceof TypeError ? new ArgumentError(argument, 'a Sketch', given) : error;
  }
  if (checked.scheme !== scheme) throw new ArgumentError(argument, `a sketch of the scheme ${scheme}`, checked.scheme);
  return checked;
}

/** Throws for a sketch without keys, since the document would never be found. */
function checkKeys(sketch: Sketch, argument: string): void {
  if (sketch.keys.length > 0 || sketch.isBlank) return;
  throw new ArgumentError(argument, 'made from a text, since a set keeps no keys', sketch, 'one from a set');
}

/** Refuses `textOf`, an option of a {@link Deduplicator}. */
function refuseTexts(options: object | undefined): void {
  const { textOf } = (options ?? {}) as { textOf?: unknown };
  if (textOf === undefined) return;
  throw new ArgumentError('textOf', `left out with a store: estimates decide ${ADVICE_AGAINST_FORGERY}`, textOf);
}

/** The longest duration in milliseconds: times remain safe integers. */
const MAX_DURATION = 2 ** 52;

/** Returns a duration in milliseconds, NaN for none. */
const durationOf = (value: unknown, argument: 'lease' | 'expiresIn'): number =>
  Math.min(checkDuration(value, argument), MAX_DURATION);

/**
 * The kept documents that many clients share. Decisions follow the rule of {@link Deduplicator}: concurrent clients get the
 * decisions that some sequential order of their documents would give.
 *
 * Methods reject with an {@link ArgumentError} if an argument is wrong, and with an `Error` that states what to do if the
 * engine fails. A wrong document leaves those before it decided and kept; a failure of the engine undoes one part of the call.
 */
export abstract class Store implements DocumentStore {
  /** @internal */
  protected readonly settings: Settings;
  readonly #partSize: number;
  readonly #sketcher: Sketcher;

  /** `partSize` is the number of documents that a call takes from its iterable and carries out at once. @internal */
  constructor(settings: Settings, partSize: number) {
    this.settings = settings;
    this.#partSize = partSize;
    const { scheme, key } = settings;
    this.#sketcher = new Sketcher({ scheme, key });
  }

  /** The name of the store. */
  get name(): string {
    return this.settings.name;
  }

  /** The id of the scheme of its sketches. */
  get scheme(): string {
    return this.settings.scheme;
  }

  /** Returns the statements that create the tables and functions, for your own migrations; '' for Redis and memory. */
  schema(): string {
    return '';
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
    refuseTexts(options);
    const given = checkOptions(options, ['minResemblance', 'lease', 'expiresIn', 'scope']);
    const rule = {
      minResemblance: checkMinResemblance(given.minResemblance),
      lease: durationOf(given.lease, 'lease'),
      expiresIn: durationOf(given.expiresIn, 'expiresIn'),
    };
    const observations: Observation<string>[] = [];
    for (const part of this.#parts(docs, checkScope(given.scope), checkStoreId)) {
      observations.push(...(await this.observeAll(part, rule)));
    }
    return observations;
  }

  /**
   * Returns the decisions that {@link Store.observe} would make on each document alone, and changes nothing. They are in the
   * order of the documents, which are not compared with each other. A document without an id is asked for under the id that
   * `dedupe` derives from its sketch; without words too, it is `new`.
   *
   * Several documents are read at once: ten by D1, 16 by Redis, 256 by PostgreSQL and SQLite. Others may change the store
   * between two reads.
   */
  async peek(docs: Iterable<PeekedDocument>, options?: StorePeekOptions): Promise<Outcome<string>[]> {
    const given = checkOptions(options, ['minResemblance', 'scope']);
    const minResemblance = checkMinResemblance(given.minResemblance);
    const outcomes: Outcome<string>[] = [];
    const checkGiven = (id: unknown, argument: string) => (id === undefined ? undefined : checkStoreId(id, argument));
    for (const part of this.#parts(docs, checkScope(given.scope), checkGiven)) {
      const documents = part.map(({ id, sketch }) => ({ id: lastingId(id, sketch), sketch }));
      outcomes.push(...(await this.peekAll(documents, minResemblance)));
    }
    return outcomes;
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
    const checked = Array.from(versions, (version, at) => {
      const argument = `versions[${at}]`;
      if (typeof version === 'string') return { id: checkStoreId(version, argument) };
      if (typeof version !== 'object' || version === null)
        throw new ArgumentError(argument, 'an id or { id, sketch }', version);
      const id = checkStoreId(version.id, `${argument}.id`);
      return { id, sketch: checkSketchOfScheme(version.sketch, this.scheme, `${argument}.sketch`) };
    });
    return this.settle(kind, checked);
  }

  /**
   * Keeps documents, whatever they resemble. Each replaces the kept and the provisional version of its id; an equal kept
   * document stays. `docs` may also be an array of documents with the sketches of their texts. The sketches of a
   * {@link Deduplicator} or of another store have no keys, so they cannot be added. Expiry times are not copied.
   */
  async add(docs: Iterable<IdentifiedDocument<string>>, options?: StoreAddOptions): Promise<void> {
    const given = checkOptions(options, ['expiresIn', 'scope']);
    const expiresIn = durationOf(given.expiresIn, 'expiresIn');
    for (const part of this.#parts(docs, checkScope(given.scope), checkStoreId)) await this.addAll(part, expiresIn);
  }

  /**
   * Returns the kept documents that a text or a sketch resembles, up to `limit`: the most similar first, ties in the order
   * of addition. Provisional versions count; each id is a hit once, with its better version.
   */
  async query(document: Text | Sketch, options?: StoreQueryOptions): Promise<Hit<string>[]> {
    const given = checkOptions(options, ['minResemblance', 'limit', 'scope']);
    const scope = checkScope(given.scope);
    const minResemblance = given.minResemblance === 0 ? 0 : checkMinResemblance(given.minResemblance);
    const limit = checkLimit(given.limit ?? 1);
    const content: unknown = document;
    const isSketch = typeof (content as Partial<Sketch> | null | undefined)?.toBytes === 'function';
    const sketch = isSketch
      ? checkSketchOfScheme(content, this.scheme, 'document')
      : this.#sketcher.sketch(checkText(content, 'document'), { scope });
    if (isSketch) {
      checkNoScope(scope, sketch, 'document');
      checkKeys(sketch, 'document');
    }
    return this.search(sketch, minResemblance, limit);
  }

  /** Returns the sketch of a kept document, without keys: of its kept version, or else of the provisional one. */
  async get(id: string): Promise<Sketch | undefined> {
    return this.find(checkStoreId(id));
  }

  /** Removes documents with all their versions, and returns the number of removed documents. */
  async delete(ids: Iterable<string>): Promise<number> {
    checkIterable(ids, 'ids', 'an iterable of ids');
    return this.remove(Array.from(ids, (id, at) => checkStoreId(id, `ids[${at}]`)));
  }

  /**
   * Removes expired documents, and returns their number; documents that other calls have removed are not counted.
   * O(expired documents).
   */
  abstract prune(): Promise<number>;

  /** Returns the number of kept documents. A provisional one counts. */
  abstract count(): Promise<number>;

  /**
   * Yields all kept documents in the order of addition, each id once. Documents that are added, changed or deleted during
   * the iteration may be missing.
   */
  abstract entries(): AsyncGenerator<StoreEntry, void, undefined>;

  /** Returns the hits of a query. @internal */
  protected abstract search(document: Sketch, minResemblance: number, limit: number): Promise<Hit<string>[]>;

  /** Observes the documents of a part. @internal */
  protected abstract observeAll(
    documents: readonly CheckedDocument[],
    rule: Omit<Rule, 'now'>,
  ): Promise<Observation<string>[]>;

  /** Returns the outcomes that the documents of a part would have alone. @internal */
  protected abstract peekAll(
    documents: readonly CheckedDocument<string | undefined>[],
    minResemblance: number,
  ): Promise<Outcome<string>[]>;

  /** Adds the documents of a part, which expire after some milliseconds, or never if it is NaN. @internal */
  protected abstract addAll(documents: readonly CheckedDocument[], expiresIn: number): Promise<void>;

  /** @internal */
  protected abstract settle(kind: 'confirm' | 'release', versions: readonly CheckedVersion[]): Promise<number>;

  /** @internal */
  protected abstract remove(ids: readonly string[]): Promise<number>;

  /** @internal */
  protected abstract find(id: string): Promise<Sketch | undefined>;

  /** Frees nothing: the client belongs to the caller, and stays open. */
  async [asyncDispose](): Promise<void> {}

  /** Yields checked documents in parts. A wrong document throws after the documents before it have been yielded. */
  *#parts<I extends string | undefined>(
    docs: Iterable<PeekedDocument>,
    scope: string,
    checkId: (id: unknown, argument: string) => I,
  ): Generator<CheckedDocument<I>[], void, undefined> {
    checkIterable(docs, 'docs', 'an iterable of { id, text } or { id, sketch }');
    let part: CheckedDocument<I>[] = [];
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
        const sketch =
          text === undefined
            ? checkSketchOfScheme(document.sketch, this.scheme, `${argument}.sketch`)
            : this.#sketcher.sketch(checkText(text, `${argument}.text`), { scope: own });
        if (text === undefined) {
          checkNoScope(own, sketch, argument);
          checkKeys(sketch, `${argument}.sketch`);
        }
        part.push({ id, sketch });
        if (part.length < this.#partSize) continue;
        yield part;
        part = [];
      }
    } catch (error) {
      if (part.length > 0) yield part;
      throw error;
    }
    if (part.length > 0) yield part;
  }
}
