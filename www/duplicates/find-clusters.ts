// Finds the near-duplicates in a collection. The only file of the page that knows how they are found.
import { Deduplicator, type Sketch, Sketcher, type SketchOptions } from 'nearprint';
import { NONE, select } from '../../js/report/select.js';
import { observeWithNearest } from './nearest.js';
import { type Progress, Slices } from './slices.js';

/** The milliseconds of work after which other requests and progress reports get their turn. */
const SLICE = 40;

/** The part of the decisions that a report shows. */
export type Selection = ReturnType<typeof select>;

/** The result of a search. The arrays have one element for each text. */
export interface Search {
  /** The position of the nearest text kept before it, or NONE. */
  nearest: Int32Array;
  /** Its resemblance to that text. */
  resemblances: Float64Array;
  /** 1 if it is dropped, else 0. */
  isDropped: Uint8Array;
  /** The numbers of short texts, and of those without words. */
  short: number;
  blank: number;
  selection: Selection;
  /** The time in milliseconds. */
  took: number;
}

/** A kept text and its near-duplicates. `representative` and `at` are positions in the collection. */
export interface Cluster {
  representative: number;
  duplicates: { at: number; resemblance: number }[];
}

/** Finds the clusters of one collection, for any number of thresholds: the texts are sketched once. */
export class ClusterFinder {
  #options: SketchOptions;
  #sketcher: Sketcher;
  #sketches: Sketch[] = [];
  #searches = 0;

  constructor(options: SketchOptions) {
    this.#options = options;
    this.#sketcher = new Sketcher(options);
  }

  /** Adds texts to the collection. Returns the time in milliseconds. */
  add(texts: string[]): number {
    const began = performance.now();
    for (const text of texts) this.#sketches.push(this.#sketcher.sketch(text));
    return performance.now() - began;
  }

  /**
   * Searches the collection. `progress` receives the share of texts that are done. Resolves to null if another search
   * begins.
   */
  async find(minResemblance: number, progress: Progress): Promise<Search | null> {
    const search = ++this.#searches;
    const began = performance.now();
    const kept = new Deduplicator<number>(this.#options);
    const { length } = this.#sketches;
    const nearest = new Int32Array(length).fill(NONE);
    const resemblances = new Float64Array(length);
    const isDropped = new Uint8Array(length);
    let [short, blank] = [0, 0];
    const slices = new Slices(SLICE);
    for (const [at, sketch] of this.#sketches.entries()) {
      const observed = observeWithNearest(kept, at, sketch, minResemblance);
      const { id, resemblance } = observed.nearest ?? { id: NONE, resemblance: 0 };
      [nearest[at], resemblances[at]] = [id, resemblance];
      if (observed.decision.status === 'duplicate') isDropped[at] = 1;
      if (sketch.isShort) short++;
      if (sketch.isBlank) blank++;
      await slices.next(() => progress(at / length));
      if (search !== this.#searches) break;
    }
    kept.free();
    if (search !== this.#searches) return null;
    const took = performance.now() - began;
    const selection = select({ nearest, resemblances, isDropped });
    return { nearest, resemblances, isDropped, short, blank, selection, took };
  }
}

/**
 * Returns the clusters of two or more texts that a search found, the largest first. The page calls this: the transfer of all
 * clusters from the Worker is slow.
 */
export function clustersOf({ nearest, resemblances, isDropped }: Search): Cluster[] {
  const clusters = new Map<number, Cluster>();
  nearest.forEach((representative, at) => {
    if (!isDropped[at]) return;
    const cluster = clusters.get(representative) ?? { representative, duplicates: [] };
    clusters.set(representative, cluster);
    cluster.duplicates.push({ at, resemblance: resemblances[at] });
  });
  return [...clusters.values()].sort((x, y) => y.duplicates.length - x.duplicates.length);
}
