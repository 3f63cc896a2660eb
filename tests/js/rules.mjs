// The rules of decisions, row by row, for every kind of set: in a process or in a store, by estimates or by texts.
import assert from 'node:assert/strict';
import { compare, Deduplicator, dedupe, sketch } from '../../pkg/index.js';
import { stored } from './model.mjs';
import { collect, entriesOf } from './values.mjs';

export const START = 1_800_000_000;

const words = (from, count = 60) => Array.from({ length: count }, (_, at) => `word${from + at}`);
/** A text with these words between its own. */
const between = (text, word) => text.join(` ${word} `);

const texts = {
  // A text, an edited copy of it, and a copy of that.
  a: words(0).join(' '),
  edited: words(0).with(30, 'edited').join(' '),
  editedTwice: words(0).with(30, 'edited').with(50, 'again').join(' '),
  shouted: `«${words(0).join(',\n').toUpperCase()}»!`,
  // Resembles `a`, but less than the threshold.
  rewritten: [...words(0, 42), ...words(1000, 18)].join(' '),
  other: words(5000).join(' '),
  notice: words(9000).join(' '),
  // Resemble each other by more than .67 and less than .75.
  brief: 'one two three four five six seven',
  briefEdited: 'one two three four five six nine',
  short: 'Good news',
  shortShouted: 'GOOD NEWS!',
  shortReversed: 'News, good',
  dollars: 'It costs $5',
  euros: 'It costs €5',
  symbols: '👍',
  otherSymbols: '👎',
  empty: '',
  marks: '... !',
  // Words whose hashes are equal: the sketches of each two texts are.
  is: 'is',
  forgedIs: 'bivzfosmrjblug',
  the: between(words(0), 'the'),
  forgedThe: between(words(0), 'hswthsacrnvmgp'),
};

/** The document of an id and a name, `TEXT` or `TEXT@SCOPE`. */
function documentOf([id, name]) {
  const [text, scope] = name.split('@');
  return { id, text: texts[text], ...(scope && { scope }) };
}
const documentsOf = (given) => (Array.isArray(given) ? given : Object.entries(given)).map(documentOf);
const sketchOf = ({ text, scope }) => sketch(text, { scope });

const isNew = (id) => ({ id, status: 'new' });
const isUnchanged = (id) => ({ id, status: 'unchanged' });
const isChanged = (id, from, to) => ({ id, status: 'changed', of: [from, to] });
const duplicates = (id, duplicateOf, x, y) => ({ id, status: 'duplicate', duplicateOf, of: [x, y] });
const duplicatesProvisional = (...args) => ({ ...duplicates(...args), isProvisional: true });

/**
 * Each row has steps: `[seconds, method, argument, options, result]`, at a time after the step before. The documents of `observe`
 * and `add` are `{ id: name }` or `[[id, name]]`, and `kept` compares them with the set. A result is a function of whether texts
 * verify if that matters.
 */
export const rows = {
  'an equal document is unchanged': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'a' }, {}, [isUnchanged('x')]],
    [0, 'observe', { x: 'shouted' }, {}, [isUnchanged('x')]],
  ],
  'unchanged comes before a near-duplicate, even an equal one': [
    [0, 'add', { y: 'a', x: 'a' }, {}],
    [0, 'observe', { x: 'a' }, {}, [isUnchanged('x')]],
    [0, 'kept', { y: 'a', x: 'a' }],
  ],
  'another text of the id is changed, however different it is': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'edited' }, {}, [isChanged('x', 'a', 'edited')]],
    [0, 'observe', { x: 'other' }, {}, [isChanged('x', 'edited', 'other')]],
    [0, 'observe', { x: 'other' }, {}, [isUnchanged('x')]],
    [0, 'observe', { x: 'short' }, {}, [isChanged('x', 'other', 'short')]],
    [0, 'observe', { y: 'a' }, {}, [isNew('y')]],
    [0, 'kept', { x: 'short', y: 'a' }],
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
    [0, 'add', { x: 'edited', y: 'a' }, {}],
    [0, 'observe', { x: 'editedTwice' }, {}, [isChanged('x', 'edited', 'editedTwice')]],
    [0, 'kept', { y: 'a', x: 'editedTwice' }],
  ],
  'a text that resembles its own version as much as another document is changed': [
    [0, 'add', { y: 'a', z: 'a' }, {}],
    [0, 'observe', { z: 'edited' }, {}, [isChanged('z', 'a', 'edited')]],
    [0, 'kept', { y: 'a', z: 'edited' }],
  ],
  'a text that resembles another document more, but below the threshold, is changed': [
    [0, 'add', { y: 'editedTwice', x: 'notice' }, {}],
    [0, 'observe', { x: 'edited' }, { minResemblance: 0.99 }, [isChanged('x', 'notice', 'edited')]],
  ],
  'of several near-duplicates the most similar one is named, then the one kept first': [
    [0, 'add', { x: 'a', y: 'edited', z: 'edited' }, {}],
    [0, 'observe', { n: 'edited' }, {}, [duplicates('n', 'y', 'edited', 'edited')]],
    [0, 'observe', { n: 'editedTwice' }, {}, [duplicates('n', 'y', 'edited', 'editedTwice')]],
  ],
  'the threshold is an option of the call': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { y: 'rewritten' }, {}, [isNew('y')]],
    [0, 'observe', { z: 'editedTwice' }, { minResemblance: 0.99 }, [isNew('z')]],
    [0, 'observe', { n: 'editedTwice' }, { minResemblance: 0.5 }, [duplicates('n', 'z', 'editedTwice', 'editedTwice')]],
  ],
  'a threshold of 1 stands for equal documents': [
    [0, 'observe', { x: 'a' }, { minResemblance: 1 }, [isNew('x')]],
    [0, 'observe', { y: 'edited' }, { minResemblance: 1 }, [isNew('y')]],
    [0, 'observe', { z: 'shouted' }, { minResemblance: 1 }, [duplicates('z', 'x', 'a', 'shouted')]],
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
  'a pair with a brief text needs more': [
    [0, 'observe', { x: 'brief' }, {}, [isNew('x')]],
    [0, 'observe', { y: 'briefEdited' }, {}, [isNew('y')]],
    [0, 'observe', { z: 'brief' }, {}, [duplicates('z', 'x', 'brief', 'brief')]],
  ],
  'a short text is a near-duplicate of an equal one only': [
    [0, 'observe', { x: 'short' }, {}, [isNew('x')]],
    [0, 'observe', { y: 'shortShouted' }, {}, [duplicates('y', 'x', 'short', 'shortShouted')]],
    [0, 'observe', { z: 'shortReversed' }, {}, [isNew('z')]],
  ],
  'symbols count for equality': [
    [0, 'observe', { x: 'dollars', y: 'euros' }, {}, [isNew('x'), isNew('y')]],
    [0, 'observe', { x: 'euros' }, {}, [duplicates('x', 'y', 'euros', 'euros')]],
    [0, 'observe', { v: 'symbols', w: 'otherSymbols' }, {}, [isNew('v'), isNew('w')]],
    [0, 'observe', { n: 'symbols' }, {}, [duplicates('n', 'v', 'symbols', 'symbols')]],
  ],
  'a text without words and symbols resembles nothing, not even an equal one': [
    [0, 'observe', { x: 'empty', y: 'empty', z: 'marks' }, {}, [isNew('x'), isNew('y'), isNew('z')]],
    [0, 'observe', { x: 'marks' }, {}, [isUnchanged('x')]],
    [0, 'observe', { x: 'a' }, {}, [isChanged('x', 'empty', 'a')]],
    [0, 'observe', { n: 'marks' }, { minResemblance: 1 }, [isNew('n')]],
    [0, 'observe', { x: 'empty' }, {}, [isChanged('x', 'a', 'empty')]],
    [0, 'kept', { y: 'empty', z: 'marks', n: 'marks', x: 'empty' }],
  ],
  'documents of different scopes do not resemble each other': [
    [0, 'observe', { x: 'a', y: 'a@one', z: 'a@two' }, {}, [isNew('x'), isNew('y'), isNew('z')]],
    [0, 'observe', { n: 'edited@two' }, {}, [duplicates('n', 'z', 'a@two', 'edited@two')]],
    [0, 'observe', { x: 'short@one', n: 'short' }, {}, [isChanged('x', 'a', 'short@one'), isNew('n')]],
    [0, 'observe', { y: 'a@one' }, {}, [isUnchanged('y')]],
    [0, 'observe', { y: 'a@three' }, {}, [isChanged('y', 'a@one', 'a@three')]],
  ],
  'a text whose sketch was forged does not suppress another one if texts verify': [
    [0, 'observe', { x: 'is', y: 'the' }, {}, [isNew('x'), isNew('y')]],
    [0, 'observe', { n: 'forgedIs' }, {}, (byText) => [byText ? isNew('n') : duplicates('n', 'x', 'is', 'forgedIs')]],
    [
      0,
      'observe',
      { m: 'forgedThe' },
      {},
      (byText) => [byText ? isNew('m') : duplicates('m', 'y', 'the', 'forgedThe')],
    ],
    [0, 'observe', { v: 'is' }, {}, [duplicates('v', 'x', 'is', 'is')]],
    [0, 'observe', { w: 'the' }, { minResemblance: 1 }, [duplicates('w', 'y', 'the', 'the')]],
  ],

  'a document expires, and prune removes it': [
    [0, 'observe', { x: 'a' }, { expiresIn: 10 }, [isNew('x')]],
    [9.9, 'observe', { y: 'edited' }, {}, [duplicates('y', 'x', 'a', 'edited')]],
    [0.1, 'prune', undefined, 1],
    [0, 'prune', undefined, 0],
    [0, 'kept', {}],
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
  ],
  'an expired document is not there, though it is not pruned': [
    [0, 'observe', { x: 'a', y: 'other' }, { expiresIn: 10 }, [isNew('x'), isNew('y')]],
    [10, 'observe', { x: 'a', z: 'other' }, {}, [isNew('x'), isNew('z')]],
    [0, 'kept', { x: 'a', z: 'other' }],
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
  'a duplicate renews neither its own version nor the other document': [
    [0, 'observe', { x: 'a' }, { expiresIn: 12 }, [isNew('x')]],
    [0, 'observe', { y: 'other' }, { expiresIn: 10 }, [isNew('y')]],
    [9, 'observe', { y: 'edited' }, { expiresIn: 10 }, [duplicates('y', 'x', 'a', 'edited')]],
    [1, 'kept', { x: 'a' }],
    [2, 'kept', {}],
  ],

  'add keeps a document whatever it resembles': [
    [0, 'add', { x: 'a', y: 'edited' }, {}],
    [0, 'add', { x: 'edited' }, { expiresIn: 20 }],
    [0, 'kept', { y: 'edited', x: 'edited' }],
    [20, 'kept', { y: 'edited' }],
  ],
  'add of an equal document keeps its place, and renews its expiry time': [
    [0, 'add', { x: 'a', y: 'other' }, { expiresIn: 10 }],
    [5, 'add', { x: 'a' }, { expiresIn: 10 }],
    [0, 'kept', { x: 'a', y: 'other' }],
    [5, 'kept', { x: 'a' }],
  ],
  'delete counts what it removes': [
    [0, 'add', { x: 'a' }, {}],
    [0, 'delete', ['x', 'x', 'unknown'], 1],
    [0, 'kept', {}],
    [0, 'observe', { x: 'edited' }, {}, [isNew('x')]],
  ],

  'a provisional document counts for others, and its id gets the same decision again': [
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [9, 'observe', { y: 'edited' }, {}, [duplicatesProvisional('y', 'x', 'a', 'edited')]],
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [9, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [0, 'kept', { x: 'a' }],
  ],
  'confirmed, it is permanent': [
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [9, 'confirm', ['x'], 1],
    [99, 'observe', { x: 'a' }, { lease: 10 }, [isUnchanged('x')]],
    [0, 'confirm', ['x'], 0],
    [0, 'observe', { y: 'edited' }, {}, [duplicates('y', 'x', 'a', 'edited')]],
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
    [0, 'observe', { y: 'other' }, {}, [duplicatesProvisional('y', 'x', 'other', 'other')]],
    // x has the text of its last version.
    [0, 'observe', { y: 'edited' }, {}, [{ ...duplicates('y', 'x', 'a', 'edited'), isEstimated: true }]],
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
  'unchanged leaves the provisional version as it is': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isChanged('x', 'a', 'other')]],
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isUnchanged('x')]],
    [9, 'observe', { y: 'other' }, {}, [duplicatesProvisional('y', 'x', 'other', 'other')]],
    [0, 'confirm', ['x'], 1],
    [0, 'kept', { x: 'other' }],
  ],
  'another text of a provisional document replaces it': [
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isNew('x')]],
    [0, 'confirm', [['x', 'a']], 0],
    [0, 'release', [['x', 'a']], 0],
    [0, 'confirm', [['x', 'other']], 1],
    [0, 'kept', { x: 'other' }],
  ],
  'a duplicate leaves the provisional version of its id as it is': [
    [0, 'observe', { y: 'other' }, {}, [isNew('y')]],
    [0, 'observe', { x: 'a' }, { lease: 10 }, [isNew('x')]],
    [9, 'observe', { x: 'other' }, { lease: 10 }, [duplicates('x', 'y', 'other', 'other')]],
    [0, 'kept', { y: 'other', x: 'a' }],
    [1, 'kept', { y: 'other' }],
  ],
  'a provisional text without words resembles nothing, and gets its decision again': [
    [0, 'observe', { x: 'a' }, {}, [isNew('x')]],
    [0, 'observe', { x: 'empty' }, { lease: 10 }, [isChanged('x', 'a', 'empty')]],
    [0, 'observe', { y: 'empty' }, { lease: 10 }, [isNew('y')]],
    [0, 'observe', { x: 'empty' }, { lease: 10 }, [isChanged('x', 'a', 'empty')]],
    [0, 'release', ['x'], 1],
    [0, 'kept', { x: 'a', y: 'empty' }],
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
  'add replaces both versions of an id': [
    [0, 'add', { x: 'a', y: 'edited' }, {}],
    [0, 'observe', { x: 'other' }, { lease: 10 }, [isChanged('x', 'a', 'other')]],
    [0, 'add', { x: 'edited' }, { expiresIn: 20 }],
    [0, 'confirm', ['x'], 0],
    [0, 'kept', { y: 'edited', x: 'edited' }],
    [20, 'kept', { y: 'edited' }],
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

const needsLeases = (steps) => steps.some(([, method, , options]) => method === 'confirm' || options?.lease >= 0);

/** The decision that a row expects, with its resemblance by estimate or by texts. */
function expectedOf({ of, isEstimated = false, ...decision }, byText) {
  if (of === undefined) return decision;
  const [x, y] = of.map((name) => documentOf([undefined, name]));
  const [known, own] = [sketchOf(x), sketchOf(y)];
  const isExact = byText && !isEstimated && !known.isShort && !own.isShort && x.scope === y.scope;
  const resemblance = isExact ? compare(x.text, y.text).exactResemblance : stored(known).resemblance(own);
  return { ...decision, resemblance };
}

/**
 * Runs the rows, each as a part of a test, on the sets that `open(name)` returns. A set has the methods of the steps, which
 * follow a document's fields, `peek(document, options)`, `entries()`, `close()`, and `setTime(seconds)`. `hasLeases` and `byText` state
 * what it does.
 */
export async function checkRules(context, open, { hasLeases = true, byText = false } = {}) {
  for (const [at, [what, steps]] of Object.entries(rows).entries()) {
    if (!hasLeases && needsLeases(steps)) continue;
    await context.test(what, async () => {
      const set = await open(`row${at}`);
      /** The last text that is kept of each id: what `textOf` returns. */
      const known = new Map();
      const textOf = byText ? (id) => known.get(id) : undefined;
      let now = START;
      try {
        for (const [seconds, method, given, ...rest] of steps) {
          now += seconds;
          set.setTime(now);
          if (method === 'observe') {
            const [options, result] = rest;
            const documents = documentsOf(given);
            const all = typeof result === 'function' ? result(byText) : result;
            const expected = all.map((decision) => expectedOf(decision, byText));
            // One by one, since the text of each is known to the next.
            for (const [at, document] of documents.entries()) {
              if (!byText) {
                const before = await set.entries();
                const { id: _, ...outcome } = expected[at];
                assert.deepEqual(await set.peek(document, options), outcome, 'peek');
                assert.deepEqual(await set.entries(), before);
              }
              assert.deepEqual(await set.observe([document], { ...options, ...(textOf && { textOf }) }), [
                expected[at],
              ]);
              if (expected[at].status === 'new' || expected[at].status === 'changed')
                known.set(document.id, document.text);
            }
          } else if (method === 'add') {
            const documents = documentsOf(given);
            await set.add(documents, rest[0]);
            for (const { id, text } of documents) known.set(id, text);
          } else if (method === 'kept') {
            const expected = documentsOf(given).map((document) => [document.id, stored(sketchOf(document)).toHex()]);
            assert.deepEqual(await set.entries(), expected);
            assert.equal(await set.count(), expected.length);
            for (const [id, hex] of expected) assert.equal((await set.get(id)).toHex(), hex);
          } else {
            const entries = given?.map((each) =>
              typeof each === 'string' ? each : { id: each[0], sketch: sketchOf(documentOf(each)) },
            );
            assert.equal(await set[method](entries), rest[0], `${method} ${given}`);
          }
        }
      } finally {
        await set.close();
      }
    });
  }
}

const outcomeOf = ({ position, duplicatePosition, document, ...outcome }) => outcome;

/** The decisions of dedupe, without what it knows of the source. */
export async function decisionsOf(documents, options) {
  const scope = (document) => document.scope;
  return (await collect(dedupe(documents, { ...options, scope }))).map(outcomeOf);
}

/** A Deduplicator as a set of `checkRules`. `observe(kept, documents, options)` decides. */
export function deduplicatorSet(observe) {
  const kept = new Deduplicator();
  let now;
  return {
    setTime: (seconds) => {
      now = seconds;
    },
    observe: (documents, options) => observe(kept, documents, { ...options, now }),
    peek: ({ id, text, scope }, { minResemblance }) => kept.peek(id, text, { minResemblance, scope, now }),
    add(documents, options) {
      for (const { id, text, scope } of documents) kept.add(id, text, { ...options, scope, now });
    },
    delete: (ids) => ids.filter((id) => kept.delete(id, { now })).length,
    prune: () => kept.prune({ now }),
    get: (id) => kept.get(id, { now }),
    count: () => kept.size,
    entries() {
      kept.prune({ now });
      return entriesOf(kept);
    },
    close: () => kept.free(),
  };
}

/** A store as a set of `checkRules`. `decide(store, documents, options)` decides, by default with `observe`. */
export function storeSet({ store, close, setTime }, decide = (store, ...args) => store.observe(...args)) {
  return {
    setTime,
    close,
    observe: (documents, options) => decide(store, documents, options),
    peek: async (document, { minResemblance }) => (await store.peek([document], { minResemblance }))[0],
    add: (documents, options) => store.add(documents, options),
    confirm: (versions) => store.confirm(versions),
    release: (versions) => store.release(versions),
    delete: (ids) => store.delete(ids),
    prune: () => store.prune(),
    get: (id) => store.get(id),
    count: () => store.count(),
    entries: async () => entriesOf(await collect(store.entries())),
  };
}
