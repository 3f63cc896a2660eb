// The tables of a store in SQLite, and the calls whose statements SQLite, a Durable Object and D1 share.
import type { Key } from './candidates.js';
import type { EngineBase, Metadata, Page, StoredVersion } from './engine.js';
import { LAYOUT, type Settings } from './settings.js';

/** A value of a statement. */
export type Value = string | number | Uint8Array | null;

/** A statement that returns rows, and its values. */
export type Command = readonly [statement: string, ...values: Value[]];

/** The number of rows of a page, and of versions that a transaction of `prune` removes. */
const PAGE = 1000;
const MAX_PRUNED = 200;

/** Bytes of a key in a document's list of keys. */
const KEY_BYTES = 6;

/** A row of the table of documents, with the columns that a statement selects. */
export interface Row {
  number: number;
  id: string;
  value: unknown;
  keys: unknown;
}

/** The value of a column for a time, NULL for never. */
export const toColumn = (ends: number): number | null => (ends === Number.POSITIVE_INFINITY ? null : ends);

/** The condition that a version of the table or alias has not ended at a time. */
export const isLive = (version: string, now = '?'): string => `(${version}.ends IS NULL OR ${version}.ends > ${now})`;

/** Returns the bytes of a blob: clients return a typed array, an ArrayBuffer or an array of numbers. A damaged value has none. */
function bytesOf(blob: unknown): Uint8Array {
  if (blob instanceof Uint8Array) return blob;
  return blob instanceof ArrayBuffer || Array.isArray(blob) ? new Uint8Array(blob) : new Uint8Array();
}

export const versionOf = ({ number, id, value }: Row): StoredVersion => ({ number, id, value: bytesOf(value) });

/** Returns keys as the column of a document. */
export function packKeys(keys: readonly Key[]): Uint8Array {
  const packed = new Uint8Array(KEY_BYTES * keys.length);
  const view = new DataView(packed.buffer);
  for (const [at, key] of keys.entries()) {
    view.setUint16(KEY_BYTES * at, key / 2 ** 32);
    view.setUint32(KEY_BYTES * at + 2, key);
  }
  return packed;
}

export function unpackKeys(blob: unknown): Key[] {
  const bytes = bytesOf(blob);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const keys: Key[] = [];
  for (let at = 0; at + KEY_BYTES <= bytes.length; at += KEY_BYTES)
    keys.push(view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2));
  return keys;
}

export abstract class SqliteBase implements EngineBase {
  abstract readonly size: number;
  readonly #settings: Settings;
  protected readonly documents: string;
  protected readonly keys: string;
  protected readonly store: string;
  /** The salt of the store, as it was opened. */
  protected salt: unknown;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.documents = `${settings.name}_documents`;
    this.keys = `${settings.name}_keys`;
    this.store = `${settings.name}_store`;
  }

  /** Runs statements as one transaction, and returns the rows of each. */
  protected abstract send(commands: readonly Command[], isWriting: boolean): Promise<unknown[][]>;

  protected get statements(): string[] {
    const { documents, keys, store } = this;
    const { name, scheme } = this.#settings;
    return [
      `CREATE TABLE IF NOT EXISTS ${store} (
  scheme TEXT NOT NULL,
  layout INTEGER NOT NULL,
  salt TEXT NOT NULL, -- of the keys
  filed INTEGER NOT NULL -- the documents up to this number are filed in the table of keys
)`,
      `INSERT INTO ${store} (scheme, layout, salt, filed) SELECT '${scheme}', ${LAYOUT}, lower(hex(randomblob(8))), 0 ` +
        `WHERE NOT EXISTS (SELECT 1 FROM ${store})`,
      `CREATE TABLE IF NOT EXISTS ${documents} (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of addition
  id TEXT NOT NULL, -- with at most two versions
  value BLOB NOT NULL, -- the version
  ends INTEGER, -- in milliseconds since 1970; NULL for never
  keys BLOB NOT NULL -- those that the version is filed under, ${KEY_BYTES} bytes each
)`,
      `CREATE INDEX IF NOT EXISTS ${name}_id ON ${documents} (id)`,
      `CREATE INDEX IF NOT EXISTS ${name}_end ON ${documents} (ends) WHERE ends IS NOT NULL`,
      `CREATE TABLE IF NOT EXISTS ${keys} (key INTEGER, number INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID`,
    ];
  }

  schema(): string {
    return `${this.statements.join(';\n')};\n`;
  }

  async readMetadata(): Promise<Metadata | undefined> {
    try {
      const [[metadata]] = await this.send([[`SELECT scheme, layout, salt FROM ${this.store}`]], false);
      const found = metadata as Metadata | undefined;
      this.salt = found?.salt;
      return found;
    } catch (error) {
      if (!/no such table/.test((error as Error).message)) throw error;
      return undefined;
    }
  }

  abstract create(): Promise<void>;

  /** The condition that a version `d` has not ended, and is the first such version of its id. Its values are two times. */
  get #isFirst(): string {
    const earlier = `SELECT 1 FROM ${this.documents} AS o WHERE o.id = d.id AND o.number < d.number AND ${isLive('o')}`;
    return `${isLive('d')} AND NOT EXISTS (${earlier})`;
  }

  /** `after` has the number of the last version of the previous page, and the largest number when the first page was read. */
  async page(after: unknown): Promise<Page> {
    const [from, last] = (after ?? [0, null]) as [number, number | null];
    const now = Date.now();
    const end = `coalesce(?, (SELECT max(number) FROM ${this.documents}))`;
    const other = `SELECT 1 FROM ${this.documents} AS o WHERE o.id = d.id AND o.number <> d.number`;
    const [found] = await this.send(
      [
        [
          `SELECT number, id, value, EXISTS (${other}) AS hasOther, ${end} AS last FROM ${this.documents} AS d ` +
            `WHERE number > ? AND number <= ${end} AND ${this.#isFirst} ORDER BY number LIMIT ${PAGE}`,
          ...[last, from, last, now, now],
        ],
      ],
      false,
    );
    const rows = found as (Row & { hasOther: unknown; last: number })[];
    return {
      versions: rows.map((row) => ({ ...versionOf(row), hasOther: Boolean(row.hasOther) })),
      next: rows.length < PAGE ? undefined : [rows[PAGE - 1].number, rows[0].last],
    };
  }

  async count(): Promise<number> {
    const now = Date.now();
    const statement = `SELECT count(*) AS count FROM ${this.documents} AS d WHERE ${this.#isFirst}`;
    const [[row]] = await this.send([[statement, now, now]], false);
    return (row as { count: number }).count;
  }

  async prune(): Promise<number> {
    const { documents } = this;
    const now = Date.now();
    const ended = `SELECT number, keys FROM ${documents} WHERE ends <= ? ORDER BY ends LIMIT ${MAX_PRUNED}`;
    // Another client may have renewed or removed some of them in the meantime.
    const given = 'SELECT value FROM json_each(?)';
    const left = `SELECT 1 FROM ${documents} AS o WHERE o.id = d.id AND (${isLive('o')} OR o.number NOT IN (${given}))`;
    const gone =
      `SELECT count(DISTINCT id) AS count FROM ${documents} AS d ` +
      `WHERE number IN (${given}) AND ends <= ? AND NOT EXISTS (${left})`;
    const filed =
      `SELECT pair.value ->> 0, d.number FROM json_each(?) AS pair CROSS JOIN ${documents} AS d ` +
      'ON d.number = pair.value ->> 1 WHERE d.ends <= ?';
    for (let count = 0; ; ) {
      const rows = (await this.send([[ended, now]], false))[0] as Row[];
      if (rows.length === 0) return count;
      const numbers = JSON.stringify(rows.map(({ number }) => number));
      const pairs = JSON.stringify(rows.flatMap(pairsOf));
      const [[first]] = await this.send(
        [
          [gone, numbers, now, now, numbers],
          [`DELETE FROM ${this.keys} WHERE (key, number) IN (${filed}) RETURNING number`, pairs, now],
          [`DELETE FROM ${documents} WHERE number IN (${given}) AND ends <= ? RETURNING number`, numbers, now],
        ],
        true,
      );
      count += (first as { count: number }).count;
    }
  }
}

/** Returns the rows of a version in the table of keys. */
export const pairsOf = ({ number, keys }: Pick<Row, 'number' | 'keys'>): [Key, number][] =>
  unpackKeys(keys).map((key) => [key, number]);
