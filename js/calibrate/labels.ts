// The caller's own verdicts on pairs of documents.
import { ArgumentError } from '../common/argument-error.js';
import { checkBoolean, checkId, checkIterable } from '../common/check.js';
import { Deduplicator, type Id } from '../index.js';
import { type Comparable, nearResemblance } from './comparable.js';

/** Your own verdict on two documents. */
export interface Label {
  /** The id of a document. The ids `1` and `'1'` are the same here. */
  a: Id;
  /** The id of another document. */
  b: Id;
  /** Whether they are the same to you. Default: true. */
  same?: boolean | undefined;
}

/** The numbers of labelled pairs, each pair counted once. Precision and recall are of the first two kinds. */
export interface LabelCounts {
  /** The pairs that are the same. */
  same: number;
  /** The pairs that are different. */
  different: number;
  /** The pairs that two labels judge differently. */
  contradictory: number;
  /** The pairs with an id that no document has, or only documents whose texts are too long. */
  missing: number;
  /** The pairs with an id that several documents have. */
  ambiguous: number;
}

/** How well a threshold agrees with labels. */
export interface LabelFigures {
  /** The share of `same` among the labelled pairs that reach the threshold; null if none does. */
  precision: number | null;
  /** The share of the pairs labelled `same` that reach the threshold; null without such pairs. */
  recall: number | null;
}

/** Stands for the document of an id that several documents have. */
const REPEATED: unique symbol = Symbol();

interface LabelledPair {
  a: string;
  b: string;
  verdict: 'same' | 'different' | 'contradictory';
}

/** Returns the resemblance of two documents if a search for one finds the other and the rule accepts the pair, else 0. */
function resemblanceIfFound(kept: Deduplicator<number>, a: Comparable, b: Comparable): number {
  kept.clear();
  const isFound = kept.add(0, a.sketch).query(b.sketch, { minResemblance: 0 }).length > 0;
  return isFound ? nearResemblance(a, b) : 0;
}

/** @internal */
export class Labels {
  /** The labelled pairs by both ids. */
  readonly #pairs = new Map<string, LabelledPair>();
  /** The document of each id that a label names. */
  readonly #documents = new Map<string, Comparable | typeof REPEATED | undefined>();

  constructor(labels: Iterable<Label>) {
    checkIterable(labels, 'labels', 'an iterable of { a, b, same }');
    let at = 0;
    for (const label of labels) {
      const argument = `labels[${at++}]`;
      if (typeof label !== 'object' || label === null) throw new ArgumentError(argument, '{ a, b, same }', label);
      const [a, b] = [checkId(label.a, `${argument}.a`), checkId(label.b, `${argument}.b`)].map(String);
      const same = label.same === undefined ? true : checkBoolean(label.same, `${argument}.same`);
      if (a === b) throw new ArgumentError(`${argument}.b`, 'another id than a', label.b);
      const pair = JSON.stringify([a, b].sort());
      const verdict = same ? 'same' : 'different';
      const isContradicted = (this.#pairs.get(pair)?.verdict ?? verdict) !== verdict;
      this.#pairs.set(pair, { a, b, verdict: isContradicted ? 'contradictory' : verdict });
      this.#documents.set(a, undefined).set(b, undefined);
    }
  }

  /** Receives a document of the source. `make` is called if a label names it. */
  read(id: Id, make: () => Comparable): void {
    const key = String(id);
    if (!this.#documents.has(key)) return;
    this.#documents.set(key, this.#documents.get(key) === undefined ? make() : REPEATED);
  }

  /**
   * Counts the labelled pairs of each kind, and compares the verdicts with each threshold. `scheme` is the scheme of the
   * sketches. Returns null without labels.
   */
  judge(scheme: string, thresholds: readonly number[]): { counts: LabelCounts; figures: LabelFigures[] } | null {
    if (this.#pairs.size === 0) return null;
    const counts: LabelCounts = { same: 0, different: 0, contradictory: 0, missing: 0, ambiguous: 0 };
    const judged: { isSame: boolean; resemblance: number }[] = [];
    const kept = new Deduplicator<number>({ scheme });
    for (const { a, b, verdict } of this.#pairs.values()) {
      const first = this.#documents.get(a);
      const second = this.#documents.get(b);
      if (first === undefined || second === undefined) counts.missing++;
      else if (first === REPEATED || second === REPEATED) counts.ambiguous++;
      else {
        counts[verdict]++;
        if (verdict === 'contradictory') continue;
        judged.push({ isSame: verdict === 'same', resemblance: resemblanceIfFound(kept, first, second) });
      }
    }
    kept.free();
    const figures = thresholds.map((threshold): LabelFigures => {
      const joined = judged.filter(({ resemblance }) => resemblance >= threshold);
      const right = joined.filter(({ isSame }) => isSame).length;
      return {
        precision: joined.length === 0 ? null : right / joined.length,
        recall: counts.same === 0 ? null : right / counts.same,
      };
    });
    return { counts, figures };
  }
}
