// The decider by a set that does not change, and by the earlier documents of the call.

import type { Sketch } from '../sketch/sketch.js';
import { type Decider, decisionOf, type Item, type MaybePromise, type Settings, whenKnown } from './decider.js';
import { isKept, type Outcome } from './decision.js';
import { Deduplicator } from './deduplicator.js';
import { DocumentSet } from './document-set.js';
import type { DocumentStore } from './document-store.js';
import { joinOutcomes } from './join-outcomes.js';
import { DocumentsByPosition, type Named } from './kept-documents.js';
import { checkStringId } from './store-decider.js';

/** Decides by a set that does not change, and by the earlier documents of this call, which are known by their positions. */
export function decideWithoutAdding(reference: Deduplicator | DocumentStore, settings: Settings): Decider {
  const { minResemblance, now, sketchOf } = settings;
  const set = DocumentSet.numbered(reference.scheme);
  const documents = new DocumentsByPosition();
  const peek = ({ id, position }: Item<unknown>, sketch: Sketch): MaybePromise<Outcome> => {
    if (reference instanceof Deduplicator) return reference.peek(id, sketch, { minResemblance, now });
    const document = { id: checkStringId(id, position), sketch };
    return reference.peek([document], { minResemblance }).then(([outcome]) => outcome);
  };
  return {
    decide(item) {
      const sketch = sketchOf(item);
      return whenKnown(peek(item, sketch), (outcome) => {
        const own = documents.named(set.peek(item.position, sketch, minResemblance, 0));
        const joined = joinOutcomes<Named>([outcome, own]);
        if (isKept(joined)) {
          set.add(item.position, sketch, 0, Number.NaN);
          documents.add(item);
        }
        return decisionOf(item, joined);
      });
    },
    close: () => set.free(),
  };
}
