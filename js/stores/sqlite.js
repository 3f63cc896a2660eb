// A store in an SQLite database. The lock rule: every change is one BEGIN IMMEDIATE transaction, so that one process at a
// time searches and adds. A transaction has many documents: what it costs is the wait for the disk at its end.
import { ArgumentError } from '../core/argument-error.js';
import {
  checkId,
  checkIds,
  checkQuery,
  checkSettings,
  Described,
  explaining,
  opening,
  sketchOf,
  slices,
} from './shared.js';
import { entriesOf, SqliteDocuments, scriptOf } from './sqlite-documents.js';

/** Documents in a transaction. */
const BATCH = 256;

/** How long a transaction waits for the others, in milliseconds. */
const PATIENCE = 60_000;

const isBusy = (error) => /\b(?:busy|locked)\b/i.test(error.message);

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const explained = explaining([
  [/readonly/i, 'open it for writing'],
  [/is full/i, 'make room on the disk or raise max_page_count, then repeat the call'],
  [/\b(?:busy|locked)\b/i, `another process has held the lock for ${PATIENCE / 1000} seconds: end its transaction`],
  [/not open|closed database/i, 'the store needs its database open'],
  [/no such (?:table|index)/i, 'run the statements of schema() again'],
]);

/** Repeats a call while another process has the lock. */
async function patient(call) {
  for (const end = Date.now() + PATIENCE; ; await sleep(5 + 20 * Math.random())) {
    try {
      return call();
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
  }
}

class SqliteStore extends Described {
  #database;
  #settings;
  #documents;
  #prepared = new Map();
  /** Runs a call on the open store. */
  #use;

  constructor(database, settings) {
    super(settings);
    this.#database = database;
    this.#settings = settings;
    this.#documents = new SqliteDocuments((statement, values) => this.#prepare(statement).all(...values), settings);
    this.#use = opening(settings, {
      metadata: () => patient(() => this.#documents.metadata()),
      create: () => patient(() => this.#transaction(() => database.exec(this.schema()))),
      explained,
    });
  }

  schema() {
    return scriptOf(this.#settings);
  }

  #prepare(statement) {
    if (!this.#prepared.has(statement)) this.#prepared.set(statement, this.#database.prepare(statement));
    return this.#prepared.get(statement);
  }

  #transaction(change) {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk rolls the transaction back by itself, and this statement fails.
      try {
        this.#database.exec('ROLLBACK');
      } catch {}
      throw error;
    }
  }

  /** Without WAL, a reader waits too while another process writes. */
  #read(read) {
    return this.#use(() => patient(read));
  }

  #write(change) {
    return this.#use(() => patient(() => this.#transaction(change)));
  }

  async addIfNew(docs) {
    const answers = [];
    for (const slice of slices(docs, this.#settings, BATCH)) {
      // A transaction may be repeated.
      const [some, failure] = await this.#write(() => {
        const some = [];
        return [some, this.#documents.addAllIfNew(slice, some)];
      });
      answers.push(...some);
      if (failure) throw failure;
    }
    return answers;
  }

  async add(docs) {
    for (const slice of slices(docs, this.#settings, BATCH)) {
      await this.#write(() => {
        for (const document of slice) this.#documents.add(document);
      });
    }
  }

  async query(sketch, options) {
    const { limit, ...document } = checkQuery(sketch, options, this.#settings);
    return this.#read(() => this.#documents.query(document, limit));
  }

  async get(id) {
    checkId(id);
    const record = await this.#read(() => this.#documents.get(id));
    return record && sketchOf(record, this.#settings);
  }

  async delete(ids) {
    const checked = checkIds(ids);
    return this.#write(() => checked.reduce((sum, id) => sum + this.#documents.delete(id), 0));
  }

  count() {
    return this.#read(() => this.#documents.count());
  }

  entries() {
    return entriesOf((after) => this.#read(() => this.#documents.page(after)), this.#settings);
  }

  /** The database is the caller's, and stays open. */
  async [Symbol.asyncDispose]() {
    this.#prepared.clear();
  }
}

export function sqliteStore(database, options) {
  if (typeof database?.prepare !== 'function' || typeof database.exec !== 'function') {
    throw new ArgumentError('database', 'a database of node:sqlite, better-sqlite3 or bun:sqlite', database);
  }
  return new SqliteStore(database, checkSettings(options));
}
