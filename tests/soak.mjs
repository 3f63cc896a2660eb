// npm run test:soak [-- --minutes=N]: everything that a long-lived process does, mixed, again and again. Needs
// node --expose-gc. Fails if the memory in use, after a collection, grows by 1 MB after the first fifth of the time.
import assert from 'node:assert/strict';
import { readArguments } from '../scripts/arguments.mjs';

const { minutes = 2 } = readArguments('[--minutes N]');

/** The memories of the instances of WebAssembly in this thread. They never shrink. */
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memories.push(Object.values(super.exports).find((value) => value instanceof WebAssembly.Memory));
  }
};
const nearprint = await import('../pkg/index.js');
const simhash = await import('../pkg/simhash.js');
const compat = await import('../pkg/compat.js');
const { importSource } = await import('./source.mjs');
const { textReader } = await importSource('js/node/html.ts');
const { randomFrom } = await import('./campaign/common.mjs');
const families = await import('./campaign/families.mjs');

const { compare, Deduplicator, dedupe, resemblance, Sketch, Sketcher, sketch } = nearprint;
const { compareBits, Fingerprinter, fingerprint, NearIndex } = simhash;
const LARGEST = 2 ** 20;
/** Documents that the objects of the whole run keep. */
const KEPT = 2000;

const random = randomFrom(7);
const below = (count) => Math.floor(count * random());
const words = Array.from({ length: 5000 }, (_, at) => ((at * 2654435761) >>> 0).toString(36));
const text = (count) => Array.from({ length: count }, () => words[below(words.length)]).join(' ');
const texts = (count) => Array.from({ length: count }, () => text(4 + below(60)));
const throwsOf = (call) => {
  try {
    call();
  } catch (error) {
    assert.match(error.message, /^nearprint: /);
    return;
  }
  assert.fail('nothing was thrown');
};

const hostile = Object.values(families.texts).flatMap((family) => [family(2 ** 12), family(2 ** 17)]);
// V8 joins the pieces of a string at its first use, and keeps the result.
for (const each of hostile) fingerprint(each);
const pages = Object.values(families.pages).map((family) => family(2 ** 14));
const schemes = ['v1:32', 'v1:64', 'v1:128', 'v1:64:words3:binary', 'v1:64:verbatim:chars4:tf'];
const mainText = await textReader({ isHtml: true });
const html = (page) => {
  try {
    return mainText(page);
  } catch (error) {
    assert.equal(error.message, 'the page has no text');
    return '';
  }
};

/** Objects of the whole run. A snapshot replaces them from time to time. */
let index = new NearIndex();
let kept = new Deduplicator();
/** The ids in each, the oldest first. No id occurs twice. */
const ids = { index: [], kept: [] };
let last = 0;

const works = {
  fingerprints() {
    const page = text(2000);
    assert.equal(fingerprint(page), BigInt.asUintN(64, fingerprint(page, { bits: 128 })));
    assert.equal(simhash.fingerprintAll(texts(50)).length, 50);
    simhash.features(text(200));
    compareBits(text(100), text(100));
    compat.rabinWindows(text(500), 48);
    compat.fingerprint(page, { scheme: '1e0ng' });
  },
  sketches() {
    const one = sketch(text(500));
    compare(text(100), text(100));
    assert.ok(Sketch.fromBytes(one.toBytes()).equals(one));
    assert.equal(resemblance(one, Sketch.fromHex(one.toHex())), 1);
  },
  // Half of the objects are freed, and the registry frees the others after a collection.
  objects() {
    const all = [new Fingerprinter({ scheme: schemes[below(schemes.length)] }), new NearIndex(), new Deduplicator()];
    all[1].add('a', 1n).add(7, 2n);
    all[2].add('a', 'a text').add(7, text(30));
    all.push(all[0].stream().update(text(50)));
    assert.equal(all[3].digest(), all[3].digest());
    if (below(2) === 0) for (const each of all.reverse()) each.free();
  },
  streams() {
    const fingerprinter = new Fingerprinter();
    const stream = fingerprinter.stream();
    const page = text(20_000);
    for (let at = 0; at < page.length; at += 1000) stream.update(page.slice(at, at + 1000));
    assert.equal(stream.digest(), fingerprinter.fingerprint(page));
    stream.free();
    fingerprinter.free();
    const sketcher = new Sketcher();
    const sketches = sketcher.stream().update(page);
    assert.ok(sketches.sketch().equals(sketcher.sketch(page)));
    sketches.free();
    sketcher.free();
  },
  index() {
    for (let count = 0; count < 100; count++) {
      const id = below(2) === 0 ? last++ : `page ${last++}`;
      index.add(id, fingerprint(text(30)));
      ids.index.push(id);
    }
    while (ids.index.length > KEPT) assert.ok(index.delete(ids.index.shift()));
    assert.equal(index.size, ids.index.length);
    assert.equal(index.query(index.get(ids.index[0]), { maxDistance: 0 })[0].id, ids.index[0]);
    for (const { distance } of index.pairs()) assert.ok(distance <= index.maxDistance);
  },
  deduplicator() {
    for (let count = 0; count < 100; count++) {
      const id = below(2) === 0 ? last++ : `page ${last++}`;
      if (kept.observe(id, text(4 + below(60))).status === 'new') ids.kept.push(id);
    }
    while (ids.kept.length > KEPT) assert.ok(kept.delete(ids.kept.shift()));
    assert.equal(kept.size, ids.kept.length);
    const id = ids.kept[below(ids.kept.length)];
    const own = sketch(text(40));
    assert.equal(kept.observe(id, own).status, 'changed');
    assert.equal(kept.query(own)[0].resemblance, 1);
    assert.equal(kept.observe(id, own).status, 'unchanged');
    throwsOf(() => kept.observe({}, 'again'));
  },
  async dedupe() {
    const all = texts(100).map((each, id) => ({ id, text: each }));
    let count = 0;
    for await (const _ of dedupe([...all, ...all.map(({ id, text }) => ({ id: `again ${id}`, text }))])) count++;
    assert.equal(count, 200);
  },
  snapshots() {
    const [ofIndex, ofKept] = [index.toBytes(), kept.toBytes()];
    const [oldIndex, oldKept] = [index, kept];
    index = NearIndex.fromBytes(ofIndex);
    kept = Deduplicator.fromBytes(ofKept);
    assert.equal(index.size, oldIndex.size);
    oldIndex.free();
    oldKept.free();
    ofIndex[below(ofIndex.length)] ^= 1;
    ofKept[below(ofKept.length)] ^= 1;
    throwsOf(() => NearIndex.fromBytes(ofIndex));
    throwsOf(() => Deduplicator.fromBytes(ofKept));
  },
  hostile() {
    for (const each of [hostile[below(hostile.length)], text(LARGEST / 8).slice(0, LARGEST)]) {
      fingerprint(each);
      sketch(each);
    }
    html(pages[below(pages.length)]);
    html(`<body><p>${text(200)}<p>${text(200)}`);
    for (const value of [undefined, 7, {}, Symbol('s'), new Uint16Array(2)]) throwsOf(() => fingerprint(value));
    throwsOf(() => new Fingerprinter({ scheme: text(5) }));
    throwsOf(() => index.add({}, 1n));
    throwsOf(() => index.add('a', -1n));
  },
};

const idle = () => new Promise((resolve) => setTimeout(resolve, 10));

/**
 * The memory in use, in bytes: the least after each of some collections, which give the FinalizationRegistry and V8's
 * compilers time to run.
 */
async function memory() {
  let least;
  for (let times = 0; times < 10; times++) {
    gc();
    await idle();
    const { heapUsed: heap, arrayBuffers: buffers, rss } = process.memoryUsage();
    if (least === undefined || heap < least.heap) least = { heap, buffers, rss };
  }
  const module = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { ...least, module };
}

const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(2);
const show = (all) => Object.entries(all).map(([name, bytes]) => `${name} ${megabytes(bytes)}`);
const inUse = ({ heap, buffers, module }) => heap + buffers + module;

const start = performance.now();
const passed = () => (performance.now() - start) / 60_000;
let first;
let nextLine = 0;
let round = 0;
for (; passed() < minutes; round++) {
  for (const work of Object.values(works)) await work();
  // A collection knows nothing of the memory in the module, so it would come late. The registry runs after it.
  gc();
  await idle();
  // When the two objects of the whole run are full, and the functions compiled.
  if (first === undefined && passed() > minutes / 5 && ids.kept.length === KEPT) first = await memory();
  if (passed() < nextLine) continue;
  console.log(`${passed().toFixed(1)} minutes, ${round} rounds, MB: ${show(await memory()).join(', ')}`);
  nextLine += minutes / 20;
}
assert.ok(first, `${minutes} minutes are too short to fill the index`);
const end = await memory();
const growth = inUse(end) - inUse(first);
console.log(`${round} rounds in ${minutes} minutes. MB after a fifth: ${show(first).join(', ')}`);
console.log(`at the end: ${show(end).join(', ')}; in use (heap, buffers, module): ${megabytes(growth)} more`);
assert.ok(growth < 2 ** 20, `the memory in use grows by ${megabytes(growth)} MB`);
