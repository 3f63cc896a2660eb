// Finds the near-duplicates in a collection. The only file of the page that knows how they are found.
import { dedupe } from 'nearprint';

/** Texts between two progress reports. */
const REPORT_EVERY = 200;

/** Finds the clusters of one collection, for any number of thresholds. */
export class ClusterFinder {
  #texts;
  #options;

  constructor(texts, options) {
    this.#texts = texts;
    this.#options = options;
  }

  /**
   * Resolves to `{ clusters, took }`: the clusters of two or more texts, largest first, and the time in milliseconds. A
   * cluster is `{ representative, duplicates: [{ at, distance }] }`; `representative` and `at` are positions in the
   * collection. `progress` gets the share of texts that are done.
   */
  async find(maxDistance, progress) {
    const began = performance.now();
    const documents = this.#texts.map((text, id) => ({ id, text }));
    const clusters = new Map();
    for await (const { id, duplicateOf, distance } of dedupe(documents, { ...this.#options, maxDistance })) {
      if (duplicateOf !== null) {
        if (!clusters.has(duplicateOf)) clusters.set(duplicateOf, { representative: duplicateOf, duplicates: [] });
        clusters.get(duplicateOf).duplicates.push({ at: id, distance });
      }
      if (id % REPORT_EVERY === 0) progress(id / documents.length);
    }
    const largestFirst = [...clusters.values()].sort((x, y) => y.duplicates.length - x.duplicates.length);
    return { clusters: largestFirst, took: performance.now() - began };
  }
}
