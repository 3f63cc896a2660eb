// The caller's own verdicts on pairs of documents.
import { ArgumentError } from '../core/argument-error.js';
import { checkId, checkIterable } from '../core/check.js';
import { Deduplicator } from '../index.js';
import { counted } from './figures.js';

/** With this threshold a deduplicator returns whatever it finds. */
const ANY = Number.MIN_VALUE;

/** Pairs of ids, the sketches of their documents, and how each threshold decides on them. */
class Labels {
  #pairs;
  #wanted = new Set();
  #sketches = new Map();
  /** Of each pair whose documents are known: whether they are the same, and their resemblance as the search finds it. */
  #found = null;

  constructor(pairs) {
    this.#pairs = pairs;
    for (const { a, b } of pairs) this.#wanted.add(a).add(b);
  }

  /** Takes a document of the source. The first of several documents with one id counts. */
  read(id, sketchOf) {
    const key = String(id);
    if (this.#wanted.has(key) && !this.#sketches.has(key)) this.#sketches.set(key, sketchOf());
  }

  #search() {
    if (this.#found !== null) return this.#found;
    this.#found = [];
    for (const { a, b, same } of this.#pairs) {
      const [first, second] = [this.#sketches.get(a), this.#sketches.get(b)];
      if (first === undefined || second === undefined) continue;
      const kept = new Deduplicator({ minResemblance: ANY, scheme: first.scheme });
      kept.add(0, first);
      this.#found.push({ same, resemblance: kept.query(second)?.resemblance ?? 0 });
      kept.free();
    }
    return this.#found;
  }

  /** How many pairs there are of each kind, and how many name a document that is not there; null without labels. */
  get counts() {
    if (this.#pairs.length === 0) return null;
    const found = this.#search();
    const same = found.filter((pair) => pair.same).length;
    return { same, different: found.length - same, missing: this.#pairs.length - found.length };
  }

  /** Pairs that the threshold joins though they are different, and leaves apart though they are the same. */
  judge(minResemblance) {
    if (this.#pairs.length === 0) return null;
    const found = this.#search();
    const { same, different } = this.counts;
    const joined = (pair) => pair.resemblance >= minResemblance;
    return {
      wrong: counted(found.filter((pair) => !pair.same && joined(pair)).length, different),
      left: counted(found.filter((pair) => pair.same && !joined(pair)).length, same),
    };
  }
}

/** Reads labels from an iterable of `{ a, b, same }`. */
export function readLabels(labels) {
  checkIterable(labels, 'labels', 'an iterable of { a, b, same }');
  const pairs = [];
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
