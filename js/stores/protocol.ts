// The protocol of a store: read, decide, and write on the condition that what was read still holds.
//
// A call is split into parts of `engine.partSize` documents, in order. The documents of a part are decided in order too, over an
// overlay of what the part itself keeps. If a write is refused, the documents before the refused one are done, and the others
// are read and decided again.
//
// The promise of docs/stores.md: each decision is right at one instant during the call, and the instants of documents that depend on
// each other are in their order. A decision that writes is right when it is written. One that writes nothing is right when it is read,
// or, if it depends on documents before it, when they are written: the write then requires what the decision has read.
import type { Change } from '../dedupe/versions.js';
import { MAX_ENTRIES } from './candidates.js';
import type {
  Answer,
  Engine,
  Key,
  LocalEngine,
  RemoteEngine,
  Snapshot,
  StoredVersion,
  TimedVersion,
  Write,
} from './engine.js';

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
interface PartResult<R> {
  results: R[];
  isRefused: boolean;
}

/** The number of refusals after which a call decides on one document at a time. */
const MAX_REFUSALS = 3;

/** The longest mean wait after a refusal, in milliseconds. */
const MAX_BACKOFF = 100;

/** Above the numbers of all versions of a store. */
const FIRST_ADDED = 2 ** 52;

/** The time in milliseconds after which a transaction accepts no further document, since others wait for it. */
const MAX_TRANSACTION = 200;

/**
 * Returns the keys that are not full. `counts` has the number of versions under each. The key of an id may also be a key of the
 * document: it is returned once.
 */
const notFull = (keys: readonly Key[], counts: readonly number[]): Key[] =>
  keys.filter((key, at) => counts[at] < MAX_ENTRIES && keys.indexOf(key) === at);

/**
 * Returns the write of a change. Its conditions are on the store as it was read, so they are from `answer`. A version is filed after the
 * earlier changes of the same part: under the keys that are not full according to `after`.
 */
function writeOf(
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

/** The decisions on the first subjects of a part, each on the store as it is after the changes of those before it. */
class PartOverlay<S extends Subject, R> {
  readonly results: R[] = [];
  readonly writes: Write[] = [];
  /** For each write, the index of its subject. */
  readonly subjectIndices: number[] = [];
  /** The versions that the part adds, under their keys. */
  readonly #added = new Map<Key, TimedVersion[]>();
  /** The numbers of the versions that it removes. */
  readonly #removed = new Set<number>();
  /** The numbers of the ended versions whose places under a key of equality it takes. */
  readonly #displaced = new Set<number>();
  /** The ids with changes. */
  readonly #changedIds = new Set<string>();
  /** The numbers of the versions that these ids had. */
  readonly #changedVersions = new Set<number>();
  readonly #rule: SubjectRule<S, R>;

  constructor(rule: SubjectRule<S, R>) {
    this.#rule = rule;
  }

  /** Decides on subjects, until one depends on a version that the part replaces. */
  decide(subjects: readonly S[], { now, answers }: Snapshot): void {
    for (const [at, subject] of subjects.entries()) {
      let answer = answers[at];
      if (this.#changedIds.size > 0) {
        answer = this.#after(subject, answer);
        if (this.#isAffected(subject, answer)) return;
      }
      let usesCandidates = false;
      const { result, change, of } = this.#rule(subject, {
        now,
        own: answer.own,
        get candidates() {
          usesCandidates = true;
          return answer.candidates;
        },
      });
      this.results.push(result);
      if (change !== undefined) this.#write(subject, answer, change);
      else if (usesCandidates && answer !== answers[at]) this.#writeConditions(subject, answer, now, of);
    }
  }

  /** Returns an answer whose candidates are those after the changes of the part. */
  #after({ keys }: S, answer: Answer): Answer {
    const { candidatesAfter } = answer;
    const isSame = this.#removed.size === 0 && !keys.some((key) => this.#added.has(key));
    if (candidatesAfter === undefined || isSame) return answer;
    return { ...answer, candidates: candidatesAfter(this.#removed, (key) => this.#added.get(key) ?? []) };
  }

  /** Returns whether the changes of the part affect what was read. A removal also leaves a full key with fewer versions. */
  #isAffected({ id, keys }: S, { candidates, counts }: Answer): boolean {
    return (
      this.#changedIds.has(id) ||
      candidates.some(({ number }) => this.#changedVersions.has(number)) ||
      (this.#removed.size > 0 && keys.some((key, at) => this.#countUnder(key, counts[at]) >= MAX_ENTRIES))
    );
  }

  /** Returns the number of versions under a key: those that were read, and those that the part adds. */
  #countUnder(key: Key, count: number): number {
    return count + (this.#added.get(key)?.length ?? 0);
  }

  /**
   * Adds a write without changes, with the conditions of a decision that depends on changes of the part: nothing that it has read changes
   * before them. What the part itself adds is not read.
   */
  #writeConditions({ id, keys }: S, { own, candidates, counts }: Answer, now: number, of = -1): void {
    const read = [...own, ...candidates.slice(of, of + 1)].filter(({ number }) => number < FIRST_ADDED);
    const deadline = Math.min(...read.map(({ ends }) => ends).filter((ends) => ends > now));
    this.subjectIndices.push(this.results.length - 1);
    this.writes.push({ id, expected: read, deadline, guarded: notFull(keys, counts), removes: [] });
  }

  #write(subject: S, answer: Answer, change: Change): void {
    const { id, keys } = subject;
    const counts = keys.map((key, at) => this.#countUnder(key, answer.counts[at]));
    const ended = answer.ended.filter(({ number }) => !this.#displaced.has(number) && !this.#removed.has(number));
    const write = writeOf(subject, answer, change, { counts, ended });
    const { insert } = write;
    if (insert !== undefined) {
      const version = { ...insert, id, number: FIRST_ADDED + this.writes.length };
      for (const key of insert.keys) this.#added.set(key, [...(this.#added.get(key) ?? []), version]);
      if (insert.displaced !== undefined) this.#displaced.add(insert.displaced.number);
    }
    this.subjectIndices.push(this.results.length - 1);
    this.writes.push(write);
    this.#changedIds.add(id);
    for (const { number } of write.removes) this.#removed.add(number);
    for (const { number } of answer.own) this.#changedVersions.add(number);
  }
}

/** Carries out the first subjects, at least one unless the write is refused. Returns their results. */
async function decideRemotely<S extends Subject, R>(
  engine: RemoteEngine,
  subjects: readonly S[],
  rule: SubjectRule<S, R>,
  salt: string,
): Promise<PartResult<R>> {
  const snapshot = await engine.read(subjects, salt);
  const overlay = new PartOverlay(rule);
  try {
    overlay.decide(subjects, snapshot);
  } catch (error) {
    // The subjects before the failed one are written first. The next part begins with it, and fails.
    if (overlay.results.length === 0) throw error;
  }
  const { results, writes, subjectIndices } = overlay;
  const count = writes.length === 0 ? 0 : await engine.write(writes, snapshot.token);
  const isRefused = count < writes.length;
  return { results: isRefused ? results.slice(0, subjectIndices[count]) : results, isRefused };
}

/**
 * Carries out the first subjects, at least one. Returns their results. Each is read after the one before it is written, so no
 * overlay is needed.
 */
async function decideLocally<S extends Subject, R>(
  engine: LocalEngine,
  subjects: readonly S[],
  rule: SubjectRule<S, R>,
  salt: string,
): Promise<PartResult<R>> {
  let results: R[] = [];
  await engine.transaction(() => {
    results = [];
    const end = performance.now() + MAX_TRANSACTION;
    for (const subject of subjects) {
      let write: Write | undefined;
      try {
        const answer = engine.readNow(subject);
        const { result, change } = rule(subject, answer);
        if (change !== undefined) write = writeOf(subject, answer, change);
        results.push(result);
      } catch (error) {
        // The subjects before the failed one are kept first. The next call fails.
        if (results.length === 0) throw error;
        return;
      }
      if (write !== undefined) engine.writeNow(write);
      if (performance.now() > end) return;
    }
  }, salt);
  return { results, isRefused: false };
}

/** Carries out the first subjects of a part, whose keys were made with a salt, and returns their results. */
export const decidePart = <S extends Subject, R>(
  engine: Engine,
  subjects: readonly S[],
  rule: SubjectRule<S, R>,
  salt: string,
): Promise<PartResult<R>> =>
  'transaction' in engine ? decideLocally(engine, subjects, rule, salt) : decideRemotely(engine, subjects, rule, salt);

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
