// The deduplicator against a naive model (model.mjs). rules.test.mjs has the table of the rules.
import assert from 'node:assert/strict';
import { DocumentSet } from '../../pkg/dedupe.js';
import { compare, Deduplicator, MIN_FEATURES, sketch } from '../../pkg/index.js';
import { NearIndex } from '../../pkg/simhash.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { exhaustive, test } from '../tier.mjs';
import { Model, stored } from './model.mjs';
import { random } from './random.mjs';
import { checkRefusals } from './refusals.mjs';
import { saltedSet } from './salted.mjs';
import { entriesOf, valuesOf } from './values.mjs';

/** Texts in families of 3 words (short), 6 words (brief) and 90 to 180 words, with some words replaced. */
function textOf(number) {
  const [family, edit] = [Math.floor(number / 8), number % 8];
  const length = [3, 6][family] ?? 30 + 30 * family;
  const isEdited = (at) => edit > 0 && (family < 2 ? at === edit : at % 17 === edit);
  const word = (at) => `word${family * 1000 + ((at * 7) % 97)}${isEdited(at) ? 'x' : ''}`;
  return Array.from({ length }, (_, at) => word(at)).join(' ');
}

const texts = Array.from({ length: 48 }, (_, number) => textOf(number));
const [long, edited, other] = [texts[24], texts[25], texts[32]];

test('the texts of these tests are short, brief and longer', () => {
  const counts = [0, 8, 16].map((number) => compare(texts[number], '').onlyA.length);
  assert.ok(counts[0] < MIN_FEATURES && counts[1] >= MIN_FEATURES && counts[1] < 16, `${counts}`);
  assert.ok(counts[2] > 100);
});

const ids = [0, '0', 1, '1', -1, '', 'a', 'ü', 2 ** 53 - 1, -(2 ** 53 - 1), '__proto__', 7, '7', 'b', 'c', 3];

/** A text as a string, as bytes or as a sketch. */
const inSomeForm = (text, kind) => [text, Buffer.from(text), sketch(text)][kind];

/** The time of the calls without a time: nothing expires before it. */
const NO_TIME = -1;

function checkState(kept, model) {
  assert.equal(kept.size, model.count(NO_TIME));
  assert.deepEqual(entriesOf(kept), entriesOf(model.entries()));
}

/** Does random operations with a deduplicator and the model, and counts what happened. */
function operate(seed, counts) {
  const next = random(seed);
  const create = () => [saltedSet(Deduplicator), new Model()];
  let [kept, model] = create();
  /** The last text of each id, which may not be the kept one: what `textOf` returns. */
  const known = new Map();
  let now = next(2);
  let last;
  const count = (name) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const anyId = () => ids[next(ids.length)];
  const anyText = () => texts[next(texts.length)];
  for (let step = 0; step < 60; step++) {
    now += [0, 0, 1, 2, 0.5][next(5)];
    // Some calls are repeated.
    if (last === undefined || next(5) > 0) last = [anyId(), anyText()];
    const [id, text] = last;
    const own = sketch(text);
    const document = inSomeForm(text, next(3));
    const expiresIn = next(3) ? undefined : [0, 1, 3, 10.5, Infinity][next(5)];
    const minResemblance = [undefined, 0.3, 0.7, 1][next(4)];
    const operation = next(26);
    if (operation < 3) {
      assert.equal(kept.add(id, document, { now, expiresIn }), kept);
      model.add(id, own, { now, expiresIn });
    } else if (operation < 11) {
      const options = { minResemblance, expiresIn, now };
      const expected = { id, ...model.observe(id, own, options) };
      assert.deepEqual(kept.observe(id, document, options), expected);
      count(expected.status);
    } else if (operation < 13) {
      const options = { minResemblance, expiresIn, now, textOf: (id) => known.get(id) };
      const expected = { id, ...model.observe(id, own, { ...options, text }) };
      assert.deepEqual(kept.observe(id, inSomeForm(text, next(2)), options), expected);
      count(`${expected.status} by text`);
    } else if (operation < 15) {
      const options = { minResemblance, expiresIn, now };
      const documents = Array.from({ length: next(5) }, () => ({ id: anyId(), text: anyText() }));
      const expected = documents.map(({ id, text }) => ({ id, ...model.observe(id, sketch(text), options) }));
      const given = documents.map(({ id, text }) => (next(2) ? { id, text } : { id, sketch: sketch(text) }));
      assert.deepEqual(kept.observeAll(given, options), expected);
      for (const { status } of expected) count(status);
    } else if (operation === 15) {
      for (const one of [id, anyId(), undefined]) {
        const expected = model.peek(one, own, { now, minResemblance });
        assert.deepEqual(kept.peek(one, document, { now, minResemblance }), expected);
        count(`peek: ${expected.status}`);
      }
    } else if (operation < 19) {
      for (const options of [
        { now, minResemblance },
        { now, minResemblance, limit: next(4) },
        { now, minResemblance: 0, limit: Infinity },
      ]) {
        const hits = model.query(own, options);
        assert.deepEqual(kept.query(document, options), hits);
        count(['miss', 'hit'][hits.length] ?? 'several hits');
      }
    } else if (operation < 21) {
      assert.equal(kept.delete(id, { now }), model.delete([id], now) > 0);
    } else if (operation < 23) {
      const pruned = kept.prune({ now });
      assert.equal(pruned, model.prune(now));
      if (pruned > 0) count('pruned');
    } else if (operation === 23) {
      const bytes = kept.toBytes();
      if (next(2)) kept.free();
      kept = Deduplicator.fromBytes(bytes);
      assert.deepEqual(kept.toBytes(), bytes);
      assert.equal(kept.scheme, 's1');
      count('snapshot');
    } else if (operation === 24 && next(4) === 0) {
      kept.clear();
      model = new Model();
    }
    if (operation < 13) known.set(id, text);
    for (const one of [id, anyId()]) {
      const expires = model.expires(one);
      assert.equal(kept.expires(one), expires === Infinity ? undefined : expires);
      if (next(4) > 0) continue;
      const found = model.get(one, now);
      assert.equal(kept.has(one, { now }), found !== undefined);
      assert.equal(kept.get(one, { now })?.toHex(), found?.toHex());
    }
    checkState(kept, model);
  }
}

function checkWithModel(seeds) {
  const counts = {};
  for (let seed = 0; seed < seeds; seed++) operate(seed, counts);
  const decisions = ['new', 'unchanged', 'changed', 'duplicate'];
  for (const name of [
    ...decisions,
    ...decisions.map((status) => `peek: ${status}`),
    ...decisions.map((status) => `${status} by text`),
    'hit',
    'several hits',
    'miss',
    'pruned',
    'snapshot',
  ])
    assert.ok(counts[name] > seeds / 8, `${name}: ${counts[name]}`);
}

test('does what the model does', () => checkWithModel(40));
exhaustive('does what the model does, at length', () => checkWithModel(200));

test('the options of a Deduplicator decide its scheme', () => {
  const plain = new Deduplicator();
  assert.deepEqual([plain.scheme, plain.size], ['s1', 0]);
  assert.equal(new Deduplicator({ features: { words: 2 } }).scheme, 's1:words2');
  assert.equal(new Deduplicator({ scheme: 's1:chars3' }).scheme, 's1:chars3');
});

test('memory does not grow when documents are replaced', () => {
  const [a, b] = [sketch('Good news'), sketch('Bad news')];
  const kept = new Deduplicator();
  const replace = (times) => {
    for (let at = 0; at < times; at++) kept.add('a', at % 2 ? a : b, { now: 0, expiresIn: 60 });
    return kept.bytes;
  };
  const bytes = replace(500);
  assert.ok(replace(50_000) < 2 * bytes);
});

test('the number of a removed string id is free, and failed additions leave no id', () => {
  const kept = new Deduplicator();
  kept.add('first id', long);
  assert.equal(kept.observe('second id', long).duplicateOf, 'first id');
  const foreign = sketch(other, { features: { words: 1 } });
  assert.throws(() => kept.observe('third id', foreign), TypeError);
  assert.throws(() => kept.add('third id', foreign), TypeError);
  assert.deepEqual(
    [kept.has('first id'), kept.has('second id'), kept.has('third id'), kept.size],
    [true, false, false, 1],
  );
  // The note of a snapshot has the strings, in UTF-8: ids that are gone are not in it.
  const isInSnapshot = (id) => Buffer.from(kept.toBytes()).includes(id);
  assert.deepEqual(['first id', 'second id', 'third id'].map(isInSnapshot), [true, false, false]);
  kept.delete('first id');
  assert.equal(isInSnapshot('first id'), false);
  kept.observe('fourth id', long, { now: 10, expiresIn: 5 });
  assert.equal(isInSnapshot('fourth id'), true);
  assert.equal(kept.prune({ now: 15 }), 1);
  assert.equal(isInSnapshot('fourth id'), false);
  kept.add('d', long).add('e', other);
  assert.deepEqual([kept.query(long)[0].id, kept.query(other)[0].id, kept.get('first id')], ['d', 'e', undefined]);
});

test('observeAll: the text of a document decides, and not its sketch, as in a store', async () => {
  const documents = [
    { id: 'a', text: long, sketch: sketch(other) },
    { id: 'b', text: other, sketch: sketch(long) },
    { id: 'b', text: other, sketch: sketch(other) },
  ];
  for (const decisions of [new Deduplicator().observeAll(documents), await memoryStore().observe(documents)]) {
    assert.deepEqual(valuesOf(decisions, 'status'), ['new', 'new', 'unchanged']);
  }
  assert.throws(() => new Deduplicator().observeAll([{ id: 'a', text: 7, sketch: sketch(long) }]), {
    argument: 'documents[0].text',
  });
});

test('observeAll: what comes before an error is kept, whoever throws it', () => {
  const kept = new Deduplicator();
  function* documents() {
    yield { id: 'a', text: long };
    // The caller's code may use the deduplicator.
    assert.equal(kept.observeAll([{ id: 'inner', text: texts[16] }])[0].status, 'new');
    yield { id: 'b', text: edited };
    yield {
      id: 'c',
      get text() {
        kept.query(texts[40]);
        return other;
      },
    };
    throw new Error('the source');
  }
  assert.throws(() => kept.observeAll(documents()), /^Error: the source$/);
  assert.deepEqual(
    [...kept].map(({ id, sketch }) => [id, sketch.toHex()]),
    [
      ['a', stored(sketch(long)).toHex()],
      ['inner', stored(sketch(texts[16])).toHex()],
      ['c', stored(sketch(other)).toHex()],
    ],
  );
  assert.deepEqual(kept.observeAll([]), []);
  assert.throws(() => kept.observeAll([{ id: 'd', text: texts[40] }, { id: 'e' }]), { argument: 'documents[1].text' });
  assert.deepEqual([kept.has('d'), kept.has('e')], [true, false]);
});

test('each set draws a salt with its first document, and snapshots contain it', () => {
  const bytesOf = (kept) => kept.add('a', long).toBytes();
  assert.notDeepEqual(bytesOf(new Deduplicator()), bytesOf(new Deduplicator()));
  const kept = new Deduplicator().add('a', long);
  const again = Deduplicator.fromBytes(kept.toBytes());
  for (const set of [kept, again]) set.clear();
  assert.deepEqual(bytesOf(again), bytesOf(kept));
  assert.deepEqual(bytesOf(saltedSet(Deduplicator, 5n)), bytesOf(saltedSet(Deduplicator, 5n)));
  // A snapshot without documents gives a set that draws its own.
  const empty = new Deduplicator().toBytes();
  assert.notDeepEqual(bytesOf(Deduplicator.fromBytes(empty)), bytesOf(Deduplicator.fromBytes(empty)));
});

test('a batch of sketches is decided as its documents one after the other', () => {
  const statuses = ['new', 'unchanged', 'changed', 'duplicate'];
  const counts = {};
  for (let seed = 0; seed < 40; seed++) {
    const next = random(seed);
    const isNumbered = seed % 2 === 1;
    const [kept, single] = [new Deduplicator(), new Deduplicator()];
    const set = isNumbered ? DocumentSet.numbered('s1') : kept.documents;
    let now = 0;
    for (let batch = 0; batch < 6; batch++) {
      now += next(5);
      const expiresIn = next(2) ? undefined : next(8);
      const given = Array.from({ length: next(40) }, () => (isNumbered ? next(20) : ids[next(ids.length)]));
      const documents = given.map((id) => ({ id, sketch: sketch(texts[next(texts.length)]) }));
      const bytes = documents.map(({ sketch }) => sketch.toBytes());
      let end = 0;
      const ends = bytes.map(({ length }) => {
        end += length;
        return end;
      });
      const rule = {
        minResemblance: 0.67,
        now: 1000 * now,
        expiresIn: 1000 * (expiresIn ?? Number.NaN),
        lease: Number.NaN,
      };
      const cells = set.observeAll({ ids: given, sketches: Buffer.concat(bytes), ends }, rule);
      const found = given.map((id, at) => {
        const [status, number, resemblance] = cells.slice(4 * at, 4 * at + 4);
        counts[statuses[status]] = (counts[statuses[status]] ?? 0) + 1;
        return {
          id,
          status: statuses[status],
          ...(status === 3 && { duplicateOf: set.idOf(number) }),
          ...(status > 1 && { resemblance }),
        };
      });
      assert.deepEqual(found, single.observeAll(documents, { now, expiresIn }));
      assert.deepEqual(entriesOf([...set.entries()]), entriesOf(single));
      if (isNumbered) continue;
      assert.deepEqual(
        ids.map((id) => kept.has(id, { now })),
        ids.map((id) => single.has(id, { now })),
      );
    }
  }
  for (const status of statuses) assert.ok(counts[status] > 50, `${status}: ${counts[status]}`);
});

test('an error in a batch leaves the documents before it decided, and no ids of others', () => {
  const kept = new Deduplicator();
  const [first, foreign] = [sketch(long).toBytes(), sketch(long, { features: { words: 1 } }).toBytes()];
  const rule = { minResemblance: 0.67, now: 0, expiresIn: Number.NaN, lease: Number.NaN };
  const ends = [first.length, first.length + foreign.length];
  assert.throws(
    () => kept.documents.observeAll({ ids: ['a', 'b'], sketches: Buffer.concat([first, foreign]), ends }, rule),
    /scheme/,
  );
  assert.deepEqual(
    [...kept].map(({ id }) => id),
    ['a'],
  );
  assert.equal(kept.observe('b', other).status, 'new');
});

test('the sketch of a kept document has no keys, and is refused unless it is short', async () => {
  const kept = new Deduplicator().add('a', long).add('short', 'Good news');
  const [sketchOfLong, short] = [kept.get('a'), kept.get('short')];
  const message = 'sketch must be made from a text, since a set keeps no keys, got one from a set';
  await checkRefusals([
    [() => kept.query(sketchOfLong), message],
    [() => kept.observe('b', sketchOfLong), message],
    [() => kept.add('b', sketchOfLong), message],
    [() => kept.peek('b', sketchOfLong), message],
    [() => kept.observeAll([{ id: 'b', sketch: sketchOfLong }]), message],
  ]);
  assert.equal(kept.query(short)[0].id, 'short');
  assert.equal(kept.size, 2);
});

test('a page of a template is found among many: rare keys come first', () => {
  const template = Array.from({ length: 40 }, (_, at) => `template${at}`);
  const page = (number, edit) => {
    const own = [0, 1, 2].map((at) => `own${number}x${at}${at === edit ? 'y' : ''}`);
    return [...template.slice(0, 20), ...own, ...template.slice(20)].join(' ');
  };
  const [kept, model] = [new Deduplicator(), new Model()];
  const compare = (text) => {
    const own = sketch(text);
    for (const limit of [1, 2, 32, 100]) {
      const options = { minResemblance: 0.5, limit };
      assert.deepEqual(kept.query(text, options), model.query(own, options));
    }
    assert.equal(kept.query(text, { minResemblance: 0, limit: Infinity }).length, 32);
  };
  for (let number = 0; number < 300; number++) {
    kept.add(number, page(number));
    model.add(number, sketch(page(number)));
  }
  for (let number = 0; number < 300; number += 37) {
    compare(page(number));
    compare(page(number, 2));
    assert.equal(kept.query(page(number))[0].id, number);
  }
  // Removed documents hide no others: tests/it/dedupe.rs has the model.
  for (let number = 0; number < 100; number++) {
    kept.delete(number);
    if (number % 2 === 1) kept.add(-number, page(number));
  }
  for (let number = 1; number < 300; number += 6) {
    assert.equal(kept.query(page(number))[0].id, number < 100 ? -number : number);
    assert.equal(kept.query(page(number, 1)).length, 1);
  }
});

test('a copy that is kept between many that have expired is found, by peek after prune', () => {
  const kept = new Deduplicator();
  const ending = { now: 0, expiresIn: 10 };
  // Without others, the expired ones would be removed at once.
  for (let number = 0; number < 1000; number++) kept.add(number, `short ${number}`, { now: 0 });
  for (let number = 0; number < 64; number++) kept.add(`earlier ${number}`, long, ending);
  kept.add('kept', long, { now: 0 });
  for (let number = 0; number < 63; number++) kept.add(`later ${number}`, long, ending);
  const copy = { status: 'duplicate', duplicateOf: 'kept', resemblance: 1 };
  assert.deepEqual(kept.peek(undefined, long, { now: 10 }), copy);
  kept.add('one more', long, ending);
  const before = kept.toBytes();
  assert.equal(kept.peek(undefined, long, { now: 10 }).status, 'new');
  assert.deepEqual(kept.toBytes(), before);
  assert.equal(kept.prune({ now: 10 }), 128);
  assert.deepEqual(kept.peek(undefined, long, { now: 10 }), copy);
  assert.deepEqual(kept.query(long, { now: 10 }), [{ id: 'kept', resemblance: 1 }]);
});

test('the iteration survives deletions and additions', () => {
  const kept = new Deduplicator().add('a', long).add('b', other).add(1, texts[40]).add('c', 'Good news');
  const seen = [];
  for (const { id } of kept) {
    seen.push(id);
    if (id !== 'a') continue;
    kept.delete('b');
    kept.delete(1);
    kept.add('new', texts[16]);
  }
  assert.deepEqual(seen, ['a', 'c']);
  assert.deepEqual(valuesOf(kept, 'id'), ['a', 'c', 'new']);
  // A document that is added under an id of the beginning appears.
  const again = [];
  for (const { id, sketch: one } of kept) {
    again.push([id, one.equals(sketch(other))]);
    kept.delete('new');
    kept.add('new', other).add('newer', other);
  }
  assert.deepEqual(again, [
    ['a', false],
    ['c', false],
    ['new', true],
  ]);
});

test('snapshots of other kinds, and damaged ones, are refused', () => {
  for (const options of [undefined, { now: 0, expiresIn: 60 }]) {
    const bytes = new Deduplicator().add('a', long, options).add(1, 'Good news', options).toBytes();
    const refused = (changed, message) =>
      assert.throws(() => Deduplicator.fromBytes(changed), { name: 'ArgumentError', argument: 'bytes', message });
    refused(new Uint8Array(), /snapshot/);
    refused(new NearIndex().add('a', 5n).toBytes(), /snapshot of a Deduplicator.*got a snapshot of a NearIndex/);
    assert.throws(() => NearIndex.fromBytes(bytes), { name: 'ArgumentError', argument: 'bytes' });
    for (let at = 0; at < bytes.length; at += 3) {
      refused(bytes.with(at, bytes[at] ^ 1), /^nearprint: /);
      refused(bytes.subarray(0, at), /^nearprint: /);
    }
    assert.ok(Deduplicator.fromBytes(bytes).has('a', { now: 1 }));
  }
});

test('wrong arguments are named, and change nothing', async () => {
  const kept = new Deduplicator().add('a', long);
  const foreign = sketch(long, { features: { words: 1 } });
  const otherScheme = 'sketch must be of the scheme s1, got one of s1:words1';
  const number = 'minResemblance must be a number above 0 and at most 1, got';
  const document = 'document must be a string or a Uint8Array of UTF-8, got';
  const id = 'id must be a string or a safe integer, got';
  const milliseconds = 'now must be a number of seconds since 1970, not of milliseconds (Date.now() / 1000), got';
  const cases = [
    [() => new Deduplicator({ scheme: 'v1:64' }), "scheme must be an id that starts with s1, got 'v1:64'"],
    [
      () => new Deduplicator({ scheme: 's1', features: { words: 1 } }),
      'scheme must be absent together with features, got "s1"',
    ],
    [() => new Deduplicator(7), 'options must be an object, got 7'],
    [() => kept.query(7), `${document} 7`],
    [() => kept.query(), `${document} undefined`],
    [() => kept.observe('b', 7), `${document} 7`],
    [() => kept.observe(undefined, 'a'), `${id} undefined`],
    [() => kept.observe('b', 'a', { minResemblance: 0 }), `${number} 0`],
    [() => kept.observe('b', 'a', { now: 1764000000000 }), `${milliseconds} 1764000000000`],
    [() => kept.query(long, { now: 1e11 + 1 }), `${milliseconds} 100000000001`],
    [() => kept.peek('b', 7), `${document} 7`],
    [() => kept.peek(0.5, 'a'), `${id} 0.5`],
    [() => kept.peek('b', 'a', { minResemblance: 0 }), `${number} 0`],
    [() => kept.peek('b', foreign), otherScheme],
    [() => kept.observeAll('ab'), 'documents must be an iterable of { id, text } or { id, sketch }, got "ab"'],
    [() => kept.observeAll([['b', 'a']]), `documents[0].${id} undefined`],
    [
      () => kept.observeAll([{ id: 'b', text: 7 }]),
      'documents[0].text must be a string or a Uint8Array of UTF-8, got 7',
    ],
    [() => kept.observeAll([{ id: 'b', sketch: 7 }]), 'documents[0].sketch must be a Sketch, got 7'],
    [() => kept.add('b', null), `${document} null`],
    [() => kept.add(0.5, 'a'), `${id} 0.5`],
    [() => kept.has({}), `${id} an object (Object)`],
    [() => kept.get(2 ** 53), `${id} 9007199254740992`],
    [() => kept.expires(null), `${id} null`],
    [() => kept.delete(null), `${id} null`],
    [() => kept.prune(5), 'options must be an object, got 5'],
    [() => Deduplicator.fromBytes('a'), 'bytes must be a Uint8Array, got "a"'],
    [() => kept.query(foreign), otherScheme],
    [() => kept.observe('b', foreign), otherScheme],
    [() => kept.observeAll([{ id: 'b', sketch: foreign }]), otherScheme],
    [() => kept.add('b', foreign), otherScheme],
  ];
  await checkRefusals(cases);
  assert.deepEqual(
    [...kept].map(({ id, sketch }) => [id, sketch.toHex()]),
    [['a', stored(sketch(long)).toHex()]],
  );
});
