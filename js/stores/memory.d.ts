import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** A store in the memory of one process. */
export function memoryStore(options?: StoreOptions): Store;
