// The option --index: documents of earlier runs in a set that is saved to a file. index-file.ts saves it.
import type { Deduplicator, Id } from '../index.js';
import type { Document } from './batch.js';
import type { RuleOptions } from './batch-decider.js';
import type { Decisions } from './decisions.js';
import { LastingDecider } from './lasting-decider.js';
import { OwnSet } from './own-set.js';
import type { References } from './references.js';
import type { Selection } from './selection.js';

export class IndexDecider extends LastingDecider {
  readonly #own: Deduplicator;
  readonly #decider: OwnSet<Id>;

  constructor(own: Deduplicator, references: References, rule: RuleOptions) {
    super(references, rule);
    this.#own = own;
    this.#decider = new OwnSet<Id>(own, rule, this.originalOf);
  }

  protected async decideKeyed(documents: Selection, decisions: Decisions): Promise<void> {
    const keys = decisions.keys as Id[];
    const before = keys.map((key) => (this.unwritten.has(key) ? undefined : this.#versionOf(key)));
    try {
      const known = this.references.peek(documents, this.rule.minResemblance);
      this.#decider.decide(documents, known, decisions);
      for (let at = 0; at < documents.count; at++) this.note(documents, at, decisions, before[at]);
    } catch (error) {
      // Some of the documents are kept without a line.
      for (const [at, key] of keys.entries())
        if (!this.unwritten.has(key)) this.noteUnwritten(key, documents.documentAt(at), before[at]);
      throw error;
    }
  }

  #versionOf(key: Id) {
    const sketch = this.#own.get(key);
    return { sketch, expires: sketch && this.#own.expires(key) };
  }

  async confirm(documents: Iterable<Document>): Promise<void> {
    for (const _ of this.settle(documents));
  }

  async rollback(): Promise<void> {
    for (const [key, { before }] of this.unwritten) {
      if (before?.sketch === undefined) this.#own.delete(key);
      else if (this.#own.get(key)?.equals(before.sketch) !== true)
        this.#own.restore(key, before.sketch, before.expires);
    }
  }
}
