// Sets of many documents that share keys: what additions, queries, removals, clusters and snapshots take for a document.
import assert from 'node:assert/strict';
import { Deduplicator } from '../../pkg/index.js';
import { randomFrom } from './common.mjs';
import { families, processorTime, queryTime } from './flooded.mjs';

/** The largest time, relative to a set of honest documents. */
const MAX_RATIO = 20;

/**
 * The largest time of clusters for a document, in microseconds. Honest documents are compared with no others; a document of a
 * family with at most 64 for each of its 13 keys.
 */
const MAX_CLUSTERS = 300;

/** The shares of the documents that are added last, and removed. */
const ADDED_LAST = 0.1;
const REMOVED = 0.1;

/** Returns the processor time of work on `count` documents, for each of them, in microseconds. */
function timeOf(count, work) {
  const start = processorTime();
  work();
  return (1000 * (processorTime() - start)) / count;
}

/** Returns the times of a set of `count` documents, for each document. */
async function timesOf(family, count) {
  const next = family(randomFrom(count));
  const documents = Array.from({ length: count }, next);
  const set = new Deduplicator();
  const addFrom = (start, end) => {
    for (let id = start; id < end; id++) set.add(id, documents[id]);
  };
  const first = Math.ceil((1 - ADDED_LAST) * count);
  addFrom(0, first);
  const times = { addition: timeOf(count - first, () => addFrom(first, count)) };
  times.query = 1000 * (await queryTime(set, next, false));
  for (const linkage of ['star', 'single']) {
    times[linkage] = timeOf(count, () => set.clusters({ linkage }));
  }
  times.snapshot = timeOf(count, () => {
    const restored = Deduplicator.fromBytes(set.toBytes());
    assert.equal(restored.size, count);
    restored.free();
  });
  times.removal = timeOf(REMOVED * count, () => {
    for (let id = 0; id < count; id += 1 / REMOVED) set.delete(id);
  });
  set.free();
  return times;
}

/** Returns the number of failures. */
export async function sharedKeys(count) {
  let [trials, failures] = [0, 0];
  let honest;
  for (const [name, family] of Object.entries(families)) {
    const times = await timesOf(family, count);
    honest ??= times;
    console.log(`  ${count} documents, ${name}, microseconds for each:`);
    for (const [what, time] of Object.entries(times)) {
      const isCluster = what === 'star' || what === 'single';
      const ratio = time / honest[what];
      const isFailure = isCluster ? time > MAX_CLUSTERS : ratio > MAX_RATIO;
      trials++;
      if (isFailure) failures++;
      const relative = isCluster ? '' : `, ${ratio.toFixed(1)} honest`;
      console.log(`  ${isFailure ? 'FAILURE: ' : ''}${what}: ${time.toFixed(1)}${relative}`);
    }
  }
  console.log(`sets of shared keys: ${trials} trials, ${failures} failures`);
  return failures;
}
