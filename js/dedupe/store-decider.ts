// The decider by a store, which keeps new and changed documents.
import { ArgumentError } from '../common/argument-error.js';
import type { Id } from '../common/types.js';
import type { Sketch } from '../sketch/sketch.js';
import { type Decider, decisionOf, type Settings } from './decider.js';
import { isKept } from './decision.js';
import type { DocumentStore } from './document-store.js';
import { DocumentsById } from './kept-documents.js';
import { lastingId } from './lasting-id.js';

/** Checks the id of a document of the source, for a store. */
export function checkStringId(id: Id | undefined, position: number): string | undefined {
  if (id === undefined || typeof id === 'string') return id;
  throw new ArgumentError(`source[${position}].id`, 'a string, with a store', id);
}

/** Decides by a store. With a lease, a document is permanent when the next decision is requested. */
export function decideInStore(store: DocumentStore, settings: Settings, lease: number | undefined): Decider {
  const { minResemblance, expiresIn, sketchOf } = settings;
  const documents = new DocumentsById();
  const options = { minResemblance, expiresIn, lease };
  /** The document that is kept provisionally. */
  let pending: { id: string; sketch: Sketch } | undefined;
  return {
    async decide(item) {
      const sketch = sketchOf(item);
      const id = lastingId(checkStringId(item.id, item.position), sketch);
      if (id === undefined) return decisionOf(item, { status: 'new' });
      const [outcome] = await store.observe([{ id, sketch }], options);
      documents.note(id, item, outcome);
      if (lease !== undefined && isKept(outcome)) pending = { id, sketch };
      return decisionOf(item, documents.named(outcome));
    },
    async confirm() {
      if (pending === undefined) return;
      await store.confirm([pending]);
      pending = undefined;
    },
    async close() {
      if (pending !== undefined) await store.release([pending]);
    },
  };
}
