// A proxy that loses a reply of a server: the connection ends when the reply arrives.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Starts a proxy for a port of this machine. Returns `{ port, loseReply, close }`: `loseReply(n)` loses the nth reply from now on. */
export async function losingProxy(port) {
  let left = Infinity;
  const sockets = new Set();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [client.destroy(), upstream.destroy()]);
    }
    client.on('data', (data) => upstream.write(data));
    upstream.on('data', (data) => {
      if (--left === 0) client.destroy();
      else client.write(data);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: server.address().port,
    loseReply(number) {
      left = number;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
