// The fingerprints of many texts, computed by worker threads.
import { checkAnyIterable, checkOptions, checkText } from '../core/check.js';
import { schemeOptions } from '../core/scheme.js';
import { Fingerprinter } from '../index.js';
import { checkThreads, inOrder, processors, Workers } from './workers.js';

/** A job has this many bytes of UTF-8 or texts, enough to outweigh the transfer to a thread. */
const BYTES = 1 << 19;
const TEXTS = 4096;

const encoder = new TextEncoder();

/** The size of a text in UTF-8: exact for a long text, otherwise an upper bound. */
function mostBytes(text) {
  if (typeof text !== 'string') return text.length;
  return text.length > BYTES ? Buffer.byteLength(text) : 3 * text.length;
}

/** Jobs `{ bytes, ends }`: texts joined as UTF-8 in a buffer that is transferred to a thread, and the end of each. */
async function* jobs(texts) {
  let [bytes, ends, at] = [undefined, [], 0];
  for await (const text of texts) {
    const most = mostBytes(checkText(text));
    if (ends.length > 0 && (ends.length === TEXTS || at + most > bytes.length)) {
      yield { bytes, ends };
      [bytes, ends, at] = [undefined, [], 0];
    }
    bytes ??= new Uint8Array(Math.max(BYTES, most));
    if (typeof text === 'string') {
      at += encoder.encodeInto(text, bytes.subarray(at)).written;
    } else {
      bytes.set(text, at);
      at += text.length;
    }
    ends.push(at);
  }
  if (ends.length > 0) yield { bytes, ends };
}

export async function fingerprintAll(texts, options) {
  const { threads = processors(), ...choices } = checkOptions(options, ['threads', ...schemeOptions]);
  checkAnyIterable(texts, 'texts', 'an iterable or async iterable of texts');
  checkThreads(threads);
  const { id: scheme, bits } = new Fingerprinter(choices);
  const workers = new Workers(threads, new URL('./worker.js', import.meta.url), { scheme });
  const parts = [];
  try {
    const run = (job) => workers.run(job, [job.bytes.buffer]);
    for await (const part of inOrder(jobs(texts), run, 2 * threads)) parts.push(part);
  } finally {
    await workers.close();
  }
  const all = new (bits === 32 ? Uint32Array : BigUint64Array)(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
