// Deduplication of a stream of documents.
import { ArgumentError } from '../core/argument-error.js';
import {
  checkAnyIterable,
  checkBoolean,
  checkFunction,
  checkId,
  checkOptions,
  checkText,
  isBytes,
} from '../core/check.js';
import { checkDuration, checkMinResemblance, checkTime } from '../core/decision-options.js';
import { Deduplicator, type ExpiryOptions, type ThresholdOptions, type TimeOptions } from '../core/deduplicator.js';
import { sharedFingerprinter } from '../core/fingerprinter.js';
import { type SchemeOptions, schemeOptions } from '../core/scheme.js';
import { checkScope } from '../core/scope.js';
import { Sketch } from '../core/sketch.js';
import type { Id, Text } from '../core/types.js';
import type { Decision, Outcome } from './decision.js';
import { derivedId, idOfKey, keyOf } from './ids.js';
import { type Base, Overlay } from './overlay.js';
import { isKept } from './rule.js';
import type { DocumentStore } from './store.js';
import { isPromise, read, Verifier } from './verify.js';

/** The id that a document has by default: its field `id`. */
export type DefaultId<D> = D extends { readonly id: infer I extends Id } ? I : Id;

/** The type of the field `id` of a document. */
type FieldId<D> = D extends Text ? never : 'id' extends keyof D ? NonNullable<D['id' & keyof D]> : never;

/** Requires the option `id` if the field `id` of a document has another type than the ids of `against`. */
type IdOption<D, I extends Id> = [FieldId<D>] extends [I] ? unknown : { id: (document: D) => I | undefined };

/** The options that state how the documents of a source are read. */
export interface DocumentOptions<D = unknown, I extends Id = Id> {
  /**
   * Returns the id of a document, a string or a safe integer, or `undefined` if it has none. Default: its field `id`, if it
   * is an object. An id identifies a document over time. A document without an id is never `changed`: the `id` of its
   * decision is its position in the source, or if the document is added to `against`, an id derived from its sketch. That
   * id may not be of the type `I`.
   */
  id?: (document: D) => I | undefined;
  /** Returns the text of a document. Default: the document itself if it is a text, otherwise its field `text`. */
  text?: (document: D) => Text;
  /**
   * Returns the scope of a document: only documents of one scope can be near-duplicates. `undefined` and `''` stand for none.
   * Default: documents have no scope. See {@link ScopeOptions}.
   */
  scope?: (document: D) => string | undefined;
}

/** The options of {@link dedupe}. */
export interface DedupeOptions<D = unknown, I extends Id = Id>
  extends DocumentOptions<D, I>,
    SchemeOptions,
    ThresholdOptions,
    ExpiryOptions,
    TimeOptions {
  /**
   * Which of several near-duplicates is kept: `'first'` (default), `'longest'`, or the one for which the function returns
   * the largest number; ties go to the first. Unless it is `'first'`, decisions are yielded after the whole source is read,
   * still in its order, and memory holds all documents and their sketches. The length is in UTF-16 units or bytes.
   */
  keep?: 'first' | 'longest' | ((document: D) => number);
  /**
   * Earlier documents of the same scheme: a {@link Deduplicator}, or a store (`nearprint/store/sqlite` and others), which many
   * processes share and whose ids are strings. Documents are compared with them as well, and new and changed documents **are
   * added to them**.
   */
  against?: Deduplicator<I> | DocumentStore<I>;
  /** Whether new and changed documents are added to `against`. Default: true. */
  add?: boolean;
  /** Whether documents are compared with each other if `add` is false. Default: true. */
  within?: boolean;
  /**
   * With a store: keeps each new or changed document provisionally for this number of seconds. It becomes permanent when the
   * next decision is requested, and is discarded if the loop ends before that, so that a document whose handling fails is
   * new or changed again. Handle each document within this time. Default: documents are permanent at once.
   */
  lease?: number;
  /**
   * The same as for {@link Deduplicator.observe}, but it may return a promise. For a document without an id, it receives the
   * id of the decision. If it returns a promise, do not use `against` before the next decision. It cannot be combined with a
   * store: the guide to stores shows the alternative.
   */
  textOf?: (id: I) => Text | undefined | Promise<Text | undefined>;
}

const documentOptions = ['id', 'text', 'scope', 'keep', 'against', 'add', 'within', 'lease', 'textOf'] as const;
const ruleOptions = ['minResemblance', 'expiresIn', 'now'] as const;

/** A document that is read, with its position in the source. */
interface Item<D> {
  document: D;
  at: number;
  id: Id | undefined;
  content: Text | Sketch;
  /** '' for none. */
  scope: string;
}

type IdentifiedOutcome = { id: Id } & Outcome;

/** Decides on documents, in the order of the calls. */
interface Decider {
  /** The id and the outcome of a document. */
  decide(item: Item<unknown>): IdentifiedOutcome | Promise<IdentifiedOutcome>;
  /** Called when the document of the last decision has been handled. */
  confirm?(): Promise<void>;
  /** Called at the end, even if the loop ends early. */
  close?(): void | Promise<void>;
}

/** Checks the options of every decision. */
function settingsOf({ minResemblance, expiresIn, now, textOf, ...scheme }: Partial<DedupeOptions>) {
  checkDuration(expiresIn);
  checkTime(now);
  const fingerprinter = sharedFingerprinter(scheme);
  return {
    rule: { minResemblance: checkMinResemblance(minResemblance), expiresIn, now },
    fingerprinter,
    key: scheme.key,
    sketchOf: ({ content, scope }: Pick<Item<unknown>, 'content' | 'scope'>) =>
      content instanceof Sketch ? content : fingerprinter.sketch(content, { scope }),
    textOf: textOf === undefined ? undefined : checkFunction(textOf, 'textOf'),
  };
}

type Settings = ReturnType<typeof settingsOf>;

/** Returns the verifier by texts, if they are available. `idOf` returns the id of a key of the set. */
const verifierOf = ({ textOf, fingerprinter }: Settings, idOf: (key: Id) => Id): Verifier | undefined =>
  textOf && new Verifier(fingerprinter, (key) => textOf(idOf(key)));

/** Decides by a deduplicator, and adds to it: to `against`, or to a new one for this call. */
function decideIn(against: Deduplicator | undefined, settings: Settings): Decider {
  const { rule, fingerprinter, key, sketchOf } = settings;
  const kept = against ?? new Deduplicator({ scheme: fingerprinter.id, key });
  const idOf = against === undefined ? idOfKey : (key: Id) => key;
  const verifier = verifierOf(settings, idOf);
  return {
    decide(item) {
      const { id, at, content, scope } = item;
      // A deduplicator that was restored without its key accepts only sketches.
      const isSketched = scope !== '' || (against !== undefined && (id === undefined || settings.key !== undefined));
      const document = isSketched ? sketchOf(item) : content;
      const key = against === undefined ? keyOf(id, at) : (id ?? derivedId(document as Sketch));
      const finish = (outcome: Outcome) => {
        if (outcome.status === 'duplicate') outcome.duplicateOf = idOf(outcome.duplicateOf);
        return Object.assign(outcome, { id: idOf(key) });
      };
      if (verifier === undefined) return finish(kept.observe(key, document, rule));
      const verifiable = { sketch: sketchOf({ content: document, scope }), scope, text: () => content };
      const reading = verifier.observe(kept, key, verifiable, rule);
      const outcome = read(reading);
      return isPromise(outcome) ? outcome.then(finish) : finish(outcome);
    },
    close: () => (against === undefined ? kept.free() : undefined),
  };
}

/** Decides by a store, and adds to it. */
function decideInStore(store: DocumentStore, settings: Settings, lease: number | undefined): Decider {
  const { rule, sketchOf } = settings;
  const { minResemblance, expiresIn } = rule;
  /** The document that is kept provisionally. */
  let pending: { id: string; sketch: Sketch } | undefined;
  return {
    async decide(item) {
      const { id: given, at } = item;
      const sketch = sketchOf(item);
      const id = given === undefined ? derivedId(sketch) : checkStoreId(given, at);
      const [decision] = await store.observe([{ id, sketch }], { minResemblance, expiresIn, lease });
      if (lease !== undefined && isKept(decision)) pending = { id, sketch };
      return decision;
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

/** Decides by a set without changing it and, if `within`, by the documents of this call. */
function decideOver(base: Deduplicator | DocumentStore, settings: Settings, within: boolean): Decider {
  const { rule, sketchOf } = settings;
  const overlay = new Overlay(base as Base, undefined, rule.now);
  const overlayRule = {
    minResemblance: rule.minResemblance,
    keeps: within,
    verifier: verifierOf(settings, (id) => id),
  };
  return {
    async decide(item) {
      const { id, at, content, scope } = item;
      if (id !== undefined && !(base instanceof Deduplicator)) checkStoreId(id, at);
      const document = { key: keyOf(id, at), id, sketch: sketchOf(item), scope, text: () => content };
      return { id: id ?? at, ...(await overlay.observe(document, overlayRule)) };
    },
    close: () => overlay.free(),
  };
}

/** Checks the id of a document of the source, for a store. */
function checkStoreId(id: Id, at: number): string {
  if (typeof id === 'string') return id;
  throw new ArgumentError(`source[${at}].id`, 'a string, with a store', id);
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
function open<D, I extends Id>(options: Partial<DedupeOptions<D, I>>): { decider: Decider; settings: Settings } {
  const { id, text, scope, keep = 'first', against, add = true, within = true, lease, ...others } = options;
  const settings = settingsOf(others as Partial<DedupeOptions>);
  const { rule, fingerprinter, textOf } = settings;
  checkBoolean(add, 'add');
  checkBoolean(within, 'within');
  const set = against === undefined ? undefined : checkAgainst(against, fingerprinter.id.replace(/^v1:\d+/, 'v1:64'));
  if (set === undefined || set instanceof Deduplicator) {
    if (lease !== undefined) throw new ArgumentError('lease', 'left out unless against is a store', lease);
  } else {
    if (lease !== undefined && (keep !== 'first' || !add)) {
      throw new ArgumentError('lease', "left out unless keep is 'first' and add is true", lease);
    }
    if (rule.now !== undefined) throw new ArgumentError('now', 'left out if against is a store', rule.now);
    if (textOf !== undefined) throw new ArgumentError('textOf', 'left out if against is a store', textOf);
  }
  if (add && !within) throw new ArgumentError('within', 'true unless add is false', within);
  if (!add && set === undefined) throw new ArgumentError('add', 'true unless against is given', add);
  if (!add && set !== undefined) return { settings, decider: decideOver(set, settings, within) };
  if (set === undefined || set instanceof Deduplicator) return { settings, decider: decideIn(set, settings) };
  return { settings, decider: decideInStore(set, settings, lease) };
}

/** Reads the id, the text and the scope of a document. */
export function readerOf<D, I extends Id>({
  id,
  text,
  scope,
}: Partial<DocumentOptions<D, I>>): (document: D, at: number) => Item<D> {
  if (id !== undefined) checkFunction(id, 'id');
  if (text !== undefined) checkFunction(text, 'text');
  if (scope !== undefined) checkFunction(scope, 'scope');
  return (document, at) => {
    const isText = typeof document === 'string' || isBytes(document);
    if (!isText && text === undefined && (typeof document !== 'object' || document === null)) {
      throw new ArgumentError(`source[${at}]`, '{ id, text }, a string or a Uint8Array of UTF-8', document);
    }
    const fields = document as { id?: unknown; text?: unknown };
    const found = id === undefined ? (isText ? undefined : fields?.id) : id(document);
    return {
      document,
      at,
      id: found === undefined || found === null ? undefined : checkId(found as Id, `source[${at}].id`),
      content: checkText(text === undefined ? (isText ? document : fields.text) : text(document), `source[${at}].text`),
      scope: scope === undefined ? '' : checkScope(scope(document), `scope(source[${at}])`),
    };
  };
}

/** Returns the rank of a document, the largest first. */
function rankOf<D>(keep: DedupeOptions<D>['keep']): ((item: Item<D>) => number) | undefined {
  if (keep === undefined || keep === 'first') return undefined;
  if (keep === 'longest') return ({ content }) => (content as Text).length;
  if (typeof keep !== 'function') throw new ArgumentError('keep', "'first', 'longest' or a function", keep);
  return ({ document, at }) => {
    const rank: unknown = keep(document);
    if (typeof rank === 'number' && !Number.isNaN(rank)) return rank;
    throw new ArgumentError(`keep(source[${at}])`, 'a number', rank);
  };
}

/**
 * Yields a decision for each document, in the order of the source: whether it is new, unchanged, changed, or a
 * near-duplicate of a kept document. See {@link Deduplicator.observe} for the rule. The decision carries the caller's
 * document. With `keep: 'first'`, a decision is yielded as soon as its document has been read.
 *
 * A document whose id is known with another text is `changed`. Repeated ids are not an error. Empty texts are
 * near-duplicates of each other and of nothing else.
 *
 * The time grows little faster than the number of documents. A kept document takes as much memory as in a {@link Deduplicator}:
 * 140 bytes for each of a million, and its id.
 *
 * @example
 * ```js
 * for await (const { document, status } of dedupe(documents)) if (status === 'new') keep(document);
 * ```
 * @throws {@link ArgumentError} (by rejection of the next decision): an option or a document is wrong, or `against` has another
 * scheme
 */
export function dedupe<D extends Text | { readonly text: Text }, I extends Id = DefaultId<D>>(
  source: Iterable<D | PromiseLike<D>> | AsyncIterable<D>,
  options?: DedupeOptions<D, I> & IdOption<D, I>,
): AsyncGenerator<Decision<I, D>, void, undefined>;
export function dedupe<D, I extends Id = DefaultId<D>>(
  source: Iterable<D | PromiseLike<D>> | AsyncIterable<D>,
  options: DedupeOptions<D, I> & IdOption<D, I> & { text: (document: D) => Text },
): AsyncGenerator<Decision<I, D>, void, undefined>;
export async function* dedupe<D, I extends Id>(
  source: Iterable<D> | AsyncIterable<D>,
  options?: DedupeOptions<D, I>,
): AsyncGenerator<Decision<I, D>, void, undefined> {
  const given = checkOptions(options, [...ruleOptions, ...documentOptions, ...schemeOptions]);
  checkAnyIterable(source, 'source', 'an iterable or async iterable of documents');
  const readItem = readerOf(given);
  const rank = rankOf(given.keep as DedupeOptions<D>['keep']);
  const { decider, settings } = open(given);
  try {
    const decide = (item: Item<D>): Decision<I, D> | Promise<Decision<I, D>> => {
      const { document } = item;
      const finish = (outcome: IdentifiedOutcome) => Object.assign(outcome, { document }) as unknown as Decision<I, D>;
      const outcome = decider.decide(item);
      return isPromise(outcome) ? outcome.then(finish) : finish(outcome);
    };
    if (rank !== undefined) {
      const items: { item: Item<D>; rank: number }[] = [];
      for await (const document of source) {
        const item = readItem(document, items.length);
        items.push({ item, rank: rank(item) });
        // Without `textOf`, the sketch is sufficient from here on.
        if (settings.textOf === undefined) item.content = settings.sketchOf(item);
      }
      const decisions: Decision<I, D>[] = [];
      for (const { item } of items.sort((a, b) => b.rank - a.rank)) decisions[item.at] = await decide(item);
      return yield* decisions;
    }
    let at = 0;
    if (Symbol.asyncIterator in source) {
      for await (const document of source) {
        yield decide(readItem(document, at++));
        await decider.confirm?.();
      }
    } else {
      // Only promises are awaited, which saves a promise for each document.
      for (const document of source) {
        yield decide(readItem(isPromise(document) ? await document : document, at++));
        if (decider.confirm !== undefined) await decider.confirm();
      }
    }
  } finally {
    await decider.close?.();
  }
}
