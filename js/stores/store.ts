// The store that all engines have in common: its methods, the checks of arguments, and the rules of its calls.
import { ArgumentError } from '../core/argument-error.js';
import { checkFunction, checkIterable, checkLimit, checkOptions, checkText } from '../core/check.js';
import {
  type Change,
  decideAdd,
  decideSettle,
  endOf,
  hasEqual,
  hitsOf,
  isLive,
  isProvisional,
  sketchOfValue,
} from '../core/decide.js';
import { checkDuration, checkMinResemblance } from '../core/decision-options.js';
import { asyncDispose } from '../core/dispose.js';
import { checkNoScope, checkScope } from '../core/scope.js';
import type { Observation } from '../decisions/decision.js';
import type { DocumentStore, StoreObserveOptions, Version } from '../decisions/store.js';
import { isPromise, type Reading, type Verifiable, Verifier } from '../decisions/verify.js';
import { decideBy, outcomeOf, type Versions } from '../decisions/versions.js';
import {
  type Deduplicator,
  Fingerprinter,
  type IdentifiedDocument,
  type ResemblanceHit,
  type ScopeOptions,
  Sketch,
  type Text,
} from '../index.js';
import { type Advice, withAdvice } from './advice.js';
import { keysOf, type Salt } from './candidates.js';
import { type Engine, LostStore } from './engine.js';
import { carryOut, type Found, readAll, readOne, type Subject, type Rule as SubjectRule } from './protocol.js';
import { checkId, checkMetadata, type Settings, type StoreOptions } from './settings.js';

export type { StoreObserveOptions, StoreOptions, Version };

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

/** A kept document with its sketch, which has no keys. */
export interface StoreEntry {
  id: string;
  sketch: Sketch;
}

/** A checked document. */
interface StoreDocument extends Verifiable {
  id: string;
}

/** An id, or the version of it that equals a sketch. */
interface StoreVersion {
  id: string;
  sketch?: Sketch;
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

/** Throws for a sketch without keys, since the document would never be found. */
function checkKeys(sketch: Sketch, argument: string): void {
  if (sketch.keys.length > 0 || sketch.isBlank) return;
  throw new ArgumentError(argument, 'made from a text, since a set keeps no keys', sketch, 'one from a set');
}

/** The maximum number of documents that a call takes from its iterable at once, and of ids in an atomic part of a call. */
const SLICE = 256;

/** An atomic part of a call that files no documents may be so many times as large. */
const WITHOUT_KEYS = 16;

/** The maximum number of times that a call opens the store. */
const MAX_OPENED = 3;

/** The longest duration in milliseconds: times remain safe integers. */
const MAX_DURATION = 2 ** 52;

/** A version without its number. */
interface Valued {
  readonly id: string;
  readonly value: Uint8Array;
}

const valueIn = ({ value }: Valued): Uint8Array => value;

/** Returns a change that removes the own versions at these places. */
function removalOf(places: Iterable<number>): Change | undefined {
  const removes = [...places];
  return removes.length === 0 ? undefined : { removes, deadline: Number.POSITIVE_INFINITY };
}

/** Returns whether a version has ended, `otherwise` for a damaged one. */
function hasEnded(value: Uint8Array, now: number, otherwise: boolean): boolean {
  try {
    return endOf(value) <= now;
  } catch {
    return otherwise;
  }
}

/** Returns a duration in milliseconds, NaN for none. */
const durationOf = (value: unknown, argument: 'lease' | 'expiresIn'): number =>
  Math.min(checkDuration(value, argument), MAX_DURATION);

/**
 * The texts that decisions of a call need. Texts of its own documents are known, and a promised text is remembered until its
 * document is decided, which begins again when the text has arrived.
 */
class CallTexts {
  readonly #textOf: (id: string) => unknown;
  readonly #own = new Map<string, Text>();
  readonly #arrived = new Map<string, unknown>();

  constructor(textOf: (id: string) => unknown) {
    this.#textOf = textOf;
  }

  textOf = (id: string): unknown => {
    if (this.#own.has(id)) return this.#own.get(id);
    if (this.#arrived.has(id)) return this.#arrived.get(id);
    const text = this.#textOf(id);
    if (!isPromise(text)) return text;
    return Promise.resolve(text).then((text) => {
      this.#arrived.set(id, text);
      return text;
    });
  };

  /** Notes that a document is decided. */
  note({ id, text }: StoreDocument, isKept: boolean): void {
    this.#arrived.clear();
    const own = isKept ? text() : undefined;
    if (own !== undefined && !isPromise(own)) this.#own.set(id, own as Text);
  }
}

/**
 * The kept documents that many clients share. Decisions follow the rule of {@link Deduplicator}: concurrent clients get the
 * decisions that some sequential order of their calls would give.
 *
 * Methods reject with an {@link ArgumentError} if an argument is wrong, and with an `Error` that states what to do if the
 * engine fails. An error leaves the documents before the failed one decided and kept.
 */
export class Store implements DocumentStore {
  readonly #engine: Engine;
  readonly #settings: Settings;
  readonly #advice: Advice;
  readonly #fingerprinter: Fingerprinter;
  #opened: Promise<Salt> | undefined;

  /** @internal */
  constructor(engine: Engine, settings: Settings, advice: Advice) {
    this.#engine = engine;
    this.#settings = settings;
    this.#advice = advice;
    const { scheme, key } = settings;
    this.#fingerprinter = new Fingerprinter(key === undefined ? { scheme } : { scheme, key });
  }

  /** The name of the store. */
  get name(): string {
    return this.#settings.name;
  }

  /** The id of the scheme of its sketches. */
  get scheme(): string {
    return this.#settings.scheme;
  }

  /** Returns the statements that create the tables and functions, for your own migrations; '' for Redis and memory. */
  schema(): string {
    return this.#engine.schema();
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
    const rule = {
      minResemblance: checkMinResemblance(given.minResemblance),
      lease: durationOf(given.lease, 'lease'),
      expiresIn: durationOf(given.expiresIn, 'expiresIn'),
    };
    const scope = checkScope(given.scope);
    const { textOf } = given;
    const texts = textOf === undefined ? undefined : new CallTexts(checkFunction(textOf, 'textOf'));
    const verifier = texts && new Verifier<string>(this.#fingerprinter, texts.textOf);
    const observe: SubjectRule<StoreDocument & Subject, Observation<string>> = function* (document, found) {
      const { id, sketch } = document;
      const own = found.own.map(valueIn);
      const versions = { now: found.now, own, candidates: hasEqual(own, sketch, found.now) ? [] : found.candidates };
      const decided = yield* decideBy(document, id, versions, rule, verifier);
      texts?.note(document, decided.change?.add !== undefined);
      return { result: { id, ...outcomeOf(decided, versions) }, change: decided.change };
    };
    const observations: Observation<string>[] = [];
    for (const slice of this.#slices(docs, scope, texts?.textOf)) {
      for (const observation of await this.#carryOut(slice, observe)) observations.push(observation);
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
    const checked = Array.from(versions, (version, at) => {
      const argument = `versions[${at}]`;
      if (typeof version === 'string') return { id: checkId(version, argument) };
      if (typeof version !== 'object' || version === null)
        throw new ArgumentError(argument, 'an id or { id, sketch }', version);
      const id = checkId(version.id, `${argument}.id`);
      return { id, sketch: checkSketch(version.sketch, this.scheme, `${argument}.sketch`) };
    });
    return this.#countChanges(checked, ({ sketch }, { now, own }) => {
      const change = decideSettle(kind, own.map(valueIn), now, sketch);
      return { result: change !== undefined, change };
    });
  }

  /**
   * Keeps documents, whatever they resemble. Each replaces the kept and the provisional version of its id; an equal kept
   * document stays. `docs` may also be an array of documents with the sketches of their texts. The sketches of a
   * {@link Deduplicator} or of another store have no keys, so they cannot be added. Expiry times are not copied.
   */
  async add(docs: Iterable<IdentifiedDocument<string>>, options?: StoreAddOptions): Promise<void> {
    const given = checkOptions(options, ['expiresIn', 'scope']);
    const expiresIn = durationOf(given.expiresIn, 'expiresIn');
    for (const slice of this.#slices(docs, checkScope(given.scope))) {
      // biome-ignore lint/correctness/useYield: a reading without texts
      await this.#carryOut(slice, function* ({ sketch }, { now, own }) {
        const rule = { minResemblance: 1, lease: Number.NaN, expiresIn, now };
        return { result: undefined, change: decideAdd(sketch, own.map(valueIn), rule) };
      });
    }
  }

  /**
   * Returns the kept documents that a text or a sketch resembles, up to `limit`: the most similar first, ties in the order
   * of distance, then of addition. Provisional versions count; each id is a hit once, with its better version.
   */
  async query(document: Text | Sketch, options?: StoreQueryOptions): Promise<ResemblanceHit<string>[]> {
    const given = checkOptions(options, ['minResemblance', 'limit', 'scope']);
    const scope = checkScope(given.scope);
    const minResemblance = given.minResemblance === 0 ? 0 : checkMinResemblance(given.minResemblance);
    const limit = checkLimit(given.limit ?? 1);
    const content = document as unknown;
    const isText = typeof content === 'string' || ArrayBuffer.isView(content);
    const sketch = isText
      ? this.#fingerprinter.sketch(content as Text, { scope })
      : checkSketch(content, this.scheme, 'document');
    if (!isText) {
      checkNoScope(scope, sketch, 'document');
      checkKeys(sketch, 'document');
    }
    const { now, candidates } = await this.read(sketch, undefined);
    const values = candidates.map(({ value }) => value);
    const hits = new Map<string, ResemblanceHit<string>>();
    for (const { at, isProvisional, ...similarity } of hitsOf(sketch, values, minResemblance, now)) {
      const { id } = candidates[at];
      if (hits.size === limit) break;
      if (!hits.has(id)) hits.set(id, { id, ...similarity, ...(isProvisional && { isProvisional }) });
    }
    return [...hits.values()];
  }

  /** Returns the sketch of a kept document, without keys: of its kept version, or else of the provisional one. */
  async get(id: string): Promise<Sketch | undefined> {
    checkId(id);
    const { now, own } = await this.#use(() => readOne(this.#engine, id, []));
    const live = this.#liveIn(own, now);
    const found = live.find(({ value }) => !isProvisional(value)) ?? live[0];
    return found && sketchOfValue(found.value, this.scheme);
  }

  /** Removes documents with all their versions, and returns the number of removed documents. */
  async delete(ids: Iterable<string>): Promise<number> {
    checkIterable(ids, 'ids', 'an iterable of ids');
    const given = Array.from(ids, (id, at) => ({ id: checkId(id, `ids[${at}]`) }));
    return this.#countChanges(given, (_, { now, own }) => ({
      result: own.some(({ value }) => !hasEnded(value, now, false)),
      change: removalOf(own.keys()),
    }));
  }

  /**
   * Removes expired documents, and returns their number; documents that other calls have removed are not counted.
   * O(expired documents).
   */
  async prune(): Promise<number> {
    let count = 0;
    let next: unknown;
    do {
      const page = await this.#use(() => this.#engine.page(next, true));
      const listed = new Set(page.versions.map(({ number }) => number));
      const ids = new Set(page.versions.map(({ id }) => id));
      const given = Array.from(ids, (id) => ({ id }));
      count += await this.#countChanges(given, (_, { now, own }) => {
        // Another client may have renewed some of them.
        const ended = [...own.keys()].filter((at) => hasEnded(own[at].value, now, listed.has(own[at].number)));
        return { result: ended.length > 0 && ended.length === own.length, change: removalOf(ended) };
      });
      next = page.next;
    } while (next !== undefined);
    return count;
  }

  /** Returns the number of kept documents. A provisional one counts. */
  async count(): Promise<number> {
    return this.#use(() => this.#engine.count());
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
      const page = await this.#use(() => this.#engine.page(next, false));
      const { now, answers } = await this.#use(() => readAll(this.#engine, page.versions));
      for (const [at, { number, id }] of page.versions.entries()) {
        const { own } = answers[at];
        const [first] = this.#liveIn(own, now);
        if (first?.number !== number || seen.has(id)) continue;
        if (own.length > 1) seen.add(id);
        yield { id, sketch: sketchOfValue(first.value, this.scheme) };
      }
      next = page.next;
    } while (next !== undefined);
  }

  /** Returns what a decision on a document depends on; without an id, all versions are candidates. @internal */
  async read(document: Sketch, id: string | undefined): Promise<Versions<string>> {
    const found = await this.#use((salt) => readOne(this.#engine, id, keysOf(document, salt)));
    for (const version of found.candidates) this.#checkValue(version);
    return { ...found, own: found.own.map(valueIn) };
  }

  /** Frees nothing: the client belongs to the caller, and stays open. */
  async [asyncDispose](): Promise<void> {}

  /** Runs a call on the open store. The first call opens it; if that fails, the next call tries again. */
  async #use<T>(call: (salt: Salt) => Promise<T>): Promise<T> {
    for (let opened = 1; ; opened++) {
      try {
        this.#opened ??= this.#open().catch((error) => {
          this.#opened = undefined;
          throw error;
        });
        return await call(await this.#opened);
      } catch (error) {
        if (!(error instanceof LostStore) || opened === MAX_OPENED) throw withAdvice(error, this.#advice);
        this.#opened = undefined;
      }
    }
  }

  async #open(): Promise<Salt> {
    let found = await this.#engine.readMetadata();
    if (found === undefined) {
      await this.#engine.create();
      found = await this.#engine.readMetadata();
    }
    return checkMetadata(found, this.#settings);
  }

  /** Carries out a rule on versions; those with texts are searched for, and filed under their keys. */
  #carryOut<V extends StoreVersion, R>(versions: readonly V[], rule: SubjectRule<V & Subject, R>): Promise<R[]> {
    const { size } = this.#engine;
    const isDocument = versions.some((version) => 'text' in version);
    return carryOut(
      <T>(round: (salt: Salt) => Promise<T>) => this.#use(round),
      this.#engine,
      isDocument ? size : Math.min(WITHOUT_KEYS * size, SLICE),
      versions,
      (version, salt) => ({ ...version, keys: isDocument ? keysOf(version.sketch as Sketch, salt) : [] }),
      (subject, found) => this.#withName(rule(subject, found), subject, found),
    );
  }

  /** Carries out a rule on versions that are not searched for, and returns the number of those with a result. */
  async #countChanges<V extends StoreVersion>(
    versions: readonly V[],
    rule: (version: V, found: Found) => { result: boolean; change: Change | undefined },
  ): Promise<number> {
    // biome-ignore lint/correctness/useYield: a reading without texts
    const results = await this.#carryOut(versions, function* (version, found) {
      return rule(version, found);
    });
    return results.filter(Boolean).length;
  }

  /** Replaces an error about a damaged value by one that names its id. */
  *#withName<R>(reading: Reading<R>, { id }: Subject, found: Found): Reading<R> {
    try {
      return yield* reading;
    } catch (error) {
      for (const { value } of found.own) this.#checkValue({ id, value });
      for (const candidate of found.candidates) this.#checkValue(candidate);
      throw error;
    }
  }

  #checkValue({ id, value }: Valued): void {
    try {
      sketchOfValue(value, this.scheme);
    } catch (cause) {
      const what = `the record of ${JSON.stringify(id)} is damaged`;
      throw new Error(`nearprint: ${what}: delete it, and observe the document again`, { cause });
    }
  }

  /** Returns the versions of an id that have not ended. */
  #liveIn<V extends Valued>(own: readonly V[], now: number): V[] {
    for (const version of own) this.#checkValue(version);
    return own.filter(({ value }) => isLive(value, now));
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
        const sketch =
          text === undefined
            ? checkSketch(document.sketch, this.scheme, `${argument}.sketch`)
            : this.#fingerprinter.sketch(checkText(text, `${argument}.text`), { scope: own });
        if (text === undefined) {
          checkNoScope(own, sketch, argument);
          checkKeys(sketch, `${argument}.sketch`);
        }
        slice.push({ id, sketch, scope: own, text: () => text ?? textOf?.(id) });
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
