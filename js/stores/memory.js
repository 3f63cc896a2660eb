// A store in memory, of one process: for tests, and for programs that choose their store at run time.
import { Deduplicator } from '../index.js';
import { checkId, checkIds, checkQuery, checkSettings, Described, idTaken, slices } from './shared.js';

class MemoryStore extends Described {
  #settings;
  #kept;

  constructor(settings) {
    super(settings);
    const { scheme, minResemblance, probes } = settings;
    this.#settings = settings;
    this.#kept = new Deduplicator({ scheme, minResemblance, probes });
  }

  schema() {
    return '';
  }

  async addIfNew(docs) {
    const answers = [];
    for (const [document] of slices(docs, this.#settings, 1)) {
      try {
        answers.push(this.#kept.addIfNew(document.id, document.sketch));
      } catch (error) {
        throw error instanceof RangeError && this.#kept.has(document.id) ? idTaken(document) : error;
      }
    }
    return answers;
  }

  async add(docs) {
    for (const [{ id, sketch }] of slices(docs, this.#settings, 1)) this.#kept.add(id, sketch);
  }

  async query(given, options) {
    const { sketch, limit } = checkQuery(given, options, this.#settings);
    return this.#kept.query(sketch, { limit });
  }

  async get(id) {
    return this.#kept.get(checkId(id));
  }

  async delete(ids) {
    return checkIds(ids).filter((id) => this.#kept.delete(id)).length;
  }

  async count() {
    return this.#kept.size;
  }

  async *entries() {
    yield* this.#kept;
  }

  async [Symbol.asyncDispose]() {
    this.#kept.free();
  }
}

export const memoryStore = (options) => new MemoryStore(checkSettings(options));
