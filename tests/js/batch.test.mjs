// Runs the SQL of docs/batch.md by benches/batch/run.py, on the engines whose Python packages are in RECIPES_PYTHONPATH, and on
// PostgreSQL. The oracle is the rule of dedupe written plainly, with the keys and the resemblances of sketches.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dedupe, MIN_RESEMBLANCE, resemblance, sketch } from '../../pkg/index.js';
import { has as hasCommand, postgres } from '../stores/engines.mjs';
import { exhaustive, test } from '../tier.mjs';
import { blocks } from './blocks.mjs';
import { jsonLines, makeCommandFolder, parseLines } from './command.mjs';
import { root } from './packed.mjs';
import { random } from './random.mjs';

const packages = process.env.RECIPES_PYTHONPATH;
const env = { ...process.env, PYTHONPATH: packages };
const python = (args, options) => spawnSync('python3', args, { encoding: 'utf8', env, ...options });
const has = (name) => packages !== undefined && python(['-c', `import ${name}`]).status === 0;
const engines = { duckdb: 'duckdb', clickhouse: 'chdb', spark: 'pyspark' };

const next = random(44);
const word = (most) => `w${next(most)}`;
const words = (count, most = 3000) => Array.from({ length: count }, () => word(most));

/** Texts of every kind: families with changed words at all sizes, a template, equal, brief, short and blank ones. */
function makeTexts() {
  const texts = [];
  for (const size of [9, 12, 14, 18, 25, 30, 38, 42, 60, 150, 390, 410, 790, 830, 2000]) {
    for (let family = 0; family < 6; family++) {
      const original = words(size);
      texts.push(original.join(' '));
      for (let copy = 0; copy < 4; copy++) {
        const changed = [...original];
        for (let edits = 1 + next(size / 8 + 2); edits > 0; edits--) changed.splice(next(size), next(2), word(3000));
        texts.push(changed.join(' '));
      }
    }
  }
  // More pages than a key has entries, all kept, and copies of some.
  const template = words(33);
  for (let page = 0; page < 150; page++) {
    const own = template.map((each, at) => (at % 11 === 5 ? String(next(1e6)) : each));
    texts.push(own.join(' '));
    if (page % 3 === 0)
      texts.push(own.map((each) => each.toUpperCase()).join(', '), own.with(next(33), 'other').join(' '));
  }
  // More near-duplicates of one text than are verified.
  const flooded = words(80);
  for (let copy = 0; copy < 100; copy++)
    texts.push(flooded.with(next(80), word(3000)).with(next(80), word(3000)).join(' '));
  for (let copy = 0; copy < 3; copy++) texts.push('Good news', 'Good news!', '$5', '', '...', 'Thanks');
  const shuffled = texts.map((text) => ({ text, rank: next(2 ** 30) })).sort((a, b) => a.rank - b.rank);
  return shuffled.map(({ text }, id) => ({ id: `page-${id}`, text }));
}

/** Decides on documents in their order: `[{ position, id, duplicate_of }]`. Equal documents have one decision. */
function decide(documents) {
  const [kept, firsts] = [new Map(), new Map()];
  return documents.map(({ id, own }, position) => {
    const decision = { position, id, duplicate_of: null };
    const keys = [...own.keys].map(String);
    if (keys.length === 0) return decision;
    const equality = keys.at(-1);
    const first = firsts.get(equality);
    if (first) return { ...decision, duplicate_of: first.duplicate_of ?? first.id };
    firsts.set(equality, decision);
    const weights = new Map();
    for (const key of keys) {
      const entries = kept.get(key) ?? [];
      for (const entry of entries) weights.set(entry, (weights.get(entry) ?? 0) + Math.floor(65536 / entries.length));
    }
    const candidates = [...weights].sort(([a, x], [b, y]) => y - x || a - b).slice(0, 32);
    const near = candidates
      .map(([at]) => ({ at, near: resemblance(documents[at].own, own) }))
      .filter(({ at, near }) => near >= (own.hasFewFeatures || documents[at].own.hasFewFeatures ? 0.75 : 0.67))
      .sort((a, b) => b.near - a.near || a.at - b.at);
    if (near.length > 0) {
      decision.duplicate_of = documents[near[0].at].id;
      return decision;
    }
    for (const key of keys) {
      const entries = kept.get(key) ?? [];
      if (entries.length < 64) kept.set(key, [...entries, position]);
    }
    return decision;
  });
}

/**
 * Returns a function that runs the SQL on the documents of some days, a list of `{ id, text }` for each. It returns a function of
 * a day and of the result to read: the decisions, the verified pairs or the clusters.
 */
function runnerOf(engine, variables) {
  const { folder, run } = makeCommandFolder();
  return (...days) => {
    const paths = days.map((documents, day) => {
      writeFileSync(join(folder, `${day}.jsonl`), jsonLines(documents));
      const path = join(folder, `sketches-${day}.jsonl`);
      writeFileSync(path, run(['hash', '--sketch', '--jsonl', '--format', 'signed', `${day}.jsonl`]).stdout);
      return path;
    });
    const program = join(root, 'benches', 'batch', 'run.py');
    const args = [program, '--engines', engine, '--out', folder, '--sketches', ...paths];
    const { status, stderr } = python(args, { env: { ...env, ...variables } });
    assert.equal(status, 0, stderr);
    return (day, what) => parseLines(readFileSync(join(folder, `${engine}-${day}-${what}.jsonl`), 'utf8'));
  };
}

const sketchesOf = (documents) => documents.map(({ id, text }) => ({ id, own: sketch(text) }));

/** Checks the decisions, the verified pairs and the clusters of the SQL on the first day. Returns the number of pairs. */
function agreesOn(own, read, expected) {
  assert.deepEqual(read(0, 'decisions'), expected);
  const pairs = read(0, 'verified');
  for (const { a, b, resemblance: estimate } of pairs) {
    assert.equal(estimate, resemblance(own[a].own, own[b].own), `${a} ${b}`);
  }
  assert.deepEqual(read(0, 'clusters'), clustersOf(own, pairs));
  return pairs.length;
}

/** Runs the SQL on all documents at once, unless `days` is true, and on two days. */
function agrees(engine, { days = false, variables } = {}) {
  const runDays = runnerOf(engine, variables);
  const documents = makeTexts();
  const own = sketchesOf(documents);
  const expected = decide(own);
  assert.ok(expected.filter((decision) => decision.duplicate_of !== null).length > 300);
  if (!days) assert.ok(agreesOn(own, runDays(documents), expected) > 5000);

  const readDays = runDays(documents.slice(0, 500), documents.slice(500));
  assert.ok(agreesOn(own.slice(0, 500), readDays, expected.slice(0, 500)) > 1000);
  // The positions of the second day follow the positions of the kept documents.
  const rest = ({ id, duplicate_of }) => ({ id, duplicate_of });
  assert.deepEqual(readDays(1, 'decisions').map(rest), expected.slice(500).map(rest));
}

/** Returns 3,000 versions of a text of 150 words, each with some words replaced. */
function makeFamily(edits) {
  const below = random(edits);
  return Array.from({ length: 3000 }, (_, at) => {
    const version = Array.from({ length: 150 }, (_, place) => `w${place}`);
    for (let edit = 0; edit < edits; edit++) version[below(150)] = `x${below(1e6)}`;
    return { id: `version-${at}`, text: version.join(' ') };
  });
}

/** Returns how many of some documents resemble none of the documents before them by the threshold. Every pair is compared. */
function firstsOf(sketches) {
  const near = (own, other) => resemblance(own, other) >= MIN_RESEMBLANCE;
  return sketches.filter((own, at) => !sketches.slice(0, at).some((other) => near(own, other))).length;
}

for (const [engine, name] of Object.entries(engines)) {
  const skip = has(name) ? false : `RECIPES_PYTHONPATH has no ${name}`;
  // Spark takes about a minute for a run, nearly all of it to plan the statements.
  const isSlow = engine === 'spark';
  const run = isSlow ? exhaustive : test;
  run(`the SQL for ${engine} decides as the rule does`, { skip }, () => agrees(engine, { days: isSlow }));
}

exhaustive('the SQL for postgresql decides as the rule does', { skip: !hasCommand('psql') }, async (t) => {
  const server = await postgres();
  t.after(() => server.stop());
  const { hostname, port, username, pathname } = new URL(server.url);
  const variables = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: pathname.slice(1) };
  agrees('postgresql', { variables });
});

exhaustive(
  'the SQL on a family of 3,000 versions decides as the rule and as dedupe do',
  {
    skip: !has('duckdb'),
  },
  async () => {
    // The words replaced in each version, the versions kept, and those of them that resemble an earlier kept one.
    for (const [edits, keptCount, leftCount] of [
      [2, 1, 0],
      [9, 293, 206],
    ]) {
      const documents = makeFamily(edits);
      const own = sketchesOf(documents);
      const read = runnerOf('duckdb')(documents);
      const decisions = read(0, 'decisions');
      assert.deepEqual(decisions, decide(own));
      const kept = [];
      for await (const { status, position } of dedupe(documents)) if (status === 'new') kept.push(position);
      assert.deepEqual(
        decisions.flatMap(({ position, duplicate_of }) => (duplicate_of === null ? position : [])),
        kept,
      );
      const clusters = new Set(read(0, 'clusters').map(({ cluster }) => cluster));
      const sketches = kept.map((at) => own[at].own);
      assert.deepEqual([kept.length, kept.length - firstsOf(sketches), clusters.size], [keptCount, leftCount, 1]);
    }
  },
);

test('the program of the page in Python drops the documents that the rule drops', { skip: !has('duckdb') }, () => {
  const { folder, run } = makeCommandFolder();
  const program = blocks('docs/batch.md').find(({ language }) => language === 'python').code;
  const documents = makeTexts().slice(0, 300);
  cpSync(join(root, 'docs', 'batch.md'), join(folder, 'batch.md'));
  writeFileSync(join(folder, 'pages.jsonl'), jsonLines(documents));
  const sketches = run(['hash', '--sketch', '--jsonl', '--format', 'signed', 'pages.jsonl']).stdout;
  writeFileSync(join(folder, 'sketches.jsonl'), sketches);
  const printed = `${program}\nprint(duckdb.sql("FROM 'decisions.parquet'").fetchall())`;
  const { status, stdout, stderr } = python(['-c', printed], { cwd: folder });
  assert.equal(status, 0, stderr);
  const dropped = decide(documents.map(({ id, text }) => ({ id, own: sketch(text) }))).filter(
    (decision) => decision.duplicate_of !== null,
  );
  assert.equal(stdout.match(/None\)/g).length, documents.length - dropped.length);
  for (const { id, duplicate_of } of dropped) assert.ok(stdout.includes(`'${id}', '${duplicate_of}')`), id);
});

/** The documents that pairs and equality connect, each cluster named by its first document. */
function clustersOf(documents, pairs) {
  const firsts = new Map();
  const parents = documents.map(({ own }, at) => {
    if (own.keys.length === 0) return at;
    const equality = own.keys.at(-1);
    if (!firsts.has(equality)) firsts.set(equality, at);
    return firsts.get(equality);
  });
  const rootOf = (at) => (parents[at] === at ? at : rootOf(parents[at]));
  for (const { a, b, is_near } of pairs) {
    const [x, y] = [rootOf(a), rootOf(b)];
    if (is_near) parents[Math.max(x, y)] = Math.min(x, y);
  }
  return documents.map(({ id }, position) => ({ position, id, cluster: documents[rootOf(position)].id }));
}
