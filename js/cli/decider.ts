// Decides on documents by sets in memory. store.ts decides by a store. The rule is in src/dedupe/decide.rs.
import { isKept, type Outcome } from '../core/decision.js';
import { derivedId } from '../core/lasting-id.js';
import { decideBy, joined, outcomeOf } from '../decisions/versions.js';
import type { Deduplicator, Id, Sketch } from '../index.js';
import type { Document } from './document.js';
import type { Output } from './output.js';
import { readAll } from './references.js';

export interface RuleOptions {
  minResemblance: number;
  /** The number of seconds after which documents expire. */
  expiresIn: number | undefined;
}

export const isDocumentKept = ({ outcome }: Document): boolean => outcome !== undefined && isKept(outcome);

/** The prefix of the key of a document without an id, in a set that does not outlive the run. No id starts with it. */
const PLACE = `\0${Math.random()}#`;

interface Version {
  /** Undefined if the set has no document of the key. */
  sketch: Sketch | undefined;
  /** In seconds since 1970. */
  expires: number | undefined;
}

/** Decides on documents, in the order of the calls, and keeps new and changed ones in a set, under their keys. */
export abstract class Decider {
  readonly rule: RuleOptions;
  /** Whether the set of new and changed documents outlives the run. */
  protected readonly isLasting: boolean;
  /** The names of this run's documents, by their keys, where they differ: a place, or a number that the store has as a string. */
  readonly #names = new Map<Id, Id>();
  /**
   * For each key of a lasting set whose last document is not written yet: that document, and the version to restore if it is
   * never written. `before` is undefined if the set itself restores it.
   */
  readonly unwritten = new Map<Id, { last: Document; before: Version | undefined }>();

  constructor(rule: RuleOptions, isLasting: boolean) {
    this.rule = rule;
    this.isLasting = isLasting;
  }

  /** Sets `key` and `outcome` of documents. */
  abstract decide(documents: Iterable<Document>): Promise<void>;

  /** Undoes, at the end of the run, the changes of the set by documents whose lines are not written. */
  abstract rollback(): void | Promise<void>;

  /** Returns the key of a document. Without an id it is its place, or in a lasting set an id that a later run derives too. */
  protected keyOf(document: Document): Id {
    return document.id ?? (this.isLasting ? derivedId(document.sketch) : PLACE + document.place);
  }

  /** Decides on a document without an id and without words: nothing could find it in a set, so it is new, and not kept. */
  protected decideNameless(document: Document): boolean {
    if (document.id !== null || !document.isBlank) return false;
    document.key = PLACE + document.place;
    document.outcome = { status: 'new' };
    return true;
  }

  /** Remembers the name of a document, and a kept one until its line is written. `before` is the version that it replaces. */
  protected note(document: Document, before?: Version): void {
    const { name, outcome } = document;
    const key = document.key as Id;
    if (outcome?.status === 'duplicate') return;
    if (isDocumentKept(document)) this.#names.delete(key);
    if (name !== key && !this.#names.has(key)) this.#names.set(key, name);
    if (!isDocumentKept(document)) return;
    const known = this.unwritten.get(key);
    if (known === undefined) this.unwritten.set(key, { last: document, before });
    else known.last = document;
  }

  /** Returns the id of a kept document as the input has it, or its place if it has none. */
  nameOf(key: Id): Id {
    if (typeof key === 'string' && key.startsWith(PLACE)) return key.slice(PLACE.length);
    return this.#names.get(key) ?? key;
  }

  /** Makes documents permanent in the set, after their lines are written to the outputs. */
  abstract confirm(documents: readonly Document[], outputs: readonly Output[]): Promise<void>;

  /** Returns the written documents that are the last of their keys, and forgets them. */
  protected settle(documents: readonly Document[]): Document[] {
    const { expiresIn } = this.rule;
    return documents.filter((document) => {
      const known = isDocumentKept(document) ? this.unwritten.get(document.key as Id) : undefined;
      if (known === undefined) return false;
      if (known.last === document) return this.unwritten.delete(document.key as Id);
      known.before = { sketch: document.sketch, expires: expiresIn && Date.now() / 1000 + expiresIn };
      return false;
    });
  }
}

/** Decides by sets in memory. The index file is saved later. */
export class MemoryDecider extends Decider {
  readonly #own: Deduplicator;
  readonly #base: readonly Deduplicator[];
  readonly #isWithin: boolean;
  readonly #observe: ReturnType<Deduplicator['observer']>;

  /**
   * New and changed documents are added to `own`, which outlives the run if `isLasting`. `base` is not changed. `isWithin` states
   * that documents are compared with earlier ones of the run.
   */
  constructor(
    own: Deduplicator,
    base: readonly Deduplicator[],
    rule: RuleOptions,
    { isLasting, isWithin }: { isLasting: boolean; isWithin: boolean },
  ) {
    super(rule, isLasting);
    [this.#own, this.#base, this.#isWithin] = [own, base, isWithin];
    this.#observe = own.observer(rule);
  }

  /** Decides as `base` would if it had the documents of the run. */
  #observeOver(key: Id, document: Document): Outcome {
    const { sketch } = document;
    const { minResemblance, expiresIn } = this.rule;
    const lower = readAll(this.#base, sketch, document.id === null && !this.isLasting ? undefined : key);
    const upper = this.#own.read(sketch, key);
    const versions = joined(lower, upper, (id) => this.#own.has(id));
    const options = { minResemblance, expiresIn: Number.NaN, lease: Number.NaN };
    const decided = decideBy(sketch, versions, options);
    const isRenewed = decided.status === 'unchanged' && upper.own.length > 0;
    if (this.#isWithin && (isKept(decided) || isRenewed)) this.#own.add(key, sketch, { expiresIn });
    return outcomeOf(decided, versions);
  }

  async decide(documents: Iterable<Document>): Promise<void> {
    for (const document of documents) {
      if (this.decideNameless(document)) continue;
      const key = this.keyOf(document);
      const before = this.isLasting && !this.unwritten.has(key) ? this.#versionOf(key) : undefined;
      document.key = key;
      const hasBase = this.#base.length > 0;
      document.outcome = hasBase ? this.#observeOver(key, document) : this.#observe(key, document.sketch, 'sketch');
      if (this.isLasting) this.note(document, before);
    }
  }

  #versionOf(key: Id): Version {
    const sketch = this.#own.get(key);
    return { sketch, expires: sketch && this.#own.expires(key) };
  }

  async confirm(documents: readonly Document[]): Promise<void> {
    this.settle(documents);
  }

  rollback(): void {
    for (const [key, { before }] of this.unwritten) {
      const { sketch, expires } = before as Version;
      if (sketch === undefined) this.#own.delete(key);
      else this.#own.restore(key, sketch, expires);
    }
  }
}
