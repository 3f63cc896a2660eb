// The Worker of docs/guides/edge.md.
import { Redis } from '@upstash/redis/cloudflare';
import { redisStore } from 'nearprint/store/redis';

export default {
  async fetch(request, { REDIS_URL, REDIS_TOKEN }) {
    const store = redisStore(new Redis({ url: REDIS_URL, token: REDIS_TOKEN, retry: { retries: 0 } }));
    const { url, text } = await request.json();
    const [{ status }] = await store.observe([{ id: url, text }]);
    return Response.json({ status });
  },
};

if (typeof Buffer !== 'undefined') throw new Error('the runtime has a Buffer');
