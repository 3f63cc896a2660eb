// The output of dedupe: by decision, by rank, and against references. The oracle is a naive model of the rule.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Deduplicator } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
import {
  decideNaively,
  decideRun,
  isKept,
  jsonLines,
  makeCommandFolder,
  onClock,
  parseLines,
  randomDocuments,
  summaryOf,
  textOf,
} from './command.mjs';
import { random } from './random.mjs';

const command = makeCommandFolder();

const linesOf = (documents, isWritten) => jsonLines(documents.filter((_, at) => isWritten(at)));
const indexOf = (name) => Deduplicator.fromBytes(command.readBytes(name));

/** Returns the documents with what --annotate adds if ids identify documents, or none repeats. */
const annotated = (documents, decisions) =>
  documents.map((document, position) => {
    const { at, ...decision } = decisions[position];
    return { ...document, ...decision };
  });

/** Returns the places that are added to each document of a run, from the first one on whose id occurs a second time. */
function placesOf(documents, decisions, name) {
  const firstRepeated = documents.findIndex(({ id }, at) => documents.findIndex((other) => other.id === id) < at);
  return decisions.map(({ at }, position) => {
    if (firstRepeated < 0 || position < firstRepeated) return {};
    return { place: `${name}:${position + 1}`, duplicateOfPlace: at === undefined ? null : `${name}:${at + 1}` };
  });
}

/** Returns the documents with what --annotate adds in one run. */
function annotatedRun(documents, decisions, name) {
  const places = placesOf(documents, decisions, name);
  return annotated(documents, decisions).map((row, at) => ({ ...row, ...places[at] }));
}

exhaustive('each selection writes the lines that the model decides, and the summary has its numbers', () => {
  const totals = {};
  for (const seed of [1, 2, 3]) {
    const documents = randomDocuments(random(seed), 120, 30, 20);
    const decisions = decideRun(documents);
    const name = command.write('random.jsonl', jsonLines(documents));
    const ids = documents.map(({ id }) => id);
    const repeatedIds = new Set(ids.filter((id, at) => ids.indexOf(id) < at)).size;
    const summary = summaryOf(decisions, { repeatedIds });
    for (const name of ['new', 'duplicates', 'repeatedIds']) totals[name] = (totals[name] ?? 0) + summary[name];
    const kept = linesOf(documents, (at) => isKept(decisions[at]));
    assert.equal(command.outputOf(`dedupe ${name} --json-summary summary.json --report report.jsonl`), kept);
    assert.deepEqual(JSON.parse(command.read('summary.json')), summary);
    assert.deepEqual(
      parseLines(command.read('report.jsonl')),
      documents.flatMap(({ id }, position) => {
        const { at, ...decision } = decisions[position];
        return isKept(decision) ? [] : [{ id, ...decision, ...placesOf(documents, decisions, name)[position] }];
      }),
    );
    const dropped = linesOf(documents, (at) => !isKept(decisions[at]));
    assert.equal(command.run(['dedupe', '-v', name]).stdout, dropped);
    assert.equal(command.run(['dedupe', '--duplicates', name]).stdout, dropped);
    const all = parseLines(command.run(['dedupe', '--annotate', name]).stdout);
    assert.deepEqual(all, annotatedRun(documents, decisions, name));
    const some = parseLines(command.run(['dedupe', '-v', '--annotate', name]).stdout);
    assert.deepEqual(
      some,
      annotatedRun(documents, decisions, name).filter((row) => !isKept(row)),
    );
    const warning = `nearprint: ${repeatedIds} ids occur more than once: use the place, not the id\n`;
    assert.ok(command.run(['dedupe', name]).stderr.endsWith(warning));
    const failing = command.run(['dedupe', '--fail-on-duplicates', name]);
    assert.deepEqual([failing.status, failing.stdout], [1, kept]);
  }
  assert.ok(
    Object.values(totals).every((total) => total > 0),
    JSON.stringify(totals),
  );
});

/** Returns the lines that are written if documents of a higher rank are decided first. No id repeats. */
function keptByRank(documents, rankOf) {
  const order = [...documents.keys()].sort((a, b) => rankOf(documents[b]) - rankOf(documents[a]) || a - b);
  const decisions = decideRun(order.map((at) => documents[at]));
  const kept = new Set(order.filter((_, at) => isKept(decisions[at])));
  return linesOf(documents, (at) => kept.has(at));
}

exhaustive('--keep, --keep-max and --keep-min decide documents of a higher rank first', () => {
  const below = random(7);
  const documents = randomDocuments(below, 100).map(({ text }, id) => ({
    id,
    text: text + ' x'.repeat(below(3)),
    score: below(20) / 4 - 2,
    nested: { score: String(below(9)) },
    date: `20${10 + below(10)}-0${1 + below(9)}-1${below(10)}`,
    time: `2024-01-01 ${10 + below(10)}:00:00${below(2) ? '+02:00' : 'Z'}`,
    ...(below(4) === 0 ? {} : { sparse: below(1000) }),
  }));
  const name = command.write('ranked.jsonl', jsonLines(documents));
  for (const [args, rankOf] of [
    [['--keep', 'first'], () => 0],
    [['-k', 'longest'], ({ text }) => text.length],
    [['--keep-max', 'score'], ({ score }) => score],
    [['--keep-min', 'score'], ({ score }) => -score],
    [['--keep-max', 'nested.score'], ({ nested }) => Number(nested.score)],
    [['--keep-max', 'date'], ({ date }) => Number(date.replaceAll('-', ''))],
    [['--keep-min', 'date'], ({ date }) => -Number(date.replaceAll('-', ''))],
    [['--keep-max', 'time'], ({ time }) => Number(time.slice(11, 13)) - (time.endsWith('Z') ? 0 : 2)],
    [['--keep-min', 'sparse'], ({ sparse = 1e9 }) => -sparse],
  ]) {
    assert.equal(command.outputOf(['dedupe', ...args, name]), keptByRank(documents, rankOf), args.join(' '));
  }
  const rows = documents.map(({ id, text, date }) => `${id},${text},${date}\n`);
  const table = command.write('ranked.csv', `id,text,date\n${rows.join('')}`);
  const latest = parseLines(keptByRank(documents, ({ date }) => Number(date.replaceAll('-', ''))));
  const written = command.run(['dedupe', '--keep-max', 'date', table]).stdout;
  assert.equal(written, `id,text,date\n${latest.map(({ id }) => rows[id]).join('')}`);
});

for (const keep of ['first', 'longest']) {
  const run = keep === 'first' ? test : exhaustive;
  run(`days with --index and --keep ${keep}: output, decisions and the index agree with the model`, () => {
    const kept = new Map();
    const index = `days-${keep}.idx`;
    for (const day of [1, 2, 3, 4]) {
      const documents = randomDocuments(random(10 * day), 60, 8 * day, 20);
      const order = [...documents.keys()];
      if (keep === 'longest') order.sort((a, b) => documents[b].text.length - documents[a].text.length || a - b);
      const decisions = [];
      const decided = decideNaively(
        order.map((at) => documents[at]),
        kept,
      );
      for (const [at, number] of order.entries()) decisions[number] = decided[at];
      const name = command.write('day.jsonl', jsonLines(documents));
      const args = ['dedupe', '--keep', keep, '--index', index, '--annotate', name];
      assert.deepEqual(parseLines(command.outputOf(args)), annotated(documents, decisions), `day ${day}`);
      const saved = indexOf(index);
      assert.equal(saved.size, kept.size);
      for (const [id, sketch] of kept) assert.ok(saved.get(id).equals(sketch), id);
    }
  });
}

exhaustive('--against asks indexes and the earlier documents of the run, and leaves the indexes unchanged', () => {
  const references = ['one', 'two'].map((name, at) => {
    const kept = new Map();
    const documents = randomDocuments(random(at), 40, 30, 20);
    decideNaively(documents, kept);
    command.run(['dedupe', '--index', `${name}.idx`], { input: jsonLines(documents) });
    return kept;
  });
  const indexes = () =>
    ['one.idx', 'two.idx'].map((name) => [command.readBytes(name), statSync(command.path(name)).mtimeMs]);
  const before = indexes();
  const documents = randomDocuments(random(9), 300, 40, 30);
  const name = command.write('against.jsonl', jsonLines(documents));
  const against = ['dedupe', '-a', 'one.idx', '--against', 'two.idx', name];
  const rowsOf = (args) => parseLines(command.outputOf(args));
  const decisions = decideRun(documents, { references });
  assert.equal(new Set(decisions.map(({ status }) => status)).size, 4);
  assert.deepEqual(rowsOf([...against, '--annotate']), annotatedRun(documents, decisions, name));
  assert.deepEqual(
    rowsOf(against),
    documents.filter((_, at) => isKept(decisions[at])),
  );
  // Only with the indexes: documents do not become known.
  const only = decideRun(documents, { references, isFixed: true });
  assert.deepEqual(rowsOf([...against, '--annotate', '--against-only']), annotatedRun(documents, only, name));
  // Together with an index that receives what is written, in which ids identify documents.
  const kept = new Map();
  const lasting = decideNaively(documents, kept, { references });
  assert.notDeepEqual(lasting, decisions);
  assert.deepEqual(rowsOf([...against, '--annotate', '--index', 'new.idx']), annotated(documents, lasting));
  const added = indexOf('new.idx');
  assert.deepEqual([...added].map(({ id }) => id).sort(), [...kept.keys()].sort());
  for (const [id, sketch] of kept) assert.ok(added.get(id).equals(sketch));
  assert.deepEqual(indexes(), before);
  command.fail(`dedupe --against none.idx ${name}`, 'none.idx: no such file or directory');
});

test('--against a file whose ids repeat: each of its documents is compared', () => {
  // More documents of one id than count as its versions.
  const texts = Array.from({ length: 20 }, (_, at) => textOf(at));
  command.write('thread.jsonl', jsonLines(texts.map((text) => ({ id: 'thread', text }))));
  const copies = texts.map((text, at) => ({ id: `copy ${at}`, text: `${text} more` }));
  const edit = { id: 'thread', text: textOf(3, [7, 9]) };
  const fresh = { id: 'fresh', text: textOf(99) };
  command.write('copies.jsonl', jsonLines([...copies, edit, { id: 'thread', text: texts[5] }, fresh]));
  const args = 'dedupe --against thread.jsonl --against-only --annotate copies.jsonl';
  const rows = parseLines(command.outputOf(args));
  assert.deepEqual(
    rows.map(({ status }) => status),
    [...copies.map(() => 'duplicate'), 'changed', 'unchanged', 'new'],
  );
  assert.ok(rows[20].resemblance > 0.9, 'it is compared with the most similar version');
});

exhaustive('--expire: documents are forgotten, and an unchanged one is kept longer', () => {
  const [a, b] = [1, 2].map((at) => ({ id: `page ${at}`, text: textOf(at) }));
  /**
   * Runs on a clock that is ahead. Returns the output, and a function that returns whether a document expires this many
   * seconds after the run.
   */
  const run = (documents, expire, { ahead = 0, index = 'expiring.idx' } = {}) => {
    const args = ['dedupe', '--index', index, ...(expire ? ['--expire', expire] : [])];
    const seconds = () => Date.now() / 1000 + ahead;
    const start = seconds();
    const { status, stdout, stderr } = command.run(args, { input: jsonLines(documents), env: onClock(ahead) });
    const end = seconds();
    assert.equal(status, 0, stderr);
    const isAfter = (id, time) => {
      const expires = indexOf(index).expires(id);
      return expires > start + time - 0.01 && expires < end + time + 0.01;
    };
    return { stdout, isAfter };
  };
  const day = 86_400;
  assert.equal(run([a, b], '1.5h').stdout, jsonLines([a, b]));
  const renewed = run([a], '30d');
  assert.equal(renewed.stdout, '');
  assert.ok(renewed.isAfter('page 1', 30 * day));
  assert.equal(run([a, b], undefined, { ahead: 3500 }).stdout, '');
  const late = { ahead: 5500 };
  const again = run([a, b], '2w', late);
  assert.equal(again.stdout, jsonLines([b]));
  assert.ok(again.isAfter('page 2', 14 * day));
  assert.equal(run([b], undefined, late).stdout, '');
  for (const unit of ['90.0s', '1.5m', '0.025h']) {
    assert.ok(run([a], unit, { index: `${unit}.idx` }).isAfter('page 1', 90), unit);
  }
});
