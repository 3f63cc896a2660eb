// Decides a part of a call for a database that other clients may change between a read and a write: over an overlay of what the
// part itself keeps, which is written at once.
import type { Change } from '../dedupe/versions.js';
import { MAX_ENTRIES } from './candidates.js';
import type { Answer, Key, RemoteEngine, Snapshot, TimedVersion, Write } from './engine.js';
import { notFull, type PartResult, type Subject, type SubjectRule, writeOf } from './protocol.js';

/** Above the numbers of all versions of a store. */
const FIRST_ADDED = 2 ** 52;

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
export async function decideRemotely<S extends Subject, R>(
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
