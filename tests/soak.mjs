// npm run test:soak: objects that are freed, objects that are only dropped, and two gigabytes of text. Needs
// node --expose-gc. Prints the memory of the process, and fails if it grows.
import assert from 'node:assert/strict';
import { Fingerprinter, fingerprint, NearIndex } from '../pkg/index.js';

const megabytes = (bytes) => Math.round(bytes / 2 ** 20);
const idle = () => new Promise((resolve) => setTimeout(resolve));

/** The memory of the process after collections that give the FinalizationRegistry time to run. */
async function memory() {
  for (let times = 0; times < 3; times++) {
    gc();
    await idle();
  }
  return process.memoryUsage.rss();
}

/** Runs rounds, and fails if the memory grows after the first tenth of them. */
async function assertSteady(what, count, round) {
  const warmUp = Math.floor(count / 10);
  let before = 0;
  for (let at = 0; at < count; at++) {
    if (at === warmUp) before = await memory();
    round(at);
    // V8 does not collect such small objects soon by itself, and the registry runs only after a collection.
    if (at % 1000 === 999) await memory();
  }
  const after = await memory();
  console.log(`${what}: ${megabytes(before)} MB after a tenth, ${megabytes(after)} MB at the end`);
  assert.ok(after < before * 1.2 + 2 ** 24, `${what}: the memory grows`);
}

const words = Array.from({ length: 5000 }, (_, at) => ((at * 2654435761) >>> 0).toString(36));
const print = fingerprint('a text');
const use = (index, fingerprinter, stream) => {
  index.add('a', print).add(7, ~print & 0xffffn);
  assert.equal(index.query(print).length, 1);
  stream.update('a text');
  assert.equal(stream.digest(), fingerprinter.fingerprint('a text'));
};

await assertSteady('100,000 indexes, fingerprinters and streams, freed', 100_000, () => {
  const index = new NearIndex();
  const fingerprinter = new Fingerprinter();
  const stream = fingerprinter.stream();
  use(index, fingerprinter, stream);
  for (const each of [stream, fingerprinter, index]) each.free();
});

await assertSteady('100,000 indexes, fingerprinters and streams, dropped', 100_000, () => {
  const fingerprinter = new Fingerprinter();
  use(new NearIndex(), fingerprinter, fingerprinter.stream());
});

const pages = Array.from({ length: 16 }, (_, page) =>
  Array.from({ length: 16_000 }, (_, at) => words[(at * (page + 1) * 7919) % words.length]).join(' '),
);
const size = pages.reduce((sum, page) => sum + page.length, 0);
const rounds = Math.ceil(2 ** 31 / size) * pages.length;
await assertSteady(`2 GB of text, in pages of ${Math.round(size / pages.length / 1000)} kB`, rounds, (at) => {
  fingerprint(pages[at % pages.length]);
});
