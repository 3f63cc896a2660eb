// The protocol of a store: read, decide, and write on the condition that what was read still holds.
//
// A call is split into parts of `engine.partSize` documents, in order. The documents of a part are decided in order too: within a
// transaction by decide-locally.ts, else by decide-remotely.ts. If a write is refused, the documents before the refused one are done,
// and the others are read and decided again.
//
// The promise of docs/stores.md: each decision is right at one instant during the call, and the instants of documents that depend on
// each other are in their order. A decision that writes is right when it is written. One that writes nothing is right when it is read,
// or, if it depends on documents before it, when they are written: the write then requires what the decision has read.
import type { Change } from '../dedupe/versions.js';
import { MAX_ENTRIES } from './candidates.js';
import type { Answer, Key, StoredVersion, Write } from './engine.js';

/** The state of the store on which the decision on a subject depends. */
export interface Found {
  readonly now: number;
  readonly own: readonly StoredVersion[];
  readonly candidates: readonly StoredVersion[];
}

/** The subject of a call: an id, and the keys to search and to file a version under, the key of the id first. */
export interface Subject {
  id: string;
  keys: readonly Key[];
}

/** Decides on a subject: returns a result, the change to make, and the index of the candidate that the result names, if any. */
export type SubjectRule<S, R> = (subject: S, found: Found) => { result: R; change: Change | undefined; of?: number };

/** The results of the first subjects of a part, and whether a write was refused. */
export interface PartResult<R> {
  results: R[];
  isRefused: boolean;
}

/** Carries out the first subjects of a part, whose keys were made with a salt: at least one, unless a write is refused. */
export type DecidePart<E> = <S extends Subject, R>(
  engine: E,
  subjects: readonly S[],
  rule: SubjectRule<S, R>,
  salt: string,
) => Promise<PartResult<R>>;

/** The number of refusals after which a call decides on one document at a time. */
const MAX_REFUSALS = 3;

/** The longest mean wait after a refusal, in milliseconds. */
const MAX_BACKOFF = 100;

/**
 * Returns the keys that are not full. `counts` has the number of versions under each. The key of an id may also be a key of the
 * document: it is returned once.
 */
export const notFull = (keys: readonly Key[], counts: readonly number[]): Key[] =>
  keys.filter((key, at) => counts[at] < MAX_ENTRIES && keys.indexOf(key) === at);

/**
 * Returns the write of a change. Its conditions are on the store as it was read, so they are from `answer`. A version is filed after the
 * earlier changes of the same part: under the keys that are not full according to `after`.
 */
export function writeOf(
  { id, keys }: Subject,
  answer: Answer,
  { removes, update, add, deadline }: Change,
  after: Pick<Answer, 'counts' | 'ended'> = answer,
): Write {
  const { own } = answer;
  // Only an addition depends on other documents.
  const guarded = add === undefined ? keys.slice(0, 1) : notFull(keys, answer.counts);
  const write: Write = { id, expected: own, deadline, guarded, removes: removes.map((at) => own[at]) };
  if (update !== undefined) write.update = { ...update, number: own[update.at].number };
  if (add !== undefined) {
    const { counts, ended } = after;
    const free = notFull(keys, counts);
    const last = keys.length - 1;
    const isDisplacing = free.at(-1) === keys[last] && counts[last] + ended.length >= MAX_ENTRIES;
    write.insert = { ...add, keys: free, displaced: isDisplacing ? ended[0] : undefined };
  }
  return write;
}

/** Carries out a call in parts of at most `maxSize`, and returns the results. `carryOutFirst` carries out the first items of a part. */
export async function inParts<G, R>(
  given: readonly G[],
  maxSize: number,
  carryOutFirst: (part: readonly G[]) => Promise<PartResult<R>>,
): Promise<R[]> {
  const all: R[] = [];
  let size = maxSize;
  let refusals = 0;
  while (all.length < given.length) {
    const part = given.slice(all.length, all.length + size);
    const { results, isRefused } = await carryOutFirst(part);
    all.push(...results);
    refusals = isRefused ? refusals + 1 : 0;
    // A part that ends early has documents that depend on each other: the next one is hardly longer, so that few are read in vain. A whole
    // part is followed by one of four times its size.
    size =
      refusals >= MAX_REFUSALS ? 1 : Math.min(maxSize, results.length < part.length ? results.length + 1 : 4 * size);
    if (isRefused)
      await new Promise((wait) => setTimeout(wait, 2 * Math.random() * Math.min(MAX_BACKOFF, 2 ** refusals)));
  }
  return all;
}
