// The documents of a call that a set keeps: their ids and positions.
import type { Id } from '../common/types.js';
import type { Outcome } from './decision.js';

/** A document of the call. */
export interface CallDocument {
  readonly id: Id | undefined;
  readonly position: number;
}

/** A document of the call, or the id of another one. */
export type Named = CallDocument | Id;

/** The documents that a set of this call keeps under their positions. */
export class DocumentsByPosition {
  /** Undefined for a document that is not kept too. */
  readonly #ids: (Id | undefined)[] = [];

  add({ id, position }: CallDocument): void {
    // An array without holes, whatever the order of the positions.
    while (this.#ids.length < position) this.#ids.push(undefined);
    this.#ids[position] = id;
  }

  documentAt(position: number): CallDocument {
    return { id: this.#ids[position], position };
  }

  /** Replaces the position of an original by its document. */
  named(outcome: Outcome<number>): Outcome<CallDocument> {
    if (outcome.status !== 'duplicate') return outcome;
    return Object.assign(outcome, { duplicateOf: this.documentAt(outcome.duplicateOf) });
  }
}

/** The documents that a lasting set keeps, or has kept with the same words, under their ids or derived ones. */
export class DocumentsById {
  readonly #documents = new Map<Id, CallDocument>();
  #limit = 1 << 16;
  readonly #has: (key: Id) => boolean;

  /** `has` states whether the set still has a document, which may expire. */
  constructor(has: (key: Id) => boolean = () => true) {
    this.#has = has;
  }

  /** Returns the document of this call with a key; of another one the key. */
  nameOf(key: Id): Named {
    return this.#documents.get(key) ?? key;
  }

  /** Replaces the key of an original by its document. */
  named(outcome: Outcome): Outcome<Named> {
    if (outcome.status !== 'duplicate') return outcome;
    return Object.assign(outcome, { duplicateOf: this.nameOf(outcome.duplicateOf) });
  }

  /** Remembers a document by its outcome. */
  note(key: Id, { id, position }: CallDocument, { status }: Outcome<unknown>): void {
    if (status === 'duplicate' || (status === 'unchanged' && this.#documents.has(key))) return;
    this.#documents.set(key, { id, position });
    if (this.#documents.size < this.#limit) return;
    for (const key of this.#documents.keys()) if (!this.#has(key)) this.#documents.delete(key);
    this.#limit = Math.max(this.#limit, 2 * this.#documents.size);
  }
}
