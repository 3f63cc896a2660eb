// Decides on documents of one run. Two documents are two documents: their ids are names, and are compared with the ids of
// references alone.
import { isKept, type Outcome } from '../core/decision.js';
import { joinOutcomes } from '../decisions/join-outcomes.js';
import type { Deduplicator, Id } from '../index.js';
import type { Decider, RuleOptions } from './decider.js';
import { type Document, type OpenFile, placeIn } from './document.js';
import { type Original, withOriginal } from './original.js';
import type { References } from './references.js';

/** The names of documents by their positions: 0, 1, 2 and so on in the order of the decisions. */
class Positions {
  readonly #ids: (Id | null)[] = [];
  readonly #files: OpenFile[] = [];
  readonly #numbers: number[] = [];
  readonly #originals = new Map<number, Original>();

  /** The position of the next document. */
  get next(): number {
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
  /** The kept documents of the run by their positions; undefined if documents are compared with the references alone. */
  readonly #own: Deduplicator<number> | undefined;
  readonly #positions = new Positions();

  constructor(own: Deduplicator<number> | undefined, references: References, rule: RuleOptions) {
    [this.rule, this.#references, this.#own] = [rule, references, own];
  }

  async decide(documents: readonly Document[]): Promise<void> {
    const first = this.#positions.next;
    for (const document of documents) this.#positions.push(document);
    const outcomes = this.#decideAll(documents, first);
    for (const [at, document] of documents.entries()) {
      document.outcome = outcomes[at];
      if (isKept(outcomes[at])) document.key = first + at;
    }
  }

  #decideAll(documents: readonly Document[], first: number): Outcome<Original>[] {
    if (this.#own === undefined) return documents.map((document) => joinOutcomes(this.#known(document)));
    if (!this.#references.isEmpty) return documents.map((document, at) => this.#decide(first + at, document));
    const sketches = documents.map(({ sketch }) => sketch);
    const keys = Array.from(sketches, (_, at) => first + at);
    return this.#own.observeBatch(keys, sketches, this.rule).map((outcome) => this.#named(outcome));
  }

  /** Decides by the references, and then by the earlier documents of the run. */
  #decide(key: number, document: Document): Outcome<Original> {
    const { sketch } = document;
    const own = this.#own as Deduplicator<number>;
    const found = this.#named(own.peek(key, sketch, { minResemblance: this.rule.minResemblance }));
    const joined = joinOutcomes([...this.#known(document), found]);
    if (isKept(joined)) own.add(key, sketch);
    return joined;
  }

  #known(document: Document): Outcome<Original>[] {
    return this.#references.peek(document, this.rule.minResemblance);
  }

  #named(outcome: Outcome<number>): Outcome<Original> {
    return withOriginal(outcome, this.#positions.originalOf);
  }

  async confirm(): Promise<void> {}

  async rollback(): Promise<void> {}
}
