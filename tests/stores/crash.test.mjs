// kill -9 of clients and of servers: nothing acknowledged is missing, and the stream repeated gives the same answers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../js/random.mjs';
import { open } from './clients.mjs';
import { families } from './documents.mjs';
import { postgres, redis, temporary } from './engines.mjs';
import { Client } from './processes.mjs';

const KILLS = Number(process.env.STORE_KILLS ?? 4);
const COUNT = 400;
const CLIENTS = 2;

const bare = (url) => url.replace(/^\w+:/, '');

/** Each returns `{ url, server }`; a server is killed as well as the clients. */
const engines = {
  'better-sqlite3': async () => ({ url: `better-sqlite3:${join(temporary(), 'seen.db')}` }),
  pg: async () => {
    const server = await postgres();
    return { url: `pg:${bare(server.url)}`, server };
  },
  'redis, appendfsync always': async () => {
    const server = await redis('always');
    return { url: `redis:${bare(server.url)}`, server };
  },
  // Redis answers before the data is on the disk: a kill may lose what it had not passed to the system yet.
  'redis, appendfsync everysec': async () => {
    const server = await redis('everysec');
    return { url: `redis:${bare(server.url)}`, server, mayLose: true };
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
