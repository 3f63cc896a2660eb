// A call is split into parts, each written by one transaction or script.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { open } from './clients.mjs';
import { servers } from './table.mjs';
import { d1 } from './workers.mjs';

/** Each returns a client that calls `count` at each write of a part, or at its read and at its write. */
const counting = {
  sqlite: (client, count) => ({
    exec() {},
    prepare(text) {
      const statement = client.prepare(text);
      if (text !== 'COMMIT') return statement;
      return { reader: false, run: () => [count(), statement.run()] };
    },
  }),
  postgres: (client, count) => ({
    query(statement, values) {
      if (statement.includes('_write(')) count();
      return client.query(statement, values);
    },
  }),
  redis: (client, count) => ({
    sendCommand(...command) {
      count();
      return client.sendCommand(...command);
    },
  }),
};

/** Checks the parts of a call that observes 256 documents, and of one that deletes them. `counter` has the number of `steps`. */
async function checkParts(store, counter, steps, expected) {
  const documents = Array.from({ length: 256 }, (_, at) => ({ id: `page ${at}`, sketch: sketch(`short ${at}`) }));
  const ids = documents.map(({ id }) => id);
  // The engines know the statements and scripts from now on.
  await store.observe(documents.slice(0, 1));
  await store.delete(ids.slice(0, 1));
  const partsOf = async (call) => {
    counter.count = 0;
    await call();
    return counter.count / steps;
  };
  const parts = [await partsOf(() => store.observe(documents)), await partsOf(() => store.delete(ids))];
  assert.deepEqual(parts, expected);
}

/** Checks that a transaction accepts no documents after 200 ms. */
async function checkTime(store, counter, clock) {
  let now = 0;
  clock.mock.mockImplementation(() => now++);
  counter.count = 0;
  await store.observe(Array.from({ length: 205 }, (_, at) => ({ id: `slow ${at}`, text: `slow ${at}` })));
  assert.equal(counter.count, 2);
  counter.count = 0;
  await store.observe(Array.from({ length: 195 }, (_, at) => ({ id: `late ${at}`, text: `late ${at}` })));
  assert.equal(counter.count, 1);
}

for (const [kind, driver, steps, expected] of [
  ['sqlite', 'better-sqlite3', 1, [1, 1]],
  ['postgres', 'pg', 1, [1, 1]],
  ['redis', 'redis', 2, [16, 1]],
]) {
  test(`${kind}: the parts of a call`, async (context) => {
    const server = await servers[kind]();
    if (server === null) return context.skip('not installed');
    const counter = { count: 0 };
    const { store, close } = await open(server.by(driver), { name: 'parts' }, undefined, (_, client) =>
      counting[kind](client, () => counter.count++),
    );
    const clock = mock.method(performance, 'now', () => 0);
    try {
      await checkParts(store, counter, steps, expected);
      if (kind === 'sqlite') await checkTime(store, counter, clock);
    } finally {
      clock.mock.restore();
      await close();
    }
  });
}

test('d1: the parts of a call', async () => {
  const { client, close } = await d1();
  const counter = { count: 0 };
  const counted = {
    prepare: (statement) => client.prepare(statement),
    batch(statements) {
      counter.count++;
      return client.batch(statements);
    },
  };
  try {
    await checkParts(d1Store(counted), counter, 2, [26, 1]);
  } finally {
    await close();
  }
});
