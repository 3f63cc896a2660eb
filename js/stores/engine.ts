// The interface of a store's engine: the tables or keys of a database, without a rule of decisions.
//
// An engine keeps versions of documents (src/dedupe/versions.rs), files each under its keys, and finds the candidates for a
// document within the bounds of candidates.ts. decide-remotely.ts reads, decides, and writes on the condition that nothing the
// decision depends on has changed. The values of versions are opaque to an engine. Times are in milliseconds, and `Infinity`
// means never.

/**
 * A key under which a store files versions: the high 40 bits of `fmix64(key ^ salt)` for each key of a sketch, and of a hash of
 * the id. Without the salt of the store, it cannot be predicted which documents share a key. Equal texts share the last key, the *key of equality*.
 */
export type Key = number;

/** A version of a document. An id has at most two. */
export interface StoredVersion {
  /** The place in the order of addition, below 2^52. A renewed or confirmed version keeps it. */
  readonly number: number;
  readonly id: string;
  readonly value: Uint8Array;
}

/** A version with the time at which it ends. */
export interface TimedVersion extends StoredVersion {
  readonly ends: number;
}

/** A document, in the form in which an engine searches for its versions and candidates. */
export interface Question {
  /** Undefined for a document without an id: all versions are versions of others. */
  id: string | undefined;
  /** The key of the id, if there is one, and the keys of the document, the key of equality last. */
  keys: readonly Key[];
}

/** The versions of the store on which the decision on a document depends. */
export interface Answer<V extends StoredVersion = TimedVersion> {
  /** The versions of the id, also ended ones. */
  readonly own: readonly V[];
  /** The candidates, the oldest first: versions of other ids that have not ended, as `answerFor` chooses them. */
  readonly candidates: readonly V[];
  /**
   * For each key of the document, the number of versions of other ids under it that are not removed; also ended ones, except
   * under the key of equality. 0 for the key of the id.
   */
  readonly counts: readonly number[];
  /** The versions of other ids under the key of equality that have ended, or none as long as the key is not full with them. */
  readonly ended: readonly Pick<V, 'number'>[];
  /**
   * Returns the candidates after other writes of the same part of a call: without the versions of some numbers, and with later
   * ones under their keys. A local engine reads again instead.
   */
  readonly candidatesAfter?: (
    removed: ReadonlySet<number>,
    added: (key: Key) => readonly TimedVersion[],
  ) => readonly TimedVersion[];
}

/** A snapshot of the store, at a time of the engine's clock, with the answer to each question. */
export interface Snapshot {
  now: number;
  answers: readonly Answer[];
  /** The state of the store, by which `write` notices additions under keys; its form is the engine's. */
  token?: unknown;
}

/** A version to add. It gets a number above all others. */
export interface Insertion {
  value: Uint8Array;
  ends: number;
  /** The keys to file it under: the keys of its question that are not full. */
  keys: readonly Key[];
  /** An ended version of another id that makes place for it under the last of these keys, and stays under its other keys. */
  displaced?: Pick<StoredVersion, 'number'> | undefined;
}

/** Changes of the versions of one id, or only conditions. The changes are made only if the conditions hold. */
export interface Write {
  id: string;
  /** Condition: these versions have these numbers and values. They are of the id, if there are changes. */
  expected: readonly StoredVersion[];
  /** Condition: the engine's clock is before this time. */
  deadline: number;
  /** Condition: after the snapshot was read, nothing was added under these keys of the question. No full key is among them. */
  guarded: readonly Key[];
  /** The own versions to remove. */
  removes: readonly StoredVersion[];
  /** A version that gets another value, and keeps its number. */
  update?: { number: number; value: Uint8Array; ends: number };
  insert?: Insertion;
}

/** The number of versions of a page. */
export const PAGE = 256;

/** Some versions, without values. */
export interface Page {
  versions: readonly Pick<StoredVersion, 'number' | 'id'>[];
  /** The position to continue from; undefined at the end. */
  next: unknown;
}

/** The metadata of a store, as the database has it: unchecked. */
export interface Metadata {
  scheme: unknown;
  layout: unknown;
  /** The salt of the keys: 16 hexadecimal digits, drawn at random when the store is created. */
  salt: unknown;
}

/** Thrown by `read` and `write` if the store is lost, or has been created anew. It is then opened again. */
export class LostStore extends Error {}

/**
 * An engine keeps nothing of an open store: calls of one client overlap, and one of them may open a new store while another one waits. So
 * each call receives the salt of its keys, and throws `LostStore` if the store has another one.
 */
export interface Engine {
  /** The maximum number of documents of a part of a call. */
  readonly partSize: number;
  /** Returns the statements that create the store, or '' for a store without tables. */
  schema(): string;
  /** Returns undefined if the store does not exist. */
  readMetadata(): Promise<Metadata | undefined>;
  /** Creates the store, unless another client has just created it: its metadata then counts. */
  create(): Promise<void>;
  /**
   * Returns versions in the order of addition, without those that were added after the first page; or only ended versions in
   * any order, to be removed before the next page.
   */
  page(after: unknown, isEnded: boolean, salt: string): Promise<Page>;
  /** Counts the ids with a version that has not ended. */
  count(salt: string): Promise<number>;
  /** Reads one snapshot. */
  read(questions: readonly Question[], salt: string): Promise<Snapshot>;
}

/** An engine of a database that other clients may change between `read` and `write`. */
export interface RemoteEngine extends Engine {
  /**
   * Makes the changes of the first writes, as one transaction, and returns their number: a write is refused if one of its
   * conditions does not hold, or if an earlier one is refused. All conditions are checked before all changes. `token` is of the
   * snapshot that the writes depend on.
   */
  write(writes: readonly Write[], token: unknown): Promise<number>;
}

/** An engine whose transactions run JavaScript. Conditions need no check. */
export interface LocalEngine extends Engine {
  /** Runs a body as a transaction that excludes all others, on the store with a salt. */
  transaction<T>(body: () => T, salt: string): Promise<T>;
  /** Within a transaction. The answer searches for candidates when they are asked for; `now` is the time of the engine's clock. */
  readNow(question: Question): Answer & { readonly now: number };
  /** Within a transaction. */
  writeNow(write: Write): void;
}
