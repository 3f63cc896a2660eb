// Deciders by a set in memory, which keeps new and changed documents.
import type { Id } from '../common/types.js';
import { type Decider, decisionOf, type Item, type MaybePromise, type Settings, whenKnown } from './decider.js';
import { isKept, type Outcome } from './decision.js';
import { DocumentSet } from './document-set.js';
import { DocumentsById, DocumentsByPosition, type Named } from './kept-documents.js';
import { lastingId } from './lasting-id.js';
import { decideByPromisedText } from './verify.js';

/** Returns the function that observes documents by a set, by their texts if `textOf` is given. `nameOf` names a kept document for it. */
function observerOf<K extends Id>(
  set: DocumentSet<K>,
  nameOf: (key: K) => Named,
  { ruleNow, sketchOf, textOf, sketcher }: Settings,
): (key: K, item: Item<unknown>) => MaybePromise<Outcome<K>> {
  if (textOf === undefined) {
    return (key, item) =>
      item.sketch === undefined
        ? set.observeText(sketcher, key, item.text, item.scope, ruleNow())
        : set.observe(key, item.sketch, ruleNow());
  }
  const textOfKey = (key: K) => {
    const named = nameOf(key);
    return typeof named === 'object' ? textOf(named.id, named.position) : textOf(named, undefined);
  };
  return (key, item) => {
    const [sketch, rule] = [sketchOf(item), ruleNow()];
    return decideByPromisedText((exact) => set.observeStep(key, sketch, rule, exact), item, sketcher, textOfKey);
  };
}

/** Decides by the earlier documents of this call, which are known by their positions. */
export function decideByPosition(settings: Settings): Decider {
  const set = DocumentSet.numbered(settings.sketcher.id);
  const documents = new DocumentsByPosition();
  const observe = observerOf(set, (position) => documents.documentAt(position), settings);
  return {
    decide(item) {
      return whenKnown(observe(item.position, item), (outcome) => {
        if (isKept(outcome)) documents.add(item);
        return decisionOf(item, documents.named(outcome));
      });
    },
    close: () => set.free(),
  };
}

/** Decides by the set of a deduplicator, whose documents are known by their ids. */
export function decideById(set: DocumentSet, settings: Settings): Decider {
  const { sketchOf } = settings;
  const documents = new DocumentsById((key) => set.has(key, 0));
  const observe = observerOf(set, (key) => documents.nameOf(key), settings);
  return {
    decide(item) {
      const key = item.id ?? lastingId(undefined, sketchOf(item));
      if (key === undefined) return decisionOf(item, { status: 'new' });
      return whenKnown(observe(key, item), (outcome) => {
        documents.note(key, item, outcome);
        return decisionOf(item, documents.named(outcome));
      });
    },
  };
}
