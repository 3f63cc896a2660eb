// Pairs and clusters by resemblance. The oracle compares all pairs and applies the definition document by document.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { clusters, Deduplicator, isNearDuplicate, sketch } from '../../pkg/index.js';
import { random } from './random.mjs';

/** Returns a text of `length` words. Some are replaced. */
function version(seed, length, edits = []) {
  const words = Array.from({ length }, (_, at) => `s${seed}w${at}`);
  edits.forEach((edit, at) => {
    words[edit % length] = `e${edit}n${at}`;
  });
  return words.join(' ');
}

/** Returns documents of few texts: copies, versions, and short texts. */
function randomTexts(below, count) {
  return Array.from({ length: count }, () => {
    if (below(6) === 0) return `short text ${below(3)}`;
    const edits = Array.from({ length: below(4) }, () => below(60));
    return version(below(4), [6, 12, 40, 120][below(4)], edits);
  });
}

/** Returns the pairs of texts by position. A pair has a key in common. */
function allPairs(texts, minResemblance) {
  const sketches = texts.map((text) => sketch(text));
  const keys = sketches.map((each) => new Set(each.keys));
  return sketches.flatMap((b, second) =>
    sketches.slice(0, second).flatMap((a, first) => {
      const near = [...keys[first]].some((key) => keys[second].has(key)) && isNearDuplicate(a, b, { minResemblance });
      return near ? [{ a: first, b: second, resemblance: a.resemblance(b), distance: a.distance(b) }] : [];
    }),
  );
}

function naiveClusters(texts, linkage, minResemblance) {
  const near = texts.map(() => new Map());
  for (const { a, b, resemblance } of allPairs(texts, minResemblance)) {
    near[a].set(b, resemblance);
    near[b].set(a, resemblance);
  }
  const order = [...texts.keys()].sort((a, b) => near[b].size - near[a].size || a - b);
  const taken = new Set();
  const found = [];
  for (const first of order) {
    if (taken.has(first)) continue;
    taken.add(first);
    const cluster = [first];
    for (let at = 0; at < (linkage === 'single' ? cluster.length : 1); at++) {
      for (const other of near[cluster[at]].keys()) {
        if (!taken.has(other)) cluster.push(other);
        taken.add(other);
      }
    }
    if (cluster.length > 1) found.push([first, ...cluster.slice(1).sort((a, b) => a - b)]);
  }
  found.sort((a, b) => b.length - a.length || Math.min(...a) - Math.min(...b));
  const resemblanceOf = (a, b) => sketch(texts[a]).resemblance(sketch(texts[b]));
  return found.map((cluster) => cluster.map((at) => ({ id: at, resemblance: resemblanceOf(cluster[0], at) })));
}

const byIds = (one, other) => one.a - other.a || one.b - other.b;

test('pairs and clusters are as defined', async () => {
  for (let seed = 0; seed < 60; seed++) {
    const below = random(seed);
    const texts = randomTexts(below, below(18));
    const minResemblance = [undefined, 0.5, 0.9, 1][below(4)];
    const kept = new Deduplicator();
    texts.forEach((text, at) => {
      kept.add(at, text);
    });
    assert.deepEqual([...kept.pairs({ minResemblance })].sort(byIds), allPairs(texts, minResemblance).sort(byIds));
    for (const linkage of [undefined, 'star', 'single']) {
      const expected = naiveClusters(texts, linkage, minResemblance);
      const found = await clusters(texts, { linkage, minResemblance });
      assert.deepEqual(
        found.map(({ members }) => members),
        expected.map((members) =>
          members.map(({ id: position, resemblance }) => ({
            id: undefined,
            position,
            document: texts[position],
            resemblance,
          })),
        ),
      );
      const rows = (all) => all.map((members) => JSON.stringify(members)).sort();
      assert.deepEqual(rows(kept.clusters({ linkage, minResemblance }).map(({ members }) => members)), rows(expected));
    }
    kept.free();
  }
});

test('large sets cross in pages, and keep their ids', () => {
  const kept = new Deduplicator();
  const expected = new Map();
  for (let family = 0; family < 400; family++) {
    for (let at = 0; at <= family % 9; at++) {
      const id = at % 2 ? `string ${family} ${at}` : 1000 * family + at;
      kept.add(id, version(family, 80 + family, [at]));
      expected.set(id, family);
    }
  }
  const found = kept.clusters();
  assert.equal(found.length, [...Array(400).keys()].filter((family) => family % 9 > 0).length);
  for (const { representative, members } of found) {
    const families = new Set(members.map(({ id }) => expected.get(id)));
    assert.deepEqual([families.size, members.length], [1, (expected.get(representative) % 9) + 1]);
  }
  const pairs = [...kept.pairs()];
  const choose = (size) => (size * (size - 1)) / 2;
  assert.equal(
    pairs.length,
    found.reduce((sum, { members }) => sum + choose(members.length), 0),
  );
  assert.ok(pairs.every(({ a, b }) => expected.get(a) === expected.get(b)));
  // Another set with the same documents has the same pairs in the same order, also after a snapshot.
  assert.deepEqual([...Deduplicator.fromBytes(kept.toBytes()).pairs()], pairs);
});

test('the time of pairs is when their iteration begins', () => {
  mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  const kept = new Deduplicator().add('a', 'Good news').add('b', 'Good news', { expiresIn: 10 });
  const [pairs, earlier] = [kept.pairs(), kept.pairs({ now: 1005 })];
  assert.throws(() => kept.pairs({ now: -1 }), { argument: 'now' });
  assert.throws(() => kept.pairs({ minResemblance: 2 }), { argument: 'minResemblance' });
  assert.deepEqual([[...pairs].length, [...earlier].length], [1, 1]);
  mock.timers.tick(11_000);
  assert.deepEqual([...pairs], []);
  mock.timers.reset();
});

test('pairs are iterated again, and skip what is removed meanwhile', () => {
  const kept = new Deduplicator();
  for (const id of ['a', 'b', 'c', 'd']) kept.add(id, 'Good news');
  const pairs = kept.pairs();
  const ids = () => Array.from(pairs, ({ a, b }) => a + b);
  assert.deepEqual(ids().sort(), ['ab', 'ac', 'ad', 'bc', 'bd', 'cd']);
  kept.delete('b');
  assert.deepEqual(ids().sort(), ['ac', 'ad', 'cd']);
  const left = [];
  for (const { a, b } of pairs) {
    left.push(a + b);
    kept.add('b', 'Good news').delete('d');
  }
  assert.deepEqual(left, ['ac']);
  // A document can only take the place of an equal one.
  const rest = [];
  for (const { a, b } of pairs) {
    if (rest.push(a + b) === 1) for (const id of ['b', 'c', 'd', 'e']) kept.delete(id);
    kept.add('e', 'Bad news').add('f', 'Good news');
  }
  assert.ok(!rest.some((pair) => pair.includes('e')));
  const large = new Deduplicator();
  for (let at = 0; at < 3000; at++) large.add(at, version(at >> 1, 90));
  const seen = [];
  for (const { a, b } of large.pairs()) {
    if (seen.push([a, b]) === 1) for (let at = 2500; at < 3000; at++) large.delete(at);
  }
  assert.equal(seen.length, 1250);
});

test('sources, ids, texts and schemes', async () => {
  const rows = [
    { key: 'x', body: 'Good news' },
    { key: undefined, body: 'GOOD NEWS' },
    { key: 'x', body: 'good news' },
    { key: 'y', body: new TextEncoder().encode('Bad news') },
  ];
  const options = { id: ({ key }) => key, text: ({ body }) => body };
  const expected = [
    {
      representative: 'x',
      members: [0, 1, 2].map((at) => ({ id: rows[at].key, position: at, document: rows[at], resemblance: 1 })),
    },
  ];
  async function* later() {
    yield* rows;
  }
  assert.deepEqual(await clusters(rows, options), expected);
  assert.deepEqual(await clusters(later(), options), expected);
  assert.deepEqual(await clusters(rows, { ...options, key: new Uint8Array(16).fill(7) }), expected);
  const chars = await clusters(['abcdefghijkl', 'abcdefghijkm', 'zzz'], {
    features: { chars: 3 },
    minResemblance: 0.6,
  });
  assert.equal(chars.length, 1);
  // Short texts and others are in the order of the source.
  const mixed = [version(1, 50), 'short', version(1, 50), 'short'];
  assert.deepEqual(
    (await clusters(mixed)).map(({ members }) => members.map(({ position }) => position)),
    [
      [0, 2],
      [1, 3],
    ],
  );
  assert.deepEqual(await clusters([]), []);
});

test('wrong arguments are named', async () => {
  const kept = new Deduplicator();
  for (const [options, message] of [
    [{ linkage: 'complete' }, "nearprint: linkage must be 'star' or 'single', got \"complete\""],
    [{ minResemblance: 0 }, 'nearprint: minResemblance must be a number above 0 and at most 1, got 0'],
  ]) {
    assert.throws(() => kept.clusters(options), { message });
    await assert.rejects(clusters([], options), { message });
  }
  assert.throws(() => kept.pairs({ minResemblance: 2 }), /minResemblance must be/);
  assert.throws(() => kept.pairs({ linkage: 'star' }), /linkage/);
  assert.throws(() => kept.clusters({ now: 'today' }), /now must be/);
  await assert.rejects(clusters([{ id: 'a' }]), /source\[0\]\.text must be/);
  await assert.rejects(clusters(['a', { id: true, text: 'a' }]), /source\[1\]\.id must be/);
  await assert.rejects(clusters('text'), /source must be/);
  await assert.rejects(clusters([], { against: kept }), /against/);
});
