// The common part of an index and a store: ids identify documents, and documents are kept if their lines are written.
import { lastingId } from '../dedupe/lasting-id.js';
import type { Id } from '../index.js';
import type { Document } from './batch.js';
import type { BatchDecider, RuleOptions } from './batch-decider.js';
import { Decisions } from './decisions.js';
import type { Original } from './original.js';
import type { Output } from './output.js';
import type { References } from './references.js';
import type { Selection } from './selection.js';

/** Decides by a set that outlives the run, and keeps new and changed documents in it. */
export abstract class LastingDecider implements BatchDecider {
  readonly rule: RuleOptions;
  readonly hasIdentities = true;
  protected readonly references: References;
  /** The names of this run's documents, by their keys, where they differ: a place, or a number that the store has as a string. */
  readonly #names = new Map<Id, Id>();
  readonly #originals = new Map<Id, Original>();

  constructor(references: References, rule: RuleOptions) {
    [this.references, this.rule] = [references, rule];
  }

  abstract get hasUnwritten(): boolean;

  /** Decides on documents with keys, which are in `decisions`, and calls `note` for each. */
  protected abstract decideKeyed(documents: Selection, decisions: Decisions): Promise<void>;
  abstract confirm(documents: Iterable<Document>, outputs: readonly Output[]): Promise<void>;
  abstract rollback(): Promise<void>;

  async decide(documents: Selection): Promise<Decisions> {
    const decisions = new Decisions(documents.count);
    const keyed: number[] = [];
    for (let at = 0; at < documents.count; at++) {
      const key = this.keyAt(documents, at, decisions);
      decisions.keys[at] = key;
      if (key !== undefined) keyed.push(at);
    }
    if (keyed.length === documents.count) {
      await this.decideKeyed(documents, decisions);
      return decisions;
    }
    const others = new Decisions(keyed.length);
    for (const [at, from] of keyed.entries()) others.keys[at] = decisions.keys[from];
    await this.decideKeyed(documents.pick(keyed), others);
    for (const [at, to] of keyed.entries()) decisions.copy(to, others, at);
    return decisions;
  }

  /** Returns the key of a document in the set. Without one, nothing could find it: decides that it is new, and returns undefined. */
  protected keyAt(documents: Selection, at: number, decisions: Decisions): Id | undefined {
    const key = documents.ids[at] ?? lastingId(undefined, documents.sketchAt(at));
    if (key === undefined) decisions.setOutcome(at, { status: 'new' });
    return key;
  }

  /** Remembers the name of a decided document. */
  protected note(documents: Selection, at: number, decisions: Decisions): void {
    if (decisions.statusAt(at) === 'duplicate') return;
    const key = decisions.keys[at] as Id;
    if (decisions.isKept(at)) this.#names.delete(key);
    if (documents.ids[at] !== key && !this.#names.has(key)) this.#names.set(key, documents.documentAt(at).name);
    const original = this.#originals.get(key);
    if (original !== undefined) original.name = this.#names.get(key) ?? key;
  }

  /** Returns a kept document: its name is its id as the input has it, or its place if it has none. */
  protected readonly originalOf = (key: Id): Original => {
    const known = this.#originals.get(key);
    if (known !== undefined) return known;
    const original = { key, name: this.#names.get(key) ?? key, place: undefined };
    this.#originals.set(key, original);
    return original;
  };
}
