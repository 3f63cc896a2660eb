// Decides on the documents of a run. run-decider.ts does so without a set that outlives the run, index-decider.ts with an
// index, and store-decider.ts with a store. The rule is in src/dedupe/rule.rs.

import type { Document } from './batch.js';
import type { Decisions } from './decisions.js';
import type { Output } from './output.js';
import type { Selection } from './selection.js';

export interface RuleOptions {
  minResemblance: number;
  /** The number of seconds after which documents expire. */
  expiresIn: number | undefined;
}

/** Decides on documents, in the order of the calls. */
export interface BatchDecider {
  readonly rule: RuleOptions;
  /** Whether an id identifies a document, so that another text under it is a version. Otherwise its position does. */
  readonly hasIdentities: boolean;
  /** Whether the set has documents whose lines are not written. */
  readonly hasUnwritten: boolean;
  decide(documents: Selection): Promise<Decisions>;
  /** Makes documents permanent in the set, after their lines are written to the outputs. */
  confirm(documents: Iterable<Document>, outputs: readonly Output[]): Promise<void>;
  /** Undoes, at the end of the run, the changes of the set by documents whose lines are not written. */
  rollback(): Promise<void>;
}
