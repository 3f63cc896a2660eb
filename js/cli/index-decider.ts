// The option --index: documents of earlier runs in a set that is saved to a file. index-file.ts saves it.
import { isKept, type Outcome } from '../core/decision.js';
import { joinOutcomes } from '../decisions/join-outcomes.js';
import type { Deduplicator, Id } from '../index.js';
import type { RuleOptions } from './decider.js';
import type { Document } from './document.js';
import { LastingDecider } from './lasting-decider.js';
import { type Original, withOriginal } from './original.js';
import type { References } from './references.js';

export class IndexDecider extends LastingDecider {
  readonly #own: Deduplicator;
  readonly #observe: ReturnType<Deduplicator['observer']>;

  constructor(own: Deduplicator, references: References, rule: RuleOptions) {
    super(references, rule);
    this.#own = own;
    this.#observe = own.observer(rule);
  }

  async decide(documents: readonly Document[]): Promise<void> {
    for (const document of documents) {
      const key = this.keyOf(document);
      if (key === undefined) continue;
      const before = this.unwritten.has(key) ? undefined : this.#versionOf(key);
      document.key = key;
      document.outcome = this.#decide(key, document);
      this.note(document, before);
    }
  }

  #decide(key: Id, document: Document): Outcome<Original> {
    const { sketch } = document;
    const { minResemblance, expiresIn } = this.rule;
    const known = this.references.peek(document, minResemblance);
    const observe = () => withOriginal<Id>(this.#observe(key, sketch, 'sketch'), this.originalOf);
    if (known.every(({ status }) => status === 'new')) return observe();
    const own = withOriginal(this.#own.peek(key, sketch, { minResemblance }), this.originalOf);
    const joined = joinOutcomes([...known, own]);
    if (isKept(joined)) this.#own.add(key, sketch, { expiresIn });
    // Renews its expiry time.
    else if (joined.status === 'unchanged' && own.status === 'unchanged') observe();
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
      else this.#own.restore(key, before.sketch, before.expires);
    }
  }
}
