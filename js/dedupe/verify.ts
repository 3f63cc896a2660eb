// Verification by text: exact resemblances in place of estimates, for callers that have the texts of kept documents.
import { ArgumentError } from '../common/argument-error.js';
import { checkText, isBytes } from '../common/check.js';
import { describeNoText } from '../common/text-advice.js';
import type { Text } from '../common/types.js';
import type { FeatureSet } from '../sketch/feature-set.js';
import type { Sketcher } from '../sketch/sketcher.js';

/** A request for the exact resemblance to a kept document. */
export interface ComparisonRequest<I> {
  /** The id of the document. */
  compare: I;
  /** The two hashes of its words and symbols; the first has lowest bit 0. */
  hashes: [first: bigint, second: bigint];
}

/**
 * A step of a decision: receives the exact resemblances that it has asked for so far, undefined where a text is not available.
 * Returns the decision, or a request for one more.
 */
export type Step<I, R> = (exact: readonly (number | undefined)[]) => R | ComparisonRequest<I>;

/** A document that is compared with kept ones. The empty name means that it has no scope. */
export interface ComparedDocument {
  text: Text;
  scope: string;
}

export const isPromise = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof (value as Partial<PromiseLike<T>> | undefined | null)?.then === 'function';

/**
 * Returns the exact resemblance to a kept document, or undefined if its text is not available. A text with other words has changed
 * since, and a text of another scope has other words.
 */
function resemblanceTo(
  own: FeatureSet,
  text: unknown,
  { hashes }: ComparisonRequest<unknown>,
  sketcher: Sketcher,
  scope: string,
): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== 'string' && !isBytes(text)) {
    const requirement = 'a string, a Uint8Array of UTF-8 or undefined';
    throw new ArgumentError('textOf(id)', requirement, text, describeNoText(text));
  }
  const checked = checkText(text, 'textOf(id)');
  const kept = sketcher.featureSet(checked, scope);
  return kept.hasHashes(...hashes) ? own.resemblance(kept) : undefined;
}

/** Decides by texts. Yields the id of each kept document whose text is needed, and receives the text. */
function* decideByTexts<I, R extends object>(
  step: Step<I, R>,
  { text, scope }: ComparedDocument,
  sketcher: Sketcher,
): Generator<I, R, unknown> {
  const exact: (number | undefined)[] = [];
  let own: FeatureSet | undefined;
  for (;;) {
    const result = step(exact);
    if (!('compare' in result)) return result;
    own ??= sketcher.featureSet(text, scope).copy();
    exact.push(resemblanceTo(own, yield result.compare, result, sketcher, scope));
  }
}

/** Decides by texts. `textOf` returns the text of a kept document. */
export function decideByText<I, R extends object>(
  step: Step<I, R>,
  document: ComparedDocument,
  sketcher: Sketcher,
  textOf: (id: I) => unknown,
): R {
  const decision = decideByTexts(step, document, sketcher);
  let next = decision.next();
  while (!next.done) next = decision.next(textOf(next.value));
  return next.value;
}

/** Decides by texts. `textOf` returns the text of a kept document, or a promise of it. */
export async function decideByPromisedText<I, R extends object>(
  step: Step<I, R>,
  document: ComparedDocument,
  sketcher: Sketcher,
  textOf: (id: I) => unknown,
): Promise<R> {
  const decision = decideByTexts(step, document, sketcher);
  let next = decision.next();
  while (!next.done) next = decision.next(await textOf(next.value));
  return next.value;
}
