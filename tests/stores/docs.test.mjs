// Runs the code blocks of the documents that need a database, and the examples of the stores' declarations.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import { sketch } from 'nearprint';
import { fingerprint, toSigned } from 'nearprint/compat';
import { unlessNear } from 'nearprint/crawl';
import { hammingSql } from 'nearprint/sql';
import { postgresStore } from 'nearprint/store/postgres';
import { redisStore } from 'nearprint/store/redis';
import { sqliteStore } from 'nearprint/store/sqlite';
import { blocks, documents, examples, makeFolder, runBlock } from '../js/blocks.mjs';
import { postgres, redis, servers, temporary } from './engines.mjs';
import { bundle } from './workers.mjs';

const started = servers({ postgres: () => postgres(['fsync=off']), redis: () => redis() });

for (const document of documents) {
  const selected = blocks(document).filter(({ runner }) => runner === 'stores');
  if (selected.length === 0) continue;
  test(document, async (t) => {
    const folder = makeFolder(fileURLToPath(new URL('node_modules', import.meta.url)));
    try {
      for (const block of selected) {
        const skip =
          block.code.includes('DATABASE_URL') && started.postgres === null ? 'PostgreSQL is not installed' : false;
        await t.test(block.name, { skip }, () => runBlock(block, folder, { DATABASE_URL: started.postgres?.url }));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

const AsyncFunction = (async () => {}).constructor;

/** Runs the example of a declaration file with the variables that it takes for granted. Returns one that it declares. */
function runExample(name, variables, result) {
  const [example, ...others] = examples(`pkg/types/stores/${name}.d.ts`);
  assert.deepEqual(others, []);
  return new AsyncFunction(...Object.keys(variables), `${example}\nreturn ${result};`)(...Object.values(variables));
}

const [url, text] = ['https://a.example/', 'Good news'];

test('the example of sqlite.d.ts', async () => {
  const { default: Better } = await import('better-sqlite3');
  class Database extends Better {
    constructor(name) {
      super(join(temporary(), name));
    }
  }
  assert.equal(await runExample('sqlite', { sqliteStore, Database, sketch, url, text }, 'duplicateOf'), null);
});

test('the examples of postgres.d.ts and sql.d.ts', async () => {
  const { default: pg } = await import('pg');
  const pools = [];
  class Pool extends pg.Pool {
    constructor(options) {
      super(options);
      pools.push(this);
    }
  }
  const connectionString = started.postgres.url;
  const variables = { postgresStore, pg: { Pool }, connectionString, sketch, url, text };
  assert.equal(await runExample('postgres', variables, 'duplicateOf'), null);
  const pool = new Pool({ connectionString });
  const one = fingerprint(text, { scheme: 'simhash-java' });
  await pool.query('DROP TABLE IF EXISTS pages; CREATE TABLE pages (id bigint PRIMARY KEY, simhash bigint)');
  await pool.query('INSERT INTO pages VALUES (1, $1)', [toSigned(one ^ 1n)]);
  const rows = await runExample('sql', { hammingSql, toSigned, pool, fingerprint: one }, 'rows');
  assert.deepEqual(rows, [{ id: '1', distance: 1 }]);
  for (const each of pools) await each.end();
});

test('the examples of redis.d.ts and crawl.d.ts', async () => {
  const { createClient } = await import('redis');
  const { url } = started.redis;
  const clients = [];
  const creates = (options) => {
    clients.push(createClient(options));
    return clients.at(-1);
  };
  const duplicateOf = await runExample(
    'redis',
    { redisStore, createClient: creates, sketch, url, text },
    'duplicateOf',
  );
  assert.equal(duplicateOf, null);
  const saved = [];
  const variables = { redisStore, client: clients[0], unlessNear, save: async (...page) => saved.push(page) };
  const handler = await runExample('crawl', variables, 'requestHandler');
  const article = 'Bad news';
  for (const url of ['https://a.example/1', 'https://a.example/2']) {
    const $ = () => ({ text: () => article, html: () => article });
    await handler({ request: { url }, $, enqueueLinks: async () => {} });
  }
  assert.deepEqual(saved, [['https://a.example/1', article]]);
  for (const client of clients) client.destroy();
});

test('the examples of d1.d.ts and durable-object.d.ts, in a Worker', async () => {
  const [[d1], [durableObject]] = ['d1', 'durable-object'].map((name) => examples(`pkg/types/stores/${name}.d.ts`));
  const file = join(temporary(), 'worker.mjs');
  writeFileSync(
    file,
    `import { DurableObject } from 'cloudflare:workers';
    import { sketch } from 'nearprint';
    import { d1Store } from 'nearprint/store/d1';
    import { durableObjectStore } from 'nearprint/store/durable-object';
    const [url, text] = ${JSON.stringify([url, text])};
    export class Seen extends DurableObject {
      async example() { const { ctx } = this; ${durableObject} return duplicateOf; }
    }
    const example = async (env) => { ${d1} return duplicateOf; };
    export default {
      fetch: async (_, env) =>
        Response.json([await example(env), await env.SEEN.get(env.SEEN.idFromName('all')).example()]),
    };`,
  );
  const runtime = new Miniflare({
    modules: await bundle(file),
    compatibilityDate: '2026-01-01',
    durableObjects: { SEEN: { className: 'Seen', useSQLite: true } },
    d1Databases: { DB: 'seen' },
  });
  try {
    assert.deepEqual(await (await runtime.dispatchFetch('http://localhost/')).json(), [null, null]);
  } finally {
    await runtime.dispose();
  }
});
