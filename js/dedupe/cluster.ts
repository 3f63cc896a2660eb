// Pairs and clusters of kept documents.
import type { Id } from '../common/types.js';
import type { ThresholdOptions } from './decision-options.js';

/** Two kept documents that resemble each other. */
export interface Pair<I extends Id = Id> {
  /** The document that was kept first. */
  a: I;
  /** The other document. */
  b: I;
  /** The estimated resemblance, from 0 to 1. See {@link resemblance}. */
  resemblance: number;
}

/** The rule by which documents form clusters. */
export interface LinkageOptions extends ThresholdOptions {
  /**
   * - `'star'` (default): every member resembles its representative. Documents are processed in descending order of the number
   *   of documents that they resemble, ties in the order of addition. A document without a cluster is compared with the
   *   representatives of the documents that it resembles, and joins the most similar one that it resembles too. If there is none, it
   *   becomes a representative, and the documents without a cluster that it resembles join it.
   * - `'single'`: two documents that are compared and resemble each other are always in the same cluster. Clusters can be long
   *   chains. The representative resembles the most documents.
   */
  linkage?: 'star' | 'single' | undefined;
}

/** A document of a cluster. */
export interface ClusterMember<I extends Id = Id> {
  /** The id of the document. */
  id: I;
  /** The estimated resemblance to the representative. See {@link resemblance}. */
  resemblance: number;
}

/** Two or more documents that resemble their representative. */
export interface Cluster<I extends Id = Id, Member extends ClusterMember<I> = ClusterMember<I>> {
  /** The id of the document that stands for the cluster. */
  representative: I;
  /** The representative first, then the others in the order of addition. */
  members: Member[];
}
