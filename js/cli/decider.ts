// Decides on the documents of a run. run-decider.ts does so without a set that outlives the run, index-decider.ts with an
// index, and store-decider.ts with a store. The rule is in src/dedupe/decide.rs.
import { isKept } from '../core/decision.js';
import type { Document } from './document.js';
import type { Output } from './output.js';

export interface RuleOptions {
  minResemblance: number;
  /** The number of seconds after which documents expire. */
  expiresIn: number | undefined;
}

export const isDocumentKept = ({ outcome }: Document): boolean => outcome !== undefined && isKept(outcome);

/** Decides on documents, in the order of the calls. */
export interface Decider {
  readonly rule: RuleOptions;
  /** Whether an id identifies a document, so that another text under it is a version. Otherwise its position does. */
  readonly hasIdentities: boolean;
  /** Whether the set has documents whose lines are not written. */
  readonly hasUnwritten: boolean;
  /** Sets `key` and `outcome` of documents. */
  decide(documents: readonly Document[]): Promise<void>;
  /** Makes documents permanent in the set, after their lines are written to the outputs. */
  confirm(documents: readonly Document[], outputs: readonly Output[]): Promise<void>;
  /** Undoes, at the end of the run, the changes of the set by documents whose lines are not written. */
  rollback(): Promise<void>;
}
