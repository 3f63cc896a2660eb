/**
 * Fingerprints of many texts, computed by worker threads. For Node.
 *
 * @packageDocumentation
 */
import type { SchemeOptions, Text } from './index.js';

export interface PoolOptions extends SchemeOptions {
  /** The number of threads, 1 to 256. Default: the number of processors. */
  threads?: number;
}

/**
 * Resolves to the result of `fingerprintAll` of `nearprint`, computed by worker threads. O(total length / threads).
 *
 * The threads start with the call and end with it, which takes some 80 ms: use it for tens of megabytes of text or
 * more. The source is read only a little ahead of the threads.
 *
 * @example
 * ```js
 * import { fingerprintAll } from 'nearprint/pool';
 * const fingerprints = await fingerprintAll(['Hello, world', 'Hello, word'], { threads: 4 });
 * ```
 * @throws TypeError: `texts` is not an iterable or async iterable of texts, or an option has the wrong type
 * @throws RangeError: an option is out of range
 */
export function fingerprintAll(
  texts: Iterable<Text> | AsyncIterable<Text>,
  options: PoolOptions & { bits: 32 },
): Promise<Uint32Array>;
export function fingerprintAll(
  texts: Iterable<Text> | AsyncIterable<Text>,
  options?: PoolOptions & { bits?: 64 | 128 },
): Promise<BigUint64Array>;
export function fingerprintAll(
  texts: Iterable<Text> | AsyncIterable<Text>,
  options?: PoolOptions,
): Promise<Uint32Array | BigUint64Array>;
