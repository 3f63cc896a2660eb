// The option --store: the kept documents are in a store that other processes use too.
import { isKept, type Outcome } from '../dedupe/decision.js';
import { joinOutcomes } from '../dedupe/join-outcomes.js';
import { ArgumentError, type Id, type IdentifiedDocument, type Sketch } from '../index.js';
import { messageOf, UserError } from '../node/errors.js';
import { checkStoreId } from '../stores/settings.js';
import type { Store } from '../stores/store.js';
import type { Document } from './batch.js';
import type { RuleOptions } from './batch-decider.js';
import type { Decisions } from './decisions.js';
import type { Io } from './io.js';
import { LastingDecider } from './lasting-decider.js';
import { type Original, withOriginal } from './original.js';
import type { Output } from './output.js';
import type { References } from './references.js';
import type { Selection } from './selection.js';

/** Returns the outcome of a document whose kept version has the sketch `kept`, by that version alone. */
function compareVersions(kept: Sketch, sketch: Sketch): Outcome<never> {
  if (kept.equals(sketch)) return { status: 'unchanged' };
  return { status: 'changed', resemblance: kept.resemblance(sketch) };
}

/** A kept document whose line is not written yet. */
interface Unwritten {
  /** The last document of its key. */
  last: Document;
  /** The last version of its key whose line is written, if there is one. */
  written: Sketch | undefined;
}

/** Returns whether a document was decided to replace a version. Its resemblance tells it from a version of another process. */
function replaces({ outcome, sketch }: Document, version: Sketch): boolean {
  return (
    outcome?.status === 'changed' && !version.equals(sketch) && outcome.resemblance === version.resemblance(sketch)
  );
}

/**
 * Decides by references and then by a store, which keeps a document provisionally until its line is written.
 *
 * The store decides on documents in batches. It is asked by `peek` about a document that a reference knows, or whose id has a
 * version whose line is not written yet.
 */
export class StoreDecider extends LastingDecider {
  readonly #store: Store;
  readonly #lease: number;
  readonly #io: Pick<Io, 'reject'>;
  readonly #unwritten = new Map<string, Unwritten>();
  /** The positions of the documents that the store will decide on, by their keys. */
  #next = new Map<string, number>();

  /** `lease` is the number of seconds within which the lines of decided documents are written. */
  constructor(store: Store, references: References, rule: RuleOptions, lease: number, io: Pick<Io, 'reject'>) {
    super(references, rule);
    [this.#store, this.#lease, this.#io] = [store, lease, io];
  }

  get hasUnwritten(): boolean {
    return this.#unwritten.size > 0;
  }

  /** Returns the key of a document; undefined if it is decided without one, or if the store does not take its id. */
  protected override keyAt(documents: Selection, at: number, decisions: Decisions): string | undefined {
    const key = super.keyAt(documents, at, decisions);
    if (key === undefined) return undefined;
    try {
      return checkStoreId(String(key), 'the id, with --store,');
    } catch (error) {
      this.#io.reject(documents.documentAt(at).place, messageOf(error));
      return undefined;
    }
  }

  protected async decideKeyed(documents: Selection, decisions: Decisions): Promise<void> {
    const known = this.references.peek(documents, this.rule.minResemblance);
    for (const [at, key] of (decisions.keys as string[]).entries()) {
      if (this.#next.has(key)) await this.#observeNext(documents, decisions);
      if (!this.#unwritten.has(key) && known[at] === undefined) {
        this.#next.set(key, at);
        continue;
      }
      await this.#observeNext(documents, decisions);
      decisions.setOutcome(at, await this.#decide(key, documents.sketchAt(at), known[at]));
      this.note(documents, at, decisions);
    }
    await this.#observeNext(documents, decisions);
  }

  /** Decides on one document. `known` is the decision of the references, if there are any. */
  async #decide(key: string, sketch: Sketch, known: Outcome<Original> | undefined): Promise<Outcome<Original>> {
    const { minResemblance, expiresIn } = this.rule;
    const [found] = await this.#call((store) => store.peek([{ id: key, sketch }], { minResemblance }));
    const own = withOriginal<Id>(found, this.originalOf);
    const outcomes: Outcome<Original>[] = known === undefined ? [] : [known];
    // A version of this run counts as kept before its line is written.
    const last = this.#unwritten.get(key)?.last.sketch;
    if (last !== undefined) outcomes.push(compareVersions(last, sketch));
    if (last === undefined || own.status === 'duplicate') outcomes.push(own);
    const joined = joinOutcomes(outcomes);
    // Near-duplicates are in the store already.
    if (isKept(joined)) await this.#observe([{ id: key, sketch }], 1);
    else if (joined.status === 'unchanged' && own.status === 'unchanged' && expiresIn !== undefined)
      await this.#observe([{ id: key, sketch }]);
    return joined;
  }

  #observe(versions: IdentifiedDocument<string>[], minResemblance = this.rule.minResemblance) {
    const { expiresIn } = this.rule;
    return this.#call((store) => store.observe(versions, { minResemblance, expiresIn, lease: this.#lease }));
  }

  /** Lets the store decide on the documents that wait for it. Their ids differ. */
  async #observeNext(documents: Selection, decisions: Decisions): Promise<void> {
    const next = [...this.#next];
    if (next.length === 0) return;
    this.#next = new Map();
    const outcomes = await this.#observe(next.map(([id, at]) => ({ id, sketch: documents.sketchAt(at) })));
    for (const [index, [, at]] of next.entries()) {
      decisions.setOutcome(at, withOriginal<Id>(outcomes[index], this.originalOf));
      this.note(documents, at, decisions);
    }
  }

  /** Remembers the name of a decided document, and a kept one until its line is written. */
  protected override note(documents: Selection, at: number, decisions: Decisions): void {
    super.note(documents, at, decisions);
    if (!decisions.isKept(at)) return;
    const key = decisions.keys[at] as string;
    const last = documents.documentAt(at);
    this.#unwritten.set(key, { last, written: this.#unwritten.get(key)?.written });
  }

  async confirm(documents: Iterable<Document>, outputs: readonly Output[]): Promise<void> {
    for (const output of outputs) output.sync();
    const settled = Array.from(this.#settle(documents));
    await this.#call(async (store) => {
      const versions = settled.map(({ key: id, document: { sketch } }) => ({ id, sketch }));
      if ((await store.confirm(versions)) < versions.length) await this.#addMissing(settled);
    });
  }

  /** Yields the keys of the written documents that are the last of their keys, and forgets them. */
  *#settle(documents: Iterable<Document>): Generator<{ key: string; document: Document }, void, undefined> {
    for (const document of documents) {
      if (!document.isKept || document.key === undefined) continue;
      const key = document.key as string;
      const known = this.#unwritten.get(key);
      if (known === undefined) continue;
      if (known.last.isSame(document)) {
        this.#unwritten.delete(key);
        yield { key, document };
      } else known.written = document.sketch;
    }
  }

  /**
   * Adds the written documents that the store does not have: the lease of a version has ended before its line was written, or the
   * store had an equal document of another id. Where another process has kept a version of the id meanwhile, that version stays.
   */
  async #addMissing(settled: readonly { key: string; document: Document }[]): Promise<void> {
    const missing: IdentifiedDocument<string>[] = [];
    for (const { key: id, document } of settled) {
      const kept = await this.#store.get(id);
      if (kept === undefined || replaces(document, kept)) missing.push({ id, sketch: document.sketch });
    }
    await this.#add(missing);
  }

  #add(versions: readonly IdentifiedDocument<string>[]): Promise<void> {
    return this.#store.add(versions, { expiresIn: this.rule.expiresIn });
  }

  async rollback(): Promise<void> {
    const versions = [...this.#unwritten];
    try {
      await this.#store.release(versions.map(([id, { last }]) => ({ id, sketch: last.sketch })));
      await this.#add(versions.flatMap(([id, { written: sketch }]) => (sketch === undefined ? [] : { id, sketch })));
    } catch {
      // Versions that are not released are discarded when their leases end.
    }
  }

  async #call<T>(call: (store: Store) => Promise<T>): Promise<T> {
    try {
      return await call(this.#store);
    } catch (error) {
      if (error instanceof TypeError && !(error instanceof ArgumentError)) throw error;
      throw new UserError(`--store: ${messageOf(error)}`);
    }
  }
}
