// biome-ignore-all lint: a place for the engine
import type { Store, StoreOptions } from './store.js';
export type * from './store.js';
export interface D1Database { prepare(query: string): { bind(...values: unknown[]): unknown }; batch(statements: never[]): Promise<{ results: unknown[] }[]>; }
export function d1Store(_client: unknown, _options?: StoreOptions): Store { throw new Error('not yet'); }
