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
  /** Undefined if the set has no document of the key. */
  sketch: Sketch | undefined;
  /** In seconds since 1970. */
  expires: number | undefined;
  /** The document of this run, undefined for the version before the run. */
  document: Document | undefined;
}

/** The versions that documents have replaced, until their lines are written. */
class History {
  readonly #kept: Deduplicator;
  /** For each key the last version before, and the versions whose lines may not be written yet. */
  readonly #versions = new Map<Id, Version[]>();

  constructor(kept: Deduplicator) {
    this.#kept = kept;
  }

  /** Returns the versions of a key before a decision. */
  versionsOf(key: Id): Version[] {
    const versions = this.#versions.get(key);
    if (versions !== undefined) return versions;
    const sketch = this.#kept.get(key);
    return [{ sketch, expires: sketch && this.#kept.expires(key), document: undefined }];
  }

  /** Notes that a document is kept in place of versions. */
  note(key: Id, document: Document, versions: Version[]): void {
    versions.push({ sketch: document.sketch, expires: this.#kept.expires(key), document });
    this.#versions.set(key, versions);
  }

  /** Forgets documents: their keys have the last version again that is not forgotten. */
  restore(documents: Iterable<Document>): void {
    const now = Date.now() / 1000;
    const forgotten = new Set<Document | undefined>(documents);
    for (const key of new Set(Array.from(forgotten, (document) => document?.key as Id))) {
      const versions = this.#versions.get(key) ?? [];
      const left = versions.filter(({ document }) => !forgotten.has(document));
      const last = left.at(-1);
      if (last === undefined || last === versions.at(-1)) continue;
      this.#versions.set(key, left);
      const { sketch, expires } = last;
      const expiresIn = expires === undefined ? undefined : Math.max(0, expires - now);
      if (sketch === undefined) this.#kept.delete(key);
      else this.#kept.add(key, sketch, { expiresIn, now });
    }
  }

  /** Called when the lines of documents are written. */
  settle(documents: Iterable<Document>): void {
    for (const document of documents) {
      const key = document.key as Id;
      const versions = this.#versions.get(key) ?? [];
      const at = versions.findIndex((version) => version.document === document);
      if (at < 0) continue;
      if (at === versions.length - 1) this.#versions.delete(key);
      else this.#versions.set(key, versions.slice(at));
    }
  }
}

/** Which documents are compared and kept. */
export interface Scope {
  /** Whether the set of new and changed documents outlives the run. */
  isLasting: boolean;
  /** Whether documents are compared with earlier ones of the run. */
  isWithin: boolean;
}

/** Decides by sets in memory, and by texts of the input that can be read again. */
export class MemoryDecider implements Decider {
  // The index file is saved later.
  readonly needsSync = false;
  readonly #texts: InputTexts;
  readonly #keys: Keys;
  /** Null if the set does not outlive the run. */
  readonly #history: History | null;
  readonly #observe: (key: Id, document: Document) => Outcome | Promise<Outcome>;

  /** New and changed documents are added to `own`. `base` is not changed. */
  constructor(
    own: Deduplicator,
    base: Deduplicator | undefined,
    fingerprinter: Fingerprinter,
    rule: RuleOptions,
    { isLasting, isWithin }: Scope,
  ) {
    const texts = new InputTexts(own);
    const verifier = new Verifier(fingerprinter, texts.textOf);
    this.#texts = texts;
    this.#keys = new Keys(isLasting);
    this.#history = isLasting ? new History(own) : null;
    if (base === undefined) {
      this.#observe = (key, document) =>
        // Without the document's own text there is nothing to compare.
        document.batch.origin === undefined
          ? own.observe(key, document.sketch, rule)
          : read(verifier.observe(own, key, texts.verifiable(document), rule));
    } else {
      const overlay = new Overlay(base as ConstructorParameters<typeof Overlay>[0], own);
      const overlayRule = { ...rule, keeps: isWithin, verifier };
      this.#observe = (key, document) => {
        const id = document.id === null && !isLasting ? undefined : key;
        return overlay.observe({ key, id, ...texts.verifiable(document) }, overlayRule);
      };
    }
  }

  async decide(documents: Iterable<Document>): Promise<void> {
    for (const document of documents) {
      const key = this.#keys.keyOf(document);
      const before = this.#history?.versionsOf(key);
      const outcome = this.#observe(key, document);
      document.key = key;
      document.outcome = outcome instanceof Promise ? await outcome : outcome;
      // An unchanged document has the words that are kept: repeated input is decided by its texts, as at the first time.
      if (document.outcome.status !== 'duplicate') this.#texts.note(document);
      if (!isDocumentKept(document) || before === undefined) continue;
      this.#history?.note(key, document, before);
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
