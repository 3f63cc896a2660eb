/**
 * The fingerprints of many texts, by worker threads. For Node.
 *
 * @packageDocumentation
 */
import type { SchemeOptions, Text } from './index.js';

export interface PoolOptions extends SchemeOptions {
  /** How many threads, 1 to 256; as many as there are processors by default. */
  threads?: number;
}

/**
 * What `fingerprintAll` of `nearprint` gives, made by worker threads while this one is free. The threads start with the
 * call and end with it, some 80 ms: worth it from some tens of megabytes of text on. The source is read a little ahead
 * of the threads, and no more.
 *
 * @example
 * ```js
 * import { fingerprintAll } from 'nearprint/pool';
 * const fingerprints = await fingerprintAll(['Hello, world', 'Hello, word'], { threads: 4 });
 * ```
 * @throws TypeError, RangeError: a wrong text or option, which the message names
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
