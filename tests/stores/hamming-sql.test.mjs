// The SQL for fingerprints of another program finds what a NearIndex finds, by indexes only.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { hammingSql, NearIndex, toSigned } from 'nearprint/simhash';
import { random } from '../js/random.mjs';
import { argumentError } from '../js/refusals.mjs';
import { mysql, postgres, servers, temporary } from './engines.mjs';

const SIZE = Number(process.env.STORE_SIZE ?? 50_000);
const QUERIES = 40;

/** Names that only a quoted identifier can have. */
const table = 'pages" ` of; user\'s';
const column = 'sim hash"`';
const id = 'select';

const started = servers({
  postgres: () => postgres(['fsync=off']),
  mysql: () => mysql(),
});

/**
 * Each returns `{ run, insert, plan, types, bitCount, close }`. `run` returns rows; `plan` returns the indexes that a
 * statement reads, and whether it reads the whole table.
 */
const engines = {
  async sqlite() {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(join(temporary(), 'pages.db'));
    return {
      run: async (sql, values) => {
        const statement = database.prepare(sql);
        return statement.reader ? statement.all(...values) : statement.run(...values);
      },
      insert: async (name, rows) => {
        const insert = database.prepare(`INSERT INTO ${name} VALUES (?, ?)`);
        database.transaction(() => {
          for (const row of rows) insert.run(...row);
        })();
      },
      plan: async (sql, value) => {
        const details = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(value);
        const used = details.filter(({ detail }) => /^SEARCH document USING INDEX/.test(detail));
        return { used: used.length, isScan: details.some(({ detail }) => /^SCAN document/.test(detail)) };
      },
      quote: (name) => `"${name.replaceAll('"', '""')}"`,
      types: { 64: ['integer'], 32: ['integer'] },
      close: () => database.close(),
    };
  },
  async postgresql() {
    const { default: pg } = await import('pg');
    const client = new pg.Client(started.postgres.url);
    await client.connect();
    client.on('error', () => {}); // when a test has failed and the server ends
    const nodes = (node) => [node, ...(node.Plans ?? []).flatMap(nodes)];
    return {
      run: async (sql, values) => (await client.query(sql, values)).rows,
      insert: async (name, rows) => {
        const columns = [0, 1].map((at) => rows.map((row) => row[at]));
        await client.query(`INSERT INTO ${name} SELECT * FROM unnest($1::int[], $2::bigint[])`, columns);
      },
      plan: async (sql, value) => {
        const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${sql}`, [value]);
        const all = nodes(rows[0]['QUERY PLAN'][0].Plan);
        const used = new Set(all.map((node) => node['Index Name']).filter((name) => /_block\d$/.test(name)));
        return { used: used.size, isScan: all.some((node) => node['Node Type'] === 'Seq Scan') };
      },
      quote: (name) => `"${name.replaceAll('"', '""')}"`,
      types: { 64: ['bigint'], 32: ['integer', 'bigint'] },
      bitCount: (sql) => `bit_count((${sql.replace('^', '#')})::bigint::bit(64))`,
      close: () => client.end(),
    };
  },
  async mysql() {
    const { createConnection } = await import('mysql2/promise');
    const client = await createConnection({ uri: started.mysql.url, supportBigNumbers: true });
    await client.query('CREATE DATABASE IF NOT EXISTS nearprint_test');
    await client.query('USE nearprint_test');
    const { version } = (await client.query('SELECT version() AS version'))[0][0];
    return {
      version,
      run: async (sql, values) => (await client.execute(sql, values))[0],
      insert: async (name, rows) => {
        for (let at = 0; at < rows.length; at += 10_000) {
          await client.query(`INSERT INTO ${name} VALUES ?`, [rows.slice(at, at + 10_000)]);
        }
      },
      plan: async (sql, value) => {
        const [rows] = await client.execute(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, [value]);
        const used = rows.filter(({ table, key }) => table === 'document' && /_block\d$/.test(key));
        return { used: used.length, isScan: rows.some(({ table, type }) => table === 'document' && type === 'ALL') };
      },
      quote: (name) => `\`${name.replaceAll('`', '``')}\``,
      types: { 64: ['bigint', 'bigint unsigned'], 32: ['int', 'bigint'] },
      bitCount: (sql) => `BIT_COUNT(${sql})`,
      close: async () => {
        await client.query('DROP DATABASE nearprint_test');
        await client.end();
      },
    };
  },
};

const extremes = (bits) => [0n, 1n, (1n << BigInt(bits)) - 1n, 1n << BigInt(bits - 1), (1n << BigInt(bits - 1)) - 1n];

/** Random fingerprints, and around some of them others at every distance up to a quarter of the width. */
function fingerprints(bits, size) {
  const next = random(bits);
  const one = () => BigInt.asUintN(bits, (BigInt(next(2 ** 32)) << 32n) | BigInt(next(2 ** 32)));
  const queries = [...extremes(bits), ...Array.from({ length: QUERIES - extremes(bits).length }, one)];
  const all = [...queries];
  for (const query of queries) {
    for (let distance = 1; distance <= bits / 4; distance++) {
      let near = query;
      for (let flips = distance; flips > 0; flips--) near ^= 1n << BigInt(next(bits));
      all.push(near);
    }
  }
  while (all.length < size) all.push(one());
  return { queries, all };
}

for (const [dialect, start] of Object.entries(engines)) {
  for (const [bits, distances] of [
    [64, [0, 1, 3, 5, 8]],
    [32, [3, 4]],
  ]) {
    test(`${dialect}, ${SIZE} fingerprints of ${bits} bits: what a NearIndex finds`, async (context) => {
      const { run, insert, plan, quote, types, bitCount, version, close } = await start();
      if (version) context.diagnostic(version);
      const { queries, all } = fingerprints(bits, SIZE);
      const ids = all.map((_, at) => at);
      const index = new NearIndex({ bits, maxDistance: Math.max(...distances) }).addAll(ids, all);
      for (const type of types[bits]) {
        const isUnsigned = type.endsWith('unsigned') || (bits === 32 && type !== 'int' && type !== 'integer');
        const stored = (fingerprint) => (isUnsigned ? fingerprint : toSigned(fingerprint, bits));
        await run(`DROP TABLE IF EXISTS ${quote(table)}`, []);
        await run(`CREATE TABLE ${quote(table)} (${quote(id)} integer PRIMARY KEY, ${quote(column)} ${type})`, []);
        await insert(
          quote(table),
          all.map((fingerprint, at) => [at, stored(fingerprint)]),
        );
        for (const maxDistance of distances) {
          const { indexes, search, count } = hammingSql({ dialect, table, column, id, bits, maxDistance });
          if (maxDistance === distances[0]) for (const statement of indexes) await run(statement, []);
          const blocks = Math.min(maxDistance + 1, bits / 16);
          for (const statement of [search, count]) {
            assert.deepEqual(await plan(statement, toSigned(queries[0], bits)), { used: blocks, isScan: false });
          }
          let milliseconds = 0;
          for (const query of queries) {
            const expected = index
              .query(query, { maxDistance })
              .map(({ id, distance }) => ({ id, distance }))
              .sort((a, b) => a.distance - b.distance || a.id - b.id);
            assert.ok(expected.length > 0);
            const begin = performance.now();
            const rows = await run(search, [toSigned(query, bits)]);
            milliseconds += performance.now() - begin;
            assert.deepEqual(
              rows.map(({ id, distance }) => ({ id, distance: Number(distance) })),
              expected,
            );
            const [counted] = await run(count, [toSigned(query, bits)]);
            assert.equal(Number(counted.count), expected.length);
          }
          if (bitCount === undefined) {
            context.diagnostic(`${type}, within ${maxDistance}: ${(milliseconds / QUERIES).toFixed(2)} ms a search`);
            continue;
          }
          // The count as people run it without an index.
          const mask = bits === 32 ? ' & 4294967295' : '';
          const whole =
            `SELECT count(*) AS count FROM ${quote(table)} ` +
            `WHERE ${bitCount(`(${quote(column)} ^ ${stored(queries[7])})${mask}`)} <= ${maxDistance}`;
          const begin = performance.now();
          const [counted] = await run(whole, []);
          const scan = performance.now() - begin;
          assert.equal(Number(counted.count), index.query(queries[7], { maxDistance }).length);
          context.diagnostic(
            `${type}, within ${maxDistance}: ${(milliseconds / QUERIES).toFixed(2)} ms a search, ` +
              `${scan.toFixed(1)} ms to read the whole table`,
          );
        }
      }
      index.free();
      await close();
    });
  }
}

test('hammingSql names the argument that is wrong', () => {
  const good = { dialect: 'sqlite', table: 'a', column: 'b' };
  const refuses = (change, message) => assert.throws(() => hammingSql({ ...good, ...change }), argumentError(message));
  refuses({ dialect: 'oracle' }, /dialect must be one of postgresql, sqlite, mysql, got "oracle"/);
  refuses({ dialect: undefined }, /dialect must be one of postgresql, sqlite, mysql, got undefined/);
  refuses({ dialect: 'toString' }, /dialect must be one of/);
  refuses({ dialect: ['sqlite'] }, /dialect must be one of .*, got an array/);
  refuses({ table: undefined }, /table must be the name of a table or column, a string, got undefined/);
  refuses({ table: '' }, /table must be a name of at least one character/);
  refuses({ column: 'a\0' }, /column must be .* without NUL/);
  refuses({ id: 7 }, /id must be the name of a table or column, a string, got 7/);
  refuses({ bits: 128 }, /bits must be 32 or 64, .*, got 128/);
  refuses({ bits: '64' }, /bits must be 32 or 64/);
  refuses({ maxDistance: 17 }, /maxDistance must be a whole number from 0 to 16, got 17/);
  refuses({ maxDistance: 1.5 }, /maxDistance must be a whole number/);
  refuses({ where: 'x' }, /option must be one of dialect, table, column, id, bits, maxDistance, got "where"/);
  refuses({ table: 'a'.repeat(60) }, /table must be a name that is 6 bytes shorter/);
  assert.throws(() => hammingSql(), TypeError);
});
