// Redis over HTTP: the REST API of Upstash, as far as its client uses it for a store, in front of a server of Redis.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClient } from 'redis';

/** The type of a blob in RESP. */
const BLOB = 36;

/** Returns a reply as JSON has it: of a blob, its Base64. */
function encoded(reply) {
  if (Array.isArray(reply)) return reply.map(encoded);
  return Buffer.isBuffer(reply) ? reply.toString('base64') : reply;
}

/** Starts a bridge to the Redis of a URL. Returns `{ url, close }`. */
export async function bridge(redisUrl) {
  const client = createClient({ url: redisUrl, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  await client.connect();
  const run = async (command) => {
    try {
      const reply = await client.sendCommand(command.map(String), { typeMapping: { [BLOB]: Buffer } });
      return { result: encoded(reply) };
    } catch (error) {
      return { error: error.message };
    }
  };
  const server = createServer(async (request, response) => {
    const body = await json(request);
    const isPipeline = request.url === '/pipeline';
    const answer = isPipeline ? await Promise.all(body.map(run)) : await run(body);
    response.writeHead(answer.error === undefined ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
      client.destroy();
    },
  };
}
