// Finds the near-duplicates in a collection. The only file of the page that knows how they are found.
import { Deduplicator, Fingerprinter } from 'nearprint';
import { NONE, select } from '../../js/report/select.js';

/** The milliseconds of work after which other requests and progress reports get their turn. */
const SLICE = 40;

const pause = () => new Promise((resolve) => setTimeout(resolve));

/** A deduplicator returns the nearest kept text only from its threshold on. With this one it always does. */
const ANY = Number.MIN_VALUE;

/** Finds the clusters of one collection, for any number of thresholds: the texts are sketched once. */
export class ClusterFinder {
  #options;
  #fingerprinter;
  #sketches = [];
  /** The source or language of each text, or undefined. */
  #groups = [];
  #searches = 0;

  constructor(options) {
    this.#options = options;
    this.#fingerprinter = new Fingerprinter(options);
  }

  /** Adds texts to the collection, each with its group. Returns the time in milliseconds. */
  add(texts, groups) {
    const began = performance.now();
    // The arguments of a call are limited.
    for (const group of groups) this.#groups.push(group);
    for (const text of texts) this.#sketches.push(this.#fingerprinter.sketch(text));
    return performance.now() - began;
  }

  /**
   * Resolves to `{ nearest, resemblances, distances, isDropped, short, took }`: for each text the position of the nearest
   * text kept before it, or NONE; its resemblance to that text and the distance from it; 1 if it is dropped, else 0; the
   * number of short texts; what a report shows, `selection`; and the time in milliseconds. `progress` gets the share of texts that are done. Resolves to
   * null if another search begins.
   */
  async find(minResemblance, progress) {
    const search = ++this.#searches;
    const began = performance.now();
    const kept = new Deduplicator({ ...this.#options, minResemblance: ANY });
    const { length } = this.#sketches;
    const nearest = new Int32Array(length).fill(NONE);
    const [resemblances, distances] = [new Float64Array(length), new Uint8Array(length)];
    const isDropped = new Uint8Array(length);
    let short = 0;
    let sliceEnd = began + SLICE;
    for (const [at, sketch] of this.#sketches.entries()) {
      const { id, resemblance, distance } = kept.query(sketch) ?? { id: NONE, resemblance: 0, distance: 0 };
      [nearest[at], resemblances[at], distances[at]] = [id, resemblance, distance];
      if (resemblance < minResemblance) kept.add(at, sketch);
      else isDropped[at] = 1;
      if (sketch.isShort) short++;
      if (performance.now() < sliceEnd) continue;
      progress(at / length);
      await pause();
      if (search !== this.#searches) break;
      sliceEnd = performance.now() + SLICE;
    }
    kept.free();
    if (search !== this.#searches) return null;
    const took = performance.now() - began;
    const hasGroups = this.#groups.some((group) => group !== undefined);
    const groups = hasGroups ? this.#groups.map((group) => group ?? '') : undefined;
    const selection = select({ nearest, resemblances, isDropped, groups });
    return { nearest, resemblances, distances, isDropped, short, selection, took };
  }
}

/**
 * The clusters of two or more texts that a search found, largest first. A cluster is `{ representative, duplicates:
 * [{ at, resemblance, distance }] }`; `representative` and `at` are positions in the collection. The page forms them:
 * so many objects would take long to arrive from the Worker.
 */
export function clustersOf({ nearest, resemblances, distances, isDropped }) {
  const clusters = new Map();
  nearest.forEach((representative, at) => {
    if (!isDropped[at]) return;
    if (!clusters.has(representative)) clusters.set(representative, { representative, duplicates: [] });
    const duplicate = { at, resemblance: resemblances[at], distance: distances[at] };
    clusters.get(representative).duplicates.push(duplicate);
  });
  return [...clusters.values()].sort((x, y) => y.duplicates.length - x.duplicates.length);
}
