// Chooses the part of many decisions that a report shows, and counts the rest. The size of a report is bounded here.

/** The nearest kept document of a document that has none. */
export const NONE = -1;
/** The nearest kept document of a document if it is from an earlier run, whose texts are not available. */
export const EARLIER = -2;

/** The largest numbers of items that a report shows. */
export const MAX_SHOWN: Readonly<Record<'clusters' | 'members' | 'pairs' | 'misses' | 'groups', number>> = {
  clusters: 50,
  members: 10,
  pairs: 200,
  misses: 20,
  groups: 30,
};

/** Numbers in an array or a typed array. */
interface Numbers {
  readonly length: number;
  readonly [at: number]: number;
  forEach(visit: (value: number, at: number) => void): void;
  reduce(add: (sum: number, value: number, at: number) => number, start: number): number;
}

/** Decisions on documents. Each array has one element for each document, in the order of the source. */
export interface Decisions {
  /** The position of the nearest document kept before it, or `NONE`, or `EARLIER`. */
  nearest: Numbers;
  /** The resemblance to the nearest document. */
  resemblances: Numbers;
  /** 1 if the document is dropped, else 0. */
  isDropped: Numbers;
  /** The name of its source or language, if documents have one. */
  groups?: readonly string[] | undefined;
}

/** A document and the nearest document kept before it. */
export interface Pair {
  at: number;
  kept: number;
  resemblance: number;
  /** Whether the document is dropped. */
  isDropped: boolean;
}

/** A kept document and its near-duplicates. */
export interface Cluster {
  kept: number;
  /** The number of its near-duplicates. */
  dropped: number;
  /** The near-duplicates that the report shows. */
  members: Pair[];
}

/** The documents of a source or a language. */
export interface Group {
  name: string;
  documents: number;
  dropped: number;
}

/** The documents of all groups that the report does not show. */
export interface OtherGroups {
  name: null;
  /** The number of these groups. */
  groups: number;
  documents: number;
  dropped: number;
}

/** The part of the decisions that a report shows. */
export interface Selection {
  /** The number of documents. */
  documents: number;
  dropped: number;
  /** The number of near-duplicates of documents of earlier runs. */
  earlier: number;
  /** For each whole percent, the number of documents with this resemblance to the nearest document. */
  counts: number[];
  /** The largest groups, and then the others together. */
  groups: (Group | OtherGroups)[];
  /** The largest clusters. */
  clusters: Cluster[];
  /** The number of all clusters. */
  clusterCount: number;
  /** The dropped documents closest to the threshold. */
  above: Pair[];
  /** The kept documents closest to the threshold. */
  below: Pair[];
  /** The positions of the documents whose texts the report needs. */
  wanted: Set<number>;
}

/** Returns the resemblance in whole percent, rounded down: no share below the threshold reads like the threshold. */
const toPercent = (resemblance: number): number => Math.floor(resemblance * 100 + 1e-9);

/** Holds the `size` items with the lowest keys. Items with equal keys stay in their order. */
class Lowest<Item> {
  #size: number;
  #items: { key: number; item: Item }[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  add(key: number, item: Item): void {
    if (this.#items.length === this.#size && key >= this.#items[this.#size - 1].key) return;
    const at = this.#items.findIndex((other) => key < other.key);
    this.#items.splice(at < 0 ? this.#items.length : at, 0, { key, item });
    if (this.#items.length > this.#size) this.#items.pop();
  }

  get items(): Item[] {
    return this.#items.map(({ item }) => item);
  }
}

/** For each whole percent, counts the documents with this resemblance to the nearest document. */
function countByPercent({ nearest, resemblances }: Decisions): number[] {
  const counts: number[] = Array(101).fill(0);
  // No document is kept before the first one.
  for (let at = 1; at < nearest.length; at++) counts[toPercent(resemblances[at])]++;
  return counts;
}

/** A cluster with the positions of its members. */
interface ClusterPositions {
  kept: number;
  dropped: number;
  members: number[];
}

function largestClusters({ nearest, isDropped }: Decisions): { count: number; shown: ClusterPositions[] } {
  const sizes = new Map<number, number>();
  nearest.forEach((kept, at) => {
    if (isDropped[at] && kept >= 0) sizes.set(kept, (sizes.get(kept) ?? 0) + 1);
  });
  const largest = new Lowest<ClusterPositions>(MAX_SHOWN.clusters);
  for (const [kept, dropped] of sizes) largest.add(-dropped, { kept, dropped, members: [] });
  const clusters = largest.items;
  const byKept = new Map(clusters.map((cluster) => [cluster.kept, cluster]));
  nearest.forEach((kept, at) => {
    const members = isDropped[at] ? byKept.get(kept)?.members : undefined;
    if (members !== undefined && members.length < MAX_SHOWN.members) members.push(at);
  });
  let pairs = 0;
  for (const cluster of clusters) {
    cluster.members.length = Math.min(cluster.members.length, MAX_SHOWN.pairs - pairs);
    pairs += cluster.members.length;
  }
  return { count: sizes.size, shown: clusters.filter(({ members }) => members.length > 0) };
}

/** Returns the documents closest to the threshold: the ones just dropped, and the ones just kept. */
function nearThreshold({ nearest, resemblances, isDropped }: Decisions): { above: number[]; below: number[] } {
  const [above, below] = [new Lowest<number>(MAX_SHOWN.misses), new Lowest<number>(MAX_SHOWN.misses)];
  nearest.forEach((kept, at) => {
    if (kept < 0) return;
    if (isDropped[at]) above.add(resemblances[at], at);
    else below.add(-resemblances[at], at);
  });
  return { above: above.items, below: below.items };
}

function countByGroup({ groups, isDropped }: Decisions): (Group | OtherGroups)[] {
  if (groups === undefined) return [];
  const counts = new Map<string, Group>();
  groups.forEach((name, at) => {
    const count = counts.get(name) ?? { name, documents: 0, dropped: 0 };
    count.documents++;
    count.dropped += isDropped[at];
    counts.set(name, count);
  });
  const all = [...counts.values()].sort((a, b) => b.documents - a.documents);
  const rest: OtherGroups = { name: null, groups: 0, documents: 0, dropped: 0 };
  for (const { documents, dropped } of all.splice(MAX_SHOWN.groups)) {
    rest.groups++;
    rest.documents += documents;
    rest.dropped += dropped;
  }
  return rest.groups > 0 ? [...all, rest] : all;
}

/** Returns the part of decisions that a report shows. */
export function select(decisions: Decisions): Selection {
  const { count, shown } = largestClusters(decisions);
  const misses = nearThreshold(decisions);
  const { nearest, resemblances, isDropped } = decisions;
  const pair = (at: number): Pair => ({
    at,
    kept: nearest[at],
    resemblance: resemblances[at],
    isDropped: isDropped[at] === 1,
  });
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
