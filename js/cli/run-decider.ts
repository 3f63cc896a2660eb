// Decides on documents of one run. Two documents are two documents: their ids are names, and are compared with the ids of
// references alone.
import { isKept, type Outcome } from '../core/decision.js';
import { joinOutcomes } from '../decisions/join-outcomes.js';
import type { Deduplicator, Id } from '../index.js';
import type { Decider, RuleOptions } from './decider.js';
import { type Document, type OpenFile, placeIn } from './document.js';
import { type Original, withOriginal } from './original.js';
import type { References } from './references.js';

/** The names of the kept documents, by their numbers: 0, 1, 2 and so on. */
class KeptDocuments {
  readonly #ids: (Id | null)[] = [];
  readonly #files: OpenFile[] = [];
  readonly #numbers: number[] = [];
  readonly #originals = new Map<number, Original>();

  get size(): number {
    return this.#ids.length;
  }

  push({ id, batch, number }: Document): void {
    this.#ids.push(id);
    this.#files.push(batch.file);
    this.#numbers.push(number);
  }

  readonly originalOf = (key: number): Original => {
    const known = this.#originals.get(key);
    if (known !== undefined) return known;
    const place = placeIn(this.#files[key], this.#numbers[key]);
    const original = { key, name: this.#ids[key] ?? place, place };
    this.#originals.set(key, original);
    return original;
  };
}

export class RunDecider implements Decider {
  readonly rule: RuleOptions;
  readonly hasIdentities = false;
  readonly hasUnwritten = false;
  readonly #references: References;
  /** The kept documents of the run by their numbers; undefined if documents are compared with the references alone. */
  readonly #own: Deduplicator<number> | undefined;
  readonly #observe: ReturnType<Deduplicator<number>['observer']> | undefined;
  readonly #kept = new KeptDocuments();

  constructor(own: Deduplicator<number> | undefined, references: References, rule: RuleOptions) {
    [this.rule, this.#references, this.#own] = [rule, references, own];
    this.#observe = own?.observer(rule);
  }

  async decide(documents: readonly Document[]): Promise<void> {
    for (const document of documents) {
      const key = this.#kept.size;
      document.outcome = this.#decide(key, document);
      if (!isKept(document.outcome)) continue;
      document.key = key;
      this.#kept.push(document);
    }
  }

  #decide(key: number, document: Document): Outcome<Original> {
    const { sketch } = document;
    const { minResemblance } = this.rule;
    const known = this.#references.peek(document, minResemblance);
    if (this.#own === undefined || this.#observe === undefined) return joinOutcomes(known);
    const { originalOf } = this.#kept;
    if (known.every(({ status }) => status === 'new'))
      return withOriginal<number>(this.#observe(key, sketch, 'sketch'), originalOf);
    const joined = joinOutcomes([...known, withOriginal(this.#own.peek(key, sketch, { minResemblance }), originalOf)]);
    if (isKept(joined)) this.#own.add(key, sketch);
    return joined;
  }

  async confirm(): Promise<void> {}

  async rollback(): Promise<void> {}
}
