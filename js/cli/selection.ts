// Documents in the order in which they are decided: those of a batch, or of several by rank.
import type { Id, Sketch } from '../index.js';
import { type Batch, Document } from './batch.js';
import { Decisions } from './decisions.js';

export class Selection {
  readonly count: number;
  readonly ids: readonly (Id | null)[];
  /** The binary forms of the sketches, one after the other, and the end of each. */
  readonly sketches: Uint8Array;
  readonly ends: Uint32Array;
  readonly #batchOf: (at: number) => Batch;
  readonly #rowOf: (at: number) => number;
  /** The batch whose documents these are, if they are all of its documents. */
  #whole: Batch | undefined;

  private constructor(
    [ids, sketches, ends]: readonly [readonly (Id | null)[], Uint8Array, Uint32Array],
    batchOf: (at: number) => Batch,
    rowOf: (at: number) => number,
  ) {
    this.count = ids.length;
    [this.ids, this.sketches, this.ends] = [ids, sketches, ends];
    [this.#batchOf, this.#rowOf] = [batchOf, rowOf];
  }

  /** Returns all documents of a batch, without copying the sketches. */
  static of(batch: Batch): Selection {
    const selection = new Selection(
      [batch.ids, batch.rows.sketches, batch.rows.sketchEnds()],
      () => batch,
      (at) => at,
    );
    selection.#whole = batch;
    return selection;
  }

  /** Returns documents of any batches. */
  static gather(count: number, batchOf: (at: number) => Batch, rowOf: (at: number) => number): Selection {
    const ids: (Id | null)[] = [];
    const ends = new Uint32Array(count);
    let size = 0;
    for (let at = 0; at < count; at++) {
      const [{ rows, ids: own }, row] = [batchOf(at), rowOf(at)];
      ids.push(own[row]);
      size += rows.sketchEnd(row) - rows.sketchStart(row);
      ends[at] = size;
    }
    const sketches = new Uint8Array(size);
    for (let at = 0; at < count; at++) {
      const [{ rows }, row] = [batchOf(at), rowOf(at)];
      const [start, end] = [rows.sketchStart(row), rows.sketchEnd(row)];
      sketches.set(rows.sketches.subarray(start, end), ends[at] - (end - start));
    }
    return new Selection([ids, sketches, ends], batchOf, rowOf);
  }

  /** Returns the documents at some positions of this selection. */
  pick(positions: readonly number[]): Selection {
    return Selection.gather(
      positions.length,
      (at) => this.#batchOf(positions[at]),
      (at) => this.#rowOf(positions[at]),
    );
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
    return this.#batchOf(at);
  }

  /** Returns the number of a document's line in its file. */
  numberAt(at: number): number {
    return this.#batchOf(at).numberAt(this.#rowOf(at));
  }

  sketchAt(at: number): Sketch {
    return this.#batchOf(at).sketchAt(this.#rowOf(at));
  }

  documentAt(at: number): Document {
    return new Document(this.#batchOf(at), this.#rowOf(at));
  }

  *[Symbol.iterator](): Generator<Document, void, undefined> {
    for (let at = 0; at < this.count; at++) yield this.documentAt(at);
  }

  /** Stores the decisions on these documents in their batches. */
  store(decisions: Decisions): void {
    if (this.#whole !== undefined) {
      this.#whole.decisions = decisions;
      return;
    }
    for (let at = 0; at < this.count; at++) {
      const batch = this.#batchOf(at);
      batch.decisions ??= new Decisions(batch.count);
      batch.decisions.copy(this.#rowOf(at), decisions, at);
    }
  }
}
