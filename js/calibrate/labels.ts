// The caller's own verdicts on pairs of documents.
import { ArgumentError } from '../core/argument-error.js';
import { checkBoolean, checkId, checkIterable } from '../core/check.js';
import { Deduplicator, type Id, isNearDuplicate, type Sketch } from '../index.js';
import { type Figure, wilsonInterval } from './figures.js';

/** Your own verdict on two documents. */
export interface Label {
  /** The id of a document. The ids `1` and `'1'` are the same here. */
  a: Id;
  /** The id of another document. */
  b: Id;
  /** Whether they are the same to you. Default: true. */
  same?: boolean;
}

interface Pair {
  same: boolean;
  a: Sketch;
  b: Sketch;
  /** Whether a search for one finds the other. */
  isFound: boolean;
}

function finds(a: Sketch, b: Sketch): boolean {
  const kept = new Deduplicator<number>({ scheme: a.scheme }).add(0, a);
  const isFound = kept.query(b, { minResemblance: 0 }).length > 0;
  kept.free();
  return isFound;
}

/** @internal */
export class Labels {
  #labels: { a: string; b: string; same: boolean }[] = [];
  /** The sketch of each document that a label names; undefined until it is read. */
  #sketches = new Map<string, Sketch | undefined>();

  constructor(labels: Iterable<Label>) {
    checkIterable(labels, 'labels', 'an iterable of { a, b, same }');
    for (const label of labels) {
      const argument = `labels[${this.#labels.length}]`;
      if (typeof label !== 'object' || label === null) throw new ArgumentError(argument, '{ a, b, same }', label);
      const [a, b] = [checkId(label.a, `${argument}.a`), checkId(label.b, `${argument}.b`)].map(String);
      const same = checkBoolean(label.same === undefined ? true : label.same, `${argument}.same`);
      if (a === b) throw new ArgumentError(`${argument}.b`, 'another id than a', label.b);
      this.#labels.push({ a, b, same });
      this.#sketches.set(a, undefined).set(b, undefined);
    }
  }

  /** Receives a document of the source. If several have one id, the first one counts. */
  read(id: Id, sketchOf: () => Sketch): void {
    const key = String(id);
    if (this.#sketches.has(key) && this.#sketches.get(key) === undefined) this.#sketches.set(key, sketchOf());
  }

  /**
   * Counts the pairs of each kind and the pairs that name a missing document. For each threshold, counts the pairs that it
   * joins although they are different, or leaves apart although they are the same. Returns null without labels.
   */
  judge(thresholds: readonly number[]): {
    counts: { same: number; different: number; missing: number };
    figures: { wrong: Figure; left: Figure }[];
  } | null {
    if (this.#labels.length === 0) return null;
    const pairs = this.#labels.flatMap(({ same, ...ids }): Pair[] => {
      const [a, b] = [this.#sketches.get(ids.a), this.#sketches.get(ids.b)];
      return a && b ? [{ same, a, b, isFound: finds(a, b) }] : [];
    });
    const [same, different] = [true, false].map((verdict) => pairs.filter(({ same }) => same === verdict));
    const counts = { same: same.length, different: different.length, missing: this.#labels.length - pairs.length };
    const figures = thresholds.map((minResemblance) => {
      const isJoined = ({ a, b, isFound }: Pair) => isFound && isNearDuplicate(a, b, { minResemblance });
      return {
        wrong: wilsonInterval(different.filter(isJoined).length, different.length),
        left: wilsonInterval(same.filter((pair) => !isJoined(pair)).length, same.length),
      };
    });
    return { counts, figures };
  }
}
