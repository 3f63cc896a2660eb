// The rates of the stores, each with the servers that the tests start. Needs the packages of tests/stores.
//
//     node benches/stores.mjs [ROUNDS]
import { join } from 'node:path';
import { sketch } from '../pkg/index.js';
import { random } from '../tests/js/random.mjs';
import { open } from '../tests/stores/clients.mjs';
import { families } from '../tests/stores/documents.mjs';
import { postgres, redis, temporary } from '../tests/stores/engines.mjs';

const ROUNDS = Number(process.argv[2] ?? 9);
const CLIENTS = 16;

/** The number of pages of one template that each client observes. */
const PAGES = 50;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Returns documents with ids of their own. */
const documents = (round, count) =>
  families(100 + round, count).map((document) => ({ ...document, id: `${round} ${document.id}` }));

/** The kinds of calls: each gets a store and 256 documents. */
const calls = {
  async observe(store, all) {
    for (const document of all) await store.observe([document]);
  },
  async query(store, all) {
    for (const { sketch } of all) await store.query(sketch);
  },
  async 'observe again'(store, all) {
    for (const document of all) await store.observe([document]);
  },
  'observe 256 in a call': (store, all) =>
    store.observe(all.map((document) => ({ ...document, id: `${document.id} in a batch` }))),
};

/** Prints the documents a second of one client, on a store of 3,000 documents and more. */
async function printRates(name, { store, close }) {
  await store.observe(documents(0, 3000));
  const rates = Object.fromEntries(Object.keys(calls).map((what) => [what, []]));
  // The first round prepares the statements.
  for (let round = 0; round <= ROUNDS; round++) {
    const all = documents(1 + round, 256);
    for (const [what, call] of Object.entries(calls)) {
      const start = performance.now();
      await call(store, all);
      if (round > 0) rates[what].push((1000 * all.length) / (performance.now() - start));
    }
  }
  const medians = Object.entries(rates).map(([what, values]) => `${what} ${median(values).toFixed(0)}`);
  console.log(`${name}, documents a second: ${medians.join(', ')}`);
  await close();
}

/** Prints the rate of clients that observe pages of one template, and how often a call read again. `method` sends a command. */
async function printTemplate(name, url, method) {
  const next = random(1);
  const words = Array.from({ length: 24 }, () => `w${next(30_000)}`);
  const page = () => sketch(words.map((word, at) => (at % 7 === 5 ? next(1e6) : word)).join(' '));
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => open(url, { name: 'template', max: 1 })));
  await clients[0].store.count();
  const repetitions = [];
  const start = performance.now();
  await Promise.all(
    clients.map(async ({ store, client }, from) => {
      let commands;
      const send = client[method];
      client[method] = (...command) => {
        commands++;
        return send.apply(client, command);
      };
      for (let at = 0; at < PAGES; at++) {
        commands = 0;
        await store.observe([{ id: `${from} ${at}`, sketch: page() }], { minResemblance: 0.9 });
        repetitions.push((commands - 1) >> 1);
      }
    }),
  );
  const rate = (1000 * repetitions.length) / (performance.now() - start);
  const mean = repetitions.reduce((sum, each) => sum + each, 0) / repetitions.length;
  console.log(
    `${name}, ${CLIENTS} clients on one template: ${rate.toFixed(0)} documents a second, ` +
      `at most ${Math.max(...repetitions)} repetitions, ${mean.toFixed(2)} a document`,
  );
  for (const { close } of clients) await close();
}

await printRates('sqlite', await open(`better-sqlite3:${join(temporary(), 'seen.db')}`));
for (const [name, start, driver, method] of [
  ['postgres', postgres, 'pg', 'query'],
  ['redis', redis, 'redis', 'sendCommand'],
]) {
  const server = await start();
  if (server === null) continue;
  await printRates(name, await open(server.by(driver)));
  await printTemplate(name, server.by(driver), method);
  await server.stop();
}
