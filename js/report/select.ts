// Selects the decisions that a report shows, and counts the rest. This bounds the size of a report.

/** The value of `nearest` for a document without a nearest kept document. */
export const NONE = -1;
/** The value of `nearest` if that document is from an earlier run, whose texts are not available. */
export const EARLIER = -2;

export const MAX_SHOWN: Readonly<Record<'clusters' | 'members' | 'pairs' | 'misses' | 'groups', number>> = {
  clusters: 50,
  members: 10,
  pairs: 200,
  misses: 20,
  groups: 30,
};

/** Decisions on documents. Each array has one element for each document, in the order of the source. */
export interface DecisionLists {
  /** The position of the nearest document kept before it, or `NONE`, or `EARLIER`. */
  nearest: ArrayLike<number>;
  resemblances: ArrayLike<number>;
  /** 1 if the document is dropped, else 0. */
  isDropped: ArrayLike<number>;
  /** The name of the document's source or language, if documents have one. */
  groups?: readonly string[] | undefined;
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

/** The documents of a source or a language, or of all groups that the report does not show. */
export interface Group {
  name: string | null;
  groups: number;
  documents: number;
  dropped: number;
}

/** Returns the resemblance in whole percent, rounded down as in the text of the report. */
const toPercent = (resemblance: number): number => Math.floor(resemblance * 100 + 1e-9);

/** The fields that name the group of a document. The first one that it has counts. */
const groupFields = ['source', 'lang', 'language'];

export function groupOf(object: Readonly<Record<string, unknown>>): string | undefined {
  const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  const group = groupFields.map((field) => object[field]).find(isName);
  return group === undefined ? undefined : String(group);
}

function largestGroups(all: Group[]): Group[] {
  all.sort((a, b) => b.documents - a.documents);
  const rest: Group = { name: null, groups: 0, documents: 0, dropped: 0 };
  for (const { documents, dropped } of all.splice(MAX_SHOWN.groups)) {
    rest.groups++;
    rest.documents += documents;
    rest.dropped += dropped;
  }
  return rest.groups > 0 ? [...all, rest] : all;
}

/** The part of the decisions that a report shows. */
export type ReportSelection = ReturnType<typeof select>;

export function select({ nearest, resemblances, isDropped, groups }: DecisionLists) {
  let [dropped, earlier] = [0, 0];
  const counts: number[] = Array(101).fill(0);
  const byName = new Map<string, Group>();
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
    if (groups === undefined) continue;
    const group = byName.get(groups[at]) ?? { name: groups[at], groups: 1, documents: 0, dropped: 0 };
    byName.set(groups[at], group);
    group.documents++;
    group.dropped += isDropped[at];
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
    /** The largest groups, and then the others together. */
    groups: largestGroups([...byName.values()]),
    clusters,
    clusterCount: byKept.size,
    /** The dropped documents closest to the threshold. */
    above: justAbove,
    /** The kept documents closest to the threshold. */
    below: justBelow,
    wanted: new Set(pairs.flatMap(({ at, kept }) => [at, kept])),
  };
}
