// The rules of observe, row by row, with leases and expiry.
import assert from 'node:assert/strict';
import { sketch } from 'nearprint';
import { byProbes } from '../js/model.mjs';
import { testAll } from './table.mjs';

const START = 1_800_000_000;

const words = (from, count = 60) => Array.from({ length: count }, (_, at) => `word${from + at}`);

/** A text, an edited copy of it, a copy of that, and a text that both resemble less than each other. */
const a = words(0).join(' ');
const edited = words(0).with(30, 'edited').join(' ');
const editedTwice = words(0).with(30, 'edited').with(50, 'again').join(' ');
const rewritten = [...words(0, 42), ...words(1000, 18)].join(' ');
const other = words(5000).join(' ');
const notice = words(9000).join(' ');

const sketches = { a, edited, editedTwice, rewritten, other, notice };
for (const [name, text] of Object.entries(sketches)) sketches[name] = sketch(text);
const between = (x, y) => ({
  resemblance: byProbes().stored(sketches[x]).resemblance(sketches[y]),
  distance: sketches[x].distance(sketches[y]),
});
assert.ok(between('a', 'edited').resemblance > 0.8 && between('a', 'rewritten').resemblance < 0.6);

const isNew = (id) => ({ id, status: 'new' });
const isUnchanged = (id) => ({ id, status: 'unchanged' });
const isChanged = (id, from, to) => ({ id, status: 'changed', ...between(from, to) });
const duplicates = (id, duplicateOf, x, y) => ({ id, status: 'duplicate', duplicateOf, ...between(x, y) });

/**
 * Each row has steps: `[seconds, method, argument, options, result]`, at a time after the step before. The documents of `observe` and
 * `add` are `{ id: name of a sketch }`, and the result of `kept` is what `entries` yields, in this form.
 */
const rows = {
  'an equal document is unchanged': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'a' }, {}, [isUnchanged('x')]],
  ],
  'another text of the id is changed, however different it is': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'edited' }, {}, [isChanged('x', 'a', 'edited')]],
    [0, 'observe', { x: 'other' }, {}, [isChanged('x', 'edited', 'other')]],
    [0, 'observe', { x: 'other' }, {}, [isUnchanged('x')]],
    [0, 'observe', { y: 'a' }, {}, [isNew('y')]],
    [0, 'kept', { x: 'other', y: 'a' }],
  ],
  'a near-duplicate of another document is not kept': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { y: 'edited' }, {}, [duplicates('y', 'x', 'a', 'edited')]],
    [0, 'kept', { x: 'a' }],
  ],
  'a text that resembles another document more than its own version is a duplicate, and the version stays': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { y: 'other' }, {}, [isNew('y')]],
    [0, 'observe', { y: 'edited' }, {}, [duplicates('y', 'x', 'a', 'edited')]],
    [0, 'kept', { x: 'a', y: 'other' }],
    [0, 'observe', { y: 'other' }, {}, [isUnchanged('y')]],
  ],
  'a text that resembles its own version most is changed': [
    [0, 'observe', { x: 'edited' }, {}, [isNew('x')]],
    [0, 'add', { y: 'a' }, {}],
    [0, 'observe', { x: 'editedTwice' }, {}, [isChanged('x', 'edited', 'editedTwice')]],
  ],
  'of several near-duplicates the most similar one is named, then the one kept first': [
    [0, 'add', { x: 'a', y: 'edited', z: 'edited' }, {}],
    [0, 'observe', { n: 'edited' }, {}, [duplicates('n', 'y', 'edited', 'edited')]],
    [0, 'observe', { n: 'editedTwice' }, {}, [duplicates('n', 'y', 'edited', 'editedTwice')]],
  ],
  'the threshold is an option of the call': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { y: 'edited' }, { minResemblance: 1 }, [isNew('y')]],
    [0, 'observe', { z: 'editedTwice' }, { minResemblance: 0.99 }, [isNew('z')]],
    [0, 'observe', { n: 'editedTwice' }, { minResemblance: 0.5 }, [duplicates('n', 'z', 'editedTwice', 'editedTwice')]],
  ],
  'documents of one call are compared with those before them': [
    [
      0,
      'observe',
      [
        ['x', 'a'],
        ['y', 'edited'],
        ['x', 'a'],
        ['x', 'edited'],
      ],
      {},
      [isNew('x'), duplicates('y', 'x', 'a', 'edited'), isUnchanged('x'), isChanged('x', 'a', 'edited')],
    ],
  ],
  'a page that shows one notice for a day is unchanged on the next, but for the first one': [
    [0, 'observe', { x: 'a', y: 'other' }, {}, [isNew('x'), isNew('y')]],
    [
      0,
      'observe',
      { x: 'notice', y: 'notice' },
      {},
      [isChanged('x', 'a', 'notice'), duplicates('y', 'x', 'notice', 'notice')],
    ],
    [0, 'observe', { x: 'a', y: 'other' }, {}, [isChanged('x', 'notice', 'a'), isUnchanged('y')]],
  ],

  'a provisional document counts for others, and its id gets the same decision again': [
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [9, 'observe', { y: 'edited' }, {}, [duplicates('y', 'x', 'a', 'edited')]],
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [9, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [0, 'kept', { x: 'a' }],
  ],
  'confirmed, it is permanent': [
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [9, 'confirm', ['x'], 1],
    [99, 'observe', { x: 'a' }, { lease: 10 }, [isUnchanged('x')]],
    [0, 'confirm', ['x'], 0],
  ],
  'the end of the lease discards it': [
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [10, 'kept', {}],
    [0, 'confirm', ['x'], 0],
    [0, 'observe', { y: 'edited' }, {}, [isNew('y')]],
  ],
  'release discards it': [
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [0, 'release', ['x', 'x', 'unknown'], 1],
    [0, 'kept', {}],
  ],
  'observe without a lease makes it permanent, with the decision': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'edited' }, { lease: 10 }, [isChanged('x', 'a', 'edited')]],
    [0, 'observe', { x: 'edited' }, {}, [isChanged('x', 'a', 'edited')]],
    [99, 'kept', { x: 'edited' }],
    [0, 'observe', { x: 'edited' }, {}, [isUnchanged('x')]],
  ],
  'a lease of 0 has ended': [
    [0, 'observe', { x: 'a' }, { lease: 0 }, [isNew('x')]],
    [0, 'kept', {}],
  ],
  'a provisional change: both versions count for others, and the end of the lease keeps the earlier one': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isChanged('x', 'a', 'other')]],
    [0, 'observe', { y: 'other' }, {}, [duplicates('y', 'x', 'other', 'other')]],
    [0, 'observe', { y: 'edited' }, {}, [duplicates('y', 'x', 'a', 'edited')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isChanged('x', 'a', 'other')]],
    [0, 'kept', { x: 'a' }],
    [10, 'observe', { x: 'a' }, {}, [isUnchanged('x')]],
    [0, 'observe', { y: 'other' }, {}, [isNew('y')]],
  ],
  'a provisional change, confirmed, replaces the earlier version': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isChanged('x', 'a', 'other')]],
    [0, 'confirm', ['x'], 1],
    [99, 'observe', { y: 'edited' }, {}, [isNew('y')]],
    [0, 'kept', { x: 'other', y: 'edited' }],
  ],
  'a version that comes and goes is discarded': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isChanged('x', 'a', 'other')]],
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isUnchanged('x')]],
    [0, 'confirm', ['x'], 0],
    [0, 'observe', { y: 'other' }, {}, [isNew('y')]],
  ],
  'another text of a provisional document replaces it': [
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isNew('x')]],
    [0, 'confirm', [['x', 'a']], 0],
    [0, 'release', [['x', 'a']], 0],
    [0, 'confirm', [['x', 'other']], 1],
    [0, 'kept', { x: 'other' }],
  ],
  'a provisional document whose next text is a duplicate is discarded': [
    [0, 'observe', { y: 'other' }, {}, [isNew('y')]],
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [duplicates('x', 'y', 'other', 'other')]],
    [0, 'kept', { y: 'other' }],
  ],

  'a document expires, and prune removes it': [
    [0, 'observe', { x: 'a' }, { expiresIn: 10 }, [isNew('x')]],
    [9.9, 'observe', { y: 'edited' }, {}, [duplicates('y', 'x', 'a', 'edited')]],
    [0.1, 'prune', undefined, 1],
    [0, 'prune', undefined, 0],
    [0, 'kept', {}],
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
  ],
  'unchanged and changed renew the expiry time if the call has one': [
    [0, 'observe', { x: 'a' }, { expiresIn: 10 }, [isNew('x')]],
    [9, 'observe', { x: 'a' }, { expiresIn: 10 }, [isUnchanged('x')]],
    [9, 'observe', { x: 'edited' }, { expiresIn: 10 }, [isChanged('x', 'a', 'edited')]],
    [9, 'observe', { x: 'edited' }, {}, [isUnchanged('x')]],
    [1, 'observe', { x: 'edited' }, {}, [isNew('x')]],
  ],
  'a changed version without an expiry time does not expire': [
    [0, 'observe', { x: 'a' }, { expiresIn: 10 }, [isNew('x')]],
    [0, 'observe', { x: 'edited' }, {}, [isChanged('x', 'a', 'edited')]],
    [99, 'kept', { x: 'edited' }],
  ],
  'a duplicate does not renew the expiry time of its own version': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { y: 'other' }, { expiresIn: 10 }, [isNew('y')]],
    [9, 'observe', { y: 'edited' }, { expiresIn: 10 }, [duplicates('y', 'x', 'a', 'edited')]],
    [1, 'kept', { x: 'a' }],
  ],
  'the expiry time of a provisional document counts from observe, and only when it is confirmed': [
    [0, 'observe', { x: 'a' }, { lease: 20, expiresIn: 10 }, [isNew('x')]],
    [15, 'kept', { x: 'a' }],
    [0, 'confirm', ['x'], 1],
    [0, 'kept', {}],
  ],
  'an id whose kept version has expired has its provisional version, as new as it was': [
    [0, 'observe', { x: 'a' }, { expiresIn: 10 }, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 30 }, [isChanged('x', 'a', 'other')]],
    [10, 'kept', { x: 'other' }],
    [0, 'prune', undefined, 0],
    [0, 'observe', { x: 'other' }, { lease: 30 }, [isChanged('x', 'a', 'other')]],
    [0, 'confirm', ['x'], 1],
    [99, 'kept', { x: 'other' }],
  ],

  'add keeps a document whatever it resembles, in place of both versions of its id': [
    [0, 'add', { x: 'a', y: 'edited' }, {}],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isChanged('x', 'a', 'other')]],
    [0, 'add', { x: 'edited' }, { expiresIn: 20 }],
    [0, 'confirm', ['x'], 0],
    [0, 'kept', { y: 'edited', x: 'edited' }],
    [20, 'kept', { y: 'edited' }],
  ],
  'add of an equal document keeps its place, and renews its expiry time': [
    [0, 'add', { x: 'a', y: 'other' }, { expiresIn: 10 }],
    [5, 'add', { x: 'a' }, { expiresIn: 10 }],
    [0, 'kept', { x: 'a', y: 'other' }],
    [5, 'kept', { x: 'a' }],
  ],
  'delete removes both versions, and counts ids': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isChanged('x', 'a', 'other')]],
    [0, 'observe', { y: 'notice' }, { lease: 10 }, [isNew('y')]],
    [0, 'delete', ['x', 'y', 'x', 'unknown'], 2],
    [0, 'confirm', ['x', 'y'], 0],
    [0, 'kept', {}],
  ],
};

const documentsOf = (given) =>
  (Array.isArray(given) ? given : Object.entries(given)).map(([id, name]) => ({ id, sketch: sketches[name] }));

const steps = {
  observe: async (store, given, options, expected) =>
    assert.deepEqual(await store.observe(documentsOf(given), options), expected),
  add: (store, given, options) => store.add(documentsOf(given), options),
  prune: async (store, _, expected) => assert.equal(await store.prune(), expected),
  async kept(store, given) {
    const entries = [];
    for await (const { id, sketch } of store.entries()) entries.push([id, sketch.toHex()]);
    const expected = documentsOf(given);
    assert.deepEqual(
      entries.map(([id]) => id),
      expected.map(({ id }) => id),
    );
    for (const [at, { id, sketch }] of expected.entries()) {
      assert.equal((await store.get(id)).equals(sketch), true);
      assert.equal((await store.get(id)).toHex(), entries[at][1]);
    }
    assert.equal(await store.count(), expected.length);
  },
};
for (const method of ['confirm', 'release', 'delete']) {
  steps[method] = async (store, given, expected) => {
    const entries = given.map((each) => (typeof each === 'string' ? each : { id: each[0], sketch: sketches[each[1]] }));
    assert.equal(await store[method](entries), expected, `${method} ${given}`);
  };
}

testAll('the rules, row by row', async ({ open, setTime }, context) => {
  for (const [at, [what, all]] of Object.entries(rows).entries()) {
    await context.test(what, async () => {
      setTime(START);
      const { store, close } = await open({ name: `row${at}` });
      try {
        let now = START;
        for (const [seconds, method, ...rest] of all) {
          now += seconds;
          setTime(now);
          await steps[method](store, ...rest);
        }
      } finally {
        await close();
      }
    });
  }
});

testAll('query finds the best version of each id', async ({ open, setTime }) => {
  setTime(START);
  const { store, close } = await open({ name: 'query' });
  await store.add([
    { id: 'x', sketch: sketches.a },
    { id: 'y', sketch: sketches.edited },
  ]);
  await store.observe([{ id: 'x', sketch: sketches.rewritten }], { lease: 10 });
  const hit = (id, x, y) => ({ id, ...between(x, y) });
  const query = async (name, options) => store.query(sketches[name], options);
  assert.deepEqual(await query('a'), [hit('x', 'a', 'a')]);
  assert.deepEqual(await query('a', { limit: 9 }), [hit('x', 'a', 'a'), hit('y', 'a', 'edited')]);
  assert.deepEqual(await query('rewritten', { limit: Infinity, minResemblance: 0.9 }), [
    hit('x', 'rewritten', 'rewritten'),
  ]);
  assert.deepEqual(await query('rewritten', { limit: 0 }), []);
  assert.deepEqual(await query('other'), []);
  assert.deepEqual(await query('a', { minResemblance: 0.99, limit: 9 }), [hit('x', 'a', 'a')]);
  await close();
});
