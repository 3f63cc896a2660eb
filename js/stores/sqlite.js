// A store in an SQLite database. The lock rule: every change is one BEGIN IMMEDIATE transaction, so that one process at a
// time searches and adds. A transaction has many documents: what it costs is the wait for the disk at its end.
import { wrongType } from '../api/check.js';
import { checkId, checkIds, checkSettings, checkSketch, Described, explaining, sketchOf, slices } from './shared.js';
import { entriesOf, opening, SqliteDocuments, schemaOf } from './sqlite-documents.js';

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

class SqliteStore extends Described {
  #database;
  #settings;
  #documents;
  #open;
  #prepared = new Map();

  constructor(database, settings) {
    super(settings);
    this.#database = database;
    this.#settings = settings;
    this.#documents = new SqliteDocuments((statement, values) => this.#prepare(statement).all(...values), settings);
    this.#open = opening({
      metadata: () => this.#documents.metadata(),
      create: () => this.#transaction(() => this.#database.exec(this.schema())),
      explained,
      settings,
    });
  }

  schema() {
    return `${schemaOf(this.#settings).join(';\n')};\n`;
  }

  #prepare(statement) {
    if (!this.#prepared.has(statement)) this.#prepared.set(statement, this.#database.prepare(statement));
    return this.#prepared.get(statement);
  }

  /** Runs `change` in a transaction, and again if another process has the lock. */
  async #transaction(change) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      let isOpen = false;
      try {
        this.#database.exec('BEGIN IMMEDIATE');
        isOpen = true;
        const result = change();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk rolls the transaction back by itself, and this statement fails.
        if (isOpen) {
          try {
            this.#database.exec('ROLLBACK');
          } catch {}
        }
        if (!isBusy(error) || Date.now() > end) throw explained(error);
      }
      await sleep(5 + 20 * Math.random());
    }
  }

  /** Reads, and again while another process changes the database (which it does briefly, without WAL). */
  async #read(read) {
    await this.#open();
    for (const end = Date.now() + PATIENCE; ; await sleep(10)) {
      try {
        return read();
      } catch (error) {
        if (!isBusy(error) || Date.now() > end) throw explained(error);
      }
    }
  }

  async addIfNew(docs) {
    await this.#open();
    const answers = [];
    for (const slice of slices(docs, this.#settings, BATCH)) {
      // A transaction may be repeated.
      const [some, failure] = await this.#transaction(() => {
        const some = [];
        return [some, this.#documents.addAllIfNew(slice, some)];
      });
      answers.push(...some);
      if (failure) throw failure;
    }
    return answers;
  }

  async add(docs) {
    await this.#open();
    for (const slice of slices(docs, this.#settings, BATCH)) {
      await this.#transaction(() => {
        for (const document of slice) this.#documents.add(document);
      });
    }
  }

  async query(sketch) {
    const document = checkSketch(sketch, this.#settings);
    const hit = await this.#read(() => this.#documents.query(document));
    return hit === undefined ? [] : [hit];
  }

  async get(id) {
    checkId(id);
    const record = await this.#read(() => this.#documents.get(id));
    return record && sketchOf(record, this.#settings);
  }

  async delete(ids) {
    const checked = checkIds(ids);
    await this.#open();
    return this.#transaction(() => checked.reduce((sum, id) => sum + this.#documents.delete(id), 0));
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
    throw wrongType('database', 'a database of node:sqlite, better-sqlite3 or bun:sqlite', database);
  }
  return new SqliteStore(database, checkSettings(options));
}
