// biome-ignore-all lint: a place for the engine
import type { Store, StoreOptions } from './store.js';
export type * from './store.js';
export type PostgresClient = { query(...values: any[]): Promise<any> };
export function postgresStore(_client: unknown, _options?: StoreOptions): Store { throw new Error('not yet'); }
