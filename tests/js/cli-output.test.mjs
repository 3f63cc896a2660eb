// The output of dedupe: by decision, by rank, and against references. The oracle is a naive model of the rule.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Deduplicator } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
import {
  decideNaively,
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

/** Returns the documents with what --annotate adds. */
const annotated = (documents, decisions) => documents.map((document, at) => ({ ...document, ...decisions[at] }));

exhaustive('the lines of each selection, the numbers and the exit code', () => {
  const totals = {};
  for (const seed of [1, 2, 3]) {
    const documents = randomDocuments(random(seed), 120, 30, 20);
    const decisions = decideNaively(documents);
    const name = command.write('random.jsonl', jsonLines(documents));
    const summary = summaryOf(decisions);
    for (const name of ['changed', 'unchanged', 'duplicates']) totals[name] = (totals[name] ?? 0) + summary[name];
    const kept = linesOf(documents, (at) => isKept(decisions[at]));
    assert.equal(command.outputOf(`dedupe ${name} --json-summary summary.json --report report.jsonl`), kept);
    assert.deepEqual(JSON.parse(command.read('summary.json')), summary);
    assert.deepEqual(
      parseLines(command.read('report.jsonl')).map(({ distance, ...row }) => row),
      documents.flatMap(({ id }, at) => {
        const { status } = decisions[at];
        if (status === 'unchanged') return [{ id, status }];
        return status === 'duplicate' ? [{ id, ...decisions[at] }] : [];
      }),
    );
    const dropped = linesOf(documents, (at) => !isKept(decisions[at]));
    assert.equal(command.run(['dedupe', '-v', name]).stdout, dropped);
    assert.equal(command.run(['dedupe', '--duplicates', name]).stdout, dropped);
    const all = parseLines(command.run(['dedupe', '--annotate', name]).stdout);
    assert.deepEqual(all, annotated(documents, decisions));
    const some = parseLines(command.run(['dedupe', '-v', '--annotate', name]).stdout);
    assert.deepEqual(
      some,
      annotated(documents, decisions).filter((row) => !isKept(row)),
    );
    const counted = command.run(['dedupe', '-c', '-q', name]);
    const rows = Object.entries(summary).map((row) => `${row.join('\t')}\n`);
    assert.deepEqual([counted.stdout, counted.stderr], [rows.join(''), '']);
    const failing = command.run(['dedupe', '--fail-on-duplicates', name]);
    assert.deepEqual([failing.status, failing.stdout], [1, kept]);
  }
  assert.ok(
    Object.values(totals).every((total) => total > 0),
    JSON.stringify(totals),
  );
  const single = jsonLines([{ id: 1, text: textOf(1) }]);
  assert.equal(command.run(['dedupe', '--fail-on-duplicates'], { input: single }).status, 0);
  assert.equal(command.run(['dedupe', '--fail-on-duplicates'], { input: single + single }).status, 1);
  assert.equal(command.run(['dedupe', '--fail-on-duplicates'], { input: `${single}x\n${single}` }).status, 2);
});

test('--annotate keeps the bytes of an object, and adds to it', () => {
  const text = textOf(1);
  for (const [line, expected] of [
    [`{"text":"${text}"}`, `{"text":"${text}",`],
    [`  { "text" : "${text}" }  `, `  { "text" : "${text}" ,`],
    [
      `{"text":"${text}","a":{"b":1e400,"c":12345678901234567890}}`,
      `{"text":"${text}","a":{"b":1e400,"c":12345678901234567890},`,
    ],
  ]) {
    const { stdout } = command.run(['dedupe', '--annotate'], { input: line });
    const rest = '"status":"new","duplicateOf":null,"resemblance":null}';
    assert.equal(stdout.trimEnd(), expected + rest);
  }
});

test('--annotate replaces fields of its names, and keeps all other bytes', () => {
  const text = textOf(1);
  const [before, after] = [`{ "st\\u0061tus" :`, `, "é\\u00e9": {"status":1e400}, "text":"${text}","resemblance" :`];
  const line = `${before}200${after} [1, {"a":"}"}] }`;
  const { stdout } = command.run(['dedupe', '--annotate'], { input: line });
  assert.equal(stdout, `${before}"new"${after} null ,"duplicateOf":null}\n`);
  const twice = `{"status":1,"status":2,"text":"${text}"}`;
  const { stdout: replaced } = command.run(['dedupe', '--annotate'], { input: twice });
  assert.equal(replaced, `{"status":"new","status":"new","text":"${text}","duplicateOf":null,"resemblance":null}\n`);
});

test('--annotate adds columns to a table', () => {
  const rows = [
    ['id', 'text'],
    ['a,"b"', textOf(1)],
    ['c', `"${textOf(1)}"`],
    ['a,"b"', textOf(2)],
    ['d', textOf(3)],
  ];
  const csv = (fields) => fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',');
  command.write('annotated.csv', rows.map((row) => `${csv(row)}\r\n`).join(''));
  const { stdout } = command.run(['dedupe', '--annotate', 'annotated.csv']);
  const columns = ['status,duplicateOf,resemblance', 'new,,', 'duplicate,"a,""b""",1', 'changed,,0', 'new,,'];
  assert.equal(stdout, rows.map((row, at) => `${csv(row)},${columns[at]}\r\n`).join(''));
  command.write('taken.csv', `id,text,status\na,${textOf(1)},x\n`);
  command.fail('dedupe --annotate taken.csv', /--annotate: taken\.csv has a column "status" already$/m);
});

/** Returns the lines that are written if documents of a higher rank are decided first. No id repeats. */
function keptByRank(documents, rankOf) {
  const order = [...documents.keys()].sort((a, b) => rankOf(documents[b]) - rankOf(documents[a]) || a - b);
  const decisions = decideNaively(order.map((at) => documents[at]));
  const kept = new Set(order.filter((_, at) => isKept(decisions[at])));
  return linesOf(documents, (at) => kept.has(at));
}

exhaustive('--keep, --keep-max and --keep-min', () => {
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
  command.fail(['dedupe', '--keep-max', 'rank', name], '--keep-max rank: no document has this field');
  const ranked = ['high', 1, '01/02/2024'].map((rank, at) => ({ text: textOf(at), rank }));
  const bad = command.run('dedupe --keep-max rank', { input: jsonLines(ranked) });
  assert.equal(bad.stdout, jsonLines([ranked[1]]));
  const rule = '"rank" (--keep-max) must be a number or a date in ISO 8601, got';
  for (const message of [`stdin:1: ${rule} "high"`, `stdin:3: ${rule} "01/02/2024"`]) {
    assert.ok(bad.stderr.split('\n').includes(`nearprint: ${message}`), bad.stderr);
  }
});

test('--keep-max: a time without a zone is UTC, and numbers and dates are not compared', () => {
  // In Berlin, 02:30 does not exist on this day: ECMAScript reads it as 03:30.
  const times = ['2024-03-31 02:30', '2024-03-31T03:00', '2024-03-31T02:45Z', '2024-03-31 03:50:00+0200', '2024-03'];
  const dated = times.map((at, id) => ({ id, text: textOf(1), at }));
  const run = (documents) =>
    command.run('dedupe --keep-max at', { input: jsonLines(documents), env: { ...process.env, TZ: 'Europe/Berlin' } });
  assert.equal(run(dated).stdout, jsonLines([dated[1]]));
  const mixed = run([...dated, { id: 'year', text: textOf(2), at: '2024' }]);
  assert.equal(mixed.stdout, jsonLines([dated[1]]));
  assert.match(
    mixed.stderr,
    /^nearprint: stdin:6: "at" \(--keep-max\) must be a date in ISO 8601, as in stdin:1, got "2024"$/m,
  );
});

test('days with --index: output, decisions and the index agree with the model', () => {
  for (const keep of ['first', 'longest']) {
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
  }
});

exhaustive('--against compares with indexes, and leaves them unchanged', () => {
  const kept = new Map();
  for (const [at, name] of ['one', 'two'].entries()) {
    // Ids of their own, so that the order of merging does not matter.
    const documents = randomDocuments(random(at), 40, 30, 20).map(({ id, text }) => ({ id: `${name} ${id}`, text }));
    const own = new Map();
    decideNaively(documents, own);
    command.run(['dedupe', '--index', `${name}.idx`], { input: jsonLines(documents) });
    for (const [id, sketch] of own) kept.set(id, sketch);
  }
  const indexes = () =>
    ['one.idx', 'two.idx'].map((name) => [command.readBytes(name), statSync(command.path(name)).mtimeMs]);
  const before = indexes();
  const documents = randomDocuments(random(9), 300, 40, 20).map(({ id, text }, at) => ({
    id: `${['one', 'two', 'three'][at % 3]} ${id}`,
    text,
  }));
  const name = command.write('against.jsonl', jsonLines(documents));
  const against = ['dedupe', '-a', 'one.idx', '--against', 'two.idx', name];
  const rowsOf = (args) => {
    return parseLines(command.outputOf(args));
  };
  const model = new Map(kept);
  const decisions = decideNaively(documents, model);
  assert.ok(new Set(decisions.map(({ status }) => status)).size === 4);
  assert.deepEqual(rowsOf([...against, '--annotate']), annotated(documents, decisions));
  assert.deepEqual(
    rowsOf(against),
    documents.filter((_, at) => isKept(decisions[at])),
  );
  // Only with the indexes: documents do not become known.
  const only = decideNaively(documents, new Map(kept), { isFixed: true });
  assert.deepEqual(rowsOf([...against, '--annotate', '--against-only']), annotated(documents, only));
  // Together with an index that receives what is written.
  assert.deepEqual(rowsOf([...against, '--annotate', '--index', 'new.idx']), annotated(documents, decisions));
  const added = indexOf('new.idx');
  const ids = documents.filter((_, at) => isKept(decisions[at])).map(({ id }) => id);
  assert.deepEqual([...added].map(({ id }) => id).sort(), [...new Set(ids)].sort());
  for (const id of ids) assert.ok(added.get(id).equals(model.get(id)));
  assert.deepEqual(indexes(), before);
  command.fail(`dedupe --against none.idx ${name}`, 'none.idx: no such file or directory');
});

test('--against with ids in common: the version of the last index counts', () => {
  const versions = new Map();
  for (const [at, name] of ['first', 'second'].entries()) {
    const documents = randomDocuments(random(20 + at), 60, 30, 25);
    versions.set(name, new Map());
    decideNaively(documents, versions.get(name));
    command.run(['dedupe', '--index', `${name}.idx`], { input: jsonLines(documents) });
  }
  const [first, second] = versions.values();
  const common = [...first.keys()].filter((id) => second.has(id) && !second.get(id).equals(first.get(id)));
  assert.ok(common.length > 5 && common.length < first.size, `${common.length} of ${first.size}`);
  const documents = randomDocuments(random(30), 300, 30, 40);
  const name = command.write('common.jsonl', jsonLines(documents));
  const orders = [
    ['first', 'second'],
    ['second', 'first'],
  ];
  const outputs = orders.map((names) => {
    const kept = new Map();
    for (const [id, sketch] of names.flatMap((each) => [...versions.get(each)])) {
      kept.delete(id);
      kept.set(id, sketch);
    }
    const args = ['dedupe', ...names.flatMap((each) => ['--against', `${each}.idx`]), name, '--annotate'];
    for (const [options, isFixed] of [
      [[], false],
      [['--against-only'], true],
    ]) {
      const decisions = decideNaively(documents, new Map(kept), { isFixed });
      const { stdout } = command.run([...args, ...options]);
      assert.deepEqual(parseLines(stdout), annotated(documents, decisions));
    }
    return command.run(args).stdout;
  });
  assert.notEqual(outputs[0], outputs[1]);
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
