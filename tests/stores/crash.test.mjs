// kill -9 of clients and servers: a sequential order of documents, which contains all acknowledged calls, explains every result,
// and a client that repeats the call during which it was killed goes on.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../js/random.mjs';
import { open } from './clients.mjs';
import { postgres, redis, temporary } from './engines.mjs';
import { runAll } from './processes.mjs';
import { calls, keptBy, violations } from './sequential.mjs';

const KILLS = Number(process.env.STORE_KILLS ?? 4);
const FAMILIES = 15 * (KILLS + 1);
const CLIENTS = 12;

/** How many clients a kill ends, if it does not end the server. */
const KILLED = 3;

/** Each returns `{ url, server }`; every second kill is of the server. */
const engines = {
  'better-sqlite3': async () => ({ url: `better-sqlite3:${join(temporary(), 'seen.db')}` }),
  async pg() {
    const server = await postgres();
    return server && { url: server.by('pg'), server };
  },
  async 'redis, appendfsync always'() {
    const server = await redis('always');
    return server && { url: server.by('redis'), server };
  },
};

for (const [name, start] of Object.entries(engines)) {
  test(`${name}: ${CLIENTS} processes and ${KILLS} kills, the results have a sequential order`, async (context) => {
    const started = await start();
    if (started === null) return context.skip('not installed');
    const { url, server } = started;
    const next = random(KILLS);
    const settings = { url, options: { name: 'crash' }, seed: 11, families: FAMILIES };
    const all = calls(settings.seed, FAMILIES);
    let kills = 0;
    async function kill(clients) {
      if (server !== undefined && kills++ % 2 === 1) {
        await server.kill();
        await server.start();
      } else {
        for (let count = 0; count < KILLED; count++) clients[next(clients.length)].kill();
      }
    }
    try {
      // The tables are created before a server is killed.
      const { store, close } = await open(url, settings.options);
      await store.count();
      await close();
      const records = await runAll(settings, { clients: CLIENTS, total: all.length, kills: KILLS, kill });
      const opened = await open(url, settings.options);
      try {
        const kept = await keptBy(opened.store);
        assert.deepEqual(violations(all, records, kept), []);
        assert.equal(await opened.store.count(), kept.size);
        assert.equal(await opened.store.delete(kept.keys()), kept.size);
        assert.equal(await opened.store.count(), 0);
      } finally {
        await opened.close();
      }
      const interrupted = records.filter(({ end }) => end === undefined).length;
      assert.ok(interrupted > 0);
      context.diagnostic(`${records.length - interrupted} acknowledged calls, ${interrupted} interrupted, 0 lost`);
    } finally {
      await server?.stop();
    }
  });
}

for (const [name, method, signal] of [
  // It passes the signal on: without it, a process that has begun a write ends it.
  ['pg', 'query', 'SIGQUIT'],
  ['redis, appendfsync always', 'sendCommand', 'SIGKILL'],
]) {
  test(`${name}: a kill of the server at the conditional write leaves all of it or nothing`, async (context) => {
    const started = await engines[name]();
    if (started === null) return context.skip('not installed');
    const { url, server } = started;
    const next = random(5);
    const outcomes = { acknowledged: 0, written: 0, nothing: 0 };
    try {
      for (let round = 0; round < 3 * KILLS; round++) {
        const text = () => Array.from({ length: 40 }, () => `w${next(1e6)}`).join(' ');
        const [first, ...all] = Array.from({ length: 17 }, (_, at) => ({ id: `${round} ${at}`, text: text() }));
        const { client, store, close } = await open(url);
        // The statements and scripts of a call are prepared.
        await store.observe([first]);
        const send = client[method];
        let commands = 0;
        let killed;
        client[method] = (...command) => {
          // The first command reads.
          if (++commands !== 2) return send.apply(client, command);
          // In every third round before the write, otherwise during it or soon after.
          killed = round % 3 === 0 ? server.kill(signal) : sleep(next(6)).then(() => server.kill(signal));
          return round % 3 === 0 ? killed.then(() => send.apply(client, command)) : send.apply(client, command);
        };
        const result = await store.observe(all).catch(() => undefined);
        await killed;
        await close();
        await server.start();
        const again = await open(url);
        const count = (await again.store.count()) - 17 * round - 1;
        assert.ok(count === 16 || (count === 0 && result === undefined), `${count} documents`);
        outcomes[result ? 'acknowledged' : count === 16 ? 'written' : 'nothing']++;
        const status = count === 16 ? 'unchanged' : 'new';
        assert.deepEqual(
          await again.store.observe(all),
          all.map(({ id }) => ({ id, status })),
        );
        await again.close();
      }
      context.diagnostic(JSON.stringify(outcomes));
      assert.ok(outcomes.nothing >= KILLS);
    } finally {
      await server.stop();
    }
  });
}
