// Decisions on documents: a row of numbers for each. Objects are made of rows when they are needed.
import type { Outcome } from '../dedupe/decision.js';
import { ROW, STATUSES } from '../dedupe/decision-rows.js';
import type { Id } from '../index.js';
import type { Original } from './original.js';

type Status = Outcome['status'];

const NUMBERS = Object.fromEntries(STATUSES.map((status, at) => [status, at])) as Readonly<Record<Status, number>>;
const [NEW, CHANGED, DUPLICATE] = [NUMBERS.new, NUMBERS.changed, NUMBERS.duplicate];

/** In place of the status of a document that is not decided. */
const UNDECIDED = -1;

export class Decisions {
  /** The keys of the documents in the set of kept documents; undefined for a document that is not kept under a key. */
  readonly keys: (Id | undefined)[];
  /** {@link ROW} cells for each document, as a set returns them. The cell of the original is not used. */
  readonly #rows: Float64Array;
  /** The originals of duplicates. */
  readonly #originals: (Original | undefined)[];

  /** All documents are undecided. */
  constructor(count: number) {
    this.keys = new Array(count).fill(undefined);
    this.#originals = new Array(count).fill(undefined);
    this.#rows = new Float64Array(ROW * count);
    for (let at = 0; at < count; at++) this.#rows[ROW * at] = UNDECIDED;
  }

  get count(): number {
    return this.keys.length;
  }

  /** Sets decisions from position `from` on to rows of a set. `originalOf` returns the original of a number in them. */
  setRows(from: number, rows: Float64Array, originalOf: (number: number) => Original): void {
    this.#rows.set(rows, ROW * from);
    for (let at = 0; at < rows.length; at += ROW) {
      if (rows[at] === DUPLICATE) this.#originals[from + at / ROW] = originalOf(rows[at + 1]);
    }
  }

  setOutcome(at: number, outcome: Outcome<Original>): void {
    const { resemblance = 0 } = 'resemblance' in outcome ? outcome : {};
    this.#rows.set([NUMBERS[outcome.status], 0, resemblance, 0], ROW * at);
    if (outcome.status === 'duplicate') this.#originals[at] = outcome.duplicateOf;
  }

  /** Sets a decision to the decision at position `from` of others. */
  copy(at: number, others: Decisions, from: number): void {
    this.#rows.set(others.#rows.subarray(ROW * from, ROW * (from + 1)), ROW * at);
    this.keys[at] = others.keys[from];
    this.#originals[at] = others.#originals[from];
  }

  isDecided(at: number): boolean {
    return this.#rows[ROW * at] !== UNDECIDED;
  }

  /** Returns whether a document is kept: new or changed. */
  isKept(at: number): boolean {
    const status = this.#rows[ROW * at];
    return status === NEW || status === CHANGED;
  }

  /** Yields the keys of kept documents. */
  *keptKeys(): Generator<Id, void, undefined> {
    for (const [at, key] of this.keys.entries()) if (key !== undefined && this.isKept(at)) yield key;
  }

  /** Returns the status of a decided document. */
  statusAt(at: number): Status {
    return STATUSES[this.#rows[ROW * at]];
  }

  /** Returns the resemblance to the original of a duplicate, or to the version that a changed document replaces. */
  resemblanceAt(at: number): number {
    return this.#rows[ROW * at + 2];
  }

  /** Returns the original of a duplicate. */
  originalAt(at: number): Original | undefined {
    return this.#originals[at];
  }

  outcomeAt(at: number): Outcome<Original> | undefined {
    if (!this.isDecided(at)) return undefined;
    const [status, original] = [this.statusAt(at), this.#originals[at]];
    const resemblance = this.resemblanceAt(at);
    if (original !== undefined) return { status: 'duplicate', duplicateOf: original, resemblance };
    return status === 'changed' ? { status, resemblance } : { status: status as 'new' | 'unchanged' };
  }
}
