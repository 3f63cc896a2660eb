// Decides on documents by sets in memory. store.ts decides by a store. The rule is in js/decisions.
import type { Outcome } from '../decisions/decision.js';
import { derivedId } from '../decisions/ids.js';
import { Overlay } from '../decisions/overlay.js';
import { isKept } from '../decisions/rule.js';
import { read, Verifier } from '../decisions/verify.js';
import type { Deduplicator, Fingerprinter, Id, Sketch } from '../index.js';
import type { Document } from './document.js';
import { InputTexts } from './input-texts.js';

/** How documents are decided. */
export interface RuleOptions {
  minResemblance: number;
  /** The number of seconds after which documents expire. */
  expiresIn?: number | undefined;
}

/** Decides on documents, in the order of the calls, and keeps new and changed ones. */
export interface Decider {
  /** Whether lines must be safe on the disk before they are confirmed. */
  readonly needsSync: boolean;
  /** Sets `key` and `outcome` of documents. */
  decide(documents: Iterable<Document>): Promise<void>;
  /** Returns the id of a kept document as the input has it, or its place if it has none. */
  nameOf(key: Id): Id;
  /** Called when the lines of documents are written. */
  confirm(documents: Iterable<Document>): Promise<void>;
  /** Called if the lines of documents are not written: the set has what it had before them. */
  forget(documents: Iterable<Document>): void | Promise<void>;
}

/** Whether the document is kept by the decision. */
export const isDocumentKept = ({ outcome }: Document): boolean => outcome !== undefined && isKept(outcome);

/** Begins the key of a document without an id, in a set that does not outlive the run. No id begins like it. */
const PLACE = `\0${Math.random()}#`;

/** The keys of documents in a set: their ids. */
export class Keys {
  readonly #isLasting: boolean;
  /** The places of this run's documents whose ids are derived. */
  readonly #places = new Map<Id, string>();

  constructor(isLasting: boolean) {
    this.#isLasting = isLasting;
  }

  /** Returns the key of a document. Without an id it is its place, or in a lasting set an id that a later run derives too. */
  keyOf(document: Document): Id {
    if (document.id !== null) return document.id;
    return this.#isLasting ? derivedId(document.sketch) : PLACE + document.place;
  }

  /** Remembers the place of a kept document without an id. */
  note(document: Document): void {
    if (this.#isLasting && document.id === null) this.#places.set(document.key as Id, document.place);
  }

  nameOf(key: Id): Id {
    if (typeof key === 'string' && key.startsWith(PLACE)) return key.slice(PLACE.length);
    return this.#places.get(key) ?? key;
  }
}

/** A version of a document in a set. */
interface Version {
  sketch: Sketch;
  /** In seconds since 1970. */
  expires: number | undefined;
  /** The document of this run that it is, if its line may not be written yet. */
  document: Document | undefined;
}

/** The versions that documents have replaced, until their lines are written. */
class History {
  readonly #kept: Deduplicator;
  /** The last kept document of each key. */
  readonly #latest = new Map<Id, Document>();
  readonly #replaced = new Map<Document, Version | undefined>();
  readonly #forgotten = new Set<Document>();

  constructor(kept: Deduplicator) {
    this.#kept = kept;
  }

  /** Returns the present version of a key. */
  versionOf(key: Id): Version | undefined {
    const sketch = this.#kept.get(key);
    return sketch && { sketch, expires: this.#kept.expires(key), document: this.#latest.get(key) };
  }

  /** Notes that a document is kept in place of a version. */
  note(key: Id, document: Document, replaced: Version | undefined): void {
    this.#latest.set(key, document);
    this.#replaced.set(document, replaced);
  }

  /** Forgets documents: their keys have the last version again whose line is written. */
  restore(documents: Iterable<Document>): void {
    const now = Date.now() / 1000;
    for (const document of documents) if (this.#replaced.has(document)) this.#forgotten.add(document);
    for (const document of this.#forgotten) {
      const key = document.key as Id;
      if (this.#latest.get(key) !== document) continue;
      let version = this.#replaced.get(document);
      while (version?.document !== undefined && this.#forgotten.has(version.document)) {
        version = this.#replaced.get(version.document);
      }
      if (version?.document === undefined) this.#latest.delete(key);
      else this.#latest.set(key, version.document);
      if (version === undefined) {
        this.#kept.delete(key);
        continue;
      }
      const { sketch, expires } = version;
      this.#kept.add(key, sketch, { expiresIn: expires === undefined ? undefined : Math.max(0, expires - now), now });
    }
  }

  /** Called when the lines of documents are written. */
  settle(documents: Iterable<Document>): void {
    for (const document of documents) {
      if (!this.#replaced.delete(document)) continue;
      const key = document.key as Id;
      if (this.#latest.get(key) === document) this.#latest.delete(key);
    }
  }
}

/** Decides by a set in memory. */
class MemoryDecider implements Decider {
  readonly #texts: InputTexts;
  // The index file is saved later.
  readonly needsSync = false;
  readonly #keys: Keys;
  /** Null if the set does not outlive the run. */
  readonly #history: History | null;
  readonly #observe: (key: Id, document: Document) => Outcome | Promise<Outcome>;

  /** `lasting` is the set that outlives the run. */
  constructor(
    texts: InputTexts,
    lasting: Deduplicator | undefined,
    observe: (key: Id, document: Document) => Outcome | Promise<Outcome>,
  ) {
    this.#texts = texts;
    this.#keys = new Keys(lasting !== undefined);
    this.#history = lasting === undefined ? null : new History(lasting);
    this.#observe = observe;
  }

  async decide(documents: Iterable<Document>): Promise<void> {
    for (const document of documents) {
      const key = this.#keys.keyOf(document);
      const before = this.#history?.versionOf(key);
      const outcome = this.#observe(key, document);
      document.key = key;
      document.outcome = outcome instanceof Promise ? await outcome : outcome;
      if (!isDocumentKept(document)) continue;
      this.#texts.note(document);
      if (this.#history === null) continue;
      this.#history.note(key, document, before);
      this.#keys.note(document);
    }
  }

  nameOf(key: Id): Id {
    return this.#keys.nameOf(key);
  }

  async confirm(documents: Iterable<Document>): Promise<void> {
    this.#history?.settle(documents);
  }

  forget(documents: Iterable<Document>): void {
    this.#history?.restore(documents);
  }
}

/**
 * Decides by a set of documents, to which new and changed ones are added, by texts of the input that can be read again. The set
 * outlives the run if `isLasting`.
 */
export function decideBy(
  kept: Deduplicator,
  fingerprinter: Fingerprinter,
  rule: RuleOptions,
  isLasting: boolean,
): Decider {
  const texts = new InputTexts(kept);
  const verifier = new Verifier(fingerprinter, texts.textOf);
  return new MemoryDecider(texts, isLasting ? kept : undefined, (key, document) =>
    // Without the document's own text there is nothing to compare.
    document.batch.origin === undefined
      ? kept.observe(key, document.sketch, rule)
      : read(verifier.observe(kept, key, texts.verifiable(document), rule)),
  );
}

/**
 * Decides by a set that is not changed. New and changed documents are added to `own`, which outlives the run if `isLasting`.
 * Unless `isWithin`, no document is compared with them.
 */
export function decideAgainst(
  base: Deduplicator,
  own: Deduplicator,
  fingerprinter: Fingerprinter,
  { minResemblance, expiresIn }: RuleOptions,
  isLasting: boolean,
  isWithin: boolean,
): Decider {
  const overlay = new Overlay(base as ConstructorParameters<typeof Overlay>[0], own);
  const texts = new InputTexts(own);
  const verifier = new Verifier(fingerprinter, texts.textOf);
  const rule = { minResemblance, keeps: isWithin, expiresIn, verifier };
  return new MemoryDecider(texts, isLasting ? own : undefined, (key, document) =>
    overlay.observe(
      { key, id: document.id === null && !isLasting ? undefined : key, ...texts.verifiable(document) },
      rule,
    ),
  );
}
