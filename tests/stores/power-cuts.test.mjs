// Power cuts: what a database wrote after its last fsync is lost, or partly there.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { memoryStore } from 'nearprint/store/memory';
import { Disk, survivors } from '../js/disk.mjs';
import { random } from '../js/random.mjs';
import { valuesOf } from '../js/values.mjs';
import { open } from './clients.mjs';
import { families } from './documents.mjs';
import { postgres, redis, temporary } from './engines.mjs';
import { runtimes } from './runtimes.mjs';
import { calls, keptBy, makeCalls } from './sequential.mjs';
import { Trace, withoutStrace } from './traces.mjs';

/** The settings of the client of SQLite. Its calls are in families. */
const settings = { seed: 11, families: 4, from: 0, parts: 1 };

/** A power cut follows one in this number of system calls of SQLite. */
const EVERY = Math.ceil(8 / Number(process.env.STORE_KILLS ?? 4));

const { none, all, first, some } = survivors;

/** Returns what may survive of the writes and of the names of files. */
function modesOf(next) {
  const share = () => next(1000) / 1000;
  return [
    { data: none, names: none },
    { data: all, names: all },
    { data: none, names: all },
    { data: all, names: none },
    { data: first(share), names: first(share) },
    { data: some(share), names: all },
  ];
}

/**
 * Returns what is kept at first, and after each document of some calls, as `states`. For each number of calls, `ends` has the state
 * after them, and `changes` how many of them changed what is kept.
 */
async function statesOf(calls) {
  const store = memoryStore();
  const states = [await keptBy(store)];
  const [ends, changes] = [[0], [0]];
  for (const { documents, ...call } of calls) {
    const before = states.at(-1);
    for (const document of documents) {
      await makeCalls(store, [{ ...call, documents: [document] }], settings, () => {});
      states.push(await keptBy(store));
    }
    ends.push(states.length - 1);
    changes.push(changes.at(-1) + (isSame(before, states.at(-1)) ? 0 : 1));
  }
  return { states, ends, changes };
}

/** Returns whether stores have the same documents in the same order. */
const isSame = (kept, other) => isDeepStrictEqual([...kept], [...other]);

/** Returns what a store of SQLite has after a power cut. Checks that it is whole. */
async function keptAfter(contents) {
  const folder = temporary();
  for (const [name, content] of contents) writeFileSync(join(folder, name), content);
  const { client, store, close } = await open(`better-sqlite3:${join(folder, 'seen.db')}`);
  client.pragma('synchronous = OFF');
  assert.deepEqual(client.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
  const kept = await keptBy(store);
  assert.equal(await store.count(), kept.size);
  assert.equal(await store.delete(kept.keys()), kept.size);
  assert.equal(client.prepare('SELECT count(*) AS count FROM nearprint_keys').get().count, 0);
  await close();
  rmSync(folder, { recursive: true });
  return kept;
}

/** The most calls that a power cut may lose, of those that have changed something and returned. */
const [NONE, LAST, ANY] = [0, 1, Infinity];

const here = {
  skip: false,
  commandOf: (script, ...args) => [process.execPath, fileURLToPath(new URL(script, import.meta.url)), ...args],
};

for (const [driver, pragmas, most] of [
  ['better-sqlite3', 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL', NONE],
  ['node-sqlite', 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL', NONE],
  ['bun-sqlite', 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL', NONE],
  ['better-sqlite3', 'PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA', NONE],
  // Without a loss, the test would prove nothing.
  ['better-sqlite3', 'PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL', LAST],
  ['better-sqlite3', 'PRAGMA journal_mode = WAL', ANY],
]) {
  const { skip, commandOf } = runtimes.find((runtime) => runtime.driver === driver) ?? here;
  const what = { [NONE]: 'no call', [LAST]: 'the last call', [ANY]: 'some of the last calls' }[most];
  test(`${driver}, ${pragmas}: a power cut loses ${what}`, { skip: withoutStrace || skip }, async (context) => {
    const folder = temporary();
    const url = `${driver}:${join(folder, 'seen.db')}`;
    // The log is often copied to the database.
    const all = `${pragmas}; PRAGMA wal_autocheckpoint = 20`;
    const disk = new Disk();
    const trace = new Trace(folder, disk);
    trace.run(commandOf('client.mjs', JSON.stringify({ ...settings, url, pragmas: all })), 'go\n');
    const { states, ends, changes } = await statesOf(calls(settings.seed, settings.families));
    const next = random(EVERY);
    const modes = modesOf(next);
    const lost = [];
    let returned = 0;
    for (const printed of trace.repeat()) {
      if (printed?.includes('"end"')) returned++;
      if (next(EVERY) > 0) continue;
      const kept = await keptAfter(disk.contentsAfter(modes[next(modes.length)]));
      // The call that has not returned may have kept some of its documents.
      const upto = ends[Math.min(returned + 1, ends.length - 1)];
      const found = states.findLastIndex((state, at) => at <= upto && isSame(state, kept));
      assert.notEqual(found, -1, `${[...kept.keys()]}`);
      const done = ends.findLastIndex((end) => end <= found);
      lost.push(Math.max(0, changes[returned] - changes[done]));
    }
    assert.equal(returned, ends.length - 1);
    context.diagnostic(`${lost.length} power cuts, at most ${Math.max(...lost)} calls lost`);
    assert.ok(lost.length > 50);
    assert.ok(Math.max(...lost) <= most);
    assert.ok(Math.max(...lost) >= Math.min(most, 2));
  });
}

/**
 * Each starts a server that logs its changes, and returns it with the URL of its stores, the folder of the log, and how it is killed.
 * `processes()` returns those that write the log.
 */
const logging = {
  async redis(policy) {
    const server = await redis(policy);
    if (server === null) return null;
    const processes = async () => [server.pid];
    return { server, url: server.by('redis'), log: join(server.folder, 'appendonlydir'), processes, signal: 'SIGKILL' };
  },
  async postgres(...options) {
    const server = await postgres(options);
    if (server === null) return null;
    const processes = async (client) => {
      const { rows } = await client.query('SELECT pid FROM pg_stat_activity');
      return [server.pid, ...valuesOf(rows, 'pid')];
    };
    // It passes the signal on.
    return { server, url: server.by('pg'), log: join(server.folder, 'data', 'pg_wal'), processes, signal: 'SIGQUIT' };
  },
};

/** Returns the contents of the files of a folder by name. */
const contentsOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name))]),
  );

for (const [kind, loses, ...options] of [
  ['redis', false, 'always'],
  ['redis', true, 'everysec'],
  ['postgres', false],
  ['postgres', true, 'synchronous_commit=off', 'wal_writer_delay=10s'],
  // A kill loses nothing, only a power cut does.
  ['postgres', true, 'fsync=off'],
]) {
  const what = loses ? 'what was added since the last fsync' : 'no call';
  test(`${[kind, ...options].join(', ')}: a power cut loses ${what}`, { skip: withoutStrace }, async (context) => {
    const started = await logging[kind](...options);
    if (started === null) return context.skip('not installed');
    const { server, url, log, processes, signal } = started;
    try {
      const { client, store, close } = await open(url);
      await store.count();
      const disk = new Disk(contentsOf(log));
      const trace = new Trace(log, disk);
      const { ended } = await trace.attach(await processes(client));
      const acknowledged = [];
      const cutAfter = { documents: 300, synced: 0 };
      for (const [at, document] of families(3, 3000).entries()) {
        if (at >= cutAfter.documents) {
          trace.catchUp();
          if (!loses || trace.synced === cutAfter.synced) break;
          // Some documents after the last fsync.
          Object.assign(cutAfter, { documents: at + 20, synced: trace.synced });
        }
        const [{ id, status }] = await store.observe([document]);
        if (status === 'new') acknowledged.push({ id, at: performance.now() });
        await sleep(3);
      }
      const cut = performance.now();
      await server.kill(signal);
      await close();
      await ended;
      trace.catchUp();
      for (const [name, content] of disk.contentsAfter({ data: none, names: all }))
        writeFileSync(join(log, name), content);
      await server.start();
      const again = await open(url);
      const lost = [];
      for (const { id, at } of acknowledged) if ((await again.store.get(id)) === undefined) lost.push(at);
      await again.close();
      const oldest = lost.length === 0 ? '' : `, the first ${((cut - lost[0]) / 1000).toFixed(2)} s before the cut`;
      context.diagnostic(`${acknowledged.length} acknowledged, ${lost.length} lost${oldest}`);
      assert.equal(lost.length > 0, loses);
      // Only the end of the stream is lost.
      assert.deepEqual(lost, valuesOf(acknowledged.slice(acknowledged.length - lost.length), 'at'));
    } finally {
      await server.stop();
    }
  });
}
