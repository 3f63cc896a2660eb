// Deciders: each decides on the documents of a call of dedupe by another kind of set.
import { checkFunction } from '../common/check.js';
import type { Id } from '../common/types.js';
import type { Sketch } from '../sketch/sketch.js';
import { sharedSketcher } from '../sketch/sketcher.js';
import type { Decision, Outcome } from './decision.js';
import { checkRule, checkTime, type Rule } from './decision-options.js';
import type { DedupeOptions } from './dedupe-options.js';
import type { Named } from './kept-documents.js';
import type { SourceDocument } from './source.js';
import { isPromise } from './verify.js';

/** A document of the source, and its sketch once it is needed. */
export type Item<D> = SourceDocument<D> & { sketch?: Sketch };

/** A value, or a promise of one if it has to be awaited: a promise for each document would take time. */
export type MaybePromise<T> = T | Promise<T>;

/** Decides on documents, in the order of the calls. */
export interface Decider {
  decide<D>(item: Item<D>): MaybePromise<Decision<Id | undefined, D>>;
  /** Called when the document of the last decision has been handled. */
  confirm?(): Promise<void>;
  /** Called at the end, even if the loop ends early. */
  close?(): void | Promise<void>;
}

/** Checks the options of every decision. */
export function settingsOf({ textOf, minResemblance, expiresIn, now, features, scheme, key }: DedupeOptions) {
  const rule = checkRule({ minResemblance, expiresIn, now });
  if (textOf !== undefined) checkFunction(textOf, 'textOf');
  const sketcher = sharedSketcher({ features, scheme, key });
  return {
    minResemblance: rule.minResemblance,
    expiresIn,
    now,
    /** Returns the rule for a decision now. Valid until the next call. */
    ruleNow(): Rule {
      rule.now = checkTime(now);
      return rule;
    },
    sketcher,
    textOf,
    sketchOf(item: Item<unknown>): Sketch {
      item.sketch ??= sketcher.sketch(item.text, { scope: item.scope });
      return item.sketch;
    },
  };
}

export type Settings = ReturnType<typeof settingsOf>;

/** Returns the decision on a document with an outcome. */
export function decisionOf<D>(
  { id, position, document }: Item<D>,
  outcome: Outcome<Named>,
): Decision<Id | undefined, D> {
  const { status } = outcome;
  if (status === 'new' || status === 'unchanged') return { id, position, document, status };
  if (status === 'changed') return { id, position, document, ...outcome };
  const { duplicateOf: original, ...similarity } = outcome;
  if (typeof original !== 'object') return { id, position, document, ...similarity, duplicateOf: original };
  const { id: duplicateOf, position: duplicatePosition } = original;
  return { id, position, document, ...similarity, duplicateOf, duplicatePosition };
}

/** Calls `work` with a value once it is known. */
export const whenKnown = <T, R>(value: MaybePromise<T>, work: (value: T) => R): MaybePromise<R> =>
  isPromise(value) ? value.then(work) : work(value);
