// Every store gives what a Deduplicator gives.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { memoryStore } from 'nearprint/store/memory';
import { agrees } from './agrees.mjs';
import { open } from './clients.mjs';
import { postgres, redis, redisCluster, servers, temporary, valkeyServer } from './engines.mjs';
import { d1InWorker, durableObject } from './workers.mjs';

const COUNT = Number(process.env.STORE_DOCUMENTS ?? 1500);

const started = servers({
  postgres: () => postgres(['fsync=off', 'synchronous_commit=off']),
  redis: () => redis(),
  cluster: () => redisCluster(),
  valkey: () => redis('everysec', { program: valkeyServer }),
});

const stores = {
  memory: async () => ({ store: memoryStore(), close() {} }),
  'better-sqlite3': () => open(`better-sqlite3:${join(temporary(), 'seen.db')}`),
  pg: () => open(started.postgres.by('pg'), { name: 'by_pg' }),
  'postgres.js': () => open(started.postgres.by('postgres.js'), { name: 'by_postgres_js' }),
  pglite: () => open('pglite:'),
  redis: () => open(started.redis.by('redis'), { name: 'by_redis' }),
  ioredis: () => open(started.redis.by('ioredis'), { name: 'by_ioredis' }),
  'redis, a Cluster': () => open(started.cluster.by('redis-cluster')),
  'ioredis, a Cluster': () => open(started.cluster.by('ioredis-cluster'), { name: 'by_ioredis' }),
  valkey: () => open(started.valkey.by('redis')),
  d1: () => d1InWorker(),
  'durable object': () => durableObject(),
};

for (const [name, create] of Object.entries(stores)) {
  test(`${name} gives what a Deduplicator gives`, async (context) => {
    if (name === 'valkey' && started.valkey === null) return context.skip('there is no valkey-server');
    const { store, close } = await create();
    try {
      await agrees(store, COUNT);
    } finally {
      await close();
    }
  });
}

/** Drivers that are part of another runtime than this one. */
const runtimes = {
  'node-sqlite::memory:': 'node-lts-linux-x64/bin/node',
  'bun-sqlite::memory:': 'bun/bin/bun.exe',
};

for (const [url, program] of Object.entries(runtimes)) {
  const path = fileURLToPath(new URL(`node_modules/${program}`, import.meta.url));
  test(`${url} gives what a Deduplicator gives`, { skip: !existsSync(path) && `there is no ${program}` }, () => {
    const script = fileURLToPath(new URL('agree.mjs', import.meta.url));
    const { status, stderr } = spawnSync(path, [script, url, COUNT], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
}
