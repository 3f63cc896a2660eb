// Prints the rates of the stores, and the processor time of this process: of all work with SQLite, of the client with a server. Builds
// the package and installs the clients if necessary; PostgreSQL and Redis are left out where they are not installed.
//
//     node benches/stores.mjs [--against DIR] [ROUNDS] [ENGINE ...]
//
// The engines are `better-sqlite3`, `node-sqlite` (where Node has it), `postgres` and `redis`, all by default. A store begins with
// 20,000 documents. No document resembles another one, so that `observe` keeps all; `query` and `observe again` find the documents
// that it has kept. `--against` also measures the package that is built in another checkout, in turns with this one, and prints
// how many times its figure each figure is.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failWithUsage, readArguments } from '../scripts/arguments.mjs';
import { build } from '../scripts/build.mjs';
import { root } from '../scripts/run.mjs';
import { installPackages } from '../scripts/setup.mjs';
import { random } from '../tests/js/random.mjs';
import { median, processorTime } from './times.mjs';

const SYNOPSIS = '[--against DIR] [ROUNDS=9] [ENGINE ...]';
const { against, rounds: ROUNDS, engine: engines } = readArguments(SYNOPSIS);
const ENGINES = ['better-sqlite3', 'node-sqlite', 'postgres', 'redis'];
const unknown = engines.find((engine) => !ENGINES.includes(engine));
if (unknown !== undefined) failWithUsage(`ENGINE must be one of ${ENGINES.join(', ')}, got '${unknown}'`, SYNOPSIS);
await build();
installPackages(join(root, 'tests', 'stores'), 'the clients of the stores');
const { sketch } = await import('../pkg/index.js');
const { open } = await import('../tests/stores/clients.mjs');
const { families } = await import('../tests/stores/documents.mjs');
const { postgres, redis, temporary } = await import('../tests/stores/engines.mjs');

const FILLED = 20_000;
const CLIENTS = 16;

/** The number of pages of one template that each client observes. */
const PAGES = 50;

/** The number of rounds of clients that observe them. */
const TEMPLATE_ROUNDS = 3;

/** The packages that are measured, this one first: the name of its stores, the function `store(kind)` that creates them, and its sketches. */
const packages = await Promise.all(
  [root, ...(against === undefined ? [] : [resolve(against)])].map(async (folder, at) => {
    const load = (file) => import(pathToFileURL(join(folder, 'pkg', file)).href);
    const { Sketch } = await load('index.js');
    const creators = {
      sqlite: (await load('store/sqlite.js')).sqliteStore,
      postgres: (await load('store/postgres.js')).postgresStore,
      redis: (await load('store/redis.js')).redisStore,
    };
    return { name: `package${at}`, creators, sketchOf: (sketch) => Sketch.fromBytes(sketch.toBytes()) };
  }),
);

/** Returns the median of the figures of this package, with its ratio to the median of the other one. */
function printed([own, other], digits = 0) {
  const ratio = other === undefined ? '' : ` (${(median(own) / median(other)).toFixed(2)})`;
  return median(own).toFixed(digits) + ratio;
}

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

/** Opens a client for each package. */
const openAll = (kind, urlOf) =>
  Promise.all(
    packages.map(async ({ name, creators, sketchOf }) => {
      const { client, close } = await open(urlOf(), { max: 1 });
      const own = (documents) => documents.map(({ id, sketch }) => ({ id, sketch: sketchOf(sketch) }));
      return { client, close, store: creators[kind](client, { name }), own };
    }),
  );

/** Returns the clients, the one first that was last in the round before. */
const inTurns = (opened, round) => (round % 2 === 0 ? opened : opened.toReversed());

/** Prints the documents a second of one client, and the processor time of a document. */
async function printRates(name, opened) {
  for (const { store, own } of opened) await store.observe(own(documents(0, FILLED)));
  /** The figures of each kind of call: a list for each package. */
  const figures = () => Object.fromEntries(Object.keys(calls).map((what) => [what, opened.map(() => [])]));
  const [rates, times] = [figures(), figures()];
  // The first round prepares the statements.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const each of inTurns(opened, round)) {
      const [all, others] = [1, 2].map((part) => each.own(documents(2 * round + part, 256)));
      for (const [what, call] of Object.entries(calls)) {
        const [start, cpu] = [performance.now(), processorTime()];
        await call(each.store, all, others);
        if (round === 0) continue;
        const at = opened.indexOf(each);
        times[what][at].push((processorTime() - cpu) / all.length);
        rates[what][at].push((1000 * all.length) / (performance.now() - start));
      }
    }
  }
  const print = (unit, all) => {
    const medians = Object.entries(all).map(([what, each]) => `${what} ${printed(each)}`);
    console.log(`${name}, ${unit}: ${medians.join(', ')}`);
  };
  print('documents a second', rates);
  print('microseconds of processor time a document', times);
  for (const { close } of opened) await close();
}

/** Prints the rate of clients that observe pages of one template, and how often a call read again. `method` sends a command. */
async function printTemplate(name, kind, url, method) {
  const next = random(1);
  const words = Array.from({ length: 24 }, () => `w${next(30_000)}`);
  const page = () => sketch(words.map((word, at) => (at % 7 === 5 ? next(1e6) : word)).join(' '));
  /** For each client, the stores of the packages. */
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => openAll(kind, () => url)));
  const [rates, repetitions] = [packages.map(() => []), packages.map(() => [])];
  for (let round = 0; round < TEMPLATE_ROUNDS; round++) {
    for (const at of inTurns([...packages.keys()], round)) {
      const opened = clients.map((each) => each[at]);
      const ids = [];
      const all = [];
      await opened[0].store.count();
      const start = performance.now();
      await Promise.all(
        opened.map(async ({ store, client, own }, from) => {
          let commands;
          const send = client[method];
          client[method] = (...command) => {
            commands++;
            return send.apply(client, command);
          };
          for (let number = 0; number < PAGES; number++) {
            commands = 0;
            const id = `${from} ${number}`;
            await store.observe(own([{ id, sketch: page() }]), { minResemblance: 0.9 });
            ids.push(id);
            all.push((commands - 1) >> 1);
          }
          client[method] = send;
        }),
      );
      rates[at].push((1000 * all.length) / (performance.now() - start));
      repetitions[at].push(all);
      await opened[0].store.delete(ids);
    }
  }
  const most = Math.max(...repetitions[0].flat());
  const means = repetitions.map((each) => each.map((all) => all.reduce((sum, one) => sum + one, 0) / all.length));
  console.log(
    `${name}, ${CLIENTS} clients on one template: ${printed(rates)} documents a second, at most ${most} repetitions, ` +
      `${printed(means, 2)} a document`,
  );
  for (const { close } of clients.flat()) await close();
}

const isChosen = (engine) => engines.length === 0 || engines.includes(engine);

const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
for (const driver of hasSqlite ? ['better-sqlite3', 'node-sqlite'] : ['better-sqlite3']) {
  if (!isChosen(driver)) continue;
  for (const synchronous of ['NORMAL', 'FULL']) {
    const opened = await openAll('sqlite', () => `${driver}:${join(temporary(), 'seen.db')}`);
    for (const { client } of opened) client.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    await printRates(`${driver}, ${synchronous}`, opened);
  }
}
for (const [kind, start, driver, method] of [
  ['postgres', postgres, 'pg', 'query'],
  ['redis', redis, 'redis', 'sendCommand'],
]) {
  const server = isChosen(kind) ? await start() : null;
  if (server === null) continue;
  await printRates(kind, await openAll(kind, () => server.by(driver)));
  await printTemplate(kind, kind, server.by(driver), method);
  await server.stop();
}
