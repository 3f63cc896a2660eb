// Clusters of the documents of a source.
import { checkAnyIterable, checkOptions, checkStar } from '../core/check.js';
import { checkMinResemblance } from '../core/decision-options.js';
import { type Cluster, type ClusterMember, Deduplicator, type LinkageOptions } from '../core/deduplicator.js';
import { type SchemeOptions, schemeOptions } from '../core/scheme.js';
import type { Id, Text } from '../core/types.js';
import { type DefaultId, type DocumentOptions, readerOf } from './dedupe.js';

/** The options of {@link clusters}. */
export interface ClustersOptions<D = unknown, I extends Id = Id>
  extends DocumentOptions<D, I>,
    LinkageOptions,
    SchemeOptions {}

/** A document of a cluster of {@link clusters}. */
export interface DocumentMember<I extends Id = Id, D = unknown> extends ClusterMember<I> {
  document: D;
}

/** A cluster of {@link clusters}. */
export type DocumentCluster<I extends Id = Id, D = unknown> = Cluster<I, DocumentMember<I, D>>;

const ownOptions = ['id', 'text', 'scope', 'linkage', 'minResemblance'] as const;

/**
 * Resolves to the clusters of two or more documents that resemble each other: the largest first, ties in the order of their
 * first documents. Every document of the source counts, even if its id has occurred before. A document without an id has its
 * position as id. See {@link Deduplicator.clusters}.
 *
 * Memory holds all documents, and about 250 bytes for each.
 *
 * @example
 * ```js
 * for (const { representative, members } of await clusters(documents)) console.log(representative, members.length);
 * ```
 * @throws {@link ArgumentError} (by rejection): an option or a document is wrong
 */
export function clusters<D extends Text | { readonly text: Text }, I extends Id = DefaultId<D>>(
  source: Iterable<D | PromiseLike<D>> | AsyncIterable<D>,
  options?: ClustersOptions<D, I>,
): Promise<DocumentCluster<I, D>[]>;
export function clusters<D, I extends Id = DefaultId<D>>(
  source: Iterable<D | PromiseLike<D>> | AsyncIterable<D>,
  options: ClustersOptions<D, I> & { text: (document: D) => Text },
): Promise<DocumentCluster<I, D>[]>;
export async function clusters<D, I extends Id>(
  source: Iterable<D | PromiseLike<D>> | AsyncIterable<D>,
  options?: ClustersOptions<D, I>,
): Promise<DocumentCluster<I, D>[]> {
  const { id, text, scope, linkage, minResemblance, ...scheme } = checkOptions(options, [
    ...ownOptions,
    ...schemeOptions,
  ]);
  checkAnyIterable(source, 'source', 'an iterable or async iterable of documents');
  checkStar(linkage);
  checkMinResemblance(minResemblance);
  const read = readerOf<D, I>({ id, text, scope });
  // The ids in the set are positions.
  const kept = new Deduplicator<number>(scheme);
  try {
    const documents: { id: I; document: D }[] = [];
    for await (const document of source) {
      const { at, id, content, scope } = read(document, documents.length);
      kept.add(at, content, { scope });
      documents.push({ id: (id ?? at) as I, document });
    }
    return inOrder(kept.clusters({ linkage, minResemblance })).map(({ representative, members }) => ({
      representative: documents[representative].id,
      members: members.map(({ id: at, resemblance }) => ({ ...documents[at], resemblance })),
    }));
  } finally {
    kept.free();
  }
}

/** Sorts clusters of positions: the largest first, ties by their first positions. */
export function inOrder(clusters: readonly Cluster<number>[]): Cluster<number>[] {
  const firstOf = ({ members }: Cluster<number>): number => Math.min(members[0].id, members[1].id);
  return clusters.toSorted((a, b) => b.members.length - a.members.length || firstOf(a) - firstOf(b));
}
