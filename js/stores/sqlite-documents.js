// The documents of a store in SQLite: the tables and the statements. A store of one process at a time (SQLite, a Durable
// Object) calls SqliteDocuments inside a transaction; D1, which has no such transactions, uses the statements.
import { answer, areEqual, hitsOf, idTaken, joinParts, MAX_DISTANCE, metadataOf, partsOf, sketchOf } from './shared.js';
import { onesOf } from './sqlite-ones.js';

/** The expressions of the four blocks. The fingerprint is in two halves, since JavaScript rounds 64-bit integers. */
const blocks = ['high >> 16', 'high & 65535', 'low >> 16', 'low & 65535'];

const isLong = 'length(content) = 64';
const isShort = 'length(content) = 8';

const quote = (value) => (typeof value === 'number' ? value : `'${value}'`);

/** The statements that create the tables, as an array. */
export function schemaOf(settings) {
  const { name } = settings;
  const values = Object.values(metadataOf(settings)).map(quote).join(', ');
  return [
    `CREATE TABLE IF NOT EXISTS ${name}_store (name TEXT PRIMARY KEY, scheme TEXT, layout INTEGER, blocks TEXT)`,
    `INSERT INTO ${name}_store (name, scheme, layout, blocks) SELECT ${values} ` +
      `WHERE NOT EXISTS (SELECT 1 FROM ${name}_store)`,
    `CREATE TABLE IF NOT EXISTS ${name}_documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of addition
  id TEXT NOT NULL UNIQUE,
  high INTEGER NOT NULL, -- the fingerprint
  low INTEGER NOT NULL,
  content BLOB NOT NULL -- the MinHash (64 bytes), or the hash of the words of a short text (8 bytes)
)`,
    ...blocks.map(
      (block, at) => `CREATE INDEX IF NOT EXISTS ${name}_block${at} ON ${name}_documents (${block}) WHERE ${isLong}`,
    ),
    `CREATE INDEX IF NOT EXISTS ${name}_short ON ${name}_documents (content) WHERE ${isShort}`,
  ];
}

/** The same statements as one text. */
export const scriptOf = (settings) => `${schemaOf(settings).join(';\n')};\n`;

/** Returns undefined for the error that there are no tables. */
export function noTables(error) {
  if (!/no such table/.test(error.message)) throw error;
  return undefined;
}

/** The distance: x and y are the bits in which the halves of two fingerprints differ. */
const ones = onesOf('x', 'y');

/** The numbers of the candidates. Takes the probes once for each block, as JSON. */
const probed = (name, condition = '') =>
  blocks
    .map(
      (block, at) =>
        `SELECT number FROM ${name}_documents INDEXED BY ${name}_block${at} WHERE ${isLong} ${condition} ` +
        `AND (${block}) IN (SELECT value FROM json_each(?, '$[${at}]'))`,
    )
    .join(' UNION ALL ');

/** The statements. Each returns rows, so that every driver runs all of them in the same way. */
export const statementsOf = (name) => ({
  metadata: `SELECT name, scheme, layout, blocks FROM ${name}_store`,
  last: `SELECT coalesce(max(number), 0) AS last FROM ${name}_documents`,
  get: `SELECT high, low, content FROM ${name}_documents WHERE id = ?`,
  /** x and y are the bits in which the fingerprints differ: SQLite has no exclusive or. */
  candidates: `WITH difference (number, x, y) AS MATERIALIZED (
  SELECT number, (high | ?) - (high & ?), (low | ?) - (low & ?) FROM ${name}_documents WHERE number IN (${probed(name)})
), near (number, distance) AS MATERIALIZED (
  SELECT number, ${ones} FROM difference WHERE ${ones} <= ${MAX_DISTANCE}
)
SELECT id, number, distance, high, low, content FROM near CROSS JOIN ${name}_documents USING (number)`,
  equal:
    `SELECT id, number, 0 AS distance, high, low, content FROM ${name}_documents ` +
    `WHERE ${isShort} AND content = ? AND high = ? AND low = ? ORDER BY number LIMIT ?`,
  insert: `INSERT INTO ${name}_documents (id, high, low, content) VALUES (?, ?, ?, ?) RETURNING number`,
  delete: `DELETE FROM ${name}_documents WHERE id = ? RETURNING number`,
  count: `SELECT count(*) AS count FROM ${name}_documents`,
  page: `SELECT number, id, high, low, content FROM ${name}_documents WHERE number > ? ORDER BY number LIMIT 1000`,
});

/** Yields all documents. `page` returns those after a number, some at a time. */
export async function* entriesOf(page, settings) {
  for (let after = 0; ; ) {
    const rows = await page(after);
    if (rows.length === 0) return;
    for (const row of rows) yield { id: row.id, sketch: sketchOf(joinParts(row), settings) };
    after = rows.at(-1).number;
  }
}

/** The condition that no candidate has been added after a number, and its values. */
export const noneAfter = (name, document, last) => {
  const { high, low, content } = partsOf(document.record);
  if (document.isShort) {
    const condition =
      `NOT EXISTS (SELECT 1 FROM ${name}_documents WHERE ${isShort} AND content = ? AND high = ? AND low = ? ` +
      'AND number > ?)';
    return [condition, [content, high, low, last]];
  }
  const probes = JSON.stringify(document.probes);
  return [`NOT EXISTS (${probed(name, 'AND number > ?')})`, blocks.flatMap(() => [last, probes])];
};

/** The statement that finds the candidates of a document, and its values. Of a short text, candidates are hits. */
export function search(statements, { record, isShort: short, probes }, limit = 1) {
  const { high, low, content } = partsOf(record);
  if (short) return [statements.equal, [content, high, low, limit]];
  const values = JSON.stringify(probes);
  return [statements.candidates, [high, high, low, low, ...blocks.map(() => values)]];
}

export const insertion = ({ id, record }) => {
  const { high, low, content } = partsOf(record);
  return [id, high, low, content];
};

export const candidatesOf = (rows) => rows.map((row) => ({ ...row, record: joinParts(row) }));

export class SqliteDocuments {
  #all;
  #settings;
  #statements;

  /** `all(statement, values)` runs a statement and returns its rows. */
  constructor(all, settings) {
    this.#all = all;
    this.#settings = settings;
    this.#statements = statementsOf(settings.name);
  }

  /** The metadata, or undefined if there are no tables. */
  metadata() {
    try {
      return this.#all(this.#statements.metadata, [])[0];
    } catch (error) {
      return noTables(error);
    }
  }

  /** The record of a kept document, or undefined. */
  get(id) {
    const [row] = this.#all(this.#statements.get, [id]);
    return row && joinParts(row);
  }

  query(document, limit) {
    const rows = this.#all(...search(this.#statements, document, limit));
    return hitsOf(document.sketch, candidatesOf(rows), limit, this.#settings);
  }

  /** Keeps a document unless it is a near-duplicate. Throws if another document has its id. */
  addIfNew(document) {
    const { id, record } = document;
    const kept = this.get(id);
    if (kept !== undefined && areEqual(kept, record)) return answer(id);
    const [hit] = this.query(document, 1);
    if (hit !== undefined) return answer(id, hit);
    if (kept !== undefined) throw idTaken(document);
    this.#all(this.#statements.insert, insertion(document));
    return answer(id);
  }

  /** Adds the answers for documents to `answers`. Returns the error at which it stopped: those before it stay. */
  addAllIfNew(documents, answers) {
    for (const document of documents) {
      try {
        answers.push(this.addIfNew(document));
      } catch (error) {
        if (error instanceof RangeError) return error;
        throw error;
      }
    }
    return undefined;
  }

  /** Keeps a document, in place of the one with its id. */
  add(document) {
    const { id, record } = document;
    const kept = this.get(id);
    if (kept !== undefined && areEqual(kept, record)) return;
    this.delete(id);
    this.#all(this.#statements.insert, insertion(document));
  }

  delete(id) {
    return this.#all(this.#statements.delete, [id]).length;
  }

  count() {
    return this.#all(this.#statements.count, [])[0].count;
  }

  /** The documents after a number, in the order of addition: some of them, or none at the end. */
  page(after) {
    return this.#all(this.#statements.page, [after]);
  }
}
