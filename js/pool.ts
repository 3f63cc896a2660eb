/**
 * Fingerprints of many texts, computed by worker threads. For Node.
 *
 * @packageDocumentation
 */
export { fingerprintAll, type PoolOptions } from './node/pool.js';
