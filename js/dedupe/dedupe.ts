// Deduplication of a stream of documents.
import { ArgumentError } from '../common/argument-error.js';
import { checkAnyIterable, checkBoolean, checkFunction, checkOptions } from '../common/check.js';
import type { Id, Text } from '../common/types.js';
import { type SketchOptions, sketchOptions } from '../sketch/scheme.js';
import type { Sketch } from '../sketch/sketch.js';
import { sharedSketcher } from '../sketch/sketcher.js';
import { type Decision, isKept, type Outcome } from './decision.js';
import type { ExpiryOptions, ThresholdOptions, TimeOptions } from './decision-options.js';
import { checkDuration, checkMinResemblance, checkTime, type Rule } from './decision-options.js';
import { Deduplicator } from './deduplicator.js';
import { ADVICE_AGAINST_FORGERY as ADVICE, type DocumentStore } from './document-store.js';
import { joinOutcomes } from './join-outcomes.js';
import { DocumentsById, DocumentsByPosition, type Named } from './kept-documents.js';
import { lastingId } from './lasting-id.js';
import { type DefaultId, type DocumentOptions, readerOf, type SourceArguments, type SourceDocument } from './source.js';
import { decideByPromisedText, isPromise } from './verify.js';

/** Refuses `against` if the ids of the documents are of another type. */
type AgainstIds<I, A extends Id> = [NonNullable<I>] extends [A]
  ? unknown
  : Id extends I
    ? unknown
    : { against?: undefined };

/** The options of {@link dedupe}. */
export interface DedupeOptions<D = unknown, I extends Id | undefined = Id | undefined, A extends Id = Id>
  extends DocumentOptions<D, I>,
    SketchOptions,
    ThresholdOptions,
    ExpiryOptions,
    TimeOptions {
  /**
   * Which of several near-duplicates is kept: `'first'` (default), `'longest'`, or the one for which the function returns
   * the largest number; ties go to the first. Unless it is `'first'`, decisions are yielded after the whole source is read,
   * still in its order, and memory holds all documents and their sketches. The length is in UTF-16 units or bytes.
   */
  keep?: (('first' | 'longest' | ((document: D) => number)) | undefined) | undefined;
  /**
   * Earlier documents of the same scheme: a {@link Deduplicator}, or a store (`nearprint/store/sqlite` and others), which many
   * processes share and whose ids are strings. Documents are compared with them as well, and new and changed documents **are
   * added to them**; one without an id under an id that is derived from its sketch, so that a repeated run finds it. One without
   * an id and without words is `new` each time, and is not added.
   *
   * With it, ids identify documents over time: a document whose id is known with another text is `changed`. Default: each
   * document of the source is a document of its own, `new` or a `duplicate`, and ids are only names.
   */
  against?: Deduplicator<A> | DocumentStore<A> | undefined;
  /**
   * Whether new and changed documents are added to `against`. Default: true. If it is false, each document is compared with
   * `against` by its id and its text, and then with the earlier documents of this call by its text alone. `against` does not change, so
   * an earlier version in it still counts.
   */
  add?: boolean | undefined;
  /**
   * With a store: keeps each new or changed document provisionally for this number of seconds. It becomes permanent when the
   * next decision is requested, and is discarded if the loop ends before that, so that a document whose handling fails is
   * new or changed again. Handle each document within this time. Default: documents are permanent at once.
   */
  lease?: number | undefined;
  /**
   * The same as for {@link Deduplicator.observe}, but it may return a promise, and receives the position of a document of this
   * call, whose id may be undefined. Not with a store, and not with `add: false`. If it returns a promise, do not use `against`
   * before the next decision.
   */
  textOf?:
    | ((id: I | NoInfer<A>, position: number | undefined) => Text | undefined | PromiseLike<Text | undefined>)
    | undefined;
}

const documentOptions = ['id', 'text', 'scope', 'keep', 'against', 'add', 'lease', 'textOf'] as const;
const ruleOptions = ['minResemblance', 'expiresIn', 'now'] as const;

/** A document of the source, and its sketch once it is needed. */
type Item<D> = SourceDocument<D> & { sketch?: Sketch };

/** A value, or a promise of one if it has to be awaited: a promise for each document would take time. */
type MaybePromise<T> = T | Promise<T>;

/** Decides on documents, in the order of the calls. */
interface Decider {
  decide<D>(item: Item<D>): MaybePromise<Decision<Id | undefined, D>>;
  /** Called when the document of the last decision has been handled. */
  confirm?(): Promise<void>;
  /** Called at the end, even if the loop ends early. */
  close?(): void | Promise<void>;
}

/** Checks the options of every decision. */
function settingsOf({ textOf, minResemblance, expiresIn, now, ...scheme }: DedupeOptions) {
  const rule: Rule = {
    minResemblance: checkMinResemblance(minResemblance),
    expiresIn: checkDuration(expiresIn),
    now: checkTime(now),
    lease: Number.NaN,
  };
  if (textOf !== undefined) checkFunction(textOf, 'textOf');
  const sketcher = sharedSketcher(scheme);
  return {
    minResemblance: rule.minResemblance,
    expiresIn,
    now,
    /** Returns the rule for a decision now. Valid until the next call. */
    ruleNow(): Rule {
      rule.now = checkTime(now);
      return rule;
    },
    sketcher,
    key: scheme.key,
    textOf,
    sketchOf(item: Item<unknown>): Sketch {
      item.sketch ??= sketcher.sketch(item.text, { scope: item.scope });
      return item.sketch;
    },
  };
}

type Settings = ReturnType<typeof settingsOf>;

/** Returns the decision on a document with an outcome. */
function decisionOf<D>({ id, position, document }: Item<D>, outcome: Outcome<Named>): Decision<Id | undefined, D> {
  const { status } = outcome;
  if (status === 'new' || status === 'unchanged') return { id, position, document, status };
  if (status === 'changed') return { id, position, document, ...outcome };
  const { duplicateOf: original, ...similarity } = outcome;
  if (typeof original !== 'object') return { id, position, document, ...similarity, duplicateOf: original };
  const { id: duplicateOf, position: duplicatePosition } = original;
  return { id, position, document, ...similarity, duplicateOf, duplicatePosition };
}

/** Calls `work` with a value once it is known. */
const whenKnown = <T, R>(value: MaybePromise<T>, work: (value: T) => R): MaybePromise<R> =>
  isPromise(value) ? value.then(work) : work(value);

/** Returns the function that observes documents by a set in memory, by their texts if `textOf` is given. */
function observerOf<K extends Id>(
  set: Deduplicator<K>,
  nameOf: (key: K) => Named,
  { ruleNow, sketchOf, textOf, sketcher, key }: Settings,
): (own: K, item: Item<unknown>) => MaybePromise<Outcome<K>> {
  if (textOf === undefined) {
    // A deduplicator that was restored without its key accepts only sketches.
    return (own, item) =>
      item.sketch === undefined && key === undefined
        ? set.observeText(own, item.text, item.scope, ruleNow())
        : set.observeSketch(own, sketchOf(item), ruleNow());
  }
  const textOfKey = (key: K) => {
    const named = nameOf(key);
    return typeof named === 'object' ? textOf(named.id, named.position) : textOf(named, undefined);
  };
  return (own, item) => {
    const [sketch, rule] = [sketchOf(item), ruleNow()];
    return decideByPromisedText((exact) => set.observeStep(own, sketch, rule, exact), item, sketcher, textOfKey);
  };
}

/** Decides by the earlier documents of this call, which are known by their positions. */
function decideByPosition(settings: Settings): Decider {
  const { sketcher, key } = settings;
  const set = Deduplicator.numbered({ scheme: sketcher.id, key });
  const documents = new DocumentsByPosition();
  const observe = observerOf(set, (position) => documents.documentAt(position), settings);
  return {
    decide(item) {
      return whenKnown(observe(item.position, item), (outcome) => {
        if (isKept(outcome)) documents.add(item);
        return decisionOf(item, documents.named(outcome));
      });
    },
    close: () => set.free(),
  };
}

/** Decides by a deduplicator, and adds to it. */
function decideIn(set: Deduplicator, settings: Settings): Decider {
  const { sketchOf } = settings;
  const documents = new DocumentsById((key) => set.has(key, { now: 0 }));
  const observe = observerOf(set, (key) => documents.nameOf(key), settings);
  return {
    decide(item) {
      const key = item.id ?? lastingId(undefined, sketchOf(item));
      if (key === undefined) return decisionOf(item, { status: 'new' });
      return whenKnown(observe(key, item), (outcome) => {
        documents.note(key, item, outcome);
        return decisionOf(item, documents.named(outcome));
      });
    },
  };
}

/** Decides by a set that does not change, and by the earlier documents of this call, which are known by their positions. */
function decideWithoutAdding(reference: Deduplicator | DocumentStore, settings: Settings): Decider {
  const { minResemblance, now, sketchOf } = settings;
  const set = Deduplicator.numbered({ scheme: reference.scheme });
  const documents = new DocumentsByPosition();
  const peek = ({ id, position }: Item<unknown>, sketch: Sketch): MaybePromise<Outcome> => {
    if (reference instanceof Deduplicator) return reference.peek(id, sketch, { minResemblance, now });
    const document = { id: checkStringId(id, position), sketch };
    return reference.peek([document], { minResemblance }).then(([outcome]) => outcome);
  };
  return {
    decide(item) {
      const sketch = sketchOf(item);
      return whenKnown(peek(item, sketch), (outcome) => {
        const own = documents.named(set.peek(item.position, sketch, { minResemblance }));
        const joined = joinOutcomes<Named>([outcome, own]);
        if (isKept(joined)) {
          set.add(item.position, sketch);
          documents.add(item);
        }
        return decisionOf(item, joined);
      });
    },
    close: () => set.free(),
  };
}

/** Decides by a store, and adds to it. */
function decideInStore(store: DocumentStore, settings: Settings, lease: number | undefined): Decider {
  const { minResemblance, expiresIn, sketchOf } = settings;
  const documents = new DocumentsById();
  const options = { minResemblance, expiresIn, lease };
  /** The document that is kept provisionally. */
  let pending: { id: string; sketch: Sketch } | undefined;
  return {
    async decide(item) {
      const sketch = sketchOf(item);
      const id = lastingId(checkStringId(item.id, item.position), sketch);
      if (id === undefined) return decisionOf(item, { status: 'new' });
      const [outcome] = await store.observe([{ id, sketch }], options);
      documents.note(id, item, outcome);
      if (lease !== undefined && isKept(outcome)) pending = { id, sketch };
      return decisionOf(item, documents.named(outcome));
    },
    async confirm() {
      if (pending === undefined) return;
      await store.confirm([pending]);
      pending = undefined;
    },
    async close() {
      if (pending !== undefined) await store.release([pending]);
    },
  };
}

/** Checks the id of a document of the source, for a store. */
function checkStringId(id: Id | undefined, position: number): string | undefined {
  if (id === undefined || typeof id === 'string') return id;
  throw new ArgumentError(`source[${position}].id`, 'a string, with a store', id);
}

const isStore = (value: unknown): value is DocumentStore => {
  const { observe, confirm } = value as Partial<DocumentStore>;
  return typeof observe === 'function' && typeof confirm === 'function';
};

/** Checks `against`, which must be of the scheme. */
function checkAgainst(against: unknown, scheme: string): Deduplicator | DocumentStore {
  if (typeof against !== 'object' || against === null || !(against instanceof Deduplicator || isStore(against))) {
    throw new ArgumentError('against', 'a Deduplicator or a store', against);
  }
  if (against.scheme !== scheme) throw new ArgumentError('against', `of the scheme ${scheme}`, against.scheme);
  return against;
}

/** Checks options, and returns the decider for them. */
function open({
  keep = 'first',
  against,
  add = true,
  lease,
  id,
  text,
  scope,
  ...others
}: DedupeOptions): Decider & Pick<Settings, 'sketchOf' | 'textOf'> {
  const settings = settingsOf(others);
  const { sketcher, sketchOf, textOf, expiresIn, now } = settings;
  checkBoolean(add, 'add');
  const refuse = (argument: string, requirement: string, value: unknown) => {
    if (value !== undefined) throw new ArgumentError(argument, `left out ${requirement}`, value);
  };
  const parts = { sketchOf, textOf };
  if (against === undefined) {
    if (!add) throw new ArgumentError('add', 'true unless against is given', add);
    refuse('lease', 'unless against is a store', lease);
    for (const [name, value] of Object.entries({ expiresIn, now }))
      refuse(name, 'unless against is given (against: new Deduplicator())', value);
    return { ...parts, ...decideByPosition(settings) };
  }
  const set = checkAgainst(against, sketcher.id);
  if (!add) {
    refuse('textOf', `if add is false: estimates decide ${ADVICE}`, textOf);
    refuse('expiresIn', 'if add is false', expiresIn);
  }
  if (set instanceof Deduplicator) {
    refuse('lease', 'unless against is a store', lease);
    return { ...parts, ...(add ? decideIn(set, settings) : decideWithoutAdding(set, settings)) };
  }
  if (keep !== 'first' || !add) refuse('lease', "unless keep is 'first' and add is true", lease);
  refuse('now', 'if against is a store', now);
  refuse('textOf', `with a store: estimates decide ${ADVICE}`, textOf);
  return { ...parts, ...(add ? decideInStore(set, settings, lease) : decideWithoutAdding(set, settings)) };
}

/** Returns the rank of a document, the largest first. */
function rankOf<D>(keep: DedupeOptions<D>['keep']): ((item: Item<D>) => number) | undefined {
  if (keep === undefined || keep === 'first') return undefined;
  if (keep === 'longest') return ({ text }) => text.length;
  if (typeof keep !== 'function') throw new ArgumentError('keep', "'first', 'longest' or a function", keep);
  return ({ document, position }) => {
    const rank: unknown = keep(document);
    if (typeof rank === 'number' && !Number.isNaN(rank)) return rank;
    throw new ArgumentError(`keep(source[${position}])`, 'a number', rank);
  };
}

/**
 * Yields a decision for each document, in the order of the source: whether it is new, unchanged, changed, or a
 * near-duplicate of a kept document. See {@link Deduplicator.observe} for the rule. The decision carries the caller's
 * document. With `keep: 'first'`, a decision is yielded as soon as its document has been read.
 *
 * Repeated ids are not an error: two documents of the source are two documents, unless `against` gives ids a meaning over time. A
 * text without words and symbols resembles nothing, and is `new`.
 *
 * The time grows little faster than the number of documents. A kept document takes as much memory as in a {@link Deduplicator},
 * 140 bytes for each of a million, and its id and its position about 150; without `against`, 8 bytes in addition to the id.
 *
 * @example
 * ```js
 * for await (const { document, status } of dedupe(documents)) if (status === 'new') keep(document);
 * ```
 * @throws {@link ArgumentError} (by rejection of the next decision): an option or a document is wrong, or `against` has another
 * scheme
 */
export function dedupe<D, I extends Id | undefined = DefaultId<D>, A extends Id = never>(
  source: Iterable<D | PromiseLike<D>> | AsyncIterable<D>,
  ...options: SourceArguments<D, DedupeOptions<D, I, A> & AgainstIds<I, A>>
): AsyncGenerator<Decision<I, D, A>, void, undefined>;
export async function* dedupe<D>(
  source: Iterable<D> | AsyncIterable<D>,
  options?: DedupeOptions<D>,
): AsyncGenerator<Decision<Id | undefined, D>, void, undefined> {
  const given = checkOptions(options, [...ruleOptions, ...documentOptions, ...sketchOptions]);
  checkAnyIterable(source, 'source', 'an iterable or async iterable of documents');
  const readItem: (document: D, position: number) => Item<D> = readerOf(given);
  const rank = rankOf(given.keep);
  const decider = open(given as DedupeOptions);
  try {
    if (rank !== undefined) {
      const items: { item: Item<D>; rank: number }[] = [];
      for await (const document of source) {
        const item = readItem(document, items.length);
        items.push({ item, rank: rank(item) });
        if (decider.textOf !== undefined) continue;
        decider.sketchOf(item);
        item.text = '';
      }
      const decisions: Decision<Id | undefined, D>[] = [];
      for (const { item } of items.sort((a, b) => b.rank - a.rank))
        decisions[item.position] = await decider.decide(item);
      return yield* decisions;
    }
    let position = 0;
    if (Symbol.asyncIterator in source) {
      for await (const document of source) {
        yield decider.decide(readItem(document, position++));
        await decider.confirm?.();
      }
    } else {
      // Only promises are awaited, which saves a promise for each document.
      for (const document of source) {
        yield decider.decide(readItem(isPromise(document) ? await document : document, position++));
        if (decider.confirm !== undefined) await decider.confirm();
      }
    }
  } finally {
    await decider.close?.();
  }
}
