// nearprint/pool: the fingerprints of many texts, by worker threads.
import { checkAnyIterable, checkOptions, checkText } from './check.js';
import { Fingerprinter } from './index.js';
import { schemeOptions } from './scheme.js';
import { checkThreads, defaultThreads, inOrder, Workers } from './workers.js';

/** A job is long enough to be worth its way to a thread: so many UTF-16 units or bytes, or so many texts. */
const UNITS = 1 << 18;
const TEXTS = 4096;

async function* batches(texts) {
  let batch = [];
  let units = 0;
  for await (const text of texts) {
    batch.push(checkText(text));
    units += text.length;
    if (units < UNITS && batch.length < TEXTS) continue;
    yield batch;
    batch = [];
    units = 0;
  }
  if (batch.length > 0) yield batch;
}

export async function fingerprintAll(texts, options) {
  const { threads = defaultThreads(), ...choices } = checkOptions(options, ['threads', ...schemeOptions]);
  checkAnyIterable(texts, 'texts', 'an iterable or async iterable of texts');
  checkThreads(threads);
  const { id: scheme, bits } = new Fingerprinter(choices);
  const workers = new Workers(threads, { scheme });
  const parts = [];
  try {
    const run = (texts) => workers.run({ texts });
    for await (const part of inOrder(batches(texts), run, 2 * threads)) parts.push(part);
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
