// The caller's own verdicts on pairs of documents.
import { ArgumentError } from '../core/argument-error.js';
import { checkId, checkIterable } from '../core/check.js';
import { Deduplicator, type Id, isNearDuplicate, type Sketch } from '../index.js';
import { counted, type Figure } from './figures.js';

/** Your own verdict on two documents. */
export interface Label {
  /** The id of a document. The ids `1` and `'1'` are the same here. */
  a: Id;
  /** The id of another document. */
  b: Id;
  /** Whether they are the same to you. Default: true. */
  same?: boolean;
}

/** A checked label. */
interface Pair {
  a: string;
  b: string;
  same: boolean;
}

/** A label whose documents are known. */
interface FoundPair {
  same: boolean;
  a: Sketch;
  b: Sketch;
  /** Whether a search for one finds the other. */
  isFound: boolean;
}

/**
 * Pairs of ids, the sketches of their documents, and how each threshold decides on them.
 *
 * @internal
 */
export class Labels {
  #pairs: Pair[];
  #wanted = new Set<string>();
  #sketches = new Map<string, Sketch>();
  #found: FoundPair[] | null = null;

  constructor(pairs: Pair[]) {
    this.#pairs = pairs;
    for (const { a, b } of pairs) this.#wanted.add(a).add(b);
  }

  /** Receives a document of the source. If several have one id, the first one counts. */
  read(id: Id, sketchOf: () => Sketch): void {
    const key = String(id);
    if (this.#wanted.has(key) && !this.#sketches.has(key)) this.#sketches.set(key, sketchOf());
  }

  #search(): FoundPair[] {
    if (this.#found !== null) return this.#found;
    this.#found = [];
    for (const { a, b, same } of this.#pairs) {
      const [first, second] = [this.#sketches.get(a), this.#sketches.get(b)];
      if (first === undefined || second === undefined) continue;
      const kept = new Deduplicator<number>({ scheme: first.scheme });
      kept.add(0, first);
      const isFound = kept.query(second, { minResemblance: 0 }).length > 0;
      this.#found.push({ same, a: first, b: second, isFound });
      kept.free();
    }
    return this.#found;
  }

  /** The numbers of pairs of each kind, and of pairs that name a missing document; null without labels. */
  get counts(): { same: number; different: number; missing: number } | null {
    if (this.#pairs.length === 0) return null;
    const found = this.#search();
    const same = found.filter((pair) => pair.same).length;
    return { same, different: found.length - same, missing: this.#pairs.length - found.length };
  }

  /** Counts the pairs that a threshold joins though they are different, or leaves apart though they are the same. */
  judge(minResemblance: number): { wrong: Figure; left: Figure } | null {
    const { counts } = this;
    if (counts === null) return null;
    const found = this.#search();
    const isJoined = ({ a, b, isFound }: FoundPair) => isFound && isNearDuplicate(a, b, { minResemblance });
    return {
      wrong: counted(found.filter((pair) => !pair.same && isJoined(pair)).length, counts.different),
      left: counted(found.filter((pair) => pair.same && !isJoined(pair)).length, counts.same),
    };
  }
}

/**
 * Checks labels.
 *
 * @internal
 */
export function readLabels(labels: Iterable<Label>): Labels {
  checkIterable(labels, 'labels', 'an iterable of { a, b, same }');
  const pairs: Pair[] = [];
  for (const label of labels) {
    const argument = `labels[${pairs.length}]`;
    if (typeof label !== 'object' || label === null) throw new ArgumentError(argument, '{ a, b, same }', label);
    const { a, b, same = true } = label;
    checkId(a, `${argument}.a`);
    checkId(b, `${argument}.b`);
    if (typeof same !== 'boolean') throw new ArgumentError(`${argument}.same`, 'true or false', same);
    if (String(a) === String(b)) throw new ArgumentError(`${argument}.b`, 'another id than a', b);
    pairs.push({ a: String(a), b: String(b), same });
  }
  return new Labels(pairs);
}
