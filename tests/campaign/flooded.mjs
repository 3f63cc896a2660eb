// Sets that are flooded with documents of one kind: the time of a query in comparison with a set of honest documents.
import { join } from 'node:path';
import { Deduplicator, Sketch, sketch } from '../../pkg/index.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { randomFrom } from './common.mjs';

/** The bounds of a query on a flooded set: a multiple of an honest query, or a time. */
const MAX_RATIO = 20;
const MAX_MILLISECONDS = 20;

/** How often queries are measured after a warm-up, and how many queries a set in memory answers each time. */
const [WARM_UP, ROUNDS, BATCH] = [6, 18, 200];

const head = [2, ...new TextEncoder().encode('s1')];

const bytes = (random, length) => Array.from({ length }, () => Math.floor(256 * random()));

/** Returns a sketch with random other content. */
function sketchOf(random, keys = bytes(random, 96)) {
  // The two hashes and the odd sketch.
  const record = bytes(random, 80);
  // The text is not blank.
  record[0] &= ~2;
  return Sketch.fromBytes(Uint8Array.of(...head, 2, ...record, ...keys));
}

/** Families of documents: functions of a random generator that return a function that returns the next sketch. */
export const families = {
  honest: (random) => () => sketchOf(random),
  /** A few bits apart, of a low resemblance: single words vote in the fingerprint, and are not in the odd sketch. */
  'the same words in other orders'(random) {
    const words = Array.from({ length: 30 }, (_, at) => Array(10 + Math.floor(31 * random())).fill(`word${at}`)).flat();
    return () => {
      for (let at = words.length - 1; at > 0; at--) {
        const other = Math.floor((at + 1) * random());
        [words[at], words[other]] = [words[other], words[at]];
      }
      return sketch(words.join(' '));
    };
  },
  'equal documents'(random) {
    const one = sketchOf(random);
    return () => one;
  },
  'the same keys'(random) {
    const keys = bytes(random, 96);
    return () => sketchOf(random, keys);
  },
  /** Pages that differ in three numbers share most keys. */
  'pages of one template'(random) {
    const number = () => Math.floor(10_000 * random());
    const words =
      'every page of this shop has the same long and friendly words about delivery returns and payment '.repeat(2);
    return () => sketch(`${words} article ${number()} costs ${number()} and weighs ${number()}`);
  },
  /** Versions of one text resemble each other. */
  'versions of a text'(random) {
    return () => {
      const words = Array.from({ length: 60 }, (_, at) => `word${at}`);
      for (let edit = 0; edit < 2; edit++) words[Math.floor(60 * random())] = `other${Math.floor(1e6 * random())}`;
      return sketch(words.join(' '));
    };
  },
};

/** The time of the stores, in seconds. */
let now = 1_800_000_000;

/** The engines that are installed: each opens a store, `{ store, close }`. */
async function openEngines() {
  const engines = {
    Deduplicator: async () => ({ store: new Deduplicator(), close() {} }),
    memory: async () => ({ store: memoryStore(), close() {} }),
  };
  try {
    const [{ open }, { postgres, redis, temporary }] = await Promise.all([
      import('../stores/clients.mjs'),
      import('../stores/engines.mjs'),
    ]);
    const served = (start, driver) => async () => {
      const server = await start();
      if (server === null) return null;
      const { store, close } = await open(server.by(driver), {}, () => now);
      return {
        store,
        isOnServer: true,
        async close() {
          await close();
          await server.stop();
        },
      };
    };
    engines.sqlite = () => open(`better-sqlite3:${join(temporary(), 'seen.db')}`, {}, () => now);
    engines.postgres = served(() => postgres(['fsync=off', 'synchronous_commit=off']), 'pg');
    engines.redis = served(() => redis(), 'redis');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.log('flooded: tests/stores has no packages, so only the sets in memory are tried');
  }
  return engines;
}

/** Returns the milliseconds that this process has taken from its processors. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the median milliseconds of a warm query with further documents of the family, at the slower of two thresholds: of
 * this process, or if the store is on a server, until its answer.
 */
export async function queryTime(store, next, isOnServer) {
  const clock = isOnServer ? () => performance.now() : processorTime;
  const times = { 0.67: [], 0.9: [] };
  const batch = store instanceof Deduplicator ? BATCH : 1;
  const documents = Array.from({ length: batch + WARM_UP + ROUNDS }, next);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const minResemblance = round % 2 === 0 ? 0.67 : 0.9;
    const start = clock();
    for (const document of documents.slice(round, round + batch)) {
      if (batch > 1) store.query(document, { minResemblance });
      else await store.query(document, { minResemblance });
    }
    if (round >= WARM_UP) times[minResemblance].push((clock() - start) / batch);
  }
  const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];
  return Math.max(...Object.values(times).map(median));
}

/** Fills a store with documents that stay, or that have ended before they are removed. Returns the time of a query. */
async function floodedTime({ store, isOnServer = false }, name, count, hasEnded) {
  const next = families[name](randomFrom(count));
  const documents = Array.from({ length: count }, (_, at) => ({ id: `page ${at}`, sketch: next() }));
  if (store instanceof Deduplicator) for (const { id, sketch } of documents) store.add(id, sketch);
  else await store.add(documents, hasEnded ? { expiresIn: 60 } : undefined);
  if (hasEnded) now += 60;
  return queryTime(store, next, isOnServer);
}

/** Returns the number of failures. */
export async function flooded(count) {
  let [trials, failures] = [0, 0];
  const systemTime = Date.now;
  Date.now = () => 1000 * now;
  for (const [engine, create] of Object.entries(await openEngines())) {
    let honest;
    for (const name of Object.keys(families)) {
      for (const hasEnded of name === 'equal documents' && engine !== 'Deduplicator' ? [false, true] : [false]) {
        const opened = await create();
        if (opened === null) continue;
        const time = await floodedTime(opened, name, count, hasEnded);
        await opened.close();
        honest ??= time;
        const isFailure = time > MAX_RATIO * honest && (engine === 'Deduplicator' || time > MAX_MILLISECONDS);
        trials++;
        if (isFailure) failures++;
        const what = `${engine}, ${count} ${name}${hasEnded ? ' that have ended' : ''}`;
        console.log(
          `${isFailure ? 'FAILURE: ' : ''}${what}: ${time.toFixed(4)} ms, ${(time / honest).toFixed(1)} honest`,
        );
      }
    }
  }
  Date.now = systemTime;
  console.log(`flooded sets: ${trials} trials, ${failures} failures`);
  return failures;
}
