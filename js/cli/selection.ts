// Documents in the order in which they are decided: those of a batch, or of several by rank.
import type { Id, Sketch } from '../index.js';
import { Batch, Document } from './batch.js';
import { Decisions } from './decisions.js';

export class Selection {
  readonly count: number;
  readonly ids: readonly (Id | null)[];
  /** The binary forms of the sketches, one after the other, and the end of each. */
  readonly sketches: Uint8Array;
  readonly ends: Uint32Array;
  /** The batch whose documents these are, if they are all of its documents; otherwise the documents. */
  readonly #source: Batch | readonly Document[];

  private constructor(
    ids: readonly (Id | null)[],
    sketches: Uint8Array,
    ends: Uint32Array,
    source: Batch | readonly Document[],
  ) {
    this.count = ids.length;
    [this.ids, this.sketches, this.ends, this.#source] = [ids, sketches, ends, source];
  }

  /** Returns all documents of a batch, without copying the sketches. */
  static of(batch: Batch): Selection {
    return new Selection(batch.ids, batch.rows.sketches, batch.rows.sketchEnds(), batch);
  }

  /** Returns documents of any batches. */
  static gather(documents: readonly Document[]): Selection {
    const ends = new Uint32Array(documents.length);
    let size = 0;
    for (const [at, { batch, at: row }] of documents.entries()) {
      size += batch.rows.sketchEnd(row) - batch.rows.sketchStart(row);
      ends[at] = size;
    }
    const sketches = new Uint8Array(size);
    for (const [at, { batch, at: row }] of documents.entries()) {
      const [start, end] = [batch.rows.sketchStart(row), batch.rows.sketchEnd(row)];
      sketches.set(batch.rows.sketches.subarray(start, end), ends[at] - (end - start));
    }
    const ids = documents.map(({ id }) => id);
    return new Selection(ids, sketches, ends, documents);
  }

  /** Returns the documents at some positions of this selection. */
  pick(positions: readonly number[]): Selection {
    return Selection.gather(positions.map((at) => this.documentAt(at)));
  }

  /** Returns the sketches from position `from` to `to`, and the end of each in them. */
  range(from: number, to: number): { sketches: Uint8Array; ends: Uint32Array } {
    const start = from === 0 ? 0 : this.ends[from - 1];
    const ends = this.ends.subarray(from, to);
    return {
      sketches: this.sketches.subarray(start, ends.at(-1)),
      ends: start === 0 ? ends : ends.map((end) => end - start),
    };
  }

  batchAt(at: number): Batch {
    return this.#source instanceof Batch ? this.#source : this.#source[at].batch;
  }

  #rowAt(at: number): number {
    return this.#source instanceof Batch ? at : this.#source[at].at;
  }

  /** Returns the number of a document's line in its file. */
  numberAt(at: number): number {
    return this.batchAt(at).numberAt(this.#rowAt(at));
  }

  sketchAt(at: number): Sketch {
    return this.batchAt(at).sketchAt(this.#rowAt(at));
  }

  documentAt(at: number): Document {
    return this.#source instanceof Batch ? new Document(this.#source, at) : this.#source[at];
  }

  *[Symbol.iterator](): Generator<Document, void, undefined> {
    for (let at = 0; at < this.count; at++) yield this.documentAt(at);
  }

  /** Stores the decisions on these documents in their batches. */
  store(decisions: Decisions): void {
    if (this.#source instanceof Batch) {
      this.#source.decisions = decisions;
      return;
    }
    for (const [from, { batch, at }] of this.#source.entries()) {
      batch.decisions ??= new Decisions(batch.count);
      batch.decisions.copy(at, decisions, from);
    }
  }
}
