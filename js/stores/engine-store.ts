// A store in a database: the rules of its calls, over an engine.
import type { Hit, Observation, Outcome } from '../dedupe/decision.js';
import type { Rule } from '../dedupe/decision-options.js';
import { hasEqual, isLive, readVersion, sketchOfVersion } from '../dedupe/version-bytes.js';
import { type Change, decide, decideAdd, decideSettle, hitsOf, outcomeOf } from '../dedupe/versions.js';
import type { Sketch } from '../sketch/sketch.js';
import { type Advice, withAdvice } from './advice.js';
import { keyOfId, keysOf, type Salt } from './candidates.js';
import { type Engine, type Key, LostStore } from './engine.js';
import { type DecidePart, type Found, inParts, type Subject, type SubjectRule } from './protocol.js';
import { checkMetadata, halvesOf, type Settings } from './settings.js';
import { type CheckedDocument, type CheckedVersion, Store, type StoreEntry } from './store.js';

/** The number of versions in a part of a call that neither searches for documents nor files them. */
const VERSIONS_PART = 256;

/** The maximum number of times that a call opens the store. */
const MAX_OPENED = 3;

/** A version without its number. */
interface StoredValue {
  readonly id: string;
  readonly value: Uint8Array;
}

const valueIn = ({ value }: StoredValue): Uint8Array => value;

/** Returns a change that removes the own versions at these places. */
function removalOf(places: Iterable<number>): Change | undefined {
  const removes = [...places];
  return removes.length === 0 ? undefined : { removes, deadline: Number.POSITIVE_INFINITY };
}

/** Returns whether a version has ended, `otherwise` for a damaged one. */
function hasEnded(value: Uint8Array, now: number, otherwise: boolean): boolean {
  try {
    return readVersion(value).ends <= now;
  } catch {
    return otherwise;
  }
}

export class EngineStore<E extends Engine> extends Store {
  readonly #engine: E;
  readonly #decidePart: DecidePart<E>;
  readonly #advice: Advice;
  /** The salt of the open store. */
  #salt: Promise<string> | undefined;

  /** `decidePart` is of the kind of engine, so that a bundle has the code of one kind. */
  constructor(engine: E, settings: Settings, decidePart: DecidePart<E>, advice: Advice) {
    super(settings, engine.partSize);
    [this.#engine, this.#decidePart, this.#advice] = [engine, decidePart, advice];
  }

  override schema(): string {
    return this.#engine.schema();
  }

  protected observeAll(documents: readonly CheckedDocument[], rule: Omit<Rule, 'now'>): Promise<Observation<string>[]> {
    return this.#carryOutDocuments(documents, (document, found) => {
      const { decided, outcome } = this.#decide(document, found, rule);
      return { result: { id: document.id, ...outcome }, change: decided.change, of: decided.of };
    });
  }

  protected async peekAll(
    documents: readonly CheckedDocument<string | undefined>[],
    minResemblance: number,
  ): Promise<Outcome<string>[]> {
    const rule = { minResemblance, expiresIn: Number.NaN, lease: Number.NaN };
    const all = await this.#readAll(documents);
    return all.map((found, at) =>
      this.#named(documents[at].id, found, () => this.#decide(documents[at], found, rule).outcome),
    );
  }

  #decide({ sketch }: { sketch: Sketch }, found: Found, rule: Omit<Rule, 'now'>) {
    const { now } = found;
    const own = found.own.map(valueIn);
    // The candidates are searched for when they are read.
    const candidates = hasEqual(own, sketch, now) ? [] : found.candidates;
    const decided = decide(sketch, own, candidates.map(valueIn), { ...rule, now });
    return { decided, outcome: outcomeOf(decided, { candidates }) };
  }

  protected settle(kind: 'confirm' | 'release', versions: readonly CheckedVersion[]): Promise<number> {
    return this.#countChanges(versions, ({ sketch }, { now, own }) => {
      const change = decideSettle(kind, own.map(valueIn), now, sketch);
      return { result: change !== undefined, change };
    });
  }

  protected async addAll(documents: readonly CheckedDocument[], expiresIn: number): Promise<void> {
    await this.#carryOutDocuments(documents, ({ sketch }, { now, own }) => {
      const rule = { minResemblance: 1, lease: Number.NaN, expiresIn, now };
      return { result: undefined, change: decideAdd(sketch, own.map(valueIn), rule) };
    });
  }

  protected async find(id: string): Promise<Sketch | undefined> {
    const [{ now, own }] = await this.#readAll([{ id }]);
    const live = this.#liveIn(own, now);
    const found = live.find(({ value }) => !readVersion(value).isProvisional) ?? live[0];
    return found && sketchOfVersion(found.value, this.scheme);
  }

  protected remove(ids: readonly string[]): Promise<number> {
    const given = ids.map((id) => ({ id }));
    return this.#countChanges(given, (_, { now, own }) => ({
      result: own.some(({ value }) => !hasEnded(value, now, false)),
      change: removalOf(own.keys()),
    }));
  }

  async prune(): Promise<number> {
    let count = 0;
    let next: unknown;
    do {
      const page = await this.#use((salt) => this.#engine.page(next, true, salt));
      const listed = new Set(page.versions.map(({ number }) => number));
      const ids = new Set(page.versions.map(({ id }) => id));
      const given = Array.from(ids, (id) => ({ id }));
      count += await this.#countChanges(given, (_, { now, own }) => {
        // Another client may have renewed some of them.
        const ended = [...own.keys()].filter((at) => hasEnded(own[at].value, now, listed.has(own[at].number)));
        return { result: ended.length > 0 && ended.length === own.length, change: removalOf(ended) };
      });
      next = page.next;
    } while (next !== undefined);
    return count;
  }

  async count(): Promise<number> {
    return this.#use((salt) => this.#engine.count(salt));
  }

  async *entries(): AsyncGenerator<StoreEntry, void, undefined> {
    // An id with two versions may occur again: if its provisional version is confirmed during the iteration, a later page
    // has it as the kept one.
    const seen = new Set<string>();
    let next: unknown;
    do {
      const page = await this.#use((salt) => this.#engine.page(next, false, salt));
      const found = await this.#readAll(page.versions);
      for (const [at, { number, id }] of page.versions.entries()) {
        const { now, own } = found[at];
        const [first] = this.#liveIn(own, now);
        if (first?.number !== number || seen.has(id)) continue;
        if (own.length > 1) seen.add(id);
        yield { id, sketch: sketchOfVersion(first.value, this.scheme) };
      }
      next = page.next;
    } while (next !== undefined);
  }

  protected async search(document: Sketch, minResemblance: number, limit: number): Promise<Hit<string>[]> {
    const [{ now, candidates }] = await this.#readAll([{ id: undefined, sketch: document }]);
    for (const version of candidates) this.#checkValue(version);
    const values = candidates.map(valueIn);
    const hits = new Map<string, Hit<string>>();
    for (const { at, isProvisional, ...similarity } of hitsOf(document, values, minResemblance, now)) {
      const { id } = candidates[at];
      if (hits.size === limit) break;
      if (!hits.has(id)) hits.set(id, { id, ...similarity, ...(isProvisional && { isProvisional }) });
    }
    return [...hits.values()];
  }

  /** Reads the versions of ids, and the candidates for sketches, in one snapshot. */
  #readAll(all: readonly { id: string | undefined; sketch?: Sketch }[]): Promise<Found[]> {
    return this.#use(async (salt) => {
      const halves = halvesOf(salt);
      const questions = all.map(({ id, sketch }) => {
        const keys = sketch === undefined ? [] : keysOf(sketch, halves);
        return { id, keys: id === undefined ? keys : [keyOfId(id, halves), ...keys] };
      });
      const { now, answers } = await this.#engine.read(questions, salt);
      return answers.map((answer) => ({ ...answer, now }));
    });
  }

  /** Runs a call on the open store. The first call opens it; if that fails, the next call tries again. A lost store is opened anew. */
  async #use<T>(call: (salt: string) => Promise<T>): Promise<T> {
    for (let opened = 1; ; opened++) {
      this.#salt ??= this.#open();
      const salt = this.#salt;
      try {
        return await call(await salt);
      } catch (error) {
        if (!(error instanceof LostStore)) throw withAdvice(error, this.#advice);
        if (opened === MAX_OPENED) {
          const what = `${error.message}, ${MAX_OPENED} times during one call`;
          throw new Error(`nearprint: ${what}: stop the program that removes or creates the store`, { cause: error });
        }
        // Another call may have opened it again already.
        if (this.#salt === salt) this.#salt = undefined;
      }
    }
  }

  async #open(): Promise<string> {
    try {
      let found = await this.#engine.readMetadata();
      if (found === undefined) {
        await this.#engine.create();
        found = await this.#engine.readMetadata();
      }
      return checkMetadata(found, this.settings);
    } catch (error) {
      this.#salt = undefined;
      throw error;
    }
  }

  /** Carries out a rule on documents, which are searched for and filed under their keys. */
  #carryOutDocuments<V extends CheckedDocument, R>(
    documents: readonly V[],
    rule: SubjectRule<V & Subject, R>,
  ): Promise<R[]> {
    const keysFor = ({ sketch }: V, halves: Salt) => keysOf(sketch, halves);
    return this.#carryOut(documents, rule, { maxSize: this.#engine.partSize, keysFor });
  }

  /** Carries out a rule on versions that are not searched for, and returns the number of those with a result. */
  async #countChanges<V extends CheckedVersion>(
    versions: readonly V[],
    rule: (version: V, found: Found) => { result: boolean; change: Change | undefined },
  ): Promise<number> {
    const results = await this.#carryOut(versions, rule, { maxSize: VERSIONS_PART, keysFor: () => [] });
    return results.filter(Boolean).length;
  }

  /** Carries out a rule on versions, in parts. `keysFor` returns the keys of a version without the key of its id. */
  #carryOut<V extends CheckedVersion, R>(
    versions: readonly V[],
    rule: SubjectRule<V & Subject, R>,
    { maxSize, keysFor }: { maxSize: number; keysFor: (version: V, halves: Salt) => Key[] },
  ): Promise<R[]> {
    const decide = (subject: V & Subject, found: Found) => this.#named(subject.id, found, () => rule(subject, found));
    return inParts(versions, maxSize, (part) =>
      this.#use((salt) => {
        const halves = halvesOf(salt);
        const keysOfVersion = (version: V) => [keyOfId(version.id, halves), ...keysFor(version, halves)];
        const subjects = part.map((version) => ({ ...version, keys: keysOfVersion(version) }));
        return this.#decidePart(this.#engine, subjects, decide, salt);
      }),
    );
  }

  /** Replaces an error about a damaged value by one that names its id. */
  #named<R>(id: string | undefined, found: Found, decide: () => R): R {
    try {
      return decide();
    } catch (error) {
      for (const { value } of found.own) this.#checkValue({ id: id as string, value });
      for (const candidate of found.candidates) this.#checkValue(candidate);
      throw error;
    }
  }

  #checkValue({ id, value }: StoredValue): void {
    try {
      sketchOfVersion(value, this.scheme);
    } catch (cause) {
      const what = `the record of ${JSON.stringify(id)} is damaged`;
      throw new Error(`nearprint: ${what}: delete it, and observe the document again`, { cause });
    }
  }

  /** Returns the versions of an id that have not ended. */
  #liveIn<V extends StoredValue>(own: readonly V[], now: number): V[] {
    for (const version of own) this.#checkValue(version);
    return own.filter(({ value }) => isLive(value, now));
  }
}
