// Redis over HTTP, with the client of Upstash: what JSON could change, and a runtime without sockets and Buffer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Redis } from '@upstash/redis';
import { redisStore } from 'nearprint/store/redis';
import { bridge } from './bridge.mjs';
import { open } from './clients.mjs';
import { redis } from './engines.mjs';
import { checkIds, documents } from './ids.mjs';
import { losingProxy } from './losing-proxy.mjs';
import { start } from './workers.mjs';

/** Runs a test with the URL of a bridge and its server. */
const testHttp = (what, run) =>
  test(`upstash: ${what}`, async (context) => {
    const server = await redis();
    if (server === null) return context.skip('not installed');
    const { url, close } = await bridge(server.url);
    try {
      await run(url, server);
    } finally {
      close();
      await server.stop();
    }
  });

// With the default, agreement.test.mjs tests it.
testHttp('ids and records come back, automaticDeserialization: false', async (url) => {
  await checkIds(redisStore(new Redis({ url, token: 'token', automaticDeserialization: false })));
});

testHttp('clients over HTTP and over a socket share a store', async (url, server) => {
  const store = redisStore(new Redis({ url, token: 'token' }));
  const { store: other, close } = await open(server.by('redis'));
  const [added, observed] = [documents.slice(0, 5), documents.slice(5)];
  await store.add(added);
  await other.observe(observed);
  for (const { id, sketch } of added) assert.deepEqual(await other.query(sketch), [{ id, resemblance: 1 }]);
  for (const { id, sketch } of observed) assert.deepEqual(await store.query(sketch), [{ id, resemblance: 1 }]);
  await close();
});

testHttp('errors of the server and of the network say what to do', async (url, server) => {
  const store = redisStore(new Redis({ url, token: 'token', retry: { retries: 0 } }));
  await store.observe(documents);
  const { Redis: Client } = await import('ioredis');
  const client = new Client(server.url);
  await client.set('{nearprint}:versions', 'text');
  await assert.rejects(store.get('12'), /^Error: nearprint: .*WRONGTYPE.*choose another name$/);
  client.disconnect();
  const lost = redisStore(new Redis({ url: 'http://127.0.0.1:9', token: 'token', retry: { retries: 0 } }));
  await assert.rejects(lost.count(), /^Error: nearprint: .*the connection is lost: repeat the call/);
});

testHttp('a call whose answer is lost is repeated by default, and not with retries: 0', async (url) => {
  const proxy = await losingProxy(Number(new URL(url).port));
  const observe = async (id, options) => {
    const store = redisStore(new Redis({ url: `http://127.0.0.1:${proxy.port}`, token: 'token', ...options }));
    await store.observe([{ id: `before ${id}`, text: `before ${id}` }]);
    // The first answer is of the read.
    proxy.loseReply(2);
    const [{ status }] = await store.observe([{ id, text: id }]).finally(() => proxy.loseReply(Infinity));
    return status;
  };
  try {
    assert.equal(await observe('by default', {}), 'unchanged');
    // The client tries once more.
    assert.equal(await observe('retry: false', { retry: false }), 'unchanged');
    await assert.rejects(observe('once', { retry: { retries: 0 } }), /the connection is lost: repeat the call/);
    assert.ok(await redisStore(new Redis({ url, token: 'token' })).get('once'));
  } finally {
    proxy.close();
  }
});

testHttp('a Worker, which has neither sockets nor Buffer', async (url) => {
  const bindings = { REDIS_URL: url, REDIS_TOKEN: 'token' };
  const runtime = await start(fileURLToPath(new URL('http-worker.mjs', import.meta.url)), { bindings });
  const texts = ['The river burst its banks early on Tuesday', 'the river burst its banks early on tuesday'];
  for (const [at, status] of ['new', 'duplicate'].entries()) {
    const body = JSON.stringify({ url: `https://a.example/${at}`, text: texts[at] });
    const response = await runtime.dispatchFetch('http://worker/', { method: 'POST', body });
    assert.deepEqual(await response.json(), { status });
  }
  await runtime.dispose();
});
