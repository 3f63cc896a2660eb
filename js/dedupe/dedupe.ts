// Deduplication of a stream of documents. open-decider.ts chooses what decides on them.
import { ArgumentError } from '../common/argument-error.js';
import { checkAnyIterable, checkOptions } from '../common/check.js';
import type { Id } from '../common/types.js';
import { sketchOptions } from '../sketch/scheme.js';
import { type Item, settingsOf } from './decider.js';
import type { Decision } from './decision.js';
import type { AgainstIds, DedupeOptions } from './dedupe-options.js';
import { openDecider } from './open-decider.js';
import { type DefaultId, readerOf, type SourceArguments } from './source.js';
import { isPromise } from './verify.js';

const documentOptions = ['id', 'text', 'scope', 'keep', 'against', 'add', 'lease', 'textOf'] as const;
const ruleOptions = ['minResemblance', 'expiresIn', 'now'] as const;

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
  const settings = settingsOf(given as DedupeOptions);
  const decider = openDecider(given as DedupeOptions, settings);
  try {
    if (rank !== undefined) {
      const items: { item: Item<D>; rank: number }[] = [];
      for await (const document of source) {
        const item = readItem(document, items.length);
        items.push({ item, rank: rank(item) });
        // Only `textOf` needs the text again.
        if (settings.textOf !== undefined) continue;
        settings.sketchOf(item);
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
