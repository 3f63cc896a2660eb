// The common part of the engines of SQLite, a Durable Object and D1: calls that run statements, and changes as statements. sqlite-sql.ts
// has the tables and the statements.
import { KEY_BYTES } from './candidates.js';
import { type Key, LostStore, type Metadata, PAGE, type Page, type TimedVersion, type Write } from './engine.js';
import type { Settings } from './settings.js';
import { type Command, isMissing, type SqlValue, type Statements, schemaOf, statementsOf } from './sqlite-sql.js';

/** A row of the table of documents. */
export interface Row {
  number: number;
  id: string;
  value: unknown;
  ends: number | null;
  keys: unknown;
}

/** A version with the column of its keys, which a client decodes only to remove them. */
export type SqlVersion = TimedVersion & { readonly packedKeys: unknown };

/** The value of a column for a time, NULL for never. */
export const toColumn = (ends: number): number | null => (ends === Number.POSITIVE_INFINITY ? null : ends);

/** Returns the bytes of a blob: clients return a typed array, an ArrayBuffer or an array of numbers. A damaged value has none. */
function bytesOf(blob: unknown): Uint8Array {
  if (blob instanceof Uint8Array) return blob;
  return blob instanceof ArrayBuffer || Array.isArray(blob) ? new Uint8Array(blob) : new Uint8Array();
}

export const versionOf = ({ number, id, value, ends, keys }: Row): SqlVersion => ({
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

function unpackKeys(blob: unknown): Key[] {
  const bytes = bytesOf(blob);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const keys: Key[] = [];
  for (let at = 0; at + KEY_BYTES <= bytes.length; at += KEY_BYTES)
    keys.push(view.getUint8(at) * 2 ** 32 + view.getUint32(at + 1));
  return keys;
}

export abstract class SqliteBase {
  readonly #settings: Settings;
  protected readonly statements: Statements;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.statements = statementsOf(settings.name);
  }

  /** Runs statements as one transaction, and returns the rows of each. */
  protected abstract transact(commands: readonly Command[], isWriting: boolean): Promise<unknown[][]>;

  /** Throws an error, as a `LostStore` if a table is missing. */
  protected readonly rethrow = (error: unknown): never => {
    const { message } = error as Error;
    throw isMissing(message, this.#settings.name) ? new LostStore(message, { cause: error }) : error;
  };

  /** Returns the time for a statement, null for the database's own clock. */
  protected now(): number | null {
    return Date.now();
  }

  protected send(commands: readonly Command[], isWriting: boolean): Promise<unknown[][]> {
    return this.transact(commands, isWriting).catch(this.rethrow);
  }

  schema(): string {
    return `${schemaOf(this.#settings).join(';\n')};\n`;
  }

  async readMetadata(): Promise<Metadata | undefined> {
    const { name } = this.#settings;
    try {
      const [[row]] = await this.send([[this.statements.metadata]], false);
      const metadata = row as (Metadata & { isPartial: number }) | undefined;
      if (metadata !== undefined && metadata.isPartial !== 0) {
        const tables = `${name}_documents and ${name}_keys`;
        throw new Error(
          `nearprint: rows of ${tables} are lost: restore all tables ${name}_* from one backup, or drop them and observe the ` +
            'documents again',
        );
      }
      return metadata;
    } catch (error) {
      if (error instanceof LostStore) return undefined;
      throw error;
    }
  }

  async create(): Promise<void> {
    await this.send(
      schemaOf(this.#settings).map((statement) => [statement]),
      true,
    );
  }

  /** Returns the row of the metadata. Throws unless it has a salt. */
  protected checkSalt<R extends { salt: unknown }>(row: R | undefined, salt: string): R {
    if (row?.salt !== salt) throw new LostStore('the store has been created anew');
    return row;
  }

  /** `after` has the number of the last version of the previous page, and the largest number when the first page was read. */
  async page(after: unknown, isEnded: boolean): Promise<Page> {
    const { ended, page } = this.statements;
    const [from, last] = (after ?? [0, null]) as [number, number | null];
    const command: Command = isEnded ? [ended, this.now()] : [page, last, from, last];
    const versions = (await this.send([command], false))[0] as (Row & { last: number })[];
    const final = versions[PAGE - 1];
    return { versions, next: final && [final.number, final.last] };
  }

  async count(): Promise<number> {
    const [[row]] = await this.send([[this.statements.count, this.now()]], false);
    return (row as { count: number }).count;
  }

  /** Returns the statements that make changes. */
  protected changesOf(writes: readonly Write[]): Command[] {
    const { statements } = this;
    const commands: Command[] = [];
    const removed: number[] = [];
    const unfiled: [Key, number][] = [];
    const rows: SqlValue[] = [];
    const filedUnder: (readonly Key[])[] = [];
    for (const { id, removes, update, insert } of writes) {
      for (const { number, packedKeys } of removes as readonly SqlVersion[]) {
        removed.push(number);
        for (const key of unpackKeys(packedKeys)) unfiled.push([key, number]);
      }
      if (update !== undefined) {
        commands.push([statements.update, update.value, toColumn(update.ends), update.number]);
      }
      if (insert !== undefined) {
        const { value, ends, keys, displaced } = insert;
        rows.push(id, value, toColumn(ends), packKeys(keys));
        filedUnder.push(keys);
        if (displaced !== undefined) unfiled.push([keys[keys.length - 1], displaced.number]);
      }
    }
    if (unfiled.length > 0) commands.push([statements.unfile, JSON.stringify(unfiled)]);
    if (removed.length > 0) commands.push([statements.remove, JSON.stringify(removed)]);
    // `file` counts back from the largest number, so nothing is inserted after these rows.
    if (filedUnder.length > 0) {
      const { insert, file } = statements;
      commands.push([insert(filedUnder.length), ...rows], [file, filedUnder.length - 1, JSON.stringify(filedUnder)]);
    }
    return commands;
  }
}
