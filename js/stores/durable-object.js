// A store in a Durable Object with SQLite storage. The lock rule: a change is one transactionSync. Nothing else runs in the
// object meanwhile, and it is written as a whole.
import { wrongType } from '../api/check.js';
import {
  checkId,
  checkIds,
  checkMetadata,
  checkSettings,
  checkSketch,
  Described,
  once,
  sketchOf,
  slices,
} from './shared.js';
import { entriesOf, SqliteDocuments, schemaOf } from './sqlite-documents.js';

/** Documents in a transaction. */
const BATCH = 256;

/** The storage takes the bytes of a record as an ArrayBuffer. */
const storable = (value) => (value instanceof Uint8Array ? value.slice().buffer : value);

class DurableObjectStore extends Described {
  #storage;
  #settings;
  #documents;

  constructor(storage, settings) {
    super(settings);
    this.#storage = storage;
    this.#settings = settings;
    const all = (statement, values) => storage.sql.exec(statement, ...values.map(storable)).toArray();
    this.#documents = new SqliteDocuments(all, settings);
  }

  schema() {
    return `${schemaOf(this.#settings).join(';\n')};\n`;
  }

  #open = once(async () => {
    this.#storage.transactionSync(() => {
      for (const statement of schemaOf(this.#settings)) this.#storage.sql.exec(statement);
    });
    checkMetadata(this.#documents.metadata(), this.#settings);
  });

  async addIfNew(docs) {
    await this.#open();
    const answers = [];
    for (const slice of slices(docs, this.#settings, BATCH)) {
      const failure = this.#storage.transactionSync(() => this.#documents.addAllIfNew(slice, answers));
      if (failure) throw failure;
    }
    return answers;
  }

  async add(docs) {
    await this.#open();
    for (const slice of slices(docs, this.#settings, BATCH)) {
      this.#storage.transactionSync(() => {
        for (const document of slice) this.#documents.add(document);
      });
    }
  }

  async query(sketch) {
    const document = checkSketch(sketch, this.#settings);
    await this.#open();
    const hit = this.#documents.query(document);
    return hit === undefined ? [] : [hit];
  }

  async get(id) {
    checkId(id);
    await this.#open();
    const record = this.#documents.get(id);
    return record && sketchOf(record, this.#settings);
  }

  async delete(ids) {
    const checked = checkIds(ids);
    await this.#open();
    return this.#storage.transactionSync(() => checked.reduce((sum, id) => sum + this.#documents.delete(id), 0));
  }

  async count() {
    await this.#open();
    return this.#documents.count();
  }

  entries() {
    const page = async (after) => {
      await this.#open();
      return this.#documents.page(after);
    };
    return entriesOf(page, this.#settings);
  }
}

export function durableObjectStore(storage, options) {
  if (typeof storage?.transactionSync !== 'function' || typeof storage.sql?.exec !== 'function') {
    throw wrongType('storage', 'the storage of a Durable Object with SQLite (new_sqlite_classes)', storage);
  }
  return new DurableObjectStore(storage, checkSettings(options));
}
