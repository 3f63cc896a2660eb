// The tables of a store in SQLite, and the calls and statements that SQLite, a Durable Object and D1 have in common.
import { KEY_BYTES } from './candidates.js';
import { type Key, type Metadata, PAGE, type Page, type TimedVersion, type Write } from './engine.js';
import { LAYOUT, type Settings } from './settings.js';

/** A value of a statement. */
export type Value = string | number | Uint8Array | null;

/** A statement, and its values. */
export type Command = readonly [statement: string, ...values: Value[]];

/** A row of the table of documents, with the columns that a statement selects. */
export interface Row {
  number: number;
  id: string;
  value: unknown;
  ends: number | null;
  keys: unknown;
}

/** A version with the column of its keys, which a client decodes only to remove them. */
export type Stored = TimedVersion & { readonly packedKeys: unknown };

/** The value of a column for a time, NULL for never. */
const toColumn = (ends: number): number | null => (ends === Number.POSITIVE_INFINITY ? null : ends);

/** Returns the bytes of a blob: clients return a typed array, an ArrayBuffer or an array of numbers. A damaged value has none. */
function bytesOf(blob: unknown): Uint8Array {
  if (blob instanceof Uint8Array) return blob;
  return blob instanceof ArrayBuffer || Array.isArray(blob) ? new Uint8Array(blob) : new Uint8Array();
}

export const versionOf = ({ number, id, value, ends, keys }: Row): Stored => ({
  number,
  id,
  value: bytesOf(value),
  ends: ends ?? Number.POSITIVE_INFINITY,
  packedKeys: keys,
});

function packKeys(keys: readonly Key[]): Uint8Array {
  const packed = new Uint8Array(KEY_BYTES * keys.length);
  const view = new DataView(packed.buffer);
  for (const [at, key] of keys.entries()) {
    view.setUint8(KEY_BYTES * at, key / 2 ** 32);
    view.setUint32(KEY_BYTES * at + 1, key);
  }
  return packed;
}

export function unpackKeys(blob: unknown): Key[] {
  const bytes = bytesOf(blob);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const keys: Key[] = [];
  for (let at = 0; at + KEY_BYTES <= bytes.length; at += KEY_BYTES)
    keys.push(view.getUint8(at) * 2 ** 32 + view.getUint32(at + 1));
  return keys;
}

export abstract class SqliteBase {
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

  get #statements(): string[] {
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
      `CREATE INDEX IF NOT EXISTS ${name}_end ON ${documents} (ends) WHERE ends IS NOT NULL`,
      `CREATE TABLE IF NOT EXISTS ${keys} (key INTEGER, number INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID`,
    ];
  }

  schema(): string {
    return `${this.#statements.join(';\n')};\n`;
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

  async create(): Promise<void> {
    await this.send(
      this.#statements.map((statement) => [statement]),
      true,
    );
  }

  /** `after` has the number of the last version of the previous page, and the largest number when the first page was read. */
  async page(after: unknown, isEnded: boolean): Promise<Page> {
    const { documents } = this;
    const [from, last] = (after ?? [0, null]) as [number, number | null];
    const end = `coalesce(?, (SELECT max(number) FROM ${documents}))`;
    const command: Command = isEnded
      ? [`SELECT number, id FROM ${documents} WHERE ends <= ? ORDER BY ends LIMIT ${PAGE}`, Date.now()]
      : [
          `SELECT number, id, ${end} AS last FROM ${documents} WHERE number > ? AND number <= ${end} ` +
            `ORDER BY number LIMIT ${PAGE}`,
          ...[last, from, last],
        ];
    const versions = (await this.send([command], false))[0] as (Row & { last: number })[];
    const final = versions[PAGE - 1];
    return { versions, next: final && [final.number, final.last] };
  }

  async count(): Promise<number> {
    const statement = `SELECT count(DISTINCT id) AS count FROM ${this.documents} WHERE ends IS NULL OR ends > ?`;
    const [[row]] = await this.send([[statement, Date.now()]], false);
    return (row as { count: number }).count;
  }

  /**
   * Returns statements that make changes. The last one adds documents, and returns their numbers; they are not filed in the
   * table of keys yet.
   */
  protected changesOf(items: readonly Write[]): Command[] {
    const { documents, keys } = this;
    const commands: Command[] = [];
    const added: Value[] = [];
    for (const { id, removes, update, insert } of items) {
      for (const { number, packedKeys } of removes as readonly Stored[]) {
        const filed = JSON.stringify(unpackKeys(packedKeys));
        commands.push(
          [`DELETE FROM ${keys} WHERE key IN (SELECT value FROM json_each(?)) AND number = ?`, filed, number],
          [`DELETE FROM ${documents} WHERE number = ?`, number],
        );
      }
      if (update !== undefined) {
        const { value, ends, number } = update;
        commands.push([`UPDATE ${documents} SET value = ?, ends = ? WHERE number = ?`, value, toColumn(ends), number]);
      }
      if (insert !== undefined) added.push(id, insert.value, toColumn(insert.ends), packKeys(insert.keys));
    }
    if (added.length === 0) return commands;
    const rows = Array.from({ length: added.length / 4 }, () => '(?, ?, ?, ?)');
    return [
      ...commands,
      [`INSERT INTO ${documents} (id, value, ends, keys) VALUES ${rows} RETURNING number`, ...added],
    ];
  }
}
