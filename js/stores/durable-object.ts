// biome-ignore-all lint: a place for the engine
import type { Store, StoreOptions } from './store.js';
export type * from './store.js';
export interface DurableObjectStorage { sql: { exec(query: string, ...values: never[]): { toArray(): unknown[] } }; transactionSync<T>(change: () => T): T; }
export function durableObjectStore(_client: unknown, _options?: StoreOptions): Store { throw new Error('not yet'); }
