// The option --index: documents of earlier runs in a set that is saved to a file. index-file.ts saves it.
import type { Deduplicator, Id } from '../index.js';
import type { Document } from './batch.js';
import type { RuleOptions } from './batch-decider.js';
import type { Decisions } from './decisions.js';
import type { IndexFile } from './index-file.js';
import { LastingDecider } from './lasting-decider.js';
import { OwnSet } from './own-set.js';
import type { References } from './references.js';
import type { Selection } from './selection.js';

export class IndexDecider extends LastingDecider {
  readonly #file: IndexFile;
  readonly #own: OwnSet<Id>;
  /** The number of documents that the index may have without a line. */
  #unwritten = 0;

  constructor(index: Deduplicator, file: IndexFile, references: References, rule: RuleOptions) {
    super(references, rule);
    this.#file = file;
    this.#own = new OwnSet<Id>(index.documents, rule, this.originalOf);
  }

  get hasUnwritten(): boolean {
    return this.#unwritten > 0;
  }

  protected async decideKeyed(documents: Selection, decisions: Decisions): Promise<void> {
    // An error leaves some of the documents in the index.
    this.#unwritten += documents.count;
    const known = this.references.peek(documents, this.rule.minResemblance);
    this.#own.decide(documents, known, decisions);
    for (let at = 0; at < documents.count; at++) {
      this.note(documents, at, decisions);
      if (!decisions.isKept(at)) this.#unwritten--;
    }
  }

  async confirm(documents: Iterable<Document>): Promise<void> {
    const renews = this.rule.expiresIn !== undefined;
    const written: Document[] = [];
    for (const document of documents) {
      if (document.key === undefined) continue;
      if (document.isKept) this.#unwritten--;
      if (document.isKept || (renews && document.outcome?.status === 'unchanged')) written.push(document);
    }
    this.#file.written.add(written);
  }

  async rollback(): Promise<void> {
    if (this.hasUnwritten) this.#file.rollback(this.rule.expiresIn);
  }
}
