// Prints the speed and memory of NearIndex, of a hand-written block index on typed arrays, and of one sort.
//
//     node benches/index.mjs [COUNT] [KIND]     # 1,000,000 and uniform by default
//
// KIND is `uniform`, `skewed`, or the path of a file. The file has a JSON object with a `text` on every line, and may end in .gz. The fingerprints are then those of passages of
// the texts, by plain words: their distribution is the most uneven of real texts, and many are near each other.
import { fingerprintAll, NearIndex } from '../pkg/simhash.js';
import { readArguments } from '../scripts/arguments.mjs';
import { readObjects } from './lines.mjs';
import { median, time } from './times.mjs';

const { count, kind } = readArguments('[COUNT=1000000] [KIND=uniform]');
const ROUNDS = 5;

/** xoshiro128**, so that every run has the same fingerprints. */
function random(seed) {
  let [a, b, c, d] = [seed, 0x9e3779b9, 0x243f6a88, 0xb7e15162];
  return () => {
    const r = Math.imul(b, 5);
    const result = Math.imul((r << 7) | (r >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

/** Fingerprints of random passages of 8 to 71 words. */
function ofTexts(n, next) {
  const all = readObjects(kind).map(({ text }) => text.split(/\s+/));
  const texts = all.filter((words) => words.length >= 8);
  function* passages() {
    for (let i = 0; i < n; i++) {
      const words = texts[next() % texts.length];
      const start = next() % (words.length - 7);
      yield words.slice(start, start + 8 + (next() % 64)).join(' ');
    }
  }
  return fingerprintAll(passages(), { features: 'words', weights: 'tf' });
}

/** Uniform fingerprints, or skewed ones: bits are set in 15, 25, ... 85 % of them, and a tenth equals an earlier one. */
function fingerprints(n, seed) {
  const next = random(seed);
  if (kind !== 'uniform' && kind !== 'skewed') return ofTexts(n, next);
  const all = new BigUint64Array(n);
  const halves = new Uint32Array(all.buffer);
  for (let i = 0; i < 2 * n; i++) {
    if (kind === 'uniform') halves[i] = next();
    else for (let bit = 0; bit < 32; bit++) if (next() % 100 < 15 + 10 * (bit % 8)) halves[i] |= 1 << bit;
  }
  if (kind !== 'uniform') for (let i = 1; i < n; i++) if (next() % 10 === 0) all[i] = all[next() % i];
  return all;
}

function timed(run, rounds = ROUNDS) {
  return median(Array.from({ length: rounds }, () => time(run)));
}

const popcount = (x) => {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** The scheme of Manku et al. in plain JavaScript: a Map for each block of 16 bits, and only BigInt. */
class Plain {
  constructor(all) {
    this.all = all;
    this.tables = [0n, 16n, 32n, 48n].map((shift) => {
      const table = new Map();
      for (let i = 0; i < all.length; i++) {
        const block = Number((all[i] >> shift) & 0xffffn);
        const items = table.get(block);
        if (items) items.push(i);
        else table.set(block, [i]);
      }
      return { shift, table };
    });
  }

  query(fingerprint, distance) {
    const hits = new Map();
    for (const { shift, table } of this.tables) {
      for (const i of table.get(Number((fingerprint >> shift) & 0xffffn)) ?? []) {
        let d = 0;
        for (let x = this.all[i] ^ fingerprint; x && d <= distance; x &= x - 1n) d++;
        if (d <= distance) hits.set(i, { id: i, distance: d });
      }
    }
    return [...hits.values()].sort((a, b) => a.distance - b.distance || a.id - b.id);
  }
}

/** The same, optimised: typed arrays, counting sort, halves of 32 bits. */
class HandWritten {
  constructor(all) {
    this.halves = new Uint32Array(all.buffer, all.byteOffset, 2 * all.length);
    this.seen = new Uint32Array(all.length).fill(0xffffffff);
    this.tables = [0, 1, 2, 3].map((block) => {
      const starts = new Uint32Array(65537);
      const { halves } = this;
      const at = (i) => (halves[2 * i + (block >> 1)] >>> (16 * (block & 1))) & 0xffff;
      for (let i = 0; i < all.length; i++) starts[at(i) + 1]++;
      for (let b = 0; b < 65536; b++) starts[b + 1] += starts[b];
      const next = starts.slice();
      const items = new Uint32Array(all.length);
      for (let i = 0; i < all.length; i++) items[next[at(i)]++] = i;
      return { starts, items };
    });
    this.queries = 0;
  }

  query(fingerprint, distance) {
    const low = Number(fingerprint & 0xffffffffn);
    const high = Number(fingerprint >> 32n);
    const blocks = [low & 0xffff, low >>> 16, high & 0xffff, high >>> 16];
    const { halves, seen } = this;
    const hits = [];
    const query = this.queries++;
    for (let block = 0; block < 4; block++) {
      const { starts, items } = this.tables[block];
      for (let at = starts[blocks[block]], end = starts[blocks[block] + 1]; at < end; at++) {
        const i = items[at];
        const d = popcount(halves[2 * i] ^ low) + popcount(halves[2 * i + 1] ^ high);
        if (d <= distance && seen[i] !== query) {
          seen[i] = query;
          hits.push({ id: i, distance: d });
        }
      }
    }
    return hits.sort((a, b) => a.distance - b.distance || a.id - b.id);
  }
}

const all = fingerprints(count, 1);
const ids = Float64Array.from({ length: count }, (_, i) => i);
const figure = (name, value) => console.log(`${name.padEnd(44)} ${value}`);
const rate = (n, ms) => `${Math.round(n / ms)} k/s`;

const index = new NearIndex({ maxDistance: 8 });
const first = time(() => index.addAll(ids, all));

const sort = timed(() => all.slice().sort());
const build = timed(() => {
  const index = new NearIndex({ maxDistance: 8 });
  index.addAll(ids, all);
  index.free();
});
figure(`${count} ${kind.split('/').at(-1)}, ${new Set(all).size} distinct, sort once`, `${sort.toFixed(0)} ms`);
figure('addAll', `${build.toFixed(0)} ms (first ${first.toFixed(0)}), ${(build / sort).toFixed(2)} sorts`);
figure('memory', `${(index.bytes / count).toFixed(1)} bytes per fingerprint`);

// Half of the queries are near a stored fingerprint.
const queries = fingerprints(200_000, 2);
for (let i = 0; i < queries.length; i += 2) queries[i] = all[(i * 7919) % count] ^ (1n << BigInt(i % 64)) ^ 1n;
const list = [...queries];
const hand = new HandWritten(all);
const run = (query, n) =>
  timed(() => {
    for (let i = 0; i < n; i++) query(list[i]);
  });
const scale = kind === 'uniform' ? 1 : 0.05;
const n3 = Math.round(200_000 * scale);
const handTime = run((q) => hand.query(q, 3), n3);
const three = run((q) => index.query(q, { maxDistance: 3 }), n3);
const plain = new Plain(all);
const plainQueries = Math.round(n3 / 20);
const plainTime = (run((q) => plain.query(q, 3), plainQueries) * n3) / plainQueries;
figure('k=3, plain JavaScript', rate(n3, plainTime));
figure('k=3, hand-written on typed arrays', rate(n3, handTime));
figure('k=3', `${rate(n3, three)}, ${(plainTime / three).toFixed(1)} and ${(handTime / three).toFixed(1)} times`);
for (const [k, n] of [
  [4, 50_000],
  [6, 50_000],
  [8, 20_000],
  [12, 1000],
  [16, 200],
]) {
  const m = Math.max(20, Math.round(n * scale));
  figure(
    `k=${k}`,
    rate(
      m,
      run((q) => index.query(q, { maxDistance: k }), m),
    ),
  );
}
let found = 0;
figure(
  'pairs, k=3',
  `${timed(() => {
    found = 0;
    for (const _ of index.pairs({ maxDistance: 3 })) found++;
  }, 3).toFixed(0)} ms`,
);
figure('', `${found} pairs`);
if (count <= 2e6) {
  figure(
    'pairs, k=8',
    `${timed(() => {
      found = 0;
      for (const _ of index.pairs({ maxDistance: 8 })) found++;
    }, 1).toFixed(0)} ms`,
  );
  figure('', `${found} pairs`);
}
let bytes;
figure(
  'toBytes',
  `${timed(() => (bytes = index.toBytes()), 3).toFixed(0)} ms, ${(bytes.length / count).toFixed(1)} bytes per fingerprint`,
);
figure('fromBytes', `${timed(() => NearIndex.fromBytes(bytes).free(), 3).toFixed(0)} ms`);
const single = new NearIndex({ maxDistance: 8 });
const adds = Math.min(count, 1e6);
figure(
  'add, one at a time',
  rate(
    adds,
    time(() => {
      for (let i = 0; i < adds; i++) single.add(i, all[i]);
    }),
  ),
);
const times = Float64Array.from({ length: adds }, (_, i) => {
  // The same fingerprints with 16 bits flipped, under new ids: the index grows to twice the size.
  const fingerprint = all[i] ^ 0xffff_0000n;
  const start = performance.now();
  single.add(adds + i, fingerprint);
  return performance.now() - start;
}).sort();
figure(
  'add, maximum and 99.99th percentile',
  `${times.at(-1).toFixed(0)} ms, ${times[Math.floor(0.9999 * adds)].toFixed(2)} ms`,
);
figure('memory after these', `${(single.bytes / single.size).toFixed(1)} bytes per fingerprint`);
figure(
  'delete, one at a time',
  rate(
    adds / 2,
    time(() => {
      for (let i = 0; i < adds; i += 2) single.delete(i);
    }),
  ),
);
