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

/** Returns the part that has a position: the last one that begins there or before. */
function partAt<Part extends { first: number }>(parts: readonly Part[], position: number): Part {
  let [from, to] = [0, parts.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (parts[middle].first <= position) from = middle;
    else to = middle;
  }
  return parts[from];
}

/** The names of documents by their positions: 0, 1, 2 and so on in the order of the decisions. */
class Positions {
  /** Documents that were decided together. One array of all, which grows, would take twice the memory. */
  readonly #parts: { first: number; ids: readonly (Id | null)[]; numbers: Uint32Array }[] = [];
  /** The files, each with the position of its first document; a file may occur several times. */
  readonly #files: { first: number; file: OpenFile }[] = [];
  readonly #originals = new Map<number, Original>();
  /** The position of the next document. */
  next = 0;

  push(documents: Selection): void {
    const { count, ids } = documents;
    const numbers = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      numbers[at] = documents.numberAt(at);
      const { file } = documents.batchAt(at);
      if (this.#files.at(-1)?.file !== file) this.#files.push({ first: this.next + at, file });
    }
    this.#parts.push({ first: this.next, ids, numbers });
    this.next += count;
  }

  readonly originalOf = (position: number): Original => {
    const known = this.#originals.get(position);
    if (known !== undefined) return known;
    const { first, ids, numbers } = partAt(this.#parts, position);
    const { file } = partAt(this.#files, position);
    const place = placeIn(file, numbers[position - first]);
    const original = { key: position, name: ids[position - first] ?? place, place };
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
