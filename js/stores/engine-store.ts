// A store in a database: the rules of its calls, over an engine.
import { type Change, decideAdd, decideSettle, endOf, isLive, isProvisional, type Rule } from '../core/decide.js';
import type { Sketch } from '../core/sketch.js';
import type { Observation } from '../decisions/decision.js';
import type { Reading, Verifier } from '../decisions/verify.js';
import { decideBy, outcomeOf, type Versions } from '../decisions/versions.js';
import { type Advice, withAdvice } from './advice.js';
import { keysOf, type Salt } from './candidates.js';
import { type Engine, LostStore } from './engine.js';
import { carryOut, type Found, readOne, type Subject, type Rule as SubjectRule } from './protocol.js';
import { checkMetadata, type Settings } from './settings.js';
import { readSketch, Store, type StoreDocument, type StoreEntry, type StoreVersion } from './store.js';

/** The maximum number of times that a call opens the store. */
const MAX_OPENED = 3;

const NOT_GIVEN = { minResemblance: 1, expiresIn: Number.NaN, lease: Number.NaN };

const valueIn = ({ value }: { value: Uint8Array }): Uint8Array => value;

/** Returns a change of everything that was found. */
const removalOf = ({ own }: Found): Change => ({ removes: [...own.keys()], deadline: Number.POSITIVE_INFINITY });

export class EngineStore extends Store {
  readonly #engine: Engine;
  readonly #advice: Advice;
  #opened: Promise<Salt> | undefined;

  constructor(engine: Engine, settings: Settings, advice: Advice) {
    super(settings);
    this.#engine = engine;
    this.#advice = advice;
  }

  override schema(): string {
    return this.#engine.schema();
  }

  /** Runs a call on the open store. The first call opens it; if that fails, the next call tries again. */
  async #use<T>(call: (salt: Salt) => Promise<T>): Promise<T> {
    for (let opened = 1; ; opened++) {
      try {
        this.#opened ??= this.#open().catch((error) => {
          this.#opened = undefined;
          throw error;
        });
        return await call(await this.#opened);
      } catch (error) {
        if (!(error instanceof LostStore) || opened === MAX_OPENED) throw withAdvice(error, this.#advice);
        this.#opened = undefined;
      }
    }
  }

  async #open(): Promise<Salt> {
    let found = await this.#engine.readMetadata();
    if (found === undefined) {
      await this.#engine.create();
      found = await this.#engine.readMetadata();
    }
    return checkMetadata(found, this.settings);
  }

  /** Carries out a rule on versions; those with documents are searched for. */
  #carryOut<V extends StoreVersion, R>(versions: readonly V[], rule: SubjectRule<V & Subject, R>): Promise<R[]> {
    const withKeys = (salt: Salt) => (version: V) => ({
      ...version,
      keys: 'text' in version ? keysOf(version.sketch as Sketch, salt) : [],
    });
    return carryOut(
      (call) => this.#use((salt) => call(withKeys(salt))),
      this.#engine,
      versions,
      (subject, found) => this.#withName(rule(subject, found), subject, found),
    );
  }

  /** Replaces an error about a damaged value by one that names its id. */
  *#withName<R>(reading: Reading<R>, { id }: Subject, { own, candidates }: Found): Reading<R> {
    try {
      return yield* reading;
    } catch (error) {
      for (const { value } of own) readSketch(value, this.scheme, id);
      for (const { value, id } of candidates) readSketch(value, this.scheme, id);
      throw error;
    }
  }

  protected observeAll(
    documents: readonly StoreDocument[],
    rule: Omit<Rule, 'now'>,
    verifier: Verifier<string> | undefined,
    note: (document: StoreDocument, isKept: boolean) => void,
  ): Promise<Observation<string>[]> {
    return this.#carryOut(documents, function* (document, { now, own, candidates }) {
      const { id } = document;
      const versions = { now, own: own.map(valueIn), candidates };
      const decided = yield* decideBy(document, id, versions, rule, verifier);
      note(document, decided.change?.add !== undefined);
      return { result: { id, ...outcomeOf(decided, versions) }, change: decided.change };
    });
  }

  protected async addAll(documents: readonly StoreDocument[], expiresIn: number): Promise<void> {
    // biome-ignore lint/correctness/useYield: a reading without texts
    await this.#carryOut(documents, function* ({ sketch }, { now, own }) {
      const change = decideAdd(sketch, own.map(valueIn), { ...NOT_GIVEN, now, expiresIn });
      return { result: undefined, change };
    });
  }

  protected async settle(kind: 'confirm' | 'release', versions: readonly StoreVersion[]): Promise<number> {
    // biome-ignore lint/correctness/useYield: a reading without texts
    const settled = await this.#carryOut(versions, function* ({ sketch }, { now, own }) {
      const change = decideSettle(kind, own.map(valueIn), now, sketch);
      return { result: change !== undefined, change };
    });
    return settled.filter(Boolean).length;
  }

  protected async remove(ids: readonly string[]): Promise<number> {
    const given = ids.map((id) => ({ id }));
    const removed = await this.#carryOut(given, function* (_, found) {
      // A damaged version is removed too.
      const isKept = found.own.some(({ value }) => isLiveOrDamaged(value, found.now));
      return { result: isKept, change: found.own.length > 0 ? removalOf(found) : undefined };
    });
    return removed.filter(Boolean).length;
  }

  protected async find(id: string): Promise<Sketch | undefined> {
    const { now, own } = await this.#use(() => readOne(this.#engine, id, []));
    for (const { value } of own) readSketch(value, this.scheme, id);
    const live = own.map(valueIn).filter((value) => isLive(value, now));
    const value = live.find((value) => !isProvisional(value)) ?? live[0];
    return value && readSketch(value, this.scheme, id);
  }

  async *entries(): AsyncGenerator<StoreEntry, void, undefined> {
    // An id with two versions may occur again: if its provisional version is confirmed during the iteration, a later page
    // has it as the kept one.
    const seen = new Set<string>();
    let next: unknown;
    do {
      const page = await this.#use(() => this.#engine.page(next));
      for (const { id, value, hasOther } of page.versions) {
        if (seen.has(id)) continue;
        if (hasOther) seen.add(id);
        yield { id, sketch: readSketch(value, this.scheme, id) };
      }
      next = page.next;
    } while (next !== undefined);
  }

  async read(document: Sketch, id: string | undefined): Promise<Versions<string>> {
    const found = await this.#use((salt) => readOne(this.#engine, id, keysOf(document, salt)));
    for (const { value, id } of found.candidates) readSketch(value, this.scheme, id);
    return { ...found, own: found.own.map(valueIn) };
  }

  prune(): Promise<number> {
    return this.#use(() => this.#engine.prune());
  }

  count(): Promise<number> {
    return this.#use(() => this.#engine.count());
  }
}

function isLiveOrDamaged(value: Uint8Array, now: number): boolean {
  try {
    return endOf(value) > now;
  } catch {
    return true;
  }
}
