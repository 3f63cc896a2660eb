// Every store gives what a Deduplicator gives.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { memoryStore } from 'nearprint/store/memory';
import { agrees } from './agrees.mjs';
import { open } from './clients.mjs';
import { postgres, redis, redisCluster, temporary, valkeyServer } from './engines.mjs';
import { d1InWorker, durableObject } from './workers.mjs';

const COUNT = Number(process.env.STORE_DOCUMENTS ?? 1500);

const servers = {};

before(async () => {
  servers.postgres = await postgres(['fsync=off', 'synchronous_commit=off']);
  servers.redis = await redis();
  servers.cluster = await redisCluster();
  servers.valkey = await redis('everysec', { program: valkeyServer });
});

after(async () => {
  for (const server of Object.values(servers)) await server?.stop();
});

const bare = (url) => url.replace(/^\w+:/, '');

const stores = {
  memory: async () => ({ store: memoryStore(), close() {} }),
  'better-sqlite3': () => open(`better-sqlite3:${join(temporary(), 'seen.db')}`),
  pg: () => open(`pg:${bare(servers.postgres.url)}`, { name: 'by_pg' }),
  'postgres.js': () => open(`postgres.js:${bare(servers.postgres.url)}`, { name: 'by_postgres_js' }),
  pglite: () => open('pglite:'),
  redis: () => open(`redis:${bare(servers.redis.url)}`, { name: 'by_redis' }),
  ioredis: () => open(`ioredis:${bare(servers.redis.url)}`, { name: 'by_ioredis' }),
  'redis, a Cluster': () => open(`redis-cluster:${bare(servers.cluster.url)}`),
  'ioredis, a Cluster': () => open(`ioredis-cluster:${bare(servers.cluster.url)}`, { name: 'by_ioredis' }),
  valkey: () => open(`redis:${bare(servers.valkey.url)}`),
  d1: () => d1InWorker(),
  'durable object': () => durableObject(),
};

for (const [name, create] of Object.entries(stores)) {
  test(`${name} gives what a Deduplicator gives`, async (context) => {
    if (name === 'valkey' && servers.valkey === null) return context.skip('there is no valkey-server');
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
