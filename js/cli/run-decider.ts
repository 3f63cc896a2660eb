// Decides on documents of one run. Two documents are two documents: their ids are names, and are compared with the ids of
// references alone.
import type { Deduplicator, Id } from '../index.js';
import type { BatchDecider, RuleOptions } from './batch-decider.js';
import { Decisions } from './decisions.js';
import { type OpenFile, placeIn } from './input-file.js';
import type { Original } from './original.js';
import { OwnSet } from './own-set.js';
import type { References } from './references.js';
import type { Selection } from './selection.js';

/** The names of documents by their positions: 0, 1, 2 and so on in the order of the decisions. */
class Positions {
  readonly #ids: (Id | null)[] = [];
  readonly #numbers: number[] = [];
  /** The files, each with the position of its first document; a file may occur several times. */
  readonly #files: { first: number; file: OpenFile }[] = [];
  readonly #originals = new Map<number, Original>();

  /** The position of the next document. */
  get next(): number {
    return this.#ids.length;
  }

  push(documents: Selection): void {
    for (let at = 0; at < documents.count; at++) {
      const { file } = documents.batchAt(at);
      if (this.#files.at(-1)?.file !== file) this.#files.push({ first: this.next, file });
      this.#ids.push(documents.ids[at]);
      this.#numbers.push(documents.numberAt(at));
    }
  }

  #fileOf(position: number): OpenFile {
    let [from, to] = [0, this.#files.length];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (this.#files[middle].first <= position) from = middle;
      else to = middle;
    }
    return this.#files[from].file;
  }

  readonly originalOf = (position: number): Original => {
    const known = this.#originals.get(position);
    if (known !== undefined) return known;
    const place = placeIn(this.#fileOf(position), this.#numbers[position]);
    const original = { key: position, name: this.#ids[position] ?? place, place };
    this.#originals.set(position, original);
    return original;
  };
}

export class RunDecider implements BatchDecider {
  readonly rule: RuleOptions;
  readonly hasIdentities = false;
  readonly hasUnwritten = false;
  readonly #references: References;
  /** The kept documents of the run by their positions; undefined if documents are compared with the references alone. */
  readonly #own: OwnSet<number> | undefined;
  readonly #positions = new Positions();

  constructor(own: Deduplicator<number> | undefined, references: References, rule: RuleOptions) {
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
