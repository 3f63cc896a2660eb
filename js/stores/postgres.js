// A store in PostgreSQL 14 or later. A document is searched and added by one function, in one round trip.
//
// The lock rule: before it searches, the function locks the values of the document's own four blocks, exclusively, and the
// values that it probes, shared. If one of two documents probes a block value of the other, the two wait for each other.
// If neither does, neither could find the other, and their order does not matter. All locks are taken in ascending order,
// so there are no deadlocks. Each later statement of the function sees what was committed while it waited: that is what
// READ COMMITTED means.
import { ArgumentError } from '../core/argument-error.js';
import { schemaOf } from './postgres-schema.js';
import {
  answer,
  checkId,
  checkIds,
  checkQuery,
  checkSettings,
  Described,
  explaining,
  idTaken,
  opening,
  sketchOf,
  slices,
} from './shared.js';

const statementsOf = (name) => {
  const sketch = '$1::text::bigint, $2::text::bigint, $3::text::bit(512)';
  const columns = 'fingerprint::text, words::text, minhash::text';
  return {
    exists: `SELECT to_regprocedure('${name}_add_if_new(text, bigint, bigint, bit, bigint[], float8)') IS NOT NULL AS yes`,
    metadata: `SELECT name, scheme, layout, blocks FROM ${name}_store`,
    addIfNew: `SELECT * FROM ${name}_add_if_new($6::text, ${sketch}, $4::text::bigint[], $5::text::float8)`,
    query: `SELECT * FROM ${name}_near(${sketch}, $4::text::bigint[], $5::text::float8, $6::text::bigint)`,
    add: `INSERT INTO ${name}_documents AS d (id, fingerprint, words, minhash) VALUES ($4::text, ${sketch})
      ON CONFLICT (id) DO UPDATE SET number = DEFAULT, fingerprint = excluded.fingerprint, words = excluded.words,
        minhash = excluded.minhash
      WHERE (d.fingerprint, d.words, d.minhash) IS DISTINCT FROM (excluded.fingerprint, excluded.words, excluded.minhash)`,
    get: `SELECT ${columns} FROM ${name}_documents WHERE id = $1::text`,
    delete: `DELETE FROM ${name}_documents WHERE id = ANY ($1::text::text[]) RETURNING 1`,
    count: `SELECT count(*)::text AS count FROM ${name}_documents`,
    page: `SELECT number::text AS last, id, ${columns} FROM ${name}_documents WHERE number > $1::text::bigint
      ORDER BY number LIMIT 1000`,
  };
};

/** The parameters of a sketch: fingerprint, words, MinHash, as texts, which every driver passes alike. */
function parametersOf({ record, isShort }) {
  const view = new DataView(record.buffer, record.byteOffset);
  const fingerprint = String(view.getBigInt64(0, true));
  if (isShort) return [fingerprint, String(view.getBigInt64(8, true)), null];
  const hex = Array.from(record.subarray(8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [fingerprint, null, `x${hex}`];
}

/** The record of a row. */
function recordOf({ fingerprint, words, minhash }) {
  const record = new Uint8Array(minhash === null ? 16 : 72);
  const view = new DataView(record.buffer);
  view.setBigInt64(0, BigInt(fingerprint), true);
  if (minhash === null) view.setBigInt64(8, BigInt(words), true);
  else for (let at = 8; at < 72; at++) record[at] = Number.parseInt(minhash.slice(8 * at - 64, 8 * at - 56), 2);
  return record;
}

/** An array of texts as PostgreSQL writes it. */
const arrayOf = (texts) => `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`;

/** What to do about an error, by its code or its message. */
const explained = explaining([
  [
    /\b42501\b/,
    'run the statements of schema() as a user with the right to create tables and functions, and grant this one ' +
      'SELECT, INSERT, UPDATE and DELETE on the tables and EXECUTE on the functions',
  ],
  [/\b53100\b/, 'make room on the disk of the server, then repeat the call'],
  [/\b53200\b/, 'a document takes four times `probes` locks: raise max_locks_per_transaction'],
  [/\b42P01\b/, 'run the statements of schema() again'],
  [/\b42883\b/, 'a store takes PostgreSQL 14 or later; if it is, run the statements of schema() again'],
  [/\b40P01\b/, 'another program locks the same keys: add documents outside of transactions of your own'],
  [
    /\b(?:ECONN\w+|EPIPE|ENOTFOUND|ETIMEDOUT|57P0\d|08[\dP]\d\d|CONNECTION_\w+)\b|[Cc]onnection.*(?:terminated|closed|ended)/,
    'the connection is lost: repeat the call, which changes nothing that is done',
  ],
]);

class PostgresStore extends Described {
  #run;
  #settings;
  #statements;
  /** Runs a call on the open store. */
  #use;

  constructor(run, settings) {
    super(settings);
    const statements = statementsOf(settings.name);
    this.#run = run;
    this.#settings = settings;
    this.#statements = statements;
    this.#use = opening(settings, {
      async metadata() {
        const [{ yes }] = await run(statements.exists, []);
        return yes ? (await run(statements.metadata, []))[0] : undefined;
      },
      create: () => run(this.schema()),
      explained,
    });
  }

  schema() {
    return schemaOf(this.#settings);
  }

  #rows(statement, values) {
    return this.#use(() => this.#run(statement, values));
  }

  #searchOf(document) {
    return [...parametersOf(document), `{${document.probes.flat().join()}}`, String(this.#settings.minResemblance)];
  }

  async addIfNew(docs) {
    const answers = [];
    for (const [document] of slices(docs, this.#settings, 1)) {
      const [row] = await this.#rows(this.#statements.addIfNew, [...this.#searchOf(document), document.id]);
      if (row.state === 'taken') throw idTaken(document);
      answers.push(answer(document.id, row.state === 'near' ? row : undefined));
    }
    return answers;
  }

  async add(docs) {
    for (const [document] of slices(docs, this.#settings, 1)) {
      await this.#rows(this.#statements.add, [...parametersOf(document), document.id]);
    }
  }

  async query(sketch, options) {
    const { limit, ...document } = checkQuery(sketch, options, this.#settings);
    const rows = await this.#rows(this.#statements.query, [...this.#searchOf(document), String(limit)]);
    return rows.map(({ id, resemblance, distance }) => ({ id, resemblance, distance }));
  }

  async get(id) {
    const [row] = await this.#rows(this.#statements.get, [checkId(id)]);
    return row && sketchOf(recordOf(row), this.#settings);
  }

  async delete(ids) {
    return (await this.#rows(this.#statements.delete, [arrayOf(checkIds(ids))])).length;
  }

  async count() {
    return Number((await this.#rows(this.#statements.count, []))[0].count);
  }

  async *entries() {
    for (let after = '0'; ; ) {
      const rows = await this.#rows(this.#statements.page, [after]);
      if (rows.length === 0) return;
      for (const row of rows) yield { id: row.id, sketch: sketchOf(recordOf(row), this.#settings) };
      after = rows.at(-1).last;
    }
  }
}

/** Returns a function that runs a statement with values, or several statements without, and returns the rows. */
function runnerOf(client) {
  // postgres.js
  if (typeof client?.unsafe === 'function') {
    return (statement, values) =>
      values === undefined ? client.unsafe(statement).simple() : client.unsafe(statement, values, { prepare: true });
  }
  if (typeof client?.query !== 'function')
    throw new ArgumentError('client', 'a pool or client of pg, postgres.js or PGlite', client);
  // PGlite
  if (typeof client.exec === 'function') {
    return async (statement, values) =>
      values === undefined ? client.exec(`BEGIN; ${statement} COMMIT;`) : (await client.query(statement, values)).rows;
  }
  return async (statement, values) => (await client.query(statement, values)).rows;
}

export const postgresStore = (client, options) => new PostgresStore(runnerOf(client), checkSettings(options));
