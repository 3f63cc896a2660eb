// A store in a Durable Object with SQLite storage. The lock rule: a change is one transactionSync. Nothing else runs in the
// object meanwhile, and it is written as a whole.
import { ArgumentError } from '../core/argument-error.js';
import { checkId, checkIds, checkQuery, checkSettings, Described, opening, sketchOf, slices } from './shared.js';
import { entriesOf, SqliteDocuments, schemaOf, scriptOf } from './sqlite-documents.js';

/** Documents in a transaction. */
const BATCH = 256;

/** The storage takes the bytes of a record as an ArrayBuffer. */
const storable = (value) => (value instanceof Uint8Array ? value.slice().buffer : value);

class DurableObjectStore extends Described {
  #storage;
  #settings;
  #documents;
  /** Runs a call on the open store. */
  #use;

  constructor(storage, settings) {
    super(settings);
    this.#storage = storage;
    this.#settings = settings;
    const all = (statement, values) => storage.sql.exec(statement, ...values.map(storable)).toArray();
    this.#documents = new SqliteDocuments(all, settings);
    this.#use = opening(settings, {
      metadata: () => this.#documents.metadata(),
      create: () =>
        storage.transactionSync(() => {
          for (const statement of schemaOf(settings)) storage.sql.exec(statement);
        }),
      explained: (error) => error,
    });
  }

  schema() {
    return scriptOf(this.#settings);
  }

  #write(change) {
    return this.#use(() => this.#storage.transactionSync(change));
  }

  async addIfNew(docs) {
    const answers = [];
    for (const slice of slices(docs, this.#settings, BATCH)) {
      const failure = await this.#write(() => this.#documents.addAllIfNew(slice, answers));
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
    return this.#use(() => this.#documents.query(document, limit));
  }

  async get(id) {
    checkId(id);
    const record = await this.#use(() => this.#documents.get(id));
    return record && sketchOf(record, this.#settings);
  }

  async delete(ids) {
    const checked = checkIds(ids);
    return this.#write(() => checked.reduce((sum, id) => sum + this.#documents.delete(id), 0));
  }

  count() {
    return this.#use(() => this.#documents.count());
  }

  entries() {
    return entriesOf((after) => this.#use(() => this.#documents.page(after)), this.#settings);
  }
}

export function durableObjectStore(storage, options) {
  if (typeof storage?.transactionSync !== 'function' || typeof storage.sql?.exec !== 'function') {
    throw new ArgumentError('storage', 'the storage of a Durable Object with SQLite (new_sqlite_classes)', storage);
  }
  return new DurableObjectStore(storage, checkSettings(options));
}
