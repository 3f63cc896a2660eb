// The fingerprints of many texts, computed by worker threads.
import { checkAnyIterable, checkOptions, checkText } from '../core/check.js';
import { copyOfKey, type SchemeOptions, schemeOptions } from '../core/scheme.js';
import type { Bits, Text } from '../core/types.js';
import { encoder } from '../core/utf8.js';
import { Fingerprinter } from '../index.js';
import { checkThreads, inOrder, processors, Workers } from './workers.js';

/** The options of {@link fingerprintAll}. */
export interface PoolOptions extends SchemeOptions {
  /** The number of threads, 1 to 256. Default: the number of processors. */
  threads?: number;
}

/**
 * The settings of a worker thread.
 *
 * @internal
 */
export interface Settings {
  scheme: string;
  key: Uint8Array | undefined;
}

/**
 * Texts joined as UTF-8 in a buffer that is transferred to a thread, and the end of each.
 *
 * @internal
 */
export interface Job {
  bytes: Uint8Array<ArrayBuffer>;
  ends: number[];
}

/** The numbers of bytes of UTF-8 and of texts in a job, enough to outweigh its transfer to a thread. */
const JOB_BYTES = 1 << 19;
const JOB_TEXTS = 4096;

/** Returns the size of a text in UTF-8: exact for a long text, otherwise an upper bound. */
function maxBytes(text: Text): number {
  if (typeof text !== 'string') return text.length;
  return text.length > JOB_BYTES ? Buffer.byteLength(text) : 3 * text.length;
}

/** Yields the texts as jobs. */
async function* jobs(texts: Iterable<Text> | AsyncIterable<Text>): AsyncGenerator<Job, void, undefined> {
  let job: Job | undefined;
  let at = 0;
  for await (const given of texts) {
    const text = checkText(given);
    const size = maxBytes(text);
    if (job !== undefined && (job.ends.length === JOB_TEXTS || at + size > job.bytes.length)) {
      yield job;
      job = undefined;
    }
    if (job === undefined) {
      job = { bytes: new Uint8Array(Math.max(JOB_BYTES, size)), ends: [] };
      at = 0;
    }
    if (typeof text === 'string') {
      at += encoder.encodeInto(text, job.bytes.subarray(at)).written;
    } else {
      job.bytes.set(text, at);
      at += text.length;
    }
    job.ends.push(at);
  }
  if (job !== undefined) yield job;
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
 * @throws ArgumentError (by rejection): `texts` is not an iterable or async iterable of texts; an option is unknown or
 * out of range
 * @throws Error (by rejection): a thread has ended before its result, out of memory for example
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
  const settings: Settings = { scheme, key: copyOfKey(choices) };
  const workers = new Workers<Job, Uint32Array | BigUint64Array>(
    threads,
    new URL('./worker.js', import.meta.url),
    settings,
  );
  const parts: (Uint32Array | BigUint64Array)[] = [];
  try {
    const run = (job: Job) => workers.run(job, [job.bytes.buffer]);
    for await (const part of inOrder(jobs(texts), run, 2 * threads)) parts.push(part);
  } finally {
    await workers.close();
  }
  return joined(parts, bits);
}

/** Returns parts as one array. All parts are arrays of the type for the width. */
function joined(parts: readonly (Uint32Array | BigUint64Array)[], bits: Bits): Uint32Array | BigUint64Array {
  const all = new (bits === 32 ? Uint32Array : BigUint64Array)(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    (all as BigUint64Array).set(part as BigUint64Array, at);
    at += part.length;
  }
  return all;
}
