// biome-ignore-all lint: a place for the engine
import type { Store, StoreOptions } from './store.js';
export type * from './store.js';
export interface SqliteDatabase { exec(statements: string): unknown; prepare(statement: string): unknown; }
export function sqliteStore(_client: unknown, _options?: StoreOptions): Store { throw new Error('not yet'); }
