// The option --index: documents of earlier runs in a set that is saved to a file. index-file.ts saves it.
import { isKept, type Outcome } from '../core/decision.js';
import { joinOutcomes } from '../decisions/join-outcomes.js';
import type { Deduplicator, Id, Sketch } from '../index.js';
import type { RuleOptions } from './decider.js';
import type { Document } from './document.js';
import { LastingDecider } from './lasting-decider.js';
import { type Original, withOriginal } from './original.js';
import type { References } from './references.js';

export class IndexDecider extends LastingDecider {
  readonly #own: Deduplicator;

  constructor(own: Deduplicator, references: References, rule: RuleOptions) {
    super(references, rule);
    this.#own = own;
  }

  async decide(documents: readonly Document[]): Promise<void> {
    // Those without a key are decided.
    const keyed = documents.filter((document) => {
      document.key = this.keyOf(document);
      return document.key !== undefined;
    });
    const keys = keyed.map(({ key }) => key as Id);
    const before = keys.map((key) => (this.unwritten.has(key) ? undefined : this.#versionOf(key)));
    try {
      for (const [at, outcome] of this.#decideAll(keys, keyed).entries()) {
        keyed[at].outcome = outcome;
        this.note(keyed[at], before[at]);
      }
    } catch (error) {
      // Some of the documents are kept without a line.
      for (const [at, key] of keys.entries())
        if (!this.unwritten.has(key)) this.unwritten.set(key, { last: keyed[at], before: before[at] });
      throw error;
    }
  }

  #decideAll(keys: readonly Id[], documents: readonly Document[]): Outcome<Original>[] {
    if (!this.references.isEmpty) return documents.map((document, at) => this.#decide(keys[at], document));
    return this.#observe(
      keys,
      documents.map(({ sketch }) => sketch),
    );
  }

  #observe(keys: readonly Id[], sketches: readonly Sketch[]): Outcome<Original>[] {
    const outcomes = this.#own.observeBatch(keys, sketches, this.rule);
    return outcomes.map((outcome) => withOriginal(outcome, this.originalOf));
  }

  /** Decides by the references, and then by the index. */
  #decide(key: Id, document: Document): Outcome<Original> {
    const { sketch } = document;
    const { minResemblance, expiresIn } = this.rule;
    const found = withOriginal(this.#own.peek(key, sketch, { minResemblance }), this.originalOf);
    const joined = joinOutcomes([...this.references.peek(document, minResemblance), found]);
    if (isKept(joined)) this.#own.add(key, sketch, { expiresIn });
    // Renews its expiry time.
    else if (joined.status === 'unchanged' && found.status === 'unchanged') this.#observe([key], [sketch]);
    return joined;
  }

  #versionOf(key: Id) {
    const sketch = this.#own.get(key);
    return { sketch, expires: sketch && this.#own.expires(key) };
  }

  async confirm(documents: readonly Document[]): Promise<void> {
    this.settle(documents);
  }

  async rollback(): Promise<void> {
    for (const [key, { before }] of this.unwritten) {
      if (before?.sketch === undefined) this.#own.delete(key);
      else if (this.#own.get(key)?.equals(before.sketch) !== true)
        this.#own.restore(key, before.sketch, before.expires);
    }
  }
}
