// A document of a batch.
import type { Outcome } from '../dedupe/decision.js';
import type { Id, Sketch } from '../index.js';
import type { Batch } from './batch.js';
import { Line } from './line.js';
import type { Original } from './original.js';

/** A document, by its row in its batch. Made when it is needed: most are only decided and copied. */
export class Document extends Line {
  /** Its position among the documents of the batch. */
  readonly at: number;

  constructor(batch: Batch, at: number) {
    super(batch, batch.rows.spanAt(at));
    this.at = at;
  }

  get id(): Id | null {
    return this.batch.ids[this.at];
  }

  /** Its id, or its place if it has none. */
  get name(): Id {
    return this.id ?? this.place;
  }

  /** The length of the text in UTF-16 units. */
  get length(): number {
    return this.batch.rows.lengthAt(this.at);
  }

  get sketch(): Sketch {
    return this.batch.sketchAt(this.at);
  }

  /** Undefined before the decision. */
  get outcome(): Outcome<Original> | undefined {
    return this.batch.decisions?.outcomeAt(this.at);
  }

  /** Whether it is kept: new or changed. */
  get isKept(): boolean {
    return this.batch.decisions?.isKept(this.at) === true;
  }

  /** Its key in the set of kept documents; undefined if it is not decided, or is not kept under a key. */
  get key(): Id | undefined {
    return this.batch.decisions?.keys[this.at];
  }

  isSame({ batch, at }: Document): boolean {
    return batch === this.batch && at === this.at;
  }

  /** Whether its annotation and its row of the report name documents by place too, since an id occurs twice. */
  get isNamedByPlace(): boolean {
    return this.at >= this.batch.namedByPlaceFrom;
  }
}
