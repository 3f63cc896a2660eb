// The deduplicator against a plain model that compares every document with every query.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Deduplicator, dedupe, NearIndex, Sketch, sketch } from '../../pkg/index.js';
import { random } from './random.mjs';

/** Texts in families: short ones, and ones of 60 to 180 words, with some words replaced. */
function textOf(number) {
  const [family, edit] = [Math.floor(number / 8), number % 8];
  const length = family === 0 ? 6 : 60 + 30 * family;
  const word = (at) => `word${family * 1000 + ((at * 7) % 97)}${edit > 0 && at % 17 === edit ? 'x' : ''}`;
  return Array.from({ length }, (_, at) => word(at)).join(' ');
}

const texts = Array.from({ length: 40 }, (_, number) => textOf(number));

/** A sketch as a deduplicator stores it: without margins. */
function stored(sketch) {
  const bytes = sketch.toBytes();
  // The kind is the byte after the scheme's id: 0 short, 1 without margins, 2 with them.
  if (bytes[6] < 2) return sketch;
  bytes[6] = 1;
  return Sketch.fromBytes(bytes.subarray(0, -32));
}

/** Whether a query probes a bucket of a document: the value of a block that the document has. */
function isProbed(query, sketch, count) {
  const values = query.probes(count);
  return [0, 1, 2, 3].some((block) => {
    const own = Number((sketch.fingerprint >> BigInt(48 - 16 * block)) & 0xffffn);
    return values.subarray(block * count, (block + 1) * count).includes(own);
  });
}

/** What a deduplicator does, without tables and numbers. */
class Model {
  /** Stored sketches by id, in the order of addition. */
  documents = new Map();

  constructor(minResemblance, probes) {
    this.minResemblance = minResemblance;
    this.probes = probes;
  }

  /** Returns all hits, the best first. */
  hits(query) {
    const hits = [...this.documents].flatMap(([id, sketch]) => {
      const [resemblance, distance] = [query.resemblance(sketch), query.distance(sketch)];
      if (sketch.isShort !== query.isShort || resemblance < this.minResemblance || distance > 16) return [];
      return query.isShort || isProbed(query, sketch, this.probes) ? [{ id, resemblance, distance }] : [];
    });
    // A stable sort: the first kept of equals comes first.
    return hits.sort((a, b) => b.resemblance - a.resemblance || a.distance - b.distance);
  }

  /** Returns the first hit, or undefined. */
  query(query) {
    return this.hits(query)[0];
  }

  add(id, sketch) {
    if (this.documents.get(id)?.equals(stored(sketch))) return;
    this.documents.delete(id);
    this.documents.set(id, stored(sketch));
  }

  entries() {
    const all = [...this.documents];
    return [...all.filter(([, { isShort }]) => !isShort), ...all.filter(([, { isShort }]) => isShort)];
  }
}

function checkState(kept, model) {
  assert.equal(kept.size, model.documents.size);
  const entries = [...kept].map(({ id, sketch }) => [id, sketch.toHex()]);
  assert.deepEqual(
    entries,
    model.entries().map(([id, sketch]) => [id, sketch.toHex()]),
  );
}

const ids = [0, '0', 1, '1', -1, '', 'a', 'ü', 2 ** 53 - 1, -(2 ** 53 - 1), '__proto__', 7, '7', 'b', 'c', 3];

/** A text as a string, as bytes or as a sketch. */
const inSomeForm = (text, kind) => [text, Buffer.from(text), sketch(text)][kind];

for (const minResemblance of [0.3, 0.7, 1]) {
  test(`does what the model does, from a resemblance of ${minResemblance}`, () => {
    const counts = {};
    for (let seed = 0; seed < 60; seed++) {
      const next = random(seed);
      const probes = 1 + next(60);
      const create = () => new Deduplicator({ minResemblance, probes });
      let kept = create();
      let model = new Model(minResemblance, probes);
      let last;
      const count = (what) => {
        counts[what] = (counts[what] ?? 0) + 1;
      };
      for (let step = 0; step < 60; step++) {
        // Some calls are repeated.
        if (last === undefined || next(5) > 0) last = [ids[next(ids.length)], texts[next(texts.length)]];
        const [id, text] = last;
        const own = sketch(text);
        const document = inSomeForm(text, next(3));
        const operation = next(20);
        if (operation < 4) {
          assert.equal(kept.add(id, document), kept);
          model.add(id, own);
        } else if (operation < 10) {
          const isSame = model.documents.get(id)?.equals(stored(own));
          const hit = isSame ? undefined : model.query(own);
          if (hit === undefined && model.documents.has(id) && !isSame) {
            const message = `nearprint: id must be an id that no other kept document has, got ${JSON.stringify(id)}`;
            assert.throws(() => kept.addIfNew(id, document), { name: 'TypeError', message });
            count('taken');
          } else {
            const { id: duplicateOf, ...rest } = hit ?? { id: null, resemblance: null, distance: null };
            const result = kept.addIfNew(id, document);
            assert.deepEqual(result, { id, duplicateOf, ...rest });
            assert.deepEqual(Object.keys(result), ['id', 'duplicateOf', 'resemblance', 'distance']);
            if (hit === undefined) model.add(id, own);
            count(isSame ? 'repeated' : hit === undefined ? 'new' : 'duplicate');
          }
        } else if (operation < 14) {
          const hit = kept.query(document);
          assert.deepEqual(hit, model.query(own));
          assert.deepEqual(kept.query(stored(own)), model.query(stored(own)));
          const hits = model.hits(own);
          const limit = next(4);
          assert.deepEqual(kept.query(document, { limit }), hits.slice(0, limit));
          assert.deepEqual(kept.query(document, { limit: Infinity }), hits);
          if (hits.length > 1) count('several hits');
          count(hit === undefined ? 'miss' : 'hit');
        } else if (operation < 17) {
          assert.equal(kept.delete(id), model.documents.delete(id));
        } else if (operation === 17) {
          const bytes = kept.toBytes();
          if (next(2)) kept.free();
          kept = Deduplicator.fromBytes(bytes);
          assert.deepEqual(kept.toBytes(), bytes);
          assert.deepEqual([kept.minResemblance, kept.probes, kept.scheme], [minResemblance, probes, 'v1:64']);
        } else if (operation === 18) {
          const [other, otherModel] = [create(), new Model(minResemblance, probes)];
          for (let more = next(8); more > 0; more--) {
            const [otherId, otherText] = [ids[next(ids.length)], texts[next(texts.length)]];
            other.add(otherId, otherText);
            otherModel.add(otherId, sketch(otherText));
            if (next(4) === 0) {
              other.delete(otherId);
              otherModel.documents.delete(otherId);
            }
          }
          assert.equal(kept.merge(other), kept);
          for (const [otherId, otherSketch] of otherModel.entries()) model.add(otherId, otherSketch);
          checkState(other, otherModel);
          count('merge');
        } else if (next(4) === 0) {
          kept.clear();
          model = new Model(minResemblance, probes);
        }
        for (const one of [id, ids[next(ids.length)]]) {
          assert.equal(kept.has(one), model.documents.has(one));
          assert.equal(kept.get(one)?.toHex(), model.documents.get(one)?.toHex());
        }
        checkState(kept, model);
      }
    }
    for (const what of ['taken', 'repeated', 'new', 'duplicate', 'hit', 'several hits', 'miss', 'merge']) {
      assert.ok(counts[what] > 10, `${what}: ${counts[what]}`);
    }
  });
}

const [long, edited, other] = [texts[16], texts[17], texts[24]];

test('options and properties', () => {
  const plain = new Deduplicator();
  assert.deepEqual([plain.scheme, plain.minResemblance, plain.probes, plain.size], ['v1:64', 0.67, 25, 0]);
  const chosen = new Deduplicator({
    minResemblance: 0.25,
    probes: 256,
    bits: 128,
    features: { words: 2 },
    weights: 'tf',
  });
  assert.deepEqual([chosen.scheme, chosen.minResemblance, chosen.probes], ['v1:64:words2:tf', 0.25, 256]);
  assert.equal(new Deduplicator({ scheme: 'v1:32:chars3' }).scheme, 'v1:64:chars3');
  const before = plain.bytes;
  for (let at = 0; at < 5000; at++) plain.add(at, `${long} ${at}`);
  assert.ok(plain.bytes - before > 64 * 5000 && plain.bytes - before < 140 * 5000, `${plain.bytes}`);
});

test('minResemblance is the threshold', () => {
  const resemblance = sketch(long).resemblance(sketch(edited));
  assert.ok(resemblance > 0.7 && resemblance < 1);
  for (const [minResemblance, isHit] of [
    [resemblance - 0.001, true],
    [resemblance, true],
    [resemblance + 0.001, false],
  ]) {
    const kept = new Deduplicator({ minResemblance, probes: 256 }).add('a', long);
    assert.equal(kept.query(edited) !== undefined, isHit);
    assert.equal(Deduplicator.fromBytes(kept.toBytes()).query(edited) !== undefined, isHit);
  }
});

test('of equally similar documents, the first is found; replacement makes a document the last', () => {
  const kept = new Deduplicator().add('a', long).add('b', long);
  assert.equal(kept.query(long).id, 'a');
  kept.add('a', long);
  assert.equal(kept.query(long).id, 'a');
  kept.add('a', other).add('a', long);
  assert.equal(kept.query(long).id, 'b');
});

test('the number of a removed string id is free, and failed additions leave no id', () => {
  const kept = new Deduplicator();
  kept.add('first id', long);
  assert.equal(kept.addIfNew('second id', long).duplicateOf, 'first id');
  assert.throws(() => kept.addIfNew('first id', other), TypeError);
  assert.throws(() => kept.add('third id', sketch(other, { features: 'words' })), TypeError);
  assert.deepEqual(
    [kept.has('first id'), kept.has('second id'), kept.has('third id'), kept.size],
    [true, false, false, 1],
  );
  // The note of a snapshot has the strings, in UTF-8: ids that are gone are not in it.
  const isInSnapshot = (id) => Buffer.from(kept.toBytes()).includes(id);
  assert.deepEqual(['first id', 'second id', 'third id'].map(isInSnapshot), [true, false, false]);
  kept.delete('first id');
  assert.equal(isInSnapshot('first id'), false);
  kept.add('d', long).add('e', other);
  assert.deepEqual([kept.query(long).id, kept.query(other).id, kept.get('first id')], ['d', 'e', undefined]);
});

test('addIfNewAll: the results, the state and the errors of addIfNew one by one', () => {
  const counts = { new: 0, duplicate: 0, errors: 0 };
  for (let seed = 0; seed < 150; seed++) {
    const next = random(seed);
    const [all, single] = [new Deduplicator(), new Deduplicator()];
    for (let call = 0; call < 3; call++) {
      const length = 1 + next(next(3) === 0 ? 100 : 8);
      // Mostly distinct ids, so that most calls of many documents have no error.
      const isDistinct = length > 8 && next(4) > 0;
      const idAt = (at) => (next(2) ? `${call} ${at}` : 1000 * call + at);
      const batch = Array.from({ length }, (_, at) => (isDistinct ? idAt(at) : ids[next(ids.length)]));
      const documents = batch.map(() => inSomeForm(texts[next(texts.length)], next(3)));
      if (next(6) === 0) documents[next(length)] = [7, null, sketch(long, { features: 'words' })][next(3)];
      if (next(9) === 0) batch[next(length)] = 0.5;
      const results = [];
      let error;
      try {
        for (let at = 0; at < length; at++) results.push(single.addIfNew(batch[at], documents[at]));
      } catch (caught) {
        error = caught;
      }
      if (error === undefined) {
        assert.deepEqual(all.addIfNewAll(batch, documents), results);
      } else {
        const wrong = results.length;
        const message = error.message.replace(/ (id|text) takes/, (_, argument) =>
          argument === 'id' ? ` ids[${wrong}] takes` : ` documents[${wrong}] takes`,
        );
        assert.throws(() => all.addIfNewAll(batch, documents), { name: error.name, message });
        counts.errors++;
      }
      assert.deepEqual(
        [...all].map(({ id, sketch }) => [id, sketch.toHex()]),
        [...single].map(({ id, sketch }) => [id, sketch.toHex()]),
      );
      for (const id of batch.filter(Number.isSafeInteger).concat(ids)) assert.equal(all.has(id), single.has(id));
      for (const { duplicateOf } of results) counts[duplicateOf === null ? 'new' : 'duplicate']++;
      for (const id of [ids[next(ids.length)], `${call} 0`]) assert.equal(all.delete(id), single.delete(id));
    }
    assert.deepEqual(all.toBytes(), single.toBytes());
  }
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 20, `${what}: ${count}`);
});

test('addIfNewAll: what comes before an error is kept, whoever throws it', () => {
  const kept = new Deduplicator();
  const documents = [long, edited, other, texts[32]];
  Object.defineProperty(documents, 3, {
    get() {
      // The caller's code may use the deduplicator.
      assert.equal(kept.addIfNewAll(['inner'], [texts[0]])[0].duplicateOf, null);
      throw new Error('getter');
    },
  });
  assert.throws(() => kept.addIfNewAll(['a', 'b', 'c', 'd'], documents), /^Error: getter$/);
  assert.deepEqual(
    ['inner', 'a', 'b', 'c', 'd'].map((id) => kept.has(id)),
    [true, true, false, true, false],
  );
  assert.deepEqual(kept.addIfNewAll([], []), []);
  const must = (what, got) => ({ message: `nearprint: ${what}, got ${got}` });
  assert.throws(() => kept.addIfNewAll('ab', []), takes('ids takes an array of ids', '"ab"'));
  assert.throws(() => kept.addIfNewAll([], 'ab'), takes('documents takes an array of texts or Sketches', '"ab"'));
  assert.throws(() => kept.addIfNewAll([1], []), takes('documents takes 1 documents, one for each id', '0'));
});

test('merge: ids of both keep their documents, though their numbers differ', () => {
  const mine = new Deduplicator().add('x', texts[8]).add('shared', long).add(5, texts[0]);
  const others = new Deduplicator().add('shared', other).add('y', texts[32]).add(5, texts[1]).add('x2', 'Good news');
  others.delete('y');
  others.add('z', texts[32]);
  mine.merge(others);
  const read = (kept) => Object.fromEntries([...kept].map(({ id, sketch }) => [id, sketch.toHex()]));
  const expected = { x: texts[8], shared: other, z: texts[32], 5: texts[1], x2: 'Good news' };
  const hex = Object.fromEntries(Object.entries(expected).map(([id, text]) => [id, stored(sketch(text)).toHex()]));
  assert.deepEqual(read(mine), hex);
  assert.deepEqual(read(Deduplicator.fromBytes(mine.toBytes())), hex);
  assert.equal(mine.query(texts[32]).id, 'z');
  assert.equal(others.size, 4);
  assert.equal(mine.merge(mine), mine);
  assert.deepEqual(read(mine), hex);
});

test('the iteration survives deletions and additions', () => {
  const kept = new Deduplicator().add('a', long).add('b', other).add(1, texts[32]).add('c', 'Good news');
  const seen = [];
  for (const { id } of kept) {
    seen.push(id);
    if (id !== 'a') continue;
    kept.delete('b');
    kept.delete(1);
    kept.add('new', texts[0]);
  }
  assert.deepEqual(seen, ['a', 'c']);
  assert.deepEqual(
    [...kept].map(({ id }) => id),
    ['a', 'c', 'new'],
  );
});

test('a query between a query and an addition changes nothing: dedupe runs beside other calls', async () => {
  const kept = new Deduplicator();
  const source = [
    { id: 'a', text: long },
    { id: 'b', text: other },
    { id: 'c', text: edited },
  ];
  const results = [];
  for await (const { id, duplicateOf } of dedupe(source, { against: kept })) {
    results.push([id, duplicateOf]);
    kept.query(texts[0]);
    kept.get('a');
  }
  assert.deepEqual(results, [
    ['a', null],
    ['b', null],
    ['c', 'a'],
  ]);
  assert.deepEqual(
    [...kept].map(({ id, sketch }) => [id, sketch.fingerprint]),
    [
      ['a', sketch(long).fingerprint],
      ['b', sketch(other).fingerprint],
    ],
  );
});

test('the sample: few documents are wrong by the exact resemblance, and a query by sketch finds them too', async () => {
  const sample = readFileSync(new URL('../../examples/sample.jsonl', import.meta.url), 'utf8');
  const documents = sample.trimEnd().split('\n').map(JSON.parse);
  const kept = new Deduplicator();
  const dropped = documents.filter(({ id, text }) => kept.addIfNew(id, text).duplicateOf !== null);
  assert.equal(dropped.length + kept.size, documents.length);
  assert.ok(dropped.length > 50 && kept.size > 50);
  for (const { text } of dropped) {
    const [byText, bySketch] = [kept.query(text), kept.query(sketch(text))];
    assert.deepEqual(bySketch, byText);
    const best = Math.max(...[...kept].map(({ sketch: one }) => one.resemblance(sketch(text))));
    assert.equal(byText.resemblance, best);
  }
  // Without margins, probes come by distance, and most are found all the same.
  const found = dropped.filter(({ text }) => kept.query(stored(sketch(text))) !== undefined).length;
  assert.ok(found > 0.9 * dropped.length, `${found} of ${dropped.length}`);
});

test('snapshots of other kinds, and damaged ones, are refused', () => {
  const bytes = new Deduplicator().add('a', long).add(1, 'Good news').toBytes();
  const refused = (changed, message) =>
    assert.throws(() => Deduplicator.fromBytes(changed), { name: 'TypeError', message });
  refused(new Uint8Array(), /snapshot/);
  refused(new NearIndex().add('a', 5n).toBytes(), /NearIndex, which has no sketches: read the documents anew/);
  assert.throws(() => NearIndex.fromBytes(bytes), { name: 'TypeError' });
  for (let at = 0; at < bytes.length; at += 7) {
    refused(
      Uint8Array.from(bytes, (byte, place) => (place === at ? byte ^ 1 : byte)),
      /nearprint: /,
    );
    refused(bytes.subarray(0, at), /nearprint: /);
  }
  assert.ok(Deduplicator.fromBytes(bytes).has('a'));
});

test('free', () => {
  const kept = new Deduplicator();
  kept.free();
  assert.throws(() => kept.size);
  {
    const scoped = new Deduplicator().add('a', long);
    scoped[Symbol.dispose]();
    assert.throws(() => scoped.query(long));
  }
});

test('wrong arguments are named, and change nothing', () => {
  const kept = new Deduplicator().add('a', long);
  const number = 'minResemblance takes a number above 0 and up to 1, but got';
  const probes = 'probes takes a whole number from 1 to 256, but got';
  const document = 'text takes a string or a Uint8Array of UTF-8, but got';
  const id = 'id takes a string or a safe integer, but got';
  const cases = [
    [() => new Deduplicator({ minResemblance: 0 }), TypeError, `${number} 0`],
    [() => new Deduplicator({ minResemblance: 1.01 }), TypeError, `${number} 1.01`],
    [() => new Deduplicator({ minResemblance: Number.NaN }), TypeError, `${number} NaN`],
    [() => new Deduplicator({ minResemblance: '0.7' }), TypeError, `${number} "0.7"`],
    [() => new Deduplicator({ probes: 0 }), TypeError, `${probes} 0`],
    [() => new Deduplicator({ probes: 257 }), TypeError, `${probes} 257`],
    [() => new Deduplicator({ probes: 1.5 }), TypeError, `${probes} 1.5`],
    [() => new Deduplicator({ probes: 25n }), TypeError, `${probes} 25n`],
    [() => new Deduplicator({ bits: 16 }), TypeError, 'bits must be 32, 64 or 128, got 16'],
    [
      () => new Deduplicator({ scheme: 'v1:64', bits: 64 }),
      TypeError,
      'scheme must be \'v1\' together with bits, got "v1:64"',
    ],
    [() => new Deduplicator(7), TypeError, 'options must be an object, got 7'],
    [() => kept.query(7), TypeError, `${document} 7`],
    [() => kept.query(), TypeError, `${document} undefined`],
    [() => kept.query(long, { limit: 1.5 }), TypeError, 'limit must be a whole number from 0 to 4294967295, got 1.5'],
    [() => kept.query(long, { limit: '5' }), TypeError, 'limit must be a whole number from 0 to 4294967295, got "5"'],
    [() => kept.query(long, { most: 5 }), TypeError, 'option must be one of limit, got "most"'],
    [() => kept.add('b', null), TypeError, `${document} null`],
    [() => kept.add(0.5, 'a'), TypeError, `${id} 0.5`],
    [() => kept.addIfNew(undefined, 'a'), TypeError, `${id} undefined`],
    [() => kept.has({}), TypeError, `${id} an object (Object)`],
    [() => kept.get(2 ** 53), TypeError, `${id} 9007199254740992`],
    [() => kept.delete(null), TypeError, `${id} null`],
    [() => kept.merge([]), TypeError, 'other must be a Deduplicator, got an array'],
    [
      () => kept.merge(new Deduplicator({ features: 'words' })),
      TypeError,
      'other must be one of the scheme v1:64, got "v1:64:words1"',
    ],
    [() => Deduplicator.fromBytes('a'), TypeError, 'bytes must be a Uint8Array, got "a"'],
  ];
  for (const [call, type, message] of cases) assert.throws(call, { name: type.name, message: `nearprint: ${message}` });
  const foreign = sketch(long, { features: 'words' });
  for (const call of [() => kept.query(foreign), () => kept.addIfNew('b', foreign), () => kept.add('b', foreign)]) {
    assert.throws(call, { name: 'TypeError', message: /sketch.* must be .*v1:64, got .*v1:64:words1/ });
  }
  assert.throws(() => new Deduplicator({ probe: 3 }), /option must be one of minResemblance, probes, .*, got "probe"/);
  assert.deepEqual(
    [...kept].map(({ id }) => id),
    ['a'],
  );
});
