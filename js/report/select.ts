// Selects the decisions that a report shows, and counts the rest. This bounds the size of a report.

/** The value of `nearest` for a document without a nearest kept document. */
export const NONE = -1;
/** The value of `nearest` if that document is from an earlier run, whose texts are not available. */
export const EARLIER = -2;

export const MAX_SHOWN: Readonly<Record<'clusters' | 'members' | 'pairs' | 'misses', number>> = {
  clusters: 50,
  members: 10,
  pairs: 200,
  misses: 20,
};

/** Decisions on documents. Each array has one element for each document, in the order of the source. */
export interface DecisionLists {
  /** The position of the nearest document kept before it, or `NONE`, or `EARLIER`. */
  nearest: ArrayLike<number>;
  resemblances: ArrayLike<number>;
  /** 1 if the document is dropped, else 0. */
  isDropped: ArrayLike<number>;
}

/** A document and the nearest document kept before it. */
export interface ReportPair {
  at: number;
  kept: number;
  resemblance: number;
  isDropped: boolean;
}

export interface ReportCluster {
  kept: number;
  dropped: number;
  members: ReportPair[];
}

/** Returns the resemblance in whole percent, rounded down as in the text of the report. */
const toPercent = (resemblance: number): number => Math.floor(resemblance * 100 + 1e-9);

/** The part of the decisions that a report shows. */
export type ReportSelection = ReturnType<typeof select>;

export function select({ nearest, resemblances, isDropped }: DecisionLists) {
  let [dropped, earlier] = [0, 0];
  const counts: number[] = Array(101).fill(0);
  const byKept = new Map<number, number>();
  const [above, below]: number[][] = [[], []];
  for (let at = 0; at < nearest.length; at++) {
    const kept = nearest[at];
    // No document is kept before the first one.
    if (at > 0) counts[toPercent(resemblances[at])]++;
    dropped += isDropped[at];
    if (kept >= 0) (isDropped[at] ? above : below).push(at);
    if (kept >= 0 && isDropped[at]) byKept.set(kept, (byKept.get(kept) ?? 0) + 1);
    if (kept === EARLIER) earlier += isDropped[at];
  }
  const pairOf = (at: number): ReportPair => ({
    at,
    kept: nearest[at],
    resemblance: resemblances[at],
    isDropped: isDropped[at] === 1,
  });
  const sizes = [...byKept].sort((a, b) => b[1] - a[1]).slice(0, MAX_SHOWN.clusters);
  const largest = new Map(
    sizes.map(([kept, dropped]): [number, ReportCluster] => [kept, { kept, dropped, members: [] }]),
  );
  for (const at of above) {
    const members = largest.get(nearest[at])?.members;
    if (members !== undefined && members.length < MAX_SHOWN.members) members.push(pairOf(at));
  }
  let left = MAX_SHOWN.pairs;
  for (const { members } of largest.values()) {
    members.length = Math.min(members.length, left);
    left -= members.length;
  }
  const clusters = [...largest.values()].filter(({ members }) => members.length > 0);
  above.sort((a, b) => resemblances[a] - resemblances[b]);
  below.sort((a, b) => resemblances[b] - resemblances[a]);
  const [justAbove, justBelow] = [above, below].map((list) => list.slice(0, MAX_SHOWN.misses).map(pairOf));
  const pairs = [...justAbove, ...justBelow, ...clusters.flatMap(({ members }) => members)];
  return {
    documents: nearest.length,
    dropped,
    /** The number of near-duplicates of documents of earlier runs. */
    earlier,
    /** For each whole percent, the number of documents with this resemblance to the nearest document. */
    counts,
    clusters,
    clusterCount: byKept.size,
    /** The dropped documents closest to the threshold. */
    above: justAbove,
    /** The kept documents closest to the threshold. */
    below: justBelow,
    wanted: new Set(pairs.flatMap(({ at, kept }) => [at, kept])),
  };
}
