// Scopes: documents of different scopes do not resemble each other, on every layer.
import assert from 'node:assert/strict';
import { calibrate } from '../../pkg/calibrate.js';
import { whenNew } from '../../pkg/crawl.js';
import { clusters, compare, Deduplicator, dedupe, resemblance, Sketcher, sketch, sketchAll } from '../../pkg/index.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { exhaustive, test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines, textOf } from './command.mjs';
import { checkRefusals } from './refusals.mjs';
import { collect, valuesOf } from './values.mjs';

const text = 'The river burst its banks early on Tuesday, the council said, and the road is closed.';
const other = text.replace('closed', 'open');
const bytes = new TextEncoder().encode(text);
/** A text of several pieces, with characters of one to four bytes at their borders. */
const long = Array.from({ length: 40_000 }, (_, at) => `wört${at % 30_011}𠮷`).join(' ');

const statuses = (decisions) => valuesOf(decisions, 'status');

test('a sketch has the scope of its text', () => {
  const sketcher = new Sketcher();
  for (const each of [text, bytes, long, 'Good news', '']) {
    const [plain, a, b] = [undefined, 'a', 'b'].map((scope) => sketch(each, { scope }));
    assert.ok(plain.equals(sketch(each)) && plain.equals(sketch(each, { scope: '' })));
    for (const [one, another] of [
      [plain, a],
      [a, b],
    ]) {
      assert.ok(!one.equals(another));
      assert.ok(resemblance(one, another) < 0.15);
    }
    const made = [
      sketchAll([each], { scope: 'a' })[0],
      sketcher.sketch(each, { scope: 'a' }),
      sketcher.sketchAll([each], { scope: 'a' })[0],
      sketcher.stream({ scope: 'a' }).update(each).sketch(),
    ];
    for (const one of made) assert.equal(one.toHex(), a.toHex());
  }
  assert.ok(resemblance(sketch(text, { scope: 'a' }), sketch(other, { scope: 'a' })) > 0.7);
  const chunks = sketcher.stream({ scope: 'a' });
  for (let at = 0; at < text.length; at += 7) chunks.update(text.slice(at, at + 7));
  assert.ok(chunks.sketch().equals(sketch(text, { scope: 'a' })));
  assert.equal(sketch(text, { scope: 'a', features: { words: 2 } }).scheme, 's1:words2');
});

test('any string without lone surrogates is a scope, of any length', () => {
  const names = ['a', 'A', ' ', '\0', 'ж', '𠮷', 'a'.repeat(70_000), 'ж'.repeat(1 << 20), '\ufffd'];
  const hexes = names.map((scope) => sketch(text, { scope }).toHex());
  assert.equal(new Set(hexes).size, names.length);
  assert.deepEqual(
    names.map((scope) => new Sketcher().sketch(bytes, { scope }).toHex()),
    hexes,
  );
  assert.equal(sketch(text).toHex(), sketch(text, { scope: '' }).toHex());
});

test('Deduplicator: queries and snapshots keep scopes apart', () => {
  for (const each of [text, bytes, long, 'Good news', '$']) {
    const kept = new Deduplicator();
    for (const scope of ['a', 'b', undefined]) assert.equal(kept.observe(`in ${scope}`, each, { scope }).status, 'new');
    for (const set of [kept, Deduplicator.fromBytes(kept.toBytes())]) {
      assert.deepEqual(
        ['a', 'b', 'c', undefined, ''].map((scope) => valuesOf(set.query(each, { scope }), 'id')),
        [['in a'], ['in b'], [], ['in undefined'], ['in undefined']],
      );
      assert.equal(set.observe('sketched', sketch(each, { scope: 'a' })).duplicateOf, 'in a');
    }
    const changed = kept.observe('in b', each, { scope: 'c' });
    assert.equal(changed.status, 'changed');
    assert.ok(changed.resemblance < 0.15);
  }
});

test('observeAll reads the scope of each document', () => {
  const documents = [
    { id: 1, text, scope: 'a' },
    { id: 2, text },
    { id: 3, text, scope: 'a' },
    { id: 4, text, scope: '' },
    { id: 5, sketch: sketch(text, { scope: 'a' }) },
  ];
  const decisions = new Deduplicator().observeAll(documents);
  assert.deepEqual(statuses(decisions), ['new', 'new', 'duplicate', 'duplicate', 'duplicate']);
  // The option is for documents without one.
  const some = documents.slice(0, 4);
  const others = new Deduplicator().observeAll(some, { scope: 'a' });
  assert.deepEqual(statuses(others), ['new', 'duplicate', 'duplicate', 'new']);
});

test('textOf: texts of the same scope are compared exactly, and no others', () => {
  for (const each of [text, long]) {
    const near = each.replace(/\S+$/, 'open');
    const texts = new Map();
    const asked = [];
    const textOf = (id) => {
      asked.push(id);
      return texts.get(id);
    };
    const kept = new Deduplicator();
    const observe = (id, own, scope) => {
      const decision = kept.observe(id, own, { scope, textOf });
      if (decision.status !== 'duplicate') texts.set(id, own);
      return decision;
    };
    assert.equal(observe(1, each, 'a').status, 'new');
    assert.equal(observe(2, near, 'b').status, 'new');
    assert.equal(observe(3, near).status, 'new');
    assert.deepEqual(asked, []);
    const { exactResemblance } = compare(each, near);
    const [inA, inB, none] = [observe(4, near, 'a'), observe(5, each, 'b'), observe(6, each)];
    assert.deepEqual(
      valuesOf([inA, inB, none], 'duplicateOf', 'resemblance'),
      [1, 2, 3].map((id) => [id, exactResemblance]),
    );
    assert.equal(observe(1, each, 'b').status, 'duplicate');
    const changed = observe(1, each, 'c');
    assert.equal(changed.status, 'changed');
    assert.ok(changed.resemblance < 0.15);
  }
});

test('dedupe and clusters take a function from a document to its scope', async () => {
  const documents = ['a', 'b', undefined, 'a', '', 'b'].map((sku, id) => ({ id, text: id === 3 ? other : text, sku }));
  const scope = ({ sku }) => sku;
  const expected = ['new', 'new', 'new', 'duplicate', 'duplicate', 'duplicate'];
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const variants = [
    {},
    { textOf: (id) => texts.get(id) },
    { textOf: async (id) => texts.get(id) },
    { against: new Deduplicator() },
    { against: new Deduplicator(), add: false },
    { against: memoryStore(), add: false, id: ({ id }) => `${id}` },
    { against: memoryStore(), id: ({ id }) => `${id}` },
    { keep: ({ id }) => -id },
    { keep: ({ id }) => -id, textOf: (id) => texts.get(id) },
  ];
  for (const options of variants) {
    const decisions = await collect(dedupe(documents, { scope, ...options }));
    assert.deepEqual(statuses(decisions), expected, JSON.stringify(options));
    assert.deepEqual(
      decisions.slice(3).map(({ duplicateOf }) => Number(duplicateOf)),
      [0, 2, 1],
    );
  }
  const found = await clusters(documents, { scope });
  assert.deepEqual(
    found.map(({ members }) => members.map(({ id }) => id)),
    [
      [0, 3],
      [1, 5],
      [2, 4],
    ],
  );
  assert.equal((await clusters(documents))[0].members.length, 6);
});

test('a store: the option is for documents without a scope, and queries have one', async () => {
  const store = memoryStore();
  await store.add([{ id: '0', text, scope: 'a' }]);
  await store.add([{ id: '1', text }], { scope: 'b' });
  assert.deepEqual(statuses(await store.observe([{ id: '2', text }], { scope: 'b' })), ['duplicate']);
  const hits = await Promise.all(['a', 'b', ''].map((scope) => store.query(text, { scope })));
  assert.deepEqual(
    hits.map((each) => each.map(({ id }) => id)),
    [['0'], ['1'], []],
  );
});

test('calibrate: documents of different scopes are never the same', async () => {
  const documents = Array.from({ length: 40 }, (_, id) => ({ id, text: textOf(id % 10), scope: `${id % 20}` }));
  const { thresholds, equal } = await calibrate(documents);
  assert.deepEqual([...valuesOf(thresholds, 'documents'), equal], Array(11).fill(20));
});

test('wrong scopes, and scopes with a sketch, are refused', async () => {
  const [kept, one, store] = [new Deduplicator(), sketch(text), memoryStore()];
  const mustBeText = (argument) => `${argument} must be a text if scope is given, got an object (Sketch)`;
  const wrong = (argument, got) => `${argument} must be a string without lone surrogates, got ${got}`;
  const cases = [
    [() => sketch(text, { scope: null }), wrong('scope', 'null')],
    [() => sketchAll([text], { scope: '\ud800' }), wrong('scope', '"\\ud800"')],
    [() => new Sketcher().stream({ scope: '𠮷\udc00' }), wrong('scope', '"𠮷\\udc00"')],
    [() => kept.observe(1, text, { scope: '\udfb7\ud842' }), wrong('scope', '"\\udfb7\\ud842"')],
    [() => dedupe([text], { scope: () => '\ud800' }).next(), wrong('scope(source[0])', '"\\ud800"')],
    [() => store.observe([{ id: 'a', text, scope: '\ud800' }]), wrong('docs[0].scope', '"\\ud800"')],
    [() => kept.observeAll([{ id: 1, text, scope: 7 }]), wrong('documents[0].scope', '7')],
    [() => kept.observe(1, one, { scope: 'a' }), mustBeText('document')],
    [() => kept.add(1, one, { scope: 'a' }), mustBeText('document')],
    [() => kept.query(one, { scope: 'a' }), mustBeText('document')],
    [() => kept.observeAll([{ id: 1, sketch: one, scope: 'a' }]), mustBeText('documents[0]')],
    [() => kept.observeAll([{ id: 1, sketch: one }], { scope: 'a' }), mustBeText('documents[0]')],
    [() => dedupe([text], { scope: 'a' }).next(), 'scope must be a function, got "a"'],
    [() => dedupe([text], { scope: () => 7 }).next(), wrong('scope(source[0])', '7')],
    [() => clusters([text], { scope: () => 7 }), wrong('scope(source[0])', '7')],
    [() => store.observe([{ id: 'a', text, scope: 7 }]), wrong('docs[0].scope', '7')],
    [() => store.observe([{ id: 'a', sketch: one, scope: 'a' }]), mustBeText('docs[0]')],
    [() => store.add([{ id: 'a', sketch: one }], { scope: 'a' }), mustBeText('docs[0]')],
    [() => store.query(one, { scope: 'a' }), mustBeText('document')],
    [() => calibrate([{ id: 1, text, scope: 7 }]), wrong('documents[0].scope', '7')],
    [
      () => whenNew(store, () => {}, { textOf: () => text, scope: () => 7 })({ request: { url: 'a' } }),
      wrong('scope(context)', '7'),
    ],
  ];
  await checkRefusals(cases);
  assert.equal(kept.size, 0);
  assert.equal(kept.observe(1, one, { scope: '' }).status, 'new');
  assert.equal(kept.query(one, { scope: undefined }).length, 1);
});

const command = makeCommandFolder();

/** Two sites with the same three texts, one of them twice on each. */
const rows = ['a.example', 'b.example', '', 'a.example', 'b.example'].flatMap((site, at) =>
  [0, 1, 2].map((seed) => ({ id: `${at}-${seed}`, site, text: textOf(seed, at >= 3 ? [7] : []) })),
);
const keptIds = rows.slice(0, 9).map(({ id }) => id);

const csv = ['id,site,text', ...rows.map(({ id, site, text }) => `${id},${site},${text}`), ''].join('\n');

test('--scope-field compares the documents of a site only with each other', () => {
  command.write('pages.jsonl', jsonLines(rows));
  command.write('pages.json', JSON.stringify(rows));
  command.write('pages.csv', csv);
  const sparse = rows.map(({ site, ...others }) => ({ ...others, at: { site: site || null } }));
  command.write('nested.jsonl', jsonLines(sparse));
  const idsOf = (name, stdout) =>
    /json/.test(name)
      ? parseLines(stdout).map(({ id }) => id)
      : stdout
          .split('\n')
          .slice(1, -1)
          .map((row) => row.split(',', 1)[0]);
  for (const name of ['pages.jsonl', 'pages.json', 'pages.csv', 'nested.jsonl']) {
    const field = name === 'nested.jsonl' ? 'at.site' : 'site';
    assert.deepEqual(idsOf(name, command.outputOf(['dedupe', '--scope-field', field, name])), keptIds, name);
  }
  const lines = (args, options) => idsOf('jsonl', command.outputOf(args, options));
  const byField = ['dedupe', '--scope-field', 'site'];
  assert.deepEqual(lines([...byField, '--threads', '2', 'pages.jsonl']), keptIds);
  assert.deepEqual(lines(byField, { input: jsonLines(rows) }), keptIds);
  // The later versions are longer.
  const later = rows.slice(6).map(({ id }) => id);
  assert.deepEqual(lines([...byField, '--keep', 'longest', 'pages.jsonl']), later);
  const found = command.outputOf(['clusters', '--scope-field', 'site', 'pages.jsonl']);
  assert.deepEqual(valuesOf(parseLines(found), 'size'), [2, 2, 2, 2, 2, 2]);
  assert.deepEqual(lines(['dedupe', 'pages.jsonl']), ['0-0', '0-1', '0-2']);
});

exhaustive('--scope-field holds for indexes, sketches and calibrate', () => {
  command.write('pages.jsonl', jsonLines(rows));
  const first = command.run(['dedupe', '--scope-field', 'site', '--index', 'seen.idx', 'pages.jsonl']);
  assert.equal(parseLines(first.stdout).length, 9);
  const again = command.run(['dedupe', '--scope-field', 'site', '--against', 'seen.idx', 'pages.jsonl']);
  assert.equal(again.stdout, '');
  const hashed = command.run(['hash', '--jsonl', '--sketch', '--scope-field', 'site', 'pages.jsonl']);
  assert.deepEqual(
    valuesOf(parseLines(hashed.stdout), 'sketch'),
    rows.map(({ text, site }) => sketch(text, { scope: site }).toHex()),
  );
  const measured = command.run(['calibrate', '--json', '--scope-field', 'site', 'pages.jsonl']);
  assert.equal(JSON.parse(measured.stdout).thresholds[0].documents, 6);
  const report = command.run(['dedupe', '--scope-field', 'site', '--report-html', 'report.html', 'pages.jsonl']);
  assert.equal(parseLines(report.stdout).length, 9, report.stderr);
  // Numbers and booleans are compared as text, as ids are.
  const values = [7, '7', '7.0', true, 'true', null, ''];
  const lines = jsonLines(values.map((site, id) => ({ id, site, text }))).replace('"site":7,', '"site": 7.0,');
  const numbers = command.run(['dedupe', '--scope-field', 'site'], { input: lines });
  assert.deepEqual(valuesOf(parseLines(numbers.stdout), 'id'), [0, 1, 3, 5]);
});

exhaustive('--scope-field names a wrong field', () => {
  command.write('pages.jsonl', jsonLines(rows));
  command.write('pages.csv', csv);
  command.write('texts/a.txt', text);
  const noField = 'no document has the field "host" (--scope-field), so all were compared';
  const noSketch = '--scope-field must be combined with --jsonl and --sketch; see nearprint hash --help';
  const cases = [
    ['dedupe host pages.csv', 'pages.csv: no column "host" (--scope-field); the columns are "id", "site", "text"'],
    ['dedupe host pages.jsonl', noField],
    ['calibrate host pages.jsonl', noField],
    ['dedupe site texts', '--scope-field needs documents with fields; texts/a.txt is a text'],
    ['hash site texts/a.txt', noSketch],
    ['hash site pages.jsonl --jsonl', noSketch],
  ];
  for (const [args, message] of cases) {
    const { status, stderr } = command.run(args.replace(' ', ' --scope-field '));
    assert.equal(status, 2, args);
    assert.ok(stderr.split('\n').includes(`nearprint: ${message}`), stderr);
  }
  const [bad, good] = [['a'], 'a'].map((site) => jsonLines([{ site, text }]));
  const isBad = /^nearprint: stdin:1: "site" \(--scope-field\) must be a string, a number or a boolean, got an array$/m;
  command.fail('dedupe --scope-field site', isBad, { input: bad + good, stdout: good });
  const half = jsonLines([{ site: '\ud800', text }]);
  const isHalf =
    /^nearprint: stdin:1: "site" \(--scope-field\) must be a string without lone surrogates, got "\\ud800"$/m;
  command.fail('dedupe --scope-field site', isHalf, { input: half + good, stdout: good });
});
