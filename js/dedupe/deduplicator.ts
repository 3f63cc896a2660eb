// The deduplicator: a set of documents over time. This file checks arguments and numbers ids; src/dedupe decides.
import type { Deduplicator as Binding } from '../../build/wasm/dedupe/dedupe.js';
import { dedupeExchange as exchange, dedupeModule as module } from '../boot/dedupe.js';
import { ArgumentError } from '../common/argument-error.js';
import {
  checkBytes,
  checkFunction,
  checkId,
  checkIterable,
  checkLimit,
  checkOptions,
  checkStar,
  checkText,
} from '../common/check.js';
import { defineDispose, defineMethod, type dispose } from '../common/dispose.js';
import { outOfMemory, PIECE, textKind } from '../common/exchange.js';
import { Ids, type IdTable, NumberedIds } from '../common/ids.js';
import { defineInspection } from '../common/inspection.js';
import { copyOfKey, type KeyOptions } from '../common/key.js';
import type { Id, Text } from '../common/types.js';
import { type SketchOptions, sketchOptions, sketchSchemeId } from '../sketch/scheme.js';
import { checkNoScope, checkScope, type ScopeOptions } from '../sketch/scope.js';
import { checkSketch, Sketch, writeSketch } from '../sketch/sketch.js';
import { type Sketcher, sharedSketcher } from '../sketch/sketcher.js';
import type { Cluster, LinkageOptions, Pair } from './cluster.js';
import { type Hit, type Observation, type Outcome, STATUSES } from './decision.js';
import type {
  ExpiryOptions,
  ObserveOptions,
  PeekOptions,
  QueryOptions,
  ThresholdOptions,
  TimeOptions,
} from './decision-options.js';
import { checkDuration, checkMinResemblance, checkTime, type Rule } from './decision-options.js';
import type { IdentifiedDocument } from './document.js';
import { lastingId } from './lasting-id.js';
import { type ComparisonRequest, decideByText } from './verify.js';

const observeOptions = ['minResemblance', 'expiresIn', 'now', 'scope', 'textOf'] as const;

/** Checks options. The times of the result are in milliseconds. */
const settingsOf = ({ minResemblance, expiresIn, now, scope }: Omit<ObserveOptions, 'textOf'>) => ({
  minResemblance: checkMinResemblance(minResemblance),
  now: checkTime(now),
  expiresIn: checkDuration(expiresIn),
  lease: Number.NaN,
  scope: checkScope(scope),
});

type Settings = ReturnType<typeof settingsOf>;

const DUPLICATE = STATUSES.indexOf('duplicate');

/** In place of a status: one more exact resemblance is needed. wasm/src/deduplicator.rs has the same. */
const COMPARE = 4;

/** In place of the number of an id that was never kept. wasm/src/deduplicator.rs has the same. */
const UNKNOWN = 2 ** 32 - 1;

/** The number of cells of a decision. @internal */
export const ROW = 4;

/**
 * A set of documents over time. It decides whether each document is new, unchanged, changed, or a near-duplicate of a kept
 * document.
 *
 * A document is a text, or its {@link Sketch} of the same scheme. Documents that share a key are candidates, and their odd sketches
 * verify them. Results are not exact: some near-duplicates are missed, and the resemblance is an estimate. Errors in either direction
 * are few even among a million documents.
 *
 * Memory: each document takes 140 bytes of WebAssembly memory in a set of a million, and at most 150 in a set of ten thousand or
 * more. An expiry time takes 24 to 75 bytes. Ids take JavaScript memory in addition. The documents exist only in this process. A
 * snapshot ({@link Deduplicator.toBytes}) carries them to another one, and a store (`nearprint/store/sqlite` and others) shares them.
 *
 * A method that throws has changed nothing, unless its documentation says otherwise, but may have removed expired documents.
 *
 * @example
 * ```js
 * const text = 'The river burst its banks early on Tuesday, the council said.';
 * const kept = new Deduplicator();
 * kept.observe('/news', text).status; // 'new'
 * kept.observe('/news', text.toUpperCase()).status; // 'unchanged'
 * kept.observe('/print/news', text); // { id: '/print/news', status: 'duplicate', duplicateOf: '/news', resemblance: 1 }
 * kept.observe('/news', text.replace('Tuesday', 'Wednesday')).status; // 'changed'
 * kept.size; // 1
 * ```
 */
export class Deduplicator<I extends Id = Id> {
  /**
   * Iterates over the kept documents in the order of addition. Documents that are removed meanwhile are skipped. Expired ones appear
   * until a call with a time, such as `prune`, removes them. Added ones appear only if their id was kept before. O(size).
   *
   * @example
   * ```js
   * const kept = new Deduplicator().add('a', 'Good news').add('b', 'Bad news');
   * [...kept].map(({ id }) => id); // ['a', 'b']
   * ```
   */
  declare readonly [Symbol.iterator]: () => Generator<{ id: I; sketch: Sketch }, void, undefined>;

  /** See {@link Deduplicator.free}. */
  declare readonly [dispose]: () => void;

  #onEnd: ((id: I) => void) | undefined;
  /** The documents in the module. */
  #binding: Binding;
  #ids: IdTable<I> = new Ids<I>();
  /** The earliest time at which a document may expire, in milliseconds. */
  #nextExpiry = Infinity;
  /** Whether a document was kept provisionally. */
  #hasLeases = false;
  #key: Uint8Array | undefined;
  /** Makes the sketches of texts, from the first text on. */
  #sketcher: Sketcher | undefined;
  /** Whether the set has drawn a salt, or was read with documents. */
  #isSalted = false;

  constructor(options?: SketchOptions) {
    defineDispose(new.target.prototype);
    defineInspection<Deduplicator<I>>(new.target.prototype, 'scheme', 'size');
    defineMethod<Deduplicator<I>>(new.target.prototype, Symbol.iterator, function () {
      return this.#entries();
    });
    const choices = checkOptions(options, sketchOptions);
    this.#key = copyOfKey(choices);
    // The id has a check value of the key, which the module computes.
    const scheme = this.#key === undefined ? sketchSchemeId(choices) : sharedSketcher(choices).id;
    this.#binding = new (module().bindings.Deduplicator)(scheme);
  }

  /** Returns an empty set whose ids are numbers of 32 bits, which need no memory of their own. @internal */
  static numbered(options: SketchOptions): Deduplicator<number> {
    const set = new this<number>(options);
    set.#ids = new NumberedIds();
    return set;
  }

  /** Called with the id of each document that has ended and is removed. @internal */
  set onEnd(onEnd: (id: I) => void) {
    this.#onEnd = onEnd;
  }

  /** The id of the scheme, such as `'s1'`. */
  get scheme(): string {
    return this.#binding.scheme;
  }

  /** The number of kept documents that had not expired at the last call with a time. O(1). */
  get size(): number {
    return this.#binding.size;
  }

  /** WebAssembly memory of the documents, in bytes. O(size), but much faster than an iteration. */
  get bytes(): number {
    return this.#binding.bytes;
  }

  /** Removes expired documents, and draws the salt: not earlier, since random numbers are forbidden at the start of a Worker. */
  #prepare(now: number): void {
    this.#prune(now);
    if (this.#isSalted) return;
    this.#binding.salt = crypto.getRandomValues(new BigUint64Array(1))[0];
    this.#isSalted = true;
  }

  get #ownSketcher(): Sketcher {
    this.#sketcher ??= sharedSketcher({ scheme: this.scheme, key: this.#key });
    return this.#sketcher;
  }

  /**
   * Returns the kept documents that the text resembles, up to `limit`: the most similar first, ties in the order of
   * addition.
   *
   * A short text finds only equal documents. A query finds at most 32 documents. O(length of the text), and a search whose
   * work is bounded, whatever is kept: 13 look-ups, and at most 32 comparisons of sketches.
   *
   * @example
   * ```js
   * const kept = new Deduplicator().add('a', 'Good news').add('b', 'GOOD NEWS!');
   * kept.query('good news'); // [{ id: 'a', resemblance: 1 }]
   * kept.query('good news', { limit: 10 }).map(({ id }) => id); // ['a', 'b']
   * ```
   * @throws {@link ArgumentError}: `document` is not a text or a `Sketch` of the scheme with keys, or an option is wrong
   */
  query(document: Text | Sketch, options?: QueryOptions): Hit<I>[] {
    const {
      minResemblance,
      limit = 1,
      now,
      scope,
    } = checkOptions(options, ['minResemblance', 'limit', 'now', 'scope']);
    const min = minResemblance === 0 ? 0 : checkMinResemblance(minResemblance);
    const [most, time] = [checkLimit(limit), checkTime(now)];
    const sketch = this.#sketchOf(document, checkScope(scope));
    this.#prepare(time);
    const length = writeSketch(sketch);
    const count = this.#binding.query(length, min, time, most);
    const cells = exchange().floats(3 * count);
    return Array.from({ length: count }, (_, at) => this.#hit(cells, 3 * at));
  }

  /** The hit in three cells. */
  #hit(cells: Float64Array, at: number): Hit<I> {
    const hit = { id: this.#ids.idOf(cells[at]), resemblance: cells[at + 1] };
    return cells[at + 2] === 1 ? { ...hit, isProvisional: true } : hit;
  }

  /**
   * Decides what a document is, and keeps it if it is new or changed:
   *
   * 1. The id is kept with an equal document: `unchanged`.
   * 2. The id is kept with another document. If another kept document reaches the threshold and is more similar than the kept
   *    version: `duplicate`, and the kept version stays. Otherwise `changed`, however similar both versions are; the document
   *    replaces the kept version.
   * 3. The id is not kept. If a kept document reaches the threshold: `duplicate` of the most similar one (ties go to
   *    the one kept first). Otherwise `new`.
   *
   * Documents are equal if their folded words, accents and symbols are, in order: see {@link Sketch.equals}. Takes as long as
   * {@link Deduplicator.query}.
   *
   * @example
   * ```js
   * const kept = new Deduplicator();
   * kept.observe('a', 'Good news'); // { id: 'a', status: 'new' }
   * kept.observe('b', 'GOOD NEWS!'); // { id: 'b', status: 'duplicate', duplicateOf: 'a', resemblance: 1 }
   * kept.observe('a', 'good news', { expiresIn: 3600 }); // { id: 'a', status: 'unchanged' }
   * ```
   * @throws {@link ArgumentError}: the id is not a string or a safe integer, the document is not a text or a `Sketch` of the
   * scheme, or an option is wrong
   */
  observe(id: I, document: Text | Sketch, options?: ObserveOptions<I>): Observation<I> {
    checkId(id);
    return { id, ...this.#observer(options)(id, document, 'document') };
  }

  /** Checks options, and returns the function that observes with them, each document at its own time. */
  #observer(
    options: ObserveOptions<I> | undefined,
  ): (id: I, document: Text | Sketch, argument: string, scope?: string) => Outcome<I> {
    const given = checkOptions(options, observeOptions);
    const { textOf, now } = given;
    const rule = settingsOf(given);
    if (textOf === undefined) {
      return (id, document, argument, scope = rule.scope) => {
        rule.now = checkTime(now);
        if (!(document instanceof Sketch)) return this.observeText(id, checkText(document, argument), scope, rule);
        checkNoScope(scope, document, argument);
        return this.observeSketch(id, document, rule);
      };
    }
    checkFunction(textOf, 'textOf');
    const sketcher = this.#ownSketcher;
    return (id, document, argument, scope = rule.scope) => {
      rule.now = checkTime(now);
      const text = checkText(document, argument);
      const sketch = sketcher.sketch(text, { scope });
      return decideByText((exact) => this.observeStep(id, sketch, rule, exact), { text, scope }, sketcher, textOf);
    };
  }

  /**
   * Calls {@link Deduplicator.observe} for each document in order, so that earlier ones are kept, and returns the decisions.
   *
   * An error ends the call; the documents before it stay decided, and the call may be repeated.
   *
   * @example
   * ```js
   * const documents = [{ id: 'a', text: 'Good news' }, { id: 'b', text: 'GOOD NEWS!' }];
   * new Deduplicator().observeAll(documents).map(({ status }) => status); // ['new', 'duplicate']
   * ```
   */
  observeAll(documents: Iterable<IdentifiedDocument<I>>, options?: ObserveOptions<I>): Observation<I>[] {
    const observe = this.#observer(options);
    checkIterable(documents, 'documents', 'an iterable of { id, text } or { id, sketch }');
    const decisions: Observation<I>[] = [];
    for (const document of documents) {
      const argument = `documents[${decisions.length}]`;
      if (typeof document !== 'object' || document === null) {
        throw new ArgumentError(argument, '{ id, text } or { id, sketch }', document);
      }
      const { id, text, sketch, scope } = document;
      checkId(id, `${argument}.id`);
      if (scope !== undefined) checkScope(scope, `${argument}.scope`);
      const content =
        text === undefined && sketch !== undefined
          ? checkSketch(sketch, `${argument}.sketch`)
          : checkText(text, `${argument}.text`);
      decisions.push({ id, ...observe(id, content, argument, scope) });
    }
    return decisions;
  }

  /**
   * Returns the decision that {@link Deduplicator.observe} would make, and changes nothing: expired documents stay, but do not
   * count. More than 64 of them both before and after a kept document can hide it: call {@link Deduplicator.prune} first. A
   * document without an id is looked up by the id that {@link dedupe} derives from its sketch. Without an id and without
   * words, it is `new`. Takes as long as {@link Deduplicator.query}.
   *
   * @example
   * ```js
   * const kept = new Deduplicator().add('a', 'Good news');
   * kept.peek('b', 'GOOD NEWS!'); // { status: 'duplicate', duplicateOf: 'a', resemblance: 1 }
   * kept.peek('a', 'Bad news').status; // 'changed'
   * kept.peek(undefined, 'Bad news').status; // 'new'
   * kept.size; // 1
   * ```
   * @throws {@link ArgumentError}: the id is not a string, a safe integer or undefined, the document is not a text or a `Sketch`
   * of the scheme with keys, or an option is wrong
   */
  peek(id: I | undefined, document: Text | Sketch, options?: PeekOptions): Outcome<I> {
    if (id !== undefined) checkId(id);
    const { minResemblance, now, scope } = settingsOf(checkOptions(options, ['minResemblance', 'now', 'scope']));
    const sketch = this.#sketchOf(document, scope);
    const own = lastingId(id, sketch) as I | undefined;
    const length = writeSketch(sketch);
    this.#binding.peek(1, writeNumbers([this.#numberOf(own)], [length], length), minResemblance, now);
    return this.#outcomeIn(exchange().floats(ROW));
  }

  /**
   * Returns the decisions that {@link Deduplicator.peek} would make on a batch of documents, in one call of the module. An id is as
   * `lastingId` returns it. The rest is as for {@link Deduplicator.observeSketches}. @internal
   */
  peekSketches(
    ids: readonly (I | undefined)[],
    sketches: Uint8Array,
    ends: ArrayLike<number>,
    { minResemblance, now }: Pick<Rule, 'minResemblance' | 'now'>,
  ): Float64Array {
    const numbers = Uint32Array.from(ids, (id) => this.#numberOf(id));
    exchange().write(sketches);
    this.#binding.peek(ids.length, writeNumbers(numbers, ends, sketches.length), minResemblance, now);
    return copyRows(ids.length);
  }

  #numberOf(id: I | undefined): number {
    return (id === undefined ? undefined : this.#ids.numberOf(id)) ?? UNKNOWN;
  }

  /** Returns the sketch of a document, which it checks. */
  #sketchOf(document: Text | Sketch, scope: string): Sketch {
    if (!(document instanceof Sketch)) return this.#ownSketcher.sketch(checkText(document, 'document'), { scope });
    checkNoScope(scope, document, 'document');
    return document;
  }

  /** Observes a text by a rule whose times are in milliseconds, and which has no lease. @internal */
  observeText(id: I, text: Text, scope: string, rule: Rule): Outcome<I> {
    const sketcher = this.#ownSketcher;
    const { handle } = sketcher;
    this.#prepare(rule.now);
    if (text.length > PIECE) return this.#observeWritten(id, sketcher.write(text, scope), rule);
    const length = exchange().writePiece(text);
    const scopeLength = exchange().writeScope(length, scope);
    const { minResemblance, now, expiresIn } = rule;
    const cells = this.#decide(id, rule, (number) =>
      this.#binding.observeText(handle, number, length, textKind(text), scopeLength, minResemblance, now, expiresIn),
    );
    return this.#outcomeIn(cells);
  }

  /** Observes a sketch by a rule whose times are in milliseconds, and which may have a lease. @internal */
  observeSketch(id: I, document: Sketch, rule: Rule): Outcome<I> {
    this.#prepare(rule.now);
    return this.#observeWritten(id, writeSketch(document), rule);
  }

  /** Observes the sketch in the exchange, of `length` bytes. */
  #observeWritten(id: I, length: number, rule: Rule): Outcome<I> {
    const cells = this.#decide(id, rule, (number) =>
      this.#binding.observe(1, writeNumbers([number], [length], length), ...valuesOf(rule)),
    );
    return this.#outcomeIn(cells);
  }

  /**
   * Calls the module for a decision on an id. `call` receives the number of the id. Returns the row that it has written. An id that is
   * not kept has no number afterwards.
   */
  #decide(id: I, rule: Rule, call: (number: number) => void): Float64Array {
    const known = this.#ids.numberOf(id);
    const number = known ?? this.#ids.assign(id);
    let status = COMPARE;
    try {
      call(number);
      status = exchange().floats(ROW)[0];
    } finally {
      if (known === undefined && status >= DUPLICATE) this.#ids.remove(id);
    }
    if (status !== COMPARE) this.#noteExpiry(rule, status < DUPLICATE);
    return exchange().floats(ROW);
  }

  /** Notes the times at which documents may end that a call may have kept or renewed. */
  #noteExpiry({ now, expiresIn, lease }: Rule, isKept: boolean): void {
    this.#hasLeases ||= !Number.isNaN(lease);
    // A lease can end after the document expires.
    if (this.#hasLeases) this.#nextExpiry = this.#binding.nextExpiry;
    else if (isKept && now + expiresIn < this.#nextExpiry) this.#nextExpiry = now + expiresIn;
  }

  /** Returns the outcome of a row. */
  #outcomeIn(cells: Float64Array): Outcome<I> {
    const status = STATUSES[cells[0]];
    if (status === 'new' || status === 'unchanged') return { status };
    const { id: duplicateOf, ...similarity } = this.#hit(cells, 1);
    return status === 'changed' ? { status, ...similarity } : { status, duplicateOf, ...similarity };
  }

  /**
   * Observes a batch of documents in order, in one call of the module. `sketches` has their sketches in binary form, one after the
   * other, and `ends` the position at which each ends. The times of the rule are in milliseconds.
   *
   * Returns {@link ROW} cells for each document: its status, an index of {@link STATUSES}; the number of the original of a duplicate, see
   * {@link Deduplicator.idOf}; the resemblance; and 1 if the original is provisional. Cells that a decision does not
   * have are 0. An error leaves the documents before it decided. @internal
   */
  observeSketches(ids: ArrayLike<I>, sketches: Uint8Array, ends: ArrayLike<number>, rule: Rule): Float64Array {
    this.#prepare(rule.now);
    const count = ids.length;
    const numbers = new Uint32Array(count);
    const added: I[] = [];
    try {
      for (let at = 0; at < count; at++) {
        const known = this.#ids.numberOf(ids[at]);
        numbers[at] = known ?? this.#ids.assign(ids[at]);
        if (known === undefined) added.push(ids[at]);
      }
      exchange().write(sketches);
      this.#binding.observe(count, writeNumbers(numbers, ends, sketches.length), ...valuesOf(rule));
      return copyRows(count);
    } finally {
      // The module may have kept some of the documents before it throws.
      for (const id of added) if (!this.#binding.has(this.#ids.numberOf(id) as number)) this.#ids.remove(id);
      this.#nextExpiry = this.#binding.nextExpiry;
      this.#hasLeases ||= !Number.isNaN(rule.lease);
    }
  }

  /** Returns the id of the number of a kept document. @internal */
  idOf(number: number): I {
    return this.#ids.idOf(number);
  }

  /**
   * Observes a sketch by the exact resemblances of texts. As long as one more is needed, returns the document to compare with, and
   * changes nothing. The times of the rule, which has no lease, are in milliseconds. @internal
   */
  observeStep(
    id: I,
    { view }: Sketch,
    rule: Rule,
    exact: readonly (number | undefined)[],
  ): Outcome<I> | ComparisonRequest<I> {
    this.#prepare(rule.now);
    const to = exchange().input(view.length + 8 * exact.length);
    to.set(view);
    const values = new DataView(to.buffer, to.byteOffset + view.length);
    for (const [at, resemblance] of exact.entries()) values.setFloat64(8 * at, resemblance ?? Number.NaN, true);
    const { minResemblance, now, expiresIn } = rule;
    const cells = this.#decide(id, rule, (number) =>
      this.#binding.observeStep(number, view.length, exact.length, minResemblance, now, expiresIn),
    );
    if (cells[0] !== COMPARE) return this.#outcomeIn(cells);
    const [, , first, second] = exchange().cells(ROW);
    return { compare: this.#ids.idOf(cells[1]), hashes: [first, second] };
  }

  /**
   * Makes the provisional version of an id permanent, or discards it; with a sketch, only one that equals it. `now` is in
   * milliseconds. Returns whether there is one. @internal
   */
  settle(kind: 'confirm' | 'release', id: I, now: number, sketch?: Sketch): boolean {
    this.#prune(now);
    const number = this.#ids.numberOf(id);
    if (number === undefined) return false;
    const length = sketch === undefined ? 0 : writeSketch(sketch);
    const isSettled = this.#binding.settle(number, length, kind === 'confirm', now);
    if (!this.#binding.has(number)) this.#ids.remove(id);
    this.#nextExpiry = this.#binding.nextExpiry;
    return isSettled;
  }

  /**
   * Keeps a document, whatever it resembles. It replaces another document with this id, and becomes the last in the order of
   * addition. O(length of the text).
   *
   * @example
   * ```js
   * new Deduplicator().add('a', 'Good news').add(7, 'Good news').size; // 2
   * ```
   */
  add(id: I, document: Text | Sketch, options?: ExpiryOptions & TimeOptions & ScopeOptions): this {
    checkId(id);
    const { expiresIn, now, scope } = settingsOf(checkOptions(options, ['expiresIn', 'now', 'scope']));
    const sketch = this.#sketchOf(document, scope);
    this.#prepare(now);
    const length = writeSketch(sketch);
    this.#ids.add(id, (number) => this.#binding.add(number, length, now, expiresIn));
    if (now + expiresIn < this.#nextExpiry) this.#nextExpiry = now + expiresIn;
    return this;
  }

  /** The number of an id whose document is kept and has not expired. */
  #find(id: I, options: TimeOptions | undefined): number | undefined {
    this.#prune(checkTime(checkOptions(options, ['now']).now));
    const number = this.#ids.numberOf(checkId(id));
    return number !== undefined && this.#binding.has(number) ? number : undefined;
  }

  /** Returns whether a document with this id is kept and has not expired. O(log size). */
  has(id: I, options?: TimeOptions): boolean {
    return this.#find(id, options) !== undefined;
  }

  /**
   * Returns the sketch of a kept document that has not expired, without keys, or `undefined`. O(log size).
   *
   * @example
   * ```js
   * new Deduplicator().add('a', 'Good news').get('a').isShort; // true
   * ```
   */
  get(id: I, options?: TimeOptions): Sketch | undefined {
    const number = this.#find(id, options);
    const bytes = number === undefined ? undefined : this.#binding.get(number);
    return bytes && Sketch.of(bytes);
  }

  /** Returns the time at which a kept document expires, in seconds since 1970, or `undefined` if it does not. O(log size). */
  expires(id: I): number | undefined {
    const number = this.#ids.numberOf(checkId(id));
    const expires = number === undefined ? Infinity : this.#binding.expires(number);
    return expires === Infinity ? undefined : expires / 1000;
  }

  /** Removes a document. Returns whether it was kept and had not expired. O(log size), amortised. */
  delete(id: I, options?: TimeOptions): boolean {
    const number = this.#find(id, options);
    if (number === undefined) return false;
    this.#ids.remove(id);
    return this.#binding.delete(number);
  }

  /**
   * Removes expired documents, and returns their number. Other calls with a time do so too. Usually O(log size) for each.
   *
   * @example
   * ```js
   * const kept = new Deduplicator();
   * kept.observe('a', 'Good news', { expiresIn: 60, now: 1000 });
   * kept.prune({ now: 1059 }); // 0
   * kept.prune({ now: 1060 }); // 1
   * ```
   */
  prune(options?: TimeOptions): number {
    const { now } = checkOptions(options, ['now']);
    return this.#prune(checkTime(now));
  }

  /** Removes the documents that have expired at a time in milliseconds, and releases their ids. */
  #prune(now: number): number {
    if (now < this.#nextExpiry) return 0;
    const numbers = this.#binding.prune(now);
    for (const number of numbers) {
      const id = this.#ids.idOf(number);
      this.#ids.remove(id);
      this.#onEnd?.(id);
    }
    this.#nextExpiry = this.#binding.nextExpiry;
    // Memory ran out before all were listed. A later call would remove the rest in the module, but not their ids here.
    if (this.#nextExpiry <= now) throw outOfMemory('the ids of the expired documents');
    return numbers.length;
  }

  /** Removes all documents. */
  clear(): void {
    this.#binding.clear();
    this.#ids = new Ids<I>();
    this.#nextExpiry = Infinity;
  }

  *#entries(): Generator<{ id: I; sketch: Sketch }, void, undefined> {
    // The caller may delete documents during the iteration, and the number of a deleted string id may be reused.
    const ids = Array.from(this.#binding.ids(), (number) => this.#ids.idOf(number));
    for (const id of ids) {
      const number = this.#ids.numberOf(id);
      const bytes = number === undefined ? undefined : this.#binding.get(number);
      if (bytes !== undefined) yield { id, sketch: Sketch.of(bytes) };
    }
  }

  /**
   * Iterates over all pairs of kept documents that resemble each other, each pair once; the order depends on the documents
   * alone. Short texts are pairs if they are equal.
   *
   * Each document is compared with the first 32 and the previous 32 of each of its keys, and adds at most 128 pairs. The first pair
   * takes O(size). Documents that are removed or replaced during the iteration are skipped. Documents that expire meanwhile appear until
   * a call with a time removes them. Added ones do not appear, except in place of an equal document that was removed.
   *
   * @example
   * ```js
   * const kept = new Deduplicator().add('a', 'Good news').add('b', 'Bad news').add('c', 'GOOD NEWS!');
   * [...kept.pairs()]; // [{ a: 'a', b: 'c', resemblance: 1 }]
   * ```
   */
  pairs(options?: ThresholdOptions & TimeOptions): Iterable<Pair<I>> {
    const { minResemblance, now } = checkOptions(options, ['minResemblance', 'now']);
    settingsOf({ minResemblance, now });
    return { [Symbol.iterator]: () => this.#pairs(settingsOf({ minResemblance, now })) };
  }

  *#pairs({ minResemblance, now }: Settings): Generator<Pair<I>, void, undefined> {
    this.#prune(now);
    const pairs = this.#binding.pairs(minResemblance, now);
    try {
      // One pair at a time: the loop may change the set.
      while (this.#binding.nextPair(pairs)) {
        const [a, b, resemblance] = exchange().floats(3);
        yield { a: this.#ids.idOf(a), b: this.#ids.idOf(b), resemblance };
      }
    } finally {
      module().free(pairs);
    }
  }

  /**
   * Returns the clusters of two or more kept documents that resemble each other: the largest first, ties in the order of
   * their first documents in the iteration. Equal documents are always in one cluster.
   *
   * Thousands of versions of one text are one cluster. Every document of a pair is in a cluster. O(size log size).
   *
   * @example
   * ```js
   * const kept = new Deduplicator().add('a', 'Good news').add('b', 'Bad news').add('c', 'GOOD NEWS!');
   * kept.clusters(); // [{ representative: 'a', members: [{ id: 'a', resemblance: 1 }, { id: 'c', resemblance: 1 }] }]
   * ```
   */
  clusters(options?: LinkageOptions & TimeOptions): Cluster<I>[] {
    const given = checkOptions(options, ['linkage', 'minResemblance', 'now']);
    const [isStar, { minResemblance, now }] = [checkStar(given.linkage), settingsOf(given)];
    this.#prune(now);
    const size = 3 * this.#binding.clusters(isStar, minResemblance, now);
    const cells = exchange().floats(size);
    const clusters: Cluster<I>[] = [];
    for (let at = 0; at < size; at += 3) {
      const member = { id: this.#ids.idOf(cells[at]), resemblance: cells[at + 1] };
      if (cells[at + 2] === 1) clusters.push({ representative: member.id, members: [member] });
      else clusters[clusters.length - 1].members.push(member);
    }
    return clusters;
  }

  /**
   * Returns a snapshot: documents, expiry times, scheme, salt and a checksum. It is identical on every machine. The Rust crate
   * reads it, and writes the same bytes, if every id is a non-negative safe integer. O(size).
   */
  toBytes(): Uint8Array {
    return this.#binding.toBytes(...this.#ids.write(this.#binding.ids(), exchange()));
  }

  /**
   * Returns the deduplicator of a snapshot. O(size).
   *
   * A snapshot of a `NearIndex` is refused, because it has no sketches: read the documents again. A snapshot does not
   * contain the key of a keyed scheme: without the option `key`, the deduplicator accepts only sketches.
   *
   * @example
   * ```js
   * Deduplicator.fromBytes(new Deduplicator().add('a', 'Good news').toBytes()).has('a'); // true
   * ```
   * @throws {@link ArgumentError}: `bytes` is not a `Uint8Array`, or not a complete, unchanged snapshot
   */
  static fromBytes<I extends Id = Id>(bytes: Uint8Array, options?: KeyOptions): Deduplicator<I> {
    bytes = checkBytes(bytes);
    const { key } = checkOptions(options, ['key']);
    exchange().checkMemory(bytes.length, 'the snapshot');
    const binding = module().bindings.Deduplicator.fromBytes(bytes);
    try {
      const ids = Ids.read<I>(binding.size, exchange());
      const deduplicator = emptyDeduplicator<I>();
      module().free(deduplicator.#binding);
      deduplicator.#binding = binding;
      deduplicator.#ids = ids;
      deduplicator.#key = copyOfKey({ key });
      // Throws for a key of another scheme.
      if (key !== undefined) sharedSketcher({ scheme: binding.scheme, key });
      deduplicator.#nextExpiry = binding.nextExpiry;
      deduplicator.#isSalted = binding.size > 0;
      return deduplicator;
    } catch (error) {
      module().free(binding);
      throw error;
    }
  }

  /** Frees its WebAssembly memory now, instead of after garbage collection. Every later call of another method throws an `Error`. */
  free(): void {
    module().free(this.#binding);
  }
}

/** Copies the rows of `count` decisions, which a call has written. */
const copyRows = (count: number): Float64Array =>
  exchange()
    .floats(ROW * count)
    .slice(0, ROW * count);

/** The values of a rule, as the module takes them. */
const valuesOf = ({ minResemblance, now, expiresIn, lease }: Rule) => [minResemblance, now, expiresIn, lease] as const;

/**
 * Writes the numbers of documents and the ends of their sketches to the exchange, behind `length` bytes of sketches. Returns their
 * position.
 */
function writeNumbers(numbers: ArrayLike<number>, ends: ArrayLike<number>, length: number): number {
  const start = Math.ceil(length / 8);
  const halves = exchange().halves(start + numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    halves[2 * (start + at)] = numbers[at];
    halves[2 * (start + at) + 1] = ends[at];
  }
  return 8 * start;
}

// Outside the class, since the bundler renames a class whose body names it.
const emptyDeduplicator = <I extends Id>(): Deduplicator<I> => new Deduplicator<I>();
