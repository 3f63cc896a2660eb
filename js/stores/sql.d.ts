export interface HammingSqlOptions {
  /** `mysql` is MySQL 8.0.23 or later, and MariaDB 10.6 or later. `postgresql` is 14 or later, `sqlite` 3.38 or later. */
  dialect: 'postgresql' | 'sqlite' | 'mysql';
  /** The table, in the current schema or database. Names may have any characters: they are quoted. */
  table: string;
  /** The column with the fingerprints, as signed integers. In MySQL it may be unsigned as well. */
  column: string;
  /** The column that identifies a row, `id` by default. */
  id?: string;
  /** The bits of a fingerprint: 64 (default) or 32. */
  bits?: 32 | 64;
  /** The most bits in which a row may differ from the query: an eighth of the width by default, at most a quarter. */
  maxDistance?: number;
}

export interface HammingSql {
  /**
   * The statements that index the column, to be run once: an index for each block of 16 bits. The same indexes serve
   * every `maxDistance`. In MySQL, each block is an invisible generated column.
   */
  indexes: string[];
  /**
   * Finds the rows within `maxDistance` of a fingerprint: `id` and `distance`, the nearest first. Exact. Its one
   * parameter is the fingerprint as a signed integer.
   */
  search: string;
  /**
   * The number of those rows, as `count`. It is the answer of
   * `SELECT count(*) FROM documents WHERE BIT_COUNT(fingerprint ^ ?) <= maxDistance`, which reads the whole table.
   */
  count: string;
}

/**
 * Returns the SQL for an exact search among fingerprints that another program has stored in a database.
 *
 * The statements read the rows that have one of the probed values of a block: of *n* rows of 64 bits, about
 * 4 *n* / 65,536 at a distance of 3, and 188 *n* / 65,536 at 8. So a search takes time in proportion to the table, with
 * a small factor.
 *
 * @example
 * ```js
 * const { indexes, search } = hammingSql({ dialect: 'postgresql', table: 'pages', column: 'simhash', maxDistance: 3 });
 * for (const statement of indexes) await pool.query(statement);
 * const { rows } = await pool.query(search, [toSigned(fingerprint)]);
 * ```
 * @throws TypeError, RangeError: an option is wrong, or the names are too long for those of the indexes
 */
export function hammingSql(options: HammingSqlOptions): HammingSql;
