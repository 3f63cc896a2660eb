// The deduplicator: a set of documents over time. This file checks arguments; document-set.ts passes them to the module.
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
import { defineInspection } from '../common/inspection.js';
import { copyOfKey, type KeyOptions } from '../common/key.js';
import type { Id, Text } from '../common/types.js';
import { type SketchOptions, sketchOptions, sketchSchemeId } from '../sketch/scheme.js';
import { checkNoScope, checkScope, type ScopeOptions } from '../sketch/scope.js';
import { checkSketch, Sketch } from '../sketch/sketch.js';
import { type Sketcher, sharedSketcher } from '../sketch/sketcher.js';
import type { Cluster, LinkageOptions, Pair } from './cluster.js';
import type { Hit, Observation, Outcome } from './decision.js';
import type {
  ExpiryOptions,
  ObserveOptions,
  PeekOptions,
  QueryOptions,
  ThresholdOptions,
  TimeOptions,
} from './decision-options.js';
import { checkMinResemblance, checkRule, checkTime } from './decision-options.js';
import type { IdentifiedDocument } from './document.js';
import { DocumentSet } from './document-set.js';
import { lastingId } from './lasting-id.js';
import { decideByText } from './verify.js';

const observeOptions = ['minResemblance', 'expiresIn', 'now', 'scope', 'textOf'] as const;

/** Returns the time of options that have no other property, in milliseconds. */
const timeOf = (options: TimeOptions | undefined): number => checkTime(checkOptions(options, ['now']).now);

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

  #documents: DocumentSet<I>;
  #key: Uint8Array | undefined;
  /** Makes the sketches of texts, from the first text on. */
  #sketcher: Sketcher | undefined;

  constructor(options?: SketchOptions) {
    defineDispose(new.target.prototype);
    defineInspection<Deduplicator<I>>(new.target.prototype, 'scheme', 'size');
    defineMethod<Deduplicator<I>>(new.target.prototype, Symbol.iterator, function () {
      return this.#documents.entries();
    });
    const choices = checkOptions(options, sketchOptions);
    this.#key = copyOfKey(choices);
    // The id has a check value of the key, which the module computes.
    const scheme = this.#key === undefined ? sketchSchemeId(choices) : sharedSketcher(choices).id;
    this.#documents = DocumentSet.empty(scheme);
  }

  /** The documents, for callers that have checked arguments. @internal */
  get documents(): DocumentSet<I> {
    return this.#documents;
  }

  /** The id of the scheme, such as `'s1'`. */
  get scheme(): string {
    return this.#documents.scheme;
  }

  /** The number of kept documents that had not expired at the last call with a time. O(1). */
  get size(): number {
    return this.#documents.size;
  }

  /** WebAssembly memory of the documents, in bytes. O(size), but much faster than an iteration. */
  get bytes(): number {
    return this.#documents.bytes;
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
    return this.#documents.query(sketch, min, time, most);
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
    const rule = checkRule(given);
    const ownScope = checkScope(given.scope);
    if (textOf === undefined) {
      return (id, document, argument, scope = ownScope) => {
        rule.now = checkTime(now);
        if (!(document instanceof Sketch)) {
          return this.#documents.observeText(this.#ownSketcher, id, checkText(document, argument), scope, rule);
        }
        checkNoScope(scope, document, argument);
        return this.#documents.observe(id, document, rule);
      };
    }
    checkFunction(textOf, 'textOf');
    const sketcher = this.#ownSketcher;
    return (id, document, argument, scope = ownScope) => {
      rule.now = checkTime(now);
      const text = checkText(document, argument);
      const sketch = sketcher.sketch(text, { scope });
      return decideByText(
        (exact) => this.#documents.observeStep(id, sketch, rule, exact),
        { text, scope },
        sketcher,
        textOf,
      );
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
    const given = checkOptions(options, ['minResemblance', 'now', 'scope']);
    const { minResemblance, now } = checkRule(given);
    const sketch = this.#sketchOf(document, checkScope(given.scope));
    const own = lastingId(id, sketch) as I | undefined;
    return this.#documents.peek(own, sketch, minResemblance, now);
  }

  /** Returns the sketch of a document, which it checks. */
  #sketchOf(document: Text | Sketch, scope: string): Sketch {
    if (!(document instanceof Sketch)) return this.#ownSketcher.sketch(checkText(document, 'document'), { scope });
    checkNoScope(scope, document, 'document');
    return document;
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
    const given = checkOptions(options, ['expiresIn', 'now', 'scope']);
    const { expiresIn, now } = checkRule(given);
    this.#documents.add(id, this.#sketchOf(document, checkScope(given.scope)), now, expiresIn);
    return this;
  }

  /** Returns whether a document with this id is kept and has not expired. O(log size). */
  has(id: I, options?: TimeOptions): boolean {
    return this.#documents.has(checkId(id), timeOf(options));
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
    return this.#documents.get(checkId(id), timeOf(options));
  }

  /** Returns the time at which a kept document expires, in seconds since 1970, or `undefined` if it does not. O(log size). */
  expires(id: I): number | undefined {
    const expires = this.#documents.expires(checkId(id));
    return expires === Infinity ? undefined : expires / 1000;
  }

  /** Removes a document. Returns whether it was kept and had not expired. O(log size), amortised. */
  delete(id: I, options?: TimeOptions): boolean {
    return this.#documents.delete(checkId(id), timeOf(options));
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
    return this.#documents.prune(timeOf(options));
  }

  /** Removes all documents. */
  clear(): void {
    this.#documents.clear();
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
    const min = checkMinResemblance(minResemblance);
    checkTime(now);
    return { [Symbol.iterator]: () => this.#documents.pairs(min, checkTime(now)) };
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
    const { linkage, minResemblance, now } = checkOptions(options, ['linkage', 'minResemblance', 'now']);
    return this.#documents.clusters(checkStar(linkage), checkMinResemblance(minResemblance), checkTime(now));
  }

  /**
   * Returns a snapshot: documents, expiry times, scheme, salt and a checksum. It is identical on every machine. The Rust crate
   * reads it, and writes the same bytes, if every id is a non-negative safe integer. O(size).
   */
  toBytes(): Uint8Array {
    return this.#documents.toBytes();
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
    const documents = DocumentSet.fromBytes<I>(bytes);
    try {
      const deduplicator = emptyDeduplicator<I>();
      deduplicator.free();
      deduplicator.#documents = documents;
      deduplicator.#key = copyOfKey({ key });
      // Throws for a key of another scheme.
      if (key !== undefined) sharedSketcher({ scheme: documents.scheme, key });
      return deduplicator;
    } catch (error) {
      documents.free();
      throw error;
    }
  }

  /** Frees its WebAssembly memory now, instead of after garbage collection. Every later call of another method throws an `Error`. */
  free(): void {
    this.#documents.free();
  }
}

// Outside the class, since the bundler renames a class whose body names it.
const emptyDeduplicator = <I extends Id>(): Deduplicator<I> => new Deduplicator<I>();
