// Clusters of the documents of a source.
import { checkAnyIterable, checkOptions, checkStar } from '../common/check.js';
import type { Id } from '../common/types.js';
import { type SketchOptions, sketchOptions } from '../sketch/scheme.js';
import type { Cluster, LinkageOptions } from './cluster.js';
import type { Positioned } from './decision.js';
import { checkMinResemblance } from './decision-options.js';
import { Deduplicator } from './deduplicator.js';
import { type DefaultId, type DocumentOptions, readerOf, type SourceArguments } from './source.js';

/** The options of {@link clusters}. */
export interface ClusterOptions<D = unknown, I extends Id | undefined = Id | undefined>
  extends DocumentOptions<D, I>,
    LinkageOptions,
    SketchOptions {}

/** A document of a cluster of {@link clusters}. */
export interface DocumentMember<I extends Id | undefined = Id | undefined, D = unknown> extends Positioned<I, D> {
  /** The estimated resemblance to the representative. See {@link resemblance}. */
  resemblance: number;
}

/** A cluster of {@link clusters}. */
export interface DocumentCluster<I extends Id | undefined = Id | undefined, D = unknown> {
  /** The id of the document that stands for the cluster: of the first member. */
  representative: I;
  /** The representative first, then the others in the order of the source. */
  members: DocumentMember<I, D>[];
}

const ownOptions = ['id', 'text', 'scope', 'linkage', 'minResemblance'] as const;

/**
 * Resolves to the clusters of two or more documents that resemble each other: the largest first, ties in the order of their
 * first documents. Every document of the source counts, even if its id has occurred before. See {@link Deduplicator.clusters}.
 *
 * Memory holds all documents, and about 250 bytes for each.
 *
 * @example
 * ```js
 * for (const { representative, members } of await clusters(documents)) console.log(representative, members.length);
 * ```
 * @throws {@link ArgumentError} (by rejection): an option or a document is wrong
 */
export function clusters<D, I extends Id | undefined = DefaultId<D>>(
  source: Iterable<D | PromiseLike<D>> | AsyncIterable<D>,
  ...options: SourceArguments<D, ClusterOptions<D, I>>
): Promise<DocumentCluster<I, D>[]>;
export async function clusters<D>(
  source: Iterable<D | PromiseLike<D>> | AsyncIterable<D>,
  options?: ClusterOptions<D>,
): Promise<DocumentCluster<Id | undefined, D>[]> {
  const { id, text, scope, linkage, minResemblance, ...scheme } = checkOptions(options, [
    ...ownOptions,
    ...sketchOptions,
  ]);
  checkAnyIterable(source, 'source', 'an iterable or async iterable of documents');
  checkStar(linkage);
  checkMinResemblance(minResemblance);
  const read = readerOf<D>({ id, text, scope });
  // The ids in the set are positions.
  const kept = new Deduplicator<number>(scheme);
  try {
    const documents: Omit<DocumentMember<Id | undefined, D>, 'resemblance'>[] = [];
    for await (const document of source) {
      const { id, position, text, scope } = read(document, documents.length);
      kept.add(position, text, { scope });
      documents.push({ id, position, document });
    }
    return sortClusters(kept.clusters({ linkage, minResemblance })).map(({ representative, members }) => ({
      representative: documents[representative].id,
      members: members.map(({ id: position, resemblance }) => ({ ...documents[position], resemblance })),
    }));
  } finally {
    kept.free();
  }
}

/** Sorts clusters of positions: the largest first, ties by their first positions. */
export function sortClusters(clusters: readonly Cluster<number>[]): Cluster<number>[] {
  const firstOf = ({ members }: Cluster<number>): number => Math.min(members[0].id, members[1].id);
  return clusters.toSorted((a, b) => b.members.length - a.members.length || firstOf(a) - firstOf(b));
}
