import { checkAnyIterable, checkOptions, checkText } from '../core/check.js';
import { copyOfKey, type SchemeOptions, schemeOptions } from '../core/scheme.js';
import type { Text } from '../core/types.js';
import { encoder } from '../core/utf8.js';
import { Fingerprinter } from '../index.js';
import { checkThreads, inOrder, joinTexts, processors, type Texts, Workers } from './workers.js';

/** The options of {@link fingerprintAll}. */
export interface PoolOptions extends SchemeOptions {
  /** The number of threads, 1 to 256. Default: the number of processors. */
  threads?: number;
}

/** The maximum bytes (if more than one text) and texts in a job: enough that the work outweighs the transfer. */
const JOB_BYTES = 1 << 19;
const JOB_TEXTS = 4096;

async function* jobs(texts: Iterable<Text> | AsyncIterable<Text>): AsyncGenerator<Texts, void, undefined> {
  let [held, size]: [Uint8Array[], number] = [[], 0];
  for await (const given of texts) {
    const text = checkText(given);
    // The caller may change its array before the job is complete.
    const bytes = typeof text === 'string' ? encoder.encode(text) : new Uint8Array(text);
    if (held.length === JOB_TEXTS || (held.length > 0 && size + bytes.length > JOB_BYTES)) {
      yield joinTexts(held);
      [held, size] = [[], 0];
    }
    held.push(bytes);
    size += bytes.length;
  }
  if (held.length > 0) yield joinTexts(held);
}

/**
 * Resolves to the result of `fingerprintAll` of `nearprint`, computed by worker threads. O(total length / threads).
 *
 * The threads start and end with the call, which takes some 80 ms: use this function for tens of megabytes or more. The
 * source is read only a little ahead of the threads.
 *
 * @example
 * ```js
 * import { fingerprintAll } from 'nearprint/pool';
 * const fingerprints = await fingerprintAll(['Hello, world', 'Hello, word'], { threads: 4 });
 * ```
 * @throws ArgumentError (by rejection): `texts` is not an iterable or async iterable of texts; an option is unknown or
 * out of range
 * @throws Error (by rejection): a thread ended before its result, for example out of memory
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
export async function fingerprintAll(
  texts: Iterable<Text> | AsyncIterable<Text>,
  options?: PoolOptions,
): Promise<Uint32Array | BigUint64Array> {
  const { threads = processors(), ...choices } = checkOptions(options, ['threads', ...schemeOptions]);
  checkAnyIterable(texts, 'texts', 'an iterable or async iterable of texts');
  checkThreads(threads);
  const { id: scheme, bits } = new Fingerprinter(choices);
  const file = new URL('./worker.js', import.meta.url);
  const settings: SchemeOptions = { scheme, key: copyOfKey(choices) };
  const workers = new Workers<Texts, Uint32Array | BigUint64Array>(threads, file, settings);
  const parts: (Uint32Array | BigUint64Array)[] = [];
  try {
    const run = (job: Texts) => workers.run(job, [job.bytes.buffer]);
    for await (const part of inOrder(jobs(texts), run, 2 * threads)) parts.push(part);
  } finally {
    await workers.close();
  }
  const all = new (bits === 32 ? Uint32Array : BigUint64Array)(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    // All parts are arrays of the type for the width.
    (all as BigUint64Array).set(part as BigUint64Array, at);
    at += part.length;
  }
  return all;
}
