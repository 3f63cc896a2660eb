// What the stores in SQLite, a Durable Object and D1 have in common: the calls that are one statement.
import type { ResemblanceHit } from '../index.js';
import type { Advice } from './advice.js';
import type { StoredRecord } from './record.js';
import type { FoundMetadata, Settings } from './settings.js';
import { type Command, Commands, type Position, pageOf, type Row, schemaOf, versionOf } from './sqlite-schema.js';
import { Store } from './store.js';
import {
  type Page,
  type QueryRule,
  type StoreDocument,
  shownOf,
  type Version,
  type VersionState,
  type Versions,
} from './versions.js';

/** Versions that are changed by statements. */
export abstract class SqlVersions implements Versions {
  readonly now: number;
  protected readonly commands: Commands;

  constructor(commands: Commands, now: number) {
    this.commands = commands;
    this.now = now;
  }

  abstract own(id: string): Version[];
  abstract search(document: StoreDocument, rule: QueryRule, except?: string): ResemblanceHit<string>[];
  protected abstract run(command: Command): unknown;

  insert(version: Omit<Version, 'number'>): void {
    this.run(this.commands.insert(version));
  }

  update(version: Version, state: VersionState): void {
    this.run(this.commands.update(version, state));
  }

  remove(version: Version): void {
    this.run(this.commands.remove(version));
  }
}

export abstract class SqlStore extends Store {
  protected readonly commands: Commands;

  constructor(settings: Settings, advice: Advice) {
    super(settings, advice);
    this.commands = new Commands(settings);
  }

  /** Runs a statement, and returns its rows. */
  protected abstract rows<T>(command: Command): Promise<T[]>;

  schema(): string {
    return `${schemaOf(this.settings).join(';\n')};\n`;
  }

  protected async readMetadata(): Promise<FoundMetadata> {
    try {
      return (await this.rows<FoundMetadata>(this.commands.metadata))[0];
    } catch (error) {
      if (!/no such table/.test((error as Error).message)) throw error;
      return undefined;
    }
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    return shownOf((await this.rows<Row>(this.commands.own(id, Date.now()))).map(versionOf));
  }

  protected async removeExpired(): Promise<number> {
    const now = Date.now();
    for (let count = 0; ; ) {
      const ids = (await this.rows<{ id: string }>(this.commands.prune(now))).map(({ id }) => id);
      if (ids.length === 0) return count;
      count += (await this.rows<{ count: number }>(this.commands.countGone(ids)))[0].count;
    }
  }

  protected async countIds(): Promise<number> {
    return (await this.rows<{ count: number }>(this.commands.count(Date.now())))[0].count;
  }

  protected async page(position: unknown): Promise<Page> {
    return pageOf(await this.rows(this.commands.page(position as Position, Date.now())));
  }
}
