// SQL for an exact search among the fingerprints that another program has stored in a database.
//
// src/simhash/index/blocks.rs has the proof that nothing is missed. A fingerprint has blocks of 16 bits, and each block a quota,
// `maxDistance + 1` in all. Of two fingerprints within the distance, some block differs in fewer bits than its quota. So a statement
// looks up, for each block, the values that differ from the query's in fewer bits.
import { ArgumentError } from '../common/argument-error.js';
import { checkMaxDistance, checkOptions } from '../common/check.js';

/** The options of {@link hammingSql}. */
export interface HammingSqlOptions {
  /** `mysql` is MySQL 8.0.23 or later, and MariaDB 10.6 or later. `postgresql` is 14 or later, `sqlite` 3.38 or later. */
  dialect: 'postgresql' | 'sqlite' | 'mysql';
  /** The table, in the current schema or database. Names may have any characters: they are quoted. */
  table: string;
  /** The column with the fingerprints, as signed integers. In MySQL it may be unsigned as well. */
  column: string;
  /** The column that identifies a row. Default: `id`. */
  id?: string | undefined;
  /** The width of a fingerprint in bits. Default: 64. */
  bits?: 32 | 64 | undefined;
  /** The largest distance of a row from the query in bits, at most a quarter of the width. Default: an eighth of it. */
  maxDistance?: number | undefined;
}

/** The statements that {@link hammingSql} returns. */
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
   * Counts these rows, as `count`. The result is the same as for `SELECT count(*) FROM documents WHERE BIT_COUNT(fingerprint
   * ^ ?) <= maxDistance`, which reads the whole table.
   */
  count: string;
}

const BLOCK = 16;

/** The maximum length of an identifier in bytes. PostgreSQL cuts longer ones: the indexes would share one name. */
const MAX_NAME = 63;

/** Returns the block at `at`, from the highest. The operators work on signed integers in every database. */
const blockOf = (value: string, at: number, count: number): string =>
  `(${value} >> ${BLOCK * (count - 1 - at)} & 65535)`;

/** Returns all sets of fewer than `quota` bits of a block, the smaller ones first. */
function flipsOf(quota: number): number[] {
  const bits = Array.from({ length: BLOCK }, (_, bit) => 1 << bit);
  const all: number[] = [];
  for (let sets = [0], size = 0; size < quota; size++) {
    all.push(...sets);
    sets = sets.flatMap((set) => bits.filter((bit) => bit > set).map((bit) => set | bit));
  }
  return all;
}

/** The exclusive or of two expressions, in every database. */
const xor = (a: string, b: string): string => `((${a} | ${b}) - (${a} & ${b}))`;

const indexesOf = (table: string, names: string[], blocks: string[]): string[] =>
  blocks.map((block, at) => `CREATE INDEX IF NOT EXISTS ${names[at]} ON ${table} (${block})`);

// SQLite has no bit count. These are the steps of `popcount` in js/simhash/hamming.ts. Each repeats its parameter, so a statement
// that counts the bits of many rows computes each step in a subquery.
const pairs = (bits: string): string => `(${bits} - (${bits} >> 1 & 0x55555555))`;
const nibbles = (pairs: string): string => `((${pairs} & 0x33333333) + (${pairs} >> 2 & 0x33333333))`;
const total = (nibbles: string): string =>
  `((((${nibbles} & 0x0f0f0f0f) + (${nibbles} >> 4 & 0x0f0f0f0f)) * 0x01010101 >> 24) & 255)`;

/** The differences between the databases. Parameters and results are expressions and quoted identifiers. */
interface Dialect {
  /** The quotation mark around identifiers. */
  mark: string;
  /** The parameter of the statements, and the cast of a column to a signed integer of 64 bits. */
  parameter: string;
  cast: string;
  /** Returns the number of bits of `difference`. A function: bundlers keep calls that run when the file is loaded. */
  ones(): string;
  /** Selects the query joined with the documents whose `block` equals its block `own` with a set of bits flipped. */
  lookUp(table: string, block: string, own: string, flips: number[]): string;
  /** Returns the statements that create the indexes `names` of `blocks`. */
  createIndexes(table: string, names: string[], blocks: string[]): string[];
  /** Returns the column of a block of a document, if the index is of a column and not of an expression. */
  indexedBlock?(name: string): string;
}

const dialects: Record<HammingSqlOptions['dialect'], Dialect> = {
  postgresql: {
    mark: '"',
    parameter: '$1::bigint',
    cast: '::bigint',
    ones: () => 'bit_count(difference::bit(64))::int',
    // The planner assumes ten values in an array. For a join with 137 values, it would read a whole table of 50,000 rows.
    lookUp: (table, block, own, flips) =>
      `CROSS JOIN ${table} AS document\n  WHERE ${block} = ANY (ARRAY(` +
      `SELECT ${own} # flip FROM nearprint_query CROSS JOIN unnest('{${flips}}'::bigint[]) AS flips (flip)))`,
    createIndexes: (...given) => [...indexesOf(...given), `ANALYZE ${given[0]}`],
  },
  sqlite: {
    mark: '"',
    parameter: 'CAST(? AS INTEGER)',
    cast: '',
    ones: () =>
      total(`(${['', ' >> 32'].map((shift) => nibbles(pairs(`(difference${shift} & 4294967295)`))).join(' + ')})`),
    // SQLite does not change the order of a CROSS JOIN.
    lookUp: (table, block, own, flips) =>
      `CROSS JOIN json_each('[${flips}]') AS flips CROSS JOIN ${table} AS document\n` +
      `  WHERE ${block} = ${xor(own, 'flips.value')}`,
    createIndexes: indexesOf,
  },
  // MariaDB has no indexes of expressions, so a block is a generated column, which is stored only in its index.
  mysql: {
    mark: '`',
    parameter: 'CAST(? AS SIGNED)',
    cast: '',
    ones: () => 'BIT_COUNT(difference)',
    lookUp: (table, block, own, flips) =>
      `STRAIGHT_JOIN JSON_TABLE('[${flips}]', '$[*]' COLUMNS (flip INT PATH '$')) AS flips ` +
      `STRAIGHT_JOIN ${table} AS document\n  WHERE ${block} = ${own} ^ flips.flip`,
    createIndexes: (table, names, blocks) => [
      `ALTER TABLE ${table}\n${blocks
        .map((block, at) => {
          const column = `ADD COLUMN ${names[at]} SMALLINT UNSIGNED AS ${block} VIRTUAL INVISIBLE`;
          return `  ${column},\n  ADD INDEX ${names[at]} (${names[at]})`;
        })
        .join(',\n')}`,
      `ANALYZE TABLE ${table}`,
    ],
    indexedBlock: (name) => `document.${name}`,
  },
};

function checkName(value: unknown, argument: string): string {
  if (typeof value !== 'string') throw new ArgumentError(argument, 'the name of a table or column, a string', value);
  if (value !== '' && !value.includes('\0') && value.isWellFormed()) return value;
  const requirement = 'a name of at least one character, without NUL and without lone surrogates';
  throw new ArgumentError(argument, requirement, value);
}

function checkDialect(name: unknown): Dialect {
  if (typeof name === 'string' && Object.hasOwn(dialects, name)) return dialects[name as keyof typeof dialects];
  throw new ArgumentError('dialect', `one of ${Object.keys(dialects).join(', ')}`, name);
}

/**
 * Returns the SQL for an exact search among fingerprints that another program has stored in a database.
 *
 * The statements read the rows that have one of the probed values of a block: of *n* rows of 64 bits, about
 * 4 *n* / 65,536 at a distance of 3, and 188 *n* / 65,536 at 8. So the time of a search is proportional to the size of the
 * table, with a small factor.
 *
 * @example
 * ```js
 * const { indexes, search } = hammingSql({ dialect: 'postgresql', table: 'pages', column: 'simhash', maxDistance: 3 });
 * for (const statement of indexes) await pool.query(statement);
 * const { rows } = await pool.query(search, [toSigned(fingerprint)]);
 * ```
 * @throws {@link ArgumentError}: an option is wrong, or the names are too long for the names of the indexes
 */
export function hammingSql(options: HammingSqlOptions): HammingSql {
  const {
    bits = 64,
    id = 'id',
    ...given
  } = checkOptions(options, ['dialect', 'table', 'column', 'id', 'bits', 'maxDistance']);
  const dialect = checkDialect(given.dialect);
  const table = checkName(given.table, 'table');
  const column = checkName(given.column, 'column');
  checkName(id, 'id');
  if (bits !== 32 && bits !== 64) throw new ArgumentError('bits', '32 or 64, the bits of an integer column', bits);
  const maxDistance = checkMaxDistance(bits, given.maxDistance);

  const { cast, mark } = dialect;
  // A quotation mark within an identifier is doubled.
  const quote = (name: string) => mark + name.replaceAll(mark, mark + mark) + mark;
  const count = bits / BLOCK;
  const blocks = Array.from({ length: count }, (_, at) => at);
  const names = blocks.map((at) => `${table}_${column}_block${at}`);
  const excess = new TextEncoder().encode(names[0]).length - MAX_NAME;
  if (excess > 0)
    throw new ArgumentError('table', `a name that is ${excess} bytes shorter, for the names of the indexes`, table);
  const quotedTable = quote(table);
  const quotedNames = names.map(quote);
  /** A fingerprint of 32 bits in a signed column is extended by its sign, which the mask removes. */
  const fingerprint = (value: string) => (bits === 32 ? `(${value} & 4294967295)` : value);

  const indexed = blocks.map((at) => blockOf(fingerprint(quote(column) + cast), at, count));
  const ofDocument = fingerprint(`document.${quote(column)}${cast}`);
  const ofQuery = 'nearprint_query.fingerprint';
  const lookUp = (at: number) => {
    const quota = Math.floor((maxDistance + 1 + count - 1 - at) / count);
    const block = dialect.indexedBlock?.(quotedNames[at]) ?? blockOf(ofDocument, at, count);
    return (
      `  SELECT document.${quote(id)}, ${xor(ofDocument, ofQuery)}\n` +
      `  FROM nearprint_query ${dialect.lookUp(quotedTable, block, blockOf(ofQuery, at, count), flipsOf(quota))}`
    );
  };
  // A block without tokens is not searched.
  const lookUps = blocks.slice(0, maxDistance + 1).map(lookUp);
  const statement = (columns: string) =>
    `WITH nearprint_query (fingerprint) AS (SELECT ${fingerprint(dialect.parameter)}),\n` +
    `candidates (id, difference) AS (\n${lookUps.join('\n  UNION\n')}\n),\nnear (id, distance) AS (SELECT id, ${dialect.ones()} FROM candidates)\n` +
    `SELECT ${columns} FROM near WHERE distance <= ${maxDistance}`;
  return {
    indexes: dialect.createIndexes(quotedTable, quotedNames, indexed),
    search: `${statement('id, distance')} ORDER BY distance, id`,
    count: statement('count(*) AS count'),
  };
}
