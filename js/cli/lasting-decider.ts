// What an index and a store have in common: ids identify documents, and documents are kept if their lines are written.

import { lastingId } from '../core/lasting-id.js';
import type { Id, Sketch } from '../index.js';
import { type Decider, isDocumentKept, type RuleOptions } from './decider.js';
import type { Document } from './document.js';
import type { Original } from './original.js';
import type { Output } from './output.js';
import type { References } from './references.js';

/** What the set has under a key. */
interface Version {
  /** Undefined if the set has no document of the key. */
  sketch: Sketch | undefined;
  /** In seconds since 1970. */
  expires: number | undefined;
}

/** A document whose line is not written yet. */
interface Unwritten {
  /** The last document of its key. */
  last: Document;
  /** The version to restore if it is never written; undefined if the set itself restores it. */
  before: Version | undefined;
}

/** Decides by a set that outlives the run, and keeps new and changed documents in it. */
export abstract class LastingDecider implements Decider {
  readonly rule: RuleOptions;
  readonly hasIdentities = true;
  protected readonly references: References;
  protected readonly unwritten = new Map<Id, Unwritten>();
  /** The names of this run's documents, by their keys, where they differ: a place, or a number that the store has as a string. */
  readonly #names = new Map<Id, Id>();
  readonly #originals = new Map<Id, Original>();

  constructor(references: References, rule: RuleOptions) {
    [this.references, this.rule] = [references, rule];
  }

  get hasUnwritten(): boolean {
    return this.unwritten.size > 0;
  }

  abstract decide(documents: readonly Document[]): Promise<void>;
  abstract confirm(documents: readonly Document[], outputs: readonly Output[]): Promise<void>;
  abstract rollback(): Promise<void>;

  /** Returns the key of a document in the set. Without one, nothing could find it: decides that it is new, and returns undefined. */
  protected keyOf(document: Document): Id | undefined {
    const key = lastingId(document.id ?? undefined, document.sketch);
    if (key === undefined) document.outcome = { status: 'new' };
    return key;
  }

  /** Remembers the name of a document, and a kept one until its line is written. `before` is the version that it replaces. */
  protected note(document: Document, before?: Version): void {
    const { name, outcome } = document;
    const key = document.key as Id;
    if (outcome?.status === 'duplicate') return;
    if (isDocumentKept(document)) this.#names.delete(key);
    if (name !== key && !this.#names.has(key)) this.#names.set(key, name);
    const original = this.#originals.get(key);
    if (original !== undefined) original.name = this.#names.get(key) ?? key;
    if (!isDocumentKept(document)) return;
    const known = this.unwritten.get(key);
    if (known === undefined) this.unwritten.set(key, { last: document, before });
    else known.last = document;
  }

  /** Returns a kept document: its name is its id as the input has it, or its place if it has none. */
  protected readonly originalOf = (key: Id): Original => {
    const known = this.#originals.get(key);
    if (known !== undefined) return known;
    const original = { key, name: this.#names.get(key) ?? key, place: undefined };
    this.#originals.set(key, original);
    return original;
  };

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
