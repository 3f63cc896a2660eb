// Decides on documents of one run. Two documents are two documents: their ids are names, and are compared with the ids of
// references alone.
import type { DocumentSet } from '../dedupe/document-set.js';
import type { BatchDecider, RuleOptions } from './batch-decider.js';
import { Decisions } from './decisions.js';
import { OwnSet } from './own-set.js';
import { Positions } from './positions.js';
import type { References } from './references.js';
import type { Selection } from './selection.js';

export class RunDecider implements BatchDecider {
  readonly rule: RuleOptions;
  readonly hasIdentities = false;
  readonly hasUnwritten = false;
  readonly #references: References;
  /** The kept documents of the run by their positions; undefined if documents are compared with the references alone. */
  readonly #own: OwnSet<number> | undefined;
  readonly #positions = new Positions();

  constructor(own: DocumentSet<number> | undefined, references: References, rule: RuleOptions) {
    [this.rule, this.#references] = [rule, references];
    this.#own = own && new OwnSet(own, rule, this.#positions.originalOf);
  }

  async decide(documents: Selection): Promise<Decisions> {
    const decisions = new Decisions(documents.count);
    for (let at = 0; at < documents.count; at++) decisions.keys[at] = this.#positions.next + at;
    this.#positions.push(documents);
    const known = this.#references.peek(documents, this.rule.minResemblance);
    if (this.#own !== undefined) this.#own.decide(documents, known, decisions);
    else for (const [at, outcome = { status: 'new' } as const] of known.entries()) decisions.setOutcome(at, outcome);
    return decisions;
  }

  async confirm(): Promise<void> {}

  async rollback(): Promise<void> {}
}
