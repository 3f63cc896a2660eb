// Writes sketches, as `nearprint hash --sketch --jsonl` prints them, and the clusters that the rule of docs/batch.md gives
// in memory:
//
//     node benches/batch/generate.mjs COUNT FOLDER   # synthetic sketches
//     node benches/batch/generate.mjs DIR FOLDER     # of a collection as benches/corpus.mjs describes it
//
// For a collection it also prints what the rule drops wrongly and leaves, and what `dedupe` does.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { dedupe, NearIndex, Sketch, sketchAll } from '../../pkg/index.js';
import { random } from '../../tests/js/random.mjs';
import { corpus, judge } from '../corpus.mjs';

const MAX_DISTANCE = 3;
const MIN_RESEMBLANCE = 0.67;
const FINGERPRINT = 7;
const WORDS = FINGERPRINT + 8;
const MINHASH = WORDS + 8;

const [source, folder] = process.argv.slice(2);
const collection = /^\d+$/.test(source) ? undefined : corpus(source);
const count = collection?.texts.length ?? Number(source);
const next = random(1);

/** The binary form of a sketch (DESIGN.md): a short text of one in twenty, else with margins, which are not used. */
function fresh() {
  const isShort = next(20) === 0;
  const bytes = new Uint8Array(isShort ? MINHASH : MINHASH + 64 + 32);
  bytes.set([5, ...Buffer.from('v1:64'), isShort ? 0 : 2]);
  for (let at = FINGERPRINT; at < Math.min(bytes.length, MINHASH + 64); at++) bytes[at] = next(256);
  // The lowest bit of the hash of the words is 1 for a text of few features.
  bytes[WORDS] = (bytes[WORDS] & 0xfc) | Number(isShort);
  return bytes;
}

/** A copy with other words, up to six flips in the fingerprint and up to half of the bins changed; of a short text, an equal copy. */
function copyOf(original) {
  const copy = original.slice();
  if (copy[6] === 0) return copy;
  for (let at = 1; at < 8; at++) copy[WORDS + at] = next(256);
  for (let flips = next(7); flips > 0; flips--) copy[FINGERPRINT + next(8)] ^= 1 << next(8);
  for (let changes = next(2) * next(128); changes > 0; changes--) {
    const bin = next(256);
    copy[MINHASH + (bin >> 2)] ^= (1 + next(3)) << (2 * (bin & 3));
  }
  return copy;
}

const all = collection ? sketchAll(collection.texts).map((sketch) => sketch.toBytes()) : [];
const out = createWriteStream(join(folder, 'sketches.jsonl'));
for (let at = 0; at < count; at++) {
  all[at] ??= at > 0 && next(4) === 0 ? copyOf(all[next(at)]) : fresh();
  const line = `{"id":"page-${at}","sketch":"${Buffer.from(all[at]).toString('hex')}"}\n`;
  if (!out.write(line)) await once(out, 'drain');
}
out.end();
await once(out, 'finish');

const start = performance.now();
const sketches = all.map((bytes) => Sketch.fromBytes(bytes));
const parents = all.map((_, at) => at);
const rootOf = (at) => {
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]];
    at = parents[at];
  }
  return at;
};
const unite = (a, b) => {
  parents[Math.max(rootOf(a), rootOf(b))] = Math.min(rootOf(a), rootOf(b));
};
// Texts of few features are near-duplicates only of texts with equal records.
const shorts = new Map();
const long = [];
for (const at of sketches.keys()) {
  if ((all[at][WORDS] & 1) === 0) long.push(at);
  else {
    const record = Buffer.from(all[at]).toString('hex');
    if (shorts.has(record)) unite(shorts.get(record), at);
    else shorts.set(record, at);
  }
}
const fingerprints = long.map((at) => sketches[at].fingerprint);
const index = new NearIndex({ bits: 64, maxDistance: MAX_DISTANCE }).addAll(long, fingerprints);
for (const { a, b } of index.pairs()) {
  if (sketches[a].resemblance(sketches[b]) >= MIN_RESEMBLANCE) unite(a, b);
}
const seconds = (performance.now() - start) / 1000;

/** The cluster of a document has the name of its first document in the order of strings, as min(id) gives it. */
const names = new Map();
for (const at of all.keys()) {
  const name = `page-${at}`;
  const root = rootOf(at);
  if (!names.has(root) || name < names.get(root)) names.set(root, name);
}
const answer = createWriteStream(join(folder, 'clusters.csv'));
for (const at of all.keys()) {
  if (!answer.write(`page-${at},${names.get(rootOf(at))}\n`)) await once(answer, 'drain');
}
answer.end();
await once(answer, 'finish');
console.log(`${count} sketches, ${names.size} clusters; in memory: ${seconds.toFixed(1)} s`);

/** The documents of `ids` that `dedupe` drops, each with the one that it keeps. */
async function dropped(ids) {
  const found = [];
  for await (const decision of dedupe(ids.map((id) => ({ id, text: collection.texts[id] })))) {
    if (decision.status === 'duplicate') found.push([decision.id, decision.duplicateOf]);
  }
  return found;
}

if (collection) {
  const ids = [...all.keys()];
  // The first document of each cluster is kept.
  const byRule = ids.filter((id) => rootOf(id) !== id).map((id) => [id, rootOf(id)]);
  const firsts = ids.filter((id) => rootOf(id) === id);
  const results = {
    'this rule': byRule,
    'this rule, then dedupe': [...byRule, ...(await dropped(firsts))],
    dedupe: await dropped(ids),
  };
  for (const [name, found] of Object.entries(results)) {
    const { dropped, wrong, left } = judge(collection, found);
    console.log(
      `${name}: ${dropped} dropped; of 100,000 documents, ${wrong.toFixed(1)} wrongly, ${left.toFixed(1)} left`,
    );
  }
}
