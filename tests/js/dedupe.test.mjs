// dedupe() against a naive model (model.mjs) that observes one document at a time.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { memoryStore } from '../../pkg/store/memory.js';
import { exhaustive, test } from '../tier.mjs';
import { instanceOf, nearprint } from './instances.mjs';
import { isKept, Model } from './model.mjs';
import { random } from './random.mjs';
import { checkRefusals } from './refusals.mjs';
import { collect, entriesOf, valuesOf } from './values.mjs';

const { Deduplicator, dedupe, sketch, sketchAll } = nearprint;

/** Texts of ASCII words and punctuation. Many are edits of others, and many are short. */
function textsOf(next, count) {
  const word = () => `${'bcdfg'[next(5)]}${'aeiou'[next(5)]}${'lmnrst'[next(6)]}${next(4) ? '' : next(100)}`;
  const texts = [];
  for (let at = 0; at < count; at++) {
    const kind = next(10);
    let words = texts.length && kind < 6 ? texts[next(texts.length)].split(/[^a-z0-9]+/i).filter(Boolean) : [];
    if (kind >= 6) words = Array.from({ length: kind === 9 ? next(120) : next(9) }, word);
    for (let edits = next(3); edits > 0 && words.length > 0; edits--) words.splice(next(words.length), next(2), word());
    texts.push(words.map((w) => (next(30) ? w : w.toUpperCase())).join(next(8) ? ' ' : ', '));
  }
  return texts;
}

/** Ids that an implementation might take for a position or for its own keys. */
const hostileIds = (at) => [at, `${at}`, `#${at}`, `\0#${at}`, `\0\0#${at}`, '', '\0', '__proto__', -at];

/** Documents `{ id, text }`. Some have no id, some the id of another one, and some come twice. */
function documentsOf(seed, count) {
  const next = random(seed);
  const documents = [];
  for (const [at, text] of textsOf(next, count).entries()) {
    if (at > 0 && next(8) === 0) {
      const { id, text } = documents[next(at)];
      documents.push({ ...(id !== undefined && { id }), text: `${text.toString().toUpperCase()}!` });
      continue;
    }
    const ids = [
      at,
      `document ${at}`,
      `document ${next(count)}`,
      next(count),
      hostileIds(next(count))[next(9)],
      undefined,
    ];
    const id = ids[next(ids.length)];
    documents.push({ ...(id !== undefined && { id }), text: next(5) ? text : Buffer.from(text) });
  }
  return documents;
}

/** The order in which documents are decided. */
function orderOf(documents, keep) {
  const ranks = { first: () => 0, longest: ({ text }) => text.length };
  const rank = ranks[keep] ?? keep;
  return [...documents.keys()].sort((a, b) => rank(documents[b]) - rank(documents[a]) || a - b);
}

/** The decisions on documents `{ id, text }`. The model has the documents that are kept before, and gets those of this run. */
function decisionsOf(documents, { keep = 'first', model, choices, ...options }) {
  const sketches = sketchAll(
    documents.map(({ text }) => text),
    choices,
  );
  const decisions = [];
  /** The positions of the documents of the run that are kept, by their keys. */
  const positions = new Map();
  for (const at of orderOf(documents, keep)) {
    const document = documents[at];
    const { id } = document;
    // An object equals no id.
    const key = id ?? {};
    const outcome = model.observe(key, sketches[at], options);
    const isKnown = isKept(outcome) || (outcome.status === 'unchanged' && !positions.has(key));
    if (isKnown) positions.set(key, at);
    const decision = { id, position: at, document, ...outcome };
    const { duplicateOf } = outcome;
    if (positions.has(duplicateOf)) decision.duplicatePosition = positions.get(duplicateOf);
    if (typeof duplicateOf === 'object') decision.duplicateOf = undefined;
    decisions[at] = decision;
  }
  return decisions;
}

/** The decisions without `against`: ids are names only, and a document is known by its position. */
function decisionsOfRun(documents, { keep, choices, ...options }) {
  const sketches = sketchAll(
    documents.map(({ text }) => text),
    choices,
  );
  const run = new Model();
  const decisions = [];
  for (const position of orderOf(documents, keep)) {
    const document = documents[position];
    const outcome = run.observe(position, sketches[position], options);
    const { status, duplicateOf: other } = outcome;
    const original = status === 'duplicate' && { duplicateOf: documents[other].id, duplicatePosition: other };
    decisions[position] = { id: document.id, position, document, ...outcome, ...original };
  }
  return decisions;
}

/** The decisions with `add: false`: a document is known to the model by its id, and to this run by its position. */
function decisionsWithoutAdding(documents, { keep, model, ...options }) {
  const run = new Model();
  const decisions = [];
  for (const position of orderOf(documents, keep)) {
    const document = documents[position];
    const version = sketch(document.text);
    const outcome = model.peek(document.id, version, options);
    const [{ id: other, ...hit } = {}] = run.query(version, options);
    const mostSimilar = outcome.status === 'new' ? 0 : (outcome.resemblance ?? Infinity);
    const isOfRun = hit.resemblance > mostSimilar;
    if (!isOfRun && isKept(outcome)) run.add(position, version);
    const original = { duplicateOf: documents[other]?.id, duplicatePosition: other };
    const decided = isOfRun ? { status: 'duplicate', ...original, ...hit } : outcome;
    decisions[position] = { id: document.id, position, document, ...decided };
  }
  return decisions;
}

const all = (source, options) => collect(dedupe(source, options));
const statusOf = async (source, options) => valuesOf(await all(source, options), 'status');
const originals = async (source, options) => valuesOf(await all(source, options), 'duplicateOf');
const originalPositions = async (source, options) => valuesOf(await all(source, options), 'duplicatePosition');

async function* slowly(source) {
  for (const document of source) yield document;
}

/** The same documents as every kind of source. */
const sources = {
  array: (documents) => documents,
  set: (documents) => new Set(documents),
  generator: (documents) => documents.values(),
  'async generator': slowly,
  promises: (documents) => documents.map((document) => Promise.resolve(document)),
  'some promises': (documents) => documents.map((document, at) => (at % 3 ? document : Promise.resolve(document))),
  stream: (documents) => ReadableStream.from(documents),
};

const keeps = { first: 'first', longest: 'longest', rank: ({ text }) => text.length % 7 };

test('agrees with the model, for every value of keep and every kind of source', async () => {
  const counts = { new: 0, duplicate: 0 };
  for (let seed = 0; seed < 12; seed++) {
    const documents = documentsOf(seed, 150);
    const choices = [{}, { features: { words: 3 } }, { features: { words: 1 } }, { scheme: 's1:chars3' }][seed % 4];
    const options = { minResemblance: [undefined, 0.3, 0.9][seed % 3] };
    for (const keep of Object.values(keeps)) {
      const expected = decisionsOfRun(documents, { keep, choices, ...options });
      const kinds = Object.values(sources);
      const source = kinds[seed % kinds.length](documents);
      assert.deepEqual(await all(source, { keep, ...options, ...choices }), expected);
      for (const { status } of expected) counts[status]++;
    }
  }
  for (const [status, count] of Object.entries(counts)) assert.ok(count > 500, `${status}: ${count}`);
});

test('two documents are two documents, whatever their ids are', async () => {
  const texts = ['Good news', 'Bad news', 'GOOD NEWS!', 'No news', 'bad news'];
  const posts = texts.map((text) => ({ id: 'thread 1', text }));
  assert.deepEqual(await originalPositions(posts), [undefined, undefined, 0, undefined, 1]);
  // With a set, ids identify documents over time.
  const statuses = await statusOf(posts, { against: new Deduplicator() });
  assert.deepEqual(statuses, ['new', 'changed', 'changed', 'changed', 'changed']);
});

test('documents may be texts: strings and bytes', async () => {
  const texts = ['Good news', Buffer.from('GOOD NEWS!'), 'Bad news', new TextEncoder().encode('good news')];
  const equal = { resemblance: 1 };
  const duplicateOfFirst = {
    id: undefined,
    status: 'duplicate',
    duplicateOf: undefined,
    duplicatePosition: 0,
    ...equal,
  };
  for (const make of Object.values(sources)) {
    const decisions = await all(make(texts));
    assert.deepEqual(decisions, [
      { id: undefined, position: 0, document: texts[0], status: 'new' },
      { position: 1, document: texts[1], ...duplicateOfFirst },
      { id: undefined, position: 2, document: texts[2], status: 'new' },
      { position: 3, document: texts[3], ...duplicateOfFirst },
    ]);
  }
  // Texts may have ids of their own.
  const named = await all(['a: news', 'b: news'], { id: (text) => text[0], text: (text) => text.slice(3) });
  assert.deepEqual(valuesOf(named, 'id', 'duplicateOf'), [
    ['a', undefined],
    ['b', 'a'],
  ]);
});

test('id and text are functions of the document, called once for each, in order', async () => {
  const rows = [
    { url: '/a', body: ['Good', 'news'] },
    { url: '/b', body: ['Bad', 'news'] },
    { url: '/c', body: ['good', 'NEWS'] },
    { body: ['bad', 'news'] },
  ];
  for (const keep of ['first', 'longest']) {
    const calls = [];
    const decisions = await all(rows, {
      keep,
      id: (row) => calls.push(['id', row]) && row.url,
      text: (row) => calls.push(['text', row]) && row.body.join(' '),
    });
    assert.deepEqual(
      decisions.map(({ id, document, duplicateOf }) => [id, document.url, duplicateOf]),
      [
        ['/a', '/a', undefined],
        ['/b', '/b', undefined],
        ['/c', '/c', '/a'],
        [undefined, undefined, '/b'],
      ],
    );
    assert.deepEqual(
      calls.map(([, row]) => row),
      rows.flatMap((row) => [row, row]),
    );
  }
  // Documents of any type, even null.
  assert.deepEqual(await statusOf([null, 7, null], { text: (value) => `${value}` }), ['new', 'new', 'duplicate']);
  const withNull = await all([
    { id: null, text: 'a' },
    { id: undefined, text: 'b' },
  ]);
  assert.deepEqual(valuesOf(withNull, 'id', 'position'), [
    [undefined, 0],
    [undefined, 1],
  ]);
});

test('in a set that outlives the call, the id of a document without one is derived from its sketch', async () => {
  const texts = textsOf(random(3), 80).filter((text) => !sketch(text).isBlank);
  const against = new Deduplicator();
  const first = await all(texts, { against });
  assert.ok(first.every(({ id, status }) => id === undefined && status !== 'changed'));
  const sketches = texts.map((text) => sketch(text));
  for (const { status, duplicatePosition, position } of first) {
    const before = sketches.slice(0, position).findIndex((other) => other.equals(sketches[position]));
    if (status === 'unchanged') assert.ok(before >= 0);
    if (status === 'duplicate') assert.equal(first[duplicatePosition].status, 'new');
  }
  // A repeated run changes nothing: what was new is unchanged, and originals have the ids of the set.
  const before = entriesOf(against);
  assert.ok(before.every(([id]) => typeof id === 'string'));
  const again = await all(texts.toReversed(), { against });
  for (const [at, { status, duplicateOf }] of again.toReversed().entries()) {
    const wasKept = first.some(({ status }, other) => status === 'new' && sketches[other].equals(sketches[at]));
    assert.equal(status, wasKept ? 'unchanged' : 'duplicate', texts[at]);
    assert.ok(duplicateOf === undefined || against.has(duplicateOf));
  }
  assert.deepEqual(entriesOf(against), before);
  // Also with a rank, and the options of a scheme.
  for (const options of [{ keep: 'longest' }, { features: { words: 1 } }, { scheme: 's1:chars3' }]) {
    const { keep, ...choices } = options;
    const kept = new Deduplicator(choices);
    await all(texts, { against: kept, ...options });
    const kinds = await statusOf(texts, { against: kept, ...options });
    assert.ok(kinds.every((status) => status === 'unchanged' || status === 'duplicate'));
  }
});

test('documents without words and without an id are all new, in every kind of set', async () => {
  const blank = ['', ' - ', '\n'].map((text) => ({ text }));
  const documents = [...blank, { text: 'Good news' }, ...blank];
  const expected = documents.map(() => 'new');
  const sets = { none: () => undefined, deduplicator: () => new Deduplicator(), store: () => memoryStore() };
  for (const [name, create] of Object.entries(sets)) {
    for (const options of [{}, { keep: 'longest' }, ...(name === 'store' ? [] : [{ textOf: () => undefined }])]) {
      const against = create();
      if (against !== undefined && options.textOf === undefined) {
        assert.deepEqual(await statusOf(documents, { against, add: false, ...options }), expected, name);
      }
      assert.deepEqual(await statusOf(documents, { against, ...options }), expected, name);
      if (against === undefined) continue;
      assert.equal(await (against.size ?? against.count()), 1);
      const again = await statusOf(documents, { against, ...options });
      assert.deepEqual(again, expected.with(3, 'unchanged'), name);
    }
  }
});

test('keep: the highest rank is kept, then the first; decisions come in the order of the source', async () => {
  const words = 'the river burst its banks early on Tuesday the council said and the road to the harbour is closed';
  const documents = [
    { id: 'a', text: words, rank: 1 },
    { id: 'b', text: `${words} today`, rank: 3 },
    { id: 'c', text: `${words} now`, rank: 3 },
    { id: 'd', text: 'Another text', rank: -5 },
  ];
  assert.deepEqual(await originals(documents), [undefined, 'a', 'a', undefined]);
  assert.deepEqual(await originals(documents, { keep: 'longest' }), ['b', undefined, 'b', undefined]);
  assert.deepEqual(await originals(documents, { keep: ({ rank }) => rank }), ['b', undefined, 'b', undefined]);
  assert.deepEqual(await originals(documents, { keep: ({ rank }) => -rank }), [undefined, 'a', 'a', undefined]);
  const byId = (best) => ({ keep: ({ id }) => (id === best ? Infinity : -Infinity) });
  assert.deepEqual(await originals(documents, byId('c')), ['c', 'c', undefined, undefined]);
  assert.deepEqual(await originals(documents, byId('d')), [undefined, 'a', 'a', undefined]);
  // The length of bytes is their number.
  const bytes = [{ text: 'éé' }, { text: Buffer.from('ÉÉ') }];
  assert.deepEqual(await originalPositions(bytes, { keep: 'longest' }), [1, undefined]);
  // The rank is computed of the caller's document.
  const ranked = [];
  await all(documents, { keep: (document) => ranked.push(document) });
  assert.ok(ranked.every((document, at) => document === documents[at]));
  for (const [rank, got] of [
    [Number.NaN, 'NaN'],
    ['1', '"1"'],
    [undefined, 'undefined'],
    [1n, '1n'],
  ]) {
    const keep = ({ id }) => (id === 'b' ? rank : 1);
    await checkRefusals([[() => all(documents, { keep }), `keep(source[1]) must be a number, got ${got}`]]);
  }
});

test('against a Deduplicator: documents are compared with it, and new and changed ones are added', async () => {
  for (const keep of Object.values(keeps)) {
    const [first, second] = [documentsOf(7, 150), documentsOf(8, 150)].map((documents) =>
      documents.map(({ id = 'none', text }) => ({ id, text })),
    );
    const options = { keep, minResemblance: 0.6, now: 100, expiresIn: 50 };
    const against = new Deduplicator();
    const model = new Model();
    assert.deepEqual(await all(first, { ...options, against }), decisionsOf(first, { ...options, model }));
    const again = Deduplicator.fromBytes(against.toBytes());
    const later = { ...options, now: 120, expiresIn: undefined };
    // The same documents, and others.
    for (const documents of [first, second]) {
      const expected = decisionsOf(documents, { ...later, model });
      assert.deepEqual(await all(documents, { ...later, against: again }), expected);
      for (const status of ['changed', 'duplicate']) assert.ok(expected.some((decision) => decision.status === status));
    }
    // The first documents have expired, unless they have changed.
    const last = { ...later, now: 150 };
    assert.deepEqual(await all(first, { ...last, against: again }), decisionsOf(first, { ...last, model }));
    const read = (entries) => entries.map(({ id, sketch }) => [typeof id, `${id}`, sketch.toHex()]).sort();
    assert.deepEqual(read([...again]), read(model.entries()));
  }
});

/** Checks `add: false` on random documents and sets. */
async function checkWithoutAdding(seeds) {
  const counts = { new: 0, unchanged: 0, changed: 0, 'duplicate of the set': 0, 'duplicate of the run': 0 };
  for (let seed = 0; seed < seeds; seed++) {
    const [base, documents] = [documentsOf(seed, 100), documentsOf(seed + (seed % 2 ? 0 : 1000), 150)];
    const against = new Deduplicator();
    const model = new Model();
    for (const [at, { id = `base ${at}`, text }] of base.entries()) {
      const time = { now: 1000, expiresIn: at % 3 ? undefined : at };
      against.add(id, text, time);
      model.add(id, sketch(text), time);
    }
    const options = {
      keep: Object.values(keeps)[seed % 3],
      minResemblance: [undefined, 0.3, 0.9][seed % 3],
      now: 1050,
    };
    const before = against.toBytes();
    const expected = decisionsWithoutAdding(documents, { ...options, model });
    assert.deepEqual(await all(documents, { ...options, against, add: false }), expected);
    for (const { status, duplicatePosition } of expected) {
      if (status !== 'duplicate') counts[status]++;
      else counts[duplicatePosition === undefined ? 'duplicate of the set' : 'duplicate of the run']++;
    }
    // Expired documents stay.
    assert.deepEqual(against.toBytes(), before);
  }
  for (const [status, count] of Object.entries(counts)) assert.ok(count > 2 * seeds, `${status}: ${count}`);
}

const withoutAdding =
  'add: false compares with the set by id and text, and within the run by text, and changes nothing';
test(withoutAdding, () => checkWithoutAdding(3));
exhaustive(`${withoutAdding}, at length`, () => checkWithoutAdding(24));

test('add: false: a document without an id is unchanged if an earlier run has added it, and an old version counts', async () => {
  const words = 'the river burst its banks early on Tuesday the council said and the road to the harbour is closed';
  const [old, edited] = [words, `${words} now`];
  for (const against of [new Deduplicator(), memoryStore()]) {
    await all([{ text: 'Good news' }, { id: 'x', text: old }], { against });
    const documents = [{ text: 'GOOD NEWS!' }, { id: 'x', text: edited }, { text: old }, { id: 'x', text: edited }];
    const decisions = await all(documents, { against, add: false });
    assert.deepEqual(valuesOf(decisions, 'status', 'duplicateOf', 'duplicatePosition'), [
      ['unchanged', undefined, undefined],
      ['changed', undefined, undefined],
      // The version of the set has not been replaced.
      ['duplicate', 'x', undefined],
      // The earlier document of the run has the same text. The version of the set is less similar.
      ['duplicate', 'x', 1],
    ]);
  }
});

/** A store in memory with a log of its calls. */
function loggedStore() {
  const store = memoryStore();
  const log = [];
  const logged = (name) => (given, options) => {
    log.push(name);
    return store[name](given, options);
  };
  const [observe, peek, confirm, release] = ['observe', 'peek', 'confirm', 'release'].map(logged);
  return { scheme: store.scheme, observe, peek, confirm, release, log, store };
}

test('a lease: a document is confirmed when the next one is requested, and released if the loop ends before', async () => {
  const documents = [
    { id: 'a', text: 'Good news' },
    { id: 'b', text: 'GOOD NEWS!' },
    { id: 'c', text: 'Bad news' },
  ];
  const store = loggedStore();
  const isPermanent = async (at) => (await store.store.query(documents[at].text))[0].isProvisional === undefined;
  const iterator = dedupe(documents, { against: store, lease: 60 });
  await iterator.next();
  assert.deepEqual([store.log.join(), await isPermanent(0)], ['observe', false]);
  await iterator.next();
  assert.deepEqual([store.log.join(), await isPermanent(0)], ['observe,confirm,observe', true]);
  await iterator.next();
  assert.equal((await iterator.next()).done, true);
  assert.deepEqual([await isPermanent(2), store.log.at(-1)], [true, 'confirm']);

  // A run that dies on its second document handles it again.
  const later = [
    { id: 'a', text: 'Other news' },
    { id: 'd', text: 'No news' },
  ];
  for (const handle of [() => {}, () => assert.fail('broken')]) {
    const seen = [];
    const run = async () => {
      for await (const { id, status } of dedupe(later, { against: store, lease: 60 })) {
        seen.push(`${id} ${status}`);
        if (id === 'd') {
          handle();
          break;
        }
      }
    };
    await run().catch(() => {});
    assert.deepEqual(seen, [handle.name ? '' : seen[0], 'd new']);
    assert.deepEqual([await store.store.get('d'), store.log.at(-1)], [undefined, 'release']);
  }
  assert.deepEqual(await statusOf(later, { against: store, lease: 60 }), ['unchanged', 'new']);
  assert.equal((await store.store.query(later[1].text))[0].isProvisional, undefined);
  // Without a lease, nothing is to confirm.
  store.log.length = 0;
  assert.deepEqual(await statusOf(later, { against: store }), ['unchanged', 'unchanged']);
  assert.deepEqual(store.log, ['observe', 'observe']);
});

/** A source that records whether it was closed, and fails at a position if one is given. */
function tracked(documents, { isAsync, fails } = {}) {
  const state = { pulled: 0, isClosed: false };
  const next = () => {
    if (state.pulled === fails) throw new Error('the source');
    const done = state.pulled === documents.length;
    return { done, value: done ? undefined : documents[state.pulled++] };
  };
  const end = () => {
    state.isClosed = true;
    return { done: true, value: undefined };
  };
  const iterator = isAsync
    ? { next: async () => next(), return: async () => end(), [Symbol.asyncIterator]: () => iterator }
    : { next, return: end, [Symbol.iterator]: () => iterator };
  return { source: iterator, state };
}

test('leaving the loop closes the source, and keeps what was yielded', async () => {
  const documents = Array.from({ length: 20 }, (_, id) => ({ id, text: `document number ${id}` }));
  for (const isAsync of [false, true]) {
    for (const leave of ['break', 'throw']) {
      for (const withSet of [false, true]) {
        const against = withSet ? new Deduplicator() : undefined;
        const { source, state } = tracked(documents, { isAsync });
        const run = async () => {
          for await (const { id } of dedupe(source, { against })) {
            if (id < 4) continue;
            if (leave === 'break') break;
            throw new Error('the caller');
          }
        };
        if (leave === 'break') await run();
        else await assert.rejects(run(), /^Error: the caller$/);
        assert.deepEqual(state, { pulled: 5, isClosed: true });
        if (withSet) assert.equal(against.size, 5);
      }
    }
  }
});

test('an error of a document closes the source, and an error of the source is passed on', async () => {
  const documents = [
    { id: 0, text: 'Good news' },
    { id: 1, text: 7 },
  ];
  for (const isAsync of [false, true]) {
    for (const keep of ['first', 'longest']) {
      const { source, state } = tracked(documents, { isAsync });
      await assert.rejects(all(source, { keep }), /source\[1\]\.text must be/);
      assert.equal(state.isClosed, true);
      const { source: broken } = tracked(documents, { isAsync, fails: 1 });
      await assert.rejects(all(broken, { keep }), /^Error: the source$/);
    }
  }
  const rejecting = [documents[0], Promise.reject(new Error('a document'))];
  await assert.rejects(all(rejecting), /^Error: a document$/);
});

exhaustive('a loop that ends gives its memory back at once', async () => {
  const documents = Array.from({ length: 3000 }, (_, id) => ({
    id,
    text: Array.from({ length: 20 }, (_, at) => `word${id * 31 + at}`).join(' '),
  }));
  const run = async (end) => {
    const against = end === 'add: false' ? new Deduplicator() : undefined;
    let count = 0;
    try {
      for await (const _ of dedupe(documents, { against, add: against === undefined })) {
        if (++count < documents.length - 1 || end === 'end') continue;
        if (end === 'throw') throw new Error('the caller');
        break;
      }
    } catch (error) {
      assert.equal(error.message, 'the caller');
    }
    against?.free();
  };
  const memory = () => instanceOf('dedupe').memory.buffer.byteLength;
  for (const end of ['end', 'break', 'throw', 'add: false']) {
    await run(end);
    const before = memory();
    for (let times = 0; times < 8; times++) await run(end);
    assert.equal(memory(), before, end);
  }
});

test('an error ends the iteration with a named argument', async () => {
  const document = { id: 1, text: 'a' };
  const number = 'minResemblance must be a number above 0 and at most 1, got';
  const id = 'must be a string or a safe integer, got';
  const text = 'must be a string or a Uint8Array of UTF-8, got';
  const iterable = 'source must be an iterable or async iterable of documents, got';
  const noLease = "lease must be left out unless keep is 'first' and add is true, got 5";
  const against = new Deduplicator();
  const store = memoryStore();
  const textOf = () => undefined;
  const estimates = 'estimates decide (against forged texts, give a key), got a function';
  const withoutSet = 'unless against is given (against: new Deduplicator())';
  const cases = [
    [[7], `${iterable} 7`],
    [['ab'], `${iterable} "ab"`],
    [[undefined], `${iterable} undefined`],
    [[[7]], 'source[0] must be { id, text }, a string or a Uint8Array of UTF-8, got 7'],
    [[[null]], 'source[0] must be { id, text }, a string or a Uint8Array of UTF-8, got null'],
    [[[document, { id: 2 }]], `source[1].text ${text} undefined`],
    [[[document, { id: 2, text: 7 }]], `source[1].text ${text} 7`],
    [[[document], { text: () => 7 }], `source[0].text ${text} 7`],
    [[[{ id: 0.5, text: 'a' }]], `source[0].id ${id} 0.5`],
    [[[{ id: 2 ** 53, text: 'a' }]], `source[0].id ${id} 9007199254740992`],
    [[['a'], { id: () => ({}) }], `source[0].id ${id} an object (Object)`],
    [[[], 7], 'options must be an object, got 7'],
    [[[], Promise.resolve({ minResemblance: 1 })], 'options must be a plain object, got an object (Promise)'],
    [[[], new Map([['minResemblance', 1]])], 'options must be a plain object, got an object (Map)'],
    [[[], []], 'options must be a plain object, got an array'],
    [[[], { id: 'url' }], 'id must be a function, got "url"'],
    [[[], { text: 'body' }], 'text must be a function, got "body"'],
    [[[], { keep: 'last' }], `keep must be 'first', 'longest' or a function, got "last"`],
    [[[], { keep: 1 }], `keep must be 'first', 'longest' or a function, got 1`],
    [[[], { scheme: 's9' }], "scheme must be an id that starts with s1, got 's9'"],
    [[[], { minResemblance: 0 }], `${number} 0`],
    [[[], { add: 1 }], 'add must be true or false, got 1'],
    [[[], { add: false }], 'add must be true unless against is given, got false'],
    [[[], { against, add: false, textOf }], `textOf must be left out if add is false: ${estimates}`],
    [[[], { against: store, add: false, textOf }], `textOf must be left out if add is false: ${estimates}`],
    [[[], { against: store, textOf }], `textOf must be left out with a store: ${estimates}`],
    [[[], { against, add: false, expiresIn: 5 }], 'expiresIn must be left out if add is false, got 5'],
    [[[], { expiresIn: 5 }], `expiresIn must be left out ${withoutSet}, got 5`],
    [[[], { now: 5 }], `now must be left out ${withoutSet}, got 5`],
    [[[], { against: [] }], 'against must be a Deduplicator or a store, got an array'],
    [[[], { against: null }], 'against must be a Deduplicator or a store, got null'],
    [[[], { against, features: { words: 1 } }], 'against must be of the scheme s1:words1, got "s1"'],
    [[[], { against: store, features: { words: 1 } }], 'against must be of the scheme s1:words1, got "s1"'],
    [[[], { lease: 5 }], 'lease must be left out unless against is a store, got 5'],
    [[[], { lease: 5, against }], 'lease must be left out unless against is a store, got 5'],
    [[[], { lease: 5, against: store, add: false }], noLease],
    [[[], { lease: 5, against: store, keep: 'longest' }], noLease],
    [[[], { now: 5, against: store }], 'now must be left out if against is a store, got 5'],
    [[[{ id: 1, text: 'a' }], { against: store }], 'source[0].id must be a string, with a store, got 1'],
    [[[{ id: 1, text: 'a' }], { against: store, add: false }], 'source[0].id must be a string, with a store, got 1'],
  ];
  await checkRefusals(cases.map(([args, message]) => [() => all(...args), message]));
});

test('a Deduplicator of the CommonJS module is neither a store nor a Deduplicator of this module', async () => {
  const { Deduplicator: Foreign } = createRequire(import.meta.url)('../../pkg/cjs/index.cjs');
  const against = new Foreign().add('a', 'Good news');
  await assert.rejects(all(['good news'], { against }), { name: 'ArgumentError', argument: 'against' });
});
