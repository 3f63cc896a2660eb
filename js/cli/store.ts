// The option --store: the kept documents in a store that other processes use too.
import { UserError } from '../node/user-error.js';
import { postgresStore } from '../stores/postgres.js';
import { redisStore } from '../stores/redis.js';
import { checkId } from '../stores/shared.js';
import { sqliteStore } from '../stores/sqlite.js';

const messageOf = (error) => error.message.replace(/^nearprint: /, '');

/** Imports a driver, which is an optional peer. */
async function driver(name, kind) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError(`--store ${kind} takes one more package: npm install ${name}`);
  }
}

/** Each opens a URL and returns `{ client, create, close }`. */
const kinds = {
  async sqlite(url) {
    const path = url.slice('sqlite:'.length);
    const isBuiltIn = process.getBuiltinModule?.('node:sqlite') !== undefined;
    const { DatabaseSync, default: Database } = await (isBuiltIn
      ? import('node:sqlite')
      : driver('better-sqlite3', 'sqlite: (before Node 22.13)'));
    const client = new (DatabaseSync ?? Database)(path);
    client.exec('PRAGMA journal_mode = WAL');
    return { client, create: sqliteStore, close: () => client.close() };
  },
  async postgres(url) {
    const { default: pg } = await driver('pg', 'postgres:');
    const client = new pg.Pool({ connectionString: url });
    client.on('error', () => {}); // of an idle connection: the next call reports it
    return { client, create: postgresStore, close: () => client.end() };
  },
  async redis(url) {
    const { createClient } = await driver('redis', 'redis:');
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    return { client, create: redisStore, close: () => client.destroy() };
  },
};
kinds.postgresql = kinds.postgres;
kinds.rediss = kinds.redis;

/** The URL without its password. */
const shown = (url) => url.replace(/:[^:@/]*@/, ':…@');

/** Returns the store of a URL: `{ store, close }`. */
export async function openStore(url, settings) {
  const open = kinds[url.slice(0, url.indexOf(':'))];
  if (open === undefined) {
    throw new UserError(`--store takes sqlite:FILE, postgres://... or redis://..., but got "${shown(url)}"`);
  }
  let opened;
  try {
    opened = await open(url);
    const store = opened.create(opened.client, settings);
    await store.count();
    return { store, close: opened.close };
  } catch (error) {
    await opened?.close();
    if (error instanceof UserError) throw error;
    throw new UserError(`--store ${shown(url)}: ${messageOf(error) || error.code}`);
  }
}

/** Separates an id from the number that is added to it for another text. */
const SEPARATOR = '\u0001';

/** The id of a document as in the input. */
const originalId = (id) => id.split(SEPARATOR)[0];

/**
 * Decides which documents are kept. A document that the store holds under its own id is new again: after a failure, the
 * same input gives the same lines.
 */
export class StoreDecider {
  #store;
  #io;
  /** The ids of this run's kept lines. */
  #kept = new Set();

  constructor(store, io) {
    this.#store = store;
    this.#io = io;
  }

  /** Sets `hit` on near-duplicates and `stored`, the id in the store, on kept documents; neither on bad lines. */
  async decideAll(documents) {
    let pending = [];
    const flush = async () => {
      await this.#add(pending);
      pending = [];
    };
    try {
      for (const document of documents) {
        const id = String(document.id);
        if (!this.#isValid(id, document)) continue;
        if (this.#kept.has(id) || pending.some((other) => String(other.id) === id)) await flush();
        if (this.#kept.has(id)) await this.#decideAgain(id, document);
        else pending.push(document);
      }
      await flush();
    } catch (error) {
      if (error instanceof TypeError || error instanceof UserError) throw error;
      throw new UserError(`--store: ${messageOf(error)}`);
    }
  }

  #isValid(id, document) {
    try {
      checkId(id, 'the id');
      if (id.includes(SEPARATOR)) throw new RangeError('the id takes no control character U+0001');
      return true;
    } catch (error) {
      this.#io.bad(document.name, document.line, `${messageOf(error)}, with --store`);
      return false;
    }
  }

  /** Decides on an id that this run has kept already. */
  async #decideAgain(id, document) {
    const [hit] = await this.#store.query(document.summary);
    if (hit !== undefined) {
      document.hit = { ...hit, id: originalId(hit.id) };
      return;
    }
    const text = `${JSON.stringify(id)} is also the id of an earlier kept line with another text`;
    this.#io.bad(document.name, document.line, text);
  }

  /** Adds documents of different ids. An id that the store holds for another text gets a number. */
  async #add(documents) {
    const docs = documents.map(({ id, summary }) => ({ id: String(id), sketch: summary }));
    for (let from = 0; from < docs.length; ) {
      try {
        const answers = await this.#store.addIfNew(docs.slice(from));
        for (const answer of answers) this.#answer(documents[from], docs[from++].id, answer);
      } catch (error) {
        if (error.taken === undefined) throw error;
        // Those before it are kept, and a repeated call gives the same answers.
        this.#rename(docs.slice(from), error.taken);
      }
    }
  }

  #rename(docs, taken) {
    const document = docs.find(({ id }) => id === taken);
    const [base, number = 1] = taken.split(SEPARATOR);
    document.id = `${base}${SEPARATOR}${Number(number) + 1}`;
  }

  #answer(document, stored, { duplicateOf, resemblance, distance }) {
    const id = String(document.id);
    // The text is the one that got a number in an earlier run: as above, it is new again.
    const isRepeated = duplicateOf?.startsWith(`${id}${SEPARATOR}`) && resemblance === 1 && distance === 0;
    if (duplicateOf !== null && !isRepeated) {
      document.hit = { id: originalId(duplicateOf), resemblance, distance };
      return;
    }
    this.#kept.add(id);
    document.stored = stored;
  }
}
