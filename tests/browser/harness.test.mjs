// The harness of the browser tests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from '../tier.mjs';
import { open } from './harness.mjs';

/** A server that ends each connection, so that no page can be loaded. */
async function brokenServer() {
  const server = createServer((socket) => socket.destroy());
  server.closeAllConnections = () => {};
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('a page that cannot be loaded leaves no browser and no server open', async () => {
  const server = await brokenServer();
  const browsers = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
  await assert.rejects(open('/', { server }), /net::ERR_/);
  assert.deepEqual([browsers(), server.listening], [0, false]);
});
