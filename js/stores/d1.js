// A store in D1, Cloudflare's SQLite. It has no transaction that waits for an answer, only batches. So a document is
// searched in one batch and inserted in another, under the lock rule that no candidate has been added between the two; if
// one has, both are repeated. Numbers ascend and are never used again, so "since" is a comparison.
import { ArgumentError } from '../core/argument-error.js';
import {
  answer,
  areEqual,
  checkId,
  checkIds,
  checkQuery,
  checkSettings,
  Described,
  explaining,
  hitsOf,
  idTaken,
  joinParts,
  opening,
  sketchOf,
  slices,
} from './shared.js';
import {
  candidatesOf,
  entriesOf,
  insertion,
  noneAfter,
  noTables,
  schemaOf,
  scriptOf,
  search,
  statementsOf,
} from './sqlite-documents.js';

/** Documents in a batch. */
const BATCH = 10;

const explained = explaining([
  [/no such (?:table|index)/i, 'run the statements of schema() again'],
  [
    /too many|overloaded|reset|timeout|network|storage operation/i,
    'repeat the call, which changes nothing that is done',
  ],
  [/full|exceeded maximum/i, 'the database is full: D1 takes 10 GB; use one store for each site or language'],
]);

/** Whether a search for `document` finds `other` among its candidates. */
function isProbed({ isShort, probes, record }, other) {
  if (isShort || other.isShort) return isShort === other.isShort && areEqual(record, other.record);
  const view = new DataView(other.record.buffer);
  return probes.some((values, block) => values.includes(view.getUint16(6 - 2 * block, true)));
}

class D1Store extends Described {
  #database;
  #settings;
  #statements;
  /** Runs a call on the open store. */
  #use;

  constructor(database, settings) {
    super(settings);
    this.#database = database;
    this.#settings = settings;
    this.#statements = statementsOf(settings.name);
    this.#use = opening(settings, {
      metadata: async () => (await this.#send([[this.#statements.metadata, []]]).catch(noTables))?.[0][0],
      create: () => this.#send(schemaOf(settings).map((statement) => [statement, []])),
      explained,
    });
  }

  schema() {
    return scriptOf(this.#settings);
  }

  /** Runs statements as one transaction. Each is `[statement, values]`; the result has the rows of each. */
  async #send(statements) {
    const prepared = statements.map(([statement, values]) => this.#database.prepare(statement).bind(...values));
    return (await this.#database.batch(prepared)).map(({ results }) => results);
  }

  #batch(statements) {
    return this.#use(() => this.#send(statements));
  }

  async addIfNew(docs) {
    const answers = [];
    for (const slice of slices(docs, this.#settings, BATCH)) {
      for (let left = slice; left.length > 0; ) {
        const some = await this.#tryAll(left);
        answers.push(...some);
        left = left.slice(some.length);
      }
    }
    return answers;
  }

  /** Returns the answers for the first documents: for how many, other clients decide. */
  async #tryAll(documents) {
    const searches = documents.flatMap((document) => [
      [this.#statements.get, [document.id]],
      search(this.#statements, document),
    ]);
    const [[{ last }], ...found] = await this.#batch([[this.#statements.last, []], ...searches]);
    const answers = [];
    const fresh = [];
    for (const [at, document] of documents.entries()) {
      // One that depends on a document which is not inserted yet waits for the next round.
      if (fresh.some(({ document: other }) => other.id === document.id || isProbed(document, other))) break;
      const kept = found[2 * at][0];
      const isKept = kept !== undefined && areEqual(joinParts(kept), document.record);
      const [hit] = isKept ? [] : hitsOf(document.sketch, candidatesOf(found[2 * at + 1]), 1, this.#settings);
      if (!isKept && hit === undefined && kept !== undefined) {
        if (answers.length > 0) break;
        throw idTaken(document);
      }
      if (!isKept && hit === undefined) fresh.push({ document, at });
      answers.push(answer(document.id, hit));
    }
    if (fresh.length === 0) return answers;
    const inserted = await this.#batch(fresh.map(({ document }, at) => this.#insertion(document, last, fresh[at - 1])));
    const failed = inserted.findIndex((rows) => rows.length === 0);
    return failed === -1 ? answers : answers.slice(0, fresh[failed].at);
  }

  /** Inserts a document unless a candidate is newer than `last`, its id is kept, or the one before it was not inserted. */
  #insertion(document, last, before) {
    const { name } = this.#settings;
    const [condition, values] = noneAfter(name, document, last);
    const isKept = `EXISTS (SELECT 1 FROM ${name}_documents WHERE id = ?`;
    const chain = before === undefined ? ['', []] : [`AND ${isKept} AND number > ?)`, [before.document.id, last]];
    return [
      `INSERT INTO ${name}_documents (id, high, low, content) SELECT ?, ?, ?, ? ` +
        `WHERE ${condition} AND NOT ${isKept}) ${chain[0]} RETURNING number`,
      [...insertion(document), ...values, document.id, ...chain[1]],
    ];
  }

  async add(docs) {
    const { name } = this.#settings;
    const remove = `DELETE FROM ${name}_documents WHERE id = ? AND NOT (high = ? AND low = ? AND content = ?)`;
    const insert =
      `INSERT INTO ${name}_documents (id, high, low, content) SELECT ?, ?, ?, ? ` +
      `WHERE NOT EXISTS (SELECT 1 FROM ${name}_documents WHERE id = ?)`;
    for (const slice of slices(docs, this.#settings, BATCH)) {
      const statements = slice.flatMap((document) => [
        [remove, insertion(document)],
        [insert, [...insertion(document), document.id]],
      ]);
      await this.#batch(statements);
    }
  }

  async query(sketch, options) {
    const { limit, ...document } = checkQuery(sketch, options, this.#settings);
    const [rows] = await this.#batch([search(this.#statements, document, limit)]);
    return hitsOf(document.sketch, candidatesOf(rows), limit, this.#settings);
  }

  async get(id) {
    const [[row]] = await this.#batch([[this.#statements.get, [checkId(id)]]]);
    return row && sketchOf(joinParts(row), this.#settings);
  }

  async delete(ids) {
    const all = checkIds(ids);
    let count = 0;
    for (let at = 0; at < all.length; at += BATCH) {
      const statements = all.slice(at, at + BATCH).map((id) => [this.#statements.delete, [id]]);
      count += (await this.#batch(statements)).flat().length;
    }
    return count;
  }

  async count() {
    return (await this.#batch([[this.#statements.count, []]]))[0][0].count;
  }

  entries() {
    const page = async (after) => (await this.#batch([[this.#statements.page, [after]]]))[0];
    return entriesOf(page, this.#settings);
  }
}

export function d1Store(database, options) {
  if (typeof database?.batch !== 'function' || typeof database.prepare !== 'function') {
    throw new ArgumentError('database', 'a binding of D1', database);
  }
  return new D1Store(database, checkSettings(options));
}
