// The documents of a call that a set keeps. The key of a document identifies it in the set, over its versions.

import type { Outcome } from '../core/decision.js';
import type { Id } from '../core/types.js';

/** A document of the call: its key, and its id and its position in the source. */
export interface KeptDocument {
  readonly key: Id;
  readonly id: Id | undefined;
  readonly position: number;
}

/** A document of the call, or the id of another one. */
export type Named = KeptDocument | Id;

/** The documents of the call that are kept, or were kept with the same words. */
export class KeptDocuments {
  readonly #byKey = new Map<Id, KeptDocument>();
  readonly #byId = new Map<Id, KeptDocument>();
  #limit = 1 << 16;
  readonly #has: (key: Id) => boolean;

  /** `has` states whether the set still has a document, which may expire. */
  constructor(has: (key: Id) => boolean = () => true) {
    this.#has = has;
  }

  /** Returns the key of a document in a set of this call alone: a position, which never is that of another id. */
  keyOf({ id, position }: { id: Id | undefined; position: number }): number {
    const known = id === undefined ? undefined : this.#byId.get(id);
    return (known?.key ?? position) as number;
  }

  /** Returns the document of this call with a key; of another one the key. */
  nameOf(key: Id): Named {
    return this.#byKey.get(key) ?? key;
  }

  /** Remembers a document by its outcome. */
  note(key: Id, { id, position }: { id: Id | undefined; position: number }, { status }: Outcome<unknown>): void {
    if (status === 'duplicate' || (status === 'unchanged' && this.#byKey.has(key))) return;
    const document = { key, id, position };
    this.#byKey.set(key, document);
    if (id !== undefined) this.#byId.set(id, document);
    if (this.#byKey.size < this.#limit) return;
    for (const [key, { id }] of this.#byKey) {
      if (this.#has(key)) continue;
      this.#byKey.delete(key);
      if (id !== undefined) this.#byId.delete(id);
    }
    this.#limit = Math.max(this.#limit, 2 * this.#byKey.size);
  }
}
