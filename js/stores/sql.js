// SQL for the fingerprints in a column of another program: the indexes and the statements of an exact search.
//
// src/index/blocks.rs has the proof that nothing is missed. A fingerprint has blocks of 16 bits, and `maxDistance + 1`
// tokens are dealt to them. Of two fingerprints within the distance, some block differs in fewer bits than it has tokens.
// So a statement looks up, for each block, the values that differ from the query's in fewer bits.
import { ArgumentError } from '../core/argument-error.js';
import { checkOptions, checkWhole } from '../core/check.js';
import { onesOf } from './sqlite-ones.js';

const BLOCK = 16;

/** The longest identifier in bytes: PostgreSQL cuts longer ones, so that the four indexes would have one name. */
const LONGEST_NAME = 63;

/** The block at `at`, from the highest. All databases take these operators alike on signed integers. */
const blockOf = (value, at, count) => `(${value} >> ${BLOCK * (count - 1 - at)} & 65535)`;

/** All sets of fewer than `tokens` bits of a block, the smaller ones first. */
function flipsOf(tokens) {
  const bits = Array.from({ length: BLOCK }, (_, bit) => 1 << bit);
  const all = [];
  for (let sets = [0], size = 0; size < tokens; size++) {
    all.push(...sets);
    sets = sets.flatMap((set) => bits.filter((bit) => bit > set).map((bit) => set | bit));
  }
  return all;
}

/** A quoted identifier. A quotation mark within it is doubled. */
const quoting = (mark) => (name) => mark + name.replaceAll(mark, mark + mark) + mark;

/**
 * What differs between the databases. `names` has quoted identifiers: the table, the column and, for each block, that of
 * its index. `lookUp` finds the documents whose block is that of the query, `own`, with some flips.
 */
const dialects = {
  postgresql: {
    quote: quoting('"'),
    integer: (value) => `${value}::bigint`,
    parameter: '$1',
    xor: (a, b) => `(${a} # ${b})`,
    near: 'SELECT id, bit_count(difference::bit(64))::int FROM candidates',
    // The planner takes an array for ten values. Of a join with 137 values it would rather read a table of 50,000 rows.
    lookUp: (table, block, own, flips) =>
      `FROM nearprint_query CROSS JOIN ${table} AS document\n  WHERE ${block} = ANY (ARRAY(` +
      `SELECT ${own} # flip FROM nearprint_query CROSS JOIN unnest('{${flips}}'::bigint[]) AS flips (flip)))`,
    indexes: ({ table, indexes }, blocks) => [
      ...blocks.map((block, at) => `CREATE INDEX IF NOT EXISTS ${indexes[at]} ON ${table} (${block})`),
      `ANALYZE ${table}`,
    ],
  },
  sqlite: {
    quote: quoting('"'),
    integer: (value) => value,
    parameter: 'CAST(? AS INTEGER)',
    xor: (a, b) => `((${a} | ${b}) - (${a} & ${b}))`,
    near:
      `SELECT id, ${onesOf('low', 'high')} FROM ` +
      '(SELECT id, difference & 4294967295 AS low, difference >> 32 & 4294967295 AS high FROM candidates)',
    // SQLite does not change the order of a CROSS JOIN.
    lookUp: (table, block, own, flips) =>
      `FROM nearprint_query CROSS JOIN json_each('[${flips}]') AS flips CROSS JOIN ${table} AS document\n` +
      `  WHERE ${block} = (${own} | flips.value) - (${own} & flips.value)`,
    indexes: ({ table, indexes }, blocks) =>
      blocks.map((block, at) => `CREATE INDEX IF NOT EXISTS ${indexes[at]} ON ${table} (${block})`),
  },
  // MariaDB has no indexes of expressions, so a block is a generated column, which takes no room but in its index.
  mysql: {
    quote: quoting('`'),
    integer: (value) => value,
    parameter: 'CAST(? AS SIGNED)',
    xor: (a, b) => `(${a} ^ ${b})`,
    near: 'SELECT id, BIT_COUNT(difference) FROM candidates',
    lookUp: (table, block, own, flips) =>
      `FROM nearprint_query STRAIGHT_JOIN JSON_TABLE('[${flips}]', '$[*]' COLUMNS (flip INT PATH '$')) AS flips ` +
      `STRAIGHT_JOIN ${table} AS document\n  WHERE ${block} = ${own} ^ flips.flip`,
    indexes: ({ table, indexes }, blocks) => [
      `ALTER TABLE ${table}\n${blocks
        .map((block, at) => {
          const column = `ADD COLUMN ${indexes[at]} SMALLINT UNSIGNED AS ${block} VIRTUAL INVISIBLE`;
          return `  ${column},\n  ADD INDEX ${indexes[at]} (${indexes[at]})`;
        })
        .join(',\n')}`,
      `ANALYZE TABLE ${table}`,
    ],
    block: (index) => `document.${index}`,
  },
};

function checkName(value, argument) {
  if (typeof value !== 'string') throw new ArgumentError(argument, 'the name of a table or column, a string', value);
  if (value === '' || value.includes('\0') || !value.isWellFormed()) {
    throw new ArgumentError(
      argument,
      'a name of at least one character, without NUL and without lone surrogates',
      value,
    );
  }
  return value;
}

function checkDialect(name) {
  if (Object.hasOwn(dialects, name)) return dialects[name];
  const takes = Object.keys(dialects).join(', ');
  throw new ArgumentError('dialect', takes, name);
}

function checkBits(bits) {
  if (bits === 32 || bits === 64) return bits;
  throw new ArgumentError('bits', '32 or 64, the bits of an integer column', bits);
}

const options = ['dialect', 'table', 'column', 'id', 'bits', 'maxDistance'];

export function hammingSql(given) {
  const { bits: width = 64, ...checked } = checkOptions(given, options);
  const dialect = checkDialect(checked.dialect);
  const table = checkName(checked.table, 'table');
  const column = checkName(checked.column, 'column');
  const id = checkName(checked.id ?? 'id', 'id');
  const bits = checkBits(width);
  const maxDistance = checkWhole(checked.maxDistance ?? bits / 8, 'maxDistance', bits / 4);

  const { quote, integer, xor } = dialect;
  const count = bits / BLOCK;
  const blocks = Array.from({ length: count }, (_, at) => at);
  const names = blocks.map((at) => `${table}_${column}_block${at}`);
  const excess = new TextEncoder().encode(names[0]).length - LONGEST_NAME;
  if (excess > 0)
    throw new ArgumentError('table', `a name that is ${excess} bytes shorter, for the names of the indexes`, table);
  const quotedNames = { table: quote(table), indexes: names.map(quote) };
  /** Without what a fingerprint of 32 bits has above them in a signed column. */
  const fingerprint = (value) => (bits === 32 ? `(${integer(value)} & 4294967295)` : integer(value));

  const indexed = blocks.map((at) => blockOf(fingerprint(quote(column)), at, count));
  const ofDocument = fingerprint(`document.${quote(column)}`);
  const ofQuery = 'nearprint_query.fingerprint';
  const lookUp = (at) => {
    const tokens = Math.floor((maxDistance + 1 + count - 1 - at) / count);
    const block = dialect.block?.(quotedNames.indexes[at]) ?? blockOf(ofDocument, at, count);
    return (
      `  SELECT document.${quote(id)}, ${xor(ofDocument, ofQuery)}\n` +
      `  ${dialect.lookUp(quotedNames.table, block, blockOf(ofQuery, at, count), flipsOf(tokens))}`
    );
  };
  // A block without tokens is not searched.
  const lookUps = blocks.slice(0, maxDistance + 1).map(lookUp);
  const statement = (columns) =>
    `WITH nearprint_query (fingerprint) AS (SELECT ${fingerprint(dialect.parameter)}),\n` +
    `candidates (id, difference) AS (\n${lookUps.join('\n  UNION\n')}\n),\nnear (id, distance) AS (${dialect.near})\n` +
    `SELECT ${columns} FROM near WHERE distance <= ${maxDistance}`;
  return {
    indexes: dialect.indexes(quotedNames, indexed),
    search: `${statement('id, distance')} ORDER BY distance, id`,
    count: statement('count(*) AS count'),
  };
}
