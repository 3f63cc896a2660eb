// The option --store of the command line. The oracle is the option --index.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { Deduplicator, sketch } from 'nearprint';
import { sqliteStore } from 'nearprint/store/sqlite';
import {
  bin,
  decideNaively,
  isKept,
  jsonLines,
  makeCommandFolder,
  onClock,
  parseLines,
  randomDocuments,
  textOf,
  withFault,
} from '../js/command.mjs';
import { random } from '../js/random.mjs';
import { collect, valuesOf } from '../js/values.mjs';
import { servers } from './table.mjs';

const command = makeCommandFolder();
// The command finds the drivers in the project of the current folder.
symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), command.path('node_modules'), 'junction');

const idsOf = (index) => [...Deduplicator.fromBytes(command.readBytes(index))].map(({ id }) => String(id)).sort();

/** Returns the ids in the file of a store. */
async function idsIn(file) {
  const database = new Database(command.path(file));
  const ids = valuesOf(await collect(sqliteStore(database).entries()), 'id');
  database.close();
  return ids.sort();
}

/** Runs with --index and with --store, and returns the results of both. */
const bothOf = (name, args, documents) =>
  [
    ['--index', `${name}.idx`],
    ['--store', `sqlite:${name}.db`],
  ].map((target) => {
    const all = ['dedupe', ...args, ...target, '--annotate', '--json-summary', 'summary'];
    const stdout = command.outputOf(all, { input: jsonLines(documents) });
    // A store has strings: a number of an earlier run is printed as one.
    const rows = parseLines(stdout).map(({ duplicateOf, ...row }) => ({
      ...row,
      duplicateOf: duplicateOf === null ? null : String(duplicateOf),
    }));
    return { rows, summary: JSON.parse(command.read('summary')) };
  });

/**
 * Returns a function that returns the documents of the next day: pages that change, and copies of them. A version that is
 * replaced in a run has no copies later in the run: until the lines are written, a store keeps it.
 */
function pages(below) {
  const versions = new Map();
  let copies = 0;
  const next = () => {
    const page = below(15);
    const id = page % 3 === 0 ? page : `page ${page}`;
    const action = below(4);
    const text = versions.get(id);
    if (text === undefined || action === 0) versions.set(id, textOf(1000 * below(1000) + below(1000)));
    else if (action === 1) versions.set(id, text.replace(/w1\b.*? /, `w1x${below(9)} `));
    else if (action === 2) return { id: `copy ${copies++}`, text };
    return { id, text: versions.get(id) };
  };
  return (count) => [...Array.from({ length: count }, next), { text: textOf(500 + below(2)) }];
}

test('--store has the meaning of --index, with ids that repeat in a run', () => {
  const nextDay = pages(random(11));
  const found = new Set();
  for (const day of [1, 2, 3, 4, 5]) {
    const [byIndex, byStore] = bothOf('first', ['--expire', '30d'], nextDay(80));
    assert.deepEqual(byStore, byIndex, `day ${day}`);
    for (const { status } of byIndex.rows) found.add(status);
  }
  assert.equal(found.size, 4);
});

test('--store has the meaning of --index, with --keep longest', () => {
  for (const day of [1, 2, 3]) {
    const documents = randomDocuments(random(day), 80, 20 * day).map(({ text }, at) => ({ id: 100 * day + at, text }));
    const [byIndex, byStore] = bothOf('longest', ['--keep', 'longest'], documents);
    assert.deepEqual(byStore, byIndex, `day ${day}`);
  }
});

test('--store has the meaning of --index, with --against', async () => {
  const found = {};
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const isRanked = seed % 2 === 0;
    const below = random(seed);
    const nextDay = pages(below);
    // With a rank, the documents of a day are decided in another order: each id once, and copies of the last version.
    const documentsOf = (count) => {
      const documents = nextDay(count);
      if (!isRanked) return documents;
      const last = new Map(documents.map((document) => [document.id, document]));
      const texts = new Set([...last].flatMap(([id, { text }]) => (/^copy/.test(id) ? [] : text)));
      return [...last.values()].filter(({ text }) => texts.has(text));
    };
    const known = documentsOf(40);
    const base = `base-${seed}.idx`;
    assert.equal(command.run(['dedupe', '--index', base], { input: jsonLines(known) }).status, 0);
    const before = command.readBytes(base);
    for (const day of [1, 2, 3]) {
      const earlier = documentsOf(60);
      // Pages of the index whose versions are current again, and copies of these.
      const again = isRanked
        ? []
        : known.filter(() => below(4) === 0).map(({ text }, at) => ({ id: `day ${day} ${at}`, text }));
      const args = ['--against', base, '--expire', '30d', ...(isRanked ? ['--keep', 'longest'] : [])];
      const [byIndex, byStore] = bothOf(`against-${seed}`, args, [...earlier, ...again]);
      assert.deepEqual(byStore, byIndex, `seed ${seed}, day ${day}`);
      for (const { status } of byIndex.rows) found[status] = (found[status] ?? 0) + 1;
    }
    assert.deepEqual(await idsIn(`against-${seed}.db`), idsOf(`against-${seed}.idx`));
    assert.deepEqual(command.readBytes(base), before);
  }
  for (const status of ['new', 'unchanged', 'changed', 'duplicate'])
    assert.ok(found[status] > 20, JSON.stringify(found));
});

test('--store with --against writes the page that a killed run has decided on', async () => {
  const [known, changed] = [
    { id: 'page', text: textOf(1) },
    { id: 'page', text: textOf(1, [3]) },
  ];
  assert.equal(command.run(['dedupe', '--index', 'killed.idx'], { input: jsonLines([known]) }).status, 0);
  const database = new Database(command.path('killed.db'));
  await sqliteStore(database).observe([changed], { lease: 3600 });
  database.close();
  const run = (documents) => {
    const args = ['dedupe', '--against', 'killed.idx', '--store', 'sqlite:killed.db'];
    return command.run(args, { input: jsonLines(documents) }).stdout;
  };
  // The version of the reference still counts.
  assert.equal(run([changed, known]), jsonLines([changed]));
  assert.equal(run([known]), '');
  assert.equal(run([changed]), '');
});

test('a version of another process stays if a lease ends before its line is written', async () => {
  const textsOf = (changed) => Array.from({ length: 400 }, (_, at) => ({ id: `p${at}`, text: textOf(at, changed) }));
  const [old, ours, theirs] = [[1], [2], [30, 60, 90, 120, 150]].map(textsOf);
  command.write('lease.jsonl', jsonLines(ours));
  const database = new Database(command.path('lease.db'));
  const store = sqliteStore(database);
  await store.add([old[393], old[394]]);
  // All documents are decided, and the pipe is full before the last lines, until a file exists.
  const line = `'${process.execPath}' '${bin}' dedupe --keep longest --store sqlite:lease.db lease.jsonl | (until [ -e go ]; do sleep .05; done; cat) > lease.out`;
  const child = spawn('bash', ['-o', 'pipefail', '-c', line], { cwd: command.folder });
  const ended = once(child, 'close');
  for (let tries = 0; (await store.get('p399')) === undefined; tries++) {
    assert.ok(tries < 600, 'the documents are not decided');
    await setTimeout(100);
  }
  // The state after a lease has ended.
  await store.release(ours.slice(391, 395).map(({ id, text }) => ({ id, sketch: sketch(text) })));
  await store.add([theirs[392], theirs[394]]);
  command.write('go', '');
  assert.deepEqual(await ended, [0, null]);
  assert.equal(command.read('lease.out'), jsonLines(ours));
  const expected = [ours[390], ours[391], theirs[392], ours[393], theirs[394], ours[395]];
  for (const { id, text } of expected) assert.ok((await store.get(id)).equals(sketch(text)), id);
  database.close();
});

test('a pipe, a file, an index and a store decide alike', () => {
  // Different ids, and few documents of one family, so that no key is full.
  const below = random(11);
  const documents = Array.from({ length: 400 }, (_, id) => {
    const changed = Array.from({ length: below(25) }, () => below(200));
    return { id: `page ${id}`, text: textOf(below(60), changed) };
  });
  const input = jsonLines(documents);
  const name = command.write('alike.jsonl', input);
  const rowsOf = (args, options) => {
    const rows = parseLines(command.outputOf(['dedupe', '--quiet', '--annotate', ...args], options));
    return valuesOf(rows, 'id', 'status', 'duplicateOf', 'resemblance');
  };
  const byFile = rowsOf([name]);
  const statuses = byFile.map(([, status]) => status);
  assert.ok(Math.min(...['new', 'duplicate'].map((each) => statuses.filter((one) => one === each).length)) > 50);
  assert.deepEqual(rowsOf([], { input }), byFile, 'a pipe');
  assert.deepEqual(rowsOf(['--index', 'alike.idx', name]), byFile, 'an index');
  assert.deepEqual(rowsOf(['--store', 'sqlite:alike.db', name]), byFile, 'a store');
  const kept = jsonLines(documents.filter((_, at) => statuses[at] === 'new'));
  for (const args of [[], ['--index', 'again.idx'], ['--store', 'sqlite:again.db']])
    assert.equal(command.outputOf(['dedupe', '--quiet', ...args, name]), kept, args.join(' '));
});

test('--store: a document whose line is not written is not in the store', {
  skip: process.platform === 'win32',
}, () => {
  const documents = randomDocuments(random(4), 50, 50, 50).map(({ text }, id) => ({ id, text }));
  const name = command.write('unwritten.jsonl', jsonLines(documents));
  const decisions = decideNaively(documents);
  const expected = jsonLines(documents.filter((_, at) => isKept(decisions[at])));
  const failed = command.run(['dedupe', '--store', 'sqlite:unwritten.db', name], {
    env: { ...process.env, ...withFault({ failFd: 1 }) },
  });
  assert.equal(failed.status, 2);
  assert.match(failed.stderr, /standard output: i\/o error; 0 lines written$/m);
  assert.equal(command.run(['dedupe', '--store', 'sqlite:unwritten.db', name]).stdout, expected);
  assert.equal(command.run(['dedupe', '--store', 'sqlite:unwritten.db', name]).stdout, '');
});

test('--store: of several versions of a document, the last one that is written is kept', {
  skip: process.platform === 'win32',
}, () => {
  const versions = [1, 2, 3].map((seed) => ({ id: 'page', text: textOf(seed) }));
  const name = command.write('versions.jsonl', jsonLines(versions));
  const lines = versions.map((version) => jsonLines([version]));
  const output = openSync(command.path('cut.jsonl'), 'w');
  const disk = lines[0].length + lines[1].length + 10;
  const failed = command.run(['dedupe', '--store', 'sqlite:versions.db', name], {
    env: { ...process.env, ...withFault({ disk }) },
    stdio: ['pipe', output, 'pipe'],
  });
  closeSync(output);
  assert.match(failed.stderr, /no space left on device; 2 lines written$/m);
  assert.equal(command.read('cut.jsonl'), lines[0] + lines[1]);
  const run = (input) => command.run(['dedupe', '--store', 'sqlite:versions.db'], { input }).stdout;
  assert.equal(run(lines[1]), '');
  assert.equal(run(lines[2]), lines[2]);
});

test('--store: SQLite waits for the disk at the end of a call', () => {
  const probe = command.write(
    'probe.mjs',
    `import { writeFileSync } from 'node:fs';
    const builtIn = process.getBuiltinModule?.('node:sqlite');
    const Database = builtIn?.DatabaseSync ?? (await import('better-sqlite3')).default;
    const { close } = Database.prototype;
    Database.prototype.close = function () {
      const state = ['journal_mode', 'synchronous'].map((name) => this.prepare('PRAGMA ' + name).get()[name]);
      writeFileSync('state', state.join(' '));
      return close.call(this);
    };`,
  );
  command.outputOf('dedupe --store sqlite:full.db', {
    input: jsonLines([{ id: 'a', text: textOf(1) }]),
    env: { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(command.path(probe))}` },
  });
  // 2 is FULL.
  assert.equal(command.read('state'), 'wal 2');
});

test('--store: ids are printed as the input has them, or as strings', () => {
  const reported = (documents) => {
    command.outputOf('dedupe --store sqlite:typed.db --report typed', { input: jsonLines(documents) });
    return parseLines(command.read('typed')).map(({ status, duplicateOf }) => duplicateOf ?? status);
  };
  const [one, two] = [textOf(1), textOf(2)];
  const copies = [
    { id: 'copy', text: one },
    { id: 'other', text: two },
  ];
  assert.deepEqual(reported([{ id: 7, text: one }, { id: '8', text: two }, ...copies]), [7, '8']);
  // Other runs know the strings alone, unless they read the documents again.
  assert.deepEqual(reported(copies), ['7', '8']);
  assert.deepEqual(reported([{ id: 7, text: one }, ...copies]), ['unchanged', 7, '8']);
  assert.deepEqual(reported([{ id: 8, text: two }, ...copies]), ['unchanged', '7', 8]);
});

test('--store with a key needs it in every run', () => {
  command.write('key', Buffer.alloc(16, 7));
  command.write('other', Buffer.alloc(16, 8));
  const input = jsonLines([{ id: 'page', text: textOf(1) }]);
  const args = ['dedupe', '--store', 'sqlite:keyed.db'];
  assert.equal(command.outputOf([...args, '--key-file', 'key'], { input }), input);
  assert.equal(command.outputOf([...args, '--key-file', 'key'], { input }), '');
  for (const more of [[], ['--key-file', 'other']]) command.fail([...args, ...more], /the scheme s1:key/, { input });
});

test('--store at a server has the meaning of --index, and the ids of the input', async () => {
  const urls = [await servers.postgres(), await servers.redis()].flatMap((server) => server?.url ?? []);
  const nextDay = pages(random(12));
  const days = [1, 2, 3].map(() => nextDay(60));
  days.push(days[2].map(({ text }, at) => ({ id: `other ${at}`, text })));
  const rowsOf = (day, ...target) => {
    const stdout = command.outputOf(['dedupe', ...target, '--annotate'], { input: jsonLines(day) });
    // The estimates of an index and of a store are of different kinds.
    return parseLines(stdout).map(({ id, status, duplicateOf }) => [id, status, String(duplicateOf)]);
  };
  const expected = days.map((day) => rowsOf(day, '--index', 'server.idx'));
  for (const url of urls) {
    for (const [at, day] of days.entries()) assert.deepEqual(rowsOf(day, '--store', url), expected[at], url);
  }
});

test('--store writes a document again after it has expired', () => {
  const input = jsonLines([{ id: 'page', text: textOf(1) }]);
  const run = (days) => {
    const args = ['dedupe', '--store', 'sqlite:expiring.db', '--expire', '30d'];
    return command.run(args, { input, env: onClock(86_400 * days) }).stdout;
  };
  assert.deepEqual([run(0), run(29), run(58), run(89)], [input, '', '', input]);
});

test('--store names a driver that is missing', () => {
  const input = jsonLines([{ id: 'page', text: textOf(1) }]);
  const alone = makeCommandFolder();
  alone.fail('dedupe --store postgres://localhost/none', /npm install pg/, { input });
  alone.fail('dedupe --store redis://localhost', /npm install redis/, { input });
});

test('no message of --store has the password', () => {
  for (const [url, described] of [
    ['postgres://user:secret@127.0.0.1:1/db', 'postgres://127.0.0.1:1/db'],
    ['postgres://127.0.0.1:1/db?password=secret', 'postgres://127.0.0.1:1/db'],
    ['postgres://user:se/cret@127.0.0.1:1/db', 'postgres:'],
    ['postgres://user:sec:ret@127.0.0.1:1/db', 'postgres://127.0.0.1:1/db'],
    ['redis://:sec@ret@127.0.0.1:1/0', 'redis://127.0.0.1:1/0'],
    ['mysql://user:secret@host/db', 'mysql://host/db'],
    ['user:secret@host', 'user:'],
  ]) {
    const stderr = command.fail(['dedupe', '--store', url], /^nearprint: --store /);
    assert.doesNotMatch(stderr, /sec|ret@/);
    if (!stderr.includes('needs another package')) assert.ok(stderr.includes(described), stderr);
  }
});

test('--report and standard output do not overwrite the files of --store', () => {
  const input = jsonLines([{ id: 1, text: textOf(1) }]);
  assert.equal(command.run(['dedupe', '--store', 'sqlite:seen.db'], { input }).status, 0);
  const before = command.readBytes('seen.db');
  for (const file of ['seen.db', './seen.db', 'seen.db-wal', 'seen.db-shm']) {
    const overwrites = /^nearprint: --report \S+ would overwrite seen\.db/;
    command.fail(`dedupe --store sqlite:seen.db --report ${file}`, overwrites, { input });
  }
  assert.deepEqual(command.readBytes('seen.db'), before);
});
