// Pairs and clusters by resemblance. tests/it/clusters.rs compares the pairs and clusters of a set with their definition.
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { clusters, Deduplicator, dedupe } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
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

test('clusters() has the clusters of a set, with documents, in the order of size and place', async () => {
  for (let seed = 0; seed < 60; seed++) {
    const below = random(seed);
    const texts = randomTexts(below, below(18));
    const minResemblance = [undefined, 0.5, 0.9, 1][below(4)];
    const kept = new Deduplicator();
    texts.forEach((text, at) => {
      kept.add(at, text);
    });
    for (const linkage of [undefined, 'star', 'single']) {
      const found = await clusters(texts, { linkage, minResemblance });
      const ranks = found.map(({ members }) => [members.length, Math.min(...members.map(({ position }) => position))]);
      assert.deepEqual(
        ranks,
        ranks.toSorted((a, b) => b[0] - a[0] || a[1] - b[1]),
      );
      for (const { representative, members } of found) {
        assert.equal(representative, undefined);
        for (const { id, position, document } of members)
          assert.deepEqual([id, document], [undefined, texts[position]]);
      }
      const rows = (all, idOf) =>
        all.map(({ members }) => members.map((member) => [idOf(member), member.resemblance])).sort();
      assert.deepEqual(
        rows(found, ({ position }) => position),
        rows(kept.clusters({ linkage, minResemblance }), ({ id }) => id),
      );
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

test('3,000 versions of one text are one cluster, and the first half hides no other when it is removed', async () => {
  const texts = Array.from({ length: 3000 }, (_, at) => version(1, 120, [at * 31, at * 7919 + 1, at >> 3]));
  for (const linkage of ['star', 'single']) {
    const found = await clusters(texts, { linkage });
    assert.deepEqual(
      found.map(({ members }) => members.length),
      [3000],
    );
  }
  const kept = new Deduplicator();
  texts.forEach((text, at) => {
    kept.add(at, text);
  });
  for (let at = 0; at < 1500; at++) kept.delete(at);
  const found = texts.slice(0, 1500).filter((text) => kept.query(text).length === 1);
  assert.ok(found.length >= 1485, `${found.length} of 1500`);
  kept.free();
});

/** Returns texts of `length` words, each with some words of a common text replaced. */
function versions(count, length, edits) {
  const below = random(edits);
  return Array.from({ length: count }, () => {
    const words = Array.from({ length }, (_, at) => `w${at}`);
    for (let edit = 0; edit < edits; edit++) words[below(length)] = `x${below(1e6)}`;
    return words.join(' ');
  });
}

/** Returns texts, each the one before with another word. */
function chain(count) {
  const below = random(1);
  const words = Array.from({ length: 60 }, (_, at) => `w${at}`);
  return Array.from({ length: count }, (_, at) => {
    words[below(60)] = `x${at}`;
    return words.join(' ');
  });
}

/** Returns pages of 52 words: 40 that all share, and 12 of their own. Every fourth page is the one before with another word. */
function template(count) {
  const below = random(2);
  let own;
  return Array.from({ length: count }, (_, page) => {
    if (page % 4 === 3) own = own.with(below(12), `n${below(1e6)}`);
    else own = Array.from({ length: 12 }, () => `n${below(1e6)}`);
    return Array.from({ length: 52 }, (_, at) => (at % 4 === 1 && at < 48 ? own[at >> 2] : `w${at}`)).join(' ');
  });
}

exhaustive(
  'at most 1 in 1,000 of the documents that dedupe drops is in no cluster, however large their families are',
  async () => {
    const collections = {
      // Two versions have a mean resemblance of .65 with 9 edits, and of .62 with 10: most pairs are below the threshold.
      'versions with 9 edits': versions(4000, 150, 9),
      'versions with 10 edits': versions(4000, 150, 10),
      'a template': template(4000),
      'a chain': chain(4000),
    };
    for (const [name, texts] of Object.entries(collections)) {
      const dropped = [];
      for await (const { status, position } of dedupe(texts)) if (status === 'duplicate') dropped.push(position);
      assert.ok(dropped.length > 900, name);
      for (const linkage of ['star', 'single']) {
        const found = await clusters(texts, { linkage });
        const inClusters = new Set(found.flatMap(({ members }) => members.map(({ position }) => position)));
        const left = dropped.filter((position) => !inClusters.has(position));
        assert.ok(left.length <= dropped.length / 1000, `${name}, ${linkage}: ${left.length} of ${dropped.length}`);
      }
    }
  },
);

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

test('clusters reads any source, with functions for ids and texts, under every scheme', async () => {
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

test('wrong documents are named', async () => {
  await assert.rejects(clusters([{ id: 'a' }]), /source\[0\]\.text must be/);
  await assert.rejects(clusters(['a', { id: true, text: 'a' }]), /source\[1\]\.id must be/);
  await assert.rejects(clusters('text'), /source must be/);
});
