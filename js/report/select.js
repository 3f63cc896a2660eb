// Chooses what a report shows of many decisions, and counts the rest. All that a report takes is bounded here.

/** The nearest kept document of a document that has none. */
export const NONE = -1;
/** The nearest kept document of a document is one of an earlier run, whose text is not at hand. */
export const EARLIER = -2;

/** The most that a report shows. */
export const most = { clusters: 50, members: 10, pairs: 200, misses: 20, groups: 30 };

/** The resemblance in whole percent, rounded down: a share below the threshold never reads like the threshold. */
const toPercent = (resemblance) => Math.floor(resemblance * 100 + 1e-9);

/** Takes items one by one and holds the `size` lowest by `key`, those of equal key in their order. */
class Lowest {
  #size;
  #items = [];

  constructor(size) {
    this.#size = size;
  }

  take(key, item) {
    if (this.#items.length === this.#size && key >= this.#items.at(-1).key) return;
    const at = this.#items.findIndex((other) => key < other.key);
    this.#items.splice(at < 0 ? this.#items.length : at, 0, { key, item });
    if (this.#items.length > this.#size) this.#items.pop();
  }

  get items() {
    return this.#items.map(({ item }) => item);
  }
}

/** For each whole percent, the number of documents whose nearest kept document resembles them by it. */
function countByPercent({ nearest, resemblances }) {
  const counts = Array(101).fill(0);
  // The first document has nothing before it to resemble.
  for (let at = 1; at < nearest.length; at++) counts[toPercent(resemblances[at])]++;
  return counts;
}

function largestClusters({ nearest, isDropped }) {
  const sizes = new Map();
  nearest.forEach((kept, at) => {
    if (isDropped[at] && kept >= 0) sizes.set(kept, (sizes.get(kept) ?? 0) + 1);
  });
  const largest = new Lowest(most.clusters);
  for (const [kept, dropped] of sizes) largest.take(-dropped, { kept, dropped, members: [] });
  const clusters = largest.items;
  const byKept = new Map(clusters.map((cluster) => [cluster.kept, cluster]));
  nearest.forEach((kept, at) => {
    const members = isDropped[at] ? byKept.get(kept)?.members : undefined;
    if (members !== undefined && members.length < most.members) members.push(at);
  });
  let pairs = 0;
  for (const cluster of clusters) {
    cluster.members.length = Math.min(cluster.members.length, most.pairs - pairs);
    pairs += cluster.members.length;
  }
  return { count: sizes.size, shown: clusters.filter(({ members }) => members.length > 0) };
}

/** The pairs closest to the threshold: those that it just drops, and those that it just keeps. */
function nearThreshold({ nearest, resemblances, isDropped }) {
  const [above, below] = [new Lowest(most.misses), new Lowest(most.misses)];
  nearest.forEach((kept, at) => {
    if (kept < 0) return;
    if (isDropped[at]) above.take(resemblances[at], at);
    else below.take(-resemblances[at], at);
  });
  return { above: above.items, below: below.items };
}

/** The largest groups, and the others together under the name null. */
function countByGroup({ groups, isDropped }) {
  if (groups === undefined) return [];
  const counts = new Map();
  groups.forEach((name, at) => {
    const count = counts.get(name) ?? { name, documents: 0, dropped: 0 };
    count.documents++;
    count.dropped += isDropped[at];
    counts.set(name, count);
  });
  const all = [...counts.values()].sort((a, b) => b.documents - a.documents);
  const rest = { name: null, groups: 0, documents: 0, dropped: 0 };
  for (const { documents, dropped } of all.splice(most.groups)) {
    rest.groups++;
    rest.documents += documents;
    rest.dropped += dropped;
  }
  return rest.groups > 0 ? [...all, rest] : all;
}

/**
 * Returns what a report shows. Of each document, `nearest` has the position of the nearest document kept before it or
 * NONE or EARLIER, `resemblances` the resemblance to that, and `isDropped` 1 if it is dropped, else 0; `groups` may have the name of
 * its source or language. `wanted` of the result has the positions of the documents whose texts the report takes.
 */
export function select(decisions) {
  const { count, shown } = largestClusters(decisions);
  const misses = nearThreshold(decisions);
  const { nearest, resemblances, isDropped } = decisions;
  const pair = (at) => ({ at, kept: nearest[at], resemblance: resemblances[at] });
  const [above, below] = [misses.above.map(pair), misses.below.map(pair)];
  const clusters = shown.map(({ kept, dropped, members }) => ({ kept, dropped, members: members.map(pair) }));
  const pairs = [...above, ...below, ...clusters.flatMap(({ members }) => members)];
  return {
    documents: nearest.length,
    dropped: isDropped.reduce((sum, one) => sum + one, 0),
    earlier: nearest.reduce((sum, kept, at) => sum + (isDropped[at] && kept === EARLIER ? 1 : 0), 0),
    counts: countByPercent(decisions),
    groups: countByGroup(decisions),
    clusters,
    clusterCount: count,
    above,
    below,
    wanted: new Set(pairs.flatMap(({ at, kept }) => [at, kept])),
  };
}
