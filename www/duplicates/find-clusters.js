// Finds the near-duplicates in a collection. The only file of the page that knows how they are found.
import { Deduplicator, Fingerprinter } from 'nearprint';

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
  #searches = 0;

  constructor(options) {
    this.#options = options;
    this.#fingerprinter = new Fingerprinter(options);
  }

  /** Adds texts to the collection. Returns the time in milliseconds. */
  add(texts) {
    const began = performance.now();
    this.#sketches.push(...this.#fingerprinter.sketchAll(texts));
    return performance.now() - began;
  }

  /**
   * Resolves to `{ clusters, counts, took }`: the clusters of two or more texts, largest first; for each whole percent
   * of resemblance, the number of texts that resemble the nearest text kept before them by it; and the time in
   * milliseconds. A cluster is `{ representative, duplicates: [{ at, resemblance, distance }] }`; `representative` and
   * `at` are positions in the collection. `progress` gets the share of texts that are done. Resolves to null if another
   * search begins.
   */
  async find(minResemblance, progress) {
    const search = ++this.#searches;
    const began = performance.now();
    const kept = new Deduplicator({ ...this.#options, minResemblance: ANY });
    const clusters = new Map();
    const counts = new Uint32Array(101);
    let sliceEnd = began + SLICE;
    for (const [at, sketch] of this.#sketches.entries()) {
      const { id, resemblance, distance } = kept.query(sketch) ?? { resemblance: 0 };
      if (at > 0) counts[Math.floor(resemblance * 100 + 1e-9)]++;
      if (resemblance < minResemblance) {
        kept.add(at, sketch);
      } else {
        if (!clusters.has(id)) clusters.set(id, { representative: id, duplicates: [] });
        clusters.get(id).duplicates.push({ at, resemblance, distance });
      }
      if (performance.now() < sliceEnd) continue;
      progress(at / this.#sketches.length);
      await pause();
      if (search !== this.#searches) break;
      sliceEnd = performance.now() + SLICE;
    }
    kept.free();
    if (search !== this.#searches) return null;
    const largestFirst = [...clusters.values()].sort((x, y) => y.duplicates.length - x.duplicates.length);
    return { clusters: largestFirst, counts, took: performance.now() - began };
  }
}
