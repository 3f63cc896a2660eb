// Prints the rates of the stores, and the processor time of those that run in this process. Builds the package and installs the
// clients if necessary; PostgreSQL and Redis are left out where they are not installed.
//
//     node benches/stores.mjs [ROUNDS] [ENGINE ...]
//
// The engines are `better-sqlite3`, `node-sqlite` (where Node has it), `postgres` and `redis`, all by default. A store begins with
// 20,000 documents. No document resembles another one, so that `observe` keeps all; `query` and `observe again` find the documents
// that it has kept.
import { join } from 'node:path';
import { build } from '../scripts/build.mjs';
import { root } from '../scripts/run.mjs';
import { installPackages } from '../scripts/setup.mjs';
import { random } from '../tests/js/random.mjs';

await build();
installPackages(join(root, 'tests', 'stores'), 'the clients of the stores');
const { sketch } = await import('../pkg/index.js');
const { open } = await import('../tests/stores/clients.mjs');
const { families } = await import('../tests/stores/documents.mjs');
const { postgres, redis, temporary } = await import('../tests/stores/engines.mjs');

const [rounds = '9', ...engines] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const FILLED = 20_000;
const CLIENTS = 16;

/** The number of pages of one template that each client observes. */
const PAGES = 50;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Returns documents with ids of their own, which no other document resembles: one of each family. */
function documents(seed, count) {
  const firsts = new Map();
  // A family has at most four members.
  for (const each of families(100 + seed, 4 * count)) if (!firsts.has(each.family)) firsts.set(each.family, each);
  return Array.from(firsts.values(), ({ id, sketch }) => ({ id: `${seed} ${id}`, sketch })).slice(0, count);
}

/** The kinds of calls: each gets a store, 256 documents, and 256 others. */
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
  'observe 256 in a call': (store, _, others) => store.observe(others),
};

const cpuMicroseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Prints the documents a second of one client, and the processor time of a document if the engine runs in this process. */
async function printRates(name, { store, close }, isLocal = false) {
  await store.observe(documents(0, FILLED));
  const measured = Object.fromEntries(Object.keys(calls).map((what) => [what, { rates: [], times: [] }]));
  // The first round prepares the statements.
  for (let round = 0; round <= ROUNDS; round++) {
    const [all, others] = [1, 2].map((part) => documents(2 * round + part, 256));
    for (const [what, call] of Object.entries(calls)) {
      const [start, cpu] = [performance.now(), cpuMicroseconds()];
      await call(store, all, others);
      if (round === 0) continue;
      measured[what].times.push((cpuMicroseconds() - cpu) / all.length);
      measured[what].rates.push((1000 * all.length) / (performance.now() - start));
    }
  }
  const print = (unit, valuesOf, digits) => {
    const medians = Object.entries(measured).map(([what, each]) => `${what} ${median(valuesOf(each)).toFixed(digits)}`);
    console.log(`${name}, ${unit}: ${medians.join(', ')}`);
  };
  print('documents a second', ({ rates }) => rates, 0);
  if (isLocal) print('microseconds of processor time a document', ({ times }) => times, 0);
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

const isChosen = (engine) => engines.length === 0 || engines.includes(engine);

const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
for (const driver of hasSqlite ? ['better-sqlite3', 'node-sqlite'] : ['better-sqlite3']) {
  if (!isChosen(driver)) continue;
  for (const synchronous of ['NORMAL', 'FULL']) {
    const opened = await open(`${driver}:${join(temporary(), 'seen.db')}`);
    opened.client.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    await printRates(`${driver}, ${synchronous}`, opened, true);
  }
}
for (const [name, start, driver, method] of [
  ['postgres', postgres, 'pg', 'query'],
  ['redis', redis, 'redis', 'sendCommand'],
]) {
  const server = isChosen(name) ? await start() : null;
  if (server === null) continue;
  await printRates(name, await open(server.by(driver)));
  await printTemplate(name, server.by(driver), method);
  await server.stop();
}
