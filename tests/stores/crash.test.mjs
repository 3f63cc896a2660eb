// kill -9 of clients and of servers: nothing acknowledged is missing, and the stream repeated gives the same answers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../js/random.mjs';
import { open } from './clients.mjs';
import { families } from './documents.mjs';
import { has, postgres, redis, temporary } from './engines.mjs';
import { Client } from './processes.mjs';

const KILLS = Number(process.env.STORE_KILLS ?? 4);
const COUNT = 400;
const CLIENTS = 2;

/** Each returns `{ url, server }`; a server is killed as well as the clients. */
const engines = {
  'better-sqlite3': async () => ({ url: `better-sqlite3:${join(temporary(), 'seen.db')}` }),
  pg: async () => {
    const server = await postgres();
    return { url: server.by('pg'), server };
  },
  'redis, appendfsync always': async () => {
    const server = await redis('always');
    return { url: server.by('redis'), server };
  },
  // Redis answers before the data is on the disk: a kill may lose what it had not passed to the system yet.
  'redis, appendfsync everysec': async () => {
    const server = await redis('everysec');
    return { url: server.by('redis'), server, mayLose: true };
  },
};

for (const [name, start] of Object.entries(engines)) {
  test(`${name}: ${KILLS} kills lose ${name.endsWith('everysec') ? 'a second at most' : 'nothing that was acknowledged'}`, async (context) => {
    const { url, server, mayLose = false } = await start();
    const next = random(KILLS);
    let acknowledged = 0;
    let lost = 0;
    try {
      for (let round = 0; round < KILLS; round++) {
        const settings = { url, name: 'crash', seed: round, count: COUNT, batch: 3, parts: CLIENTS };
        const clients = Array.from({ length: CLIENTS }, (_, part) => new Client({ ...settings, part }));
        await Promise.all(clients.map(({ ready }) => ready));
        for (const each of clients) each.go();
        // Some time after the first answers.
        while (clients.every(({ answers }) => answers.length < 5)) await sleep(5);
        await sleep(next(150));
        const isServer = server !== undefined && round % 2 === 1;
        if (isServer) {
          await server.kill();
          // PostgreSQL's other processes notice that the first one is gone.
          await sleep(name === 'pg' ? 500 : 0);
          await server.start();
        } else for (const each of clients) each.kill();
        await Promise.all(clients.map(({ ended }) => ended));

        const documents = families(round, COUNT);
        const sketches = new Map(documents.map(({ id, sketch }) => [id, sketch]));
        const answers = clients.flatMap(({ answers }) => answers);
        acknowledged += answers.length;
        const { store, close } = await open(url, { name: 'crash' });
        try {
          for (const { id, duplicateOf } of answers) {
            const kept = await store.get(duplicateOf ?? id);
            if (kept === undefined && mayLose) lost++;
            if (kept === undefined && mayLose) continue;
            assert.ok(kept, `${duplicateOf ?? id} is missing`);
            assert.equal(kept.resemblance(sketches.get(duplicateOf ?? id)), 1);
          }
          // A client that comes again gets the answers that it would have had.
          const again = new Map((await store.addIfNew(documents)).map((answer) => [answer.id, answer]));
          for (const { id, duplicateOf } of answers) {
            if (lost === 0)
              assert.equal(again.get(id).duplicateOf === null, duplicateOf === null, `${id} has another answer`);
          }
          const kept = [...again.values()].filter(({ duplicateOf }) => duplicateOf === null);
          assert.equal(await store.count(), kept.length);
          await store.delete(kept.map(({ id }) => id));
          assert.equal(await store.count(), 0);
        } finally {
          await close();
        }
      }
      context.diagnostic(`${acknowledged} acknowledged answers, ${lost} lost`);
    } finally {
      await server?.stop();
    }
  });
}

/**
 * How much of an append-only file is safe from a power cut, by a trace of the calls: what was written before the last
 * fdatasync began that has ended.
 */
function safeBytes(trace) {
  let written = 0;
  let safe = 0;
  /** What was written when the fdatasync of each thread began. */
  const begun = new Map();
  for (const line of trace.split('\n')) {
    const thread = line.split(' ', 1)[0];
    const [, bytes] = /\bwrite\(\d+<[^>]*\.incr\.aof>.* = (\d+)$/.exec(line) ?? [];
    if (bytes !== undefined) written += Number(bytes);
    if (/\bfdatasync\(\d+<[^>]*\.incr\.aof>/.test(line)) begun.set(thread, written);
    if (/\bfdatasync\b.* = 0$/.test(line) && begun.has(thread)) {
      safe = begun.get(thread);
      begun.delete(thread);
    }
  }
  return { written, safe };
}

for (const [policy, promise] of [
  ['always', 'nothing'],
  ['everysec', 'what was added since the last fsync'],
]) {
  const skip = !has('strace') && 'there is no strace';
  test(`redis, appendfsync ${policy}: a power cut loses ${promise}`, { skip }, async (context) => {
    const server = await redis(policy);
    try {
      const { store, close } = await open(server.by('redis'));
      const folder = temporary();
      const file = join(folder, 'trace');
      const calls = ['-f', '-y', '-s', '1', '-e', 'trace=write,fdatasync', '-o', file, '-p', String(server.pid)];
      const tracer = spawn('strace', calls, { stdio: ['ignore', 'ignore', 'pipe'] });
      const ended = once(tracer, 'exit');
      await once(tracer.stderr, 'data'); // it is attached
      const acknowledged = [];
      for (const document of families(3, 600)) {
        const [{ id, duplicateOf }] = await store.addIfNew([document]);
        if (duplicateOf === null) acknowledged.push({ id, at: performance.now() });
        await sleep(3);
      }
      const cut = performance.now();
      await server.kill();
      await close();
      await ended;
      const { written, safe } = safeBytes(readFileSync(file, 'utf8'));
      const log = join(server.folder, 'appendonlydir', 'appendonly.aof.1.incr.aof');
      // The metadata was written before the trace began.
      truncateSync(log, readFileSync(log).length - (written - safe));
      await server.start();
      const again = await open(server.by('redis'));
      const lost = [];
      for (const { id, at } of acknowledged) if ((await again.store.get(id)) === undefined) lost.push(at);
      await again.close();
      const oldest = lost.length === 0 ? '' : `, the first ${((cut - lost[0]) / 1000).toFixed(2)} s before the cut`;
      context.diagnostic(`${acknowledged.length} acknowledged, ${lost.length} lost${oldest}`);
      if (policy === 'always') assert.deepEqual(lost, []);
      // Without a loss, the test would prove nothing.
      else assert.ok(lost.length > 0 && lost.length < acknowledged.length);
      // Of a stream, the end is lost: nothing that was added before.
      assert.deepEqual(
        lost,
        acknowledged.slice(acknowledged.length - lost.length).map(({ at }) => at),
      );
    } finally {
      await server.stop();
    }
  });
}
