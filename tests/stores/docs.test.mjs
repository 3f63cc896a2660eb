// Runs the code blocks of the documents that need a database, and the examples of the stores' declarations.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import { fingerprint, toSigned } from 'nearprint/compat';
import { whenNew } from 'nearprint/crawl';
import { mainText, pageText } from 'nearprint/html';
import { hammingSql } from 'nearprint/simhash';
import { memoryStore } from 'nearprint/store/memory';
import { postgresStore } from 'nearprint/store/postgres';
import { redisStore } from 'nearprint/store/redis';
import { sqliteStore } from 'nearprint/store/sqlite';
import { blocks, documents, examples, makeFolder, runBlock } from '../js/blocks.mjs';
import { temporary } from './engines.mjs';
import { servers, testOn } from './table.mjs';
import { bundle } from './workers.mjs';

for (const document of documents) {
  const selected = blocks(document).filter(({ runner }) => runner === 'stores');
  if (selected.length === 0) continue;
  test(document, async (context) => {
    const folder = makeFolder(fileURLToPath(new URL('node_modules', import.meta.url)));
    const urls = { DATABASE_URL: (await servers.postgres())?.url, REDIS_URL: (await servers.redis())?.url };
    for (const block of selected) {
      const missing = Object.keys(urls).find((name) => block.code.includes(name) && urls[name] === undefined);
      const skip = missing !== undefined && `${missing} is not set`;
      await context.test(block.name, { skip }, () => runBlock(block, folder, urls));
    }
  });
}

const AsyncFunction = (async () => {}).constructor;

/** Runs the example of a declaration file with the variables that it takes for granted. Returns one that it declares. */
function runExample(name, variables, result) {
  const [example, ...others] = examples(`pkg/types/${name}.d.ts`);
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
  assert.equal(await runExample('stores/sqlite', { sqliteStore, Database, url, text }, 'status'), 'new');
});

testOn('postgres', 'the examples of postgres.d.ts and simhash/sql.d.ts', async ({ server }) => {
  const { default: pg } = await import('pg');
  const pools = [];
  class Pool extends pg.Pool {
    constructor(options) {
      super(options);
      pools.push(this);
    }
  }
  const connectionString = server.url;
  const variables = { postgresStore, pg: { Pool }, connectionString, url, text };
  assert.equal(await runExample('stores/postgres', variables, 'status'), 'new');
  const pool = new Pool({ connectionString });
  const one = fingerprint(text, { scheme: 'simhash-java' });
  await pool.query('DROP TABLE IF EXISTS pages; CREATE TABLE pages (id bigint PRIMARY KEY, simhash bigint)');
  await pool.query('INSERT INTO pages VALUES (1, $1)', [toSigned(one ^ 1n)]);
  const rows = await runExample('simhash/sql', { hammingSql, toSigned, pool, fingerprint: one }, 'rows');
  assert.deepEqual(rows, [{ id: '1', distance: 1 }]);
  for (const each of pools) await each.end();
});

testOn('redis', 'the examples of redis.d.ts and crawl.d.ts', async ({ server }) => {
  const { createClient } = await import('redis');
  const clients = [];
  const creates = () => {
    clients.push(createClient({ url: server.url }));
    return clients.at(-1);
  };
  assert.equal(await runExample('stores/redis', { redisStore, createClient: creates, url, text }, 'status'), 'new');
  const handled = [];
  const saveArticle = async (url, status) => handled.push([url, status]);
  const variables = { redisStore, client: clients[0], whenNew, mainText, pageText, saveArticle };
  const handler = await runExample('crawl', variables, 'requestHandler');
  const links = [];
  const visit = (url, article) =>
    handler({
      request: { url },
      $: { html: () => `<nav>Home</nav><article><p>${article}</p></article>` },
      enqueueLinks: async () => links.push(url),
    });
  const [first, copy] = ['https://a.example/1', 'https://a.example/2'];
  await visit(first, 'Bad news');
  await visit(copy, 'BAD NEWS!');
  await visit(first, 'Bad news');
  await visit(first, 'Worse news');
  assert.deepEqual(handled, [
    [first, 'new'],
    [first, 'changed'],
  ]);
  assert.deepEqual(links, [first, copy, first, first]);
  for (const client of clients) client.destroy();
});

test('the example of memory.d.ts', async () => {
  const [example] = examples('pkg/types/stores/memory.d.ts');
  const [, comment] = /\/\/ (.*)/.exec(example);
  // Node 20 has no `await using`.
  const code = example.replace('await using', 'const').replace('await kept.observe', 'return kept.observe');
  assert.deepEqual(await new AsyncFunction('memoryStore', code)(memoryStore), new Function(`return ${comment}`)());
});

test('the examples of d1.d.ts and durable-object.d.ts, in a Worker', async () => {
  const [[d1], [durableObject]] = ['d1', 'durable-object'].map((name) => examples(`pkg/types/stores/${name}.d.ts`));
  const file = join(temporary(), 'worker.mjs');
  writeFileSync(
    file,
    `import { DurableObject } from 'cloudflare:workers';
        import { d1Store } from 'nearprint/store/d1';
    import { durableObjectStore } from 'nearprint/store/durable-object';
    const [url, text] = ${JSON.stringify([url, text])};
    export class Seen extends DurableObject {
      async example() { const { ctx } = this; ${durableObject} return status; }
    }
    const example = async (env) => { ${d1} return status; };
    export default {
      fetch: async (_, env) =>
        Response.json([await example(env), await env.SEEN.get(env.SEEN.idFromName('all')).example()]),
    };`,
  );
  const runtime = new Miniflare({
    modules: await bundle(file),
    compatibilityDate: '2026-01-01',
    durableObjects: { SEEN: { className: 'Seen', useSQLite: true } },
    d1Databases: { DATABASE: 'seen' },
  });
  try {
    assert.deepEqual(await (await runtime.dispatchFetch('http://localhost/')).json(), ['new', 'new']);
  } finally {
    await runtime.dispose();
  }
});
